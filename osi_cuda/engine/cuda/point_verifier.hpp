// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/verdict.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Where scale factors and numbers are between the inverse of this and it, what scaling takes from
/// the range of doubles is far below what any tolerance sees.
inline constexpr double mostScale = 0x1p100, mostNumber = 0x1p200;

/// How many doubles an object takes.
template <class T>
inline constexpr std::size_t numbersOf = sizeof(T) / sizeof(double);

inline constexpr auto isNearOne = [](double scale) {
  return scale <= mostScale && scale * mostScale >= 1.0;
};

/// Refines the tableau's point to double-double arithmetic and verifies it, both on the device in
/// one launch, which can be queued behind the pivots that lead to the point. The host gets the
/// point in the problem's own numbers with its verdict.
class PointVerifier {
 public:
  PointVerifier(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
                VariableVectors const& vectors, int multiprocessors)
      : queue_(queue),
        tableau_(tableau),
        matrix_(matrix),
        vectors_(vectors),
        multiprocessors_(multiprocessors) {}

  void allocate(StandardForm const& form) {
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
  void giveBack() {
    memory_ = {};
    taken_ = false;
  }
  /// Takes the problem that the form is of. False: the device has it already.
  bool take(LinearProgram const& lp) {
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
  /// Whether a problem was taken, with numbers so near to 1 that scaling is exact.
  bool ready() const { return taken_ && exact_ && isNearOne(std::fabs(form_->costScale)); }
  /// Queues the verification of the point that `vectors.value` and `other` hold, in `most`
  /// blocks or fewer; see verifyPoint().
  void queue(LaunchReport const* after, int most) {
    given_.rows = matrix_.rows();
    given_.columns = matrix_.columns();
    point_.value = vectors_.value;
    point_.reducedCost = vectors_.other;
    point_.cost = vectors_.cost;
    PointView point = point_;
    point.blocks = std::min(point.blocks, most);
    verifyPoint(queue_.stream(), tableau_.view(), tableau_.used(), after, given_, point);
  }
  /// What the queue has come to; nothing where the numbers of the point are too far from 1.
  std::optional<VerifiedPoint> landed() const {
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

 private:
  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  int multiprocessors_;
  StandardForm const* form_ = nullptr;
  bool exact_ = false;  ///< the scale factors are near enough to 1
  bool taken_ = false;
  DeviceArray<double> memory_;
  PinnedArray<double> landing_;
  GivenView given_;
  PointView point_;
  /// What the device has of the problem.
  std::vector<double> columnLower_, columnUpper_, rowLower_, rowUpper_, objective_;
};

}  // namespace osi_cuda::cuda
