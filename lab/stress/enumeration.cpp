// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace osi_cuda::stress {
namespace {

__extension__ typedef __int128 Whole;
__extension__ typedef unsigned __int128 Size;

/// What the enumeration does not settle.
struct Beyond {};

Whole times(Whole a, Whole b) {
  Whole product;
  if (__builtin_mul_overflow(a, b, &product)) throw Beyond();
  return product;
}

Whole plus(Whole a, Whole b) {
  Whole sum;
  if (__builtin_add_overflow(a, b, &sum)) throw Beyond();
  return sum;
}

Whole floorOf(Whole a, Whole b) {  // b > 0
  return a / b - (a % b < 0);
}

mpq_class rational(Whole value) {
  bool const negative = value < 0;
  auto const size = negative ? -static_cast<Size>(value) : value;
  mpz_class whole = static_cast<unsigned long>(size >> 64);
  whole = (whole << 64) + static_cast<unsigned long>(size);
  return negative ? mpz_class(-whole) : whole;
}

/// value = digits 2^exponent, digits odd or 0.
struct Binary {
  std::int64_t digits = 0;
  int exponent = 0;
  explicit Binary(double value) {
    if (value == 0.0) return;
    digits = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    exponent -= 53;
    for (; digits % 2 == 0; digits /= 2) ++exponent;
  }
};

struct Entry {
  int column;
  Whole value;
};

/// A row, scaled by a power of two so that all its numbers are whole.
struct Row {
  std::vector<Entry> entries;
  Whole lower = 0, upper = 0;
  bool hasLower = false, hasUpper = false;
  int scale = 0;  ///< the row times 2^scale
};

Row rowOf(std::vector<std::pair<int, double>> const& entries, double lower, double upper) {
  Row row;
  row.hasLower = std::isfinite(lower);
  row.hasUpper = std::isfinite(upper);
  int least = 0;
  auto const look = [&](double value) {
    if (std::isfinite(value) && value != 0.0) least = std::min(least, Binary(value).exponent);
  };
  for (auto const& [column, value] : entries) look(value);
  look(lower);
  look(upper);
  auto const scaled = [&](double value) {
    Binary const binary(value);
    int const shift = binary.exponent - least;
    if (binary.digits == 0) return Whole{0};
    if (shift > 120) throw Beyond();
    return times(binary.digits, Whole{1} << shift);
  };
  for (auto const& [column, value] : entries) row.entries.push_back({column, scaled(value)});
  if (row.hasLower) row.lower = scaled(lower);
  if (row.hasUpper) row.upper = scaled(upper);
  row.scale = -least;
  return row;
}

constexpr std::int64_t none = std::int64_t{1} << 62;  ///< an absent bound
constexpr double most = 1e15;                         ///< of a finite one

struct Range {
  std::int64_t lower, upper;
  bool fixed() const { return lower == upper; }
  bool finite() const { return lower > -none && upper < none; }
};

/// g'y <= h
struct Halfspace {
  std::vector<mpq_class> normal;
  mpq_class side;
};

class Enumeration {
 public:
  Enumeration(LinearProgram const& lp, Allowance const& allowance, std::int64_t mostNodes)
      : lp_(lp), mostNodes_(mostNodes), sign_(lp.sense == Sense::minimize ? 1.0 : -1.0) {
    auto const slack = [&](double side, double more) {
      // A multiple of 2^-30, so that rows stay short.
      return std::ceil(std::ldexp(allowance.sides * (1 + std::fabs(side)) + more, 30)) * 0x1p-30;
    };
    std::vector<std::vector<std::pair<int, double>>> entries(lp.rows());
    std::vector<double> more(lp.rows(), 0.0);
    for (int j = 0; j < lp.columns(); ++j)
      for (std::int64_t k = lp.matrix.starts[j]; k < lp.matrix.starts[j + 1]; ++k) {
        entries[lp.matrix.indices[k]].emplace_back(j, lp.matrix.values[k]);
        if (lp.integer[j])
          more[lp.matrix.indices[k]] += allowance.whole * std::fabs(lp.matrix.values[k]);
      }
    for (int i = 0; i < lp.rows(); ++i)
      rows_.push_back(rowOf(entries[i], lp.rowLower[i] - slack(lp.rowLower[i], more[i]),
                            lp.rowUpper[i] + slack(lp.rowUpper[i], more[i])));
    std::vector<std::pair<int, double>> costs;
    for (int j = 0; j < lp.columns(); ++j)
      if (lp.objective[j] != 0.0) costs.emplace_back(j, sign_ * lp.objective[j]);
    rows_.push_back(rowOf(costs, -infinity, infinity));
    for (int j = 0; j < lp.columns(); ++j) {
      double const lower = lp.columnLower[j] - slack(lp.columnLower[j], allowance.whole);
      double const upper = lp.columnUpper[j] + slack(lp.columnUpper[j], allowance.whole);
      if ((std::isfinite(lower) && std::fabs(lower) > most) ||
          (std::isfinite(upper) && std::fabs(upper) > most))
        throw Beyond();
      // Of a continuous column whole numbers around its bounds; they are not tightened.
      bool const whole = lp.integer[j];
      ranges_.push_back({std::isfinite(lower) ? static_cast<std::int64_t>(whole ? std::ceil(lower)
                                                                                : std::floor(lower))
                                              : -none,
                         std::isfinite(upper) ? static_cast<std::int64_t>(whole ? std::floor(upper)
                                                                                : std::ceil(upper))
                                              : none});
      if (whole) continue;
      continuous_.push_back(j);
      bounds_.emplace_back(lower, upper);
      // Only then an optimum is at a vertex, or there is none.
      bool const pointed = std::isfinite(lower) || std::isfinite(upper);
      double const cost = sign_ * lp.objective[j];
      if (!pointed || (cost > 0.0 && !std::isfinite(lower)) ||
          (cost < 0.0 && !std::isfinite(upper)))
        throw Beyond();
    }
    if (continuous_.size() > 3) throw Beyond();
  }

  IntegerTruth run() {
    if (!settledByDivisor()) split(ranges_);
    truth_.known = true;
    truth_.optimum *= sign_ > 0.0 ? 1 : -1;
    return truth_;
  }

 private:
  /// One row of free integers, costs a multiple of it: the row takes each multiple of the greatest
  /// common divisor.
  bool settledByDivisor() {
    if (rows_.size() != 2 || !continuous_.empty()) return false;
    Row const &row = rows_[0], &costs = rows_[1];
    if (row.entries.size() != ranges_.size() || !row.hasLower || !row.hasUpper) return false;
    for (Range const& range : ranges_)
      if (range.lower != -none || range.upper != none) return false;
    if (!costs.entries.empty()) {
      if (costs.entries.size() != row.entries.size()) return false;
      for (std::size_t k = 0; k < row.entries.size(); ++k)
        if (times(costs.entries[k].value, row.entries[0].value) !=
            times(row.entries[k].value, costs.entries[0].value))
          return false;
    }
    Whole divisor = 0;
    for (Entry const& entry : row.entries) {
      Whole a = entry.value < 0 ? -entry.value : entry.value;
      for (; a != 0; std::swap(a, divisor)) divisor %= a;
    }
    Whole const first = -floorOf(-row.lower, divisor), last = floorOf(row.upper, divisor);
    truth_.feasible = first <= last;
    if (!truth_.feasible) return true;
    mpq_class const slope =
        costs.entries.empty() ? mpq_class(0)
                              : mpq_class(mpq_class(sign_ * lp_.objective[row.entries[0].column]) /
                                          rational(row.entries[0].value));
    truth_.optimum = offset() + slope * rational(times(divisor, slope > 0 ? first : last));
    return true;
  }

  mpq_class offset() const { return mpq_class(sign_ * lp_.objectiveOffset); }

  /// Tightens the ranges of integer columns until nothing follows; false: no point is left.
  bool propagate(std::vector<Range>& ranges) {
    for (int round = 0; round < 30; ++round) {
      bool changed = false;
      for (Row const& row : rows_) {
        if (!row.hasLower && !row.hasUpper) continue;
        // The least and the largest activity; each side as an upper one.
        for (int const side : {1, -1}) {
          if (side > 0 ? !row.hasUpper : !row.hasLower) continue;
          Whole const limit = side > 0 ? row.upper : -row.lower;
          Whole least = 0;
          int infinite = 0, where = -1;
          for (Entry const& entry : row.entries) {
            Whole const a = side * entry.value;
            std::int64_t const at = a > 0 ? ranges[entry.column].lower : ranges[entry.column].upper;
            if (std::abs(at) == none) {
              ++infinite;
              where = entry.column;
            } else {
              least = plus(least, times(a, at));
            }
          }
          if (infinite == 0 && least > limit) return false;
          if (infinite > 1) continue;
          for (Entry const& entry : row.entries) {
            if (!lp_.integer[entry.column] || (infinite == 1 && where != entry.column)) continue;
            Whole const a = side * entry.value;
            Range& range = ranges[entry.column];
            Whole const own = infinite == 1 ? 0 : times(a, a > 0 ? range.lower : range.upper);
            Whole const room = plus(limit, plus(own, -least));
            if (a > 0) {
              Whole const upper = floorOf(room, a);
              if (upper >= range.upper) continue;
              if (upper < range.lower || upper < -none) return false;
              range.upper = static_cast<std::int64_t>(upper);
            } else {
              Whole const lower = -floorOf(room, -a);
              if (lower <= range.lower) continue;
              if (lower > range.upper || lower > none) return false;
              range.lower = static_cast<std::int64_t>(lower);
            }
            changed = true;
          }
        }
      }
      if (!changed) return true;
    }
    return true;
  }

  void split(std::vector<Range> ranges) {
    if (++truth_.nodes > mostNodes_) throw Beyond();
    for (int j = 0; j < lp_.columns(); ++j)
      if (ranges[j].lower > ranges[j].upper) return;
    if (!propagate(ranges)) return;
    int chosen = -1;
    for (int j = 0; j < lp_.columns(); ++j) {
      if (!lp_.integer[j] || ranges[j].fixed()) continue;
      if (!ranges[j].finite()) {
        if (chosen < 0) chosen = -2;
      } else if (chosen < 0 ||
                 ranges[j].upper - ranges[j].lower < ranges[chosen].upper - ranges[chosen].lower) {
        chosen = j;
      }
    }
    if (chosen == -2) throw Beyond();
    if (chosen == -1) return settle(ranges);
    std::int64_t const lower = ranges[chosen].lower, upper = ranges[chosen].upper;
    std::int64_t const middle = lower + (upper - lower) / 2;
    Range const low{lower, middle}, high{middle + 1, upper};
    bool const lowFirst = sign_ * lp_.objective[chosen] >= 0.0;
    for (Range const& part : {lowFirst ? low : high, lowFirst ? high : low}) {
      ranges[chosen] = part;
      split(ranges);
    }
  }

  /// All integer columns are fixed.
  void settle(std::vector<Range> const& ranges) {
    mpq_class value = offset();
    for (int j = 0; j < lp_.columns(); ++j)
      if (lp_.integer[j]) value += mpq_class(sign_ * lp_.objective[j]) * mpq_class(ranges[j].lower);
    if (continuous_.empty()) {
      for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
        Whole sum = 0;
        for (Entry const& entry : rows_[i].entries)
          sum = plus(sum, times(entry.value, ranges[entry.column].lower));
        if ((rows_[i].hasLower && sum < rows_[i].lower) ||
            (rows_[i].hasUpper && sum > rows_[i].upper))
          return;
      }
      return take(value);
    }
    std::vector<Halfspace> spaces;
    auto const add = [&](std::vector<mpq_class> normal, mpq_class const& side, int sign) {
      for (mpq_class& a : normal) a *= sign;
      spaces.push_back({std::move(normal), sign * side});
    };
    std::size_t const n = continuous_.size();
    for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
      Whole sum = 0;
      std::vector<mpq_class> normal(n);
      for (Entry const& entry : rows_[i].entries) {
        auto const found = std::find(continuous_.begin(), continuous_.end(), entry.column);
        if (found == continuous_.end())
          sum = plus(sum, times(entry.value, ranges[entry.column].lower));
        else
          normal[found - continuous_.begin()] = rational(entry.value);
      }
      if (rows_[i].hasUpper) add(normal, rational(plus(rows_[i].upper, -sum)), 1);
      if (rows_[i].hasLower) add(normal, rational(plus(rows_[i].lower, -sum)), -1);
    }
    std::vector<mpq_class> costs;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<mpq_class> unit(n);
      unit[k] = 1;
      if (std::isfinite(bounds_[k].second)) add(unit, mpq_class(bounds_[k].second), 1);
      if (std::isfinite(bounds_[k].first)) add(unit, mpq_class(bounds_[k].first), -1);
      costs.push_back(mpq_class(sign_ * lp_.objective[continuous_[k]]));
    }
    // One that holds for all or for none.
    auto const constant = [](Halfspace const& space) {
      return std::all_of(space.normal.begin(), space.normal.end(),
                         [](mpq_class const& a) { return a == 0; });
    };
    for (Halfspace const& space : spaces)
      if (constant(space) && space.side < 0) return;
    std::erase_if(spaces, constant);
    std::vector<std::size_t> corner(n);
    std::iota(corner.begin(), corner.end(), 0);
    for (bool more = spaces.size() >= n; more; more = next(corner, spaces.size())) {
      auto const point = meeting(spaces, corner);
      if (point.empty()) continue;
      mpq_class at = value;
      for (std::size_t k = 0; k < n; ++k) at += costs[k] * point[k];
      if (truth_.feasible && at >= truth_.optimum) continue;
      if (std::all_of(spaces.begin(), spaces.end(), [&](Halfspace const& space) {
            mpq_class sum = 0;
            for (std::size_t k = 0; k < n; ++k) sum += space.normal[k] * point[k];
            return sum <= space.side;
          }))
        take(at);
    }
  }

  static bool next(std::vector<std::size_t>& chosen, std::size_t count) {
    for (std::size_t k = chosen.size(); k-- > 0;) {
      if (chosen[k] + chosen.size() - k >= count) continue;
      ++chosen[k];
      for (std::size_t l = k + 1; l < chosen.size(); ++l) chosen[l] = chosen[l - 1] + 1;
      return true;
    }
    return false;
  }

  /// Where the boundaries of these meet; empty: not in one point.
  static std::vector<mpq_class> meeting(std::vector<Halfspace> const& spaces,
                                        std::vector<std::size_t> const& corner) {
    std::size_t const n = corner.size();
    std::vector<std::vector<mpq_class>> a;
    for (std::size_t const k : corner) {
      a.push_back(spaces[k].normal);
      a.back().push_back(spaces[k].side);
    }
    for (std::size_t c = 0; c < n; ++c) {
      std::size_t pivot = c;
      while (pivot < n && a[pivot][c] == 0) ++pivot;
      if (pivot == n) return {};
      std::swap(a[c], a[pivot]);
      for (std::size_t r = 0; r < n; ++r) {
        if (r == c || a[r][c] == 0) continue;
        mpq_class const factor = a[r][c] / a[c][c];
        for (std::size_t k = c; k <= n; ++k) a[r][k] -= factor * a[c][k];
      }
    }
    std::vector<mpq_class> point;
    for (std::size_t c = 0; c < n; ++c) point.push_back(a[c][n] / a[c][c]);
    return point;
  }

  /// A point of this objective: from now on only better ones are looked for.
  void take(mpq_class const& value) {
    if (truth_.feasible && value >= truth_.optimum) return;
    truth_.feasible = true;
    truth_.optimum = value;
    Row& costs = rows_.back();
    mpq_class scaled = value - offset();
    scaled *= mpq_class(mpz_class(1) << costs.scale);
    mpz_class limit;
    mpz_cdiv_q(limit.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
    if (continuous_.empty() || costs.entries.empty()) limit -= 1;
    if (mpz_sizeinbase(limit.get_mpz_t(), 2) > 120) return;
    mpz_class const size = abs(limit);
    mpz_class const high = size >> 64, low = size - (high << 64);
    Whole const whole = (Whole{static_cast<std::int64_t>(high.get_ui())} << 64) + low.get_ui();
    costs.upper = limit < 0 ? -whole : whole;
    costs.hasUpper = true;
  }

  LinearProgram const& lp_;
  std::int64_t mostNodes_;
  double sign_;
  std::vector<Row> rows_;  ///< the last one: the costs of a minimum
  std::vector<Range> ranges_;
  std::vector<int> continuous_;
  std::vector<std::pair<double, double>> bounds_;  ///< of the continuous columns
  IntegerTruth truth_;
};

/// Every way to decide semicontinuous columns and sets, one after the other; columns that are 0
/// then count as integers.
class Decisions {
 public:
  Decisions(LinearProgram const& lp, Allowance const& allowance, std::int64_t mostNodes)
      : lp_(lp), allowance_(allowance), left_(mostNodes) {
    lp_.integer.resize(at(lp.columns()));
    total_.known = true;
  }

  IntegerTruth run() {
    decideColumn(0);
    return total_;
  }

 private:
  using Bounds = std::pair<std::vector<double>, std::vector<double>>;
  Bounds bounds() const { return {lp_.columnLower, lp_.columnUpper}; }
  void restore(Bounds const& bounds) { std::tie(lp_.columnLower, lp_.columnUpper) = bounds; }
  void keep(int column, double lower, double upper) {
    lp_.columnLower[at(column)] = std::max(lp_.columnLower[at(column)], lower);
    lp_.columnUpper[at(column)] = std::min(lp_.columnUpper[at(column)], upper);
  }

  void decideColumn(std::size_t k) {
    if (k == lp_.choices.semicontinuous.size()) return decideSet(0);
    auto const [column, on] = lp_.choices.semicontinuous[k];
    Bounds const before = bounds();
    keep(column, 0.0, 0.0);
    decideColumn(k + 1);
    restore(before);
    keep(column, on > 0.0 ? on : -infinity, on < 0.0 ? on : infinity);
    decideColumn(k + 1);
    restore(before);
  }

  void decideSet(std::size_t s) {
    if (s == lp_.choices.sets.size()) return settle();
    OrderedSet const& set = lp_.choices.sets[s];
    int const size = static_cast<int>(set.columns.size());
    for (int first = 0; first == 0 || first + set.type <= size; ++first) {
      Bounds const before = bounds();
      for (int k = 0; k < size; ++k)
        if (k < first || k >= first + set.type) keep(set.columns[at(k)], 0.0, 0.0);
      decideSet(s + 1);
      restore(before);
    }
  }

  void settle() {
    LinearProgram one = lp_;
    for (int j = 0; j < one.columns(); ++j) {
      if (one.columnLower[at(j)] > one.columnUpper[at(j)]) return;
      if (one.columnLower[at(j)] == 0.0 && one.columnUpper[at(j)] == 0.0) one.integer[at(j)] = 1;
    }
    IntegerTruth const found = Enumeration(one, allowance_, left_).run();
    left_ -= found.nodes;
    total_.nodes += found.nodes;
    if (!found.feasible) return;
    bool const isBetter = one.sense == Sense::minimize ? found.optimum < total_.optimum
                                                       : found.optimum > total_.optimum;
    if (!total_.feasible || isBetter) total_.optimum = found.optimum;
    total_.feasible = true;
  }

  LinearProgram lp_;
  Allowance const allowance_;
  std::int64_t left_;
  IntegerTruth total_;
};

}  // namespace

IntegerTruth enumerated(LinearProgram const& lp, Allowance const& allowance,
                        std::int64_t mostNodes) {
  try {
    return lp.choices.empty() ? Enumeration(lp, allowance, mostNodes).run()
                              : Decisions(lp, allowance, mostNodes).run();
  } catch (Beyond const&) {
    return {};
  }
}

}  // namespace osi_cuda::stress
