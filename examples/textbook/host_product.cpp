// SPDX-License-Identifier: EPL-2.0
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "examples/common/records.hpp"
#include "examples/textbook/clones.hpp"
#include "examples/textbook/first_tableau.hpp"
#include "examples/textbook/product.hpp"

namespace osi_cuda::textbook {
namespace {

/// The definition.
void naive(int n, double const* A, double const* B, double* C) {
  auto const size = std::size_t(n);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < size; ++k) sum += A[i * size + k] * B[k * size + j];
      C[i * size + j] = sum;
    }
}

/// `rows` rows of C: a piece of B of 64 x 256 numbers (128 KB) stays in the cache while all of
/// these rows pass; what is innermost runs along lines.
CLONES void blockedRows(std::size_t n, std::size_t rows, double const* A, double const* B,
                        double* C) {
  constexpr std::size_t depth = 64, width = 256;
  std::fill(C, C + rows * n, 0.0);
  for (std::size_t k0 = 0; k0 < n; k0 += depth)
    for (std::size_t j0 = 0; j0 < n; j0 += width)
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = k0; k < std::min(k0 + depth, n); ++k) {
          double const a = A[i * n + k];
          std::size_t const end = std::min(j0 + width, n);
#pragma omp simd
          for (std::size_t j = j0; j < end; ++j) C[i * n + j] += a * B[k * n + j];
        }
}

void blocked(int n, double const* A, double const* B, double* C, bool allCores) {
  auto const size = std::size_t(n);
  constexpr std::size_t rows = 32;
#pragma omp parallel for if (allCores) schedule(dynamic)
  for (std::size_t i = 0; i < size; i += rows)
    blockedRows(size, std::min(rows, size - i), A + i * size, B, C + i * size);
}

void openblas(int n, double const* A, double const* B, double* C, bool allCores) {
  int const before = openblas_get_num_threads();
  openblas_set_num_threads(allCores ? openblas_get_num_procs() : 1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, A, n, B, n, 0.0, C, n);
  openblas_set_num_threads(before);
}

/// Eight sums of eight numbers, enough to keep two vector units of a latency of four busy.
using Eight = double __attribute__((vector_size(64)));
CLONES double multiplyAdds(int rounds, double factor) {
  Eight sum[8], total{};
  for (int k = 0; k < 8; ++k) sum[k] = total + double(k);  // equal ones would become one
  for (int round = 0; round < rounds; ++round)
#pragma GCC unroll 8
    for (int k = 0; k < 8; ++k) sum[k] = sum[k] * factor + 1e-3;
  for (Eight const& s : sum) total += s;
  return total[0];
}

}  // namespace

std::vector<std::string> const& productFormNames() {
  static std::vector<std::string> const names{
      "naive",        "blocked",      "blocked-cores",  "openblas",      "openblas-cores",
      "device-naive", "device-tiled", "device-blocked", "device-matrix", "cublas"};
  return names;
}

bool onDevice(ProductForm form) {
  return form >= ProductForm::deviceNaive;
}

Matrices randomMatrices(int n) {
  Matrices m;
  m.n = n;
  auto const size = std::size_t(n) * std::size_t(n);
  m.a.resize(size);
  m.b.resize(size);
  auto const entry = [](std::uint64_t k) {
    return double(std::int64_t(mix(k * 0x9E3779B97F4A7C15ull) >> 43)) * 0x1p-20 - 1.0;
  };
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < size; ++k) {
    m.a[k] = entry(2 * k + 1);
    m.b[k] = entry(2 * k + 2);
  }
  return m;
}

Product productOnHost(ProductForm form, Matrices const& matrices, int repeats) {
  Product result;
  result.c.resize(matrices.a.size());
  double const *A = matrices.a.data(), *B = matrices.b.data();
  std::vector<double> seconds;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    double const begin = now();
    bool const allCores = form == ProductForm::blockedCores || form == ProductForm::openblasCores;
    if (form == ProductForm::naive)
      naive(matrices.n, A, B, result.c.data());
    else if (form == ProductForm::blocked || form == ProductForm::blockedCores)
      blocked(matrices.n, A, B, result.c.data(), allCores);
    else
      openblas(matrices.n, A, B, result.c.data(), allCores);
    seconds.push_back(now() - begin);
  }
  result.seconds = examples::median(seconds);
  return result;
}

double hostPeak(bool allCores) {
  constexpr int rounds = 200'000;  // half a millisecond
  double best = 0.0;
  for (int repeat = 0; repeat < 40; ++repeat) {
    double flop = 0.0;
    double const begin = now();
#pragma omp parallel if (allCores) reduction(+ : flop)
    flop += multiplyAdds(rounds, 0.999) > 0.0 ? 2.0 * 64 * rounds : 0.0;
    best = std::max(best, flop / (now() - begin));
  }
  return best;
}

double productError(Matrices const& matrices, std::vector<double> const& c) {
  auto const n = std::size_t(matrices.n);
  std::vector<double> v(n), bv(n), difference(n);
  for (std::size_t k = 0; k < n; ++k) v[k] = (mix(k + 77) & 1) ? 1.0 : -1.0;
  auto const times = [&](std::vector<double> const& matrix, std::vector<double> const& x,
                         std::size_t i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * x[k];
    return sum;
  };
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) bv[i] = times(matrices.b, v, i);
  double largest = 0.0;
#pragma omp parallel for reduction(max : largest)
  for (std::size_t i = 0; i < n; ++i)
    largest = std::max(largest, std::abs(times(c, v, i) - times(matrices.a, bv, i)));
  return largest / (double(n) * std::sqrt(double(n)));
}

}  // namespace osi_cuda::textbook
