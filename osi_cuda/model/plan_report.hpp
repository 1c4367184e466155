// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace osi_cuda {

/// A way that a solve may go.
struct PlanWay {
  char const* name = "";  ///< with static storage: "host", "cuda", "factors", "on", ...
  /// Expected of it, of a pivot or of all as the choice says; NaN: not estimated.
  double seconds = std::numeric_limits<double>::quiet_NaN();
};

/// One choice of a plan.
struct PlanChoice {
  char const* subject = "";  ///< with static storage: "presolve", "engine", "representation", ...
  char const* chosen = "";   ///< the name of the way that is taken
  std::string reason;
  std::vector<PlanWay> ways;  ///< those that were weighed
};

/// What a stage of a solve took, its parts left out.
struct StageSeconds {
  char const* stage = "";
  double seconds = 0.0;
};

/// How a solve was planned and what it took; docs/explanation/design.md has its stages.
struct PlanReport {
  std::vector<PlanChoice> choices;   ///< of a first solve, in the order in which they were made
  std::vector<StageSeconds> stages;  ///< those that ran
};

/// "plan: presolve off (4 cells, ...)".
std::string sentenceOf(PlanChoice const& choice);

}  // namespace osi_cuda
