// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// Finite bounds as constraints, counted from 0: lower and upper ones of the columns, the offset of
/// the objective where that is not 0, those of the rows. Two equal bounds are one constraint.
struct ConstraintNumbers {
  std::vector<int> lower, upper;  ///< by variable, columns before rows; -1: infinite
  int offset = -1;
  int bounds = 0;  ///< of columns, and the offset's
  int all = 0;

  explicit ConstraintNumbers(LinearProgram const& lp) {
    int const n = lp.columns();
    for (int v = 0; v <= n + lp.rows(); ++v) {
      if (v == n) {
        if (lp.objectiveOffset != 0.0) offset = all++;
        bounds = all;
      }
      if (v == n + lp.rows()) break;
      auto const k = static_cast<std::size_t>(v < n ? v : v - n);
      double const low = (v < n ? lp.columnLower : lp.rowLower)[k];
      double const high = (v < n ? lp.columnUpper : lp.rowUpper)[k];
      lower.push_back(std::isfinite(low) ? all++ : -1);
      upper.push_back(low == high ? lower.back() : std::isfinite(high) ? all++ : -1);
    }
  }
};

/// The proof of a search for integers as VIPR's derivations, for others to check. Numbers are
/// texts, "p/q" in lowest terms or "p", and stand for the doubles of the problem.
struct TreeCertificate {
  std::string bound;        ///< no point is better, offset included; empty: there is no point
  int derived = 0;          ///< statements
  std::string derivations;  ///< a line for each; constraints have ConstraintNumbers
  /// A point that is feasible exactly, and its objective; empty: none is known.
  std::vector<std::string> point;
  std::string objective;
};

}  // namespace osi_cuda
