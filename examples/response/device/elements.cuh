// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device.cuh"
#include "examples/response/elements.hpp"

// What is done triangle by triangle.
namespace osi_cuda::response::device {

/// A FemProblem's arrays in the memory of a device.
struct Elements {
  int degree, count;
  double const* corners;
  int const* node;
};

/// The triangles of a launch: `list` names those of a colour, which share no node, so that
/// additions need not be atomic; without a list, all.
struct Listed {
  int const* list;
  int size;
};

/// The reference element into this module's constant memory: once, before any of the following.
void uploadTables(int degree, double const* tables);

/// values[(i * width + j) * count + e]: the stiffness of all triangles.
void queueIntegrate(Integration form, Elements const& a, double* values, cudaStream_t stream);
/// Integration by tensors into an assembled matrix, added to it. place[(i * width + j) * count +
/// e]: where, or -1.
void queueAssemble(Elements const& a, int const* place, Listed const& triangles, double* values,
                   cudaStream_t stream);
/// Y += A X by the triangles' matrices, or without any if `values` is null; `columns` of X and Y.
void queueMultiplyElements(Elements const& a, double const* values, Listed const& triangles,
                           double const* x, int columns, double* y, cudaStream_t stream);

}  // namespace osi_cuda::response::device
