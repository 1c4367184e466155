// SPDX-License-Identifier: EPL-2.0
// The fused form on one device.
#include "studies/response/device/fused.cuh"
#include "studies/response/device/sweeper.cuh"

namespace osi_cuda::response::device {
namespace {

class FusedSweeper : public Sweeper {
 public:
  explicit FusedSweeper(SweepCase const& grid)
      : rows_(grid.rows),
        row_(rowPiecesOf(grid.alongRow, grid.columns)),
        column_(grid.alongColumn, grid.rows, grid.columns, true) {}
  void alongRows(double const* in, double* out) override {
    queueFusedRows(row_, rows_, in, out, nullptr);
  }
  void alongColumns(double const* in, double* out) override {
    column_.queueEdges(in, nullptr);
    column_.queue(in, out, column_, nullptr);
  }

 private:
  int rows_;
  FusedRows row_;
  FusedColumns column_;
};

}  // namespace

std::unique_ptr<Sweeper> makeFusedSweeper(SweepCase const& grid) {
  return std::make_unique<FusedSweeper>(grid);
}

}  // namespace osi_cuda::response::device
