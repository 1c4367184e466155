// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/infeasible_subsystem.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace osi_cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// The problem that has these sides only: their rows, and the columns that have entries there.
class Part {
 public:
  Part(LinearProgram const& lp, std::vector<Side> const& sides);

  LinearProgram take() { return std::move(part_); }
  /// The same sides in the numbers of the part.
  Side inPart(Side const& side) const {
    auto const& numbers = side.isRow() ? rowOf_ : columnOf_;
    return {side.of, numbers[static_cast<std::size_t>(side.index)], side.end};
  }

 private:
  LinearProgram part_;
  std::vector<int> rowOf_, columnOf_;  ///< by number in the problem; -1: not there
};

Part::Part(LinearProgram const& lp, std::vector<Side> const& sides)
    : rowOf_(lp.rowLower.size(), -1), columnOf_(lp.columnLower.size(), -1) {
  for (Side const& side : sides)
    if (side.isRow()) rowOf_[static_cast<std::size_t>(side.index)] = 0;
  for (std::size_t i = 0; i < rowOf_.size(); ++i) {
    if (rowOf_[i] < 0) continue;
    rowOf_[i] = static_cast<int>(part_.rowLower.size());
    part_.rowLower.push_back(-infinity);
    part_.rowUpper.push_back(infinity);
    part_.rowNames.push_back(lp.rowName(static_cast<int>(i)));
  }
  std::vector<char> wanted(lp.columnLower.size(), 0);
  for (Side const& side : sides)
    if (!side.isRow()) wanted[static_cast<std::size_t>(side.index)] = 1;
  SparseMatrix& matrix = part_.matrix;
  auto const add = [&](int j) {
    auto const k = static_cast<std::size_t>(j);
    std::int64_t const before = matrix.nonzeros();
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      int const row = rowOf_[static_cast<std::size_t>(indices[e])];
      if (row < 0 || values[e] == 0.0) continue;
      matrix.indices.push_back(row);
      matrix.values.push_back(values[e]);
    }
    if (std::ssize(matrix.indices) == before && !wanted[k]) return;
    matrix.starts.push_back(std::ssize(matrix.indices));
    columnOf_[k] = matrix.columns++;
    part_.columnLower.push_back(-infinity);
    part_.columnUpper.push_back(infinity);
    part_.columnNames.push_back(lp.columnName(j));
  };
  for (int j = 0; j < lp.columns(); ++j) add(j);
  if (matrix.columns == 0 && lp.columns() > 0) {
    wanted[0] = 1;
    add(0);
  }
  matrix.rows = static_cast<int>(part_.rowLower.size());
  part_.objective.assign(part_.columnLower.size(), 0.0);
  part_.name = lp.name;
  for (Side const& side : sides) boundOf(part_, inPart(side)) = boundOf(lp, side);
}

/// The sides that multipliers use; of columns only where (A'y)_j is more than `zero` of its terms.
std::vector<Side> supportOf(LinearProgram const& lp, std::span<double const> y,
                            std::span<double const> low, double zero) {
  std::vector<Side> support;
  auto const whole = [&](int i) {
    auto const k = static_cast<std::size_t>(i);
    return static_cast<long double>(y[k]) + (low.empty() ? 0.0L : low[k]);
  };
  auto const add = [&](Side::Of of, int index, bool lower) {
    support.push_back({of, index, lower ? Side::End::lower : Side::End::upper});
  };
  for (int i = 0; i < lp.rows(); ++i)
    if (whole(i) != 0.0L) add(Side::Of::row, i, whole(i) > 0.0L);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    long double sum = 0.0L, scale = 0.0L;
    for (std::size_t e = 0; e < indices.size(); ++e) {
      long double const term = whole(indices[e]) * values[e];
      sum += term;
      scale += std::fabs(term);
    }
    if (std::fabs(sum) <= zero * scale) continue;
    Side const side{Side::Of::column, j, sum > 0.0L ? Side::End::upper : Side::End::lower};
    if (std::isfinite(boundOf(lp, side))) support.push_back(side);
  }
  return support;
}

/// The fewest sides on which the proof still stands: what is nothing but rounding in A'y needs no
/// bound, and the judge says how much that is.
std::vector<Side> provedSupport(LinearProgram const& lp, Solution const& solution) {
  for (double const zero : {1e-9, 1e-12, 1e-15}) {
    std::vector<Side> support = supportOf(lp, solution.farkas, solution.farkasLow, zero);
    LinearProgram relaxed = lp;
    std::fill(relaxed.columnLower.begin(), relaxed.columnLower.end(), -infinity);
    std::fill(relaxed.columnUpper.begin(), relaxed.columnUpper.end(), infinity);
    for (Side const& side : support) boundOf(relaxed, side) = boundOf(lp, side);
    if (verifyFarkas(relaxed, solution.farkas, solution.farkasLow).proved) return support;
  }
  return supportOf(lp, solution.farkas, solution.farkasLow, 0.0);
}

/// Both bounds of a row or column that cross; of a row without entries the one that 0 violates.
std::vector<Side> crossedSides(LinearProgram const& lp, FarkasProof const& proof) {
  using enum Side::End;
  if (proof.crossedColumn >= 0)
    return {{Side::Of::column, proof.crossedColumn, lower},
            {Side::Of::column, proof.crossedColumn, upper}};
  int const i = proof.crossedRow;
  bool empty = true;
  for (int j = 0; j < lp.columns() && empty; ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const place = std::ranges::find(indices, i) - indices.begin();
    empty = place == std::ssize(indices) ||
            lp.matrix.columnValues(j)[static_cast<std::size_t>(place)] == 0.0;
  }
  if (!empty) return {{Side::Of::row, i, lower}, {Side::Of::row, i, upper}};
  bool const below = lp.rowLower[static_cast<std::size_t>(i)] > 0.0;
  return {{Side::Of::row, i, below ? lower : upper}};
}

class DeletionFilter {
 public:
  DeletionFilter(LinearProgram const& lp, InfeasibleSubsystem& found, Options const& options,
                 Callbacks const& callbacks)
      : lp_(lp), found_(found), options_(options) {
    options_.exact = Toggle::off;
    options_.presolve = Toggle::off;  // each solve starts from the last basis
    options_.crossover = true;
    options_.objectiveLimit = infinity;
    callbacks_.interrupted = callbacks.interrupted;
  }

  void run() {
    Part part(lp_, found_.members);
    solver_.load(part.take());
    for (Side const& side : found_.members) sides_.push_back({part.inPart(side), side});
    bool decided = true;
    while (auto const next = untried()) {
      Solution const without = solveWithout(*next);
      ++found_.solves;
      found_.iterations += without.iterations;
      if (without.status == Status::infeasible) {
        keepSupport(without, *next);
        continue;
      }
      Entry& entry = sides_[*next];
      setBound(entry, true);
      entry.tried = true;
      entry.needed = hasPoint(without);
      decided = decided && entry.needed;
      if (entry.needed) continue;
      if (without.status == Status::numerical) {
        found_.undecided.push_back(entry.original);
        continue;
      }
      found_.ending = without.status;
      break;
    }
    found_.irreducible = decided;
    found_.members.clear();
    for (Entry const& entry : sides_) found_.members.push_back(entry.original);
  }

 private:
  struct Entry {
    Side side, original;
    bool tried = false;
    bool needed = false;  ///< without it the others have a point
  };

  std::optional<std::size_t> untried() const {
    auto const next =
        std::find_if(sides_.begin(), sides_.end(), [](Entry const& entry) { return !entry.tried; });
    if (next == sides_.end()) return std::nullopt;
    return static_cast<std::size_t>(next - sides_.begin());
  }

  void setBound(Entry const& entry, bool there) {
    LinearProgram const& lp = solver_.problem();
    Side const& side = entry.side;
    double const bound = there ? boundOf(lp_, entry.original) : absentBound(side);
    Side const other{side.of, side.index, side.isLower() ? Side::End::upper : Side::End::lower};
    double const opposite = boundOf(lp, other);
    double const lower = side.isLower() ? bound : opposite;
    double const upper = side.isLower() ? opposite : bound;
    if (side.isRow())
      solver_.setRowBounds(side.index, lower, upper);
    else
      solver_.setColumnBounds(side.index, lower, upper);
  }

  /// Within the tolerance, by the judge: a point may be there where no optimum could be proved.
  bool hasPoint(Solution const& without) const {
    return without.status == Status::optimal ||
           (without.status == Status::numerical &&
            without.residuals.primal <= options_.primalTolerance);
  }

  Solution solveWithout(std::size_t k) {
    setBound(sides_[k], false);
    Options limited = options_;
    limited.timeLimit = std::max(
        0.0, options_.timeLimit - std::chrono::duration<double>(Clock::now() - start_).count());
    return solver_.solve(limited, callbacks_);
  }

  /// What the new multipliers do not use goes, and what was left out goes in any case.
  void keepSupport(Solution const& solution, std::size_t leftOut) {
    LinearProgram const& lp = solver_.problem();
    FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
    bool const crossed = proof.crossedColumn >= 0 || proof.crossedRow >= 0;
    std::vector<Side> const support =
        crossed ? crossedSides(lp, proof) : provedSupport(lp, solution);
    std::vector<Entry> kept;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      bool const used = std::find(support.begin(), support.end(), sides_[k].side) != support.end();
      if (k != leftOut && (used || sides_[k].needed)) {
        kept.push_back(sides_[k]);
      } else if (k != leftOut) {
        setBound(sides_[k], false);
      }
    }
    sides_ = std::move(kept);
  }

  LinearProgram const& lp_;
  InfeasibleSubsystem& found_;
  Options options_;
  Callbacks callbacks_;
  Clock::time_point const start_ = Clock::now();
  Solver solver_;
  std::vector<Entry> sides_;
};

/// The multipliers of the members alone.
void prove(LinearProgram const& lp, InfeasibleSubsystem& found, Options options) {
  found.subsystem = Part(lp, found.members).take();
  options.timeLimit = infinity;  // a few pivots, without which nothing would be proved
  options.iterationLimit = Options{}.iterationLimit;
  options.objectiveLimit = infinity;
  options.exact = Toggle::off;
  Solution const solution = Solver(found.subsystem).solve(options);
  found.iterations += solution.iterations;
  found.farkas = solution.farkas;
  found.farkasLow = solution.farkasLow;
  found.proof = verifyFarkas(found.subsystem, found.farkas, found.farkasLow);
}

}  // namespace

InfeasibleSubsystem infeasibleSubsystem(LinearProgram const& lp, Solution const& solution,
                                        Options const& options, Callbacks const& callbacks) {
  Clock::time_point const start = Clock::now();
  FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
  if (solution.status != Status::infeasible || !proof.proved)
    throw std::invalid_argument("The problem was not proved to be infeasible.");
  InfeasibleSubsystem found;
  if (proof.crossedColumn >= 0 || proof.crossedRow >= 0) {
    found.members = crossedSides(lp, proof);
    found.irreducible = true;  // one side of one row or column has a point
  } else {
    found.members = provedSupport(lp, solution);
    DeletionFilter(lp, found, options, callbacks).run();
  }
  prove(lp, found, options);
  found.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return found;
}

}  // namespace osi_cuda
