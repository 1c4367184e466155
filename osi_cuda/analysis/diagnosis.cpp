// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/diagnosis.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/spelling.hpp"

namespace osi_cuda {
namespace {

// From where on something is told of. A double has 16 digits, tolerances take 7 of them: what is
// left bears some six decades of difference.
constexpr double farApart = 1e6;      ///< a number and the others of its kind
constexpr double tiny = 1e-9;         ///< beside the others of its row and of its column
constexpr double hugeBound = 1e9;     ///< in place of infinity
constexpr double nearlyEqual = 1e-6;  ///< of rows or columns, relative
constexpr double narrow = 1e-7;       ///< a range, relative to its bounds

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  auto const half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

/// Lines of a matrix, which are its rows or its columns.
struct Lines {
  SparseMatrix matrix;  ///< a line is a column of it
  bool areRows;
  std::vector<MagnitudeRange> range;
  std::vector<double> second;     ///< the largest magnitude but one
  std::vector<double> logarithm;  ///< mean of log10 |a|; NaN: there is none
};

class Examination {
 public:
  explicit Examination(LinearProgram const& lp)
      : lp_(lp),
        columns_(linesOf(lp.matrix, false)),
        rows_(linesOf(lp.matrix.transposed(), true)) {}

  ModelDiagnosis run() {
    ranges();
    coefficients();
    for (Lines const* lines : {&rows_, &columns_}) {
      units(*lines);
      duplicates(*lines);
    }
    bounds();
    costs();
    activities();
    return std::move(result_);
  }

 private:
  std::string name(int variable) const { return variableName(lp_, variable); }
  int numberOf(Lines const& lines, int k) const { return lines.areRows ? lp_.columns() + k : k; }
  void tell(std::string kind, std::string what, std::string advice, std::vector<int> variables) {
    result_.findings.push_back(
        {std::move(kind), std::move(what), std::move(advice), std::move(variables)});
  }

  static Lines linesOf(SparseMatrix matrix, bool areRows) {
    Lines lines{std::move(matrix), areRows, {}, {}, {}};
    ColumnReader read(lines.matrix);
    for (int k = 0; k < lines.matrix.columns; ++k) {
      MagnitudeRange range;
      double second = 0.0, sum = 0.0;
      int count = 0;
      for (auto const [index, value] : read.column(k)) {
        double const size = std::fabs(value);
        if (size == 0.0) continue;
        second = std::max(second, std::min(size, range.most));
        range.add(size, areRows ? k : index, areRows ? index : k);
        sum += std::log10(size);
        ++count;
      }
      lines.range.push_back(range);
      lines.second.push_back(second);
      lines.logarithm.push_back(count > 0 ? sum / count : NAN);
    }
    return lines;
  }

  void ranges() {
    auto const smaller = [](MagnitudeRange const& a, MagnitudeRange const& b) {
      return a.ratio() < b.ratio();
    };
    for (MagnitudeRange const& column : columns_.range) {
      result_.coefficients.add(column.least, column.leastRow, column.leastColumn);
      result_.coefficients.add(column.most, column.mostRow, column.mostColumn);
    }
    if (!rows_.range.empty()) result_.worstRow = *std::ranges::max_element(rows_.range, smaller);
    if (!columns_.range.empty())
      result_.worstColumn = *std::ranges::max_element(columns_.range, smaller);
    for (int j = 0; j < lp_.columns(); ++j) {
      result_.costs.add(lp_.objective[at(j)], -1, j);
      for (double const bound : {lp_.columnLower[at(j)], lp_.columnUpper[at(j)]})
        result_.columnBounds.add(bound, -1, j);
    }
    for (int i = 0; i < lp_.rows(); ++i)
      for (double const bound : {lp_.rowLower[at(i)], lp_.rowUpper[at(i)]})
        result_.rowBounds.add(bound, i, -1);
  }

  // One coefficient far above or below the others of its row and of its column.
  void coefficients() {
    ColumnReader read(columns_.matrix);
    for (int j = 0; j < lp_.columns(); ++j) {
      for (auto const [i, a] : read.column(j)) {
        double const size = std::fabs(a), others = rows_.second[at(i)];
        std::string const place = brief(a) + " in " + name(lp_.columns() + i) + ", " + name(j);
        if (size == rows_.range[at(i)].most && others > 0.0 && size >= farApart * others)
          tell("big_m", place + ": the next largest of the row is " + brief(others),
               "replace a big M by the least bound that is valid, or model the choice otherwise",
               {lp_.columns() + i, j});
        if (size > 0.0 && size <= tiny * rows_.range[at(i)].most &&
            size <= tiny * columns_.range[at(j)].most)
          tell("tiny_coefficient", place + " is lost beside the others of row and column",
               "set it to zero, or correct its unit", {lp_.columns() + i, j});
      }
    }
  }

  // Lines whose coefficients are all in another decade than those of most lines.
  void units(Lines const& lines) {
    std::vector<double> present;
    for (double const mean : lines.logarithm)
      if (!std::isnan(mean)) present.push_back(mean);
    double const usual = median(present), decades = 0.8 * std::log10(farApart);
    for (int k = 0; k < lines.matrix.columns; ++k) {
      double const off = lines.logarithm[at(k)] - usual;
      if (!(std::fabs(off) >= decades) || lines.range[at(k)].ratio() >= farApart) continue;
      tell(lines.areRows ? "row_units" : "column_units",
           name(numberOf(lines, k)) + ": its coefficients are " + brief(std::pow(10.0, off)) +
               " times those of others",
           lines.areRows ? "state the row, with its bounds, in a larger or smaller unit"
                         : "measure the column in a larger or smaller unit",
           {numberOf(lines, k)});
    }
  }

  // Lines with the same places whose entries are, but for a factor, the same to nearlyEqual: sorted
  // by a random combination of their entries, such lines are neighbours.
  void duplicates(Lines const& lines) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> draw(1.0, 2.0);
    std::vector<double> weight(at(lines.matrix.rows));
    for (double& w : weight) w = draw(random);
    struct Key {
      std::size_t length;
      double places, entries;
      int line;
    };
    std::vector<Key> keys;
    ColumnReader read(lines.matrix), other(lines.matrix);
    for (int k = 0; k < lines.matrix.columns; ++k) {
      auto const indices = lines.matrix.columnIndices(k);
      auto const values = read(k);
      if (indices.size() < 2 || values[0] == 0.0) continue;
      Key key{indices.size(), 0.0, 0.0, k};
      for (std::size_t e = 0; e < indices.size(); ++e) {
        key.places += weight[at(indices[e])];
        key.entries += weight[at(indices[e])] * values[e] / values[0];
      }
      keys.push_back(key);
    }
    std::ranges::sort(keys, [](Key const& a, Key const& b) {
      return std::tie(a.length, a.places, a.entries) < std::tie(b.length, b.places, b.entries);
    });
    for (std::size_t k = 1; k < keys.size(); ++k) {
      int const a = keys[k - 1].line, b = keys[k].line;
      auto const indices = lines.matrix.columnIndices(a);
      if (!std::ranges::equal(indices, lines.matrix.columnIndices(b))) continue;
      auto const first = read(a), second = other(b);
      double difference = 0.0, size = 0.0;
      for (std::size_t e = 0; e < first.size(); ++e) {
        double const x = first[e] / first[0], y = second[e] / second[0];
        difference = std::max(difference, std::fabs(x - y));
        size = std::max(size, std::fabs(x));
      }
      // Equal columns of different costs, or equal rows of different bounds, do no harm.
      if (difference == 0.0 || difference > nearlyEqual * size) continue;
      tell(lines.areRows ? "near_duplicate_rows" : "near_duplicate_columns",
           name(numberOf(lines, b)) + " is " + brief(second[0] / first[0]) + " times " +
               name(numberOf(lines, a)) + " but for " + brief(difference / size) + " of it",
           "make them equal, keep one of them, or give the data more digits",
           {numberOf(lines, b), numberOf(lines, a)});
    }
  }

  void bounds() {
    int const n = lp_.columns();
    int free = 0, lastFree = -1;
    for (int v = 0; v < n + lp_.rows(); ++v) {
      double const lower = lowerBound(lp_, v), upper = upperBound(lp_, v);
      double const size = std::max(std::fabs(lower), std::fabs(upper));
      if (lower > upper)
        tell("crossed_bounds",
             name(v) + " is at least " + brief(lower) + " and at most " + brief(upper),
             "no point meets both: correct one of them", {v});
      for (double const bound : {lower, upper})
        if (std::isfinite(bound) && std::fabs(bound) >= hugeBound) {
          tell("huge_bound", name(v) + " has the bound " + brief(bound),
               "leave out a bound that stands for infinity, or use a larger unit", {v});
          break;
        }
      if (lower < upper && std::isfinite(size) && upper - lower <= narrow * size)
        tell("narrow_range",
             name(v) + " lies between bounds that differ by " + brief(upper - lower),
             "make it an equation or fix it, or widen the range beyond the tolerance", {v});
      if (v < n && std::isinf(lower) && std::isinf(upper)) {
        ++free;
        lastFree = v;
      }
    }
    if (free > 0 && free <= std::max(1, n / 100))
      tell("free_column",
           name(lastFree) + (free == 1 ? " has no bounds" : " and others have no bounds") + ": " +
               std::to_string(free) + " of " + std::to_string(n) + " columns",
           "files may need a bound to be given explicitly: check that none is missing", {lastFree});
  }

  void costs() {
    std::vector<double> sizes;
    for (double const cost : lp_.objective)
      if (cost != 0.0) sizes.push_back(std::fabs(cost));
    double const usual = median(sizes);
    for (int j = 0; j < lp_.columns(); ++j) {
      double const cost = std::fabs(lp_.objective[at(j)]);
      if (cost == 0.0) continue;
      if (cost >= farApart * usual)
        tell("large_cost", name(j) + " costs " + brief(cost) + ", most others " + brief(usual),
             "lower a penalty to what suffices, or optimise the aims one after the other "
             "(--objective)",
             {j});
      if (cost <= tiny * usual)
        tell("tiny_cost", name(j) + " costs " + brief(cost) + ", most others " + brief(usual),
             "the tolerance of reduced costs hides it: set it to zero, or optimise it second "
             "(--objective)",
             {j});
    }
  }

  // Rows that no point within the column bounds meets, and columns that nothing holds.
  void activities() {
    int const n = lp_.columns();
    ColumnReader read(rows_.matrix), readColumn(columns_.matrix);
    for (int i = 0; i < lp_.rows(); ++i) {
      double least = 0.0, most = 0.0, terms = 0.0;
      for (auto const [j, entry] : read.column(i)) {
        if (entry == 0.0) continue;
        double const a = entry * lp_.columnLower[at(j)], b = entry * lp_.columnUpper[at(j)];
        least += std::min(a, b);
        most += std::max(a, b);
        for (double const term : {a, b})
          if (std::isfinite(term)) terms += std::fabs(term);
      }
      double const lower = lp_.rowLower[at(i)], upper = lp_.rowUpper[at(i)], slack = 1e-9 * terms;
      if (least > upper + slack || most < lower - slack)
        tell("row_cannot_be_met",
             name(n + i) + ": the bounds of its columns allow " + brief(least) + " to " +
                 brief(most) + ", it asks for " + brief(lower) + " to " + brief(upper),
             "the problem is infeasible by this row alone: correct it or a bound", {n + i});
    }
    for (int j = 0; j < n; ++j) {
      double cost = lp_.objective[at(j)];
      if (lp_.sense == Sense::maximize) cost = -cost;
      if (cost == 0.0) continue;
      int const direction = cost < 0.0 ? 1 : -1;
      if (std::isfinite(direction > 0 ? lp_.columnUpper[at(j)] : lp_.columnLower[at(j)])) continue;
      bool held = false;
      for (auto const [i, a] : readColumn.column(j)) {
        double const rate = direction * a;
        held |=
            rate != 0.0 && std::isfinite(rate > 0.0 ? lp_.rowUpper[at(i)] : lp_.rowLower[at(i)]);
      }
      if (!held)
        tell("unbounded_column",
             name(j) +
                 ": no bound and no row holds it where the objective "
                 "improves",
             "if there is a feasible point, the problem is unbounded: add the missing bound", {j});
    }
  }

  LinearProgram const& lp_;
  Lines const columns_, rows_;
  ModelDiagnosis result_;
};

}  // namespace

void MagnitudeRange::add(double number, int row, int column) {
  double const size = std::fabs(number);
  if (size == 0.0 || !std::isfinite(size)) return;
  if (size < least) {
    least = size;
    leastRow = row;
    leastColumn = column;
  }
  if (size > most) {
    most = size;
    mostRow = row;
    mostColumn = column;
  }
}

ModelDiagnosis diagnose(LinearProgram const& lp) {
  return Examination(lp).run();
}

}  // namespace osi_cuda
