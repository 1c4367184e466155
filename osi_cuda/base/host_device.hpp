// SPDX-License-Identifier: EPL-2.0
#pragma once

/// Marks a function that g++ compiles for the host and nvcc for the device as well.
#ifdef __CUDACC__
#define OSI_CUDA_HD __host__ __device__
#else
#define OSI_CUDA_HD
#endif

/// Marks a pivot loop: on the device it runs inside a kernel only, on the host it is plain code.
#ifdef __CUDACC__
#define OSI_CUDA_LOOP __device__
#else
#define OSI_CUDA_LOOP
#endif
