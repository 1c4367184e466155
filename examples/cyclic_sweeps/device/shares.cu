// SPDX-License-Identifier: EPL-2.0
// The fused form with the rows in shares, each on a device of its own. Rows are swept where they
// lie. Along columns a share needs two numbers a column from each neighbour, which it copies from
// there between the directions: what comes into it from outside depends on so few rows of the
// neighbour as a start value needs to fade (Factors::reach), but for one term that is known when
// the own rows have been swept upwards.
#include "examples/cyclic_sweeps/device/fused.cuh"
#include "examples/cyclic_sweeps/device_module.hpp"

namespace osi_cuda::cyclic_sweeps::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

int madeCurrent(int device) {
  check(cudaSetDevice(device));
  return device;
}

/// The device that was the current one is so again at the end.
class Restore {
 public:
  Restore() { check(cudaGetDevice(&device_)); }
  ~Restore() { cudaSetDevice(device_); }
  Restore(Restore const&) = delete;
  Restore& operator=(Restore const&) = delete;

 private:
  int device_ = 0;
};

class Share {
 public:
  Share(int device, Grid const& grid, int firstRow, int rows)
      : device_(madeCurrent(device)),
        rows_(rows),
        begin_(std::size_t(firstRow) * grid.columns),
        row_(rowPiecesOf(grid.alongRow, grid.columns)),
        column_(grid.alongColumn, rows, grid.columns, rows == grid.rows),
        a_(std::size_t(rows) * grid.columns),
        b_(a_.size()) {
    b_.fillBytes(0xff);  // what is not written shows as NaN
    for (cudaEvent_t const event : {cudaEvent_t(edgesMade_), cudaEvent_t(edgesCopied_)})
      check(cudaEventRecord(event, stream_));
  }

  void upload(std::vector<double> const& field) const {
    madeCurrent(device_);
    a_.upload(0, field.data() + begin_, a_.size());
  }
  void download(std::vector<double>& field) const {
    madeCurrent(device_);
    a_.download(0, field.data() + begin_, a_.size());
  }

  /// Rows, and the edges that the neighbours copied before.
  void queueRows(Share const& before, Share const& behind) const {
    madeCurrent(device_);
    device::queueRows(row_, rows_, a_.data(), b_.data(), stream_);
    waitFor(before, before.edgesCopied_);
    waitFor(behind, behind.edgesCopied_);
    column_.queueEdges(b_.data(), stream_);
    check(cudaEventRecord(edgesMade_, stream_));
  }
  void queueColumns(Share const& before, Share const& behind) const {
    madeCurrent(device_);
    waitFor(before, before.edgesMade_);
    waitFor(behind, behind.edgesMade_);
    column_.queueCopies(before.column_, behind.column_, stream_);
    check(cudaEventRecord(edgesCopied_, stream_));
    column_.queue(b_.data(), a_.data(), stream_);
  }
  void waitForAllOf(Share const& other) const {
    madeCurrent(other.device_);
    examples::device::Event const done;
    check(cudaEventRecord(done, other.stream_));
    madeCurrent(device_);
    check(cudaStreamWaitEvent(stream_, done, 0));
  }
  cudaStream_t stream() const { return stream_; }
  int device() const { return device_; }
  void finish() const { cudaStreamSynchronize(stream_); }

 private:
  void waitFor(Share const& other, cudaEvent_t event) const {
    if (&other != this) check(cudaStreamWaitEvent(stream_, event, 0));
  }

  int device_, rows_;
  std::size_t begin_;
  RowPieces row_;
  ColumnSweep column_;
  DeviceArray<double> a_, b_;
  examples::device::Stream stream_;
  examples::device::Event edgesMade_, edgesCopied_;
};

/// Copies go over the link between two devices where one can read the other's memory; where it
/// can't, the driver takes them through the host's.
void connect(int reader, int owner) {
  int can = 0;
  if (reader == owner) return;
  check(cudaDeviceCanAccessPeer(&can, reader, owner));
  if (can == 0) return;
  madeCurrent(reader);
  cudaError_t const status = cudaDeviceEnablePeerAccess(owner, 0);
  cudaGetLastError();
  if (status != cudaErrorPeerAccessAlreadyEnabled) check(status);
}

class SharedField : public DeviceField {
 public:
  SharedField(Grid const& grid, std::vector<int> const& devices) : cells_(grid.cells()) {
    int const count = int(devices.size());
    for (int k = 0; k < count; ++k)
      for (int const other : {(k + 1) % count, (k + count - 1) % count})
        connect(devices[k], devices[other]);
    for (int k = 0; k < count; ++k) {
      auto const rowAt = [&](int share) { return int(std::int64_t(grid.rows) * share / count); };
      shares_.push_back(
          std::make_unique<Share>(devices[k], grid, rowAt(k), rowAt(k + 1) - rowAt(k)));
    }
  }
  ~SharedField() override {  // each reads memory of the others
    for (auto const& share : shares_) share->finish();
  }
  SharedField(SharedField const&) = delete;
  SharedField& operator=(SharedField const&) = delete;

  void upload(std::vector<double> const& field) override {
    Restore const restore;
    for (auto const& share : shares_) share->upload(field);
  }
  std::vector<double> download() override {
    Restore const restore;
    std::vector<double> field(cells_);
    for (auto const& share : shares_) share->download(field);
    return field;
  }
  double step(int count) override {
    Restore const restore;
    Share const& first = *shares_.front();
    madeCurrent(first.device());
    return examples::device::seconds(first.stream(), [&] {
      for (int step = 0; step < count; ++step) {
        overShares(&Share::queueRows);
        overShares(&Share::queueColumns);
      }
      for (auto const& other : shares_)
        if (other != shares_.front()) first.waitForAllOf(*other);
    });
  }

 private:
  void overShares(void (Share::*queue)(Share const&, Share const&) const) const {
    std::size_t const n = shares_.size();
    for (std::size_t k = 0; k < n; ++k)
      ((*shares_[k]).*queue)(*shares_[(k + n - 1) % n], *shares_[(k + 1) % n]);
  }

  std::size_t cells_;
  std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace

std::unique_ptr<DeviceField> makeShares(Grid const& grid, std::vector<int> const& devices) {
  Restore const restore;
  return std::make_unique<SharedField>(grid, devices);
}

}  // namespace osi_cuda::cyclic_sweeps::device
