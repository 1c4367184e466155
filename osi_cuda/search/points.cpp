// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off, as all that includes the verifier.
#include "osi_cuda/search/points.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/model/choice_points.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/formulas.hpp"
#include "osi_cuda/proof/products.hpp"
#include "osi_cuda/search/whole_steps.hpp"

namespace osi_cuda::search {

namespace {

/// What rounding may add to an activity that is moved in whole steps; the verifier looks in the
/// end.
double roomOf(double bound) {
  return 1e-9 * (1.0 + std::fabs(bound));
}

double stepOf(LinearProgram const& problem) {
  CommonDivisor divisor;
  for (int j = 0; j < problem.columns(); ++j) {
    if (problem.objective[at(j)] == 0.0) continue;
    if (!problem.integer[at(j)]) return 0.0;
    divisor.take(problem.objective[at(j)]);
  }
  return divisor.value();
}

}  // namespace

PointMaker::PointMaker(LinearProgram const& problem, double tolerance)
    : problem_(problem), tolerance_(tolerance), locks_(at(problem.columns())) {
  for (int j = 0; j < problem.columns(); ++j) {
    if (!problem.integer[at(j)]) {
      allIntegers_ = false;
      continue;
    }
    if (problem.objective[at(j)] != 0.0) byCost_.push_back(j);
    auto& [down, up] = locks_[at(j)];
    for (auto const [row, a] : problem.matrix.column(j)) {
      bool const below = std::isfinite(problem.rowLower[at(row)]);
      bool const above = std::isfinite(problem.rowUpper[at(row)]);
      (a > 0.0 ? down : up) += below;
      (a > 0.0 ? up : down) += above;
    }
  }
  std::ranges::stable_sort(byCost_, [&](int a, int b) {
    return std::fabs(problem.objective[at(a)]) > std::fabs(problem.objective[at(b)]);
  });
}

double PointMaker::roundedByLocks(int j, double value) const {
  constexpr double off = 1e-6;
  auto const [down, up] = locks_[at(j)];
  bool const goesDown = down < up || (down == up && problem_.objective[at(j)] >= 0.0);
  return goesDown ? std::floor(value + off) : std::ceil(value - off);
}

std::optional<double> PointMaker::valueOf(std::span<double const> x) const {
  if (!keepsTo(problem_, x)) return {};
  proof::Parts const point(x, {});
  if (!point.fits(at(problem_.columns()))) return {};
  proof::Products const products = proof::productsOf(problem_.matrix, &point, nullptr);
  if (!(proof::primalResidual(problem_, point, products.activity) <= tolerance_)) return {};
  double const value = proof::roundedUp(proof::objectiveOf(problem_, point));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

double PointMaker::stepOf(int j, double direction, double x,
                          std::vector<double> const& activity) const {
  double most = direction > 0.0 ? problem_.columnUpper[at(j)] - x : x - problem_.columnLower[at(j)];
  for (auto const [row, a] : problem_.matrix.column(j)) {
    if (!(most >= 1.0)) return 0.0;
    double const move = a * direction, now = activity[at(row)];
    double const bound = move > 0.0 ? problem_.rowUpper[at(row)] : problem_.rowLower[at(row)];
    if (move == 0.0 || !std::isfinite(bound)) continue;
    most = std::min(most,
                    (std::fabs(bound - now) < roomOf(bound) ? 0.0 : (bound - now) / move) + 1e-12);
  }
  constexpr double longest = 1e9;
  return std::floor(std::min(most, longest));
}

void PointMaker::improve(std::vector<double>& x, std::vector<double>& activity) const {
  for (int const j : byCost_) {
    double const direction = problem_.objective[at(j)] > 0.0 ? -1.0 : 1.0;
    double const step = stepOf(j, direction, x[at(j)], activity);
    if (!(step >= 1.0)) continue;
    x[at(j)] += direction * step;
    for (auto const [row, a] : problem_.matrix.column(j)) activity[at(row)] += a * direction * step;
  }
}

bool PointMaker::round(std::vector<double>& x, bool nearest) const {
  std::vector<double> activity(at(problem_.rows()), 0.0);
  if (!problem_.choices.empty()) {
    std::vector<double> decided = x;
    decide(problem_, decided);
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!problem_.integer[j] || decided[j] == 0.0) x[j] = decided[j];
  }
  for (int j = 0; j < problem_.columns(); ++j) {
    double& value = x[at(j)];
    if (problem_.integer[at(j)]) value = nearest ? std::round(value) : roundedByLocks(j, value);
    value = std::clamp(value, problem_.columnLower[at(j)], problem_.columnUpper[at(j)]);
    if (value == 0.0) continue;
    for (auto const [row, a] : problem_.matrix.column(j)) activity[at(row)] += a * value;
  }
  for (int i = 0; i < problem_.rows(); ++i) {
    double const lower = problem_.rowLower[at(i)], upper = problem_.rowUpper[at(i)];
    if (activity[at(i)] < lower - roomOf(lower) || activity[at(i)] > upper + roomOf(upper))
      return false;
  }
  improve(x, activity);
  return true;
}

Incumbent::Incumbent(LinearProgram const& problem, Options const& options)
    : problem_(problem),
      points_(problem, std::min(options.primalTolerance, wholePointTolerance)),
      offset_(problem.objectiveOffset),
      step_(stepOf(problem)),
      absoluteGap_(options.absoluteGap),
      relativeGap_(options.relativeGap) {}

void Incumbent::offer(std::vector<double> x) {
  decide(problem_, x);
  if (std::optional<double> const value = points_.valueOf(x)) take(std::move(x), *value);
}

void Incumbent::take(std::vector<double> x, double objective) {
  if (!(objective < objective_)) return;
  objective_ = objective;
  values_ = std::move(x);
  double const size = std::fabs(objective_);
  double const relative = relativeGap_ > 0.0 ? relativeGap_ * size : 0;
  double const gap = std::max(absoluteGap_, std::isnan(relative) ? infinity : relative);
  double const least = sameNumber * std::max(1.0, size);
  // Whole steps: a bound that is above the one before the incumbent is the incumbent's.
  cutoff_ = objective_ - std::max(gap, std::max(least, step_ * (1.0 - 1e-6)));
  if (whenTaken) whenTaken();
}

double Incumbent::raised(double bound) const {
  if (!(step_ > 0.0) || !std::isfinite(bound)) return bound;
  double const part = offset_ == 0.0 ? bound : std::nextafter(bound - offset_, -infinity);
  double const multiple = toMultiple(part, step_, true), sum = multiple + offset_;
  bool const exact = sum - offset_ == multiple && sum - multiple == offset_;
  return std::max(bound, exact ? sum : std::nextafter(sum, -infinity));
}

}  // namespace osi_cuda::search
