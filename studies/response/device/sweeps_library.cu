// SPDX-License-Identifier: EPL-2.0
// The library a user would take: cuSPARSE's gtsv2, with a correction for the corners.
#include "studies/response/device/cusparse.cuh"
#include "studies/response/device/sweeper.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::check;
using examples::device::DeviceArray;

constexpr int tile = 32, tileRows = 8;  // of a transposition

/// to = from transposed; from is rows x columns. Owner: a block owns a tile of `to`.
__global__ void transpose(int rows, int columns, double const* from, double* to) {
  __shared__ double part[tile][tile + 1];
  int const r0 = int(blockIdx.y) * tile, c0 = int(blockIdx.x) * tile;
  for (int r = int(threadIdx.y); r < tile; r += tileRows)
    if (r0 + r < rows && c0 + int(threadIdx.x) < columns)
      part[r][threadIdx.x] = from[std::size_t(r0 + r) * columns + c0 + threadIdx.x];
  __syncthreads();
  for (int c = int(threadIdx.y); c < tile; c += tileRows)
    if (c0 + c < columns && r0 + int(threadIdx.x) < rows)
      to[std::size_t(c0 + c) * rows + r0 + threadIdx.x] = part[threadIdx.x][c];
}

void queueTranspose(int rows, int columns, double const* from, double* to) {
  dim3 const blocks(examples::device::blocksFor(columns, tile),
                    examples::device::blocksFor(rows, tile));
  transpose<<<blocks, dim3(tile, tileRows)>>>(rows, columns, from, to);
}

/// y -= z (v'y) / (1 + v'z) for each line, v = (1, 0, .., 0, ratio). Owner: a block owns a line.
__global__ void correctCorners(int length, double ratio, double share, double const* z, double* y) {
  double* const line = y + std::size_t(blockIdx.x) * length;
  double const factor = share * (line[0] + ratio * line[length - 1]);
  __syncthreads();
  for (int k = int(threadIdx.x); k < length; k += int(blockDim.x)) line[k] -= factor * z[k];
}

/// One direction by gtsv2: lines one after the other, all of one matrix.
class LibrarySolver {
 public:
  LibrarySolver(cusparseHandle_t handle, CyclicMatrix const& m, int length, int systems,
                bool isBatch)
      : handle_(handle), length_(length), systems_(systems), isBatch_(isBatch) {
    std::vector<double> lower(length, m.a), diagonal(length, m.b), upper(length, m.c);
    lower[0] = upper[length - 1] = 0.0;
    double const gamma = -m.b;
    diagonal[0] -= gamma;
    diagonal[length - 1] -= m.a * m.c / gamma;
    ratio_ = m.a / gamma;
    std::vector<double> u(length, 0.0);
    u[0] = gamma;
    u[length - 1] = m.c;
    z_ = DeviceArray<double>(u);
    int const copies = isBatch ? systems : 1;
    lower_ = repeated(lower, copies);
    diagonal_ = repeated(diagonal, copies);
    upper_ = repeated(upper, copies);
    std::size_t bytes = 0;
    if (isBatch)
      checkSparse(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, length, lower_.data(),
                                                           diagonal_.data(), upper_.data(),
                                                           z_.data(), systems, length, &bytes));
    else
      checkSparse(cusparseDgtsv2_nopivot_bufferSizeExt(handle, length, systems, lower_.data(),
                                                       diagonal_.data(), upper_.data(), z_.data(),
                                                       length, &bytes));
    buffer_ = DeviceArray<char>(bytes);
    solve(z_.data(), 1);
    std::vector<double> const z = z_.download();
    share_ = 1.0 / (1.0 + z[0] + ratio_ * z[length - 1]);
  }
  void operator()(double* lines) const {
    solve(lines, systems_);
    correctCorners<<<unsigned(systems_), 256>>>(length_, ratio_, share_, z_.data(), lines);
  }

 private:
  static DeviceArray<double> repeated(std::vector<double> const& values, int copies) {
    DeviceArray<double> all(values.size() * copies);
    for (int k = 0; k < copies; ++k) all.upload(k * values.size(), values.data(), values.size());
    return all;
  }
  void solve(double* lines, int count) const {
    if (isBatch_)
      checkSparse(cusparseDgtsv2StridedBatch(handle_, length_, lower_.data(), diagonal_.data(),
                                             upper_.data(), lines, count, length_, buffer_.data()));
    else
      checkSparse(cusparseDgtsv2_nopivot(handle_, length_, count, lower_.data(), diagonal_.data(),
                                         upper_.data(), lines, length_, buffer_.data()));
  }
  cusparseHandle_t handle_;
  int length_, systems_;
  bool isBatch_;
  double ratio_ = 0.0, share_ = 0.0;
  DeviceArray<double> lower_, diagonal_, upper_, z_;
  DeviceArray<char> buffer_;
};

class LibrarySweeper : public Sweeper {
 public:
  LibrarySweeper(SweepCase const& grid, bool isBatch) : grid_(grid), turned_(grid.cells()) {
    cusparseHandle_t handle = nullptr;
    checkSparse(cusparseCreate(&handle));
    handle_.reset(handle);
    row_ = std::make_unique<LibrarySolver>(handle, grid.alongRow, grid.columns, grid.rows, isBatch);
    column_ =
        std::make_unique<LibrarySolver>(handle, grid.alongColumn, grid.rows, grid.columns, isBatch);
  }
  void alongRows(double const* in, double* out) override {
    check(cudaMemcpyAsync(out, in, grid_.cells() * sizeof(double), cudaMemcpyDeviceToDevice));
    (*row_)(out);
  }
  void alongColumns(double const* in, double* out) override {
    queueTranspose(grid_.rows, grid_.columns, in, turned_.data());
    (*column_)(turned_.data());
    queueTranspose(grid_.columns, grid_.rows, turned_.data(), out);
  }

 private:
  struct Destroy {
    void operator()(cusparseHandle_t handle) const { cusparseDestroy(handle); }
  };
  std::unique_ptr<cusparseContext, Destroy> handle_;
  SweepCase grid_;
  DeviceArray<double> turned_;
  std::unique_ptr<LibrarySolver> row_, column_;
};

}  // namespace

std::unique_ptr<Sweeper> makeLibrarySweeper(SweepCase const& grid, bool isBatch) {
  return std::make_unique<LibrarySweeper>(grid, isBatch);
}

}  // namespace osi_cuda::response::device
