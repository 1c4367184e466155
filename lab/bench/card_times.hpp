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

/// Products of bytes that a large product in double precision takes: what cuBLAS 13.1 made on an
/// H200 when it was told to (2.94e13 operations a second, of bytes 1.67e15). Small ones take more.
inline constexpr double productsOfSlices = 57.0;
/// This machine as if its whole products were made so, where that is quicker.
Machine withSlices(Machine machine);

}  // namespace osi_cuda::bench
