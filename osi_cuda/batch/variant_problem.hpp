// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "osi_cuda/batch/small_problem.hpp"

/// Variants of one problem, as one thread of the processor or one block of a device solves them:
/// all share the matrix and the tableau D of a common basis, each has numbers and factors U, V of
/// its own. See docs/guide/batch.md.
namespace osi_cuda::batch {

/// What a solve is told, the same for all variants.
struct VariantSettings : SmallSettings {
  /// Residuals of an optimum where doubles come no nearer to the point of its basis.
  double tolerated = 1e-9;
  /// Dual objectives beyond it end the pivots, in the problem's own sense; a NaN: none does.
  double cutoff = std::numeric_limits<double>::quiet_NaN();
};

/// A matrix stored by lines: entries starts[l] .. starts[l + 1] - 1 belong to line l.
struct LinesView {
  std::int64_t const* starts = nullptr;
  int const* indices = nullptr;
  double const* values = nullptr;
  int const* longLines = nullptr;  ///< lines of more than shortLine entries, ascending
  int longCount = 0;               ///< how many of them there are
};
/// A line of more entries is summed by a warp of a device, one of as many or fewer by a thread.
inline constexpr std::int64_t shortLine = 24;

/// What all variants share, as it lies in memory: the problem without changes, and its tableau at
/// the common basis. Nothing here is written.
struct VariantBase {
  int rows = 0, columns = 0;
  double sign = 1.0;  ///< -1: maximise
  double offset = 0.0;
  LinesView byRow, byColumn;  ///< A
  double const* objective = nullptr;
  double const* columnLower = nullptr;
  double const* columnUpper = nullptr;
  double const* rowLower = nullptr;
  double const* rowUpper = nullptr;
  double const* tableau = nullptr;      ///< D = B^-1 N, rows x columns, row by row
  int const* rowVariable = nullptr;     ///< basic variable by row position
  int const* columnVariable = nullptr;  ///< nonbasic variable by column position
  int const* position = nullptr;  ///< by variable: its row position, or ~(its column position)
  double const* rowValue = nullptr;
  double const* columnValue = nullptr;
  double const* reducedCost = nullptr;   ///< by column position, of the minimisation
  double const* rowWeight = nullptr;     ///< squared norms of the rows of B^-1
  double const* columnWeight = nullptr;  ///< 1 + squared norms of the columns of D
};

/// A cost or a bound that a variant has otherwise, in the problem's own terms.
struct VariantNumber {
  enum What : std::int32_t { cost, lower, upper };
  std::int32_t variable = 0;  ///< < n column, n + i row i
  std::int32_t what = cost;
  double value = 0.0;
};

/// A coefficient that a variant has otherwise, as an entry of its column or of its row.
struct VariantCoefficient {
  std::int32_t line = 0, index = 0;  ///< column and row, or row and column
  double after = 0.0, before = 0.0;
};

/// The changed coefficients of one line, ascending by index.
struct LineChanges {
  VariantCoefficient const* first = nullptr;
  int count = 0;

  /// Those of `line` among all, which are ascending by line and index.
  OSI_CUDA_HD static LineChanges of(VariantCoefficient const* all, int count, int line) {
    int const begin = placeOf(all, count, line, 0);
    int end = begin;
    while (end < count && all[end].line == line) ++end;
    return {all + begin, end - begin};
  }
  /// What a stored entry is in the sum of the line: itself, or nothing where it has been replaced.
  /// The changed coefficients themselves have to be added.
  OSI_CUDA_HD double kept(int index, double stored) const {
    if (count == 0) return stored;
    int const place = placeOf(first, count, first->line, index);
    return place < count && first[place].index == index ? 0.0 : stored;
  }

 private:
  /// The first place not before (line, index).
  OSI_CUDA_HD static int placeOf(VariantCoefficient const* all, int count, int line, int index) {
    int begin = 0, end = count;
    while (begin < end) {
      int const middle = begin + (end - begin) / 2;
      bool const before =
          all[middle].line < line || (all[middle].line == line && all[middle].index < index);
      (before ? begin : end) = before ? middle + 1 : middle;
    }
    return begin;
  }
};

/// What is different in one variant: pieces of arrays of all variants. No number is there twice.
/// Coefficients are there by columns, ascending, and as many by rows behind them.
struct VariantTask {
  std::int64_t firstNumber = 0, firstCoefficient = 0;
  std::int32_t numbers = 0, coefficients = 0;
  std::int32_t costs = 0;                  ///< how many of the numbers are costs
  std::int32_t leaving = 0, entering = 0;  ///< of its start
  std::int64_t firstStart = -1;            ///< -1: the common basis
};

/// Words of a start.
OSI_CUDA_HD inline std::int64_t startWords(int leaving, int entering, int variables) {
  return std::int64_t{leaving} + entering + (variables + 31) / 32;
}

/// The changes of one variant.
struct VariantChanges {
  VariantNumber const* numbers = nullptr;
  VariantCoefficient const* coefficients = nullptr;
  int numberCount = 0, coefficientCount = 0, costs = 0;
  /// Where it begins, unless null: the variables that leave the common basis, those that enter it,
  /// and a bit for each variable whether it rests on its upper bound.
  std::uint32_t const* start = nullptr;
  int leaving = 0, entering = 0;

  OSI_CUDA_HD LineChanges ofColumn(int j) const {
    return LineChanges::of(coefficients, coefficientCount, j);
  }
  OSI_CUDA_HD LineChanges ofRow(int i) const {
    return LineChanges::of(coefficients + coefficientCount, coefficientCount, i);
  }
};

/// What one member at work needs besides the base: the problem's own numbers, states by position,
/// factors and work. A piece of memory of `doubles`, 16 bytes aligned, holds all of it; the states
/// may lie elsewhere, in a piece of `nearDoubles`: every pass of a pivot goes over them.
struct VariantPlaces {
  double *objective, *columnLower, *columnUpper;  ///< length n
  double *rowLower, *rowUpper;                    ///< length m
  RowState rows;
  ColumnState columns;
  double* u;           ///< U, K x m by lines
  double* v;           ///< V, K x n by lines
  double* masked;      ///< work, max(m, n)
  int* list;           ///< work, max(m, n)
  std::uint8_t* live;  ///< m of rows and n of columns: 0 where the line of D has been exchanged

  static constexpr int rowVectors = 8, columnVectors = 10;
  static constexpr int nearRowVectors = 6, nearColumnVectors = 7;  ///< of these, states

  OSI_CUDA_HD static std::int64_t doubles(int m, int n, int capacity) {
    std::int64_t const longer = m > n ? m : n, both = std::int64_t{m} + n;
    return (rowVectors + capacity) * std::int64_t{m} +
           (columnVectors + capacity) * std::int64_t{n} + longer + (longer + 1) / 2 +
           (both + 1) / 2 + (both + 7) / 8 + 1;
  }
  OSI_CUDA_HD static std::int64_t nearDoubles(int m, int n) {
    std::int64_t const both = std::int64_t{m} + n;
    return nearRowVectors * std::int64_t{m} + nearColumnVectors * std::int64_t{n} + (both + 1) / 2 +
           (both + 7) / 8;
  }
  /// `near`: where the states are; null: in `memory`, too.
  OSI_CUDA_HD static VariantPlaces at(double* memory, int m, int n, int capacity,
                                      double* near = nullptr) {
    VariantPlaces p{};
    double*& states = near ? near : memory;
    auto const takeFrom = [](double*& piece, std::int64_t length) {
      double* const place = piece;
      piece += length;
      return place;
    };
    auto const take = [&](std::int64_t length) { return takeFrom(memory, length); };
    auto const takeState = [&](std::int64_t length) { return takeFrom(states, length); };
    p.objective = take(n);
    p.columnLower = take(n);
    p.columnUpper = take(n);
    p.rowLower = take(m);
    p.rowUpper = take(m);
    placeStates(p.rows, p.columns, m, n, takeState);
    p.u = take(std::int64_t{capacity} * m);
    p.v = take(std::int64_t{capacity} * n);
    int const longer = m > n ? m : n;
    p.masked = take(longer);
    p.list = reinterpret_cast<int*>(take((longer + 1) / 2));
    p.rows.variable = reinterpret_cast<int*>(takeState((std::int64_t{m} + n + 1) / 2));
    p.columns.variable = p.rows.variable + m;
    p.live = reinterpret_cast<std::uint8_t*>(states);
    return p;
  }

  /// The variant's own problem, of which only the numbers lie here.
  OSI_CUDA_HD SmallProblem problemOf(VariantBase const& base) const {
    SmallProblem p;
    p.rows = base.rows;
    p.columns = base.columns;
    p.objective = objective;
    p.columnLower = columnLower;
    p.columnUpper = columnUpper;
    p.rowLower = rowLower;
    p.rowUpper = rowUpper;
    p.sign = base.sign;
    p.offset = base.offset;
    return p;
  }
};

}  // namespace osi_cuda::batch
