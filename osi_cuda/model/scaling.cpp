// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/scaling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <span>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/threads.hpp"

namespace osi_cuda {
namespace {

/// What scaling has to leave at most of the spread. Numbers that are uniform between -1 and 1 would
/// be left with half of it, by a common factor that gains nothing.
constexpr double worthwhile = 0.45;

/// log2 |a| to within 1e-4, exact for powers of two: factors are rounded to powers of two anyway.
/// Of zero and of subnormal numbers, which don't count, less than `smallestLog`.
float roughLog(double a) {
  auto const bits = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(a) >> 32);
  auto const exponent = static_cast<int>((bits >> 20) & 0x7ff) - 1023;
  auto const t = static_cast<float>(static_cast<int>(bits & 0xfffff)) *
                 (1.0f / 1048576.0f);  // |a| = 2^exponent (1 + t), to 20 bits
  float const shape =
      1.4426930f +
      t * (-0.7211441f +
           t * (0.4774964f +
                t * (-0.3383772f + t * (0.2139432f + t * (-0.0946268f + t * 0.0200166f)))));
  return static_cast<float>(exponent) + t * shape;
}
constexpr float smallestLog = -1022.0f;

/// Sums over the nonzero entries of l = log2 |a_ij| + row_i + column_j.
struct LogSums {
  double squares = 0.0;
  std::int64_t count = 0;
  std::vector<double> row, column;  ///< sums of l
  std::vector<int> rowCount, columnCount;
  bool full = false;  ///< every column lists all rows in order

  double spread() const { return count > 0 ? squares / static_cast<double>(count) : 0.0; }
};

/// The rows' sums of one strip of columns.
struct Strip {
  double* row;
  int* count;
  double squares = 0.0;
  bool full = true;
};

constexpr std::size_t chunk = 128;  ///< entries of a column that are looked at together

/// Entries of successive rows, none of them zero: all loops go by vectors.
void addSuccessive(float const* logs, int length, double const* __restrict row, double own,
                   double* __restrict rowSum, int* __restrict rowCount, double& sum,
                   double& squares) {
  double total = 0.0, square = 0.0;
#pragma omp simd reduction(+ : total, square)
  for (int e = 0; e < length; ++e) {
    double const l = static_cast<double>(logs[e]) + row[e] + own;
    rowSum[e] += l;
    total += l;
    square += l * l;
  }
  for (int e = 0; e < length; ++e) ++rowCount[e];
  sum += total;
  squares += square;
}

/// Of `every` chunks one is looked at, as far apart in a row as in a column.
void addColumn(SparseMatrix const& matrix, int j, int every, std::span<double const> values,
               std::vector<double> const& row, std::vector<double> const& column, LogSums& sums,
               Strip& strip) {
  auto const indices = matrix.columnIndices(j);
  double const own = column[at(j)];
  double sum = 0.0, squares = 0.0;
  int count = 0;
  float logs[chunk];
  strip.full = strip.full && indices.size() == at(matrix.rows);
  for (std::size_t begin = at(j % every) * chunk; begin < indices.size();
       begin += at(every) * chunk) {
    int const length = static_cast<int>(std::min(chunk, indices.size() - begin));
    double const* const value = values.data() + begin;
    int const* const index = indices.data() + begin;
    int const first = index[0];
    int absent = 0, scattered = 0;
    for (int e = 0; e < length; ++e) logs[e] = roughLog(value[e]);
    for (int e = 0; e < length; ++e) absent += logs[e] < smallestLog ? 1 : 0;
    for (int e = 0; e < length; ++e) scattered |= index[e] ^ (first + e);
    count += length - absent;
    strip.full = strip.full && scattered == 0 && at(first) == begin;
    if ((absent | scattered) == 0) {
      addSuccessive(logs, length, row.data() + first, own, strip.row + first, strip.count + first,
                    sum, squares);
      continue;
    }
    for (int e = 0; e < length; ++e) {
      if (logs[e] < smallestLog) continue;
      auto const i = at(index[e]);
      double const l = static_cast<double>(logs[e]) + row[i] + own;
      strip.row[i] += l;
      ++strip.count[i];
      sum += l;
      squares += l * l;
    }
  }
  strip.squares += squares;
  sums.column[at(j)] = sum;
  sums.columnCount[at(j)] = count;
}

// Strips of columns are summed by themselves and then in their order: their number depends on
// sizes only, so that the sums don't depend on the number of threads.
LogSums sumLogs(SparseMatrix const& matrix, std::vector<double> const& row,
                std::vector<double> const& column, int every) {
  int const m = matrix.rows, n = matrix.columns;
  auto const strips = static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(
      std::clamp<std::int64_t>(matrix.nonzeros() / (8 * (std::int64_t{m} + n + 1024)), 1, 32))));
  LogSums sums;
  sums.column.assign(at(n), 0.0);
  sums.columnCount.assign(at(n), 0);
  // Each strip clears its own.
  std::unique_ptr<double[]> const rowSums(new double[at(m) * at(strips)]);
  std::unique_ptr<int[]> const rowCounts(new int[at(m) * at(strips)]);
  std::vector<double> squares(at(strips), 0.0);
  std::vector<char> full(at(strips), 0);
  int const threads = loopThreads(matrix.nonzeros());
  auto readers = ColumnReader::forThreads(matrix, threads);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int s = 0; s < strips; ++s) {
    Strip strip{rowSums.get() + at(s) * at(m), rowCounts.get() + at(s) * at(m)};
    std::fill_n(strip.row, m, 0.0);
    std::fill_n(strip.count, m, 0);
    auto const first = static_cast<int>(std::int64_t{n} * s / strips);
    auto const last = static_cast<int>(std::int64_t{n} * (s + 1) / strips);
    ColumnReader& read = readers[at(omp_get_thread_num())];
    for (int j = first; j < last; ++j)
      addColumn(matrix, j, every, read(j), row, column, sums, strip);
    squares[at(s)] = strip.squares;
    full[at(s)] = strip.full;
  }
  for (double const s : squares) sums.squares += s;
  sums.full = std::ranges::find(full, 0) == full.end();
  sums.row.assign(at(m), 0.0);
  sums.rowCount.assign(at(m), 0);
  constexpr int piece = 1024;  // stays in the cache from strip to strip
#pragma omp parallel for schedule(static) num_threads(loopThreads(std::int64_t{m} * strips))
  for (int begin = 0; begin < m; begin += piece) {
    int const end = std::min(begin + piece, m);
    for (int s = 0; s < strips; ++s) {
      double const* const rows = rowSums.get() + at(s) * at(m);
      int const* const number = rowCounts.get() + at(s) * at(m);
      for (int i = begin; i < end; ++i) sums.row[at(i)] += rows[i];
      for (int i = begin; i < end; ++i) sums.rowCount[at(i)] += number[i];
    }
  }
  for (int const c : sums.columnCount) sums.count += c;
  return sums;
}

/// Brings the mean of each line's logarithms to zero.
void centre(std::vector<double> const& sums, std::vector<int> const& counts,
            std::vector<double>& factor) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    factor[i] = counts[i] > 0 ? factor[i] - sums[i] / counts[i] : 0.0;
}

/// The same for rows and then for columns of a sparse matrix all of whose entries count: `sums` of
/// its own logarithms stay, so that a pass reads the pattern only.
void centreByPattern(SparseMatrix const& matrix, LogSums const& sums, std::vector<double>& row,
                     std::vector<double>& column) {
  row = sums.row;
  for (int j = 0; j < matrix.columns; ++j)
    for (int const i : matrix.columnIndices(j)) row[at(i)] += column[at(j)];
  for (std::size_t i = 0; i < row.size(); ++i) row[i] /= -std::max(1, sums.rowCount[i]);
#pragma omp parallel for schedule(static) num_threads(loopThreads(matrix.nonzeros()))
  for (int j = 0; j < matrix.columns; ++j) {
    double sum = sums.column[at(j)];
    for (int const i : matrix.columnIndices(j)) sum += row[at(i)];
    column[at(j)] = sum / -std::max(1, sums.columnCount[at(j)]);
  }
}

/// What the best factors leave of the sum of squares where (nearly) every entry is there: a two-way
/// analysis of variance, for which one pass is enough.
double squaresLeft(LogSums const& sums) {
  double between = 0.0, all = 0.0;
  for (std::size_t i = 0; i < sums.row.size(); ++i) {
    if (sums.rowCount[i] > 0) between += sums.row[i] * sums.row[i] / sums.rowCount[i];
    all += sums.row[i];
  }
  for (std::size_t j = 0; j < sums.column.size(); ++j)
    if (sums.columnCount[j] > 0) between += sums.column[j] * sums.column[j] / sums.columnCount[j];
  return sums.squares - between + all * all / static_cast<double>(sums.count);
}

/// Largest |a_ij| of each column once the rows are scaled, as an exponent; columns without entries
/// keep their factor.
void equilibrate(SparseMatrix const& matrix, std::vector<double> const& row, Scales& scales) {
  int const threads = loopThreads(matrix.nonzeros());
  auto readers = ColumnReader::forThreads(matrix, threads);
#pragma omp parallel num_threads(threads)
  {
    ColumnReader& read = readers[at(omp_get_thread_num())];
#pragma omp for schedule(static)
    for (int j = 0; j < matrix.columns; ++j) {
      double largest = 0.0;
      for (auto const [i, a] : read.column(j))
        largest = std::max(largest, std::fabs(a) * row[at(i)]);
      scales.column[at(j)] = largest > 0.0 ? std::exp2(std::round(-std::log2(largest))) : 1.0;
    }
  }
}

}  // namespace

// Of each line of a large array as many chunks are looked at as of any other.
Scales chooseScales(SparseMatrix const& matrix, std::int64_t enough) {
  int const m = matrix.rows, n = matrix.columns;
  Scales scales;
  scales.row.assign(at(m), 1.0);
  scales.column.assign(at(n), 1.0);
  std::vector<double> row(at(m), 0.0), column(at(n), 0.0);
  std::int64_t const sampled =
      std::min({matrix.nonzeros() / enough, m / std::int64_t{chunk}, std::int64_t{n}});
  auto const every = static_cast<int>(matrix.isDense() ? std::max<std::int64_t>(1, sampled) : 1);
  LogSums sums = sumLogs(matrix, row, column, every);
  double const before = sums.spread();
  scales.full = sums.full;
  bool const dense = static_cast<double>(sums.count) * every > 0.9 * m * n;
  if (dense && squaresLeft(sums) > worthwhile * sums.squares) return scales;
  bool const sparse = !matrix.isDense() && sums.count == matrix.nonzeros();
  for (int pass = 0; pass < 4; ++pass) {
    if (sparse) {
      centreByPattern(matrix, sums, row, column);
      continue;
    }
    if (pass > 0) sums = sumLogs(matrix, row, column, every);
    centre(sums.row, sums.rowCount, row);
    sums = sumLogs(matrix, row, column, every);
    centre(sums.column, sums.columnCount, column);
  }
  if (sumLogs(matrix, row, column, every).spread() > worthwhile * before) return scales;
  for (std::size_t i = 0; i < row.size(); ++i) scales.row[i] = std::exp2(std::round(row[i]));
  equilibrate(matrix, scales.row, scales);
  auto const other = [](double factor) { return factor != 1.0; };
  scales.change =
      std::ranges::any_of(scales.row, other) || std::ranges::any_of(scales.column, other);
  return scales;
}

namespace {

/// The same for a matrix that stands on a DenseArray, line by line as it lies there.
SparseMatrix scaledArray(std::vector<double> const& row, std::vector<double> const& column,
                         SparseMatrix const& matrix) {
  bool const byRows = matrix.dense.byRows;
  auto const& line = byRows ? row : column;
  auto const& across = byRows ? column : row;
  std::size_t const length = across.size();
  std::shared_ptr<double[]> const numbers(new double[line.size() * length]);
#pragma omp parallel for schedule(static) num_threads(loopThreads(matrix.nonzeros()))
  for (std::size_t l = 0; l < line.size(); ++l) {
    double const* const from = matrix.dense.numbers + l * length;
    double* const to = numbers.get() + l * length;
    for (std::size_t k = 0; k < length; ++k) to[k] = from[k] * (line[l] * across[k]);
  }
  return denseMatrix(matrix.rows, matrix.columns, numbers.get(), byRows, numbers);
}

}  // namespace

SparseMatrix scaledBy(std::vector<double> const& row, std::vector<double> const& column,
                      SparseMatrix matrix) {
  if (matrix.isDense()) return scaledArray(row, column, matrix);
#pragma omp parallel for schedule(static) num_threads(loopThreads(matrix.nonzeros()))
  for (int j = 0; j < matrix.columns; ++j)
    for (std::int64_t e = matrix.starts[at(j)]; e < matrix.starts[at(j) + 1]; ++e)
      matrix.values[at(e)] *= column[at(j)] * row[at(matrix.indices[at(e)])];
  return matrix;
}

void fitScales(SparseMatrix& lines, std::vector<double> const& across, std::vector<double>& own) {
  if (lines.columns == 0) return;
  std::vector<double> logs(across.size()), factors(at(lines.columns), 0.0);
  std::ranges::transform(across, logs.begin(), [](double factor) { return std::logb(factor); });
  LogSums const sums = sumLogs(lines, logs, factors, 1);
  centre(sums.column, sums.columnCount, factors);
  for (double& factor : factors) factor = std::exp2(std::round(factor));
  std::ranges::copy(factors, own.end() - lines.columns);
  lines = scaledBy(across, factors, std::move(lines));
}

}  // namespace osi_cuda
