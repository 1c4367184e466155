// SPDX-License-Identifier: EPL-2.0
// The Cholesky factor that shares of all devices make together, by itself and with narrow panels:
// small enough for compute-sanitizer. Without a device the program counts as skipped.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/barrier/split_matrix.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;
using cuda::check;
using cuda::DeviceArray;

namespace {

struct NeedsDevice {
  NeedsDevice() {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return;
    std::printf("skipped: there is no device\n");
    std::exit(77);
  }
};
BOOST_TEST_GLOBAL_CONFIGURATION(NeedsDevice);

/// The diagonal of a normal matrix becomes so many times as large.
constexpr double growth = 1.0 + 1e-9;

/// A (m x n by columns), and a factor for each row, or for each column.
struct Weighted {
  int m, n;
  bool byColumns;
  std::vector<double> a, root;

  Weighted(int rows, int columns, bool columnwise, unsigned seed)
      : m(rows), n(columns), byColumns(columnwise), a(at(m) * at(n)), root(at(lines())) {
    testing::Random random(seed);
    for (double& number : a) number = random.between(-1.0, 1.0);
    for (double& number : root) number = random.between(0.1, 3.0);
  }
  int lines() const { return byColumns ? m : n; }
  int order() const { return byColumns ? n : m; }
  double scaled(int line, int k) const {
    return a[byColumns ? at(k) * at(m) + at(line) : at(line) * at(m) + at(k)] * root[at(line)];
  }
};

/// By columns, `order` numbers apart: the normal matrix, then in its lower triangle the factor.
struct Reference {
  int order;
  std::vector<double> normal, factor;

  explicit Reference(Weighted const& w) : order(w.order()), normal(at(order) * at(order)) {
    for (int line = 0; line < w.lines(); ++line)
      for (int j = 0; j < order; ++j)
        for (int i = 0; i < order; ++i)
          entryOf(normal, i, j) += w.scaled(line, i) * w.scaled(line, j);
    for (int j = 0; j < order; ++j) entryOf(normal, j, j) *= growth;
    factor = normal;
    for (int j = 0; j < order; ++j) {
      for (int k = 0; k < j; ++k)
        for (int i = j; i < order; ++i)
          entryOf(factor, i, j) -= entryOf(factor, i, k) * entryOf(factor, j, k);
      double const pivot = std::sqrt(entryOf(factor, j, j));
      for (int i = j; i < order; ++i) entryOf(factor, i, j) /= pivot;
    }
  }
  double& entryOf(std::vector<double>& numbers, int i, int j) const {
    return numbers[at(j) * at(order) + at(i)];
  }
};

/// What is in the memory before: nothing, or numbers that are none.
enum class Before { unwritten, poison };

void poison(double* place, std::size_t count) {
  check(cudaMemset(place, 0xff, count * sizeof(double)));
}

/// Devices in turn, as many as there are.
std::vector<int> devicesOf(int shares) {
  int there = 0;
  check(cudaGetDeviceCount(&there));
  std::vector<int> devices;
  for (int k = 0; k < shares; ++k) devices.push_back(k % there);
  return devices;
}

/// What shares of all devices make: the factor, and L L' x = (1, 1/2, 1/3, ...).
struct Shared {
  std::vector<double> factor, x;

  Shared(Weighted const& w, int shares, int width, Before before) {
    int const order = w.order(), stride = normalStride(order);
    std::size_t const cells = w.a.size(), normalSize = at(order) * at(stride);
    std::vector<int> const devices = devicesOf(shares);
    for (int const device : devices) {  // what shares allocate afterwards
      if (before != Before::poison) break;
      cuda::DeviceScope const scope(device);
      DeviceArray<double> const freed(8 * (2 * cells + normalSize));
      poison(freed.data(), freed.size());
    }
    cuda::SplitMatrix split(devices, width);
    DeviceArray<double> a(cells), scratch(cells), normal(normalSize), root(w.root.size()),
        solution(at(order));
    int const panels = (order + width - 1) / width;
    DeviceArray<int> info(at(panels));
    if (before == Before::poison) {
      poison(scratch.data(), cells);
      poison(normal.data(), normalSize);
      if (stride > order)
        check(cudaMemset2D(normal.data() + order, at(stride) * sizeof(double), 0,
                           at(stride - order) * sizeof(double), at(order)));
    } else {
      check(cudaMemset(normal.data(), 0, normalSize * sizeof(double)));
    }
    cudaStream_t const stream = split.stream();
    cuda::SolverHandle const solver = cuda::makeSolver(stream);
    cuda::upload(stream, a.data(), w.a.data(), cells);
    cuda::upload(stream, root.data(), w.root.data(), w.root.size());
    split.load(w.m, w.n, w.byColumns, a.data(), scratch.data(), normal.data());
    cuda::DenseCholesky cholesky;
    cholesky.prepare(order, stream, split.blas(), solver);
    split.form(root.data(), false);
    split.sum(growth);
    BOOST_TEST(split.factors(shares, order) == (shares > 1));
    if (shares > 1) {
      split.factor(info.data());
      cholesky.invertDiagonal(normal.data());
    } else {
      cholesky.factor(normal.data(), info.data());
    }
    std::vector<double> right(at(order)), all(normalSize);
    for (std::size_t k = 0; k < right.size(); ++k) right[k] = 1.0 / (1.0 + static_cast<double>(k));
    cuda::upload(stream, solution.data(), right.data(), right.size());
    cholesky.solve(normal.data(), solution.data());
    x.resize(right.size());
    cuda::download(stream, x.data(), solution.data(), x.size());
    std::vector<int> codes(shares > 1 ? at(panels) : 1, -1);
    cuda::download(stream, codes.data(), info.data(), codes.size());
    for (int const code : codes) BOOST_TEST(code == 0);
    cuda::download(stream, all.data(), normal.data(), normalSize);
    factor.resize(at(order) * at(order));
    for (int j = 0; j < order; ++j)
      for (int i = j; i < order; ++i)
        factor[at(j) * at(order) + at(i)] = all[at(j) * at(stride) + at(i)];
  }
  bool operator==(Shared const&) const = default;
};

void checkAgainstHost(Weighted const& w, int shares, int width, Before before) {
  BOOST_TEST_CONTEXT(w.m << " x " << w.n << (w.byColumns ? " by columns, " : " by rows, ") << shares
                         << " shares, panels of " << width) {
    Reference host(w);
    Shared const shared(w, shares, width, before);
    int const order = w.order();
    double size = 0.0, worst = 0.0, residual = 0.0;
    for (int j = 0; j < order; ++j)
      for (int i = j; i < order; ++i) {
        double const entry = host.entryOf(host.factor, i, j);
        size = std::max(size, std::fabs(entry));
        double const error = std::fabs(shared.factor[at(j) * at(order) + at(i)] - entry);
        worst = error <= worst ? worst : error;  // NaN, too
      }
    for (int i = 0; i < order; ++i) {
      double sum = -1.0 / (1.0 + i);
      for (int j = 0; j < order; ++j) sum += host.entryOf(host.normal, i, j) * shared.x[at(j)];
      residual = std::fabs(sum) <= residual ? residual : std::fabs(sum);
    }
    BOOST_TEST(worst <= 1e-11 * size);
    BOOST_TEST(residual <= 1e-11);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shared_factor)

// One order: for compute-sanitizer, whose initcheck sees only what is not written before.
BOOST_AUTO_TEST_CASE(order_of_eight_panels) {
  for (int const shares : {1, 2, 3, 8})
    checkAgainstHost(Weighted(320, 256, true, 1), shares, 32, Before::unwritten);
}

BOOST_AUTO_TEST_CASE(any_order_and_width_among_poisoned_memory) {
  for (int const shares : {1, 2, 3, 8})
    for (int const width : {32, 64, 128}) {
      checkAgainstHost(Weighted(320, 256, true, 2), shares, width, Before::poison);
      checkAgainstHost(Weighted(411, 203, true, 3), shares, width, Before::poison);
      checkAgainstHost(Weighted(300, 517, false, 4), shares, width, Before::poison);
    }
}

BOOST_AUTO_TEST_CASE(a_number_of_shares_has_its_bits) {
  for (int const shares : {1, 2, 3, 8}) {
    Weighted const w(300, 270, true, 5);
    Shared const first(w, shares, 64, Before::unwritten), again(w, shares, 64, Before::poison);
    BOOST_TEST((first == again));
  }
}

BOOST_AUTO_TEST_SUITE_END()
