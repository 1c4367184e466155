// SPDX-License-Identifier: EPL-2.0
// A caller's point as the start of pivots.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "osi_cuda/barrier/crossover.hpp"
#include "osi_cuda/barrier/start_point.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {

void Solver::setStart(StartPoint start) {
  std::string const fault = findFault(start, session_->lp);
  if (!fault.empty()) throw std::invalid_argument(fault);
  session_->start = std::move(start);
}

void judgeStart(Session& s, Run& run) {
  if (s.start.empty()) return;
  PointResiduals const residuals = givenPoint(makeStandardForm(s.lp, false), s.start).residuals;
  // Zeros alone are what the slack basis stands for.
  auto const isZero = [](std::vector<double> const& values) {
    return std::ranges::all_of(values, [](double v) { return v == 0.0; });
  };
  bool const known = !s.start.x.empty() && !s.start.y.empty();
  bool const isOfUse = residuals.areSmall() && (known || !isZero(s.start.x) || !isZero(s.start.y));
  run.notice(std::string("start: ") +
             (isOfUse ? "" : "the point is too far from an optimum to be of use; ") + "residuals " +
             brief(residuals.primal) + " primal, " + brief(residuals.dual) + " dual, gap " +
             brief(residuals.gap));
  if (!isOfUse) s.start = {};
}

std::optional<Solution> solveFromPoint(Attempt const& now) {
  Session& s = now.session;
  StartPoint const start = std::exchange(s.start, {});
  if (start.empty()) return std::nullopt;
  Run::Scope const scope(now.run, SolveStage::start);
  GivenPoint const given = givenPoint(*s.form, start);
  CrossoverStart const from = startOf(*s.form, given.point, now.options.threads,
                                      [&] { return now.run.budget().interrupted(); });
  now.run.notice("start: " + std::to_string(from.between) +
                 " nonbasic variables between their bounds");
  s.basis = from.basis;
  s.placed = false;
  Options options = now.options;
  bool const simplex =
      options.algorithm == AlgorithmChoice::primal || options.algorithm == AlgorithmChoice::dual;
  if (!simplex) options.algorithm = AlgorithmChoice::automatic;
  return pivot(now.with(options), from.inside);
}

}  // namespace osi_cuda
