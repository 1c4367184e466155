// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/extended_products.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "osi_cuda/model/exact_sums.hpp"

namespace osi_cuda {
namespace {

bool allFinite(std::span<double const> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double a) { return std::isfinite(a); });
}

constexpr std::size_t worthThreads = 200000;  ///< entries from which threads are worth waking

constexpr std::size_t worthVectors = 32;  ///< length of a column from which vectors pay

/// A x of some columns: pairs of doubles from columns without gaps, long doubles from the others.
struct Strip {
  std::unique_ptr<double[]> hi, lo;
  std::unique_ptr<Extended[]> rest;

  void addTimes(std::size_t m, std::size_t first, std::span<double const> values, double x) {
    if (!hi) {
      hi = std::make_unique<double[]>(m);
      lo = std::make_unique<double[]>(m);
    }
    exact::addTimes(values.size(), values.data(), x, hi.get() + first, lo.get() + first);
  }
  void addTimes(std::size_t m, std::span<int const> rows, std::span<double const> values,
                double x) {
    if (!rest) rest = std::make_unique<Extended[]>(m);
    for (std::size_t k = 0; k < rows.size(); ++k) rest[rows[k]] += Extended(values[k]) * x;
  }
};

/// The sum of the strips, in their order; the pairs in that of the first strip that has some.
std::vector<Extended> sumOf(std::vector<Strip> const& strips, std::size_t m) {
  constexpr std::size_t piece = 1024;  // stays in the cache from strip to strip
  std::vector<Extended> sum(m, 0.0L);
#pragma omp parallel for schedule(static) if (strips.size() * m >= 5 * worthThreads)
  for (std::size_t begin = 0; begin < m; begin += piece) {
    std::size_t const end = std::min(begin + piece, m);
    Strip const* pairs = nullptr;
    for (Strip const& strip : strips) {
      if (strip.rest)
        for (std::size_t i = begin; i < end; ++i) sum[i] += strip.rest[i];
      if (!strip.hi) continue;
      if (!pairs)
        pairs = &strip;
      else
        exact::add(end - begin, strip.hi.get() + begin, strip.lo.get() + begin,
                   pairs->hi.get() + begin, pairs->lo.get() + begin);
    }
    if (!pairs) continue;
    for (std::size_t i = begin; i < end; ++i) sum[i] += Extended(pairs->hi[i]) + pairs->lo[i];
  }
  return sum;
}

/// Whether the indices are successive numbers.
bool successive(std::span<int const> rows) {
  int scattered = 0;
  int const first = rows.empty() ? 0 : rows.front();
  for (std::size_t k = 0; k < rows.size(); ++k)
    scattered |= rows[k] ^ (first + static_cast<int>(k));
  return scattered == 0;
}

/// (A'y)_j: four sums that wait for each other less than one would.
Extended columnProduct(std::span<int const> rows, std::span<double const> values,
                       std::span<double const> y) {
  Extended sum[4] = {0.0L, 0.0L, 0.0L, 0.0L};
  std::size_t k = 0;
  for (; k + 4 <= rows.size(); k += 4)
    for (std::size_t l = 0; l < 4; ++l) sum[l] += Extended(values[k + l]) * y[rows[k + l]];
  for (; k < rows.size(); ++k) sum[0] += Extended(values[k]) * y[rows[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// One pass over the matrix. Strips of columns are summed by themselves and then in their order:
// their number depends on sizes only, so that the sums don't depend on the number of threads.
Products productsOf(SparseMatrix const& matrix, std::span<double const> x,
                    std::span<double const> y, bool vectors) {
  auto const m = static_cast<std::size_t>(matrix.rows);
  std::int64_t const lines = std::int64_t{matrix.rows} + matrix.columns + 1024;
  std::size_t const strips = std::bit_floor(
      static_cast<std::size_t>(std::clamp<std::int64_t>(matrix.nonzeros() / (8 * lines), 1, 32)));
  Products result;
  std::vector<Strip> strip(strips);
  result.product.assign(y.empty() ? 0 : x.size(), 0.0L);
#pragma omp parallel for schedule(static) if (matrix.nonzeros() >= std::int64_t{worthThreads})
  for (std::size_t s = 0; s < strips; ++s) {
    auto const columns = static_cast<std::size_t>(matrix.columns);
    auto const last = static_cast<int>(columns * (s + 1) / strips);
    ColumnReader read(matrix);
    for (auto j = static_cast<int>(columns * s / strips); j < last; ++j) {
      auto const rows = matrix.columnIndices(j);
      auto const values = read(j);
      if (vectors && rows.size() >= worthVectors && successive(rows)) {
        auto const first = static_cast<std::size_t>(rows.front());
        if (!y.empty())
          result.product[j] = exact::product(rows.size(), values.data(), y.data() + first);
        if (x[j] != 0.0) strip[s].addTimes(m, first, values, x[j]);
        continue;
      }
      if (!y.empty()) result.product[j] = columnProduct(rows, values, y);
      if (x[j] != 0.0) strip[s].addTimes(m, rows, values, x[j]);
    }
  }
  result.activity = sumOf(strip, m);
  auto const finite = [](Extended a) { return std::isfinite(a); };
  // What is out of the range of doubles need not be out of that of long doubles.
  if (vectors && !(std::all_of(result.activity.begin(), result.activity.end(), finite) &&
                   std::all_of(result.product.begin(), result.product.end(), finite)))
    return productsOf(matrix, x, y, false);
  return result;
}

}  // namespace

Products productsOf(SparseMatrix const& matrix, std::span<double const> x,
                    std::span<double const> y) {
  return productsOf(matrix, x, y, exact::available());
}

bool Parts::fits(std::size_t length) const {
  return high_.size() == length && (low_.empty() || low_.size() == length) && allFinite(high_) &&
         allFinite(low_);
}

namespace {

template <class Values>
Sum columnTimes(std::span<int const> rows, Values const& values, Parts const& y) {
  Sum product;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto const i = static_cast<std::size_t>(rows[k]);
    if (!y.isZero(i)) product.add(y[i] * values[k]);
  }
  return product;
}

}  // namespace

Sum columnTimes(SparseMatrix const& matrix, int j, Parts const& y) {
  return columnTimes(matrix.columnIndices(j), matrix.columnValues(j), y);
}

Products productsOfParts(SparseMatrix const& matrix, Parts const& x, Parts const& y,
                         bool transposed) {
  std::vector<DoubleDouble> activity(static_cast<std::size_t>(matrix.rows));
  Products result;
  ColumnReader read(matrix);
  for (int j = 0; j < matrix.columns; ++j) {
    auto const rows = matrix.columnIndices(j);
    auto const values = read(j);
    if (!x.isZero(j))
      for (std::size_t k = 0; k < rows.size(); ++k) activity[rows[k]] += x[j] * values[k];
    if (!transposed) continue;
    DoubleDouble const product = columnTimes(rows, values, y).value;
    result.product.push_back(Extended(product.hi) + product.lo);
  }
  for (DoubleDouble const& sum : activity) result.activity.push_back(Extended(sum.hi) + sum.lo);
  return result;
}

}  // namespace osi_cuda
