// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/located_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/bounded_factors.hpp"
#include "osi_cuda/proof/exact_sum.hpp"
#include "osi_cuda/proof/formulas.hpp"

namespace osi_cuda::proof {
namespace {

constexpr double near = 2e-9;  ///< relative to 1 + |bound|: at it, but for rounding
constexpr double laterSteps = 0.125;
constexpr double noise = 0x1p-80;  ///< of the entries of a point that was refined
constexpr double enough = 0x1p-90;  ///< that an equation misses
constexpr int rounds = 10, refinements = 4, trials = 8;
constexpr int largestMultiple = 64;  ///< of an equation that is a combination of others

double distanceTo(double value, double bound) {
  return std::fabs(value - bound) / (1.0 + std::fabs(bound));
}

using Combination = std::vector<std::pair<int, double>>;  ///< equations and how often

class Search {
 public:
  Search(Region const& region, std::vector<double> const& x, double step,
         SearchLimits const& limits, std::vector<char>& frozen, double& work)
      : r_(region),
        limits_(limits),
        frozen_(frozen),
        work_(work),
        step_(step),
        start_(x),
        x_(x),
        low_(x.size()),
        inside_(x.size()),
        target_(region.rowLower.size(), infinity) {}

  std::optional<LocatedPoint> run() {
    placeColumns();
    placeRows();
    for (int round = 0; round < rounds && !stops(); ++round) {
      if (!factor()) return {};
      if (leftOver_.empty()) return located();
      if (!moveInside()) return {};
    }
    return {};
  }

 private:
  bool stops() const { return work_ < 0.0 || (limits_.stop && limits_.stop()); }

  void placeColumns() {
    for (std::size_t j = 0; j < x_.size(); ++j) {
      double const toLower = distanceTo(x_[j], r_.lower[j]),
                   toUpper = distanceTo(x_[j], r_.upper[j]);
      bool const atLower = isNumber(r_.lower[j]) && (toLower <= near || x_[j] < r_.lower[j]),
                 atUpper = isNumber(r_.upper[j]) && (toUpper <= near || x_[j] > r_.upper[j]);
      inside_[j] = !atLower && !atUpper;
      if (atLower)
        x_[j] = r_.lower[j];
      else if (atUpper)
        x_[j] = r_.upper[j];
    }
  }

  void placeRows() {
    for (std::size_t i = 0; i < target_.size(); ++i) {
      double const lower = r_.rowLower[i], upper = r_.rowUpper[i];
      if (lower == -infinity && upper == infinity) continue;
      double const value = activityOf(i).value.hi;
      if (lower == upper || value < lower || (isNumber(lower) && distanceTo(value, lower) <= near))
        target_[i] = lower;
      else if (value > upper || (isNumber(upper) && distanceTo(value, upper) <= near))
        target_[i] = upper;
    }
  }

  /// The activity of a row at x_ + low_: exactly, or in about twice the digits of a pair.
  template <class Terms = Sum>
  Bounded activityOf(std::size_t i) {
    Terms sum;
    for (auto const [j, a] : r_.byRows.column(static_cast<int>(i)))
      if (x_[at(j)] != 0.0 || low_[at(j)] != 0.0) sum.add(DoubleDouble(x_[at(j)], low_[at(j)]), a);
    work_ -= static_cast<double>(r_.byRows.columnIndices(static_cast<int>(i)).size());
    return sum.value();
  }

  /// False: there is no time.
  bool factor() {
    equations_.clear();
    columns_.clear();
    std::vector<int> placeOf(x_.size(), -1);
    std::vector<Line> lines;
    Line line;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      if (target_[i] == infinity) continue;
      line.clear();
      for (auto const [j, a] : r_.byRows.column(static_cast<int>(i))) {
        if (!inside_[at(j)] || a == 0.0) continue;
        if (placeOf[at(j)] < 0) {
          placeOf[at(j)] = static_cast<int>(columns_.size());
          columns_.push_back(j);
        }
        line.emplace_back(placeOf[at(j)], DoubleDouble(a));
      }
      work_ -= 20.0 * static_cast<double>(line.size());  // they are put into lists
      if (work_ < 0.0) return false;
      equations_.push_back(static_cast<int>(i));
      lines.push_back(line);
    }
    factors_.emplace(std::move(lines), static_cast<int>(columns_.size()), work_, limits_.stop);
    if (stops()) return false;
    leftOver_.clear();
    for (int const k : factors_->leftOver())
      if (!follows(k)) leftOver_.push_back(k);
    return !stops();
  }

  /// Whether the equation holds wherever those with pivots do: exactly, as a sum of whole multiples
  /// of them, or of multiples that are doubles.
  bool follows(int k) {
    Combination const y = factors_->multipliersOf(k);
    work_ -= 4.0 * static_cast<double>(y.size());
    for (int multiple = 1; multiple <= largestMultiple; ++multiple)
      if (std::ranges::all_of(y, [multiple](auto const& part) {
            double const number = part.second * multiple;
            return std::fabs(number - std::round(number)) < 1e-7;
          }))
        return vanishes(k, y, multiple, true);
    return vanishes(k, y, 1, false);
  }

  bool vanishes(int k, Combination const& y, int multiple, bool whole) {
    std::vector<std::tuple<int, double, double>> terms;  // column, factor and coefficient
    ExactSum rest;
    auto const add = [&](int equation, double times) {
      int const row = equations_[at(equation)];
      rest.add(-times, target_[at(row)]);
      for (auto const [j, a] : r_.byRows.column(row)) {
        if (inside_[at(j)])
          terms.emplace_back(j, times, a);
        else
          rest.add(double_double::twoProduct(times, a), x_[at(j)]);
      }
    };
    add(k, -multiple);
    for (auto const& [equation, times] : y)
      add(equation, whole ? std::round(times * multiple) : times);
    if (!rest.value().isZero()) return false;
    std::ranges::sort(terms);
    work_ -= 10.0 * static_cast<double>(terms.size());
    for (auto next = terms.begin(); next != terms.end();) {
      int const column = std::get<0>(*next);
      ExactSum sum;
      for (; next != terms.end() && std::get<0>(*next) == column; ++next)
        sum.add(std::get<1>(*next), std::get<2>(*next));
      if (!sum.value().isZero()) return false;
    }
    return true;
  }

  /// An entry that is not solved for, or the activity of a row, with what it adds to an equation
  /// when it leaves its nearer bound.
  struct Resting {
    int column = -1, row = -1;
    double rate = 0.0;
  };

  /// Makes each equation without a pivot one that has: an entry goes inside by what the equation
  /// misses, or another one does first, so that it follows. Later steps are smaller, so that they
  /// do not undo the ones before.
  bool moveInside() {
    step_ *= laterSteps;
    std::vector<char> movedColumn(x_.size()), movedRow(target_.size());
    auto const moved = [&](Resting const& resting) -> char& {
      return resting.column >= 0 ? movedColumn[at(resting.column)] : movedRow[at(resting.row)];
    };
    for (int const k : leftOver_) {
      constexpr double rounding = 1e-9;
      Resting up, down;
      double const missing = visitResting(k, [&](Resting const& resting) {
        Resting& best = resting.rate > 0.0 ? up : down;
        if (std::fabs(resting.rate) > std::fabs(best.rate)) best = resting;
      });
      if (stops()) return false;
      if (!isNumber(missing)) continue;  // it is made of one that is none any more
      if (up.rate < rounding) up = {};
      if (down.rate > -rounding) down = {};
      double const beyond = 1e-4 * step_ * std::max(up.rate, -down.rate);
      bool const upFollows = std::fabs(missing) > beyond ? missing > 0.0 : up.rate > -down.rate;
      Resting const &follower = upFollows ? up : down, &mover = upFollows ? down : up;
      bool const moves = std::fabs(missing) <= beyond;
      if (follower.rate == 0.0 || (moves && mover.rate == 0.0)) {
        if (!release(k, up.rate == 0.0 ? down : up)) {
          freeze(k);
          return false;
        }
        continue;
      }
      if (moved(follower) || (moves && moved(mover))) continue;  // in the next round
      moved(follower) = 1;
      double by = std::fabs(missing);
      if (moves) {
        moved(mover) = 1;
        by = move(mover, step_) * std::fabs(mover.rate);
      }
      move(follower, by / std::fabs(follower.rate), false);
      if (follower.column >= 0)
        inside_[at(follower.column)] = 1;
      else
        target_[at(follower.row)] = infinity;
    }
    return true;
  }

  /// Where nothing can follow: a row with another bound may be inside by rounding, and so may an
  /// entry that was off its bound.
  bool release(int k, Resting const& resting) {
    auto const i = at(equations_[at(k)]);
    if (r_.rowLower[i] < r_.rowUpper[i]) {
      target_[i] = infinity;
      return true;
    }
    if (resting.column < 0) return false;
    auto const j = at(resting.column);
    if (start_[j] <= r_.lower[j] || start_[j] >= r_.upper[j]) return false;
    x_[j] = start_[j];
    inside_[j] = 1;
    return true;
  }

  /// What went inside, and so made the equation impossible, is to stay on its bound.
  void freeze(int k) {
    visitResting(k, [&](Resting const& resting) {
      auto const v = at(resting.column >= 0 ? resting.column : resting.row);
      bool const isColumn = resting.column >= 0;
      double const value = isColumn ? x_[v] : target_[v];
      bool const rests = isColumn ? value == r_.lower[v] || value == r_.upper[v]
                                  : value == r_.rowLower[v] || value == r_.rowUpper[v];
      if (!rests) frozen_[isColumn ? v : x_.size() + v] = 1;
    });
  }

  static bool restsBelow(double value, double lower, double upper) {
    return !(std::fabs(upper - value) < std::fabs(value - lower));
  }

  /// Returns what the equation, less those with pivots that make it up, misses.
  double visitResting(int k, auto const& visit) {
    Combination y = factors_->multipliersOf(k);
    for (auto& part : y) part.second = -part.second;
    y.emplace_back(k, 1.0);
    std::map<int, double> rates;
    Sum missing;
    for (auto const& [equation, times] : y) {
      int const i = equations_[at(equation)];
      double const lower = r_.rowLower[at(i)], upper = r_.rowUpper[at(i)], target = target_[at(i)];
      missing.add(target, times);
      for (auto const [j, a] : r_.byRows.column(i)) {
        if (inside_[at(j)]) continue;
        rates[j] += times * a;
        missing.add(double_double::twoProduct(times, a), -x_[at(j)]);
      }
      work_ -= 10.0 * static_cast<double>(r_.byRows.columnIndices(i).size());
      if (target < infinity && lower < upper && !frozen_[x_.size() + at(i)])
        visit(Resting{-1, i, restsBelow(target, lower, upper) ? -times : times});
    }
    for (auto const& [j, rate] : rates) {
      double const lower = r_.lower[at(j)], upper = r_.upper[at(j)];
      if (lower < upper && !frozen_[at(j)])
        visit(Resting{j, -1, restsBelow(x_[at(j)], lower, upper) ? rate : -rate});
    }
    return missing.value().value.hi;
  }

  /// How far it went.
  double move(Resting const& resting, double step, bool relative = true) {
    bool const isColumn = resting.column >= 0;
    std::size_t const k = at(isColumn ? resting.column : resting.row);
    double const lower = isColumn ? r_.lower[k] : r_.rowLower[k],
                 upper = isColumn ? r_.upper[k] : r_.rowUpper[k];
    double& value = isColumn ? x_[k] : target_[k];
    double const before = value;
    if (relative) step *= 1.0 + std::fabs(value);
    step = std::min(step, (upper - lower) / 4.0);
    value += restsBelow(value, lower, upper) ? step : -step;
    return std::fabs(value - before);
  }

  std::optional<LocatedPoint> located() {
    std::vector<double> residual(equations_.size()), most(equations_.size());
    for (int refinement = 0; refinement <= refinements; ++refinement) {
      bool refined = true;
      for (auto const& pivot : factors_->pivots()) {
        auto const i = at(equations_[at(pivot.row)]);
        Bounded const missing = Bounded(target_[i]) - activityOf(i);
        residual[at(pivot.row)] = missing.value.hi;
        most[at(pivot.row)] = missing.most();
        refined &= std::fabs(missing.value.hi) <= enough * (1.0 + std::fabs(target_[i]));
      }
      if (refined || refinement == refinements || stops()) break;
      std::vector<double> const step = factors_->solve(residual);
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        auto const j = at(columns_[k]);
        DoubleDouble sum = DoubleDouble(x_[j], low_[j]) + DoubleDouble(step[k]);
        // What is a double exactly satisfies most rows exactly.
        if (std::fabs(sum.lo) < noise * std::fabs(sum.hi)) sum.lo = 0.0;
        if (std::fabs(sum.hi) < noise) sum = {};
        x_[j] = sum.hi;
        low_[j] = sum.lo;
      }
    }
    // A box that contains its image.
    std::vector<double> box = factors_->boundOfSolve(most), image;
    bool contained = false;
    for (int trial = 0; trial < trials && !contained; ++trial) {
      for (double& width : box) width *= 1.25;
      std::vector<double> off = factors_->boundOfError(box);
      for (std::size_t k = 0; k < off.size(); ++k) off[k] = upward(off[k] + most[k]);
      image = factors_->boundOfSolve(std::move(off));
      contained = std::ranges::equal(image, box, std::less_equal());
      if (!contained) box = image;
    }
    if (!contained) return {};
    LocatedPoint point{std::move(x_), std::move(low_), std::vector<double>(inside_.size())};
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (!isNumber(box[k])) return {};
      point.radius[at(columns_[k])] = box[k];
    }
    x_ = point.high;
    low_ = point.low;
    return isInside(point) ? std::optional(std::move(point)) : std::nullopt;
  }

  bool isInside(LocatedPoint const& point) {
    std::vector<char> solved(target_.size());
    for (int const i : equations_) solved[at(i)] = 1;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      Bounded const value(DoubleDouble(x_[j], low_[j]), point.radius[j]);
      if (violationOf(value, r_.lower[j], r_.upper[j]) != 0.0) return false;
    }
    for (std::size_t i = 0; i < target_.size(); ++i) {
      if (solved[i]) {
        if (!(target_[i] >= r_.rowLower[i] && target_[i] <= r_.rowUpper[i])) return false;
        continue;
      }
      double off = 0.0;
      for (auto const [j, a] : r_.byRows.column(static_cast<int>(i)))
        off += std::fabs(a) * point.radius[at(j)];
      auto const violates = [&](Bounded value) {
        value.error = upward(value.error + off);
        return violationOf(value, r_.rowLower[i], r_.rowUpper[i]) != 0.0;
      };
      if (violates(activityOf(i)) && violates(activityOf<ExactSum>(i))) return false;
    }
    return true;
  }

  Region const& r_;
  SearchLimits const& limits_;
  std::vector<char>& frozen_;  ///< columns, then rows, that have to stay on their bounds
  double& work_;
  double step_;
  std::vector<double> const& start_;
  std::vector<double> x_, low_;
  std::vector<char> inside_;    ///< by column: it is none of a bound
  std::vector<double> target_;  ///< by row: the right-hand side of its equation; infinite: none
  std::vector<int> equations_, columns_;  ///< rows and columns of the system
  std::optional<BoundedFactors> factors_;
  std::vector<int> leftOver_;  ///< equations
};

}  // namespace

std::optional<LocatedPoint> locate(Region const& region, std::vector<double> x,
                                   SearchLimits const& limits) {
  double work = limits.work;
  if (work < static_cast<double>(region.byRows.nonzeros())) return {};
  std::vector<char> frozen(region.lower.size() + region.rowLower.size());
  // The smallest step that is beyond the rounding of the point gives the narrowest enclosure.
  for (double const step : {1e-10, 1e-7, 1e-5})
    for (int trial = 0; trial < trials; ++trial) {
      auto const before = std::ranges::count(frozen, 1);
      if (auto point = Search(region, x, step, limits, frozen, work).run()) return point;
      if (std::ranges::count(frozen, 1) == before) break;
    }
  return {};
}

}  // namespace osi_cuda::proof
