// SPDX-License-Identifier: EPL-2.0
#pragma once

// Before a .cu file of a module that includes CUDA's header for C++ itself: parameters there have
// names that the emulation defines.
#include <cuda_runtime.h>

#include "tests/support/emulated_device.hpp"
#include "tests/support/emulated_matrix_units.hpp"
