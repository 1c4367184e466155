// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/objective.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::examples::traffic {

std::vector<double> errorUnits(std::vector<double> const& prior, double q, double floor) {
  std::vector<double> units(prior.size());
  for (std::size_t j = 0; j < prior.size(); ++j) units[j] = std::pow(std::max(prior[j], floor), q);
  return units;
}

}  // namespace osi_cuda::examples::traffic
