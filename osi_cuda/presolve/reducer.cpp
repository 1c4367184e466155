// SPDX-License-Identifier: EPL-2.0
// Reductions that CoinUtils has not, or stops short of: parallel rows, equations of two columns and
// implied free columns of equations with a limit of the fill-in (Andersen and Andersen 1995;
// Achterberg, Bixby, Gu, Rothberg and Weninger 2020), singleton rows and rows that bounds imply,
// until nothing changes.

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/presolve/coin_presolve.hpp"
#include "osi_cuda/presolve/reduction_steps.hpp"

namespace osi_cuda {
namespace {

using Kind = ReductionStep::Kind;
using EntryList = std::vector<LineEntry>;

struct Bounds {
  double lower, upper;
  bool equal() const { return lower == upper; }
  Bounds dividedBy(double a) const {
    return a > 0.0 ? Bounds{lower / a, upper / a} : Bounds{upper / a, lower / a};
  }
};

/// What a row can come to at the bounds of its columns, infinite ones counted apart.
struct Activity {
  double sum[2] = {0.0, 0.0};  // least and most
  int open[2] = {0, 0};
  double size = 0.0;  ///< of the terms, for rounding

  void add(double a, Bounds const& x) {
    double const ends[2] = {a > 0.0 ? x.lower : x.upper, a > 0.0 ? x.upper : x.lower};
    for (int k = 0; k < 2; ++k) {
      if (std::isinf(ends[k])) {
        ++open[k];
      } else {
        sum[k] += a * ends[k];
        size = std::max(size, std::fabs(a * ends[k]));
      }
    }
  }
  double least() const { return open[0] > 0 ? -infinity : sum[0]; }
  double most() const { return open[1] > 0 ? infinity : sum[1]; }
};

/// What ends the work early.
struct Ended {
  PresolveEnd end;
};

class Reducer {
 public:
  Reducer(LinearProgram const& lp, PresolveRequest const& request)
      : lp_(lp),
        request_(request),
        tolerance_(request.primalTolerance),
        rows_(at(lp.rows())),
        ofColumn_(at(lp.columns())),
        length_(at(lp.columns())),
        columnGone_(at(lp.columns()), 0),
        rowGone_(at(lp.rows()), 0),
        dirty_(at(lp.rows()), 1),
        seen_(at(lp.rows()), -1),
        cost_(lp.objective) {
    double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
    for (double& c : cost_) c *= sign;
    for (int i = 0; i < lp.rows(); ++i) side_.push_back(known(lp.rowLower, lp.rowUpper, i));
    for (int j = 0; j < lp.columns(); ++j) {
      bound_.push_back(known(lp.columnLower, lp.columnUpper, j));
      for (auto const [i, a] : lp.matrix.column(j)) {
        if (std::fabs(a) <= coin::zeroEntry) continue;
        rows_[at(i)].push_back({j, a});
        ofColumn_[at(j)].push_back(i);
      }
      length_[at(j)] = static_cast<int>(ofColumn_[at(j)].size());
    }
  }

  /// Nothing where there is nothing to take away.
  std::unique_ptr<ReducedLines> run() {
    constexpr int mostPasses = 10;
    for (int pass = 0; pass < mostPasses; ++pass) {
      std::size_t const before = record_.steps.size();
      shortRows();
      parallelRows();
      substitutions();
      // The last few are not worth another look at all rows.
      if (record_.steps.size() - before <= at(lp_.rows()) / 1000) break;
    }
    if (record_.steps.empty()) return nullptr;
    finish();
    return std::make_unique<ReducedLines>(std::move(record_));
  }

 private:
  static Bounds known(std::vector<double> const& lower, std::vector<double> const& upper, int k) {
    return {coin::fromCoin(lower[at(k)]), coin::fromCoin(upper[at(k)])};
  }

  void poll() {
    if (request_.stop && ++polled_ % 1024 == 0 && request_.stop())
      throw Ended{PresolveEnd::stopped};
  }

  double allowed(double size) const { return tolerance_ * std::max(1.0, std::fabs(size)); }

  ReductionStep& take(Kind kind) {
    record_.steps.push_back({});
    ReductionStep& step = record_.steps.back();
    step.kind = kind;
    step.begin = step.middle = step.end = record_.entries.size();
    return step;
  }

  double* find(int i, int j) {
    EntryList& row = rows_[at(i)];
    auto const place = std::ranges::lower_bound(row, j, {}, &LineEntry::index);
    return place != row.end() && place->index == j ? &place->value : nullptr;
  }

  // Lists of columns are not shortened when an entry goes.
  EntryList const& column(int j) {
    gathered_.clear();
    ++stamp_;
    for (int const i : ofColumn_[at(j)]) {
      if (rowGone_[at(i)] || seen_[at(i)] == stamp_) continue;
      seen_[at(i)] = stamp_;
      if (double const* a = find(i, j)) gathered_.push_back({i, *a});
    }
    ofColumn_[at(j)].clear();
    for (LineEntry const& entry : gathered_) ofColumn_[at(j)].push_back(entry.index);
    return gathered_;
  }

  void touch(int i) {
    dirty_[at(i)] = 1;
    for (LineEntry const& entry : rows_[at(i)])
      implied_[at(entry.index)].reached[0] = implied_[at(entry.index)].reached[1] = true;
  }

  void dropRow(int i) {
    for (LineEntry const& entry : rows_[at(i)]) --length_[at(entry.index)];
    rowGone_[at(i)] = 1;
    EntryList().swap(rows_[at(i)]);
  }

  /// Meets bounds with others; `lower` and `upper` of the step say which are the others'.
  void meet(Bounds& own, Bounds const& other, ReductionStep& step) const {
    step.lower = other.lower > own.lower;
    step.upper = other.upper < own.upper;
    Bounds const met{std::max(own.lower, other.lower), std::min(own.upper, other.upper)};
    if (met.lower <= met.upper) {
      own = met;
      return;
    }
    double const apart = met.lower - met.upper;
    if (apart > allowed(met.lower)) throw Ended{PresolveEnd::infeasible};
    // By rounding: both are where the own one is.
    own.lower = own.upper = step.lower ? met.upper : met.lower;
  }

  /// Bounds of columns that single rows imply, with these rows, or -1: no wider than their own.
  struct Implied {
    Bounds bounds;
    int lower = -1, upper = -1;
    bool reached[2] = {false, false};  ///< about: whether rows imply the own bounds, or may by now
    Bounds without(int row, Bounds const& own) const {
      return {lower == row ? own.lower : bounds.lower, upper == row ? own.upper : bounds.upper};
    }
    void forget(int row, Bounds const& own) {
      bounds = without(row, own);
      if (lower == row) lower = -1;
      if (upper == row) upper = -1;
    }
  };

  // From own bounds of the row's other columns. A little wide, for rounding.
  void implyBounds() {
    implied_.clear();
    for (Bounds const& own : bound_)
      implied_.push_back(
          {.bounds = own, .reached = {own.lower == -infinity, own.upper == infinity}});
    for (int i = 0; i < lp_.rows(); ++i) {
      poll();
      if (rowGone_[at(i)] || rows_[at(i)].size() < 2) continue;
      Activity all;
      for (auto const [j, a] : rows_[at(i)]) all.add(a, bound_[at(j)]);
      if (all.open[0] > 1 && all.open[1] > 1) continue;
      Bounds const& side = side_[at(i)];
      double const wider = allowed(all.size);
      for (auto const [j, a] : rows_[at(i)]) {
        Activity own;
        own.add(a, bound_[at(j)]);
        auto const open = [&](int end) { return all.open[end] > own.open[end]; };
        double const least = open(1) ? -infinity : side.lower - (all.sum[1] - own.sum[1]) - wider,
                     most = open(0) ? infinity : side.upper - (all.sum[0] - own.sum[0]) + wider;
        Bounds const found = Bounds{least, most}.dividedBy(a);
        Implied& known = implied_[at(j)];
        double const near = 2.0 * wider / std::fabs(a);
        known.reached[0] = known.reached[0] || found.lower >= bound_[at(j)].lower - near;
        known.reached[1] = known.reached[1] || found.upper <= bound_[at(j)].upper + near;
        if (found.lower > known.bounds.lower) known.bounds.lower = found.lower, known.lower = i;
        if (found.upper < known.bounds.upper) known.bounds.upper = found.upper, known.upper = i;
      }
    }
  }

  // Rows of one entry, and those that bounds imply.
  void shortRows() {
    implyBounds();
    for (int i = 0; i < lp_.rows(); ++i) {
      poll();
      if (rowGone_[at(i)] || !std::exchange(dirty_[at(i)], 0)) continue;
      EntryList const& row = rows_[at(i)];
      if (row.size() == 1) {
        boundRow(i);
        continue;
      }
      Activity activity;
      for (auto const [j, a] : row) activity.add(a, implied_[at(j)].without(i, bound_[at(j)]));
      Bounds const& side = side_[at(i)];
      double const slack = allowed(activity.size);
      if (activity.least() > side.upper + slack || activity.most() < side.lower - slack)
        throw Ended{PresolveEnd::infeasible};
      constexpr double rounding = 1e-13;
      if (activity.least() < side.lower - rounding * activity.size ||
          activity.most() > side.upper + rounding * activity.size)
        continue;
      take(Kind::droppedRow).row = i;
      for (LineEntry const& entry : row)
        implied_[at(entry.index)].forget(i, bound_[at(entry.index)]);
      dropRow(i);
    }
  }

  void boundRow(int i) {
    auto const [j, a] = rows_[at(i)][0];
    Bounds const& side = side_[at(i)];
    ReductionStep& step = take(Kind::boundRow);
    step.row = i;
    step.column = j;
    step.factor = a;
    meet(bound_[at(j)], side.dividedBy(a), step);
    bool const changed = step.lower || step.upper;
    dropRow(i);
    if (changed) boundsChanged(j);
  }

  void boundsChanged(int j) {
    EntryList const& entries = column(j);
    for (LineEntry const& entry : entries) touch(entry.index);
    if (!bound_[at(j)].equal()) return;
    double const x = bound_[at(j)].lower;
    ReductionStep& step = take(Kind::fixedColumn);
    step.column = j;
    step.side = x;
    step.cost = cost_[at(j)];
    record_.entries.insert(record_.entries.end(), entries.begin(), entries.end());
    step.end = record_.entries.size();
    for (auto const [i, a] : entries) {
      EntryList& row = rows_[at(i)];
      row.erase(std::ranges::lower_bound(row, j, {}, &LineEntry::index));
      shift(i, a * x);
    }
    offset_ += cost_[at(j)] * x;
    columnGone_[at(j)] = 1;
  }

  void shift(int i, double by) {
    bool const equal = side_[at(i)].equal();
    side_[at(i)].lower -= by;
    side_[at(i)].upper = equal ? side_[at(i)].lower : side_[at(i)].upper - by;
  }

  // Rows with the same columns and entries that are multiples, found by a hash of the entries
  // beside the first.
  void parallelRows() {
    std::vector<std::pair<std::uint64_t, int>> hashes;
    for (int i = 0; i < lp_.rows(); ++i) {
      poll();
      if (rowGone_[at(i)] || rows_[at(i)].size() < 2) continue;
      EntryList const& row = rows_[at(i)];
      std::uint64_t hash = row.size();
      for (auto const [j, a] : row) {
        auto const ratio = static_cast<float>(a / row[0].value);
        hash =
            (hash ^ (static_cast<std::uint64_t>(j) << 32 | std::bit_cast<std::uint32_t>(ratio))) *
            0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
      hashes.emplace_back(hash, i);
    }
    std::ranges::sort(hashes);
    constexpr std::size_t mostLooks = 10;  // beyond, rows of one hash are alike, or it fails
    for (std::size_t first = 0; first < hashes.size(); ++first) {
      int const kept = hashes[first].second;
      if (rowGone_[at(kept)]) continue;
      std::size_t looks = 0;
      for (std::size_t k = first + 1; k < hashes.size() && hashes[k].first == hashes[first].first;
           ++k) {
        int const i = hashes[k].second;
        if (rowGone_[at(i)]) continue;
        if (areParallel(i, kept))
          mergeRows(i, kept);
        else if (++looks > mostLooks)
          break;
      }
    }
  }

  bool areParallel(int i, int k) const {
    constexpr double alike = 1e-13;
    EntryList const &a = rows_[at(i)], &b = rows_[at(k)];
    double const factor = a[0].value / b[0].value;
    return std::ranges::equal(a, b, [&](LineEntry const& x, LineEntry const& y) {
      return x.index == y.index &&
             std::fabs(x.value - factor * y.value) <= alike * std::fabs(x.value);
    });
  }

  void mergeRows(int i, int kept) {
    double const factor = rows_[at(i)][0].value / rows_[at(kept)][0].value;
    Bounds const side = side_[at(i)];
    ReductionStep& step = take(Kind::parallelRow);
    step.row = i;
    step.other = kept;
    step.factor = factor;
    meet(side_[at(kept)], side.dividedBy(factor), step);
    dropRow(i);
    touch(kept);
  }

  /// A way to take a column out by a row.
  struct Choice {
    int column = -1;
    double fill = infinity;
    bool movesBounds = false;
  };

  void substitutions() {
    constexpr std::size_t longest = 100;  // entries of a row that is looked at
    for (int i = 0; i < lp_.rows(); ++i) {
      poll();
      EntryList const& row = rows_[at(i)];
      if (rowGone_[at(i)] || row.size() < 2 || row.size() > longest) continue;
      Choice best;
      for (auto const [j, a] : row) consider(i, j, a, best);
      if (best.column >= 0) substitute(i, best);
    }
  }

  void consider(int i, int j, double a, Choice& best) {
    constexpr double mostFill = 10.0;
    // Chains of equations, as of a storage, would end as one long row, which fills A A' in.
    constexpr double mostGrown = 40.0;
    constexpr int longest = 20;        // entries of a column
    constexpr double smallest = 0.01;  // a pivot beside the largest entry of its column
    constexpr double inRow = 1e-3;     // and of its row
    int const count = length_[at(j)];
    auto const size = static_cast<double>(rows_[at(i)].size());
    bool const equation = side_[at(i)].equal();
    if (count > longest || (!equation && count > 1)) return;
    Implied const& implied = implied_[at(j)];
    if (!(implied.reached[0] && implied.reached[1]) && !(equation && size == 2.0)) return;
    // Fill-in if no entry is met, less the row and the column that go.
    double const fill = (size - 1.0) * (count - 1.0) - size - count + 1.0;
    // Of rows with one entry elsewhere it is mostly less.
    if (fill >= best.fill || fill > 4.0 * mostFill) return;
    for (auto const [other, b] : rows_[at(i)])
      if (std::fabs(a) < inRow * std::fabs(b)) return;
    EntryList const& entries = column(j);
    for (auto const [k, b] : entries)
      if (std::fabs(a) < smallest * std::fabs(b)) return;
    bool const moves = !isImpliedFree(j, entries);
    if (moves && !(equation && size == 2.0)) return;
    if (!equation && !tightSide(i, j, a)) return;
    double exact = -size - count + 1.0;
    for (auto const [k, b] : entries) {
      if (k == i) continue;
      double added = 0.0;
      for (auto const [other, c] : rows_[at(i)]) added += other != j && !find(k, other) ? 1.0 : 0.0;
      exact += added;
      bool const grows =
          added > 1.0 && static_cast<double>(rows_[at(k)].size()) + added > mostGrown;
      if (grows || exact > mostFill) return;
    }
    if (exact < best.fill) best = {j, exact, moves};
  }

  /// Which side of an inequality is tight in some optimum, as its singleton is free: its multiplier
  /// is the column's cost. Nothing where that side is open.
  bool tightSide(int i, int j, double a) const {
    double const multiplier = cost_[at(j)] / a;
    if (multiplier > 0.0) return side_[at(i)].lower != -infinity;
    if (multiplier < 0.0) return side_[at(i)].upper != infinity;
    return true;
  }

  // Whether rows imply the bounds.
  bool isImpliedFree(int j, EntryList const& entries) {
    Bounds const& own = bound_[at(j)];
    bool lower = own.lower == -infinity, upper = own.upper == infinity;
    for (auto const [i, a] : entries) {
      if (lower && upper) break;
      Activity rest;
      for (auto const [k, b] : rows_[at(i)])
        if (k != j) rest.add(b, bound_[at(k)]);
      Bounds const& side = side_[at(i)];
      double const least = (side.lower - rest.most()) / a, most = (side.upper - rest.least()) / a;
      Bounds const implied = a > 0.0 ? Bounds{least, most} : Bounds{most, least};
      double const rounding = 1e-13 * rest.size / std::fabs(a);
      lower = lower || implied.lower >= own.lower - rounding;
      upper = upper || implied.upper <= own.upper + rounding;
    }
    return lower && upper;
  }

  void substitute(int i, Choice const& choice) {
    int const j = choice.column;
    EntryList const row = rows_[at(i)], entries = column(j);
    double const pivot = *find(i, j), cost = cost_[at(j)];
    bool const equation = side_[at(i)].equal();
    ReductionStep step = take(Kind::substituted);
    step.row = i;
    step.column = j;
    step.factor = pivot;
    step.cost = cost;
    step.atUpper = !equation && (cost / pivot < 0.0 || side_[at(i)].lower == -infinity);
    step.side = step.atUpper ? side_[at(i)].upper : side_[at(i)].lower;
    if (std::isinf(step.side)) {  // free on both sides
      record_.steps.pop_back();
      return;
    }
    auto const keep = [&](EntryList const& line, int without) {
      for (LineEntry const& entry : line)
        if (entry.index != without) record_.entries.push_back(entry);
      return record_.entries.size();
    };
    step.middle = keep(row, j);
    step.end = keep(entries, i);
    dropRow(i);
    columnGone_[at(j)] = 1;
    for (auto const [k, a] : entries) {
      if (k == i) continue;
      subtract(k, a / pivot, row, j);
      shift(k, a / pivot * step.side);
      touch(k);
    }
    for (auto const [m, a] : row)
      if (m != j) cost_[at(m)] -= cost / pivot * a;
    offset_ += cost / pivot * step.side;
    std::size_t const place = record_.steps.size() - 1;
    if (choice.movesBounds) {
      auto const [other, b] = row[row[0].index == j ? 1 : 0];
      step.other = other;
      Bounds const own = bound_[at(j)];
      double const ends[2] = {(step.side - pivot * own.lower) / b,
                              (step.side - pivot * own.upper) / b};
      bool const turned = pivot * b > 0.0;
      meet(bound_[at(other)], {ends[turned ? 1 : 0], ends[turned ? 0 : 1]}, step);
    }
    record_.steps[place] = step;
    if (step.lower || step.upper) boundsChanged(step.other);
  }

  // Row k - factor times `row`, without column j.
  void subtract(int k, double factor, EntryList const& row, int j) {
    constexpr double nothing = 1e-12;  // beside the numbers that cancel
    EntryList merged;
    EntryList const& old = rows_[at(k)];
    merged.reserve(old.size() + row.size());
    auto a = old.begin();
    for (auto const [m, b] : row) {
      while (a != old.end() && a->index < m) merged.push_back(*a++);
      bool const both = a != old.end() && a->index == m;
      double const before = both ? (a++)->value : 0.0, value = before - factor * b;
      if (m == j) continue;
      bool const stays = std::fabs(value) > nothing * (std::fabs(before) + std::fabs(factor * b)) &&
                         std::fabs(value) > coin::zeroEntry;
      if (stays) merged.push_back({m, value});
      length_[at(m)] += static_cast<int>(stays) - static_cast<int>(both);
      if (stays && !both) ofColumn_[at(m)].push_back(k);
    }
    merged.insert(merged.end(), a, old.end());
    rows_[at(k)] = std::move(merged);
  }

  void finish() {
    double const sign = lp_.sense == Sense::minimize ? 1.0 : -1.0;
    LinearProgram& left = record_.problem;
    left.name = lp_.name;
    left.sense = lp_.sense;
    left.objectiveOffset = lp_.objectiveOffset + sign * offset_;
    std::vector<int> place(rows_.size(), -1);
    for (int i = 0; i < lp_.rows(); ++i) {
      if (rowGone_[at(i)]) continue;
      place[at(i)] = static_cast<int>(record_.ownRows.size());
      record_.ownRows.push_back(i);
      left.addRow(side_[at(i)].lower, side_[at(i)].upper);
    }
    for (int j = 0; j < lp_.columns(); ++j) {
      if (columnGone_[at(j)]) continue;
      record_.ownColumns.push_back(j);
      EntryList entries = column(j);
      std::ranges::sort(entries, {}, &LineEntry::index);
      for (auto const [i, a] : entries) left.matrix.add(place[at(i)], a);
      left.endColumn(sign * cost_[at(j)], bound_[at(j)].lower, bound_[at(j)].upper);
    }
  }

  LinearProgram const& lp_;
  PresolveRequest const& request_;
  double const tolerance_;
  std::vector<EntryList> rows_;             ///< columns ascending
  std::vector<std::vector<int>> ofColumn_;  ///< rows; some are gone, or have no such entry any more
  std::vector<int> length_;                 ///< of columns
  std::vector<char> columnGone_, rowGone_, dirty_;
  std::vector<std::int64_t> seen_;
  std::vector<double> cost_;
  std::vector<Bounds> side_, bound_;  ///< of rows and of columns
  double offset_ = 0.0;
  std::int64_t stamp_ = 0;
  std::int64_t polled_ = 0;
  EntryList gathered_;
  std::vector<Implied> implied_;
  ReducedLines record_;
};

}  // namespace

// Where the Reducer sees a contradiction, what CoinUtils has left is solved: its proof can be
// lifted.
PresolveOutcome presolve(LinearProgram const& lp, PresolveRequest const& request) {
  PresolveOutcome outcome = presolveByCoin(lp, request);
  if (outcome.end != PresolveEnd::reduced && outcome.end != PresolveEnd::unchanged) return outcome;
  Presolved const* const first = outcome.presolved.get();
  std::unique_ptr<ReducedLines> lines;
  try {
    lines = Reducer(first ? first->problem : lp, request).run();
  } catch (Ended const& e) {
    if (e.end == PresolveEnd::stopped || !first) return {e.end, nullptr};
  }
  if (!lines) return outcome;
  auto const given = [](std::vector<int> out, std::vector<int> const* before) {
    if (before)
      for (int& k : out) k = (*before)[at(k)];
    return out;
  };
  lines->columns = given(lines->ownColumns, first ? &first->columns : nullptr);
  lines->rows = given(lines->ownRows, first ? &first->rows : nullptr);
  lines->before = std::move(outcome.presolved);
  return {PresolveEnd::reduced, std::move(lines)};
}

}  // namespace osi_cuda
