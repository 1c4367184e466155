// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/program.hpp"

namespace osi_cuda::cyclic_sweeps {

examples::Command measureCommand();  // measure_command.cpp
examples::Command waveCommand();     // wave_command.cpp

}  // namespace osi_cuda::cyclic_sweeps
