// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "osi_cuda/rational/basis_check.hpp"

// Proofs that a linear program is infeasible or unbounded, in rational arithmetic.

namespace osi_cuda::rational {

/// What became of a proof.
struct CertificateCheck {
  Outcome outcome = Outcome::stopped;
  std::string message;  ///< a message, whatever the outcome
  /// A variable whose bounds cross: a proof by itself. -1: none.
  int crossed = -1;
  /// The certificate that was found, its largest entry above 1/2 and at most 1: multipliers of the
  /// rows (length m), or the direction of the columns (length n); empty where there is none. Each
  /// number is the double nearest to the exact one, and what that took away, nearest: empty where
  /// it took nothing. The sum of both mostly is the exact certificate.
  std::vector<double> certificate, certificateLow;
  /// Of an unbounded problem the feasible vertex, the nearest doubles; length n.
  std::vector<double> point;

  /// On request, exactly, as "p/q" or "p": a positive multiple of `certificate` in whole numbers
  /// without a common factor; of multipliers y also -A'y (length n); of a ray also the vertex.
  std::vector<std::string> certificateFractions, combinationFractions, pointFractions;
};

/// Farkas: multipliers y for which the least y'r over activities r within the row bounds exceeds
/// the largest (A'y)'x over x within the column bounds, every term finite.

/// y or -y, the row of B^-1 of the basic `variable` (j: column, n + i: row i).
CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis, int variable,
                                 Limits limits = {});

/// The same for y or -y with y'B = weights (length n + m): those of an exact phase 1.
CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis,
                                 std::vector<int> const& weights, Limits limits = {},
                                 bool fractions = false);

/// Exact multipliers near the given ones (length m). A'y is made exactly 0, or as it is, on the
/// basic columns, and y exactly 0, or as it is, on the basic rows, by the multipliers of the
/// nonbasic rows; what counts as 0 is tried from 1e-14 to 1e-8 of the largest, relative to the
/// terms. Where no basis is given, or none of this proves anything, the rows used and the columns
/// that have to vanish are read off the multipliers themselves.
CertificateCheck proveInfeasible(LinearProgram const& lp, Basis const& basis,
                                 std::span<double const> multipliers, Limits limits = {},
                                 bool fractions = false);

/// The basic solution is feasible, and moving the nonbasic `variable` in `direction` (+1 or -1),
/// the basic ones following, stays feasible without end and improves the objective.
CertificateCheck proveUnbounded(LinearProgram const& lp, Basis const& basis, int variable,
                                int direction, Limits limits = {}, bool fractions = false);

/// The same for a direction near the given one (length n): what moves of the nonbasic variables
/// moves as it does there.
CertificateCheck proveUnbounded(LinearProgram const& lp, Basis const& basis,
                                std::span<double const> ray, Limits limits = {},
                                bool fractions = false);

}  // namespace osi_cuda::rational
