// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/tolerances.hpp"

namespace osi_cuda {

/// The one place where a solution gets a status that claims something: from the very solution that
/// is returned, in the original problem, by the verifier (proof/residuals.hpp). Whatever a pivot
/// loop, an engine or the control believe, a claim that does not stand up here is not made.
class Verifier {
 public:
  static constexpr double target = proof::target;
  static constexpr double nearlyPlain = proof::nearlyPlain;
  static constexpr double mostGaps = 10.0;

  /// Both must outlive the object.
  Verifier(LinearProgram const& lp, Options const& options) : lp_(lp), options_(options) {}

  /// Sets the residuals of `solution`, and its objectiveEnclosure as far as the point and its
  /// multipliers prove one; and rowActivity and reducedCosts where they are empty: the products
  /// with the original matrix from which the residuals are formed say what they are.
  void assess(Solution& solution) const;
  /// Doubles alone for a point in two parts, assessed: the nearest, or where those are not within
  /// the tolerances, others that are. Where none are found, the message says so.
  Solution rounded(Solution const& parts) const;
  /// Whether residuals are within the options' tolerances.
  bool accepts(Residuals const& residuals) const;

  // Each sets status, proof and margin and answers true where the claim holds; else it leaves the
  // status alone and answers false.
  bool claimOptimal(Solution& solution) const;
  /// The same for a solution that was assessed and not changed since.
  bool claimAssessed(Solution& solution) const;
  /// Of a point that is no vertex.
  bool claimInterior(Solution& solution) const;
  bool claimInfeasible(Solution& solution) const;
  bool claimUnbounded(Solution& solution) const;
  /// Whether no point within the tolerances contradicts a status: of a certificate, the margin
  /// exceeds them.
  bool isCertain(Solution const& solution) const;
  /// For a proved optimum of the problem with bounds and costs relaxed within the tolerances, where
  /// it has none as it is. Multipliers times what bounds have moved are part of the gap here, which
  /// may be `mostGaps` times as large.
  bool claimRelaxed(Solution& solution) const;
  /// For a solution that was assessed and not changed since.
  bool claimObjectiveLimit(Solution& solution) const;

  /// What `optimum` is beside the exact status of a problem, of which `margin` is known (0: not).
  static std::string aboutTolerances(Status exactly, double margin, Solution const& optimum);

  /// A limit or an interruption: no claim; the residuals say what the point is worth.
  void stopAt(Status limit, Solution& solution) const;

  /// The same for a solution that was assessed and not changed since.
  void stopAssessed(Status limit, Solution& solution) const;

  /// Rational arithmetic has proved the status that the solution has.
  void confirmExact(Solution& solution) const;
  /// It has proved that status, of which it hands out what it has; what belongs to
  /// another status goes.
  void adoptExact(Status status, Solution& solution) const;
  /// It has proved the basis, but no doubles come near its point, which is assessed.
  void missPoint(Solution& solution) const;

  /// No status could be proved; the message says by how much the point fails.
  void admitFailure(Solution& solution) const;

 private:
  LinearProgram const& lp_;
  Options const& options_;
};

}  // namespace osi_cuda
