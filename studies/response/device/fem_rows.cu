// SPDX-License-Identifier: EPL-2.0
#include "studies/response/device/fem_rows.cuh"

#include "examples/common/device_array.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;

constexpr unsigned threads = 128;

/// y = A x, a thread a row. Owner: thread i owns y[i].
template <class Rows>
__global__ void multiplyRows(Rows a, double const* x, double* y) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= a.rows) return;
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k) sum += a.value[a.at(i, k)] * x[a.column[a.at(i, k)]];
  y[i] = sum;
}

constexpr int rowLanes = 8;
/// The same with eight threads a row, for rows that lie one after the other.
__global__ void multiplyLongRows(CsrRows a, double const* x, double* y) {
  int const i = int((blockIdx.x * blockDim.x + threadIdx.x) / rowLanes);
  int const lane = int(threadIdx.x) % rowLanes;
  double sum = 0.0;
  if (i < a.rows)
    for (int k = a.start[i] + lane; k < a.start[i + 1]; k += rowLanes)
      sum += a.value[k] * x[a.column[k]];
  for (int d = rowLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0 && i < a.rows) y[i] = sum;
}

/// One colour of a Gauss-Seidel sweep over rows that don't see each other. Forward: z = (r - sum
/// over earlier colours) / diagonal; backward: z -= sum over later colours / diagonal.
template <class Rows>
__global__ void sweepColour(Rows a, int const* list, int listed, int const* colour,
                            double const* inverse, double const* r, double* z) {
  int const at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= listed) return;
  int const i = list[at], mine = colour[i];
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k) {
    int const j = a.column[a.at(i, k)];
    if (r ? colour[j] < mine : colour[j] > mine) sum += a.value[a.at(i, k)] * z[j];
  }
  z[i] = r ? (r[i] - sum) * inverse[i] : z[i] - sum * inverse[i];
}

template <class Rows>
void queueColourOf(Rows const& a, RowColour const& c, double const* inverse, double const* r,
                   double* z) {
  sweepColour<<<blocksFor(c.listed, threads), threads>>>(a, c.list, c.listed, c.colour, inverse, r,
                                                         z);
}

}  // namespace

void queueMultiply(CsrRows const& a, double const* x, double* y) {
  multiplyLongRows<<<blocksFor(std::size_t(a.rows) * rowLanes, threads), threads>>>(a, x, y);
}
void queueMultiply(EllRows const& a, double const* x, double* y) {
  multiplyRows<<<blocksFor(a.rows, threads), threads>>>(a, x, y);
}
void queueColour(CsrRows const& a, RowColour const& c, double const* inverse, double const* r,
                 double* z) {
  queueColourOf(a, c, inverse, r, z);
}
void queueColour(EllRows const& a, RowColour const& c, double const* inverse, double const* r,
                 double* z) {
  queueColourOf(a, c, inverse, r, z);
}

}  // namespace osi_cuda::response::device
