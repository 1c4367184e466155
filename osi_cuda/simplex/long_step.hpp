// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/host_device.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/team.hpp"

/// The long-step ratio test: along a ray, a convex piecewise linear function falls with some slope;
/// at each kink the slope rises. Go on past kinks while it stays negative, and choose a pivot of
/// good size where it turns. The primal phase 1 (sum of infeasibilities; Wolfe 1965) and the dual
/// with boxed variables (bound flipping; Fourer 1994, Maros 2003) are both of this form.
namespace osi_cuda {

/// The outcome: the blocking candidate, or none when the function falls for ever.
struct LongStep {
  rules::Candidate chosen;
  double largest = 0.0;   ///< |entry| of the whole row or column
  bool shortest = false;  ///< nothing was passed
};

/// Whether the slope turns at the candidate that Harris' test finds, whatever else blocks there.
OSI_CUDA_HD inline bool turnsAt(rules::Blocking const& nearest, double slope) {
  return !nearest.best.found() || slope + nearest.best.slope >= 1e-6 * slope;
}

/// bestOf(from, to) forms the largest |entry| of the candidates that block at `to` at the latest,
/// and with their bound relaxed not before `from` (a grid barrier of the team, and one place in its
/// code). So the first choice are those that the turning point belongs to as far as Harris'
/// tolerance can tell; but a tiny pivot is worth less than a shorter step.
OSI_CUDA_LOOP LongStep longStep(rules::Turn const& turn, auto bestOf) {
  LongStep result;
  result.largest = turn.largest;
  result.shortest = !turn.passed;
  if (!turn.found()) return result;
  double const enough = 0.1 * turn.largest < 1.0 ? 0.1 * turn.largest : 1.0;
  for (double from = turn.ratio;; from = -1.0) {
    result.chosen = bestOf(from, turn.ratio);
    if (result.chosen.key >= enough || result.shortest || from < 0.0) return result;
  }
}

}  // namespace osi_cuda
