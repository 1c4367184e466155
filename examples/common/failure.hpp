// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "shell/failure.hpp"

namespace osi_cuda::examples {

using shell::ExitStatus;
using shell::Failure;
using shell::toText;

}  // namespace osi_cuda::examples
