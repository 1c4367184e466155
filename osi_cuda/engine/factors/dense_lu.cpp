// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "osi_cuda/base/wide_registers.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/factors/number.hpp"

namespace osi_cuda::factors {
namespace {

/// x[j] -= f0 a[j] + f1 b[j] + f2 c[j] + f3 d[j], one after the other, for j < length.
OSI_CUDA_CLONES void subtractFour(double* __restrict x, double const* a, double const* b,
                                  double const* c, double const* d, double const* f,
                                  std::size_t length) {
  double const f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
  for (std::size_t j = 0; j < length; ++j)
    x[j] = x[j] - f0 * a[j] - f1 * b[j] - f2 * c[j] - f3 * d[j];
}
void subtractFour(DoubleDouble* x, DoubleDouble const* a, DoubleDouble const* b,
                  DoubleDouble const* c, DoubleDouble const* d, DoubleDouble const* f,
                  std::size_t length) {
  for (std::size_t j = 0; j < length; ++j)
    x[j] -= f[0] * a[j] + f[1] * b[j] + f[2] * c[j] + f[3] * d[j];
}

}  // namespace

template <class Number>
DenseLu<Number>::DenseLu(std::size_t size)
    : order(size), rows(size), columns(size), values_(size * size) {
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  columns = rows;
}

template <class Number>
void DenseLu<Number>::eliminate(std::function<bool()> const& stop) {
  constexpr std::size_t panel = 64;
  for (std::size_t first = 0; first < pivots;) {
    std::size_t next = first;
    while (next < std::min(first + panel, pivots)) {
      subtract(next, first, next);
      if (exchangeForPivot(next))
        ++next;
      else
        std::swap(rows[next], rows[--pivots]);
    }
    for (std::size_t i = next; i < pivots; ++i) {
      if (i % panel == 0 && stop && stop()) throw Interrupted{};
      subtract(i, first, next);
    }
    first = next;
  }
}

/// Row i less multiples of the rows from `first` to `last`, so that its entries in their columns
/// go; these become the multiples.
template <class Number>
void DenseLu<Number>::subtract(std::size_t i, std::size_t first, std::size_t last) {
  Number* const own = row(i);
  for (std::size_t s = first; s < last; ++s) {
    Number const* const other = row(s);
    Number const factor = own[s] = own[s] / other[s];
    if (isZero(factor)) continue;
    for (std::size_t j = s + 1; j < last; ++j) own[j] -= factor * other[j];
  }
  std::size_t s = first;
  for (; s + 4 <= last; s += 4)
    subtractFour(own + last, row(s) + last, row(s + 1) + last, row(s + 2) + last, row(s + 3) + last,
                 own + s, order - last);
  for (; s < last; ++s)
    for (std::size_t j = last; j < order; ++j) own[j] -= own[s] * row(s)[j];
}

template <class Number>
bool DenseLu<Number>::exchangeForPivot(std::size_t k) {
  Number const* const own = row(k);
  auto const magnitude = [](Number const& x) { return std::fabs(rounded(x)); };
  auto const best =
      static_cast<std::size_t>(std::ranges::max_element(own + k, own + order, {}, magnitude) - own);
  if (!(magnitude(own[best]) > Precision<Number>::smallestFactor)) return false;
  if (best == k) return true;
  std::swap(columns[k], columns[best]);
  for (std::size_t i = 0; i < order; ++i)
    std::swap(values_[i * order + k], values_[i * order + best]);
  return true;
}

template class DenseLu<double>;
template class DenseLu<DoubleDouble>;

}  // namespace osi_cuda::factors
