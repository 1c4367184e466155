// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/consistency.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "examples/common/failure.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

double meanLoad(Observation const& observation) {
  double total = 0.0;
  for (int const i : observation.measured) total += observation.loads[i];
  return total > 0.0 ? total / double(observation.measured.size()) : 1.0;
}

std::vector<double> scaledLoads(Observation const& observation) {
  std::vector<double> loads = observation.loads;
  double const unit = meanLoad(observation);
  for (double& load : loads) load /= unit;
  return loads;
}

std::vector<Expression> addTraffic(LinearModel& lp, Observation const& observation) {
  std::vector<Expression> X;
  for (std::size_t j = 0; j < observation.prior.size(); ++j)
    X.push_back(lp.addColumn(0.0, infinity, 0.0));
  return X;
}

/// R X = L, X >= 0 without an objective, in units of the mean load.
LinearModel feasibilityLp(Observation const& observation) {
  LinearModel lp;
  std::vector<Expression> const X = addTraffic(lp, observation);
  addLinkRows(lp, observation.routing, observation.measured, scaledLoads(observation), X);
  return lp;
}

/// min sum (u + v), R X + u - v = L, in the same units.
struct Elastic {
  LinearModel lp;
  std::vector<Expression> corrections;  ///< u - v, by measured link
};

Elastic elasticLp(Observation const& observation) {
  Elastic result;
  auto& [lp, corrections] = result;
  std::vector<Expression> const X = addTraffic(lp, observation);
  for (std::size_t k = 0; k < observation.measured.size(); ++k) {
    Expression const u = lp.addColumn(0.0, infinity, 1.0);
    Expression const v = lp.addColumn(0.0, infinity, 1.0);
    corrections.push_back(u - v);
  }
  addLinkRows(lp, observation.routing, observation.measured, scaledLoads(observation), X,
              corrections);
  return result;
}

std::unique_ptr<OsiSolverInterface> solvedElastic(Elastic const& elastic,
                                                  SolverFactory const& makeSolver) {
  auto solver = makeSolver();
  elastic.lp.loadInto(*solver);
  setTolerances(*solver);
  solver->initialSolve();
  if (!solver->isProvenOptimal())
    throw Failure(ExitStatus::numerical, "the solver found no smallest correction of the loads");
  return solver;
}

/// The contradiction that these multipliers of measured links prove, if they do.
std::optional<Contradiction> fromMultipliers(Observation const& part, double const* y,
                                             double sign) {
  double largest = 0.0;
  for (std::size_t k = 0; k < part.measured.size(); ++k)
    largest = std::max(largest, std::abs(y[k]));
  if (largest == 0.0) return std::nullopt;
  Contradiction result;
  for (std::size_t k = 0; k < part.measured.size(); ++k) {
    double const multiplier = sign * y[k] / largest;
    constexpr double nothing = 1e-9;
    if (std::abs(multiplier) <= nothing) continue;
    result.multipliers.emplace_back(part.measured[k], multiplier);
    result.excess += multiplier * part.loads[part.measured[k]];
  }
  if (!holds(result, part)) return std::nullopt;
  return result;
}

/// Can some X >= 0 explain these links? Nothing, or the contradiction that the solver proves.
std::optional<Contradiction> contradictionOf(Observation const& observation,
                                             std::vector<int> const& links,
                                             SolverFactory const& makeSolver) {
  Observation const part{observation.routing, links, observation.loads, observation.prior};
  auto const solver = makeSolver();
  feasibilityLp(part).loadInto(*solver);
  setTolerances(*solver);
  // A presolve that finds the contradiction leaves no certificate.
  solver->setHintParam(OsiDoPresolveInInitial, false, OsiHintTry);
  solver->initialSolve();
  if (solver->isProvenOptimal()) return std::nullopt;
  std::vector<double> ray;
  if (solver->isProvenPrimalInfeasible()) ray = firstRay(solver->getDualRays(1), links.size());
  // OSI fixes the sign of a ray, solvers do not all keep to it: both are tried.
  for (double const sign : {1.0, -1.0})
    if (!ray.empty())
      if (auto found = fromMultipliers(part, ray.data(), sign)) return found;
  // At the optimum of the elastic LP, y'R <= 0 and y'L is the sum of the corrections.
  auto const elastic = solvedElastic(elasticLp(part), makeSolver);
  return fromMultipliers(part, elastic->getRowPrice(), 1.0);
}

std::vector<int> linksOf(Contradiction const& contradiction) {
  std::vector<int> links;
  for (auto const& [link, multiplier] : contradiction.multipliers) links.push_back(link);
  return links;
}

/// "load of L3 (A -> B) + 0.5 x load of L7 (C -> D)" over the links whose multiplier has this sign.
std::string side(Contradiction const& contradiction, std::vector<std::string> const& names,
                 double sign) {
  std::string text;
  for (auto const& [link, multiplier] : contradiction.multipliers) {
    if (multiplier * sign <= 0.0) continue;
    if (!text.empty()) text += " + ";
    constexpr double rounding = 1e-6;
    if (std::abs(std::abs(multiplier) - 1.0) > rounding)
      text += shell::shortNumber(std::abs(multiplier), 4) + " x ";
    text += names[link];
  }
  return text.empty() ? "0" : text;
}

double sideLoad(Contradiction const& contradiction, Observation const& observation, double sign) {
  double total = 0.0;
  for (auto const& [link, multiplier] : contradiction.multipliers)
    if (multiplier * sign > 0.0) total += std::abs(multiplier) * observation.loads[link];
  return total;
}

}  // namespace

bool holds(Contradiction const& contradiction, Observation const& observation) {
  std::vector<double> y(observation.routing.getNumRows());
  double size = 0.0;
  for (auto const& [link, multiplier] : contradiction.multipliers) {
    y[link] = multiplier;
    size += std::abs(multiplier) * observation.loads[link];
  }
  std::vector<double> yR(observation.routing.getNumCols());
  observation.routing.transposeTimes(y.data(), yR.data());
  constexpr double rounding = 1e-8;
  return contradiction.excess > rounding * size &&
         std::ranges::all_of(yR, [](double value) { return value <= rounding; });
}

Contradiction findContradiction(Observation const& observation, SolverFactory const& makeSolver) {
  auto found = contradictionOf(observation, observation.measured, makeSolver);
  if (!found) return {};
  std::vector<int> const first = linksOf(*found);
  for (int const candidate : first) {
    std::vector<int> links = linksOf(*found);
    auto const place = std::ranges::find(links, candidate);
    if (place == links.end() || links.size() == 1) continue;
    links.erase(place);
    if (auto const smaller = contradictionOf(observation, links, makeSolver)) found = smaller;
  }
  return *found;
}

std::vector<std::string> counterNames(Network const& network) {
  std::vector<std::string> names;
  for (int i = 0; i < network.linkCount(); ++i) names.push_back("load of " + network.describe(i));
  for (Node const& node : network.nodes) names.push_back("what " + node.name + " sends");
  for (Node const& node : network.nodes) names.push_back("what " + node.name + " receives");
  return names;
}

std::string explain(Contradiction const& contradiction, Observation const& observation,
                    std::vector<std::string> const& names) {
  constexpr int digits = 6;
  auto const load = [&](double sign) {
    return shell::shortNumber(sideLoad(contradiction, observation, sign), digits);
  };
  return "with these routes, " + side(contradiction, names, 1.0) + " can't be more than " +
         side(contradiction, names, -1.0) + ", but it is " + load(1.0) + " against " + load(-1.0);
}

Correction correctLoads(Observation const& observation, SolverFactory const& makeSolver) {
  Stopwatch const watch;
  Elastic const elastic = elasticLp(observation);
  auto const solver = solvedElastic(elastic, makeSolver);
  double const unit = meanLoad(observation);
  Correction result;
  result.loads = observation.loads;
  result.iterations = solver->getIterationCount();
  for (std::size_t k = 0; k < observation.measured.size(); ++k) {
    double& load = result.loads[observation.measured[k]];
    double const correction = unit * elastic.corrections[k].value(solver->getColSolution());
    constexpr double rounding = 1e-9;
    if (std::abs(correction) <= rounding * std::max(load, unit)) continue;
    load = std::max(0.0, load - correction);
    result.total += std::abs(correction);
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace osi_cuda::examples::traffic
