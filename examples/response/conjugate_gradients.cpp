// SPDX-License-Identifier: EPL-2.0
#include "examples/response/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

constexpr std::size_t worthThreads = 1 << 20;  // numbers, below which waking threads takes longer
constexpr int rowsAtOnce = 512;  // sums are formed by pieces of so many rows, in their order

void multiplyMany(Csr const& matrix, std::vector<double> const& x, int width,
                  std::vector<double>& y) {
#pragma omp parallel for schedule(static) if (x.size() > worthThreads)
  for (int i = 0; i < matrix.rows; ++i) {
    double* const row = &y[std::size_t(i) * width];
    std::fill_n(row, width, 0.0);
    for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k) {
      double const a = matrix.value[k];
      double const* const from = &x[std::size_t(matrix.column[k]) * width];
      for (int c = 0; c < width; ++c) row[c] += a * from[c];
    }
  }
}

ManySolved solveMany(Csr const& matrix, std::vector<double> const& b, int width, double tolerance,
                     int mostIterations) {
  Stopwatch const watch;
  int const n = matrix.rows;
  std::vector<double> inverse(n);
  for (int i = 0; i < n; ++i) inverse[i] = 1.0 / matrix.value[matrix.find(i, i)];
  ManySolved result;
  result.x.assign(b.size(), 0.0);
  std::vector<double> r = b, z(b.size()), p(b.size(), 0.0), q(b.size());
  std::vector<double> const size = dots(b, b, n, width);
  std::vector<double> rho(width, 0.0), alpha(width), beta(width);
  for (;; ++result.iterations) {
    std::vector<double> const left = dots(r, r, n, width);
    bool done = true;
    for (int c = 0; c < width; ++c) done = done && left[c] <= tolerance * tolerance * size[c];
    if (done || result.iterations == mostIterations) break;
#pragma omp parallel for schedule(static) if (b.size() > worthThreads)
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < width; ++c)
        z[std::size_t(i) * width + c] = inverse[i] * r[std::size_t(i) * width + c];
    std::vector<double> const next = dots(r, z, n, width);
    for (int c = 0; c < width; ++c) beta[c] = rho[c] > 0.0 ? next[c] / rho[c] : 0.0;
    rho = next;
#pragma omp parallel for schedule(static) if (b.size() > worthThreads)
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < width; ++c) {
        std::size_t const k = std::size_t(i) * width + c;
        p[k] = z[k] + beta[c] * p[k];
      }
    multiplyMany(matrix, p, width, q);
    std::vector<double> const curvature = dots(p, q, n, width);
    // A column that is solved, or was 0, stays where it is.
    for (int c = 0; c < width; ++c)
      alpha[c] = curvature[c] > 0.0 && left[c] > 0.0 ? rho[c] / curvature[c] : 0.0;
#pragma omp parallel for schedule(static) if (b.size() > worthThreads)
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < width; ++c) {
        std::size_t const k = std::size_t(i) * width + c;
        result.x[k] += alpha[c] * p[k];
        r[k] -= alpha[c] * q[k];
      }
  }
  result.seconds = watch.seconds();
  multiplyMany(matrix, result.x, width, q);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = b[k] - q[k];
  std::vector<double> const left = dots(q, q, n, width);
  for (int c = 0; c < width; ++c)
    if (size[c] > 0.0) result.residual = std::max(result.residual, std::sqrt(left[c] / size[c]));
  return result;
}

class HostManySolver : public ManySolver {
 public:
  explicit HostManySolver(Csr const& matrix) : matrix_(matrix) {}
  ManySolved solve(std::vector<double> const& b, int width, double tolerance,
                   int mostIterations) override {
    return solveMany(matrix_, b, width, tolerance, mostIterations);
  }

 private:
  Csr const& matrix_;
};

}  // namespace

std::vector<double> dots(std::vector<double> const& a, std::vector<double> const& b, int rows,
                         int width) {
  int const pieces = (rows + rowsAtOnce - 1) / rowsAtOnce;
  std::vector<double> parts(std::size_t(pieces) * width, 0.0);
#pragma omp parallel for schedule(static) if (a.size() > worthThreads)
  for (int piece = 0; piece < pieces; ++piece) {
    double* const part = &parts[std::size_t(piece) * width];
    for (int i = piece * rowsAtOnce; i < std::min(rows, (piece + 1) * rowsAtOnce); ++i)
      for (int c = 0; c < width; ++c)
        part[c] += a[std::size_t(i) * width + c] * b[std::size_t(i) * width + c];
  }
  std::vector<double> sum(width, 0.0);
  for (int piece = 0; piece < pieces; ++piece)
    for (int c = 0; c < width; ++c) sum[c] += parts[std::size_t(piece) * width + c];
  return sum;
}

std::unique_ptr<ManySolver> hostManySolver(Csr const& matrix) {
  return std::make_unique<HostManySolver>(matrix);
}

}  // namespace osi_cuda::response
