// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::textbook {

/// "origin:1000x500", "uniform:...", "signed:..." (lab/bench/dense_model.hpp), "traffic-sum:20",
/// "traffic-minimax:20": the traffic matrix of a generated network of 20 nodes
/// (examples/traffic_matrix) in the formulation with error rows, relative errors, an estimate with
/// an error of 20 %. Throws Failure (usage) for what it can't read.
LinearProgram makeProblem(std::string const& name, std::uint64_t seed);

/// The part of the name before the colon.
std::string familyOfProblem(std::string const& name);

}  // namespace osi_cuda::textbook
