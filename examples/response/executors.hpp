// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/response/fem.hpp"

namespace osi_cuda::response {

/// Who runs applyStiffness(), which is written once, over all triangles of the host; on a device it
/// is Storage::matrixFree.
enum class Executor { scalar, vectors, colours, vectorsAndColours };
inline std::vector<std::string> const executorNames{
    "one core", "one core, vectors", "all cores, colours", "all cores, colours, vectors"};
/// Lanes of the vectors that `vectors` uses on this processor.
int vectorLanes();
/// Median seconds of y = stiffness times x; those with colours use `threads` threads.
Timed execute(FemProblem const& problem, Executor executor, std::vector<double> const& x,
              int threads, int repeats);

}  // namespace osi_cuda::response
