// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <span>
#include <vector>

#include "osi_cuda/simplex/pivot_runs.hpp"

namespace osi_cuda {

/// From a vertex and multipliers that are nearly optimal together, as an interior point method and
/// the primal pushes leave them, to a basis whose own multipliers are feasible: the dual pushes of
/// Megiddo (1991) and Bixby and Saltzman (1994).
///
/// At a degenerate vertex, basic variables rest on bounds, and at the given multipliers y they have
/// reduced costs z of the right sign. These are drawn to zero all at once, along the straight line
/// from y to the multipliers of the basis. The first nonbasic reduced cost that would change its
/// sign on the way enters the basis, for one of those variables: it rests on its bound as a
/// nonbasic one, with what is left of its z. So there are no more exchanges than such variables,
/// where the primal simplex method may wander about among the bases of a vertex for thousands of
/// pivots. The point stays where it is.
class DualPushes {
 public:
  /// All must outlive the object.
  DualPushes(Task const& task, Tolerances const& tolerances, Limits& limits, PivotRuns& runs,
             Counts& counts, Tracer const& tracer)
      : task_(task),
        tolerances_(tolerances),
        limits_(limits),
        runs_(runs),
        counts_(counts),
        tracer_(tracer) {}

  /// `y`: the multipliers by constraint, scaled; empty: there is nothing to do. The engine has the
  /// problem's own bounds and costs. False: a limit was reached.
  bool run(std::span<double const> y);

 private:
  bool gather(std::span<double const> y);
  bool step();
  int blocking(std::vector<double> const& reducedCost, double& share) const;
  int leavingRow(std::vector<double> const& column) const;
  double wrong(int variable, double reducedCost) const;

  Task const& task_;
  Tolerances const& tolerances_;
  Limits& limits_;
  PivotRuns& runs_;
  Counts& counts_;
  Tracer const& tracer_;
  Snapshot point_;
  std::vector<double> z_;        ///< by variable: reduced costs at the present multipliers
  std::vector<char> drawn_;      ///< by variable: basic, at a bound, z to be drawn to zero
  std::vector<char> leftAlone_;  ///< by variable: can't enter for any of them
  int left_ = 0;                 ///< how many are drawn
};

}  // namespace osi_cuda
