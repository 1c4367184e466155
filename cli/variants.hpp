// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::cli {

/// One number of a model that a variant has otherwise.
struct VariantChange {
  enum class What { cost, columnLower, columnUpper, rowLower, rowUpper, rightHandSide };
  What what = What::cost;
  int index = 0;  ///< of the column or row
  double value = 0.0;
};

/// One line of a file of changes.
struct Variant {
  std::string name;  ///< of the column `name`; empty where there is none
  std::vector<VariantChange> changes;
};

/// Reads a CSV file of variants of `lp`, a line each. The header says what the columns change:
/// `cost:COLUMN`, `lower:COLUMN`, `upper:COLUMN`, `rhs:ROW`, `row-lower:ROW`, `row-upper:ROW`; a
/// column `name` names the lines. `rhs` is the bound of a row that has one, or both where they are
/// equal. An empty cell leaves the model's number; bounds may be inf and -inf. Throws what CsvTable
/// throws: a fault's place is the cell.
std::vector<Variant> readVariants(std::string const& path, LinearProgram const& lp);

/// The model with the changes made.
LinearProgram applied(LinearProgram const& lp, Variant const& variant);

}  // namespace osi_cuda::cli
