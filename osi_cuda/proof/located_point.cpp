// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/located_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/wide_registers.hpp"
#include "osi_cuda/proof/bounded_factors.hpp"
#include "osi_cuda/proof/exact_sum.hpp"
#include "osi_cuda/proof/formulas.hpp"
#include "osi_cuda/proof/located_room.hpp"

namespace osi_cuda::proof {
namespace {

constexpr double near = 1e-12;      ///< relative to 1 + |bound|: at it, but for rounding
constexpr double noise = 0x1p-80;   ///< of the entries of a point that was refined
constexpr double enough = 0x1p-90;  ///< that an equation misses
constexpr double leastPasses = 6.0;
constexpr int rounds = 4, refinements = 4, trials = 8;
constexpr double mostRoom = 1e4;     ///< of a move, in units of a step
constexpr int largestMultiple = 64;  ///< of an equation that is a combination of others

double distanceTo(double value, double bound) {
  return std::fabs(value - bound) / (1.0 + std::fabs(bound));
}

/// The sum of a line at x + low.
OSI_CUDA_FMA_CLONES Bounded sumOf(SparseMatrix const& lines, int line, double const* x,
                                  double const* low) {
  Sum sum;
  for (auto const [j, a] : lines.column(line))
    if (x[j] != 0.0 || low[j] != 0.0) sum.add(DoubleDouble(x[j], low[j]), a);
  return sum.value();
}

class Search {
 public:
  Search(Region const& region, std::vector<double>& x, std::vector<char>& rests, double step,
         SearchLimits& limits)
      : r_(region),
        limits_(limits),
        step_(step),
        start_(x),
        rests_(rests),
        x_(x),
        low_(x.size()),
        inside_(x.size()),
        target_(region.rowLower.size(), infinity),
        activity_(region.rowLower.size()) {}

  /// Whether another one, of the entries that are to rest on bounds now, may come to more.
  bool isWorthAnother() const { return learnt_ && !stops(); }

  std::optional<LocatedPoint> run() {
    placeColumns();
    placeRows();
    for (int round = 0; round < rounds && !stops(); ++round) {
      if (!factor()) return {};
      if (std::ranges::all_of(leftOver_, [this](int k) { return isLoose(k); })) {
        for (int const k : leftOver_) target_[at(equations_[at(k)])] = infinity;
        return located();
      }
      if (!makeRoom()) return {};
    }
    return {};
  }

 private:
  void look(std::size_t entries) const { limits_.work -= static_cast<double>(entries); }
  bool stops() const { return limits_.work < 0.0 || (limits_.stop && limits_.stop()); }

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
      double const value = (activity_[i] = activityOf(i)).value.hi;
      double const toLower = std::fabs(value - lower), toUpper = std::fabs(upper - value);
      auto const rests = [&](double bound) {
        return isNumber(bound) && (rests_[i] || distanceTo(value, bound) <= near);
      };
      if (lower == upper || value < lower || (!(toUpper < toLower) && rests(lower)))
        target_[i] = lower;
      else if (value > upper || (toUpper <= toLower && rests(upper)))
        target_[i] = upper;
    }
  }

  /// The activity of a row at x_ + low_: exactly, or in about twice the digits of a pair.
  template <class Terms = Sum>
  Bounded activityOf(std::size_t i) {
    auto const row = static_cast<int>(i);
    look(r_.byRows.columnIndices(row).size());
    if constexpr (std::is_same_v<Terms, Sum>) return sumOf(r_.byRows, row, x_.data(), low_.data());
    Terms sum;
    for (auto const [j, a] : r_.byRows.column(row))
      sum.add(DoubleDouble(x_[at(j)], low_[at(j)]), a);
    return sum.value();
  }

  /// False: there is no time.
  bool factor() {
    equations_.clear();
    columns_.clear();
    std::vector<int> placeOf(x_.size(), -1);
    std::size_t entries = 0;
    std::vector<Line> lines;
    lines.reserve(target_.size());
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
      entries += line.size();
      equations_.push_back(static_cast<int>(i));
      lines.push_back(line);
    }
    look(4 * entries);
    // What follows looks at each entry some times more.
    if (limits_.work < leastPasses * static_cast<double>(entries)) return false;
    factors_.emplace(std::move(lines), static_cast<int>(columns_.size()), limits_.work,
                     limits_.stop);
    if (stops()) return false;
    leftOver_.clear();
    following_.clear();
    for (int const k : factors_->leftOver()) (follows(k) ? following_ : leftOver_).push_back(k);
    return !stops();
  }

  /// Whether the equation holds wherever those with pivots do: exactly, as some multiple of it is a
  /// sum of multiples of them that are all doubles.
  bool follows(int k) {
    Line const y = factors_->multipliersOf(k);
    look(4 * y.size());
    auto const vanishesBy = [&](double multiple) {
      return std::ranges::all_of(y,
                                 [multiple](auto const& part) {
                                   DoubleDouble const number = part.second * multiple;
                                   return std::fabs(number.lo) <= 1e-22 * std::fabs(number.hi);
                                 }) &&
             vanishes(k, y, multiple);
    };
    for (int multiple = 1; multiple <= largestMultiple; ++multiple)
      if (vanishesBy(multiple)) return true;
    for (std::size_t e = 0; e < std::min<std::size_t>(y.size(), 4); ++e)
      if (vanishesBy((DoubleDouble(1.0) / y[e].second).hi)) return true;
    return false;
  }

  bool vanishes(int k, Line const& y, double multiple) {
    std::vector<std::tuple<int, double, double>> terms;  // column, factor and coefficient
    ExactSum rest;
    auto const add = [&](int equation, double times) {
      int const row = equations_[at(equation)];
      rest.add(-times, target_[at(row)]);
      for (auto const [j, a] : r_.byRows.column(row)) {
        if (inside_[at(j)])
          terms.emplace_back(j, times, a);
        else if (x_[at(j)] != 0.0)
          rest.add(double_double::twoProduct(times, a), x_[at(j)]);
      }
    };
    add(k, -multiple);
    for (auto const& [equation, times] : y) add(equation, (times * multiple).hi);
    if (!rest.value().isZero()) return false;
    std::ranges::sort(terms);
    look(10 * terms.size());
    for (auto next = terms.begin(); next != terms.end();) {
      int const column = std::get<0>(*next);
      ExactSum sum;
      for (; next != terms.end() && std::get<0>(*next) == column; ++next)
        sum.add(std::get<1>(*next), std::get<2>(*next));
      if (!sum.value().isZero()) return false;
    }
    return true;
  }

  /// A line is a column, or behind all of them a row.
  double& valueOf(std::size_t line) {
    return line < x_.size() ? x_[line] : target_[line - x_.size()];
  }

  Room::Resting restingOf(std::size_t line) {
    std::size_t const i = line - x_.size();
    bool const isColumn = line < x_.size();
    double const lower = isColumn ? r_.lower[line] : r_.rowLower[i],
                 upper = isColumn ? r_.upper[line] : r_.rowUpper[i], value = valueOf(line);
    bool const below = !(std::fabs(upper - value) < std::fabs(value - lower));
    double const unit = step_ * (1.0 + std::fabs(value));
    return {below ? unit : -unit, std::min(mostRoom, (upper - lower) / (4.0 * unit))};
  }

  /// Whether the row of an equation is a little inside where those with pivots hold.
  bool isLoose(int k) {
    auto const i = at(equations_[at(k)]);
    if (r_.rowLower[i] == r_.rowUpper[i]) return false;
    double const missing = visitResting(k, [](std::size_t, double) {}),
                 inside = target_[i] == r_.rowLower[i] ? -missing : missing;
    return inside > 1e-24 * (1.0 + std::fabs(target_[i]));
  }

  /// Moves entries and activities off their bounds so that equations without a pivot hold.
  bool makeRoom() {
    Room room(step_, [this](std::size_t line) { return restingOf(line); });
    std::vector<Room::Rate> rates;
    auto const ratesOf = [&](int k) {
      rates.clear();
      return visitResting(k, [&](std::size_t line, double rate) { rates.push_back({line, rate}); });
    };
    for (int const k : leftOver_) {
      double const missing = ratesOf(k);
      room.require(rates, missing);
    }
    for (int const k : following_) {
      if (stops()) return false;
      ratesOf(k);
      room.keep(rates, x_.size() + at(equations_[at(k)]));
    }
    if (stops()) return false;
    std::vector<Room::Move> const moves = room.moves(limits_);
    if (moves.empty() || stops()) return false;
    isPlaced_ = false;
    for (auto const& [line, by] : moves) valueOf(line) += by;
    std::vector<double> most(equations_.size());
    solve(most);
    for (auto const& [line, by] : moves)
      if (line < x_.size())
        inside_[line] = 1;
      else
        valueOf(line) = infinity;
    return true;
  }

  /// Returns what the equation, less those with pivots that make it up, misses.
  double visitResting(int k, auto const& visit) {
    Line y = factors_->multipliersOf(k);
    y.emplace_back(k, DoubleDouble(-1.0));
    Sum missing;
    for (auto const& [equation, often] : y) {
      int const i = equations_[at(equation)];
      DoubleDouble const times = -often;
      missing.add(times, target_[at(i)]);
      for (auto const [j, a] : r_.byRows.column(i)) {
        if (inside_[at(j)]) continue;
        missing.add(times * a, -x_[at(j)]);
        if (r_.lower[at(j)] < r_.upper[at(j)]) visit(at(j), times.hi * a);
      }
      look(10 * r_.byRows.columnIndices(i).size());
      if (r_.rowLower[at(i)] < r_.rowUpper[at(i)]) visit(x_.size() + at(i), -times.hi);
    }
    return missing.value().value.hi;
  }

  /// Of each equation with a pivot, what it misses, and that at most; false: nearly nothing.
  bool measure(std::vector<double>& residual, std::vector<double>& most) {
    bool misses = false;
    for (auto const& pivot : factors_->pivots()) {
      auto const i = at(equations_[at(pivot.row)]);
      Bounded const missing = Bounded(target_[i]) - (isPlaced_ ? activity_[i] : activityOf(i));
      residual[at(pivot.row)] = missing.value.hi;
      most[at(pivot.row)] = missing.most();
      misses |= !(std::fabs(missing.value.hi) <= enough * (1.0 + std::fabs(target_[i])));
    }
    return misses;
  }

  void correct(std::vector<double> const& residual) {
    isPlaced_ = false;
    look(factors_->entries());
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

  /// Solves the equations with pivots for their entries, as far as pairs of doubles go.
  void solve(std::vector<double>& most) {
    std::vector<double> residual(equations_.size());
    for (int k = 0; measure(residual, most) && k < refinements && !stops(); ++k) correct(residual);
  }

  std::optional<LocatedPoint> located() {
    std::vector<double> most(equations_.size());
    solve(most);
    // A box that contains its image.
    std::vector<double> box = factors_->boundOfSolve(most), image;
    bool contained = false;
    for (int trial = 0; trial < trials && !contained; ++trial) {
      look(2 * factors_->entries());
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

  /// What is not is to rest on its bound next time.
  bool isInside(LocatedPoint const& point) {
    bool all = true;
    std::vector<char> solved(target_.size());
    for (int const i : equations_) solved[at(i)] = target_[at(i)] < infinity;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      Bounded const value(DoubleDouble(x_[j], low_[j]), point.radius[j]);
      if (violationOf(value, r_.lower[j], r_.upper[j]) == 0.0) continue;
      bool const atUpper = std::fabs(r_.upper[j] - x_[j]) < std::fabs(x_[j] - r_.lower[j]);
      double const bound = atUpper ? r_.upper[j] : r_.lower[j];
      learnt_ |= start_[j] != bound;
      start_[j] = bound;
      all = false;
    }
    for (std::size_t i = 0; i < target_.size(); ++i) {
      if (solved[i]) {
        all &= target_[i] >= r_.rowLower[i] && target_[i] <= r_.rowUpper[i];
        continue;
      }
      double off = 0.0;
      look(r_.byRows.columnIndices(static_cast<int>(i)).size());
      for (auto const [j, a] : r_.byRows.column(static_cast<int>(i)))
        off += std::fabs(a) * point.radius[at(j)];
      auto const violates = [&](Bounded value) {
        value.error = upward(value.error + off);
        return violationOf(value, r_.rowLower[i], r_.rowUpper[i]) != 0.0;
      };
      if (!violates(activityOf(i)) || !violates(activityOf<ExactSum>(i))) continue;
      learnt_ |= !std::exchange(rests_[i], 1);
      all = false;
    }
    return all;
  }

  Region const& r_;
  SearchLimits& limits_;
  double step_;
  std::vector<double>& start_;
  std::vector<char>& rests_;  ///< rows that are to rest on a bound
  std::vector<double> x_, low_;
  std::vector<char> inside_;    ///< by column: it is none of a bound
  std::vector<double> target_;  ///< by row: the right-hand side of its equation; infinite: none
  std::vector<int> equations_, columns_;  ///< rows and columns of the system
  std::optional<BoundedFactors> factors_;
  std::vector<Bounded> activity_;  ///< of rows, as x_ was placed
  bool isPlaced_ = true, learnt_ = false;
  std::vector<int> leftOver_, following_;  ///< equations without a pivot
};

}  // namespace

std::optional<LocatedPoint> locate(Region const& region, std::vector<double> x,
                                   SearchLimits& limits) {
  // Each row is looked at, and in the end each bound.
  limits.work -= 2.0 * static_cast<double>(x.size() + region.rowLower.size());
  if (limits.work < static_cast<double>(region.byRows.nonzeros())) return {};
  // The smallest step that is beyond the rounding of the point gives the narrowest enclosure.
  std::vector<char> rests(region.rowLower.size());
  for (double const step : {1e-12, 1e-9})
    for (int trial = 0; trial < 3; ++trial) {
      Search search(region, x, rests, step, limits);
      if (auto point = search.run()) return point;
      if (!search.isWorthAnother()) break;
    }
  return {};
}

}  // namespace osi_cuda::proof
