// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/dense_model.hpp"

#include <cmath>
#include <memory>

namespace osi_cuda::bench {
namespace {

__extension__ using Wide = unsigned __int128;

/// One stream of numbers, by index.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t number) : key_(mix(mix(seed) + number)) {}
  /// Element k, an integer in 0..range-1.
  std::int64_t below(std::uint64_t k, std::uint64_t range) const {
    std::uint64_t const bits = mix(key_ + (k + 1) * 0x9E3779B97F4A7C15ull);
    return static_cast<std::int64_t>((static_cast<Wide>(bits) * range) >> 64);
  }

 private:
  std::uint64_t key_;
};

std::uint64_t integerRoot(int n) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > static_cast<std::uint64_t>(n)) --root;
  while ((root + 1) * (root + 1) <= static_cast<std::uint64_t>(n)) ++root;
  return root;
}

constexpr std::int64_t million = 1000000;

LinearProgram freeModel(int rows, int columns, std::uint64_t seed) {
  std::uint64_t next = 0;
  auto const entry = [&] {
    auto const k = static_cast<std::int64_t>(random(seed, next++) % std::uint64_t{2 * million});
    return static_cast<double>(k - million) / 1e6;
  };
  LinearProgram lp;
  lp.sense = Sense::maximize;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) lp.matrix.add(i, entry());
    lp.endColumn(0.0, 0.0, infinity);
  }
  for (double& c : lp.objective) c = entry();
  double const reach = std::sqrt(static_cast<double>(columns));
  for (int i = 0; i < rows; ++i) lp.addRow(-infinity, entry() * reach);
  return lp;
}

}  // namespace

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

std::uint64_t random(std::uint64_t seed, std::uint64_t k) {
  return mix(mix(seed) + (k + 1) * 0x9E3779B97F4A7C15ull);
}

std::vector<std::string> const& familyNames() {
  static std::vector<std::string> const names{"origin", "signed", "uniform", "free"};
  return names;
}

std::optional<DenseFamily> familyOf(std::string const& name) {
  for (std::size_t k = 0; k < familyNames().size(); ++k)
    if (familyNames()[k] == name) return static_cast<DenseFamily>(k);
  return {};
}

std::string nameOf(DenseFamily family) {
  return familyNames()[static_cast<std::size_t>(family)];
}

std::string problemName(DenseFamily family, int rows, int columns) {
  return nameOf(family) + ' ' + std::to_string(rows) + " x " + std::to_string(columns);
}

LinearProgram denseModel(DenseFamily family, int rows, int columns, std::uint64_t seed,
                         bool asArray) {
  if (family == DenseFamily::free) return freeModel(rows, columns, seed);
  auto const m = static_cast<std::size_t>(rows), n = static_cast<std::size_t>(columns);
  bool const uniform = family == DenseFamily::uniform, origin = family == DenseFamily::origin;
  Stream const entries(seed, 1), interior(seed, 4), multipliers(seed, 5), slack(seed, 6),
      reduced(seed, 7);
  std::vector<std::int64_t> x(n), y(m), b(m), c(n);  // b and c in units of 1e-7
  bool const interiorPoint = family == DenseFamily::mixed;
  for (std::size_t j = 0; j < n; ++j) x[j] = interiorPoint ? 1 + interior.below(j, 10) : 0;
  for (std::size_t i = 0; i < m; ++i) {
    y[i] = uniform ? 0 : 1 + multipliers.below(i, 10);
    b[i] = uniform ? (9500000 + slack.below(i, million)) * columns / 4
                   : 1 + slack.below(i, 2500000 * integerRoot(columns));
  }
  LinearProgram lp;
  lp.sense = Sense::maximize;
  double* numbers = nullptr;
  if (asArray) {  // untouched, so that every thread takes its pages
    std::shared_ptr<double[]> const array(new double[m * n]);
    numbers = array.get();
    lp.matrix = denseMatrix(rows, columns, numbers, false, array);
  } else {
    lp.matrix.rows = rows;
    lp.matrix.columns = columns;
    lp.matrix.starts.resize(n + 1);
    lp.matrix.indices.resize(m * n);
    lp.matrix.values.resize(m * n);
    numbers = lp.matrix.values.data();
  }
  auto const entry = [&](std::size_t i, std::size_t j) {
    return uniform ? entries.below(j * m + i, million)
                   : entries.below(j * m + i, 2 * million) - million;
  };
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < n; ++j) {
    c[j] = uniform ? 9500000 + reduced.below(j, million)
                   : -(1 + reduced.below(j, origin ? 10000000 : 2500000 * integerRoot(rows)));
    if (!asArray) lp.matrix.starts[j + 1] = static_cast<std::int64_t>((j + 1) * m);
    for (std::size_t i = 0; i < m; ++i) {
      std::int64_t const k = entry(i, j);
      c[j] += k * y[i];
      if (!asArray) lp.matrix.indices[j * m + i] = static_cast<int>(i);
      numbers[j * m + i] = static_cast<double>(k) / 1e6;
    }
  }
  if (interiorPoint) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) b[i] += entry(i, j) * x[j];
  }
  lp.objective.resize(n);
  lp.rowUpper.resize(m);
  for (std::size_t j = 0; j < n; ++j) lp.objective[j] = static_cast<double>(c[j]) / 1e7;
  for (std::size_t i = 0; i < m; ++i) lp.rowUpper[i] = static_cast<double>(b[i]) / 1e7;
  lp.columnLower.assign(n, 0.0);
  lp.columnUpper.assign(n, infinity);
  lp.rowLower.assign(m, -infinity);
  return lp;
}

CheckSums checkSums(LinearProgram const& lp) {
  auto const weigh = [](std::vector<double> const& values, double unit) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k)
      sum += (1 + k % 1000003) * static_cast<std::uint64_t>(std::llround(values[k] * unit));
    return sum;
  };
  return {weigh(lp.matrix.values, 1e6), weigh(lp.rowUpper, 1e7), weigh(lp.objective, 1e7)};
}

}  // namespace osi_cuda::bench
