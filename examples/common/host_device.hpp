// SPDX-License-Identifier: EPL-2.0
#pragma once

/// Marks a function that g++ compiles for the host and nvcc for the device as well.
#ifdef __CUDACC__
#define EXAMPLES_HOST_DEVICE __host__ __device__
#else
#define EXAMPLES_HOST_DEVICE
#endif
