// SPDX-License-Identifier: EPL-2.0
#include "c/arguments.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/model/dense_entries.hpp"

namespace osi_cuda::c {
namespace {

/// Below, nobody asks how much memory there is.
constexpr std::uint64_t worthAsking = std::uint64_t{1} << 28;

/// Before so much memory is taken; message() says what for.
void needAvailable(std::uint64_t bytes, auto const& message) {
  if (bytes < worthAsking) return;
  std::optional<std::uint64_t> const available = availableMemory();
  if (available && bytes > *available) throw NotEnoughMemory(message());
}

std::uint64_t bytesOfDense(int rows, int columns) {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns) * sizeof(double);
}

std::string takes(int rows, int columns, std::uint64_t bytes) {
  return concat("a dense matrix of ", rows, " x ", columns, " takes ", byteCount(bytes));
}

/// A matrix that this machine's memory can't hold is none that was filled: to look at its entries
/// would take memory for as many.
void needPossible(int rows, int columns) {
  std::uint64_t const bytes = bytesOfDense(rows, columns);
  if (bytes < worthAsking) return;
  auto const memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (bytes > memory)
    throw NotEnoughMemory(takes(rows, columns, bytes) + ", this machine has " + byteCount(memory) +
                          "; a sparse matrix takes 12 bytes for each nonzero");
}

}  // namespace

void needPointer(void const* pointer, char const* name) {
  if (!pointer) refuse(std::string(name) + " is NULL");
}

void needArray(void const* pointer, std::int64_t length, char const* name) {
  if (!pointer && length > 0) refuse(name, " is NULL, but has to have length ", length);
}

void needSize(std::int64_t size, char const* name) {
  if (size < 0) refuse(name, " is ", size, ", but has to be at least 0");
}

std::int64_t productOf(std::int64_t count, std::int64_t width, char const* what) {
  // Far more than any memory holds, far less than overflows, in bytes as well.
  constexpr std::int64_t most = std::int64_t{1} << 59;
  if (width > 0 && count > most / width)
    refuse(what, " would have ", count, " x ", width, " numbers, more than any memory holds");
  return count * width;
}

void needSizes(std::int64_t rows, std::int64_t columns) {
  needSize(rows, "rows");
  needSize(columns, "columns");
  if (rows + columns > INT32_MAX)
    refuse("there would be more than ", INT32_MAX, " rows and columns: ", rows, " and ", columns);
  constexpr std::uint64_t perLine = 3 * sizeof(double);  // two bounds, a cost
  std::uint64_t const bytes = perLine * static_cast<std::uint64_t>(rows + columns);
  needAvailable(bytes, [&] {
    return concat("bounds and costs of ", rows, " rows and ", columns, " columns take ",
                  byteCount(bytes), ", ", memoryLeft());
  });
}

Sense senseOf(int sense, std::string const& name) {
  if (sense != OSI_CUDA_MINIMIZE && sense != OSI_CUDA_MAXIMIZE)
    refuse(name, " is ", sense, ", but has to be OSI_CUDA_MINIMIZE (0) or OSI_CUDA_MAXIMIZE (1)");
  return sense == OSI_CUDA_MINIMIZE ? Sense::minimize : Sense::maximize;
}

std::vector<double> numbersOr(double const* numbers, std::int64_t length, double absent) {
  if (numbers) return {numbers, numbers + length};
  return std::vector<double>(at(length), absent);
}

std::vector<double> boundsOr(double const* numbers, std::int64_t length, double absent,
                             BoundSide side, char const* name, LargeBounds& large) {
  std::vector<double> bounds = numbersOr(numbers, length, absent);
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    double const given = bounds[k];
    bounds[k] = large(given);
    if (bounds[k] != given && bounds[k] == (side == BoundSide::lower ? infinity : -infinity)) {
      char number[32];
      std::snprintf(number, sizeof number, "%g", given);
      refuse(name, "[", k, "] is ", number, ", which can't be reached: ", large.meaning(),
             " (option infinity)");
    }
  }
  return bounds;
}

void needNumber(std::int32_t number, int size, char const* what, std::size_t place) {
  if (number < 0 || number >= size)
    refuse(what, "[", place, "] is ", number, ", but there are ", size, " ", what,
           ", counted from 0");
}

std::vector<int> selected(std::int32_t count, std::int32_t const* numbers, int size,
                          char const* what) {
  needSize(count, "count");
  if (!numbers) {
    if (count != size)
      refuse("count is ", count, ", but without numbers of ", what, " it has to be all ", size);
    std::vector<int> all(at(size));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  for (std::int32_t k = 0; k < count; ++k) needNumber(numbers[k], size, what, at(k));
  return {numbers, numbers + count};
}

bool liesByRows(int rows, int columns, std::int64_t rowStep, std::int64_t columnStep) {
  return (columnStep == 1 || columns == 1) && (rowStep == columns || rows == 1);
}

bool liesByColumns(int rows, int columns, std::int64_t rowStep, std::int64_t columnStep) {
  return liesByRows(columns, rows, columnStep, rowStep);
}

SparseMatrix fromDense(int rows, int columns, double const* matrix, std::int64_t rowStep,
                       std::int64_t columnStep, Keep keep) {
  needArray(matrix, productOf(rows, columns, "matrix"), "matrix");
  bool const byColumns = liesByColumns(rows, columns, rowStep, columnStep);
  bool const inPlace =
      keep == Keep::place && (byColumns || liesByRows(rows, columns, rowStep, columnStep));
  if (!inPlace) needPossible(rows, columns);
  bool const threads = std::int64_t{rows} * columns >= worthThreads;
  if (threads) needThreads();
  DenseEntries const entries(rows, columns, matrix, rowStep, columnStep,
                             [threads](std::int64_t count, auto const& part) {
#pragma omp parallel for schedule(static) if (threads)
                               for (std::int64_t k = 0; k < count; ++k) part(k);
                             });
  if (keep == Keep::nonzeros || !entries.fitsArray()) return entries.nonzeros();
  if (inPlace) return denseMatrix(rows, columns, matrix, !byColumns, nullptr);
  needAvailable(bytesOfDense(rows, columns), [&] {
    return "a copy of " + takes(rows, columns, bytesOfDense(rows, columns)) + ", " + memoryLeft() +
           "; without a copy (osi_cuda_borrow_dense, copy=False) it takes none";
  });
  return entries.copy();
}

SparseMatrix fromSparse(int lines, int others, std::int64_t const* starts,
                        std::int32_t const* indices, double const* values, char const* names) {
  needPointer(starts, "starts");
  if (starts[0] != 0) refuse("starts[0] is ", starts[0], ", but has to be 0");
  for (int line = 0; line < lines; ++line) {
    if (starts[line + 1] < starts[line])
      refuse("starts[", line + 1, "] is ", starts[line + 1], ", less than the one before it");
  }
  std::int64_t const nonzeros = starts[lines];
  needArray(indices, nonzeros, names);
  needArray(values, nonzeros, "values");
  std::vector<int> seen(at(others), -1);  // the last line that has it
  for (int line = 0; line < lines; ++line) {
    for (std::int64_t e = starts[line]; e < starts[line + 1]; ++e) {
      auto const isNow = [&] { return concat(names, "[", e, "] is ", indices[e]); };
      if (indices[e] < 0 || indices[e] >= others)
        refuse(isNow(), ", but has to be from 0 to ", others - 1);
      if (std::exchange(seen[at(indices[e])], line) == line)
        refuse(isNow(), " twice between starts[", line, "] and the next");
    }
  }
  SparseMatrix matrix;
  matrix.rows = others;
  matrix.columns = lines;
  matrix.starts.assign(starts, starts + lines + 1);
  matrix.indices.assign(indices, indices + nonzeros);
  matrix.values.assign(values, values + nonzeros);
  return matrix;
}

}  // namespace osi_cuda::c
