// SPDX-License-Identifier: EPL-2.0
#include "studies/response/device/fem_elements.cuh"

#include "examples/response/by_degree.hpp"
#include "studies/response/device/constants.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;

__device__ Corners<double> cornersOf(Elements const& a, std::size_t e) {
  Corners<double> c;
  for (int k = 0; k < 3; ++k) {
    c.x[k] = a.corners[k * std::size_t(a.count) + e];
    c.y[k] = a.corners[(3 + k) * std::size_t(a.count) + e];
    c.k[k] = a.corners[(6 + k) * std::size_t(a.count) + e];
  }
  return c;
}

/// Owner: thread e owns the entries of triangle e.
template <int P, Integration form>
__global__ void integrateAll(Elements a, double* values) {
  std::size_t const e = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x, count = a.count;
  if (e >= count) return;
  Reference<P> const& r = constantReference<P>();
  auto const put = [&](int i, int j, double value) {
    values[(i * nodesOf(P) + j) * count + e] = value;
  };
  if constexpr (form == Integration::redundant) {
    integrateRedundant<P>(
        r, [&] { return cornersOf(a, e); }, put);
  } else if constexpr (form == Integration::local) {
    integrateLocal<P>(r, cornersOf(a, e), put);
  } else if constexpr (form == Integration::inMemory) {
    for (int ij = 0; ij < nodesOf(P) * nodesOf(P); ++ij) values[ij * count + e] = 0.0;
    integrateInMemory<P>(r, cornersOf(a, e), [&](int i, int j, double value) {
      values[(i * nodesOf(P) + j) * count + e] += value;
    });
  } else {
    integrateByTensor<P>(r, cornersOf(a, e), put);
  }
}

/// Integration into the assembled matrix. place[(i * width + j) * count + e]: where, or -1. With a
/// list its triangles share no node, and additions need not be atomic.
template <int P>
__global__ void assembleAll(Elements a, int const* place, int const* list, int listed,
                            double* values) {
  int const at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= listed) return;
  std::size_t const e = list ? list[at] : at, count = a.count;
  integrateByTensor<P>(constantReference<P>(), cornersOf(a, e), [&](int i, int j, double value) {
    int const to = place[(i * nodesOf(P) + j) * count + e];
    if (to < 0) return;
    if (list)
      values[to] += value;
    else
      atomicAdd(values + to, value);
  });
}

/// y += A x by the triangles' matrices, or without any.
template <int P, bool isStored>
__global__ void multiplyElements(Elements a, double const* values, int const* list, int listed,
                                 double const* x, double* y) {
  int const at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= listed) return;
  constexpr int width = nodesOf(P);
  std::size_t const e = list ? list[at] : at, count = a.count;
  double u[width], product[width];
  for (int j = 0; j < width; ++j) {
    int const node = a.node[j * count + e];
    u[j] = node < 0 ? 0.0 : x[node];
  }
  if constexpr (isStored) {
    for (int i = 0; i < width; ++i) {
      product[i] = 0.0;
      for (int j = 0; j < width; ++j) product[i] += values[(i * width + j) * count + e] * u[j];
    }
  } else {
    applyStiffness<P>(constantReference<P>(), cornersOf(a, e), u, product);
  }
  for (int i = 0; i < width; ++i) {
    int const node = a.node[i * count + e];
    if (node < 0) continue;
    if (list)
      y[node] += product[i];
    else
      atomicAdd(y + node, product[i]);
  }
}

}  // namespace

void uploadConstants() {
  uploadReferences();
}

void queueIntegrate(int degree, Integration form, Elements const& a, double* values) {
  withDegree(degree, [&]<int P>() {
    auto const queue = [&](auto kernel) {
      kernel<<<blocksFor(a.count, femThreads), femThreads>>>(a, values);
    };
    switch (form) {
      case Integration::redundant:
        return queue(integrateAll<P, Integration::redundant>);
      case Integration::local:
        return queue(integrateAll<P, Integration::local>);
      case Integration::inMemory:
        return queue(integrateAll<P, Integration::inMemory>);
      case Integration::tensor:
        return queue(integrateAll<P, Integration::tensor>);
    }
  });
}

void queueAssemble(int degree, Elements const& a, int const* place, Listed const& triangles,
                   double* values) {
  withDegree(degree, [&]<int P>() {
    assembleAll<P><<<blocksFor(triangles.size, femThreads), femThreads>>>(a, place, triangles.list,
                                                                          triangles.size, values);
  });
}

void queueMultiplyElements(int degree, Elements const& a, double const* values,
                           Listed const& triangles, double const* x, double* y) {
  unsigned const blocks = blocksFor(triangles.size, femThreads);
  withDegree(degree, [&]<int P>() {
    auto const queue = [&](auto kernel) {
      kernel<<<blocks, femThreads>>>(a, values, triangles.list, triangles.size, x, y);
    };
    if (values)
      queue(multiplyElements<P, true>);
    else
      queue(multiplyElements<P, false>);
  });
}

}  // namespace osi_cuda::response::device
