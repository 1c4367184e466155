// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/presolve/presolve.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda {
namespace {

using enum VariableStatus;

/// A column of one entry in its row, or the row's own slack. Below its breakpoint it adds one slope
/// to h_i, above it a smaller one: the values it takes in the row, with the sign changed.
struct Piece {
  int column;         ///< -1: the activity of the row itself
  double breakpoint;  ///< u_i at which it may be anywhere between its bounds
  double before, after;
  VariableStatus statusBefore, statusAfter;

  /// The first one; zero where there is none.
  double finiteSlope() const {
    return before != infinity ? before : after != -infinity ? after : 0.0;
  }
};

VariableStatus restingStatus(double lower, double upper) {
  return lower != -infinity ? atLower : upper != infinity ? atUpper : free;
}

/// A column that stays: a row of the dual.
struct Line {
  int column;
  int opposite = -1;    ///< a column with the same entries negated: the row's other side
  int surplus = -1;     ///< the column of the dual that a second finite bound makes; or -1
  double origin = 0.0;  ///< the bound from which its value counts
};

/// The pieces of a row by breakpoint, and what is left of them between its ends.
struct Chain {
  std::span<Piece const> pieces;
  double low = -infinity, high = infinity;  ///< of the multiplier
};

bool isSingle(SparseMatrix const& matrix, int column) {
  return matrix.columnIndices(column).size() == 1 && matrix.columnValues(column)[0] != 0.0;
}

/// Also where one excludes every number.
bool boundsCross(std::vector<double> const& lower, std::vector<double> const& upper) {
  for (std::size_t k = 0; k < lower.size(); ++k)
    if (lower[k] > upper[k] || lower[k] == infinity || upper[k] == -infinity) return true;
  return false;
}

class DualProblem final : public Presolved {
 public:
  explicit DualProblem(LinearProgram const& lp) : sign_(lp.sense == Sense::minimize ? 1.0 : -1.0) {
    collectPieces(lp);
    collectLines(lp);
  }

  /// False: the ends of some multiplier exclude each other.
  bool build(LinearProgram const& lp) {
    problem.name = lp.name;
    problem.sense = Sense::maximize;
    problem.objectiveOffset = sign_ * lp.objectiveOffset;
    std::vector<double> base(at(lp.rows()));  // slope that a shifted column gives
    for (Line const& line : lines_) addRow(lp, line, base);
    for (Piece const& piece : pieces_)  // h_i is zero at the breakpoint of each
      problem.objectiveOffset -= piece.breakpoint * piece.finiteSlope();
    addSegments(lp, base);
    for (Line& line : lines_) addSurplus(lp, line);
    return !boundsCross(problem.columnLower, problem.columnUpper) &&
           !boundsCross(problem.rowLower, problem.rowUpper);
  }

  Solution postsolve(LinearProgram const& lp, Solution const& reduced) const override {
    Solution s;
    s.columnValues.assign(at(lp.columns()), 0.0);
    s.rowDuals = multipliers(reduced.columnValues, sign_);
    s.basis.columns.assign(at(lp.columns()), atLower);
    s.basis.rows.assign(at(lp.rows()), atLower);
    placeLines(lp, reduced, s);
    std::vector<double> activity(at(lp.rows()));
    for (Line const& line : lines_)
      for (int const j : {line.column, line.opposite}) {
        if (j < 0 || s.columnValues[at(j)] == 0.0) continue;
        for (auto const [i, a] : lp.matrix.column(j)) activity[at(i)] += a * s.columnValues[at(j)];
      }
    for (std::size_t i = 0; i < activity.size(); ++i)
      placePieces(lp, i, reduced.basis.columns, activity[i], s);
    return s;
  }

  Basis enlarged(LinearProgram const& lp, Basis const& reduced) const override {
    Solution point;
    point.basis = reduced;
    point.columnValues.assign(problem.objective.size(), 0.0);
    point.rowDuals.assign(lines_.size(), 0.0);
    return postsolve(lp, point).basis;
  }

  bool isDual() const override { return true; }

  bool liftRay(Solution const& reduced, Solution& given) const override {
    if (reduced.status != Status::unbounded || reduced.ray.size() != problem.objective.size())
      return false;
    given.farkas = multipliers(reduced.ray, 1.0);
    if (!reduced.rayLow.empty()) given.farkasLow = multipliers(reduced.rayLow, 1.0);
    return true;
  }

 private:
  void collectPieces(LinearProgram const& lp) {
    auto const m = at(lp.rows());
    std::vector<int> lengths(m, 1);
    for (int j = 0; j < lp.columns(); ++j)
      if (isSingle(lp.matrix, j)) ++lengths[at(lp.matrix.columnIndices(j)[0])];
    starts_.assign(1, 0);
    for (int const length : lengths) starts_.push_back(starts_.back() + length);
    pieces_.resize(at(starts_.back()));
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < m; ++i)
      pieces_[at(next[i]++)] = {-1, 0.0, lp.rowUpper[i], lp.rowLower[i], atUpper, atLower};
    for (int j = 0; j < lp.columns(); ++j) {
      if (!isSingle(lp.matrix, j)) continue;
      double const entry = lp.matrix.columnValues(j)[0];
      double const lower = lp.columnLower[at(j)], upper = lp.columnUpper[at(j)];
      double const breakpoint = sign_ * lp.objective[at(j)] / entry;
      Piece& piece = pieces_[at(next[at(lp.matrix.columnIndices(j)[0])]++)];
      if (entry > 0.0)
        piece = {j, breakpoint, -entry * lower, -entry * upper, atLower, atUpper};
      else
        piece = {j, breakpoint, -entry * upper, -entry * lower, atUpper, atLower};
    }
    for (std::size_t i = 0; i < m; ++i)
      std::stable_sort(pieces_.begin() + starts_[i], pieces_.begin() + starts_[i + 1],
                       [](Piece const& a, Piece const& b) { return a.breakpoint < b.breakpoint; });
  }

  Chain chainOf(std::size_t i) const {
    Chain chain;
    chain.pieces = {pieces_.data() + starts_[i], at(starts_[i + 1] - starts_[i])};
    for (Piece const& piece : chain.pieces) {
      if (piece.before == infinity) chain.low = std::max(chain.low, piece.breakpoint);
      if (piece.after == -infinity) chain.high = std::min(chain.high, piece.breakpoint);
    }
    return chain;
  }

  /// Columns that may only grow from their origin; two of them with opposite entries share a row.
  static bool onlyGrows(LinearProgram const& lp, int j) {
    return lp.columnLower[at(j)] != -infinity && lp.columnUpper[at(j)] == infinity;
  }

  void collectLines(LinearProgram const& lp) {
    std::unordered_multimap<std::size_t, std::size_t> known;  // lines by their entries
    SparseMatrix const& matrix = lp.matrix;
    for (int j = 0; j < lp.columns(); ++j) {
      if (isSingle(matrix, j)) continue;
      double const lower = lp.columnLower[at(j)], upper = lp.columnUpper[at(j)];
      Line line{j};
      line.origin = lower != -infinity ? lower : upper != infinity ? upper : 0.0;
      if (onlyGrows(lp, j) && lower == 0.0 && !matrix.columnIndices(j).empty()) {
        auto const values = matrix.columnValues(j);
        std::size_t key = values.size();
        for (std::size_t e = 0; e < values.size(); ++e)
          key = key * 31 + std::hash<double>()(std::fabs(values[e]));
        auto const [begin, end] = known.equal_range(key);
        auto const twin = std::find_if(begin, end, [&](auto const& entry) {
          Line const& other = lines_[entry.second];
          auto const theirs = matrix.columnValues(other.column);
          if (other.opposite >= 0 ||
              !std::ranges::equal(matrix.columnIndices(j), matrix.columnIndices(other.column)))
            return false;
          for (std::size_t e = 0; e < values.size(); ++e)
            if (values[e] != -theirs[e]) return false;
          return true;
        });
        if (twin != end) {
          lines_[twin->second].opposite = j;
          continue;
        }
        known.emplace(key, lines_.size());
      }
      lines_.push_back(line);
    }
  }

  void addRow(LinearProgram const& lp, Line const& line, std::vector<double>& base) {
    auto const j = at(line.column);
    double const cost = sign_ * lp.objective[j];
    double const lower = lp.columnLower[j], upper = lp.columnUpper[j];
    bool const fixed = lower == upper;
    double const least = line.opposite >= 0            ? -sign_ * lp.objective[at(line.opposite)]
                         : fixed || lower != -infinity ? -infinity
                                                       : cost;
    bool const open = fixed || (lower == -infinity && upper != infinity);
    problem.addRow(least, open ? infinity : cost);
    if (line.origin == 0.0) return;
    problem.objectiveOffset += cost * line.origin;
    for (auto const [i, a] : lp.matrix.column(line.column)) base[at(i)] -= a * line.origin;
  }

  void addSegments(LinearProgram const& lp, std::vector<double> const& base) {
    SparseMatrix kept;  // the columns that stay, as they are
    kept.rows = lp.rows();
    for (Line const& line : lines_) {
      for (auto const [i, a] : lp.matrix.column(line.column)) kept.add(i, a);
      kept.endColumn();
    }
    kept = kept.transposed();
    for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
      Chain const chain = chainOf(i);
      double slope = base[i];
      for (Piece const& piece : chain.pieces) slope += piece.finiteSlope();
      double begin = chain.low;
      firstSegment_.push_back(static_cast<int>(problem.objective.size()));
      auto const add = [&](double end) {
        bool const first = firstSegment_.back() == static_cast<int>(problem.objective.size());
        ends_.push_back(end);
        for (auto const [j, a] : kept.column(static_cast<int>(i))) problem.matrix.add(j, a);
        problem.endColumn(slope, first ? begin : 0.0, first ? end : end - begin);
        begin = end;
      };
      for (Piece const& piece : chain.pieces) {
        if (piece.before == infinity || piece.after == -infinity || piece.before == piece.after)
          continue;
        if (piece.breakpoint >= chain.high) break;
        if (piece.breakpoint > begin) add(piece.breakpoint);
        slope += piece.after - piece.before;
      }
      add(chain.high);
    }
    firstSegment_.push_back(static_cast<int>(problem.objective.size()));
  }

  void addSurplus(LinearProgram const& lp, Line& line) {
    double const lower = lp.columnLower[at(line.column)], upper = lp.columnUpper[at(line.column)];
    if (lower == -infinity || upper == infinity || lower == upper) return;
    line.surplus = static_cast<int>(problem.objective.size());
    problem.matrix.add(static_cast<int>(&line - lines_.data()), -1.0);
    problem.endColumn(lower - upper, 0.0, infinity);
  }

  std::vector<double> multipliers(std::vector<double> const& segments, double sign) const {
    std::vector<double> u;
    for (std::size_t i = 0; i + 1 < firstSegment_.size(); ++i) {
      double sum = 0.0;
      for (int k = firstSegment_[i]; k < firstSegment_[i + 1]; ++k) sum += segments[at(k)];
      u.push_back(sign * sum);
    }
    return u;
  }

  void placeLines(LinearProgram const& lp, Solution const& reduced, Solution& s) const {
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      Line const& line = lines_[k];
      bool const tight = reduced.basis.rows[k] != basic;
      bool const beyond =
          line.surplus >= 0 && reduced.basis.columns[at(line.surplus)] == basic;  // at both bounds
      auto const j = at(line.column);
      double const distance = tight ? reduced.rowDuals[k] : 0.0;
      s.columnValues[j] = line.origin + distance;
      s.basis.columns[j] = beyond  ? atUpper
                           : tight ? basic
                                   : restingStatus(lp.columnLower[j], lp.columnUpper[j]);
      if (beyond) s.columnValues[j] = lp.columnUpper[j];
      if (line.opposite < 0) continue;
      bool const other = distance < 0.0 || (distance == 0.0 && reduced.basis.rows[k] == atLower);
      auto const o = at(line.opposite);
      s.basis.columns[o] = tight && other ? basic : atLower;
      s.columnValues[o] = std::max(0.0, -distance);
      if (tight && other) {
        s.basis.columns[j] = atLower;
        s.columnValues[j] = 0.0;
      }
    }
  }

  /// Where the multiplier of row i is, says which of its pieces are at which bound. At a breakpoint
  /// one of its pieces is basic and makes up for the rest of the row.
  void placePieces(LinearProgram const& lp, std::size_t i,
                   std::vector<VariableStatus> const& segments, double activity,
                   Solution& s) const {
    Chain const chain = chainOf(i);
    double below = chain.low, above = chain.low;  // the multiplier is between these
    bool between = false;
    for (int k = firstSegment_[i]; k < firstSegment_[i + 1]; ++k) {
      between = segments[at(k)] == basic;
      if (between) above = ends_[at(k)];
      if (segments[at(k)] == free) below = above = 0.0;
      if (segments[at(k)] != atUpper) break;
      below = above = ends_[at(k)];
    }
    auto const value = [&](Piece const& piece, double slope, VariableStatus status) {
      (piece.column < 0 ? s.basis.rows[i] : s.basis.columns[at(piece.column)]) = status;
      if (piece.column >= 0)
        s.columnValues[at(piece.column)] = -slope / lp.matrix.columnValues(piece.column)[0];
    };
    double rest = activity;  // what those that may be anywhere have to come to
    for (Piece const& piece : chain.pieces) {
      bool const passed = piece.breakpoint < below || (between && piece.breakpoint == below) ||
                          piece.before == infinity;
      double const slope = passed && piece.after != -infinity ? piece.after : piece.finiteSlope();
      rest -= slope;
      value(piece, slope, passed ? piece.statusAfter : piece.statusBefore);
    }
    if (between) return;
    Piece const* last = nullptr;
    double start = 0.0;
    for (Piece const& piece : chain.pieces) {
      if (piece.breakpoint != below) continue;
      last = &piece;
      start = piece.finiteSlope();
      if (start + rest >= piece.after && start + rest <= piece.before) break;
      if (piece.before == infinity || piece.after == -infinity) continue;
      rest -= piece.after - piece.before;
      value(piece, piece.after, piece.statusAfter);
    }
    if (last) value(*last, start + rest, basic);
  }

  double sign_;
  std::vector<std::int64_t> starts_;  ///< row i has the pieces from starts_[i] on
  std::vector<Piece> pieces_;
  std::vector<Line> lines_;
  std::vector<int> firstSegment_;  ///< row i has the columns from firstSegment_[i] on
  std::vector<double> ends_;       ///< the multiplier at the end of each of those
};

}  // namespace

DualSize dualSize(LinearProgram const& lp) {
  DualSize size;
  size.columns = lp.rows();
  for (int j = 0; j < lp.columns(); ++j) {
    if (isSingle(lp.matrix, j)) continue;
    ++size.rows;
    size.nonzeros += std::ssize(lp.matrix.columnIndices(j));
  }
  return size;
}

PresolveOutcome dualise(LinearProgram const& lp) {
  if (boundsCross(lp.columnLower, lp.columnUpper) || boundsCross(lp.rowLower, lp.rowUpper))
    return {PresolveEnd::unchanged, nullptr};
  auto dual = std::make_unique<DualProblem>(lp);
  if (!dual->build(lp)) return {PresolveEnd::unchanged, nullptr};
  return {PresolveEnd::reduced, std::move(dual)};
}

}  // namespace osi_cuda
