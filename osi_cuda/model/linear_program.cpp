// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/linear_program.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/model/large_bounds.hpp"

namespace osi_cuda {

std::string LinearProgram::rowName(int i) const {
  return rowNames.empty() ? "R" + std::to_string(i + 1) : rowNames[i];
}

std::string LinearProgram::columnName(int j) const {
  return columnNames.empty() ? "C" + std::to_string(j + 1) : columnNames[j];
}

std::string variableName(LinearProgram const& lp, int variable) {
  int const n = lp.columns();
  return variable < n ? "column " + lp.columnName(variable) : "row " + lp.rowName(variable - n);
}

double lowerBound(LinearProgram const& lp, int variable) {
  int const n = lp.columns();
  return variable < n ? lp.columnLower[at(variable)] : lp.rowLower[at(variable - n)];
}

double upperBound(LinearProgram const& lp, int variable) {
  int const n = lp.columns();
  return variable < n ? lp.columnUpper[at(variable)] : lp.rowUpper[at(variable - n)];
}

namespace {

std::string lengthFault(std::string const& what, std::size_t length, std::int64_t expected) {
  if (length == at(expected)) return {};
  return what + " has length " + std::to_string(length) + " instead of " +
         std::to_string(expected) + ".";
}

/// Starts, indices and values have the right lengths and the starts ascend.
std::string shapeFault(SparseMatrix const& matrix) {
  if (matrix.rows < 0 || matrix.columns < 0) return "The matrix has a negative dimension.";
  // Rows and columns share one numbering (StandardForm).
  if (std::int64_t{matrix.rows} + matrix.columns > std::numeric_limits<int>::max())
    return std::to_string(matrix.rows) + " rows and " + std::to_string(matrix.columns) +
           " columns are more than 2147483647 together.";
  std::string fault = lengthFault("matrix.starts", matrix.starts.size(),
                                  static_cast<std::int64_t>(matrix.columns) + 1);
  if (!fault.empty()) return fault;
  if (matrix.starts[0] != 0) return "matrix.starts does not begin with 0.";
  for (int j = 0; j < matrix.columns; ++j) {
    if (matrix.starts[j] > matrix.starts[j + 1]) {
      return "matrix.starts descends at column " + std::to_string(j) + ".";
    }
  }
  if (matrix.isDense()) {
    if (matrix.nonzeros() == std::int64_t{matrix.rows} * matrix.columns) return {};
    return "matrix.starts does not fit a dense array.";
  }
  fault = lengthFault("matrix.indices", matrix.indices.size(), matrix.nonzeros());
  if (!fault.empty()) return fault;
  return lengthFault("matrix.values", matrix.values.size(), matrix.nonzeros());
}

std::string lengthsFault(LinearProgram const& lp) {
  struct Length {
    char const* name;
    std::size_t length;
    int expected;
    bool optional;
  };
  int const m = lp.rows();
  int const n = lp.columns();
  for (Length const& part : {Length{"objective", lp.objective.size(), n, false},
                             Length{"columnLower", lp.columnLower.size(), n, false},
                             Length{"columnUpper", lp.columnUpper.size(), n, false},
                             Length{"rowLower", lp.rowLower.size(), m, false},
                             Length{"rowUpper", lp.rowUpper.size(), m, false},
                             Length{"rowNames", lp.rowNames.size(), m, true},
                             Length{"columnNames", lp.columnNames.size(), n, true},
                             Length{"integer", lp.integer.size(), n, true}}) {
    if (part.optional && part.length == 0) continue;
    std::string fault = lengthFault(part.name, part.length, part.expected);
    if (!fault.empty()) return fault;
  }
  return {};
}

/// Nonzero where one of the numbers is not finite: adding one to the exponent reaches the sign
/// where all of its bits are set.
std::uint64_t notFinite(std::span<double const> numbers) {
  std::uint64_t carried = 0;
  for (double const number : numbers)
    carried |= (std::bit_cast<std::uint64_t>(number) & ~(std::uint64_t{1} << 63)) +
               (std::uint64_t{1} << 52);
  return carried >> 63;
}

/// Whether all numbers are finite, line by line as they lie in memory.
bool numbersAreFinite(SparseMatrix const& matrix) {
  int const lines = matrix.dense.byRows ? matrix.rows : matrix.columns;
  auto const length = at(matrix.nonzeros() / lines);
  std::uint64_t wrong = 0;
#pragma omp parallel for reduction(| : wrong) num_threads(loopThreads(matrix.nonzeros()))
  for (int l = 0; l < lines; ++l)
    wrong |= notFinite({matrix.dense.numbers + at(l) * length, length});
  return wrong == 0;
}

/// Whether every column's entries ascend, lie within the matrix and are finite: what nearly every
/// model is like, and quick to see.
bool entriesAreOrderly(SparseMatrix const& matrix) {
  if (matrix.isDense()) return numbersAreFinite(matrix);
  int disorderly = 0;
#pragma omp parallel for reduction(| : disorderly) num_threads(loopThreads(matrix.nonzeros()))
  for (int j = 0; j < matrix.columns; ++j) {
    auto const indices = matrix.columnIndices(j);
    std::span<double const> const values{matrix.values.data() + matrix.starts[j], indices.size()};
    int wrong = 0;
    for (std::size_t k = 1; k < indices.size(); ++k) wrong |= indices[k] <= indices[k - 1];
    if (!indices.empty()) wrong |= indices.front() < 0 || indices.back() >= matrix.rows;
    disorderly |= wrong | static_cast<int>(notFinite(values));
  }
  return disorderly == 0;
}

std::string entriesFault(LinearProgram const& lp) {
  if (entriesAreOrderly(lp.matrix)) return {};
  std::vector<int> lastColumn(lp.rows(), -1);  // of row i: the last column with an entry in it
  for (int j = 0; j < lp.columns(); ++j) {
    for (auto const [i, a] : lp.matrix.column(j)) {
      if (i < 0 || i >= lp.rows()) {
        return "Column " + lp.columnName(j) + " has an entry in row " + std::to_string(i) +
               ", which does not exist.";
      }
      if (lastColumn[i] == j) {
        return "Column " + lp.columnName(j) + " has two entries in row " + lp.rowName(i) + ".";
      }
      lastColumn[i] = j;
      if (!std::isfinite(a)) {
        return "Column " + lp.columnName(j) + " has an entry in row " + lp.rowName(i) +
               " that is not finite.";
      }
    }
  }
  return {};
}

/// Indices of choices are columns; a set has each once, in the order of its weights.
std::string choicesFault(LinearProgram const& lp) {
  int last = -1;
  for (auto const& [j, on] : lp.choices.semicontinuous) {
    if (j <= last || j >= lp.columns() || !std::isfinite(on))
      return "Semicontinuous column " + std::to_string(j) + ": it is there twice, or does not " +
             "exist, or its threshold is not finite.";
    last = j;
  }
  std::vector<std::size_t> lastSet(lp.choices.sets.empty() ? 0 : at(lp.columns()));
  std::size_t number = 0;
  for (OrderedSet const& set : lp.choices.sets) {
    ++number;
    bool good = (set.type == 1 || set.type == 2) && set.columns.size() == set.weights.size() &&
                std::ranges::is_sorted(set.weights) && notFinite(set.weights) == 0;
    for (int const j : set.columns)
      good = good && j >= 0 && j < lp.columns() && std::exchange(lastSet[at(j)], number) != number;
    if (!good)
      return "Special ordered set " + std::to_string(number) +
             ": it has to have type 1 or 2, columns that exist, each once, and finite weights.";
  }
  return {};
}

/// What is wrong with these bounds, as the end of a message; null when nothing is.
char const* boundsFault(double lower, double upper) {
  if (std::isnan(lower) || std::isnan(upper)) return " has a bound that is not a number.";
  if (lower == infinity) return " has the lower bound +infinity.";
  if (upper == -infinity) return " has the upper bound -infinity.";
  return nullptr;
}

}  // namespace

std::string findFault(LinearProgram const& lp) {
  std::string fault = shapeFault(lp.matrix);
  if (fault.empty()) fault = lengthsFault(lp);
  if (fault.empty()) fault = entriesFault(lp);
  if (fault.empty()) fault = choicesFault(lp);
  if (!fault.empty()) return fault;

  fault = offsetFault(lp.objectiveOffset);
  for (int j = 0; j < lp.columns() && fault.empty(); ++j) {
    fault = costFault(lp, j, lp.objective[j]);
    if (fault.empty()) fault = columnBoundsFault(lp, j, lp.columnLower[j], lp.columnUpper[j]);
  }
  for (int i = 0; i < lp.rows() && fault.empty(); ++i)
    fault = rowBoundsFault(lp, i, lp.rowLower[i], lp.rowUpper[i]);
  return fault;
}

std::string costFault(LinearProgram const& lp, int j, double cost) {
  if (std::isfinite(cost)) return {};
  return "Column " + lp.columnName(j) + " has a cost that is not finite.";
}

std::string columnBoundsFault(LinearProgram const& lp, int j, double lower, double upper) {
  char const* const wrong = boundsFault(lower, upper);
  return wrong ? "Column " + lp.columnName(j) + wrong : std::string();
}

std::string rowBoundsFault(LinearProgram const& lp, int i, double lower, double upper) {
  char const* const wrong = boundsFault(lower, upper);
  return wrong ? "Row " + lp.rowName(i) + wrong : std::string();
}

std::string LargeBounds::meaning() const {
  char text[64];
  std::snprintf(text, sizeof text, "%g and more is infinity", from_);
  return text;
}

std::string LargeBounds::notice() const {
  if (count_ == 0) return {};
  return std::to_string(count_) + " bound(s) or side(s) are taken as infinite: " + meaning() +
         " (option infinity).";
}

std::string offsetFault(double offset) {
  return std::isfinite(offset) ? std::string() : "The objective offset is not finite.";
}

}  // namespace osi_cuda
