// SPDX-License-Identifier: EPL-2.0
// The fused form with the rows in halves on two devices. Between the directions a device gets two
// numbers a column from the other, which it reads from there over the link between them.
#include <string>
#include <utility>

#include "osi_cuda/errors.hpp"
#include "studies/response/device/entries.hpp"
#include "studies/response/device/fused.cuh"
#include "studies/response/device/stream.cuh"
#include "studies/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

int madeCurrent(int device) {
  check(cudaSetDevice(device));
  return device;
}

/// Half of the rows, on one device, which is the current one after each call.
class Half {
 public:
  Half(int device, SweepCase const& grid, int firstRow, int rows, std::vector<double> const& field)
      : device_(madeCurrent(device)),
        rows_(rows),
        begin_(std::size_t(firstRow) * grid.columns),
        row_(rowPiecesOf(grid.alongRow, grid.columns)),
        column_(grid.alongColumn, rows, grid.columns, false),
        a_(std::size_t(rows) * grid.columns),
        b_(a_.size()) {
    check(cudaMemcpyAsync(a_.data(), field.data() + begin_, a_.size() * sizeof(double),
                          cudaMemcpyHostToDevice, stream_.get()));
    stream_.wait();
  }

  void queueRows(Half const& other) {
    madeCurrent(device_);
    queueFusedRows(row_, rows_, a_.data(), b_.data(), stream_.get());
    waitFor(other.columnsDone_);  // which reads the edges that come now
    column_.queueEdges(b_.data(), stream_.get());
    edgesDone_.record(stream_.get());
  }
  void queueColumns(Half const& other) {
    madeCurrent(device_);
    waitFor(other.edgesDone_);
    column_.queue(b_.data(), a_.data(), other.column_, stream_.get());
    columnsDone_.record(stream_.get());
  }
  /// When what both halves have queued is done.
  void queueEnd(Half const& other, Event& end) {
    madeCurrent(device_);
    waitFor(other.columnsDone_);
    end.record(stream_.get());
  }
  void record(Event& event) {
    madeCurrent(device_);
    event.record(stream_.get());
  }
  void finish() const { cudaStreamSynchronize(stream_.get()); }
  void download(std::vector<double>& field) const {
    madeCurrent(device_);
    check(cudaMemcpyAsync(field.data() + begin_, a_.data(), a_.size() * sizeof(double),
                          cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
  }

 private:
  void waitFor(Event const& event) { check(cudaStreamWaitEvent(stream_.get(), event.get(), 0)); }

  int device_, rows_;
  std::size_t begin_;
  FusedRows row_;
  FusedColumns column_;
  DeviceArray<double> a_, b_;
  Stream stream_;
  Event edgesDone_, columnsDone_;
};

/// Lets each of two devices read the other's memory; throws EngineUnavailable if one can't.
void connect(int one, int other) {
  for (auto const& [reader, owner] : {std::pair{one, other}, {other, one}}) {
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, reader, owner));
    if (can == 0)
      throw EngineUnavailable("device: device " + std::to_string(reader) +
                              " can't read the memory of device " + std::to_string(owner));
    madeCurrent(reader);
    cudaError_t const status = cudaDeviceEnablePeerAccess(owner, 0);
    if (status != cudaErrorPeerAccessAlreadyEnabled) check(status);
    cudaGetLastError();
  }
}

}  // namespace

double sweepOnTwoDevices(SweepCase const& grid, std::vector<double>& field, int steps,
                         int secondDevice) {
  struct Restore {
    ~Restore() { cudaSetDevice(0); }
  } const restore;
  if (secondDevice != 0) connect(0, secondDevice);
  int const split = grid.rows / 2;
  Half high(secondDevice, grid, split, grid.rows - split, field), low(0, grid, 0, split, field);
  struct Finish {  // each reads memory of the other one
    Half const &low, &high;
    ~Finish() {
      low.finish();
      high.finish();
    }
  } const finish{low, high};
  Event begin, end;
  low.record(begin);
  for (int step = 0; step < steps; ++step) {
    low.queueRows(high);
    high.queueRows(low);
    low.queueColumns(high);
    high.queueColumns(low);
  }
  low.queueEnd(high, end);
  double const seconds = end.secondsSince(begin);
  low.download(field);
  high.download(field);
  return seconds / steps;
}

}  // namespace osi_cuda::response::device
