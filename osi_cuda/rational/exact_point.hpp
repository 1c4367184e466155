// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/rational/integers.hpp"
#include "osi_cuda/rational/linear_system.hpp"

// What a basis determines, in rationals.

namespace osi_cuda::rational {

/// A basis taken apart.
struct Placement {
  std::vector<int> columns;  ///< basic ones
  std::vector<int> rows;     ///< nonbasic ones: as many, in a basis
  std::vector<double> rest;  ///< where each nonbasic variable rests; 0 of a basic one; length n + m
};

/// A nonbasic variable rests on the bound that its status names, where that is infinite on the
/// other one, and without bounds at 0.
Placement placementOf(LinearProgram const& lp, Basis const& basis);

/// Why `basis` has the wrong lengths or number of basic variables, or an empty string.
std::string faultOf(LinearProgram const& lp, Basis const& basis);

/// The first variable whose lower bound exceeds its upper one, or with an infinite bound that no
/// number keeps; -1 without one.
int crossedVariable(LinearProgram const& lp);

/// lowestExponent of all bounds.
int lowestOfBounds(LinearProgram const& lp, int exponent);

/// Values of all columns and the activities A x of all rows: the system's columns are what makes
/// the system's rows have the activities that are given, all other columns have given values.
class ExactPoint {
 public:
  /// `given` has length n + m; of a column of the system, and of a row outside it, it is not looked
  /// at. All are referred to. Throws Stopped and TooLarge.
  ExactPoint(LinearProgram const& lp, LinearSystem const& system, std::span<double const> given,
             Watch& watch);

  /// value(v) / denominator() is the value of a variable.
  Integer value(int variable) const;
  fmpz const* denominator() const { return unit_.get(); }
  /// That of the system's solution, without the powers of two that value() needs.
  fmpz const* solutionDenominator() const { return solution_.denominator.get(); }
  /// A numerator as value() gives it, less a finite bound of some variable times denominator().
  Integer less(Integer const& value, double bound) const;
  /// Numerator and denominator of c'x + offset.
  Fractions objective() const;

 private:
  LinearProgram const& lp_;
  std::span<double const> given_;
  Watch& watch_;
  SparseMatrix byRows_;     // A'
  std::vector<int> place_;  // of a variable in the system, or -1
  int shift_ = 0;           // all numerators are multiplied by 2^shift
  Fractions solution_;      // by position in system.columns()
  Integer unit_;            // solution_.denominator 2^shift
};

/// Multipliers y of all rows and z = A'y of all columns: the system's rows are what gives the
/// system's columns the z that are wanted, all other rows have given multipliers.
class ExactDuals {
 public:
  /// `wanted` has length n, `given` length m; of columns outside the system and of rows of it they
  /// are not looked at. All are referred to. Throws Stopped and TooLarge.
  ExactDuals(LinearProgram const& lp, LinearSystem const& system, std::span<double const> wanted,
             std::span<double const> given, Watch& watch);

  Integer multiplier(int row) const;      ///< y_i denominator()
  Integer combination(int column) const;  ///< z_j denominator()
  Integer reducedCost(int column) const;  ///< (c_j - z_j) denominator()
  fmpz const* denominator() const { return unit_.get(); }
  fmpz const* solutionDenominator() const { return solution_.denominator.get(); }

 private:
  LinearProgram const& lp_;
  std::span<double const> given_;
  Watch& watch_;
  std::vector<int> place_;  // of a row in the system, or -1
  int shift_ = 0;
  Fractions solution_;  // by position in system.rows()
  Integer unit_;
};

}  // namespace osi_cuda::rational
