// SPDX-License-Identifier: EPL-2.0
// A device as one of the executors that share the rows of a relaxation.
#include <utility>

#include "examples/common/device.cuh"
#include "examples/response/sharing.hpp"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;

constexpr unsigned threads = 128;

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

int madeCurrent(int device) {
  check(cudaSetDevice(device));
  return device;
}

/// Leaves its device the current one.
class DevicePart : public PartExecutor {
 public:
  explicit DevicePart(int device) : device_(madeCurrent(device)) {}
  std::string name() const override {
    madeCurrent(device_);
    return examples::device::deviceName();
  }

  void take(Tile const& tile, std::vector<double> const& x) override {
    madeCurrent(device_);
    within_ = tile.within;
    start_ = DeviceArray<int>(tile.start);
    column_ = DeviceArray<int>(tile.column);
    value_ = DeviceArray<double>(tile.value);
    weight_ = DeviceArray<double>(tile.weight);
    load_ = DeviceArray<double>(tile.load);
    x_ = DeviceArray<double>(x);
    y_ = DeviceArray<double>(x.size());
    lists_.clear();
  }

  void start(int steps) override {
    madeCurrent(device_);
    check(cudaEventRecord(begin_, stream_));
    RelaxationRows const rows{start_.data(), column_.data(), value_.data(), weight_.data(),
                              load_.data()};
    for (int step = 1; step <= steps; ++step) {
      int const count = within_[steps - step];
      if (count > 0)
        launch(stream_, blocksFor(count, threads), threads, &relaxRows, rows, count, x_.data(),
               y_.data());
      std::swap(x_, y_);
    }
    check(cudaEventRecord(end_, stream_));
  }
  double wait() override {
    madeCurrent(device_);
    float milliseconds = 0.0f;
    check(cudaEventSynchronize(end_));
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e-3 * double(milliseconds);
  }

  int list(std::vector<int> const& rows) override {
    madeCurrent(device_);
    lists_.push_back({int(rows.size()), DeviceArray<int>(rows), DeviceArray<double>(rows.size())});
    return int(lists_.size()) - 1;
  }
  std::vector<double> read(int number) override {
    List const& l = lists_[number];
    std::vector<double> values(l.count);
    if (l.count == 0) return values;
    madeCurrent(device_);
    launch(stream_, blocksFor(l.count, threads), threads, &gatherValues, l.count, l.rows.data(),
           x_.data(), l.values.data());
    check(cudaMemcpyAsync(values.data(), l.values.data(), values.size() * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_));
    stream_.wait();
    return values;
  }
  void write(int number, std::vector<double> const& values) override {
    List const& l = lists_[number];
    if (l.count == 0) return;
    madeCurrent(device_);
    check(cudaMemcpyAsync(l.values.data(), values.data(), values.size() * sizeof(double),
                          cudaMemcpyHostToDevice, stream_));
    launch(stream_, blocksFor(l.count, threads), threads, &scatterValues, l.count, l.rows.data(),
           l.values.data(), x_.data());
    stream_.wait();  // `values` is the caller's
  }

 private:
  struct List {
    int count;
    DeviceArray<int> rows;
    DeviceArray<double> values;
  };
  int device_;
  examples::device::Stream stream_;
  examples::device::Event begin_, end_;
  std::vector<int> within_;
  DeviceArray<int> start_, column_;
  DeviceArray<double> value_, weight_, load_, x_, y_;
  std::vector<List> lists_;
};

}  // namespace

std::unique_ptr<PartExecutor> makePart(int device) {
  return std::make_unique<DevicePart>(device);
}

}  // namespace osi_cuda::response::device
