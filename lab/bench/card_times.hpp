// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/cost/cost_model.hpp"

namespace osi_cuda::bench {

/// What a solve by the interior point method did on a device, by its own counters.
struct SolveCounts {
  int rows = 0, columns = 0;
  double iterations = 0.0;
  double solves = 4.0;  ///< of an iteration, correctors included
  double pivots = 0.0;  ///< of the crossover
};

/// A part of such a solve.
struct CardPart {
  std::string name;
  double operations = 0.0;  ///< in double precision
  double seconds = 0.0;     ///< by the formulas of cost_model.hpp
  double sliced = 0.0;      ///< the same where whole products are sums of products of bytes; block
                            ///< updates are too narrow for that
};

/// The parts on this machine: the formulas, each as many times as the counters say.
std::vector<CardPart> cardParts(Machine const& machine, SolveCounts const& counts);

/// Products of bytes that a product in double precision takes: 8 slices of 7 bits, and those pairs
/// whose sum counts.
inline constexpr double productsOfSlices = 36.0;
/// This machine as if its whole products were made so, where that is quicker.
Machine withSlices(Machine machine);

}  // namespace osi_cuda::bench
