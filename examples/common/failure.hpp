// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "cli/failure.hpp"

namespace osi_cuda::examples {

using cli::ExitStatus;
using cli::Failure;
using cli::toText;

}  // namespace osi_cuda::examples
