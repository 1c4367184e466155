// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// An approximate optimum to start from, of any method and accuracy, in the terms of the
/// LinearProgram.
struct StartPoint {
  std::vector<double> x;  ///< length n; empty: not known
  std::vector<double> y;  ///< row duals, length m, with the signs of Solution::rowDuals, or empty

  bool empty() const { return x.empty() && y.empty(); }
};

/// An empty string, or why `start` is none of `lp`: a wrong length, which is named with the right
/// one, or the first number that is not finite.
std::string findFault(StartPoint const& start, LinearProgram const& lp);

}  // namespace osi_cuda
