// SPDX-License-Identifier: EPL-2.0
#include <cmath>

#include "osi_cuda/analysis/diagnosis.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

constexpr double zero = 1e-9;   ///< a reduced cost or a distance to a bound, relative
constexpr double moved = 1e-7;  ///< a sum of what could move, beyond the tolerances of a solve
constexpr double illCondition = 1e7;  ///< data of nine digits give answers of two

bool rests(double x, double bound) {
  return std::isfinite(bound) && std::fabs(x - bound) <= zero * (1.0 + std::fabs(bound));
}

/// A problem's variables, rows after columns, at an optimum.
class Optimum {
 public:
  Optimum(LinearProgram const& lp, Solution const& s) : lp_(lp), s_(s), n_(lp.columns()) {}

  int variables() const { return n_ + lp_.rows(); }
  bool isBasic(int v) const { return status(v) == VariableStatus::basic; }
  bool isFixed(int v) const { return lower(v) == upper(v); }
  bool atLower(int v) const { return rests(value(v), lower(v)); }
  bool atUpper(int v) const { return rests(value(v), upper(v)); }
  /// Nonbasic, with a reduced cost of zero.
  bool isIndifferent(int v) const {
    double const cost = v < n_ ? lp_.objective[at(v)] : 0.0;
    double const d = v < n_ ? s_.reducedCosts[at(v)] : s_.rowDuals[at(v - n_)];
    return !isBasic(v) && !isFixed(v) && std::fabs(d) <= zero * (1.0 + std::fabs(cost));
  }
  bool isDegenerate(int v) const { return isBasic(v) && (atLower(v) || atUpper(v)); }

  /// All optimal points, and by how much the indifferent variables move from their bounds, to be
  /// maximised. `twoSided`: one of them has no bound, so that it may move either way.
  LinearProgram points(bool& twoSided) const {
    LinearProgram face = lp_;
    std::vector<double> weight(at(variables()), 0.0);
    for (int v = 0; v < variables(); ++v) {
      if (isBasic(v)) continue;
      auto& low = v < n_ ? face.columnLower[at(v)] : face.rowLower[at(v - n_)];
      auto& high = v < n_ ? face.columnUpper[at(v)] : face.rowUpper[at(v - n_)];
      VariableStatus const where = status(v);
      if (isIndifferent(v)) {
        weight[at(v)] = where == VariableStatus::atUpper ? -1.0 : 1.0;
        twoSided |= where == VariableStatus::free;
      } else if (where != VariableStatus::free) {
        (where == VariableStatus::atLower ? high : low) =
            where == VariableStatus::atLower ? low : high;
      }
    }
    face.sense = Sense::maximize;
    face.objectiveOffset = 0.0;
    face.objective = weighted(weight);
    return face;
  }

  /// All optimal row duals as a problem in them, of a minimisation, and the sum of the reduced
  /// costs of degenerate variables, to be maximised.
  LinearProgram duals(bool& twoSided) const {
    double const sign = lp_.sense == Sense::maximize ? -1.0 : 1.0;
    LinearProgram dual;
    dual.matrix = lp_.matrix.transposed();
    dual.sense = Sense::maximize;
    dual.objective.assign(at(lp_.rows()), 0.0);
    std::vector<double> weight(at(variables()), 0.0);
    for (int v = 0; v < variables(); ++v) {
      double const cost = v < n_ ? sign * lp_.objective[at(v)] : 0.0;
      // A reduced cost has to be at least zero at a lower bound, at most zero at an upper one.
      double least = -infinity, most = infinity;
      if (!atLower(v)) most = 0.0;
      if (!atUpper(v)) least = 0.0;
      (v < n_ ? dual.rowLower : dual.columnLower).push_back(v < n_ ? cost - most : least);
      (v < n_ ? dual.rowUpper : dual.columnUpper).push_back(v < n_ ? cost - least : most);
      if (!isDegenerate(v)) continue;
      weight[at(v)] = atLower(v) ? 1.0 : -1.0;
      twoSided |= atLower(v) && atUpper(v);
    }
    ColumnReader read(dual.matrix);
    for (int i = 0; i < lp_.rows(); ++i) {
      dual.objective[at(i)] = weight[at(n_ + i)];
      for (auto const [j, a] : read.column(i)) dual.objective[at(i)] -= a * weight[at(j)];
    }
    return dual;
  }

 private:
  double lower(int v) const { return v < n_ ? lp_.columnLower[at(v)] : lp_.rowLower[at(v - n_)]; }
  double upper(int v) const { return v < n_ ? lp_.columnUpper[at(v)] : lp_.rowUpper[at(v - n_)]; }
  double value(int v) const { return v < n_ ? s_.columnValues[at(v)] : s_.rowActivity[at(v - n_)]; }
  VariableStatus status(int v) const {
    return v < n_ ? s_.basis.columns[at(v)] : s_.basis.rows[at(v - n_)];
  }

  /// The sum of weighted columns and row activities as costs of columns.
  std::vector<double> weighted(std::vector<double> const& weight) const {
    std::vector<double> costs(weight.begin(), weight.begin() + n_);
    ColumnReader read(lp_.matrix);
    for (int j = 0; j < n_; ++j)
      for (auto const [i, a] : read.column(j)) costs[at(j)] += a * weight[at(n_ + i)];
    return costs;
  }

  LinearProgram const& lp_;
  Solution const& s_;
  int n_;
};

/// Whether the objective of `face` cannot rise above what it is at `start`.
std::optional<bool> cannotRise(LinearProgram face, StartPoint start, bool twoSided,
                               Options const& options, Callbacks const& callbacks) {
  double const present = objectiveOf(face, start.x);
  Solver solver(std::move(face));
  solver.setStart(std::move(start));
  Solution const s = solver.solve(options, callbacks);
  if (s.status == Status::unbounded) return false;
  if (s.status != Status::optimal) return std::nullopt;
  if (s.objective - present > moved * (1.0 + std::fabs(present))) return false;
  return twoSided ? std::nullopt : std::optional(true);
}

}  // namespace

OptimumDiagnosis diagnose(Solver& solver, Solution const& solution, Options const& options,
                          Callbacks const& callbacks) {
  LinearProgram const& lp = solver.problem();
  OptimumDiagnosis found;
  solver.prepareTableau(options, callbacks);
  found.condition = solver.conditionOfBasis();
  if (found.condition.estimate >= illCondition) {
    std::vector<int> variables = found.condition.variables;
    for (int const i : found.condition.rows) variables.push_back(lp.columns() + i);
    found.findings.push_back(
        {"ill_conditioned", "the basis has the condition number " + brief(found.condition.estimate),
         "look at these columns and rows: they nearly depend on each other", std::move(variables)});
  }
  Optimum const optimum(lp, solution);
  auto const any = [&](auto const& has) {
    for (int v = 0; v < optimum.variables(); ++v)
      if (has(v)) return true;
    return false;
  };
  bool twoSided = false;
  found.uniquePoint = true;
  if (any([&](int v) { return optimum.isIndifferent(v); })) {
    LinearProgram face = optimum.points(twoSided);
    found.uniquePoint =
        cannotRise(std::move(face), {solution.columnValues, {}}, twoSided, options, callbacks);
  }
  twoSided = false;
  found.uniqueDuals = true;
  if (any([&](int v) { return optimum.isDegenerate(v); })) {
    std::vector<double> y = solution.rowDuals;
    if (lp.sense == Sense::maximize)
      for (double& price : y) price = -price;
    LinearProgram face = optimum.duals(twoSided);
    found.uniqueDuals =
        cannotRise(std::move(face), {std::move(y), {}}, twoSided, options, callbacks);
  }
  return found;
}

}  // namespace osi_cuda
