// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "osi_cuda/model/choices.hpp"
#include "osi_cuda/model/sparse_matrix.hpp"

namespace osi_cuda {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Sense { minimize, maximize };

/// A linear program as plain data:
///
///     min or max  c'x + offset   subject to   rowLower <= A x <= rowUpper,
///                                             columnLower <= x <= columnUpper
///
/// with m rows and n columns. Absent bounds are +-infinity (IEEE). Integrality marks and choices
/// are carried along for writers and for branch and bound; the LP solver relaxes them.
struct LinearProgram {
  std::string name;
  std::string objectiveName;
  Sense sense = Sense::minimize;
  double objectiveOffset = 0.0;  ///< added to c'x
  SparseMatrix matrix;           ///< m x n

  std::vector<double> objective;    ///< c, length n
  std::vector<double> columnLower;  ///< length n
  std::vector<double> columnUpper;  ///< length n
  std::vector<double> rowLower;     ///< length m
  std::vector<double> rowUpper;     ///< length m

  std::vector<std::string> rowNames;     ///< length m, or empty: rows have no names
  std::vector<std::string> columnNames;  ///< length n, or empty
  std::vector<char> integer;             ///< length n, 1 = integer column; or empty: none
  Choices choices;  ///< special ordered sets and semicontinuous columns, in whose bounds 0 is

  int rows() const { return matrix.rows; }
  int columns() const { return matrix.columns; }

  /// Makes a problem row by row, and column by column behind `matrix.add` of its entries.
  void addRow(double lower, double upper) {
    rowLower.push_back(lower);
    rowUpper.push_back(upper);
    matrix.rows = static_cast<int>(rowLower.size());
  }
  void endColumn(double cost, double lower, double upper) {
    objective.push_back(cost);
    columnLower.push_back(lower);
    columnUpper.push_back(upper);
    matrix.endColumn();
  }

  /// The name of row i, or R1, R2, ... (counted from 1) when rows have no names.
  std::string rowName(int i) const;
  /// The name of column j, or C1, C2, ... (counted from 1) when columns have no names.
  std::string columnName(int j) const;

  bool operator==(LinearProgram const&) const = default;
};

// Columns and rows by one number: variable j < n is column j, variable n + i the activity of row i.

/// "column COST" or "row R7".
std::string variableName(LinearProgram const& lp, int variable);
double lowerBound(LinearProgram const& lp, int variable);
double upperBound(LinearProgram const& lp, int variable);

/// Checks lengths, indices (in range, no duplicates in a column) and numbers (no NaN; matrix and
/// costs finite). Returns an empty string, or a message that names the first fault. Crossed
/// bounds are not a fault: such a problem is infeasible.
std::string findFault(LinearProgram const& lp);

/// What findFault would say of these numbers in column j or row i of `lp`, in place of those that
/// are there, or of this offset.
std::string costFault(LinearProgram const& lp, int j, double cost);
std::string columnBoundsFault(LinearProgram const& lp, int j, double lower, double upper);
std::string rowBoundsFault(LinearProgram const& lp, int i, double lower, double upper);
std::string offsetFault(double offset);

}  // namespace osi_cuda
