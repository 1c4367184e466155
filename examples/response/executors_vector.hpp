// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::response {

/// A FemProblem's arrays; tables: of ElementTables<degree>.
struct ElementArrays {
  int degree, count;
  void const* tables;
  double const* corners;
  int const* node;
};

/// y += stiffness x over the triangles list[begin .. end); no list: the triangles themselves.
using RunElements = void(ElementArrays const& a, int const* list, int begin, int end,
                         double const* x, double* y);
RunElements runVectors;      // vectors that every processor has
RunElements runWideVectors;  // AVX-512
int lanesOfVectors();        // of runVectors
int lanesOfWideVectors();    // of runWideVectors; 0: not built

}  // namespace osi_cuda::response
