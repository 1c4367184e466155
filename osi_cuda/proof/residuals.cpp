// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/problem_view.hpp"

namespace osi_cuda {
namespace proof {
namespace {

struct PointView {
  LinearProgram const& lp;
  Parts const &columnValues, &rowDuals;
  Products const& products;

  Bounded x(int j) const { return columnValues[at(j)]; }
  Bounded activity(int i) const { return products.activity[at(i)]; }
  Bounded multiplier(int i) const { return rowDuals[at(i)]; }
  /// Most nonbasic columns rest to the last bit on the bound that their reduced cost wants.
  bool restsAsWanted(int j, double sign, double lower, double upper) const {
    auto const k = at(j);
    Bounded const sum = products.product[k];
    double const c = lp.objective[k], product = sum.value.hi, d = sign * (c - product);
    double const off = 0x1p-50 * (std::fabs(c) + std::fabs(product)) + 4.0 * sum.error;
    return columnValues.high()[k] == (d > 0.0 ? lower : upper) && std::fabs(d) > off &&
           (columnValues.low().empty() || columnValues.low()[k] == 0.0);
  }
  Bounded reducedCost(int j) const {
    return Bounded(lp.objective[at(j)]) - products.product[at(j)];
  }
};

double largestOf(std::span<double const> numbers) {
  double largest = 0.0;
  for (double const a : numbers) largest = std::max(largest, std::fabs(a));
  return largest;
}

/// A point with multipliers and their products.
class Examined {
 public:
  Examined(LinearProgram const& lp, Parts const& x, Parts const& y, Products const& products)
      : lp_(lp), y_(y), point_{lp, x, y, products}, objective_(objectiveOf(lp, x)) {}

  Verdict verdict() const {
    ProblemView const problem{lp_};
    InOrder const inOrder = problem.inOrder();
    double const share = y_.low().empty() ? multiplierRounding : multiplierRoundingOfParts;
    auto const rounding = [&](int j) {
      return share * (std::fabs(lp_.objective[at(j)]) + termsOfColumn(lp_.matrix, j, y_));
    };
    return verdictOf(inOrder, problem, point_, objective_.value.hi, rounding,
                     share * largestOf(y_.high()));
  }

  Bounded const& objective() const { return objective_; }

 private:
  LinearProgram const& lp_;
  Parts const& y_;
  PointView const point_;
  Bounded const objective_;
};

}  // namespace

double primalResidual(LinearProgram const& lp, Parts const& x, BoundedVector const& activity) {
  double most = 0.0;
  for (std::size_t j = 0; j < lp.columnLower.size(); ++j)
    most = worse(most, violationOf(x[j], lp.columnLower[j], lp.columnUpper[j]));
  for (std::size_t i = 0; i < lp.rowLower.size(); ++i)
    most = worse(most, violationOf(activity[i], lp.rowLower[i], lp.rowUpper[i]));
  return most;
}

Assessment assessmentOf(Sense sense, Worth const& worth) {
  auto const& [verdict, objective] = worth;
  bool const maximize = sense == Sense::maximize;
  Bounded const value = maximize ? -objective : objective;  // to be minimised
  double least = -infinity, most = infinity;
  if (isNumber(verdict.above)) least = roundedDown(value - Bounded(verdict.above));
  if (verdict.primal == 0.0) most = roundedUp(value);
  return {{verdict.primal, verdict.dual, verdict.complementarity},
          maximize ? ObjectiveEnclosure{-most, -least} : ObjectiveEnclosure{least, most},
          {}};
}

double valueOf(LinearProgram const& lp, std::span<double const> x) {
  Parts const parts(x, {});
  bool const maximize = lp.sense == Sense::maximize;
  if (!parts.fits(at(lp.columns())) ||
      primalResidual(lp, parts, productsOf(lp.matrix, &parts, nullptr).activity) != 0.0)
    return maximize ? -infinity : infinity;
  Bounded const value = objectiveOf(lp, parts);
  return maximize ? roundedDown(value) : roundedUp(value);
}

Bounded objectiveOf(LinearProgram const& lp, Parts const& x) {
  return productOf(lp.objectiveOffset, lp.objective, x);
}

Assessment assess(LinearProgram const& lp, Solution const& solution) {
  Assessment result;
  Parts const x(solution.columnValues, solution.columnValuesLow),
      y(solution.rowDuals, solution.rowDualsLow);
  if (!x.fits(at(lp.columns()))) return result;
  bool const multipliers = y.fits(at(lp.rows()));
  result.products = productsOf(lp.matrix, &x, multipliers ? &y : nullptr);
  if (!multipliers) {
    result.residuals.primal = primalResidual(lp, x, result.products.activity);
    return result;
  }
  Examined const examined(lp, x, y, result.products);
  Assessment found = assessmentOf(lp.sense, {examined.verdict(), examined.objective()});
  found.products = std::move(result.products);
  return found;
}

}  // namespace proof

double objectiveOf(LinearProgram const& lp, std::span<double const> x,
                   std::span<double const> low) {
  return proof::objectiveOf(lp, proof::Parts(x, low)).value.hi;
}

Residuals residualsOf(LinearProgram const& lp, Solution const& solution) {
  return proof::assess(lp, solution).residuals;
}

}  // namespace osi_cuda
