// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "osi_cuda/cost/cost_model.hpp"

/// What whole solves take, of the formulas of cost_model.hpp.
namespace osi_cuda {

/// From so many rows and columns of a dense problem on the interior point method comes first on a
/// device, and from so many entries.
double barrierSide(Machine const& machine);
double barrierCells(Machine const& machine);
/// The ways of a solve, for the reasons of a plan.
enum class Way { hostFactors, hostTableau, devicePivots, hostBarrier, deviceBarrier };
char const* toString(Way way);

/// What an estimate assumes.
struct Beginning {
  std::optional<double> pivots;  ///< from a basis; none: from the slack basis, by sizes
  bool deviceOpen = false;       ///< else its opening counts
  bool loaded = false;           ///< the device has the problem: nothing is sent
  double threads = 1.0;          ///< of the processor
};
/// Seconds that a way takes, roughly. None: sizes do not tell, as of an interior point method for a
/// sparse problem, whose work is counted when it comes to that.
std::optional<double> estimatedSeconds(Machine const& machine, Way way, Shape const& shape,
                                       Beginning const& from = {});
/// Of all ways whose seconds are known, the quickest first.
struct Estimate {
  Way way;
  double seconds;
};
std::vector<Estimate> estimatesOf(Machine const& machine, Shape const& shape,
                                  Beginning const& from = {});

}  // namespace osi_cuda
