// SPDX-License-Identifier: EPL-2.0
#include "bench/batch_problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "osi_cuda/index.hpp"

namespace osi_cuda::bench {
namespace {

/// The finalizer of SplitMix64.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// Number k of the stream of that seed.
std::uint64_t random(std::uint64_t seed, std::uint64_t k) {
  return mix(mix(seed) + (k + 1) * 0x9E3779B97F4A7C15ull);
}

LinearProgram freeModel(DenseSize size, std::uint64_t seed) {
  std::uint64_t next = 0;
  auto const entry = [&] {
    constexpr std::uint64_t million = 1000000;
    auto const k = static_cast<std::int64_t>(random(seed, next++) % (2 * million));
    return static_cast<double>(k - std::int64_t{million}) / 1e6;
  };
  LinearProgram lp;
  lp.sense = Sense::maximize;
  for (int j = 0; j < size.columns; ++j) {
    for (int i = 0; i < size.rows; ++i) lp.matrix.add(i, entry());
    lp.endColumn(0.0, 0.0, infinity);
  }
  for (double& c : lp.objective) c = entry();
  double const reach = std::sqrt(static_cast<double>(size.columns));
  for (int i = 0; i < size.rows; ++i) lp.addRow(-infinity, entry() * reach);
  return lp;
}

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

BatchItem::Kind kindOf(DenseFamily family) {
  return static_cast<BatchItem::Kind>(family);
}

std::string kindName(BatchItem::Kind kind) {
  return kind == BatchItem::Kind::free ? "free" : familyNames()[static_cast<std::size_t>(kind)];
}

LinearProgram modelOf(BatchItem const& item) {
  if (item.kind == BatchItem::Kind::free) return freeModel(item.size, item.seed);
  return denseModel(static_cast<DenseFamily>(item.kind), item.size.rows, item.size.columns,
                    item.seed);
}

std::vector<BatchItem> familyItems(DenseFamily family, DenseSize size, std::size_t count,
                                   std::size_t distinct, std::uint64_t seed) {
  std::vector<BatchItem> items(count);
  for (std::size_t k = 0; k < count; ++k) items[k] = {kindOf(family), size, seed + k % distinct};
  return items;
}

std::vector<BatchItem> mixedItems(std::size_t count, int most, std::uint64_t seed) {
  std::vector<BatchItem> items(count);
  for (std::size_t k = 0; k < count; ++k) {
    auto const below = [&](std::uint64_t number, int range) {
      return static_cast<int>(random(seed, 3 * k + number) % static_cast<std::uint64_t>(range));
    };
    items[k] = {static_cast<BatchItem::Kind>(below(0, 4)),
                {1 + below(1, most), 1 + below(2, most)},
                seed + k};
  }
  return items;
}

void BatchArrays::open(std::vector<int> rows, std::vector<int> columns) {
  rows_ = std::move(rows);
  columns_ = std::move(columns);
  std::size_t const count = rows_.size();
  sense_.assign(count, Sense::maximize);
  matrixStart_.assign(count + 1, 0);
  columnStart_.assign(count + 1, 0);
  rowStart_.assign(count + 1, 0);
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t const m = at(rows_[k]), n = at(columns_[k]);
    matrixStart_[k + 1] = matrixStart_[k] + m * n;
    columnStart_[k + 1] = columnStart_[k] + n;
    rowStart_[k + 1] = rowStart_[k] + m;
  }
  matrix_ = std::make_unique_for_overwrite<double[]>(matrixStart_[count]);
  objective_.resize(columnStart_[count]);
  rowUpper_.resize(rowStart_[count]);
}

BatchArrays::BatchArrays(std::vector<BatchItem> const& items) {
  std::size_t const count = items.size();
  std::vector<int> rows(count), columns(count);
  for (std::size_t k = 0; k < count; ++k) {
    rows[k] = items[k].size.rows;
    columns[k] = items[k].size.columns;
  }
  open(std::move(rows), std::move(columns));
  // Where each problem first is.
  std::map<std::tuple<int, int, int, std::uint64_t>, std::size_t> seen;
  std::vector<std::size_t> first(count);
  for (std::size_t k = 0; k < count; ++k) {
    BatchItem const& item = items[k];
    first[k] =
        seen.try_emplace(
                {static_cast<int>(item.kind), item.size.rows, item.size.columns, item.seed}, k)
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

BatchArrays::BatchArrays(BatchArrays const& other, std::vector<std::size_t> const& order) {
  std::size_t const count = order.size();
  std::vector<int> rows(count), columns(count);
  for (std::size_t k = 0; k < count; ++k) {
    rows[k] = other.rows_[order[k]];
    columns[k] = other.columns_[order[k]];
  }
  open(std::move(rows), std::move(columns));
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t const o = order[k], m = at(rows_[k]), n = at(columns_[k]);
    std::copy_n(other.matrix_.get() + other.matrixStart_[o], m * n,
                matrix_.get() + matrixStart_[k]);
    std::copy_n(other.objective_.data() + other.columnStart_[o], n,
                objective_.data() + columnStart_[k]);
    std::copy_n(other.rowUpper_.data() + other.rowStart_[o], m, rowUpper_.data() + rowStart_[k]);
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
