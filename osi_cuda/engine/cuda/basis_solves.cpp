// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/basis_solves.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::cuda {
namespace {

/// Rounds of refinement, which the host does not wait for: what is nearly always enough by the
/// tableau, what is tried before an LU is formed, and with that.
constexpr int fewRounds = 1, moreRounds = 3, factorRounds = 2;

/// The two sizes of residuals, in numbers: they land before the results.
constexpr std::size_t sizeNumbers = 2 * sizeof(ResidualSize) / sizeof(double);

/// Rounding the solution alone leaves about sqrt(length) units in the last place.
bool refined(ResidualSize const& size, int length) {
  return size.residual <= std::max(1e-14, 1e-15 * std::sqrt(static_cast<double>(length))) *
                              std::max(size.scale, 1e-300);
}

}  // namespace

void BasisSolves::allocate(StandardForm const& form) {
  form_ = &form;
  factorFits_ = false;
  std::size_t const m = index(form.rows()), variables = m + index(form.columns());
  std::size_t const numbers = 3 * m + 2 * variables + sizeNumbers;
  memory_.reserve(numbers);
  clear(queue_.stream(), memory_, numbers);
  double* next = memory_.data();
  for (double** vector : {&right_, &basicCost_, &residual_}) {
    *vector = next;
    next += m;
  }
  results_ = next;
  sizes_ = reinterpret_cast<ResidualSize*>(results_ + 2 * variables);
  queue_.reserveLanding(2 * variables + sizeNumbers);
}

void BasisSolves::giveBack() {
  factor_ = {};
  factorFits_ = false;
  memory_ = {};
}

DeviceFactor const& BasisSolves::factor(std::vector<char>& basic, std::span<double> scratch) {
  factorFits_ = false;
  factor_.form(*form_, matrix_, basic, scratch, queue_.solver(), queue_.stream());
  factorFits_ = true;
  queue_.waitWatching();
  return factor_;
}

void BasisSolves::factorPresentBasis() {
  TableauView const& t = tableau_.view();
  std::vector<int> variables(index(t.m));
  download(queue_.stream(), variables.data(), t.rows.variable, variables.size());
  std::vector<char> basic(index(t.m) + index(t.n), 0);
  for (int v : variables) basic[index(v)] = 1;
  factor(basic, {});
}

/// x (+)= B^-1 b, by variable; what is not basic is left alone. By the LU if that is there.
void BasisSolves::applyInverse(double const* b, bool addTo, double* x) {
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
void BasisSolves::applyInverseTransposed(double const* c, bool addTo, double* y) {
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
void BasisSolves::solve(double const* b, double* x, int rounds, ResidualSize* size) {
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
void BasisSolves::solveTransposed(double const* c, double* y, int rounds, ResidualSize* size) {
  TableauView const& t = tableau_.view();
  applyInverseTransposed(c, false, y);
  for (int round = 0; round <= rounds; ++round) {
    basicResiduals(queue_.stream(), matrix_.columns(), t.m, t.rows.variable, y, c, residual_,
                   round == rounds ? size : nullptr);
    if (round < rounds) applyInverseTransposed(residual_, true, y);
  }
}

/// Lets `queue` start its solves with some rounds of refinement, waits, and does so again with more
/// rounds, at last with an LU, where the tableau did not do.
/// `length` numbers of results_ have landed then.
template <class Queue>
void BasisSolves::solveAndFetch(int length, Queue queue) {
  int const m = tableau_.m();
  for (int rounds = factorFits_ ? factorRounds : fewRounds;;) {
    check(cudaMemsetAsync(sizes_, 0, 2 * sizeof(ResidualSize), queue_.stream()));
    queue(rounds);
    queue_.queueFetch(results_, index(length), sizeNumbers);
    queue_.queueFetch(reinterpret_cast<double const*>(sizes_), sizeNumbers, 0);
    queue_.wait();
    auto const* const size = reinterpret_cast<ResidualSize const*>(queue_.landing());
    if (factorFits_ || (refined(size[0], m) && refined(size[1], m))) return;
    if (rounds == moreRounds) factorPresentBasis();
    rounds = factorFits_ ? factorRounds : moreRounds;
  }
}

std::vector<double> BasisSolves::ftran(std::span<double const> b) {
  TableauView const& t = tableau_.view();
  queue_.put(right_, b);
  solveAndFetch(t.m, [&](int rounds) {
    solve(right_, vectors_.value, rounds, sizes_);
    gatherByVariable(queue_.stream(), t.m, t.rows.variable, vectors_.value, results_);
  });
  return landed(0, t.m);
}

std::vector<double> BasisSolves::btran(std::span<double const> c) {
  queue_.put(right_, c);
  solveAndFetch(tableau_.m(),
                [&](int rounds) { solveTransposed(right_, results_, rounds, sizes_); });
  return landed(0, tableau_.m());
}

// All that a proof needs in one go: the host waits once.
BasicPoint BasisSolves::basicPoint(std::span<double const> cost) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  int const m = t.m, n = t.n;
  double* const x = results_;     // and the slacks, which activities overwrite
  double* const y = x + n + m;    // m
  double* const product = y + m;  // n
  queue_.put(vectors_.other, cost);
  gatherByVariable(stream, m, t.rows.variable, vectors_.other, basicCost_);
  solveAndFetch(2 * (m + n), [&](int rounds) {
    fill(stream, m + n, 0.0, x);
    scatterByVariable(stream, n, t.columns.variable, t.columns.value, x);
    lineProducts(stream, matrix_.rows(), x, -1.0, nullptr, x + n, right_);
    solve(right_, vectors_.value, rounds, sizes_);
    add(stream, n, vectors_.value, x);
    lineProducts(stream, matrix_.rows(), x, 1.0, nullptr, nullptr, x + n);
    solveTransposed(basicCost_, y, rounds, sizes_ + 1);
    lineProducts(stream, matrix_.columns(), y, 1.0, nullptr, nullptr, product);
  });
  return {landed(0, n), landed(n, m), landed(n + m, m), landed(n + 2 * m, n)};
}

/// `length` of the results that solveAndFetch brought, from `first` on
std::vector<double> BasisSolves::landed(int first, int length) const {
  double const* const begin = queue_.landing() + sizeNumbers + first;
  return {begin, begin + length};
}

}  // namespace osi_cuda::cuda
