// SPDX-License-Identifier: EPL-2.0
#include <limits>
#include <stdexcept>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/batch.hpp"

namespace osi_cuda {
namespace {

void append(std::vector<double>& target, std::vector<double> const& source) {
  target.insert(target.end(), source.begin(), source.end());
}

}  // namespace

char const* toString(BatchStatus status) {
  return status == BatchStatus::invalid ? "invalid" : toString(static_cast<Status>(status));
}

std::string findFault(BatchProblems const& problems) {
  if (problems.columns.size() != problems.count())
    return "a batch has as many numbers of columns as numbers of rows: " +
           std::to_string(problems.columns.size()) + " and " + std::to_string(problems.count());
  constexpr std::size_t mostCells = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t cells = 0, columns = 0, rows = 0;
  for (std::size_t k = 0; k < problems.count(); ++k) {
    int const m = problems.rows[k], n = problems.columns[k];
    auto const where = [&] { return "problem " + std::to_string(k) + " of the batch has "; };
    if (m < 0 || n < 0) return where() + "a negative number of rows or columns";
    if (m > std::numeric_limits<int>::max() - n)
      return where() + std::to_string(m) + " rows and " + std::to_string(n) +
             " columns; together they can be " + std::to_string(std::numeric_limits<int>::max()) +
             " at most";
    if (at(m) * at(n) > mostCells - cells)
      return "the batch has more coefficients up to problem " + std::to_string(k) +
             " than any memory holds";
    cells += at(m) * at(n);
    rows += at(m);
    columns += at(n);
  }
  auto const fault = [](char const* name, std::size_t found, std::size_t expected, bool optional) {
    if (found == expected || (optional && found == 0)) return std::string();
    return std::string("the batch's array ") + name + " has " + std::to_string(found) +
           " elements instead of " + std::to_string(expected);
  };
  for (std::string const& sentence :
       {fault("matrix", problems.matrix.size(), cells, false),
        fault("objective", problems.objective.size(), columns, false),
        fault("columnLower", problems.columnLower.size(), columns, true),
        fault("columnUpper", problems.columnUpper.size(), columns, true),
        fault("rowLower", problems.rowLower.size(), rows, true),
        fault("rowUpper", problems.rowUpper.size(), rows, true),
        fault("offset", problems.offset.size(), problems.count(), true),
        fault("sense", problems.sense.size(), problems.count(), true)})
    if (!sentence.empty()) return sentence;
  return {};
}

void PackedBatch::add(LinearProgram const& lp) {
  auto const m = at(lp.rows()), n = at(lp.columns());
  if (lp.objective.size() != n || lp.columnLower.size() != n || lp.columnUpper.size() != n ||
      lp.rowLower.size() != m || lp.rowUpper.size() != m)
    throw std::invalid_argument("problem " + std::to_string(rows.size()) +
                                " of the batch has a vector of a wrong length");
  rows.push_back(lp.rows());
  columns.push_back(lp.columns());
  std::size_t const begin = matrix.size();
  matrix.resize(begin + m * n, 0.0);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      if (indices[e] < 0 || indices[e] >= lp.rows())
        throw std::invalid_argument("problem " + std::to_string(rows.size() - 1) +
                                    " of the batch has an entry in a row that it has not");
      matrix[begin + at(indices[e]) * n + at(j)] += values[e];
    }
  }
  append(objective, lp.objective);
  append(columnLower, lp.columnLower);
  append(columnUpper, lp.columnUpper);
  append(rowLower, lp.rowLower);
  append(rowUpper, lp.rowUpper);
  offset.push_back(lp.objectiveOffset);
  sense.push_back(lp.sense);
}

BatchProblems PackedBatch::view() const {
  return {rows,        columns,  matrix,   objective, columnLower,
          columnUpper, rowLower, rowUpper, offset,    sense};
}

}  // namespace osi_cuda
