// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/basis_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda::host {
namespace {

/// What LAPACKE_dgetrf says of a matrix, its fourth argument, that holds a NaN, and where it lacks
/// memory for its work or for the transpose.
constexpr int notNumbers = -4, noWorkMemory = -1010, noTransposeMemory = -1011;

/// Throws where a function of LAPACKE did not do its work; positive codes are results.
void checkLapack(int code) {
  if (code == noWorkMemory || code == noTransposeMemory) throw std::bad_alloc();
  if (code < 0)
    throw std::logic_error("LAPACKE_dgetrf refused its argument " + std::to_string(-code));
}

}  // namespace

BasisPartition::BasisPartition(StandardForm const& form, std::vector<char> const& basic) {
  int const n = form.columns(), m = form.rows();
  for (int j = 0; j < n; ++j) (basic[at(j)] ? basicStructural : otherStructurals).push_back(j);
  for (int i = 0; i < m; ++i) (basic[at(n + i)] ? slackRows : tightRows).push_back(i);
}

void throwIfStopped(std::function<bool()> const& stop) {
  if (stop && stop()) throw Interrupted{};
}

BasisFactor::BasisFactor(StandardForm const& form, std::vector<char>& basic,
                         std::function<bool()> const& stop) {
  for (;;) {
    partition_ = BasisPartition(form, basic);
    factor(form, stop);
    std::vector<int> const dependent = findDependent();
    if (dependent.empty()) return;
    std::vector<int> row(at(size()));  // row of P at each pivot position
    std::iota(row.begin(), row.end(), 0);
    for (int k = 0; k < size(); ++k) std::swap(row[at(k)], row[at(pivots_[at(k)] - 1)]);
    for (int k : dependent) {
      auto const position = at(k);
      int const column = partition_.basicStructural[position];
      int const slack = form.columns() + partition_.tightRows[at(row[position])];
      basic[at(column)] = 0;
      basic[at(slack)] = 1;
      dropped_.push_back(column);
      added_.push_back(slack);
    }
  }
}

void BasisFactor::factor(StandardForm const& form, std::function<bool()> const& stop) {
  auto const p = at(size());
  lu_.assign(p * p, 0.0);
  pivots_.assign(p, 0);
  if (p == 0) return;
  std::vector<int> place(at(form.rows()), -1);
  for (std::size_t a = 0; a < p; ++a) place[at(partition_.tightRows[a])] = static_cast<int>(a);
  for (std::size_t b = 0; b < p; ++b) {
    int const j = partition_.basicStructural[b];
    for (auto const [i, value] : form.matrix().column(j)) {
      int const a = place[at(i)];
      if (a >= 0) lu_[at(a) * p + b] = value;
    }
  }
  eliminate(stop);
}

// Right-looking LU by panels, so that there is a place to stop: a whole dgetrf of thousands of
// columns takes seconds.
void BasisFactor::eliminate(std::function<bool()> const& stop) {
  int const p = size();
  constexpr int panel = 128;
  auto const entry = [&](int row, int column) { return lu_.data() + at(row) * at(p) + column; };
  for (int k = 0; k < p; k += panel) {
    throwIfStopped(stop);
    int const width = std::min(panel, p - k), rest = p - k - width;
    int const code = blas::dgetrf(CblasRowMajor, p - k, width, entry(k, k), p, pivots_.data() + k);
    if (code == notNumbers) return giveUpPanel(k, width);
    checkLapack(code);  // a pivot of exactly zero is seen later, in the diagonal
    for (int l = k; l < k + width; ++l) pivots_[at(l)] += k;
    exchangeRows(entry(0, 0), k, k + width, k, p);
    if (rest == 0) return;
    exchangeRows(entry(0, k + width), k, k + width, rest, p);
    blas::dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, rest, 1.0,
                entry(k, k), p, entry(k, k + width), p);
    int const strip = stripLength(rest, 2.0 * rest * width);
    for (int row = k + width; row < p; row += strip) {
      if (row > k + width) throwIfStopped(stop);
      blas::dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, std::min(strip, p - row), rest, width,
                  -1.0, entry(row, k), p, entry(k, k + width), p, 1.0, entry(row, k + width), p);
    }
  }
}

// The numbers outgrew what a double holds: the columns of the panel count as dependent, and those
// behind it are looked at when the factors are formed again without them.
void BasisFactor::giveUpPanel(int first, int width) {
  auto const p = at(size());
  for (std::size_t k = at(first); k < p; ++k) {
    bool const inPanel = k < at(first + width);
    lu_[k * p + k] = inPanel ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    pivots_[k] = static_cast<int>(k) + 1;
  }
}

void BasisFactor::exchangeRows(double* x, int first, int last, int width, int stride) const {
  for (int k = first; k < last; ++k) {
    int const other = pivots_[at(k)] - 1;
    if (other != k) blas::dswap(width, x + at(k) * stride, 1, x + at(other) * stride, 1);
  }
}

// The scaled matrix has entries near 1, so an absolute threshold is meaningful.
std::vector<int> BasisFactor::findDependent() const {
  constexpr double smallest = 1e-10;
  std::vector<int> dependent;
  auto const p = at(size());
  for (std::size_t k = 0; k < p; ++k)
    if (!(std::fabs(lu_[k * p + k]) > smallest)) dependent.push_back(static_cast<int>(k));
  return dependent;
}

void BasisFactor::solveBlock(double* x, int width, int stride,
                             std::function<bool()> const& stop) const {
  int const p = size();
  if (p == 0) return;
  // Columns between two polls; vectors of BLAS' kernels divide them.
  int const strip = std::max(16, stripLength(512, 2.0 * p * p) / 16 * 16);
  for (int begin = 0; begin < width; begin += strip) {
    throwIfStopped(stop);
    int const columns = std::min(strip, width - begin);
    exchangeRows(x + begin, 0, p, columns, stride);
    blas::dtrsm(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, p, columns, 1.0,
                lu_.data(), p, x + begin, stride);
    blas::dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, p, columns, 1.0,
                lu_.data(), p, x + begin, stride);
  }
}

void BasisFactor::solveBlockTransposed(double* z) const {
  int const p = size();
  if (p == 0) return;
  blas::dtrsv(CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, p, lu_.data(), p, z, 1);
  blas::dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasUnit, p, lu_.data(), p, z, 1);
  for (int k = p - 1; k >= 0; --k) std::swap(z[k], z[pivots_[at(k)] - 1]);
}

}  // namespace osi_cuda::host
