// SPDX-License-Identifier: EPL-2.0
// That file as it is, for the host.
#include "tests/support/emulated_device.hpp"
// the emulation comes first
#include "osi_cuda/engine/cuda/measure_device.cu"
