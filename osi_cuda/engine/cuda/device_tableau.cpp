// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_tableau.hpp"

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {
namespace {

template <class... T>
void poison([[maybe_unused]] cudaStream_t stream, [[maybe_unused]] DeviceArray<T> const&... array) {
#ifdef OSI_CUDA_DISTURB  // what nobody writes before it is read would show
  (...,
   check(array.size() > 0 ? cudaMemsetAsync(array.data(), 0xff, array.size() * sizeof(T), stream)
                          : cudaSuccess));
#endif
}

constexpr double one = 1.0, zero = 0.0, minus = -1.0;

}  // namespace

void DeviceTableau::allocate(double* costs) {
  base_.reserve(at(t_.m) * at(t_.n));
  poison(queue_.stream(), base_);
  allocateState(costs);
}

// All but D.
void DeviceTableau::allocateState(double* costs) {
  std::size_t const m = at(t_.m), n = at(t_.n), stride = at(t_.stride);
  cudaStream_t const stream = queue_.stream();
  makeRoom(stream, u_, m * stride);
  makeRoom(stream, v_, n * stride);
  zeros(stream, numbers_, stateNumbers(t_));
  makeRoom(stream, variables_, stateVariables(t_));
  shifts_.reserve(at(t_.capacity));
  columnSketch_.reserve(n * at(t_.sketchSize));
  rowSketch_.reserve(m * at(t_.sketchSize));
  folded_.reserve(stride);
  poison(stream, u_, v_, folded_, columnSketch_, rowSketch_, variables_, shifts_);
  t_.base = base_.data();
  t_.u = u_.data();
  t_.v = v_.data();
  t_.columnSketch = columnSketch_.data();
  t_.rowSketch = rowSketch_.data();
  t_.shifts = shifts_.data();
  t_.cost = costs;
  placeState(t_, numbers_.data());
  placeVariables(t_, variables_.data());
}

void DeviceTableau::giveBack() {
  for (auto* array : {&base_, &u_, &v_, &numbers_, &folded_, &lines_}) *array = {};
  for (auto* array : {&columnSketch_, &rowSketch_}) *array = {};
  for (auto* array : {&variables_, &moves_}) *array = {};
  shifts_ = {};
}

void DeviceTableau::placeSlackBasis() {
  count(queue_.stream(), t_.m, t_.n, t_.rows.variable);
  count(queue_.stream(), t_.n, 0, t_.columns.variable);
  used_ = 0;
  renew();
}

// cuBLAS counts by columns: D' is n x m with leading dimension n, U and V are K x m and K x n. Of
// the products with those it would load kernels in the middle of a re-solve, 26 ms of one process.

// out = T'g = D'g - V'(U g)
void DeviceTableau::combineRows(double const* g, double* out) const {
  if (t_.n == 0) return;
  if (t_.m == 0) return fill(queue_.stream(), t_.n, 0.0, out);
  check(cublasDgemv(queue_.blas(), CUBLAS_OP_N, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out,
                    1));
  if (used_ == 0) return;
  combineLines(queue_.stream(), t_.m, used_, t_.u, t_.stride, g, folded_.data());
  subtractProducts(queue_.stream(), t_.n, used_, t_.v, t_.stride, folded_.data(), out);
}

// out = T g = D g - U'(V g)
void DeviceTableau::combineColumns(double const* g, double* out) const {
  if (t_.m == 0) return;
  if (t_.n == 0) return fill(queue_.stream(), t_.m, 0.0, out);
  check(cublasDgemv(queue_.blas(), CUBLAS_OP_T, t_.n, t_.m, &one, t_.base, t_.n, g, 1, &zero, out,
                    1));
  if (used_ == 0) return;
  combineLines(queue_.stream(), t_.n, used_, t_.v, t_.stride, g, folded_.data());
  subtractProducts(queue_.stream(), t_.m, used_, t_.u, t_.stride, folded_.data(), out);
}

// base <- base - U'V
void DeviceTableau::subtractFactors(double* base) const {
  if (used_ == 0 || t_.m == 0 || t_.n == 0) return;
  if (isQuick(used_, t_.m, t_.n))
    subtractFew(queue_.stream(), t_, used_, base);
  else
    check(cublasDgemm(queue_.blas(), CUBLAS_OP_T, CUBLAS_OP_N, t_.n, t_.m, used_, &minus, t_.v,
                      t_.stride, t_.u, t_.stride, &one, base, t_.n));
}

void DeviceTableau::fold() {
  if (used_ == 0) return;
  renew();
  subtractFactors(t_.base);
  used_ = 0;
}

void DeviceTableau::copyScaled(double const* factor, double* out) const {
  check(cudaMemcpyAsync(out, t_.base, at(t_.m) * at(t_.n) * sizeof(double),
                        cudaMemcpyDeviceToDevice, queue_.stream()));
  subtractFactors(out);
  scaleByVariable(queue_.stream(), t_, factor, out);
}

void DeviceTableau::copyRow(int i, double* out) const {
  check(cublasDcopy(queue_.blas(), t_.n, t_.base + at(i) * at(t_.n), 1, out, 1));
  if (used_ > 0)
    subtractProducts(queue_.stream(), t_.n, used_, t_.v, t_.stride, t_.u + at(i) * at(t_.stride),
                     out);
}

void DeviceTableau::copyColumn(int j, double* out) const {
  check(cublasDcopy(queue_.blas(), t_.m, t_.base + j, t_.n, out, 1));
  if (used_ > 0)
    subtractProducts(queue_.stream(), t_.m, used_, t_.u, t_.stride, t_.v + at(j) * at(t_.stride),
                     out);
}

}  // namespace osi_cuda::cuda
