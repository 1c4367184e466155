// SPDX-License-Identifier: EPL-2.0
#include "examples/response/executors.hpp"

#include <algorithm>

#include "examples/common/records.hpp"
#include "examples/response/executors_vector.hpp"

namespace osi_cuda::response {
namespace {

void runScalar(ElementArrays const& a, int const* list, int begin, int end, double const* x,
               double* y) {
  withDegree(a.degree, [&](auto degree) {
    constexpr int P = degree, width = ElementTables<P>::nodes;
    auto const& tables = *static_cast<ElementTables<P> const*>(a.tables);
    for (int at = begin; at < end; ++at) {
      std::size_t const e = list ? list[at] : at, count = a.count;
      double u[width], product[width];
      for (int i = 0; i < width; ++i) {
        int const node = a.node[i * count + e];
        u[i] = node < 0 ? 0.0 : x[node];
      }
      applyStiffness<P>(tables, cornersOf(a.corners, a.count, (long long)(e)), u, product);
      for (int i = 0; i < width; ++i)
        if (int const node = a.node[i * count + e]; node >= 0) y[node] += product[i];
    }
  });
}

bool hasWide() {
#if defined(__x86_64__) && defined(RESPONSE_HAS_WIDE)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd");
#else
  return false;
#endif
}

}  // namespace

#ifndef RESPONSE_HAS_WIDE
int lanesOfWideVectors() {
  return 0;
}
void runWideVectors(ElementArrays const&, int const*, int, int, double const*, double*) {}
#endif

int vectorLanes() {
  return hasWide() ? lanesOfWideVectors() : lanesOfVectors();
}

Timed execute(FemProblem const& p, Executor executor, std::vector<double> const& x, int threads,
              int repeats) {
  ElementArrays const arrays{p.degree, p.count, p.tables.data(), p.corners.data(), p.node.data()};
  bool const byVectors = executor == Executor::vectors || executor == Executor::vectorsAndColours;
  bool const byColours = executor == Executor::colours || executor == Executor::vectorsAndColours;
  RunElements* const run = !byVectors ? &runScalar : hasWide() ? &runWideVectors : &runVectors;
  Timed result;
  result.seconds = examples::medianSeconds(repeats, [&] {
    result.values.assign(p.dofs, 0.0);
    double* const y = result.values.data();
    if (!byColours) return run(arrays, nullptr, 0, p.count, x.data(), y);
    constexpr int chunk = 256;  // triangles a thread takes at a time
    for (int colour = 0; colour < p.triangles.count; ++colour) {
      int const begin = p.triangles.start[colour], end = p.triangles.start[colour + 1];
#pragma omp parallel for schedule(static) num_threads(threads)
      for (int at = begin; at < end; at += chunk)
        run(arrays, p.triangles.member.data(), at, std::min(end, at + chunk), x.data(), y);
    }
  });
  return result;
}

}  // namespace osi_cuda::response
