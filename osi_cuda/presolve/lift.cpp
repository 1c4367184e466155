// SPDX-License-Identifier: EPL-2.0
// Farkas multipliers y of the smaller problem are a direction in which duals may go for ever. The
// way back from a presolve is made for duals: it gives each row that was taken away the dual that
// keeps the reduced costs' signs, piece by piece a linear function of those that it is given. So it
// is asked for duals t y and 2 t y, with t so large that costs decide nothing: the difference is t
// times the direction in the given problem, right to rounding. The basis that comes along says of
// which variables the direction's reduced costs are exactly zero; with its factors the multipliers
// are computed anew, to more digits than doubles have, and the verifier looks at nothing else.
#include "osi_cuda/presolve/presolve.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/simplex/refinement.hpp"
#include "osi_cuda/simplex/simplex.hpp"

namespace osi_cuda {
namespace {

double largestOf(std::vector<double> const& values) {
  double largest = 0.0;
  for (double const value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// A'y by columns, and y itself by rows: what a direction of the duals takes from the reduced
/// costs.
struct Products {
  std::vector<double> columns, rows;

  Products(LinearProgram const& lp, std::vector<double> y) : rows(std::move(y)) {
    columns.resize(at(lp.columns()));
    for (int j = 0; j < lp.columns(); ++j)
      for (auto const [i, a] : lp.matrix.column(j)) columns[at(j)] += a * rows[at(i)];
  }

  double largest() const { return std::max(largestOf(columns), largestOf(rows)); }
};

/// Entries of that share of the largest one are rounding.
constexpr double noise = 1e-9;

/// A point whose duals are `factor` times the multipliers. The basic variables whose reduced costs
/// those change are the ones that contradict; they are told to rest where the multipliers want
/// them.
struct Asked {
  Solution point;
  std::vector<int> columns, rows;  ///< those variables

  Asked(Solution const& reduced, Products const& products, double sign, double factor)
      : point(reduced) {
    double const rounding = noise * products.largest();
    for (std::size_t j = 0; j < products.columns.size(); ++j) {
      double const change = products.columns[j];
      if (point.basis.columns[j] != VariableStatus::basic || std::fabs(change) <= rounding)
        continue;
      // Its reduced cost falls with A'y: a negative one wants the upper bound.
      point.basis.columns[j] = change > 0.0 ? VariableStatus::atUpper : VariableStatus::atLower;
      columns.push_back(static_cast<int>(j));
    }
    for (std::size_t i = 0; i < products.rows.size(); ++i) {
      double const multiplier = products.rows[i];
      if (point.basis.rows[i] == VariableStatus::basic && std::fabs(multiplier) > rounding) {
        point.basis.rows[i] = multiplier > 0.0 ? VariableStatus::atLower : VariableStatus::atUpper;
        rows.push_back(static_cast<int>(i));
      }
      point.rowDuals[i] = sign * factor * multiplier;
    }
    point.rowDualsLow.clear();
    point.columnValuesLow.clear();
  }
};

/// The multipliers of the given problem, right to rounding, and their basis.
struct Lifted {
  std::vector<double> y;
  Basis basis;
};

Lifted lift(LinearProgram const& lp, Presolved const& presolved, Solution const& reduced) {
  double const sign = lp.sense == Sense::minimize ? 1.0 : -1.0;
  Products const products(presolved.problem, reduced.farkas);
  constexpr double beyondCosts = 1e4;  // and far from where doubles of costs end
  double const factor =
      beyondCosts * (1.0 + largestOf(lp.objective)) / std::max(products.largest(), 1e-300);
  Asked const once(reduced, products, sign, factor), twice(reduced, products, sign, 2.0 * factor);
  Solution const near = presolved.postsolve(lp, once.point);
  Solution far = presolved.postsolve(lp, twice.point);
  Lifted lifted{std::move(far.rowDuals), std::move(far.basis)};
  for (std::size_t i = 0; i < lifted.y.size(); ++i)
    lifted.y[i] = sign * (lifted.y[i] - near.rowDuals[i]) / factor;
  double const rounding = noise * largestOf(lifted.y);
  for (double& y : lifted.y)
    if (std::fabs(y) <= rounding) y = 0.0;
  for (int const j : twice.columns)
    lifted.basis.columns[at(presolved.columns[at(j)])] = VariableStatus::basic;
  for (int const i : twice.rows)
    lifted.basis.rows[at(presolved.rows[at(i)])] = VariableStatus::basic;
  return lifted;
}

/// The multipliers computed anew from the factors of their basis: y'B is what the lifted ones give
/// for the few basic variables that contradict, and zero for the others.
SplitVector recomputed(FactorsMaker const& factors, LinearProgram const& lp, Lifted const& lifted,
                       Options const& options, Budget& budget) {
  StandardForm const form = makeStandardForm(lp, options.scaling);
  EngineOptions wanted;
  wanted.threads = options.threads;
  std::unique_ptr<Engine> const engine = factors(wanted);
  engine->load(form);
  EngineWatch const watch(*engine, [&budget] { return budget.interrupted(); });
  Callbacks const quiet;
  Run run(quiet, budget);
  Simplex(lp, form, *engine, options, run).place(lifted.basis);
  std::vector<int> const basic = engine->snapshot().basicVariable;
  Products const products(lp, lifted.y);
  double const rounding = noise * products.largest();
  ExtendedVector right(basic.size());
  for (std::size_t k = 0; k < basic.size(); ++k) {
    bool const isColumn = basic[k] < lp.columns();
    std::size_t const v = at(isColumn ? basic[k] : basic[k] - lp.columns());
    double const change = isColumn ? products.columns[v] : products.rows[v];
    if (std::fabs(change) <= rounding) continue;
    right[k] = isColumn ? change * form.columnScale[v] : change / form.rowScale[v];
  }
  RefinedVector y = refinedBtran(form, *engine, basic, right);
  dropRounding(y.value);
  return split(y.value, [&form](std::size_t i) { return form.rowScale[i]; });
}

}  // namespace

std::optional<Solution> liftInfeasibility(FactorsMaker const& factors, LinearProgram const& lp,
                                          Presolved const& presolved, Solution const& reduced,
                                          Options const& options, Budget& budget) try {
  bool const fits = reduced.status == Status::infeasible && factors && !presolved.isDual() &&
                    reduced.farkas.size() == at(presolved.problem.rows()) &&
                    reduced.basis.columns.size() == at(presolved.problem.columns());
  if (!fits || largestOf(reduced.farkas) == 0.0) return std::nullopt;
  Lifted const lifted = lift(lp, presolved, reduced);
  Verifier const verifier(lp, options);
  Solution solution = presolved.postsolve(lp, reduced);
  solution.basis = lifted.basis;
  SplitVector parts = recomputed(factors, lp, lifted, options, budget);
  solution.farkas = std::move(parts.high);
  solution.farkasLow = std::move(parts.low);
  if (!verifier.claimInfeasible(solution) || !verifier.isCertain(solution)) return std::nullopt;
  verifier.assess(solution);
  return solution;
} catch (Interrupted const&) {
  return std::nullopt;
}

}  // namespace osi_cuda
