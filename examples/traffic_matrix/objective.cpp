// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/objective.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::examples::traffic {

std::string nameOf(Objective::Kind kind) {
  return objectiveNames[static_cast<std::size_t>(kind)];
}

std::vector<double> errorUnits(std::vector<double> const& prior, double q, double floor) {
  std::vector<double> units(prior.size());
  for (std::size_t j = 0; j < prior.size(); ++j) units[j] = std::pow(std::max(prior[j], floor), q);
  return units;
}

double objectiveValue(Objective const& objective, std::vector<double> const& prior,
                      std::vector<double> const& units, std::vector<double> const& matrix) {
  double total = 0.0, largest = 0.0;
  for (std::size_t j = 0; j < prior.size(); ++j) {
    double const e = (prior[j] - matrix[j]) / units[j];
    double const a = std::max(objective.alpha * e, -e);
    largest = std::max(largest, std::abs(e));
    total += std::max(a, objective.gamma + objective.beta * (a - objective.gamma));
  }
  return objective.kind == Objective::Kind::minimax ? largest : total;
}

}  // namespace osi_cuda::examples::traffic
