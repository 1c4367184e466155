// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>
#include <string>
#include <vector>

#include "examples/traffic_matrix/formulation.hpp"

namespace osi_cuda::examples::traffic {

/// What is known, in the user's units of traffic. A "link" here is whatever has a counter: with
/// withAccessRows() also a node's access line.
struct Observation {
  CoinPackedMatrix const& routing;  ///< links x pairs
  std::vector<int> measured;        ///< links whose load is known, ascending
  std::vector<double> loads;        ///< by link
  std::vector<double> prior;        ///< by pair
};

struct Settings {
  Objective objective;
  Formulation formulation = Formulation::deviations;
  /// Estimates below `floorShare` times the mean estimate count as that in the unit w_j.
  double floorShare = 1e-4;
};

enum class Outcome { optimal, infeasible, unsolved };

struct Estimate {
  Outcome outcome = Outcome::unsolved;
  std::vector<double> matrix;   ///< X, by pair; >= 0. Empty unless optimal.
  double objectiveValue = 0.0;  ///< the LP's, in the unit of e_j
  double residual = 0.0;        ///< relativeResidual() of `matrix`
  int rows = 0, columns = 0, nonzeros = 0;
  int iterations = 0;
  double formulateSeconds = 0.0, solveSeconds = 0.0;
  double floor = 0.0;    ///< in units of traffic
  int pairsOnFloor = 0;  ///< estimates below it
};

/// Formulates the LP in units of the mean estimate and solves it with `solver`, whose problem is
/// replaced. `mpsFile`, a path without its ending .mps: writes that LP there first.
Estimate estimate(Observation const& observation, Settings const& settings,
                  OsiSolverInterface& solver, std::string const& mpsFile = {});

/// The largest |R X - L| of a measured link, relative to its load (to the mean load where it is 0).
double relativeResidual(Observation const& observation, std::vector<double> const& matrix);

/// The tolerances of this example: link loads are to be met to 1e-8.
void setTolerances(OsiSolverInterface& solver);

}  // namespace osi_cuda::examples::traffic
