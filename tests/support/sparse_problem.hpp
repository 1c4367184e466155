// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::testing {

struct SparseProblem {
  LinearProgram lp;
  std::string description;  ///< seed and kind: what a failing test prints, and what replays it
};

/// A sparse problem of up to 60 rows and 80 columns with what a presolve looks for: rows and
/// columns of one or two entries, equations, duplicates, forcing rows, free, fixed, boxed columns
/// and ranges. Most have an optimum; every eighth is made infeasible by moved right-hand sides, and
/// every eighth may have an improving ray. Numbers are multiples of 1/8 or, in every third problem,
/// have all digits. The same on every machine.
SparseProblem sparseProblem(std::uint64_t seed);

}  // namespace osi_cuda::testing
