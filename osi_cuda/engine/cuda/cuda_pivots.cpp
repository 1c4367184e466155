// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's runs of pivots: shared memory, weights, launches.
#include <algorithm>
#include <string>
#include <thread>

#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/pivot_kernel.hpp"
#include "osi_cuda/errors.hpp"
#include "osi_cuda/memory.hpp"

namespace osi_cuda::cuda {

// What is read at every pivot comes first into shared memory: the state, the sketch, then as many
// rows of U and V as there is room for, in thirty-twos, or sixteen where that is too much.
TeamView CudaEngine::teamFor(TableauView const& tableau, Algorithm algorithm) const {
  constexpr int step = 32;
  TeamView team = team_;
  team.stateInShared = team.sketchInShared = true;
  team.sharedLines = step;
  auto const fits = [&] { return placeShared(tableau, team, algorithm) <= sharedPerBlock_; };
  if (!fits()) team.sketchInShared = false;
  if (!fits()) team.stateInShared = false;
  if (!fits()) team.sharedLines = step / 2;
  if (!fits())
    throw EngineUnavailable("engine cuda: " + std::to_string(t_.m) + " x " + std::to_string(t_.n) +
                            " has more rows or columns than the device's shared memory serves");
  int const most = (t_.capacity + step - 1) / step * step;
  while (team.sharedLines >= step && team.sharedLines < most) {
    team.sharedLines += step;
    if (fits()) continue;
    team.sharedLines -= step;
    fits();  // for the places
    break;
  }
  return team;
}

void CudaEngine::computeWeights(Algorithm algorithm, Pricing pricing) {
  DeviceScope const scope = useDevice();
  if (weightsFor_ == std::pair{algorithm, pricing}) return;
  weightsFor_ = std::pair{algorithm, pricing};
  bool const primal = algorithm == Algorithm::primal;
  if (pricing != Pricing::steepest && pricing != Pricing::sketched)
    return primal ? fill(stream_, t_.n, 1.0, t_.columns.weight)
                  : fill(stream_, t_.m, 1.0, t_.rows.weight);
  if (t_.m == 0 || t_.n == 0) {
    fill(stream_, t_.n, 1.0, t_.columns.weight);
    return fill(stream_, t_.m, 1.0, t_.rows.weight);
  }
  fold();
  if (pricing == Pricing::steepest)
    return primal ? exactColumnWeights(stream_, t_) : exactRowWeights(stream_, t_);
  int const k = t_.sketchSize;
  double const one = 1.0, zero = 0.0;
  sketchWork_.reserve(2 * at(k) * at(std::max(t_.m, t_.n)));
  double* const signs = sketchWork_.data();
  double* const sketch = signs + at(k) * at(std::max(t_.m, t_.n));
  if (primal) {  // Z = S D
    sketchSigns(stream_, t_.m, k, signs);
    check(cublasDgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_T, k, t_.n, t_.m, &one, signs, k, t_.base, t_.n,
                      &zero, sketch, k));
    takeColumnSketch(stream_, t_, sketch);
  } else {  // W = B^-1 S': T's columns of nonbasic slacks are columns of B^-1
    slackSigns(stream_, t_.n, k, t_.n, t_.columns.variable, signs);
    check(cublasDgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, k, t_.m, t_.n, &one, signs, k, t_.base, t_.n,
                      &zero, sketch, k));
    takeRowSketch(stream_, t_, sketch);
  }
}

// Without the memory for it, exact weights take products with D itself.
void CudaEngine::keepShadow() {
  if (t_.m == 0 || t_.n == 0 || (t_.shadow == nullptr && !placeShadow())) return;
  if (!shadowFits_) takeShadow(stream_, t_);
  shadowFits_ = true;
}

bool CudaEngine::placeShadow() {
  int const stride = (t_.n + 3) / 4 * 4;
  std::size_t const shadow = at(t_.m) * at(stride);
  // By rows only where each block has some: the work would be that of a few blocks.
  std::size_t const rowShares = t_.m >= 2 * team_.blocks ? at(team_.blocks) * at(stride) : 0;
  std::size_t const foldShares = at(team_.blocks) * at(t_.stride);
  std::size_t const shares = rowShares + foldShares + at(stride);
  if (shadow > shadow_.size() || shares > shares_.size()) {
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total));
    if (4 * shadow + 8 * shares + factorBytes(at(t_.m), at(t_.n)) > available) return false;
    shadow_.reserve(shadow);
    shares_.reserve(shares);
  }
  t_.shadow = shadow_.data();
  t_.shadowStride = stride;
  team_.rowShares = rowShares > 0 ? shares_.data() : nullptr;
  team_.foldShares = shares_.data() + rowShares;
  team_.spread = team_.foldShares + foldShares;
  return true;
}

PivotReport CudaEngine::run(PivotRequest const& request) {
  DeviceScope const scope = useDevice();
  if (request.pricing == Pricing::greatest) fold();
  if (request.pricing == Pricing::steepest) keepShadow();
  TableauView tableau = t_;
  if (request.pricing != Pricing::sketched) tableau.sketchSize = 0;
  TeamView const team = teamFor(tableau, request.algorithm);
  launchPivots(tableau, team, request, used_, next_, report_.onDevice(), stream_);
  if (request.algorithm == Algorithm::dual) applyShifts(stream_, t_);
  pointMoved();
  // The caller will ask for these: they come with the report.
  queueMeasure(request.primalTolerance, request.dualTolerance);
  if (request.checkDrift) queueDrift();
  check(cudaEventRecord(finished_, stream_));
  for (;;) {
    cudaError_t const status = cudaEventQuery(finished_);
    if (status == cudaSuccess) break;
    if (status != cudaErrorNotReady) check(status);
    std::this_thread::yield();
  }
  LaunchReport const report = report_[0];
  next_ = report.next;
  if (report.used != used_) {
    factorFits_ = false;
    if (weightsFor_ != std::pair{request.algorithm, request.pricing}) weightsFor_.reset();
  }
  used_ = report.used;
  if (used_ == t_.capacity) fold();
  return report.pivots;
}

}  // namespace osi_cuda::cuda
