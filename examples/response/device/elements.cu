// SPDX-License-Identifier: EPL-2.0
#include "examples/response/device/elements.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::launch;

constexpr unsigned threads = 128;

// The elements' tables, 41 kB in all: in constant memory a warp reads one word for all its threads.
__constant__ ElementTables<1> tables1;
__constant__ ElementTables<2> tables2;
__constant__ ElementTables<3> tables3;
__constant__ ElementTables<4> tables4;

template <int P>
__device__ ElementTables<P> const& tablesOf() {
  if constexpr (P == 1)
    return tables1;
  else if constexpr (P == 2)
    return tables2;
  else if constexpr (P == 3)
    return tables3;
  else
    return tables4;
}

/// Owner: thread e owns the entries of triangle e.
template <int P, Integration form>
__global__ void integrateAll(Elements a, double* values) {
  std::size_t const e = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x, count = a.count;
  if (e >= count) return;
  constexpr int width = ElementTables<P>::nodes;
  ElementTables<P> const& r = tablesOf<P>();
  auto const corners = [&] { return cornersOf(a.corners, a.count, (long long)(e)); };
  auto const put = [&](int i, int j, double value) { values[(i * width + j) * count + e] = value; };
  if constexpr (form == Integration::redundant) {
    integrateRedundant<P>(r, corners, put);
  } else if constexpr (form == Integration::local) {
    integrateLocal<P>(r, corners(), put);
  } else if constexpr (form == Integration::inMemory) {
    for (int ij = 0; ij < width * width; ++ij) values[ij * count + e] = 0.0;
    integrateInMemory<P>(r, corners(), [&](int i, int j, double value) {
      values[(i * width + j) * count + e] += value;
    });
  } else {
    integrateByTensor<P>(r, corners(), put);
  }
}

/// Entries of triangles that share nodes are added to by atomic operations; those of a list share
/// none.
template <int P>
__global__ void assembleAll(Elements a, int const* place, Listed triangles, double* values) {
  int const at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= triangles.size) return;
  std::size_t const e = triangles.list ? triangles.list[at] : at, count = a.count;
  integrateByTensor<P>(tablesOf<P>(), cornersOf(a.corners, a.count, (long long)(e)),
                       [&](int i, int j, double value) {
                         int const to = place[(i * ElementTables<P>::nodes + j) * count + e];
                         if (to < 0) return;
                         if (triangles.list)
                           values[to] += value;
                         else
                           atomicAdd(values + to, value);
                       });
}

/// Thread (triangle, column). y += A x by the triangles' matrices, or without any.
template <int P, bool isStored>
__global__ void multiplyElements(Elements a, double const* values, Listed triangles,
                                 double const* x, int columns, double* y) {
  std::size_t const t = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x, count = a.count;
  int const at = int(t / columns), c = int(t % columns);
  if (at >= triangles.size) return;
  constexpr int width = ElementTables<P>::nodes;
  std::size_t const e = triangles.list ? triangles.list[at] : at;
  double u[width], product[width];
  for (int j = 0; j < width; ++j) {
    int const node = a.node[j * count + e];
    u[j] = node < 0 ? 0.0 : x[std::size_t(node) * columns + c];
  }
  if constexpr (isStored) {
    for (int i = 0; i < width; ++i) {
      product[i] = 0.0;
      for (int j = 0; j < width; ++j) product[i] += values[(i * width + j) * count + e] * u[j];
    }
  } else {
    applyStiffness<P>(tablesOf<P>(), cornersOf(a.corners, a.count, (long long)(e)), u, product);
  }
  for (int i = 0; i < width; ++i) {
    int const node = a.node[i * count + e];
    if (node < 0) continue;
    double* const to = y + std::size_t(node) * columns + c;
    if (triangles.list)
      *to += product[i];
    else
      atomicAdd(to, product[i]);
  }
}

}  // namespace

void uploadTables(int degree, double const* tables) {
  using examples::device::check;
  switch (degree) {
    case 1:
      return check(cudaMemcpyToSymbol(tables1, tables, sizeof tables1));
    case 2:
      return check(cudaMemcpyToSymbol(tables2, tables, sizeof tables2));
    case 3:
      return check(cudaMemcpyToSymbol(tables3, tables, sizeof tables3));
    default:
      return check(cudaMemcpyToSymbol(tables4, tables, sizeof tables4));
  }
}

void queueIntegrate(Integration form, Elements const& a, double* values, cudaStream_t stream) {
  withDegree(a.degree, [&](auto degree) {
    constexpr int P = degree;
    auto const queue = [&](auto kernel) {
      launch(stream, blocksFor(a.count, threads), threads, kernel, a, values);
    };
    switch (form) {
      case Integration::redundant:
        return queue(&integrateAll<P, Integration::redundant>);
      case Integration::local:
        return queue(&integrateAll<P, Integration::local>);
      case Integration::inMemory:
        return queue(&integrateAll<P, Integration::inMemory>);
      case Integration::tensor:
        return queue(&integrateAll<P, Integration::tensor>);
    }
  });
}

void queueAssemble(Elements const& a, int const* place, Listed const& triangles, double* values,
                   cudaStream_t stream) {
  withDegree(a.degree, [&](auto degree) {
    constexpr int P = degree;
    launch(stream, blocksFor(triangles.size, threads), threads, &assembleAll<P>, a, place,
           triangles, values);
  });
}

void queueMultiplyElements(Elements const& a, double const* values, Listed const& triangles,
                           double const* x, int columns, double* y, cudaStream_t stream) {
  withDegree(a.degree, [&](auto degree) {
    constexpr int P = degree;
    auto const queue = [&](auto kernel) {
      launch(stream, blocksFor(std::size_t(triangles.size) * columns, threads), threads, kernel, a,
             values, triangles, x, columns, y);
    };
    if (values)
      queue(&multiplyElements<P, true>);
    else
      queue(&multiplyElements<P, false>);
  });
}

}  // namespace osi_cuda::response::device
