// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "examples/traffic_matrix/estimation.hpp"
#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

using SolverFactory = std::function<std::unique_ptr<OsiSolverInterface>()>;

/// Why no X >= 0 has R X = L: multipliers y of links with y'R <= 0 and y'L > 0 (Farkas). Each
/// pair's routes put no more on the links with y > 0 than on those with y < 0, weighed by |y|; the
/// counters say otherwise.
struct Contradiction {
  std::vector<std::pair<int, double>> multipliers;  ///< link, y; the largest |y| is 1
  double excess = 0.0;                              ///< y'L, in units of traffic

  bool exists() const { return !multipliers.empty(); }
};

/// Looks for a contradiction among the loads: the solver's certificate of infeasibility (OSI's dual
/// rays), or, where it gives none that holds, the duals of the elastic LP. Links are then left out
/// one by one as long as the rest still contradict each other, so that every link that is named is
/// needed. No multipliers: the loads are consistent, to the solver's tolerance.
Contradiction findContradiction(Observation const& observation, SolverFactory const& makeSolver);

/// Is y'R <= 0 to rounding, and y'L > 0 beyond it?
bool holds(Contradiction const& contradiction, Observation const& observation);

/// The contradiction as a sentence. `names`, by link: "load of L1 (A -> B)".
std::string explain(Contradiction const& contradiction, Observation const& observation,
                    std::vector<std::string> const& names);

/// What explain() calls the links of a network and, behind them, the rows of withAccessRows().
std::vector<std::string> counterNames(Network const& network);

/// The loads that some X >= 0 fits and that differ least from the measured ones, in the sum of
/// absolute differences: min sum (u + v), R X + u - v = L, all >= 0.
struct Correction {
  std::vector<double> loads;  ///< by link; of links that are not measured: as given
  double total = 0.0;         ///< that sum, in units of traffic
  double seconds = 0.0;
  int iterations = 0;
};

/// Throws Failure (numerical) if the solver does not bring that LP, which always has an optimum, to
/// its end.
Correction correctLoads(Observation const& observation, SolverFactory const& makeSolver);

}  // namespace osi_cuda::examples::traffic
