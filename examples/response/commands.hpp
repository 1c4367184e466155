// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "examples/common/program.hpp"

namespace osi_cuda::response {

examples::Command meshCommand();        // mesh_command.cpp
examples::Command solveCommand();       // solve_command.cpp
examples::Command gridCommand();        // grid_command.cpp
examples::Command runCommand();         // run_command.cpp
examples::Command experimentCommand();  // experiment_command.cpp

/// A pulse that makes 1 on average, `steps` steps of implicit diffusion after it was given off at
/// place 0 of a ring of cells: a sum of the ring's waves, each of which a step divides by
/// 1 + 2 r (1 - cos(its angle)). r: conductivity x time step / width^2. The cells of a grid do the
/// same in both directions (locally one-dimensional splitting, Yanenko 1971).
std::vector<double> ringPulse(int cells, double r, int steps);

}  // namespace osi_cuda::response
