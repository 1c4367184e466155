// SPDX-License-Identifier: EPL-2.0
#include "bridges/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "bridges/translation.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

/// The first of the two problems: lp's columns, then p_1..p_m, then q_1..q_m.
LinearProgram elasticProblem(LinearProgram const& lp) {
  LinearProgram elastic;
  elastic.matrix = lp.matrix;
  elastic.columnLower = lp.columnLower;
  elastic.columnUpper = lp.columnUpper;
  elastic.rowLower = lp.rowLower;
  elastic.rowUpper = lp.rowUpper;
  elastic.objective.assign(lp.columns(), 0.0);
  for (double const sign : {1.0, -1.0})
    for (int i = 0; i < lp.rows(); ++i) {
      elastic.matrix.add(i, sign);
      elastic.endColumn(1.0, 0.0, infinity);
    }
  return elastic;
}

double coneLower(double lower) {
  return std::isfinite(lower) ? 0.0 : -infinity;
}
double coneUpper(double upper) {
  return std::isfinite(upper) ? 0.0 : infinity;
}

/// The second of the two problems.
LinearProgram recessionProblem(LinearProgram const& lp) {
  LinearProgram recession;
  recession.sense = lp.sense;
  recession.matrix = lp.matrix;
  recession.objective = lp.objective;
  for (int j = 0; j < lp.columns(); ++j) {
    recession.columnLower.push_back(std::max(-1.0, coneLower(lp.columnLower[j])));
    recession.columnUpper.push_back(std::min(1.0, coneUpper(lp.columnUpper[j])));
  }
  for (int i = 0; i < lp.rows(); ++i)
    recession.addRow(coneLower(lp.rowLower[i]), coneUpper(lp.rowUpper[i]));
  return recession;
}

/// A solve that may fail in any way: the next solver is asked then.
Solution attempt(Bridge const& solver, LinearProgram const& lp, BridgeOptions const& options) {
  try {
    return solver.solve(lp, options);
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const&) {
    return {};
  }
}

bool feasible(LinearProgram const& lp, std::vector<double> const& x) {
  Solution point;
  point.columnValues = x;
  return residualsOf(lp, point).primal <= 1e-6;
}

}  // namespace

Certificates searchCertificates(LinearProgram const& lp, std::vector<BridgePointer> const& solvers,
                                BridgeOptions const& options) {
  Certificates found;
  if (verifyFarkas(lp, {}).proved) {  // crossed bounds
    found.farkas.emplace(lp.rows(), 0.0);
    return found;
  }
  auto const elastic = elasticProblem(lp);
  for (auto const& solver : solvers) {
    auto const solution = attempt(*solver, elastic, options);
    if (solution.columnValues.size() != at(elastic.columns())) continue;
    std::vector<double> x(solution.columnValues.begin(),
                          solution.columnValues.begin() + lp.columns());
    if (feasible(lp, x)) found.point = std::move(x);
    auto y = farkasOfEitherSign(lp, solution.rowDuals);
    if (!found.point && !y.empty()) found.farkas = std::move(y);
    if (found.point || found.farkas) break;
  }
  if (!found.point) return found;
  auto const recession = recessionProblem(lp);
  for (auto const& solver : solvers) {
    auto const solution = attempt(*solver, recession, options);
    auto ray = rayOfEitherSign(lp, *found.point, solution.columnValues);
    if (!ray.empty()) found.ray = std::move(ray);
    if (found.ray || solution.status == Status::optimal) break;
  }
  return found;
}

}  // namespace osi_cuda
