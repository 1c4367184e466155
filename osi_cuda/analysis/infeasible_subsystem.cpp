// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/infeasible_subsystem.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/analysis/certificate.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/rational/certificates.hpp"

namespace osi_cuda {
namespace {

/// The problem that has these sides only: their rows, and the columns that have entries there.
class Part {
 public:
  Part(LinearProgram const& lp, std::vector<Side> const& sides)
      : rowOf_(lp.rowLower.size(), -1), columnOf_(lp.columnLower.size(), -1) {
    for (Side const& side : sides)
      if (side.isRow()) rowOf_[at(side.index)] = 0;
    for (std::size_t i = 0; i < rowOf_.size(); ++i) {
      if (rowOf_[i] < 0) continue;
      rowOf_[i] = static_cast<int>(part_.rowLower.size());
      part_.addRow(-infinity, infinity);
      part_.rowNames.push_back(lp.rowName(static_cast<int>(i)));
    }
    std::vector<char> wanted(lp.columnLower.size(), 0);
    for (Side const& side : sides)
      if (!side.isRow()) wanted[at(side.index)] = 1;
    SparseMatrix& matrix = part_.matrix;
    auto const add = [&](int j) {
      for (auto const [i, a] : lp.matrix.column(j))
        if (rowOf_[at(i)] >= 0 && a != 0.0) matrix.add(rowOf_[at(i)], a);
      if (std::ssize(matrix.indices) == matrix.nonzeros() && !wanted[at(j)]) return;
      columnOf_[at(j)] = matrix.columns;
      part_.endColumn(0.0, -infinity, infinity);
      part_.columnNames.push_back(lp.columnName(j));
    };
    for (int j = 0; j < lp.columns(); ++j) add(j);
    if (matrix.columns == 0 && lp.columns() > 0) {
      wanted[0] = 1;
      add(0);
    }
    part_.name = lp.name;
    for (Side const& side : sides) boundOf(part_, inPart(side)) = boundOf(lp, side);
  }

  LinearProgram take() { return std::move(part_); }
  /// Numbers of the part's rows from those of the problem's; none from none.
  std::vector<double> toPart(std::vector<double> const& ofProblem) const {
    std::vector<double> own;
    if (ofProblem.empty()) return own;
    for (std::size_t i = 0; i < rowOf_.size(); ++i)
      if (rowOf_[i] >= 0) own.push_back(ofProblem[i]);
    return own;
  }
  /// And back; zero where the part has no row.
  std::vector<double> fromPart(std::vector<double> const& ofPart) const {
    std::vector<double> whole(ofPart.empty() ? 0 : rowOf_.size(), 0.0);
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (rowOf_[i] >= 0) whole[i] = ofPart[at(rowOf_[i])];
    return whole;
  }
  /// The same sides in the numbers of the part.
  Side inPart(Side const& side) const {
    auto const& numbers = side.isRow() ? rowOf_ : columnOf_;
    return {side.of, numbers[at(side.index)], side.end};
  }

 private:
  LinearProgram part_;
  std::vector<int> rowOf_, columnOf_;  ///< by number in the problem; -1: not there
};

/// The sides that multipliers use; of columns only where (A'y)_j is more than `zero` of its terms.
std::vector<Side> supportOf(LinearProgram const& lp, std::span<double const> y,
                            std::span<double const> low, double zero) {
  std::vector<Side> support;
  auto const whole = [&](int i) {
    return static_cast<long double>(y[at(i)]) + (low.empty() ? 0.0L : low[at(i)]);
  };
  auto const add = [&](Side::Of of, int index, bool lower) {
    support.push_back({of, index, lower ? Side::End::lower : Side::End::upper});
  };
  for (int i = 0; i < lp.rows(); ++i)
    if (whole(i) != 0.0L) add(Side::Of::row, i, whole(i) > 0.0L);
  for (int j = 0; j < lp.columns(); ++j) {
    long double sum = 0.0L, scale = 0.0L;
    for (auto const [i, a] : lp.matrix.column(j)) {
      long double const term = whole(i) * a;
      sum += term;
      scale += std::fabs(term);
    }
    if (std::fabs(sum) <= zero * scale) continue;
    Side const side{Side::Of::column, j, sum > 0.0L ? Side::End::upper : Side::End::lower};
    if (std::isfinite(boundOf(lp, side))) support.push_back(side);
  }
  return support;
}

/// The sides that exact multipliers use, be it ever so little; none where there are none.
std::vector<Side> exactSupport(LinearProgram const& lp, Solution const& solution,
                               std::function<bool()> stop) {
  constexpr bool fractions = true;
  rational::CertificateCheck const check = rational::proveInfeasible(
      lp, solution.basis, solution.farkas, {.stop = std::move(stop)}, fractions);
  std::vector<Side> support;
  auto const add = [&support](Side::Of of, std::vector<std::string> const& weights) {
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (weights[k] != "0")
        support.push_back({of, static_cast<int>(k),
                           weights[k].front() == '-' ? Side::End::upper : Side::End::lower});
  };
  add(Side::Of::row, check.certificateFractions);
  add(Side::Of::column, check.combinationFractions);
  return support;
}

/// The fewest sides on which the proof still stands: those of an exact one, or of another what is
/// more than rounding in A'y, and the verifier says how much that is.
std::vector<Side> provedSupport(LinearProgram const& lp, Solution const& solution,
                                std::function<bool()> stop) {
  if (solution.exact.proved)
    if (std::vector<Side> support = exactSupport(lp, solution, std::move(stop)); !support.empty())
      return support;
  for (double const zero : {1e-9, 1e-12, 1e-15}) {
    std::vector<Side> support = supportOf(lp, solution.farkas, solution.farkasLow, zero);
    LinearProgram relaxed = lp;
    std::ranges::fill(relaxed.columnLower, -infinity);
    std::ranges::fill(relaxed.columnUpper, infinity);
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
  for (int j = 0; j < lp.columns() && empty; ++j)
    for (auto const [row, a] : lp.matrix.column(j)) empty = empty && (row != i || a == 0.0);
  if (!empty) return {{Side::Of::row, i, lower}, {Side::Of::row, i, upper}};
  bool const below = lp.rowLower[at(i)] > 0.0;
  return {{Side::Of::row, i, below ? lower : upper}};
}

std::function<bool()> stopOf(Budget const& budget) {
  return [&budget] { return budget.reached() != Limit::none; };
}

/// Multipliers of a problem's rows, in two parts.
struct Multipliers {
  std::vector<double> high, low;
};

class DeletionFilter {
 public:
  /// `multipliers`, of the problem's rows, prove that the members contradict each other.
  DeletionFilter(LinearProgram const& lp, InfeasibleSubsystem& found, Multipliers& multipliers,
                 Options const& options, Callbacks const& callbacks, Budget& budget)
      : lp_(lp),
        found_(found),
        multipliers_(multipliers),
        part_(lp, found.members),
        solves_(options, callbacks, budget) {}

  void run() {
    Budget& budget = solves_.budget;
    solves_.solver.load(part_.take());
    for (Side const& side : found_.members) sides_.push_back({part_.inPart(side), side});
    while (auto const next = untried()) {
      if (Limit const limit = budget.reached(); limit != Limit::none) {
        found_.ending = statusOf(limit);
        break;
      }
      setBound(sides_[*next], false);
      // Of a point within the tolerances more is not asked.
      Solution const without =
          solves_.solveSettled(static_cast<double>(sides_.size()), [](Status status) {
            return status == Status::infeasible || status == Status::numerical;
          });
      ++found_.solves;
      if (without.status == Status::infeasible) {
        keepSupport(without, *next);
        continue;
      }
      Entry& entry = sides_[*next];
      setBound(entry, true);
      if (hasPoint(without)) {
        entry.state = Entry::needed;
      } else if (without.status == Status::numerical) {
        entry.state = Entry::undecided;
      } else {
        found_.ending = without.status;
        break;
      }
    }
    found_.irreducible = true;
    found_.members.clear();
    for (Entry const& entry : sides_) {
      found_.members.push_back(entry.original);
      if (entry.state == Entry::undecided) found_.undecided.push_back(entry.original);
      found_.irreducible = found_.irreducible && entry.state == Entry::needed;
    }
  }

 private:
  struct Entry {
    Side side, original;
    enum State {
      untried,
      needed,    ///< without it the others have a point, and so has every part of them
      undecided  ///< neither a point nor a proof was found
    } state = untried;
  };

  std::optional<std::size_t> untried() const {
    auto const next = std::ranges::find_if(
        sides_, [](Entry const& entry) { return entry.state == Entry::untried; });
    if (next == sides_.end()) return std::nullopt;
    return at(next - sides_.begin());
  }

  void setBound(Entry const& entry, bool there) {
    LinearProgram const& lp = solves_.solver.problem();
    Side const& side = entry.side;
    double const bound = there ? boundOf(lp_, entry.original) : absentBound(side);
    int const variable = side.isRow() ? lp.columns() + side.index : side.index;
    solves_.setBounds(variable, side.isLower() ? bound : lowerBound(lp, variable),
                      side.isLower() ? upperBound(lp, variable) : bound);
  }

  /// Within the tolerance, by the verifier: a point may be there where no optimum could be proved.
  bool hasPoint(Solution const& without) const {
    return without.status == Status::optimal ||
           (without.status == Status::numerical &&
            without.residuals.primal <= solves_.options.primalTolerance);
  }

  /// What the new multipliers do not use goes, also where a point within the tolerance made it look
  /// needed: the proof is the stronger of the two.
  void keepSupport(Solution const& solution, std::size_t leftOut) {
    LinearProgram const& lp = solves_.solver.problem();
    FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
    bool const crossed = proof.crossedColumn >= 0 || proof.crossedRow >= 0;
    std::vector<Side> const support =
        crossed ? crossedSides(lp, proof) : provedSupport(lp, solution, stopOf(solves_.budget));
    std::vector<char> used(2 * (lp.columnLower.size() + lp.rowLower.size()), 0);
    auto const place = [&lp](Side const& side) {
      return 2 * (at(side.index) + (side.isRow() ? lp.columnLower.size() : 0)) +
             (side.isLower() ? 0 : 1);
    };
    for (Side const& side : support) used[place(side)] = 1;
    std::vector<Entry> kept;
    for (std::size_t k = 0; k < sides_.size(); ++k) {
      if (k == leftOut) continue;
      if (used[place(sides_[k].side)])
        kept.push_back(sides_[k]);
      else
        setBound(sides_[k], false);
    }
    sides_ = std::move(kept);
    multipliers_ = {part_.fromPart(solution.farkas), part_.fromPart(solution.farkasLow)};
  }

  LinearProgram const& lp_;
  InfeasibleSubsystem& found_;
  Multipliers& multipliers_;
  Part part_;
  Resolves solves_;
  std::vector<Entry> sides_;
};

/// The subsystem of the members and its proof: by the multipliers that left these members, or, in
/// what is left of the limits, by others.
void prove(LinearProgram const& lp, InfeasibleSubsystem& found, Multipliers const& multipliers,
           Options options, Callbacks const& callbacks, Budget& budget) {
  Part part(lp, found.members);
  found.subsystem = part.take();
  Multipliers own{part.toPart(multipliers.high), part.toPart(multipliers.low)};
  found.proof = verifyFarkas(found.subsystem, own.high, own.low);
  if (!found.proof.proved && budget.reached() == Limit::none) {
    options.objectiveLimit = infinity;
    Callbacks quiet;
    quiet.interrupted = callbacks.interrupted;
    Solution solution = Solver(found.subsystem).solve(withinBudget(options, budget), quiet);
    settle(found.subsystem, withinBudget(options, budget), quiet, solution);
    budget.spend(solution.iterations);
    own = {std::move(solution.farkas), std::move(solution.farkasLow)};
    found.proof = verifyFarkas(found.subsystem, own.high, own.low);
  }
  found.farkas = std::move(own.high);
  found.farkasLow = std::move(own.low);
}

}  // namespace

InfeasibleSubsystem infeasibleSubsystem(LinearProgram const& lp, Solution const& given,
                                        Options const& options, Callbacks const& callbacks) {
  Budget budget = budgetOf(options, callbacks);
  Solution solution = given;
  if (solution.status == Status::infeasible) settle(lp, options, callbacks, solution);
  FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
  if (solution.status != Status::infeasible || !proof.proved)
    throw std::invalid_argument("The problem was not proved to be infeasible.");
  InfeasibleSubsystem found;
  Multipliers multipliers{solution.farkas, solution.farkasLow};
  if (proof.crossedColumn >= 0 || proof.crossedRow >= 0) {
    found.members = crossedSides(lp, proof);
    found.irreducible = true;  // one side of one row or column has a point
    multipliers.high.assign(lp.rowLower.size(), 0.0);
    multipliers.low.clear();
  } else {
    found.members = provedSupport(lp, solution, stopOf(budget));
    DeletionFilter(lp, found, multipliers, options, callbacks, budget).run();
  }
  prove(lp, found, multipliers, options, callbacks, budget);
  found.iterations = budget.iterationsSpent();
  found.seconds = budget.seconds();
  return found;
}

}  // namespace osi_cuda
