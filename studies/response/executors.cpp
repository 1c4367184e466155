// SPDX-License-Identifier: EPL-2.0
#include "studies/response/executors.hpp"

#include <algorithm>

#include "examples/response/by_degree.hpp"
#include "osi_cuda/stopwatch.hpp"
#include "studies/kit/experiment.hpp"
#include "studies/response/element_arrays.hpp"
#include "studies/response/fem_forms.hpp"

namespace osi_cuda::response {

void runScalar(ElementArrays const& a, int const* list, int begin, int end, double const* x,
               double* y) {
  withDegree(a.degree, [&]<int P>() {
    Reference<P> const& r = reference<P>();
    constexpr int width = nodesOf(P);
    for (int at = begin; at < end; ++at) {
      std::size_t const e = list ? list[at] : at, count = a.count;
      Corners<double> c{};
      for (int k = 0; k < 3; ++k) {
        c.x[k] = a.corners[k * count + e];
        c.y[k] = a.corners[(3 + k) * count + e];
        c.k[k] = a.corners[(6 + k) * count + e];
      }
      double u[width], product[width];
      for (int i = 0; i < width; ++i) {
        int const node = a.node[i * count + e];
        u[i] = node < 0 ? 0.0 : x[node];
      }
      applyStiffness<P>(r, c, u, product);
      for (int i = 0; i < width; ++i)
        if (int const node = a.node[i * count + e]; node >= 0) y[node] += product[i];
    }
  });
}

#ifndef RESPONSE_HAS_WIDE
int lanesOfWideVectors() {
  return 0;
}
void runWideVectors(ElementArrays const&, int const*, int, int, double const*, double*) {}
#endif

namespace {

bool hasWide() {
#if defined(__x86_64__)
  return lanesOfWideVectors() > 0 && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
#else
  return false;
#endif
}

}  // namespace

int vectorLanes() {
  return hasWide() ? lanesOfWideVectors() : lanesOfVectors();
}

TimedValues executeOnHost(Space const& space, Executor executor, std::vector<double> const& x,
                          int threads, int repeats) {
  auto const count = std::size_t(space.triangles());
  std::vector<double> const corners = cornerArrays(space);
  std::vector<int> const node = nodeArrays(space);
  ElementArrays const arrays{space.degree, int(count), corners.data(), node.data()};
  bool const byVectors = executor == Executor::vectors || executor == Executor::vectorsAndColours;
  bool const byColours = executor == Executor::colours || executor == Executor::vectorsAndColours;
  RunElements* const run = !byVectors ? &runScalar : hasWide() ? &runWideVectors : &runVectors;
  Colouring colours;
  if (byColours) colours = coloursOfElements(space.node, space.width, space.dofs);
  TimedValues result;
  std::vector<double> seconds;
  for (int repeat = 0; repeat < std::max(repeats, 1); ++repeat) {
    result.values.assign(space.dofs, 0.0);
    double* const y = result.values.data();
    Stopwatch const watch;
    if (!byColours) {
      run(arrays, nullptr, 0, int(count), x.data(), y);
    } else {
      constexpr int chunk = 256;  // triangles a thread takes at a time
      for (int colour = 0; colour < colours.count; ++colour) {
        int const begin = colours.start[colour], end = colours.start[colour + 1];
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int at = begin; at < end; at += chunk)
          run(arrays, colours.member.data(), at, std::min(end, at + chunk), x.data(), y);
      }
    }
    seconds.push_back(watch.seconds());
  }
  result.seconds = studies::median(std::move(seconds));
  return result;
}

}  // namespace osi_cuda::response
