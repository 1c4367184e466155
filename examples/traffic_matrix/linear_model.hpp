// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/model/linear_program.hpp"

class OsiSolverInterface;

namespace osi_cuda::examples::traffic {

// A linear program written as on paper:
//
//     LinearModel lp;
//     Expression const x = lp.addColumn(0, 4, cost);
//     lp.add(y >= 2 * x - 1);
//     lp.loadInto(solver);

/// constant + sum of coefficient times column.
class Expression {
 public:
  Expression() = default;
  Expression(double constant) : constant_(constant) {}  // NOLINT: 2 * x - 1 is meant to work

  Expression& operator+=(Expression const& other);
  Expression& operator*=(double factor);

  /// At column values `x`, an array that has all columns of the model.
  double value(double const* x) const;

 private:
  friend class LinearModel;
  std::vector<int> columns_;
  std::vector<double> coefficients_;
  double constant_ = 0.0;
};

inline Expression operator+(Expression a, Expression const& b) {
  return a += b;
}
inline Expression operator*(double factor, Expression a) {
  return a *= factor;
}
inline Expression operator-(Expression a) {
  return a *= -1.0;
}
inline Expression operator-(Expression a, Expression const& b) {
  return a += -b;
}

/// difference >= 0, or == 0.
struct Constraint {
  Expression difference;
  bool isEquation = false;
};

inline Constraint operator>=(Expression const& a, Expression const& b) {
  return {a - b, false};
}
inline Constraint operator==(Expression const& a, Expression const& b) {
  return {a - b, true};
}

/// Columns with bounds and costs, and rows, to be minimised.
class LinearModel {
 public:
  /// A new column; its cost is its slope in the objective.
  Expression addColumn(double lower, double upper, double cost);
  /// A new row. Columns that an expression names twice count with the sum of coefficients.
  void add(Constraint const& constraint);

  int rows() const { return byRows_.columns; }
  int columns() const { return byRows_.rows; }
  int nonzeros() const { return static_cast<int>(byRows_.nonzeros()); }

  LinearProgram program() const;
  /// Replaces the problem of `solver` by this one.
  void loadInto(OsiSolverInterface& solver) const;

 private:
  LinearProgram lp_;        ///< but its matrix
  SparseMatrix byRows_;     ///< transposed
  std::vector<int> place_;  ///< by column: where in the row that is being added, or -1
};

}  // namespace osi_cuda::examples::traffic
