// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// Of the points that were taken for optimal, the nearest to it: one of doubles that stands up to
/// the verifier goes before one in two parts; else the one that was nearer to being optimal before
/// it was rounded.
class BestPoint {
 public:
  /// `residual`: the point's largest, before it was rounded; `plain`: its doubles stand up.
  void offer(Solution&& solution, double residual, bool plain) {
    if (point_ && plain == plain_ && residual_ <= residual) return;
    if (point_ && plain_ && !plain) return;
    point_ = std::move(solution);
    residual_ = residual;
    plain_ = plain;
  }

  bool found() const { return point_.has_value(); }
  /// Whether it may be claimed to be optimal.
  bool good() const { return point_ && (plain_ || residual_ <= Verifier::target); }
  bool plain() const { return plain_; }
  double residual() const { return residual_; }
  Solution& point() { return *point_; }

 private:
  std::optional<Solution> point_;
  bool plain_ = false;
  double residual_ = infinity;
};

/// The link from what an algorithm claims to what the verifier accepts. The point or the
/// certificate is computed anew from the original data and verified on the original problem
/// (proof.hpp, verifier.hpp). What falls short of a proof is kept: it may be the best that is to be
/// had.
class Prover : SharedParts {
 public:
  Prover(SharedParts const& parts, PivotRuns const& runs)
      : SharedParts(parts), runs_(runs), verifier_(task_.lp, task_.options) {}

  /// Tries to prove what the last phase claimed; where that fails, tolerances it rested on are
  /// tightened.
  Outcome prove(Claim claim);
  /// Bounds that cross need no multipliers: they are their own certificate. Whether they do.
  bool proveCrossedBounds();

  /// Whether a point may be claimed to be optimal though its basis is not.
  bool goodPoint() const { return best_.good(); }
  /// The point that the engine is at, with true bounds and costs, and its residuals.
  Solution presentSolution();
  /// What the solve has come to: what was proved, or the best point, with its status.
  Solution conclude();

  /// How near the optimum of conclude() is to being one.
  struct Quality {
    /// Within the options' tolerances only: the basis is not optimal, and a solve with more digits
    /// may find another one.
    bool loose = false;
    /// No doubles come near it: they stand up in two parts only.
    bool twoParts = false;
    double residual = infinity;  ///< the largest of the point, before it was rounded to doubles
  };
  Quality const& quality() const { return quality_; }

 private:
  std::optional<Solution> verifiedByEngine(Residuals& whole);
  std::optional<Outcome> proveByEngine();
  Outcome unproved(Solution&& point, Residuals const& whole);
  Outcome proveOptimal();
  bool beyondDoubles() const;
  double primalOfParts(Solution const& refined) const;
  bool missesBeyondRounding(Solution const& point) const;
  Outcome proveInfeasible();
  Outcome proveUnbounded();
  Outcome proveCutoff();
  Outcome settle(Solution&& certificate);
  bool tighten(Residuals const& residuals);
  void offer(Solution&& candidate, double residual);

  PivotRuns const& runs_;
  Verifier const verifier_;
  BestPoint best_;
  std::optional<Solution> proved_;  ///< what the verifier has accepted
  std::optional<Solution> weak_;    ///< a certificate whose margin is less than tolerances
  Quality quality_;
};

}  // namespace osi_cuda
