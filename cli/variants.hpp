// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/model/large_bounds.hpp"

namespace osi_cuda::cli {

/// Variants of a model, as a file of changes has them.
struct Variants {
  std::vector<std::string> names;  ///< length K; empty where there is none
  PackedVariants changes;
};

/// Whether a row has one right-hand side: one bound, or two that are equal.
bool hasOneSide(LinearProgram const& lp, int row);

/// Reads a file of variants of `lp`: arrays (see readVariantArrays), or CSV in one of two forms.
///
/// A line a variant: the header says what the columns change: `cost:COLUMN`, `lower:COLUMN`,
/// `upper:COLUMN`, `rhs:ROW`, `row-lower:ROW`, `row-upper:ROW`; a column `name` names the lines. An
/// empty cell leaves the model's number.
///
/// A line a change: the columns `variant` (its name; variants are in the order in which their names
/// first appear), `kind` (`cost`, `lower`, `upper`, `rhs`, `row-lower`, `row-upper`,
/// `coefficient`), `name` (of the column or row) and `value`; with `coefficient` also `row`.
///
/// `rhs` is the bound of a row that has one, or both where they are equal; bounds may be inf and
/// -inf, and become what `large` takes them for. Throws what CsvTable throws: a fault's place is
/// the cell.
Variants readVariants(std::string const& path, LinearProgram const& lp, LargeBounds& large);

/// Reads variants of `lp` from a NumPy archive, if the file at `path` is one; nothing: it is not.
/// Every array has the K variants for its first dimension:
///
///     c, lower, upper                K x n   costs and bounds of the columns
///     row_lower, row_upper, rhs      K x m   bounds of the rows; rhs as in the CSV file
///     names                          K       texts
///
/// NaN leaves the model's number, and so does one that is not there. One array at least is needed.
/// Throws readers::ReadError, which names the array, and readers::OpenError.
std::optional<Variants> readVariantArrays(std::string const& path, LinearProgram const& lp,
                                          LargeBounds& large);

}  // namespace osi_cuda::cli
