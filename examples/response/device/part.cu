// SPDX-License-Identifier: EPL-2.0
// A device as one of the executors that share the rows of a relaxation.
#include "examples/response/device/entries.hpp"
#include "examples/response/device/launch.cuh"
#include "examples/response/device/stream.cuh"
#include "examples/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

/// Owner: thread i owns y[i].
__global__ void relaxRows(RelaxationRows a, int rows, double const* x, double* y) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows) y[i] = relaxed(a, i, x);
}
/// Owner: thread k owns to[k].
__global__ void gatherValues(int count, int const* rows, double const* from, double* to) {
  int const k = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < count) to[k] = from[rows[k]];
}
/// Rows differ. Owner: thread k owns to[rows[k]].
__global__ void scatterValues(int count, int const* rows, double const* from, double* to) {
  int const k = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < count) to[rows[k]] = from[k];
}

/// Rows and room for their values; an exchange takes the same rows every time.
struct Exchanged {
  std::vector<int> rows;
  DeviceArray<int> onDevice;
  DeviceArray<double> values;
};

class DevicePart : public PartExecutor {
 public:
  std::string name() const override { return examples::device::deviceName(); }

  void take(Tile const& tile, std::vector<double> const& x) override {
    within_ = tile.within;
    start_ = copy(tile.start);
    column_ = copy(tile.column);
    value_ = copy(tile.value);
    weight_ = copy(tile.weight);
    load_ = copy(tile.load);
    x_ = copy(x);
    y_ = DeviceArray<double>(x.size());
    read_ = {};
    write_ = {};
    stream_.wait();
  }

  void start(int steps) override {
    begin_.record(stream_.get());
    RelaxationRows const rows{start_.data(), column_.data(), value_.data(), weight_.data(),
                              load_.data()};
    for (int step = 1; step <= steps; ++step) {
      int const count = within_[steps - step];
      launchOver(stream_.get(), std::size_t(count), &relaxRows, rows, count,
                 static_cast<double const*>(x_.data()), y_.data());
      std::swap(x_, y_);
    }
    end_.record(stream_.get());
  }

  double wait() override { return end_.secondsSince(begin_); }

  std::vector<double> read(std::vector<int> const& rows) override {
    prepare(read_, rows);
    std::vector<double> values(rows.size());
    launchOver(stream_.get(), rows.size(), &gatherValues, int(rows.size()),
               static_cast<int const*>(read_.onDevice.data()),
               static_cast<double const*>(x_.data()), read_.values.data());
    if (!rows.empty())
      check(cudaMemcpyAsync(values.data(), read_.values.data(), rows.size() * sizeof(double),
                            cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return values;
  }

  void write(std::vector<int> const& rows, std::vector<double> const& values) override {
    prepare(write_, rows);
    if (!rows.empty())
      check(cudaMemcpyAsync(write_.values.data(), values.data(), rows.size() * sizeof(double),
                            cudaMemcpyHostToDevice, stream_.get()));
    launchOver(stream_.get(), rows.size(), &scatterValues, int(rows.size()),
               static_cast<int const*>(write_.onDevice.data()),
               static_cast<double const*>(write_.values.data()), x_.data());
    stream_.wait();  // `values` is the caller's
  }

 private:
  template <class T>
  DeviceArray<T> copy(std::vector<T> const& values) const {
    DeviceArray<T> array(values.size());
    if (!values.empty())
      check(cudaMemcpyAsync(array.data(), values.data(), values.size() * sizeof(T),
                            cudaMemcpyHostToDevice, stream_.get()));
    return array;
  }
  void prepare(Exchanged& e, std::vector<int> const& rows) const {
    if (e.rows == rows) return;
    e.onDevice = copy(rows);
    e.values = DeviceArray<double>(rows.size());
    e.rows = rows;
    stream_.wait();
  }

  Stream stream_;
  Event begin_, end_;
  std::vector<int> within_;
  DeviceArray<int> start_, column_;
  DeviceArray<double> value_, weight_, load_, x_, y_;
  Exchanged read_, write_;
};

}  // namespace

std::unique_ptr<PartExecutor> makePart() {
  return std::make_unique<DevicePart>();
}

}  // namespace osi_cuda::response::device
