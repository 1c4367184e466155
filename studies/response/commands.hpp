// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/program.hpp"

namespace osi_cuda::response {

examples::Command measureCommand();  // experiment_command.cpp

}  // namespace osi_cuda::response
