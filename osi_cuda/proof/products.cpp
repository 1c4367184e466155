// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/products.hpp"

#include <algorithm>
#include <bit>
#include <memory>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/proof/exact_sum.hpp"
#include "osi_cuda/proof/vector_sums.hpp"

namespace osi_cuda::proof {
namespace {

bool allFinite(std::span<double const> numbers) {
  return std::ranges::all_of(numbers, [](double a) { return std::isfinite(a); });
}

/// A x of some columns, in pairs of doubles, and what rounding took from all of them.
struct Strip {
  std::unique_ptr<double[]> hi, lo;
  double lost = 0.0;

  explicit Strip(std::size_t m)
      : hi(std::make_unique_for_overwrite<double[]>(m)),
        lo(std::make_unique_for_overwrite<double[]>(m)) {}
};

/// The sum of the strips in their order, in the first of them.
void addUp(std::vector<Strip>& strips, std::size_t m) {
  constexpr std::size_t piece = 1024;  // stays in the cache from strip to strip
  std::size_t const pieces = (m + piece - 1) / piece;
  std::vector<double> lost(pieces, 0.0);
  int const threads = loopThreads(static_cast<std::int64_t>(strips.size() * m));
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t p = 0; p < pieces; ++p) {
    std::size_t const begin = p * piece, length = std::min(piece, m - begin);
    for (std::size_t s = 1; s < strips.size(); ++s)
      addVectors(length, strips[s].hi.get() + begin, strips[s].lo.get() + begin,
                 strips[0].hi.get() + begin, strips[0].lo.get() + begin, lost[p]);
  }
  for (std::size_t s = 1; s < strips.size(); ++s) strips[0].lost += strips[s].lost;
  for (double const l : lost) strips[0].lost += l;
}

double const* lowOf(Parts const& parts) {
  return parts.low().empty() ? nullptr : parts.low().data();
}

/// The columns that one thread sums by itself.
class StripSums {
 public:
  StripSums(SparseMatrix const& matrix, Parts const* x, Parts const* y, BoundedVector& product)
      : matrix_(matrix), x_(x), y_(y), product_(product) {}

  void operator()(int first, int last, Strip& strip) const {
    if (x_) {
      std::fill_n(strip.hi.get(), matrix_.rows, 0.0);
      std::fill_n(strip.lo.get(), matrix_.rows, 0.0);
    }
    double const *const x = x_ ? x_->high().data() : nullptr,
                        *const xLow = x_ ? lowOf(*x_) : nullptr,
                        *const y = y_ ? y_->high().data() : nullptr,
                        *const yLow = y_ ? lowOf(*y_) : nullptr;
    if (matrix_.isDense()) {
      // In the order of the sparse sums: first all high parts, then all low ones.
      dense(first, last, strip, x, y);
      if (xLow || yLow) dense(first, last, strip, xLow, yLow);
      for (int j = first; j < last && y; ++j) finish(at(j));
      return;
    }
    sparse(first, last, strip, x, y, yLow);
    if (xLow) sparse(first, last, strip, xLow, nullptr, nullptr);
  }

 private:
  void sparse(int first, int last, Strip& strip, double const* x, double const* y,
              double const* yLow) const {
    ColumnsView const view{matrix_.starts.data(), matrix_.indices.data(), matrix_.values.data()};
    addColumns(view, first, last, x, strip.hi.get(), strip.lo.get(), strip.lost, y, yLow,
               product_.value.data(), product_.error.data());
  }
  void dense(int first, int last, Strip& strip, double const* x, double const* y) const {
    LinesView const columns{matrix_.dense.numbers + matrix_.starts[first], at(last - first),
                            at(matrix_.rows)};
    addLines(columns, x ? x + first : nullptr, strip.hi.get(), strip.lo.get(), strip.lost, y,
             product_.value.data() + first, product_.error.data() + first);
  }
  void finish(std::size_t j) const {
    Bounded const sum = boundedProduct(product_.value[j], product_.error[j],
                                       (lowOf(*y_) ? 2 : 1) * at(matrix_.rows));
    product_.value[j] = sum.value;
    product_.error[j] = sum.error;
  }

  SparseMatrix const& matrix_;
  Parts const *const x_, *const y_;
  BoundedVector& product_;
};

/// An error that is small beside what it may be compared with; that of no number is not.
bool small(double error, double value) {
  return error <= smallError * (1.0 + std::fabs(value));
}

/// A x line by line: first with a bound of the error for each, then exactly where that is needed.
BoundedVector activitiesOf(SparseMatrix const& matrix, Parts const& x) {
  auto const m = at(matrix.rows);
  std::vector<Sum> sums(m);
  auto const forEntries = [&](auto const& visit) {
    ColumnReader read(matrix);
    for (int j = 0; j < matrix.columns; ++j) {
      auto const k = at(j);
      if (x.isZero(k)) continue;
      DoubleDouble const factor = x[k];
      for (auto const [row, entry] : read.column(j)) visit(at(row), factor, entry);
    }
  };
  forEntries([&](std::size_t i, DoubleDouble const& factor, double a) { sums[i].add(factor, a); });
  BoundedVector result{std::vector<DoubleDouble>(m), std::vector<double>(m)};
  std::vector<int> place(m, -1);
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < m; ++i) {
    Bounded const sum = sums[i].value();
    result.value[i] = sum.value;
    result.error[i] = sum.error;
    if (small(sum.error, sum.value.hi) || !isNumber(sums[i].terms())) continue;
    place[i] = static_cast<int>(wanted.size());
    wanted.push_back(i);
  }
  if (wanted.empty()) return result;
  std::vector<ExactSum> exact(wanted.size());
  forEntries([&](std::size_t i, DoubleDouble const& factor, double a) {
    if (place[i] >= 0) exact[at(place[i])].add(factor, a);
  });
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    Bounded const sum = exact[k].value();
    result.value[wanted[k]] = sum.value;
    result.error[wanted[k]] = sum.error;
  }
  return result;
}

Bounded exactColumn(SparseMatrix const& matrix, int j, Parts const& y) {
  ExactSum sum;
  for (auto const [row, a] : matrix.column(j)) sum.add(y[at(row)], a);
  return sum.value();
}

}  // namespace

bool Parts::fits(std::size_t length) const {
  return high_.size() == length && (low_.empty() || low_.size() == length) && allFinite(high_) &&
         allFinite(low_);
}

// One pass over the matrix. Strips of columns are summed by themselves and then in their order:
// their number depends on sizes only, so that the sums don't depend on the number of threads.
Products productsOf(SparseMatrix const& matrix, Parts const* x, Parts const* y) {
  if (matrix.dense.byRows) {  // rows are the successive numbers
    Products result = productsOf(matrix.transposed(), y, x);
    std::swap(result.activity, result.product);
    return result;
  }
  auto const m = at(matrix.rows), n = at(matrix.columns);
  std::int64_t const lines = std::int64_t{matrix.rows} + matrix.columns + 1024;
  std::size_t const count =
      std::bit_floor(at(std::clamp<std::int64_t>(matrix.nonzeros() / (8 * lines), 1, 32)));
  Products result;
  if (y) {
    result.product.value.resize(n);
    result.product.error.resize(n);
  }
  std::vector<Strip> strips;
  for (std::size_t s = 0; s < count; ++s) strips.emplace_back(x ? m : 0);
  StripSums const sum(matrix, x, y, result.product);
#pragma omp parallel for schedule(static) num_threads(loopThreads(matrix.nonzeros()))
  for (std::size_t s = 0; s < count; ++s)
    sum(static_cast<int>(n * s / count), static_cast<int>(n * (s + 1) / count), strips[s]);
  if (x) {
    addUp(strips, m);
    double const parts = x->low().empty() ? 1.0 : 2.0;
    double const error =
        Sum::errorOf(strips[0].lost, parts * static_cast<double>(n) + static_cast<double>(count));
    if (small(error, 0.0)) {
      result.activity.value.resize(m);
      for (std::size_t i = 0; i < m; ++i)
        result.activity.value[i] = double_double::twoSum(strips[0].hi[i], strips[0].lo[i]);
      result.activity.error = {error};
    } else {
      result.activity = activitiesOf(matrix, *x);
    }
  }
  for (std::size_t j = 0; j < result.product.error.size(); ++j) {
    if (small(result.product.error[j], 0.0) || !isNumber(result.product.value[j].hi)) continue;
    Bounded const exact = exactColumn(matrix, static_cast<int>(j), *y);
    result.product.value[j] = exact.value;
    result.product.error[j] = exact.error;
  }
  return result;
}

double termsOfColumn(SparseMatrix const& matrix, int j, Parts const& y) {
  double terms = 0.0;
  for (auto const [row, a] : matrix.column(j)) terms += std::fabs(a * y.high()[at(row)]);
  return terms;
}

Bounded productOf(double offset, std::span<double const> c, Parts const& x) {
  DoubleDouble sum = offset;
  double lost = 0.0;
  for (double const* const part : {x.high().data(), lowOf(x)})
    if (part) addLines({c.data(), 1, c.size()}, nullptr, nullptr, nullptr, lost, part, &sum, &lost);
  Bounded const product = boundedProduct(sum, lost, (lowOf(x) ? 2 : 1) * c.size());
  if (small(product.error, product.value.hi) || !product.isNumber()) return product;
  ExactSum exact;
  exact.add(offset, 1.0);
  for (std::size_t j = 0; j < c.size(); ++j) exact.add(x[j], c[j]);
  return exact.value();
}

}  // namespace osi_cuda::proof
