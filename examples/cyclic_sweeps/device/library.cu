// SPDX-License-Identifier: EPL-2.0
// The library that a user would take: cuSPARSE's gtsv2 without pivots for all systems at once,
// which knows no corners. By Sherman and Morrison's formula (1950) they are a rank-one correction:
// with the corners a and c taken out, (B + u v') y = d has the solution y - z (v'y) / (1 + v'z),
// where B y = d and B z = u.
#include <cusparse.h>

#include "examples/cyclic_sweeps/device/sweeper.cuh"

namespace osi_cuda::cyclic_sweeps::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;

void checkSparse(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw EngineUnavailable(std::string("device: cuSPARSE: ") + cusparseGetErrorString(status));
}

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

/// y -= z (v'y) / (1 + v'z) for each line, v = (1, 0, .., 0, ratio). Owner: a block owns a line.
__global__ void correctCorners(int length, double ratio, double share, double const* z, double* y) {
  double* const line = y + std::size_t(blockIdx.x) * length;
  double const factor = share * (line[0] + ratio * line[length - 1]);
  __syncthreads();
  for (int k = int(threadIdx.x); k < length; k += int(blockDim.x)) line[k] -= factor * z[k];
}

/// One direction; lines lie one after the other, in place. The library wants the coefficients of
/// every system, though they are the same.
class LibrarySolver {
 public:
  LibrarySolver(cusparseHandle_t handle, Lines const& l, cudaStream_t stream)
      : handle_(handle), length_(l.length), count_(l.count) {
    std::vector<double> lower(length_, l.m.a), diagonal(length_, l.m.b), upper(length_, l.m.c);
    std::vector<double> u(length_, 0.0);
    lower.front() = upper.back() = 0.0;
    double const gamma = -l.m.b;  // any number but 0: u = (gamma, 0, .., 0, c)
    diagonal.front() -= gamma;
    diagonal.back() -= l.m.a * l.m.c / gamma;
    ratio_ = l.m.a / gamma;
    u.front() = gamma;
    u.back() = l.m.c;
    z_ = DeviceArray<double>(u);
    lower_ = repeated(lower);
    diagonal_ = repeated(diagonal);
    upper_ = repeated(upper);
    std::size_t bytes = 0;
    checkSparse(cusparseDgtsv2StridedBatch_bufferSizeExt(handle, length_, lower_.data(),
                                                         diagonal_.data(), upper_.data(), z_.data(),
                                                         count_, length_, &bytes));
    buffer_ = DeviceArray<char>(bytes);
    solve(z_.data(), 1, stream);
    std::vector<double> const z = z_.download();
    share_ = 1.0 / (1.0 + z.front() + ratio_ * z.back());
  }
  void queue(double* lines, cudaStream_t stream) const {
    solve(lines, count_, stream);
    launch(stream, unsigned(count_), 256, &correctCorners, length_, ratio_, share_, z_.data(),
           lines);
  }

 private:
  DeviceArray<double> repeated(std::vector<double> const& values) const {
    std::vector<double> all;
    all.reserve(values.size() * count_);
    for (int k = 0; k < count_; ++k) all.insert(all.end(), values.begin(), values.end());
    return DeviceArray<double>(all);
  }
  void solve(double* lines, int count, cudaStream_t stream) const {
    checkSparse(cusparseSetStream(handle_, stream));
    checkSparse(cusparseDgtsv2StridedBatch(handle_, length_, lower_.data(), diagonal_.data(),
                                           upper_.data(), lines, count, length_, buffer_.data()));
  }
  cusparseHandle_t handle_;
  int length_, count_;
  double ratio_ = 0.0, share_ = 0.0;
  DeviceArray<double> lower_, diagonal_, upper_, z_;
  DeviceArray<char> buffer_;
};

/// Columns are turned into lines and back.
class LibrarySweeper : public Sweeper {
 public:
  explicit LibrarySweeper(Grid const& grid) : grid_(grid), turned_(grid.cells()) {
    cusparseHandle_t handle = nullptr;
    checkSparse(cusparseCreate(&handle));
    handle_.reset(handle);
    examples::device::Stream const stream;
    row_ = std::make_unique<LibrarySolver>(handle, rowLines(grid), stream);
    column_ = std::make_unique<LibrarySolver>(handle, columnLines(grid), stream);
  }
  void alongRows(double const* in, double* out, cudaStream_t stream) override {
    check(
        cudaMemcpyAsync(out, in, grid_.cells() * sizeof(double), cudaMemcpyDeviceToDevice, stream));
    row_->queue(out, stream);
  }
  void alongColumns(double const* in, double* out, cudaStream_t stream) override {
    turn(grid_.rows, grid_.columns, in, turned_.data(), stream);
    column_->queue(turned_.data(), stream);
    turn(grid_.columns, grid_.rows, turned_.data(), out, stream);
  }

 private:
  static void turn(int rows, int columns, double const* from, double* to, cudaStream_t stream) {
    launch(stream, dim3(blocksFor(columns, tile), blocksFor(rows, tile)), dim3(tile, tileRows),
           &transpose, rows, columns, from, to);
  }
  struct Destroy {
    void operator()(cusparseHandle_t handle) const { cusparseDestroy(handle); }
  };
  std::unique_ptr<cusparseContext, Destroy> handle_;
  Grid grid_;
  DeviceArray<double> turned_;
  std::unique_ptr<LibrarySolver> row_, column_;
};

}  // namespace

std::unique_ptr<Sweeper> makeLibrarySweeper(Grid const& grid) {
  return std::make_unique<LibrarySweeper>(grid);
}

}  // namespace osi_cuda::cyclic_sweeps::device
