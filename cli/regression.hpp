// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/instance_list.hpp"
#include "cli/run_database.hpp"

namespace osi_cuda::cli {

/// From where on a difference between two runs counts.
struct RegressionLimits {
  double objectiveTolerance = 1e-6;  ///< relative to 1 + |objective|
  double iterationFactor = 1.5;      ///< times as many iterations ...
  std::int64_t iterationsMore = 20;  ///< ... and at least that many more
  double timeFactor = 2.0;           ///< times as long, on the same host and device ...
  double secondsMore = 0.1;          ///< ... and at least that much longer
};

/// One difference, as a message.
struct Change {
  bool regression = false;  ///< else an improvement, or neither good nor bad
  std::string text;
};

/// What differs between a run and the one before it. Regressions: a status that is lost or
/// contradicts the old one, another objective, a lost proof, more iterations or seconds than the
/// limits allow.
std::vector<Change> changesSince(RunRecord const& before, RunRecord const& now,
                                 RegressionLimits const& limits);

/// What is wrong about a run by itself: a verdict of wrong or disputed, or a claim that contradicts
/// what the list states. All of them are regressions.
std::vector<Change> faultsOf(RunRecord const& now, Instance const& expected,
                             RegressionLimits const& limits);

}  // namespace osi_cuda::cli
