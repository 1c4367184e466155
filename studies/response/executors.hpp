// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::response {

/// A space as arrays: corners by coordinate (x0 x1 x2 y0 y1 y2 k0 k1 k2), one after the other each
/// of length `count`; nodes likewise, node[i * count + e], -1 where fixed.
struct ElementArrays {
  int degree, count;
  double const* corners;
  int const* node;
};

/// y += stiffness x over the triangles list[begin .. end); no list: the triangles themselves.
using RunElements = void(ElementArrays const& a, int const* list, int begin, int end,
                         double const* x, double* y);
RunElements runScalar;       // executors.cpp
RunElements runVectors;      // executors_vector.cpp, vectors that every processor has
RunElements runWideVectors;  // the same, AVX-512
int lanesOfVectors();        // of runVectors
int lanesOfWideVectors();    // of runWideVectors; 0: not built

}  // namespace osi_cuda::response
