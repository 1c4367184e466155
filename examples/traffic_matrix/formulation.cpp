// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/formulation.hpp"

#include <algorithm>

namespace osi_cuda::examples::traffic {
namespace {

FormulatedLp withErrorRows(Question const& question) {
  auto const& [routing, measured, loads, E, w, objective] = question;
  auto const& [kind, alpha, beta, gamma, q] = objective;
  FormulatedLp result;
  auto& [lp, X] = result;

  for (std::size_t j = 0; j < E.size(); ++j) X.push_back(lp.addColumn(0.0, infinity, 0.0));
  addLinkRows(lp, routing, measured, loads, X);

  Expression C = lp.addColumn(0.0, infinity, 1.0);
  for (std::size_t j = 0; j < E.size(); ++j) {
    if (j > 0 && kind != Objective::Kind::minimax) C = lp.addColumn(0.0, infinity, 1.0);
    Expression const e = (1.0 / w[j]) * (E[j] - X[j]);
    lp.add(C >= alpha * e);
    lp.add(C >= -e);
    if (!objective.isPiecewise()) continue;
    lp.add(C >= gamma + beta * (alpha * e - gamma));
    lp.add(C >= gamma + beta * (-e - gamma));
  }
  return result;
}

/// A deviation in one direction, from 0 to `limit`, that costs `slope` a unit until its cost is
/// gamma, and beta times that from there on. The cheap piece fills first, as beta >= 1.
Expression addDeviation(LinearModel& lp, Objective const& objective, double slope, double limit) {
  if (!objective.isPiecewise()) return lp.addColumn(0.0, limit, slope);
  double const bend = std::min(objective.gamma / slope, limit);
  Expression pieces;
  if (bend > 0.0) pieces += lp.addColumn(0.0, bend, slope);
  if (bend < limit) {
    double const rest = limit == infinity ? infinity : limit - bend;
    pieces += lp.addColumn(0.0, rest, objective.beta * slope);
  }
  return pieces;
}

FormulatedLp withDeviations(Question const& question) {
  auto const& [routing, measured, loads, E, w, objective] = question;
  bool const isMinimax = objective.kind == Objective::Kind::minimax;
  FormulatedLp result;
  auto& [lp, X] = result;

  Expression const C = isMinimax ? lp.addColumn(0.0, infinity, 1.0) : Expression();
  for (std::size_t j = 0; j < E.size(); ++j) {
    // X_j >= 0 is n_j <= E_j / w_j: p_j and n_j are never both positive at an optimum.
    double const most = E[j] / w[j];
    Expression const p = addDeviation(lp, objective, isMinimax ? 0.0 : 1.0, infinity);
    Expression const n = addDeviation(lp, objective, isMinimax ? 0.0 : objective.alpha, most);
    X.push_back(E[j] + w[j] * (p - n));
    if (isMinimax) lp.add(C >= p + n);
  }
  addLinkRows(lp, routing, measured, loads, X);
  return result;
}

}  // namespace

void addLinkRows(LinearModel& lp, CoinPackedMatrix const& routing, std::vector<int> const& measured,
                 std::vector<double> const& loads, std::vector<Expression> const& X,
                 std::vector<Expression> const& slack) {
  CoinPackedMatrix R = routing;
  R.reverseOrdering();  // by rows
  for (std::size_t k = 0; k < measured.size(); ++k) {
    int const i = measured[k];
    Expression carried = slack.empty() ? Expression() : slack[k];
    for (CoinBigIndex at = R.getVectorFirst(i); at < R.getVectorLast(i); ++at)
      carried += R.getElements()[at] * X[R.getIndices()[at]];
    lp.add(carried == loads[i]);
  }
}

FormulatedLp formulate(Question const& question, Formulation formulation) {
  return formulation == Formulation::errorRows ? withErrorRows(question) : withDeviations(question);
}

}  // namespace osi_cuda::examples::traffic
