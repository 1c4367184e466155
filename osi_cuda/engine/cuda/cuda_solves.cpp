// SPDX-License-Identifier: EPL-2.0
// The CUDA engine's solves with the basis. The tableau holds B^-1 in the columns of its nonbasic
// slacks: refined by residuals of the original data in extended precision it solves as exactly as
// an LU does, without forming one. Where it has drifted too far for that, there is the LU.
#include <algorithm>
#include <cmath>

#include "osi_cuda/engine/cuda/cuda_engine.hpp"

namespace osi_cuda::cuda {
namespace {

/// Rounds of refinement, which the host does not wait for: what is nearly always enough by the
/// tableau, what is tried before an LU is formed, and with that.
constexpr int fewRounds = 1, moreRounds = 3, factorRounds = 2;

/// Rounding the solution alone leaves about sqrt(length) units in the last place.
bool refined(ResidualSize const& size, int length) {
  return size.residual <= std::max(1e-14, 1e-15 * std::sqrt(static_cast<double>(length))) *
                              std::max(size.scale, 1e-300);
}

}  // namespace

DeviceFactor& CudaEngine::factor() {
  if (!solver_) solver_ = makeSolver(stream_);
  if (!factorFits_) {
    std::vector<int> variables(at(t_.m));
    download(stream_, variables.data(), t_.rows.variable, variables.size());
    std::vector<char> basic(at(t_.m) + at(t_.n), 0);
    for (int v : variables) basic[at(v)] = 1;
    factor_.form(*form_, matrix_, basic, solver_, stream_);
    factorFits_ = true;
    waitWatching();
  }
  return factor_;
}

/// x (+)= B^-1 b, by variable; what is not basic is left alone. By the LU if that is there.
void CudaEngine::applyInverse(double const* b, bool addTo, double* x) {
  if (factorFits_) {
    factor_.solve(solver_, stream_, matrix_, b, addTo ? other_ : x);
    if (addTo) add(stream_, t_.m + t_.n, other_, x);
    return;
  }
  takeSlackEntries(stream_, t_.n, t_.columns.variable, b, t_.columns.change);
  combineColumns(t_.columns.change, t_.rows.change);
  placeBasicEntries(stream_, t_.m, t_.n, t_.rows.variable, t_.rows.change, b, addTo, x);
}

/// y (+)= B^-T c, by constraint; c by row position
void CudaEngine::applyInverseTransposed(double const* c, bool addTo, double* y) {
  if (factorFits_) {
    fill(stream_, t_.m + t_.n, 0.0, other_);
    scatterByVariable(stream_, t_.m, t_.rows.variable, c, other_);
    factor_.solveTransposed(solver_, stream_, matrix_, other_, addTo ? work_ : y);
    if (addTo) add(stream_, t_.m, work_, y);
    return;
  }
  combineRows(c, t_.columns.change);
  placeMultipliers(stream_, t_.m, t_.n, t_.rows.variable, t_.columns.variable, t_.columns.change, c,
                   addTo, y);
}

/// x <- B^-1 b by variable, zeros for the nonbasic; `size` grows to that of what is left of b.
void CudaEngine::solve(double const* b, double* x, int rounds, ResidualSize* size) {
  fill(stream_, t_.m + t_.n, 0.0, x);
  applyInverse(b, false, x);
  for (int round = 0; round <= rounds; ++round) {
    lineProducts(stream_, matrix_.rows(), x, -1.0, b, x + t_.n, residual_,
                 round == rounds ? size : nullptr);
    if (round < rounds) applyInverse(residual_, true, x);
  }
}

/// y <- B^-T c by constraint, c by row position.
void CudaEngine::solveTransposed(double const* c, double* y, int rounds, ResidualSize* size) {
  applyInverseTransposed(c, false, y);
  for (int round = 0; round <= rounds; ++round) {
    basicResiduals(stream_, matrix_.columns(), t_.m, t_.rows.variable, y, c, residual_,
                   round == rounds ? size : nullptr);
    if (round < rounds) applyInverseTransposed(residual_, true, y);
  }
}

/// Lets `queue` start its solves with some rounds of refinement, waits, and does so again with more
/// rounds, at last with an LU, where the tableau did not do.
/// `length` numbers of results_ are in landing_ then.
template <class Queue>
void CudaEngine::solveAndFetch(int length, Queue queue) {
  constexpr std::size_t sizes = 2 * sizeof(ResidualSize) / sizeof(double);
  for (int rounds = factorFits_ ? factorRounds : fewRounds;;) {
    check(cudaMemsetAsync(sizes_, 0, 2 * sizeof(ResidualSize), stream_));
    queue(rounds);
    queueFetch(results_, at(length), sizes);
    queueFetch(reinterpret_cast<double const*>(sizes_), sizes, 0);
    wait();
    auto const* const size = reinterpret_cast<ResidualSize const*>(landing_.data());
    if (factorFits_ || (refined(size[0], t_.m) && refined(size[1], t_.m))) return;
    if (rounds == moreRounds) factor();
    rounds = factorFits_ ? factorRounds : moreRounds;
  }
}

std::vector<double> CudaEngine::ftran(std::span<double const> b) {
  DeviceScope const scope = useDevice();
  put(right_, b);
  solveAndFetch(t_.m, [&](int rounds) {
    solve(right_, value_, rounds, sizes_);
    gatherByVariable(stream_, t_.m, t_.rows.variable, value_, results_);
  });
  return landed(0, t_.m);
}

std::vector<double> CudaEngine::btran(std::span<double const> c) {
  DeviceScope const scope = useDevice();
  put(right_, c);
  solveAndFetch(t_.m, [&](int rounds) { solveTransposed(right_, results_, rounds, sizes_); });
  return landed(0, t_.m);
}

// All that a proof needs in one go: the host waits once.
BasicPoint CudaEngine::basicPoint(Snapshot const&, std::span<double const> cost) {
  DeviceScope const scope = useDevice();
  int const m = t_.m, n = t_.n;
  double* const x = results_;     // and the slacks, which activities overwrite
  double* const y = x + n + m;    // m
  double* const product = y + m;  // n
  put(other_, cost);
  gatherByVariable(stream_, m, t_.rows.variable, other_, basicCost_);
  solveAndFetch(2 * (m + n), [&](int rounds) {
    fill(stream_, m + n, 0.0, x);
    scatterByVariable(stream_, n, t_.columns.variable, t_.columns.value, x);
    lineProducts(stream_, matrix_.rows(), x, -1.0, nullptr, x + n, right_);
    solve(right_, value_, rounds, sizes_);
    add(stream_, n, value_, x);
    lineProducts(stream_, matrix_.rows(), x, 1.0, nullptr, nullptr, x + n);
    solveTransposed(basicCost_, y, rounds, sizes_ + 1);
    lineProducts(stream_, matrix_.columns(), y, 1.0, nullptr, nullptr, product);
  });
  return {landed(0, n), landed(n, m), landed(n + m, m), landed(n + 2 * m, n)};
}

/// `length` of the results that solveAndFetch brought, from `first` on
std::vector<double> CudaEngine::landed(int first, int length) const {
  double const* const begin = landing_.data() + 2 * sizeof(ResidualSize) / sizeof(double) + first;
  return {begin, begin + length};
}

}  // namespace osi_cuda::cuda
