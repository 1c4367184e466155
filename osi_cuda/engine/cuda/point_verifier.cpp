// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/point_verifier.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {
namespace {

/// Where scale factors and numbers are between the inverse of this and it, what scaling takes from
/// the range of doubles is far below what any tolerance sees.
constexpr double mostScale = 0x1p100, mostNumber = 0x1p200;

constexpr std::size_t sumsNumbers = sizeof(VerdictSums) / sizeof(double);
constexpr std::size_t foundNumbers = sizeof(VerdictNumbers) / sizeof(double);

bool scalesAreNearOne(std::vector<double> const& scales) {
  return std::ranges::all_of(
      scales, [](double scale) { return scale <= mostScale && scale * mostScale >= 1.0; });
}

}  // namespace

void PointVerifier::allocate(StandardForm const& form) {
  form_ = &form;
  exact_ = scalesAreNearOne(form.rowScale) && scalesAreNearOne(form.columnScale);
  std::size_t const m = index(form.rows()), n = index(form.columns()), variables = m + n;
  std::size_t const landing = foundNumbers + 2 * variables;
  std::size_t const numbers = 7 * variables + 3 * m + n + landing + verdictSums * sumsNumbers;
  memory_.reserve(numbers);
  clear(queue_.stream(), memory_, numbers);
  queue_.reserveLanding(landing);
  double* next = memory_.data();
  auto const take = [&next](std::size_t count) {
    double* const begin = next;
    next += count;
    return begin;
  };
  x_ = {take(variables), take(variables)};
  y_ = {take(variables) + n, take(m)};
  residual_ = take(m);
  basicCost_ = take(m);
  double* const scales = take(variables);
  given_.m = form.rows();
  given_.n = form.columns();
  given_.rowScale = scales;
  given_.columnScale = scales + m;
  given_.lower = take(variables);
  given_.upper = take(variables);
  given_.objective = take(n);
  results_.partial = reinterpret_cast<VerdictSums*>(take(verdictSums * sumsNumbers));
  results_.found = reinterpret_cast<VerdictNumbers*>(take(foundNumbers));
  results_.x = take(n);
  results_.y = take(m);
  results_.activity = take(m);
  results_.reducedCost = take(n);
  queue_.put(scales, form.rowScale);
  queue_.put(scales + m, form.columnScale);
  for (auto* const numbersThere :
       {&columnLower_, &columnUpper_, &rowLower_, &rowUpper_, &objective_})
    numbersThere->clear();
}

void PointVerifier::giveBack() {
  memory_ = {};
  form_ = nullptr;
}

void PointVerifier::putIfOther(std::vector<double>& before, std::span<double const> numbers,
                               double const* there) {
  if (std::ranges::equal(before, numbers)) return;
  before.assign(numbers.begin(), numbers.end());
  queue_.put(const_cast<double*>(there), numbers);  // of memory_, which kernels only read
}

void PointVerifier::takeProblem(LinearProgram const& lp) {
  putIfOther(columnLower_, lp.columnLower, given_.lower);
  putIfOther(columnUpper_, lp.columnUpper, given_.upper);
  putIfOther(rowLower_, lp.rowLower, given_.lower + given_.n);
  putIfOther(rowUpper_, lp.rowUpper, given_.upper + given_.n);
  putIfOther(objective_, lp.objective, given_.objective);
  given_.rows = matrix_.rows();
  given_.columns = matrix_.columns();
  given_.costScale = form_->costScale;
  given_.offset = lp.objectiveOffset;
  given_.sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
}

// One round from the tableau's own point, which is right to some nine digits: it adds as many as
// the tableau has.
void PointVerifier::refine(double const* cost) {
  cudaStream_t const stream = queue_.stream();
  TableauView const& t = tableau_.view();
  collectPoint(stream, t, x_.high, y_.high - t.n);  // of a slack, y is -d
  negate(stream, t.m, y_.high);
  fill(stream, t.m + t.n, 0.0, x_.low);
  fill(stream, t.m, 0.0, y_.low);
  gatherByVariable(stream, t.m, t.rows.variable, cost, basicCost_);
  lineProducts(stream, matrix_.rows(), x_.high, -1.0, nullptr, x_.high + t.n, residual_);
  takeSlackEntries(stream, t.n, t.columns.variable, residual_, t.columns.change);
  tableau_.combineColumns(t.columns.change, t.rows.change);
  placeBasicEntries(stream, t.m, t.n, t.rows.variable, t.rows.change, residual_, true, x_.high,
                    x_.low);
  basicResiduals(stream, matrix_.columns(), t.m, t.rows.variable, y_.high, basicCost_, residual_,
                 nullptr);
  tableau_.combineRows(residual_, t.columns.change);
  placeMultipliers(stream, t.m, t.n, t.rows.variable, t.columns.variable, t.columns.change,
                   residual_, true, y_.high, y_.low);
}

std::optional<VerifiedPoint> PointVerifier::verify(LinearProgram const& lp, double const* cost) {
  std::size_t const m = index(given_.m), n = index(given_.n);
  if (!exact_ || m == 0 || n == 0 || !(std::fabs(form_->costScale) <= mostScale) ||
      !(std::fabs(form_->costScale) * mostScale >= 1.0))
    return std::nullopt;
  takeProblem(lp);
  refine(cost);
  verifyPoint(queue_.stream(), given_, x_, y_, results_);
  queue_.queueFetch(reinterpret_cast<double const*>(results_.found), foundNumbers + 2 * (m + n), 0);
  queue_.wait();
  auto const& found = *reinterpret_cast<VerdictNumbers const*>(queue_.landing());
  if (!(std::max(found.largest[0], found.largest[1]) <= mostNumber)) return std::nullopt;
  double const* next = queue_.landing() + foundNumbers;
  auto const landed = [&next](std::size_t count) {
    std::vector<double> const numbers(next, next + count);
    next += count;
    return numbers;
  };
  VerifiedPoint point;
  point.columnValues = landed(n);
  point.rowDuals = landed(m);
  point.rowActivity = landed(m);
  point.reducedCosts = landed(n);
  point.rounded = found.worth[0];
  point.exact = found.worth[1];
  return point;
}

}  // namespace osi_cuda::cuda
