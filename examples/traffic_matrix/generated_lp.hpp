// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "examples/traffic_matrix/objective.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::examples::traffic {

/// The LP of a generated network of `nodes` >= 3 nodes, as plain data: formulation with error rows,
/// errors relative to an estimate that is off by 20 %, all links measured.
LinearProgram generatedLp(Objective::Kind kind, int nodes, std::uint64_t seed);

}  // namespace osi_cuda::examples::traffic
