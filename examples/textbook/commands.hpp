// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "shell/command.hpp"

namespace osi_cuda::textbook {

shell::Command simplexCommand();  // simplex_command.cpp
shell::Command productCommand();  // product_command.cpp
shell::Command reportCommand();   // report_command.cpp

}  // namespace osi_cuda::textbook
