// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "cli/command.hpp"

namespace osi_cuda::textbook {

cli::Command simplexCommand();  // simplex_command.cpp
cli::Command productCommand();  // product_command.cpp
cli::Command reportCommand();   // report_command.cpp

}  // namespace osi_cuda::textbook
