// SPDX-License-Identifier: EPL-2.0
// That file as it is, for the host.
#include "tests/support/emulated_device.hpp"
// the emulation comes first
#pragma GCC diagnostic ignored "-Wshadow"  // a `half` of CUDA's headers
#include "osi_cuda/engine/cuda/device_barrier.cu"
