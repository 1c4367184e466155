// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/study.hpp"

#include <cmath>
#include <numeric>

#include "examples/common/failure.hpp"
#include "examples/traffic_matrix/generators.hpp"
#include "examples/traffic_matrix/priors.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

std::string describe(Objective const& objective) {
  constexpr int digits = 4;
  auto const number = [](double value) { return shell::shortNumber(value, digits); };
  std::string text = nameOf(objective.kind) + ", q " + number(objective.q);
  if (objective.isAsymmetric()) text += ", alpha " + number(objective.alpha);
  if (objective.isPiecewise())
    text += ", beta " + number(objective.beta) + ", gamma " + number(objective.gamma);
  return text;
}

/// The measures of one row, seed by seed.
struct Series {
  std::string name;
  std::vector<Accuracy> values;
  double largestResidual = 0.0;
};

StudyRow summary(Series const& series) {
  StudyRow row{series.name, {}, {}, series.largestResidual};
  double const count = static_cast<double>(series.values.size());
  for (auto const& [measure, key, heading] : measures) {
    double total = 0.0, squares = 0.0;
    for (Accuracy const& value : series.values) total += value.*measure;
    double const mean = total / count;
    for (Accuracy const& value : series.values) squares += std::pow(value.*measure - mean, 2);
    row.mean.*measure = mean;
    row.deviation.*measure = count > 1 ? std::sqrt(squares / (count - 1)) : 0.0;
  }
  return row;
}

std::vector<double> priorOf(StudySettings const& settings, std::vector<double> const& truth,
                            Random& random) {
  if (!settings.gravityPrior) return noisyMatrix(truth, settings.sigma, random);
  Pairs const pairs(settings.nodes);
  Totals const totals = totalsOf(truth, pairs);
  std::vector<double> prior = gravity(totals, pairs, {});
  balance(prior, totals, pairs);
  return prior;
}

}  // namespace

std::vector<Objective> studiedObjectives() {
  using Kind = Objective::Kind;
  return {{Kind::minimax, 1.0, 1.0, 0.0, 0.0},    {Kind::minimax, 1.0, 1.0, 0.0, 1.0},
          {Kind::sum, 1.0, 1.0, 0.0, 0.0},        {Kind::sum, 1.0, 1.0, 0.0, 0.5},
          {Kind::sum, 1.0, 1.0, 0.0, 1.0},        {Kind::asymmetric, 0.5, 1.0, 0.0, 1.0},
          {Kind::asymmetric, 2.0, 1.0, 0.0, 1.0}, {Kind::piecewise, 1.0, 2.0, 0.2, 1.0},
          {Kind::piecewise, 1.0, 4.0, 0.1, 1.0},  {Kind::piecewise, 1.0, 4.0, 0.2, 1.0},
          {Kind::piecewise, 1.0, 4.0, 0.4, 1.0},  {Kind::asymmetricPiecewise, 2.0, 4.0, 0.2, 1.0}};
}

std::vector<StudyRow> study(StudySettings const& settings, SolverFactory const& makeSolver) {
  std::vector<Objective> const objectives = studiedObjectives();
  std::vector<Series> all{{"prior", {}}};
  for (Objective const& objective : objectives) all.push_back({describe(objective), {}});
  for (int seed = 1; seed <= settings.seeds; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Network const network = generateNetwork(settings.nodes, random);
    CoinPackedMatrix const routing = routingMatrix(network);
    Pairs const pairs(settings.nodes);
    constexpr double meanTraffic = 100.0;
    std::vector<double> const truth = generateTruth(pairs, meanTraffic, settings.spread, random);
    std::vector<int> measured(network.links.size());
    std::iota(measured.begin(), measured.end(), 0);
    Observation const observation{routing, measured, linkLoads(routing, truth),
                                  priorOf(settings, truth, random)};
    all.front().values.push_back(accuracyOf(observation.prior, truth));
    all.front().largestResidual =
        std::max(all.front().largestResidual, relativeResidual(observation, observation.prior));
    for (std::size_t k = 0; k < objectives.size(); ++k) {
      Settings choice;
      choice.objective = objectives[k];
      Estimate const result = estimate(observation, choice, *makeSolver());
      if (result.outcome != Outcome::optimal)
        throw Failure(ExitStatus::numerical,
                      "seed " + std::to_string(seed) + ", " + all[k + 1].name + ": no optimum");
      all[k + 1].values.push_back(accuracyOf(result.matrix, truth));
      all[k + 1].largestResidual = std::max(all[k + 1].largestResidual, result.residual);
    }
  }
  std::vector<StudyRow> rows;
  for (Series const& series : all) rows.push_back(summary(series));
  return rows;
}

}  // namespace osi_cuda::examples::traffic
