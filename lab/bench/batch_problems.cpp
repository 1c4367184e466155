// SPDX-License-Identifier: EPL-2.0
#include "lab/bench/batch_problems.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::bench {
namespace {

void fold(std::uint64_t& print, std::uint64_t bits) {
  print = mix(print * 0x9E3779B97F4A7C15ull + bits);
}
void fold(std::uint64_t& print, double const* values, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, values + k, sizeof bits);
    fold(print, bits);
  }
}
void fold(std::uint64_t& print, std::vector<double> const& values) {
  fold(print, values.data(), values.size());
}

}  // namespace

LinearProgram modelOf(BatchItem const& item) {
  return denseModel(item.family, item.size.rows, item.size.columns, item.seed);
}

std::vector<BatchItem> familyItems(DenseFamily family, DenseSize size, std::size_t count,
                                   std::size_t distinct, std::uint64_t seed) {
  std::vector<BatchItem> items(count);
  for (std::size_t k = 0; k < count; ++k) items[k] = {family, size, seed + k % distinct};
  return items;
}

std::vector<BatchItem> mixedItems(std::size_t count, int most, std::uint64_t seed) {
  std::vector<BatchItem> items(count);
  for (std::size_t k = 0; k < count; ++k) {
    auto const below = [&](std::uint64_t number, int range) {
      return static_cast<int>(random(seed, 3 * k + number) % static_cast<std::uint64_t>(range));
    };
    items[k] = {
        static_cast<DenseFamily>(below(0, 4)), {1 + below(1, most), 1 + below(2, most)}, seed + k};
  }
  return items;
}

BatchArrays::BatchArrays(std::vector<BatchItem> const& items)
    : sense_(items.size(), Sense::maximize) {
  std::size_t const count = items.size();
  for (auto const& [family, size, seed] : items) {
    rows_.push_back(size.rows);
    columns_.push_back(size.columns);
    matrixStart_.push_back(matrixStart_.back() + at(size.rows) * at(size.columns));
    columnStart_.push_back(columnStart_.back() + at(size.columns));
    rowStart_.push_back(rowStart_.back() + at(size.rows));
  }
  matrix_ = std::make_unique_for_overwrite<double[]>(matrixStart_[count]);
  objective_.resize(columnStart_[count]);
  rowUpper_.resize(rowStart_[count]);
  // Where each problem first is.
  std::map<std::tuple<int, int, int, std::uint64_t>, std::size_t> seen;
  std::vector<std::size_t> first(count);
  for (std::size_t k = 0; k < count; ++k) {
    BatchItem const& item = items[k];
    first[k] =
        seen.try_emplace(
                {static_cast<int>(item.family), item.size.rows, item.size.columns, item.seed}, k)
            .first->second;
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t k = 0; k < count; ++k) {
    if (first[k] != k) continue;
    std::size_t const m = at(rows_[k]), n = at(columns_[k]);
    LinearProgram const lp = modelOf(items[k]);
    double* const matrix = matrix_.get() + matrixStart_[k];
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i) matrix[i * n + j] = lp.matrix.values[j * m + i];
    std::ranges::copy(lp.objective, objective_.data() + columnStart_[k]);
    std::ranges::copy(lp.rowUpper, rowUpper_.data() + rowStart_[k]);
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t const f = first[k], m = at(rows_[k]), n = at(columns_[k]);
    if (f == k) continue;
    std::copy_n(matrix_.get() + matrixStart_[f], m * n, matrix_.get() + matrixStart_[k]);
    std::copy_n(objective_.data() + columnStart_[f], n, objective_.data() + columnStart_[k]);
    std::copy_n(rowUpper_.data() + rowStart_[f], m, rowUpper_.data() + rowStart_[k]);
  }
}

BatchProblems BatchArrays::view() const {
  BatchProblems p;
  p.rows = rows_;
  p.columns = columns_;
  p.matrix = {matrix_.get(), matrixStart_.back()};
  p.objective = objective_;
  p.rowUpper = rowUpper_;
  p.sense = sense_;
  return p;
}

std::vector<std::size_t> shuffledOrder(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) order[k] = k;
  for (std::size_t k = count; k > 1; --k) std::swap(order[k - 1], order[random(seed, k) % k]);
  return order;
}

std::vector<std::uint64_t> fingerprintsOf(BatchResults const& results) {
  std::size_t const count = results.status.size();
  std::vector<std::uint64_t> prints(count);
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t const column = results.columnStart[k], row = results.rowStart[k];
    std::size_t const n = results.columnStart[k + 1] - column, m = results.rowStart[k + 1] - row;
    std::uint64_t print = 0;
    fold(print, static_cast<std::uint64_t>(results.status[k]));
    fold(print, static_cast<std::uint64_t>(results.proof[k]));
    fold(print, static_cast<std::uint64_t>(results.iterations[k]));
    fold(print, &results.objective[k], 1);
    fold(print, &results.residual[k], 1);
    fold(print, results.x.data() + column, n);
    fold(print, results.y.data() + row, m);
    for (std::size_t j = 0; j < n; ++j)
      fold(print, static_cast<std::uint64_t>(results.columnStatus[column + j]));
    for (std::size_t i = 0; i < m; ++i)
      fold(print, static_cast<std::uint64_t>(results.rowStatus[row + i]));
    prints[k] = print;
  }
  for (BatchCertificate const& certificate : results.certificates) {
    std::uint64_t& print = prints[certificate.problem];
    fold(print, certificate.farkas);
    fold(print, certificate.farkasLow);
    fold(print, certificate.ray);
    fold(print, certificate.rayLow);
    fold(print, &certificate.margin, 1);
  }
  return prints;
}

}  // namespace osi_cuda::bench
