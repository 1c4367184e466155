// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/program.hpp"

namespace osi_cuda::shortest_path {

examples::Command solveCommand();       // solve_command.cpp
examples::Command experimentCommand();  // experiment_command.cpp
examples::Command reportCommand();      // report_command.cpp

}  // namespace osi_cuda::shortest_path
