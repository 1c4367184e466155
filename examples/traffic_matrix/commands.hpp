// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/program.hpp"

namespace osi_cuda::examples::traffic {

Command generateCommand();  // generate_command.cpp
Command estimateCommand();  // estimate_command.cpp

}  // namespace osi_cuda::examples::traffic
