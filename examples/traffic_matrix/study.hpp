// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/traffic_matrix/consistency.hpp"
#include "examples/traffic_matrix/evaluation.hpp"

namespace osi_cuda::examples::traffic {

/// Many generated networks, each estimated with many objectives.
struct StudySettings {
  int nodes = 20;
  int seeds = 20;  ///< 1, 2, ..., seeds
  double spread = 0.5;
  double sigma = 0.2;
  bool gravityPrior = false;  ///< from the true totals, balanced; else truth with noise sigma
};

/// Over all seeds: mean and standard deviation of each measure.
struct StudyRow {
  std::string name;  ///< "prior", or the objective and its parameters
  Accuracy mean, deviation;
  double largestResidual = 0.0;
};

/// The prior first, then every objective of studiedObjectives(). Throws Failure (numerical) if an
/// LP has no optimum.
std::vector<StudyRow> study(StudySettings const& settings, SolverFactory const& makeSolver);

/// What docs/examples/traffic_matrix.md compares.
std::vector<Objective> studiedObjectives();

}  // namespace osi_cuda::examples::traffic
