// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/barrier/arrays.hpp"
#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/barrier/interior_point.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/barrier/view.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/barrier/dense_cholesky.hpp"
#include "osi_cuda/engine/cuda/barrier/entries.cuh"
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/engine/cuda/products.hpp"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {

namespace {

void takeRoots(cudaStream_t stream, int count, double const* weight, double* root) {
  forEach(stream, count, [=] __device__(int k) { root[k] = sqrt(weight[k]); });
}

/// The lower triangle of the normal matrix, a warp for each column k: the lines that meet line k
/// are added one after the other, each by all lanes, so that no two lanes add to one place and the
/// order is always the same.
void addLines(cudaStream_t stream, LinesView const& a, LinesView const& b, double const* weight,
              double* normal, std::int64_t stride) {
  forWarps(stream, a.lines, [=] __device__(int k, int lane) {
    double* const column = normal + k * stride;
    for (std::int64_t e = a.starts[k]; e < a.starts[k + 1]; ++e) {
      int const line = a.indices[e];
      double const factor = a.values[e] * weight[line];
      if (factor != 0.0)
        for (std::int64_t o = b.starts[line] + lane; o < b.starts[line + 1]; o += 32)
          if (b.indices[o] >= k) column[b.indices[o]] += factor * b.values[o];
      __syncwarp();
    }
  });
}

/// Scalars::failed where cuSOLVER found no factor of a block
void noteFailure(cudaStream_t stream, int blocks, int const* info, barrier::Scalars* s) {
  forEach(stream, blocks, [=] __device__(int k) {
    if (info[k] != 0) s->failed = 1.0;
  });
}

}  // namespace

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
  std::uint64_t bytes() const {
    return sizeof(double) * (dense.size() + numbers.size()) + cholesky.held();
  }
};

/// The linear algebra of the interior point method (barrier/interior_point.hpp) on a device: cuBLAS
/// and cuSOLVER, kernels for what is sparse. Everything is queued; only fetch() waits.
class DeviceAlgebra {
 public:
  /// Throws NotEnoughMemory before it takes any; the form must outlive the object. `lender`: an
  /// engine that has the form on the first device of `split`. Its matrix and the memory of its
  /// tableau and of its factors serve.
  DeviceAlgebra(StandardForm const& form, CudaEngine& lender, SplitMatrix& split,
                cusolverDnHandle_t solver, BarrierMemory& memory)
      : form_(form),
        split_(split),
        stream_(split.stream()),
        workload_(barrierWork(form, scatteredOnDevice(machine()))),
        shares_(workload_.dense ? split.sharesOf(workload_.byColumns ? form.rows() : form.columns())
                                : 1),
        correctors_(barrier::correctorsFor(factorSeconds(machine(), costs()) + formSeconds(),
                                           normalSolveSeconds(machine(), costs()))),
        columns_(lender.matrix().columns()),
        rows_(lender.matrix().rows()),
        dense_(lender.matrix().fullColumns()),
        stride_(normalStride(workload_.order)),
        kinds_(barrier::boundKinds(form)),
        memory_(memory) {
    requireMemory(lender);
    std::size_t const m = at(form.rows()), n = at(form.columns()), order = at(workload_.order);
    normal_ = lender.lendFactors(order * at(stride_));
    check(cudaDeviceSynchronize());  // the lender's work is in another stream's order
    if (workload_.dense && !dense_) {
      zeros(stream_, memory_.dense, m * n);
      placeRows(stream_, columns_, nullptr, nullptr, memory_.dense.data(), form.rows());
      dense_ = memory_.dense.data();
    }
    memory_.roots.reserve(std::max(m, n));
    if (order > 0)  // also what follows the columns
      check(cudaMemsetAsync(normal_, 0, order * at(stride_) * sizeof(double), stream_));
    memory_.works.reserve(5 * order);
    memory_.cholesky.prepare(workload_.order, stream_, split.blas(), solver);
    if (workload_.dense)
      split.load(form.rows(), form.columns(), workload_.byColumns, dense_, lender.lendTableau(),
                 normal_);
    zeros(stream_, memory_.info, at(panels()));
    uploadAll(stream_, memory_.kinds, kinds_);
    memory_.problem.reserve(3 * (m + n));
    upload(stream_, memory_.problem.data(), form.cost.data(), m + n);
    upload(stream_, memory_.problem.data() + (m + n), form.lower.data(), m + n);
    upload(stream_, memory_.problem.data() + 2 * (m + n), form.upper.data(), m + n);
    zeros(stream_, memory_.numbers, barrier::numbersOfView(form.rows(), form.columns()));
    zeros(stream_, memory_.scalars, 1);
    if (memory_.landed.size() == 0) memory_.landed = PinnedArray<barrier::Scalars>(1);
    memory_.partials.reserve(partialBytes * mostReduceBlocks);
    zeros(stream_, memory_.arrived, 1);
    view_ = barrier::placeView(form.rows(), form.columns(), memory_.numbers.data());
    view_.cost = memory_.problem.data();
    view_.lower = memory_.problem.data() + (m + n);
    view_.upper = memory_.problem.data() + 2 * (m + n);
    view_.kind = memory_.kinds.data();
    view_.s = memory_.scalars.data();
  }

  double iterationSeconds() const {
    DeviceWork const work = costs();
    return formSeconds() + factorSeconds(machine(), work) +
           (2.0 + correctors_) * normalSolveSeconds(machine(), work);
  }
  barrier::View const& view() const { return view_; }
  bool byColumns() const { return workload_.byColumns; }
  int order() const { return workload_.order; }
  int correctors() const { return correctors_; }
  double roughSteps() const {
    if (!offersRough()) return -1.0;
    DeviceWork const work = costs();
    return (productSeconds(machine(), work) - roughProductSeconds(machine(), work)) /
           gradientSeconds(machine(), work);
  }
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
  void multiply(double const* x, double* out) {
    if (!workload_.dense) return lineProducts(stream_, rows_, x, 1.0, nullptr, nullptr, out);
    split_.multiply(false, x, out);
  }
  void multiplyTransposed(double const* y, double* out) {
    if (!workload_.dense) return lineProducts(stream_, columns_, y, 1.0, nullptr, nullptr, out);
    split_.multiply(true, y, out);
  }
  // Of a dense A: A times the roots of the weights, and its product with itself.
  void form(double const* weight, double const* diagonal, barrier::Digits digits) {
    LinesView const &lines = byColumns() ? columns_ : rows_,
                    &across = byColumns() ? rows_ : columns_;
    if (workload_.dense) {
      takeRoots(stream_, across.lines, weight, memory_.roots.data());
      split_.form(memory_.roots.data(), digits == barrier::Digits::few);
    } else {
      check(
          cudaMemsetAsync(normal_, 0, at(workload_.order) * at(stride_) * sizeof(double), stream_));
      addLines(stream_, lines, across, weight, normal_, stride_);
    }
    changeDiagonal(stream_, workload_.order, stride_, normal_, diagonal, 1.0);
  }
  void factor(double share) {
    int* const info = memory_.info.data();
    if (workload_.dense)
      split_.sum(1.0 + share);
    else
      changeDiagonal(stream_, workload_.order, stride_, normal_, nullptr, 1.0 + share);
    if (sharesFactor()) {
      split_.factor(info);
      memory_.cholesky.invertDiagonal(normal_);
    } else {
      memory_.cholesky.factor(normal_, info);
    }
    noteFailure(stream_, panels(), info, memory_.scalars.data());
  }
  void solve(double* x) { memory_.cholesky.solve(normal_, x); }
  void copy(double const* from, double* to, int count) {
    check(cudaMemcpyAsync(to, from, at(count) * sizeof(double), cudaMemcpyDeviceToDevice, stream_));
  }
  barrier::Scalars fetch() {
    check(cudaMemcpyAsync(memory_.landed.data(), memory_.scalars.data(), sizeof(barrier::Scalars),
                          cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return memory_.landed[0];
  }
  BarrierPoint point() {
    std::size_t const all = kinds_.size();
    std::vector<double> parts[6];
    double const* const from[6] = {view_.x, view_.y, view_.wl, view_.wu, view_.zl, view_.zu};
    for (int i = 0; i < 6; ++i) {
      parts[i].resize(i == 1 ? at(form_.rows()) : all);
      download(stream_, parts[i].data(), from[i], parts[i].size());
    }
    return barrier::pointOf(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], kinds_);
  }

 private:
  static constexpr std::size_t partialBytes = 128;

  bool sharesFactor() const { return split_.factors(shares_, workload_.order); }
  int width() const { return split_.widthOf(shares_, workload_.order); }
  /// Of a shared factor at least; of one device's the first counts.
  int panels() const { return workload_.order / width() + 1; }
  DeviceWork costs() const {
    return {.rows = static_cast<double>(form_.rows()),
            .columns = static_cast<double>(form_.columns()),
            .order = static_cast<double>(workload_.order),
            .product = workload_.product,
            .factor = workload_.factor,
            .solve = workload_.solve,
            .shares = static_cast<double>(shares_),
            .sharesFactor = sharesFactor(),
            .width = static_cast<double>(width()),
            .panels = static_cast<double>(panels()),
            .inverse = static_cast<double>(inverseOrder(workload_.order))};
  }
  double formSeconds() const {
    return offersRough() ? roughProductSeconds(machine(), costs())
                         : productSeconds(machine(), costs());
  }
  void requireMemory(CudaEngine const& lender) const {
    std::size_t const normal = at(workload_.order) * at(stride_), factors = lender.roomOfFactors(),
                      own = workload_.dense && !dense_ ? at(form_.rows()) * at(form_.columns()) : 0;
    std::uint64_t const needed = sizeof(double) * (own + std::max(normal, factors) - factors) +
                                 choleskyBytes(workload_.order) +
                                 (sharesFactor() ? panelBytes(workload_.order, width()) : 0) +
                                 barrierBytes(form_, workload_, false);
    std::size_t const available = availableBytes();
    if (needed > available + memory_.bytes())
      throw NotEnoughMemory("the interior point method needs " + byteCount(needed) +
                            " of device memory, " + byteCount(available) + " are available");
  }
  // The bytes have to fit where the scaled matrix would be.
  bool offersRough() const {
    return workload_.dense &&
           split_.fitsBytes(form_.rows(), form_.columns(), workload_.byColumns) &&
           roughProductSeconds(machine(), costs()) < productSeconds(machine(), costs());
  }

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
namespace {

class DeviceBarrier final : public Barrier {
 public:
  explicit DeviceBarrier(BarrierOptions const& options) : device_(options.devices.front()) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device_));
    std::size_t const count = options.devices.size();
    deviceName_ = (count > 1 ? std::to_string(count) + " x " : "") + properties.name;
    DeviceScope const scope(device_);
    split_ = std::make_shared<SplitMatrix>(options.devices, options.panelWidth);
    solver_ = makeSolver(split_->stream());
  }
  ~DeviceBarrier() override {
    CallersContext const caller;
    cudaSetDevice(device_);  // arrays and handles go with the device they belong to
    algebra_.reset();
    memory_ = {};
    own_.reset();
    solver_ = {};
    split_.reset();
  }

  SolveEngine name() const override { return SolveEngine::cuda; }
  std::string device() const override { return deviceName_; }

  void load(StandardForm const& form, Engine* beside, std::function<bool()> const&) override {
    DeviceScope const scope(device_);
    form_ = &form;
    algebra_.reset();
    engine_ = dynamic_cast<CudaEngine*>(beside);
    if (!engine_ || !engine_->holds(form, device_)) {
      EngineOptions options;
      options.device = device_;
      own_ = std::make_unique<CudaEngine>(options);
      own_->load(form);
      engine_ = own_.get();
    }
    algebra_.emplace(form, *engine_, *split_, solver_, memory_);
  }

  double iterationSeconds() const override { return algebra_->iterationSeconds(); }

  BarrierPoint run(BarrierRequest const& request) override {
    DeviceScope const scope(device_);
    barrier::InteriorPoint<DeviceAlgebra> method(*algebra_, request, *form_);
    return method.run(algebra_->iterationSeconds());
  }

  void unload() override {
    DeviceScope const scope(device_);
    algebra_.reset();
    split_->giveBack();
    if (engine_ && !own_) engine_->takeBack(split_);
    engine_ = nullptr;
    own_.reset();
    // A small part of the device's memory is kept for the next problem: to take and to give back
    // costs milliseconds. A large one may be wanted by the engine.
    constexpr std::uint64_t share = 16;
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total));
    if (share * memory_.bytes() > total) memory_ = {};
  }

 private:
  int const device_;
  std::string deviceName_;
  std::shared_ptr<SplitMatrix> split_;
  SolverHandle solver_;
  StandardForm const* form_ = nullptr;
  CudaEngine* engine_ = nullptr;     ///< whose matrix and memory serve
  std::unique_ptr<CudaEngine> own_;  ///< where the caller has none
  BarrierMemory memory_;
  std::optional<DeviceAlgebra> algebra_;
};

}  // namespace

std::unique_ptr<Barrier> makeDeviceBarrier(BarrierOptions const& options) {
  return std::make_unique<DeviceBarrier>(options);
}

}  // namespace osi_cuda::cuda
