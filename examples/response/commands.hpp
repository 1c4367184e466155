// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/program.hpp"

namespace osi_cuda::response {

examples::Command meshCommand();   // mesh_command.cpp
examples::Command solveCommand();  // solve_command.cpp
examples::Command gridCommand();   // grid_command.cpp

}  // namespace osi_cuda::response
