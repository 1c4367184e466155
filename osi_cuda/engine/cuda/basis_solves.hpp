// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "osi_cuda/engine/cuda/device_factor.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Rounds of refinement, which the host does not wait for: what is nearly always enough by the
/// tableau, what is tried before an LU is formed, and with that.
inline constexpr int fewRounds = 1, moreRounds = 3, factorRounds = 2;

/// The size of residuals, in numbers: it lands before the result.
inline constexpr std::size_t sizeNumbers = sizeof(ResidualSize) / sizeof(double);

/// Rounding the solution alone leaves about sqrt(length) units in the last place.
inline bool refined(ResidualSize const& size, int length) {
  return size.residual <= std::max(1e-14, 1e-15 * std::sqrt(static_cast<double>(length))) *
                              std::max(size.scale, 1e-300);
}

/// Solves with the basis, refined by residuals of the original data in extended precision. The
/// tableau holds B^-1 in the columns of its nonbasic slacks: refined, it solves as exactly as an LU
/// does, without forming one. Where it has drifted too far for that, there is the LU.
class BasisSolves {
 public:
  BasisSolves(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
              VariableVectors const& vectors)
      : queue_(queue), tableau_(tableau), matrix_(matrix), vectors_(vectors) {}

  void allocate(StandardForm const& form) {
    form_ = &form;
    factorFits_ = false;
    std::size_t const m = at(form.rows()), numbers = 3 * m + sizeNumbers;
    makeRoom(queue_.stream(), memory_, numbers);
    double* next = memory_.data();
    for (double** vector : {&right_, &residual_, &result_}) {
      *vector = next;
      next += m;
    }
    size_ = reinterpret_cast<ResidualSize*>(next);
    queue_.reserveLanding(m + at(form.columns()) + sizeNumbers);
  }
  void giveBack() {
    factor_ = {};
    factorFits_ = false;
    memory_ = {};
  }

  /// Factors the basis that `basic` marks, by variable; changed where its columns are dependent.
  /// What `scratch` holds is lost.
  DeviceFactor const& factor(std::vector<char>& basic, std::span<double> scratch) {
    factorFits_ = false;
    factor_.form(*form_, matrix_, basic, scratch, queue_.solver(), queue_.stream());
    factorFits_ = true;
    queue_.waitWatching();
    return factor_;
  }
  /// The memory of the factors, made that large, until the next ones are formed; and its size.
  double* lend(std::size_t numbers) {
    factorFits_ = false;
    return factor_.lend(numbers);
  }
  std::size_t room() const { return factor_.room(); }
  /// The LU is of another basis.
  void outdateFactor() { factorFits_ = false; }

  std::vector<double> ftran(std::span<double const> b) {
    TableauView const& t = tableau_.view();
    return solveAndFetch(b, [&](int rounds) {
      solve(right_, vectors_.value, rounds, size_);
      gatherByVariable(queue_.stream(), t.m, t.rows.variable, vectors_.value, result_);
    });
  }
  std::vector<double> btran(std::span<double const> c) {
    return solveAndFetch(c, [&](int rounds) { solveTransposed(right_, result_, rounds, size_); });
  }
  /// Corrects the basic variables of a point by variable by what it leaves of A x + s = 0.
  void correct(double* point) {
    lineProducts(queue_.stream(), matrix_.rows(), point, -1.0, nullptr, point + tableau_.n(),
                 residual_);
    applyInverse(residual_, true, point);
  }

 private:
  void factorPresentBasis() {
    TableauView const& t = tableau_.view();
    std::vector<int> variables(at(t.m));
    download(queue_.stream(), variables.data(), t.rows.variable, variables.size());
    std::vector<char> basic(at(t.m) + at(t.n), 0);
    for (int v : variables) basic[at(v)] = 1;
    factor(basic, {});
  }
  /// x (+)= B^-1 b, by variable; what is not basic is left alone. By the LU if that is there.
  void applyInverse(double const* b, bool addTo, double* x) {
    cudaStream_t const stream = queue_.stream();
    TableauView const& t = tableau_.view();
    if (factorFits_) {
      factor_.solve(queue_.solver(), stream, matrix_, b, addTo ? vectors_.other : x);
      if (addTo) add(stream, t.m + t.n, vectors_.other, x);
      return;
    }
    takeSlackEntries(stream, t.n, t.columns.variable, b, t.columns.change);
    tableau_.combineColumns(t.columns.change, t.rows.change);
    placeBasicEntries(stream, t.m, t.n, t.rows.variable, t.rows.change, b, addTo, x);
  }
  /// y (+)= B^-T c, by constraint; c by row position
  void applyInverseTransposed(double const* c, bool addTo, double* y) {
    cudaStream_t const stream = queue_.stream();
    TableauView const& t = tableau_.view();
    if (factorFits_) {
      fill(stream, t.m + t.n, 0.0, vectors_.other);
      scatterByVariable(stream, t.m, t.rows.variable, c, vectors_.other);
      factor_.solveTransposed(queue_.solver(), stream, matrix_, vectors_.other,
                              addTo ? vectors_.work : y);
      if (addTo) add(stream, t.m, vectors_.work, y);
      return;
    }
    tableau_.combineRows(c, t.columns.change);
    placeMultipliers(stream, t.m, t.n, t.rows.variable, t.columns.variable, t.columns.change, c,
                     addTo, y);
  }
  /// x <- B^-1 b by variable, zeros for the nonbasic; `size` grows to that of what is left of b.
  void solve(double const* b, double* x, int rounds, ResidualSize* size) {
    TableauView const& t = tableau_.view();
    fill(queue_.stream(), t.m + t.n, 0.0, x);
    applyInverse(b, false, x);
    for (int round = 0; round <= rounds; ++round) {
      lineProducts(queue_.stream(), matrix_.rows(), x, -1.0, b, x + t.n, residual_,
                   round == rounds ? size : nullptr);
      if (round < rounds) applyInverse(residual_, true, x);
    }
  }
  /// y <- B^-T c by constraint, c by row position.
  void solveTransposed(double const* c, double* y, int rounds, ResidualSize* size) {
    TableauView const& t = tableau_.view();
    applyInverseTransposed(c, false, y);
    for (int round = 0; round <= rounds; ++round) {
      basicResiduals(queue_.stream(), matrix_.columns(), t.m, t.rows.variable, y, c, residual_,
                     round == rounds ? size : nullptr);
      if (round < rounds) applyInverseTransposed(residual_, true, y);
    }
  }
  /// Lets `queue` start its solve with some rounds of refinement, waits for its m numbers, and does
  /// so again with more rounds, at last with an LU, where the tableau did not do.
  std::vector<double> solveAndFetch(std::span<double const> right, auto queue) {
    int const m = tableau_.m();
    queue_.put(right_, right);
    for (int rounds = factorFits_ ? factorRounds : fewRounds;;) {
      check(cudaMemsetAsync(size_, 0, sizeof(ResidualSize), queue_.stream()));
      queue(rounds);
      queue_.queueFetch(result_, at(m), sizeNumbers);
      queue_.queueFetch(reinterpret_cast<double const*>(size_), sizeNumbers, 0);
      queue_.wait();
      double const* const landed = queue_.landing() + sizeNumbers;
      if (factorFits_ || refined(*reinterpret_cast<ResidualSize const*>(queue_.landing()), m))
        return {landed, landed + m};
      if (rounds == moreRounds) factorPresentBasis();
      rounds = factorFits_ ? factorRounds : moreRounds;
    }
  }

  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  StandardForm const* form_ = nullptr;
  DeviceFactor factor_;
  bool factorFits_ = false;  ///< factor_ is of the present basis
  DeviceArray<double> memory_;
  double* right_ = nullptr;       ///< right-hand side, length m
  double* residual_ = nullptr;    ///< length m
  double* result_ = nullptr;      ///< what the host gets, length m
  ResidualSize* size_ = nullptr;  ///< of the last residual
};

}  // namespace osi_cuda::cuda
