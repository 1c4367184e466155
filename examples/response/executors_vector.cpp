// SPDX-License-Identifier: EPL-2.0
// The triangles by vectors: gather, compute, scatter. Compiled twice: for the vectors that every
// processor of the architecture has, and with RESPONSE_WIDE for AVX-512. Nothing of the standard
// library that both could have in common is used here, so that no wide code is linked elsewhere.
#include <experimental/simd>

#include "examples/response/elements.hpp"
#include "examples/response/executors_vector.hpp"

namespace osi_cuda::response {
namespace {

using Vector = std::experimental::native_simd<double>;
constexpr int lanes = int(Vector::size());

template <int P>
void runAs(ElementArrays const& a, int const* list, int begin, int end, double const* x,
           double* y) {
  constexpr int width = ElementTables<P>::nodes;
  auto const& tables = *static_cast<ElementTables<P> const*>(a.tables);
  for (int first = begin; first < end; first += lanes) {
    int element[lanes];
    int const here = end - first < lanes ? end - first : lanes;
    for (int k = 0; k < lanes; ++k) {  // lanes behind the end repeat the last triangle
      int const at = first + (k < here ? k : here - 1);
      element[k] = list ? list[at] : at;
    }
    double lane[lanes];
    auto const gather = [&](double const* from) {
      for (int k = 0; k < lanes; ++k) lane[k] = from[element[k]];
      return Vector(lane, std::experimental::element_aligned);
    };
    Corners<Vector> c;
    for (int k = 0; k < 3; ++k) {
      c.x[k] = gather(a.corners + (long long)(k)*a.count);
      c.y[k] = gather(a.corners + (long long)(3 + k) * a.count);
      c.k[k] = gather(a.corners + (long long)(6 + k) * a.count);
    }
    Vector u[width], product[width];
    int node[width][lanes];
    for (int i = 0; i < width; ++i) {
      for (int k = 0; k < lanes; ++k) {
        node[i][k] = a.node[(long long)(i)*a.count + element[k]];
        lane[k] = node[i][k] < 0 ? 0.0 : x[node[i][k]];
      }
      u[i] = Vector(lane, std::experimental::element_aligned);
    }
    applyStiffness<P>(tables, c, u, product);
    for (int i = 0; i < width; ++i) {
      product[i].copy_to(lane, std::experimental::element_aligned);
      for (int k = 0; k < here; ++k)
        if (node[i][k] >= 0) y[node[i][k]] += lane[k];
    }
  }
}

}  // namespace

#ifdef RESPONSE_WIDE
int lanesOfWideVectors() {
  return lanes;
}
void runWideVectors(
#else
int lanesOfVectors() {
  return lanes;
}
void runVectors(
#endif
    ElementArrays const& a, int const* list, int begin, int end, double const* x, double* y) {
  switch (a.degree) {
    case 1:
      return runAs<1>(a, list, begin, end, x, y);
    case 2:
      return runAs<2>(a, list, begin, end, x, y);
    case 3:
      return runAs<3>(a, list, begin, end, x, y);
    default:
      return runAs<4>(a, list, begin, end, x, y);
  }
}

}  // namespace osi_cuda::response
