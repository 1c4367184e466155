// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/barrier/dense_cholesky.hpp"
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {

class CudaEngine;

inline constexpr int reduceThreads = 256, mostReduceBlocks = 264;

/// f.finish(sum of f(k) over k < count): each block's sum in the order of its threads, and the
/// block that comes last adds up the blocks, in their order: the result does not depend on who was
/// when.
template <class F>
__global__ void reduceKernel(int count, F f, typename F::Result* partials, unsigned* arrived) {
  using Result = typename F::Result;
  // Bytes: an object with initial values can't be in shared memory.
  alignas(16) __shared__ unsigned char memory[sizeof(Result) * reduceThreads];
  __shared__ bool last;
  auto* const shared = reinterpret_cast<Result*>(memory);
  int const thread = static_cast<int>(threadIdx.x);
  auto const combine = [&](Result const& mine) {
    shared[thread] = mine;
    for (int half = reduceThreads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (thread < half) shared[thread].add(shared[thread + half]);
    }
  };
  Result mine;
  int const stride = static_cast<int>(gridDim.x) * reduceThreads;
  for (int k = static_cast<int>(blockIdx.x) * reduceThreads + thread; k < count; k += stride)
    mine.add(f(k));
  combine(mine);
  if (gridDim.x == 1) {
    if (thread == 0) f.finish(shared[0]);
    return;
  }
  if (thread == 0) {
    partials[blockIdx.x] = shared[0];
    __threadfence();
    last = atomicAdd(arrived, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  Result all;
  for (int b = thread; b < static_cast<int>(gridDim.x); b += reduceThreads) all.add(partials[b]);
  __syncthreads();
  combine(all);
  if (thread == 0) {
    f.finish(shared[0]);
    *arrived = 0;
  }
}

/// Device memory of the interior point method, kept from problem to problem.
struct BarrierMemory {
  DeviceArray<unsigned char> kinds;
  DeviceArray<double> dense;  ///< A by columns, where it is dense and the engine has no such array
  DenseCholesky cholesky;
  DeviceArray<double> problem;  ///< costs and bounds
  DeviceArray<double> numbers, works, roots;
  DeviceArray<barrier::Scalars> scalars;
  PinnedArray<barrier::Scalars> landed;
  DeviceArray<unsigned char> partials;
  DeviceArray<unsigned> arrived;
  DeviceArray<int> info;

  /// What its large parts take.
  std::uint64_t bytes() const;
};

/// The linear algebra of the interior point method (barrier/interior_point.hpp) on a device: cuBLAS
/// and cuSOLVER, kernels for what is sparse. Everything is queued; only fetch() waits.
class DeviceAlgebra {
 public:
  /// Throws NotEnoughMemory before it takes any; the form must outlive the object. `lender`: an
  /// engine that has the form on the first device of `split`. Its matrix and the memory of its
  /// tableau and of its factors serve.
  DeviceAlgebra(StandardForm const& form, CudaEngine& lender, SplitMatrix& split,
                cusolverDnHandle_t solver, BarrierMemory& memory);

  double iterationSeconds() const;
  barrier::View const& view() const { return view_; }
  bool byColumns() const { return workload_.byColumns; }
  int order() const { return workload_.order; }
  int correctors() const { return correctors_; }
  double roughSteps() const;
  double* work(int i) const { return memory_.works.data() + at(i) * at(workload_.order); }

  void each(int count, auto const& f) { forEach(stream_, count, f); }
  template <class F>
  void reduce(int count, F const& f) {
    using Result = typename F::Result;
    static_assert(sizeof(Result) <= partialBytes);
    int const blocks = std::clamp((count + reduceThreads - 1) / reduceThreads, 1, mostReduceBlocks);
    launch({stream_, static_cast<unsigned>(blocks), reduceThreads}, &reduceKernel<F>, count, f,
           reinterpret_cast<Result*>(memory_.partials.data()), memory_.arrived.data());
  }
  void multiply(double const* x, double* out);
  void multiplyTransposed(double const* y, double* out);
  void form(double const* weight, double const* diagonal, barrier::Digits digits);
  void factor(double share);
  void solve(double* x);
  void copy(double const* from, double* to, int count);
  barrier::Scalars fetch();
  BarrierPoint point();

 private:
  static constexpr std::size_t partialBytes = 128;

  bool sharesFactor() const { return split_.factors(shares_, workload_.order); }
  int width() const { return split_.widthOf(shares_, workload_.order); }
  /// Of a shared factor at least; of one device's the first counts.
  int panels() const { return workload_.order / width() + 1; }
  DeviceWork costs() const;
  double formSeconds() const;
  void requireMemory(CudaEngine const& lender) const;
  bool offersRough() const;

  StandardForm const& form_;
  SplitMatrix& split_;  ///< A where it is dense
  cudaStream_t const stream_;
  BarrierWork const workload_;
  int const shares_;
  int const correctors_;
  LinesView const columns_, rows_;  ///< A
  double const* dense_ = nullptr;   ///< A by columns, where it is dense
  double* normal_ = nullptr;        ///< of that order, its lower triangle; then the factor
  int const stride_;                ///< from column to column of it
  std::vector<unsigned char> kinds_;
  BarrierMemory& memory_;
  barrier::View view_{};
};

}  // namespace osi_cuda::cuda
