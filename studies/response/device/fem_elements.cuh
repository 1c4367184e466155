// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/response/space.hpp"

// What is done triangle by triangle. Arrays by triangle lie component by component, so that
// neighbouring threads read neighbouring words.
namespace osi_cuda::response::device {

constexpr unsigned femThreads = 128;  // of a block

struct Elements {
  int count;
  double const* corners;  ///< x0 x1 x2 y0 y1 y2 k0 k1 k2, each of length count
  int const* node;        ///< node i of triangle e at i * count + e; -1 where fixed
};

/// The triangles of a launch: `list` names those of a colour, which share no node, so that
/// additions need not be atomic; without a list, all.
struct Listed {
  int const* list;
  int size;
};

/// The tables of the reference triangle: once, before any of the following.
void uploadConstants();

/// values[(i * width + j) * count + e]: the stiffness of all triangles, in the memory of a device.
void queueIntegrate(int degree, Integration form, Elements const& a, double* values);
/// Integration by tensors into an assembled matrix, added to it. place[(i * width + j) * count +
/// e]: where, or -1.
void queueAssemble(int degree, Elements const& a, int const* place, Listed const& triangles,
                   double* values);
/// y += A x by the triangles' matrices, or without any if `values` is null.
void queueMultiplyElements(int degree, Elements const& a, double const* values,
                           Listed const& triangles, double const* x, double* y);

}  // namespace osi_cuda::response::device
