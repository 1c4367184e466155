// SPDX-License-Identifier: EPL-2.0
// Integration, storage and conjugate gradients of one space, in the forms of fem_forms.hpp. Arrays
// by triangle lie component by component, so that neighbouring threads read neighbouring words.
#include <cmath>
#include <stdexcept>

#include "examples/response/by_degree.hpp"
#include "examples/response/device/constants.cuh"
#include "examples/response/device/entries.hpp"
#include "examples/response/device/timing.cuh"

namespace osi_cuda::response::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;

constexpr unsigned threads = 128;

struct Elements {
  int count;
  double const* corners;  ///< x0 x1 x2 y0 y1 y2 k0 k1 k2, each of length count
  int const* node;        ///< node i of triangle e at i * count + e; -1 where fixed
};

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

// ---- assembled rows -----------------------------------------------------------------------------

struct CsrRows {
  int rows;
  int const *start, *column;
  double const* value;
  __device__ int entries(int i) const { return start[i + 1] - start[i]; }
  __device__ std::size_t at(int i, int k) const { return std::size_t(start[i]) + k; }
};
struct EllRows {
  int rows, width;
  int const* column;
  double const* value;
  __device__ int entries(int) const { return width; }
  __device__ std::size_t at(int i, int k) const { return std::size_t(k) * rows + i; }
};

/// y = A x, a thread a row. Owner: thread i owns y[i].
template <class Rows>
__global__ void multiplyRows(Rows a, double const* x, double* y) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= a.rows) return;
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k) sum += a.value[a.at(i, k)] * x[a.column[a.at(i, k)]];
  y[i] = sum;
}

constexpr int rowLanes = 8;
/// The same with eight threads a row, for rows that lie one after the other.
__global__ void multiplyLongRows(CsrRows a, double const* x, double* y) {
  int const i = int((blockIdx.x * blockDim.x + threadIdx.x) / rowLanes);
  int const lane = int(threadIdx.x) % rowLanes;
  double sum = 0.0;
  if (i < a.rows)
    for (int k = a.start[i] + lane; k < a.start[i + 1]; k += rowLanes)
      sum += a.value[k] * x[a.column[k]];
  for (int d = rowLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0 && i < a.rows) y[i] = sum;
}

/// One colour of a Gauss-Seidel sweep over rows that don't see each other. Forward: z = (r - sum
/// over earlier colours) / diagonal; backward: z -= sum over later colours / diagonal.
template <class Rows>
__global__ void sweepColour(Rows a, int const* list, int listed, int const* colour,
                            double const* inverse, double const* r, double* z) {
  int const at = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= listed) return;
  int const i = list[at], mine = colour[i];
  double sum = 0.0;
  for (int k = 0; k < a.entries(i); ++k) {
    int const j = a.column[a.at(i, k)];
    if (r ? colour[j] < mine : colour[j] > mine) sum += a.value[a.at(i, k)] * z[j];
  }
  z[i] = r ? (r[i] - sum) * inverse[i] : z[i] - sum * inverse[i];
}

// ---- vectors ------------------------------------------------------------------------------------

constexpr int dotBlocks = 264, dotThreads = 256;

__device__ double blockSum(double sum) {
  __shared__ double part[dotThreads / 32];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0.0;
  if (threadIdx.x == 0)
    for (double const one : part) sum += one;
  return sum;
}
__global__ void dotParts(int n, double const* a, double const* b, double* part) {
  double sum = 0.0;
  for (int i = int(blockIdx.x) * dotThreads + int(threadIdx.x); i < n; i += dotBlocks * dotThreads)
    sum += a[i] * b[i];
  sum = blockSum(sum);
  if (threadIdx.x == 0) part[blockIdx.x] = sum;
}
/// scalars[to] = the sum, and what conjugate gradients make of it: quotient = that / scalars[by].
__global__ void dotEnd(double const* part, double* scalars, int to, int by, int quotient) {
  double sum = 0.0;
  for (int k = int(threadIdx.x); k < dotBlocks; k += dotThreads) sum += part[k];
  sum = blockSum(sum);
  if (threadIdx.x != 0) return;
  if (quotient >= 0) {
    double const old = scalars[by];
    // alpha is rho / p'Ap, beta is new rho / rho
    double const over = to == by ? sum : old, under = to == by ? old : sum;
    scalars[quotient] = under > 0.0 ? over / under : 0.0;
  }
  scalars[to] = sum;
}
__global__ void scaleBy(int n, double const* inverse, double const* r, double* z) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) z[i] = inverse[i] * r[i];
}
__global__ void turnTo(int n, double const* beta, double const* z, double* p) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = z[i] + *beta * p[i];
}
__global__ void stepAlong(int n, double const* alpha, double const* p, double const* q, double* x,
                          double* r) {
  int const i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  x[i] += *alpha * p[i];
  r[i] -= *alpha * q[i];
}

enum Scalar { rho, alpha, beta, curvature, left, scalars };

std::vector<double> cornerArrays(Space const& space) {
  auto const count = std::size_t(space.triangles());
  std::vector<double> corners(9 * count);
  for (std::size_t e = 0; e < count; ++e) {
    Corners<double> const c = space.corners(int(e));
    for (int k = 0; k < 3; ++k) {
      corners[k * count + e] = c.x[k];
      corners[(3 + k) * count + e] = c.y[k];
      corners[(6 + k) * count + e] = c.k[k];
    }
  }
  return corners;
}

std::vector<int> nodeArrays(Space const& space) {
  auto const count = std::size_t(space.triangles());
  std::vector<int> node(space.node.size());
  for (std::size_t e = 0; e < count; ++e)
    for (int i = 0; i < space.width; ++i) {
      int const dof = space.node[e * space.width + i];
      node[i * count + e] = space.isFixed[dof] ? -1 : dof;
    }
  return node;
}

class Fem : public DeviceFem {
 public:
  explicit Fem(Space const& space)
      : space_(space),
        count_(space.triangles()),
        n_(space.dofs),
        corners_(cornerArrays(space)),
        node_(nodeArrays(space)),
        elementColours_(coloursOfElements(space.node, space.width, space.dofs)),
        elementList_(elementColours_.member) {
    uploadConstants();
    Csr<double> matrix = fieldMatrix(space, 0.0);
    Csr<double> const pattern = matrix;
    rowColours_ = coloursOf(pattern);
    rowList_ = DeviceArray<int>(rowColours_.member);
    std::vector<int> colour(n_);
    for (int c = 0; c < rowColours_.count; ++c)
      for (int k = rowColours_.start[c]; k < rowColours_.start[c + 1]; ++k)
        colour[rowColours_.member[k]] = c;
    rowColour_ = DeviceArray<int>(colour);
    std::vector<double> inverse(n_, 0.0);
    for (int i = 0; i < n_; ++i)
      if (!space.isFixed[i]) inverse[i] = 1.0 / matrix.value[matrix.find(i, i)];
    inverse_ = DeviceArray<double>(inverse);
    Ell const ell = ellOf(pattern);
    ellWidth_ = ell.width;
    start_ = DeviceArray<int>(pattern.start);
    column_ = DeviceArray<int>(pattern.column);
    ellColumn_ = DeviceArray<int>(ell.column);
    csrValue_ = DeviceArray<double>(pattern.value.size());
    ellValue_ = DeviceArray<double>(ell.value.size());
    placeEntries(pattern);
    lma_ = DeviceArray<double>(std::size_t(space.width) * space.width * count_);
    queueAssemble(Storage::csr, false);
    queueAssemble(Storage::ell, false);
    queueIntegrate(Integration::tensor);
    check(cudaDeviceSynchronize());
  }

  TimedValues integrate(Integration form, int repeats) override {
    lma_.fillBytes(0xff);
    TimedValues result;
    result.seconds = medianSeconds(repeats, 1, [&] { queueIntegrate(form); });
    result.values = lma_.download();
    return result;
  }

  TimedValues assemble(Storage storage, bool byColours, int repeats) override {
    TimedValues result;
    result.seconds = medianSeconds(repeats, 1, [&] { queueAssemble(storage, byColours); });
    result.values = (storage == Storage::csr ? csrValue_ : ellValue_).download();
    return result;
  }

  TimedValues multiply(Storage storage, std::vector<double> const& x, int repeats) override {
    DeviceArray<double> const in(x), out(x.size());
    out.fillBytes(0xff);
    TimedValues result;
    constexpr int inner = 5;
    result.seconds =
        medianSeconds(repeats, inner, [&] { queueMultiply(storage, in.data(), out.data()); });
    result.values = out.download();
    return result;
  }

  TimedValues solve(Storage storage, Preconditioner preconditioner, std::vector<double> const& b,
                    double tolerance, int mostIterations) override {
    DeviceArray<double> const r(b), x(b.size()), z(b.size()), p(b.size()), q(b.size());
    DeviceArray<double> const part(dotBlocks), sums(scalars);
    for (auto const* array : {&x, &z, &p, &sums}) array->fillBytes(0);
    auto const dot = [&](double const* a, double const* c, int to, int by, int quotient) {
      dotParts<<<dotBlocks, dotThreads>>>(n_, a, c, part.data());
      dotEnd<<<1, dotThreads>>>(part.data(), sums.data(), to, by, quotient);
    };
    auto const residual = [&] {
      double value = 0.0;
      check(cudaMemcpy(&value, sums.data() + left, sizeof value, cudaMemcpyDeviceToHost));
      return value;
    };
    dot(r.data(), r.data(), left, left, -1);
    double const enough = tolerance * tolerance * residual();
    unsigned const blocks = blocksFor(n_, threads);
    TimedValues result;
    Event begin, end;
    begin.record();
    for (;; ++result.iterations) {
      constexpr int glances = 16;  // iterations between two looks at the residual
      if (result.iterations % glances == 0 || result.iterations == mostIterations) {
        dot(r.data(), r.data(), left, left, -1);
        if (residual() <= enough || result.iterations == mostIterations) break;
      }
      if (preconditioner == Preconditioner::jacobi)
        scaleBy<<<blocks, threads>>>(n_, inverse_.data(), r.data(), z.data());
      else
        queueSweeps(storage, r.data(), z.data());
      dot(r.data(), z.data(), rho, rho, beta);
      turnTo<<<blocks, threads>>>(n_, sums.data() + beta, z.data(), p.data());
      queueMultiply(storage, p.data(), q.data());
      dot(p.data(), q.data(), curvature, rho, alpha);
      stepAlong<<<blocks, threads>>>(n_, sums.data() + alpha, p.data(), q.data(), x.data(),
                                     r.data());
    }
    end.record();
    result.seconds = end.secondsSince(begin);
    check(cudaGetLastError());
    result.values = x.download();
    return result;
  }

 private:
  Elements elements() const { return {count_, corners_.data(), node_.data()}; }
  CsrRows csr() const { return {n_, start_.data(), column_.data(), csrValue_.data()}; }
  EllRows ell() const { return {n_, ellWidth_, ellColumn_.data(), ellValue_.data()}; }

  /// Where the entry (i, j) of triangle e goes in either storage; -1 if one of them is fixed.
  void placeEntries(Csr<double> const& pattern) {
    std::vector<int> const places = placesOf(space_, pattern);
    auto const w = std::size_t(space_.width), count = std::size_t(count_);
    if (double(ellWidth_) * n_ > 2e9)
      throw std::logic_error("the matrix has more entries than an int can count");
    std::vector<int> inCsr(places.size()), inEll(places.size());
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t i = 0; i < w; ++i)
        for (std::size_t j = 0; j < w; ++j) {
          int const a = space_.node[e * w + i], b = space_.node[e * w + j];
          bool const isOut = space_.isFixed[a] || space_.isFixed[b];
          int const place = places[(e * w + i) * w + j];
          std::size_t const to = (i * w + j) * count + e;
          inCsr[to] = isOut ? -1 : place;
          inEll[to] = isOut ? -1 : (place - pattern.start[a]) * n_ + a;
        }
    csrPlace_ = DeviceArray<int>(inCsr);
    ellPlace_ = DeviceArray<int>(inEll);
  }

  void queueIntegrate(Integration form) const {
    withDegree(space_.degree, [&]<int P>() {
      auto const queue = [&](auto kernel) {
        kernel<<<blocksFor(count_, threads), threads>>>(elements(), lma_.data());
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

  /// One launch over all triangles, or one a colour.
  template <class Queue>
  void overTriangles(bool byColours, Queue const& queue) const {
    if (!byColours) return queue(blocksFor(count_, threads), nullptr, count_);
    for (int c = 0; c < elementColours_.count; ++c) {
      int const begin = elementColours_.start[c], size = elementColours_.start[c + 1] - begin;
      queue(blocksFor(size, threads), elementList_.data() + begin, size);
    }
  }

  void queueAssemble(Storage storage, bool byColours) const {
    bool const isCsr = storage == Storage::csr;
    DeviceArray<double> const& value = isCsr ? csrValue_ : ellValue_;
    int const* const place = (isCsr ? csrPlace_ : ellPlace_).data();
    check(cudaMemsetAsync(value.data(), 0, value.size() * sizeof(double)));
    withDegree(space_.degree, [&]<int P>() {
      overTriangles(byColours, [&](unsigned blocks, int const* list, int listed) {
        assembleAll<P><<<blocks, threads>>>(elements(), place, list, listed, value.data());
      });
    });
  }

  void queueMultiply(Storage storage, double const* x, double* y) const {
    if (storage == Storage::csr) {
      multiplyLongRows<<<blocksFor(std::size_t(n_) * rowLanes, threads), threads>>>(csr(), x, y);
      return;
    }
    if (storage == Storage::ell) {
      multiplyRows<<<blocksFor(n_, threads), threads>>>(ell(), x, y);
      return;
    }
    check(cudaMemsetAsync(y, 0, n_ * sizeof(double)));
    withDegree(space_.degree, [&]<int P>() {
      overTriangles(storage == Storage::lmaColours, [&](unsigned blocks, int const* list,
                                                        int listed) {
        if (storage == Storage::matrixFree)
          multiplyElements<P, false><<<blocks, threads>>>(elements(), nullptr, list, listed, x, y);
        else
          multiplyElements<P, true>
              <<<blocks, threads>>>(elements(), lma_.data(), list, listed, x, y);
      });
    });
  }

  void queueSweeps(Storage storage, double const* r, double* z) const {
    auto const colour = [&](auto const& rows, int c, double const* right) {
      int const begin = rowColours_.start[c], size = rowColours_.start[c + 1] - begin;
      sweepColour<<<blocksFor(size, threads), threads>>>(
          rows, rowList_.data() + begin, size, rowColour_.data(), inverse_.data(), right, z);
    };
    auto const all = [&](auto const& rows) {
      for (int c = 0; c < rowColours_.count; ++c) colour(rows, c, r);
      for (int c = rowColours_.count - 2; c >= 0; --c) colour(rows, c, nullptr);
    };
    if (storage == Storage::csr)
      all(csr());
    else if (storage == Storage::ell)
      all(ell());
    else
      throw std::logic_error("SSOR needs assembled rows");
  }

  Space const& space_;
  int count_, n_, ellWidth_ = 0;
  DeviceArray<double> corners_;
  DeviceArray<int> node_;
  Colouring elementColours_, rowColours_;
  DeviceArray<int> elementList_, rowList_, rowColour_;
  DeviceArray<double> inverse_, csrValue_, ellValue_, lma_;
  DeviceArray<int> start_, column_, ellColumn_, csrPlace_, ellPlace_;
};

}  // namespace

std::unique_ptr<DeviceFem> makeFem(Space const& space) {
  return std::make_unique<Fem>(space);
}

}  // namespace osi_cuda::response::device
