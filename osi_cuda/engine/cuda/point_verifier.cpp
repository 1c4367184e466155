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

/// How many doubles an object takes.
template <class T>
constexpr std::size_t numbersOf = sizeof(T) / sizeof(double);

constexpr auto isNearOne = [](double scale) {
  return scale <= mostScale && scale * mostScale >= 1.0;
};

}  // namespace

void PointVerifier::allocate(StandardForm const& form) {
  form_ = &form;
  taken_ = false;
  std::size_t const m = at(form.rows()), n = at(form.columns()), variables = m + n;
  exact_ = m > 0 && n > 0 && std::ranges::all_of(form.rowScale, isNearOne) &&
           std::ranges::all_of(form.columnScale, isNearOne);
  point_.blocks = std::clamp(static_cast<int>(variables) / 16, 1, multiprocessors_);
  std::size_t const blocks = at(point_.blocks), warps = blocks * verdictWarps,
                    products = 2 * at(tableau_.view().capacity),
                    shares = n + products + 3 * 32 * warps,
                    sums = 4 * blocks * numbersOf<VerdictSums>,
                    landing = numbersOf<VerdictNumbers> + 2 * variables;
  std::size_t const numbers = 11 * variables + warps + products + shares + sums;
  makeRoom(queue_.stream(), memory_, numbers);
  if (landing_.size() < landing) landing_ = PinnedArray<double>(landing + landing / 4);
  double* next = memory_.data();
  auto const take = [&next](std::size_t count) {
    double* const begin = next;
    next += count;
    return begin;
  };
  point_.x = {take(n), take(n)};
  point_.y = {take(m), take(m)};
  point_.residual = take(variables);
  point_.rowProduct = take(std::max(m, warps));
  point_.products = take(products);
  point_.shares = take(shares);
  point_.sums = reinterpret_cast<VerdictSums*>(take(sums));
  point_.results = take(2 * variables);
  given_.rowScale = take(m);
  given_.columnScale = take(n);
  given_.lower = take(variables);
  given_.upper = take(variables);
  given_.objective = take(n);
  point_.landing = landing_.onDevice();
  given_.m = form.rows();
  given_.n = form.columns();
}

void PointVerifier::giveBack() {
  memory_ = {};
  taken_ = false;
}

bool PointVerifier::take(LinearProgram const& lp) {
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  bool fresh = !taken_ || given_.offset != lp.objectiveOffset || given_.sign != sign ||
               given_.costScale != form_->costScale;
  auto const put = [&](double const* there, std::vector<double> const& numbers,
                       std::vector<double>& known) {  // of memory_, which kernels only read
    if (!taken_) known = numbers;
    fresh |= queue_.putChanged(const_cast<double*>(there), numbers, known);
  };
  if (!taken_)  // all at once, as they lie there
    queue_.put(const_cast<double*>(given_.rowScale),
               joined<double>({form_->rowScale, form_->columnScale, lp.columnLower, lp.rowLower,
                               lp.columnUpper, lp.rowUpper, lp.objective}));
  put(given_.lower, lp.columnLower, columnLower_);
  put(given_.upper, lp.columnUpper, columnUpper_);
  put(given_.lower + given_.n, lp.rowLower, rowLower_);
  put(given_.upper + given_.n, lp.rowUpper, rowUpper_);
  put(given_.objective, lp.objective, objective_);
  given_.costScale = form_->costScale;
  given_.offset = lp.objectiveOffset;
  given_.sign = sign;
  taken_ = true;
  return fresh;
}

bool PointVerifier::ready() const {
  return taken_ && exact_ && isNearOne(std::fabs(form_->costScale));
}

void PointVerifier::queue(LaunchReport const* after, int most) {
  given_.rows = matrix_.rows();
  given_.columns = matrix_.columns();
  point_.value = vectors_.value;
  point_.reducedCost = vectors_.other;
  point_.cost = vectors_.cost;
  PointView point = point_;
  point.blocks = std::min(point.blocks, most);
  verifyPoint(queue_.stream(), tableau_.view(), tableau_.used(), after, given_, point);
}

std::optional<VerifiedPoint> PointVerifier::landed() const {
  auto const& found = *reinterpret_cast<VerdictNumbers const*>(landing_.data());
  if (!(std::max(found.largest[0], found.largest[1]) <= mostNumber)) return std::nullopt;
  double const* next = landing_.data() + numbersOf<VerdictNumbers>;
  auto const take = [&next](int count) {
    std::vector<double> const numbers(next, next + count);
    next += count;
    return numbers;
  };
  VerifiedPoint point;
  point.columnValues = take(given_.n);
  point.rowDuals = take(given_.m);
  point.rowActivity = take(given_.m);
  point.reducedCosts = take(given_.n);
  point.rounded = found.worth[0];
  point.exact = found.worth[1];
  return point;
}

}  // namespace osi_cuda::cuda
