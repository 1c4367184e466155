// SPDX-License-Identifier: EPL-2.0
// A solver's tableau: made to be that of the present basis, and read.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/simplex/problem_tableau.hpp"
#include "osi_cuda/simplex/proof.hpp"
#include "osi_cuda/simplex/refinement.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {

PlacedEngine Solver::deviceEngine() const {
  Session const& s = *session_;
  if (!s.onDevice() || !s.placed) return {};
  return {&s.tableau(), s.form.get(), s.devices(s.engineOptions).front()};
}

BasisCondition Solver::conditionOfBasis() const {
  Engine& engine = session_->tableau();
  BasisCondition found;
  int row = -1;
  found.estimate = conditionEstimate(*session_->form, engine, &row);
  if (row < 0 || !std::isfinite(found.estimate)) return found;
  // The places of what is at least a tenth of the largest, largest first.
  auto const large = [](std::vector<double> const& numbers) {
    std::vector<int> places(numbers.size());
    std::iota(places.begin(), places.end(), 0);
    auto const size = [&](int k) { return std::fabs(numbers[at(k)]); };
    std::ranges::stable_sort(places, std::greater<>(), size);
    std::erase_if(places, [&, most = size(places.front())](int k) { return size(k) < 0.1 * most; });
    return places;
  };
  std::vector<double> unit(at(session_->form->rows()), 0.0);
  unit[at(row)] = 1.0;
  std::vector<int> const basic = engine.snapshotOf(SnapshotContent::basis).basicVariable;
  std::vector<int> const positions = large(engine.solves().ftran(unit));
  for (int const k : positions) found.variables.push_back(basic[at(k)]);
  unit[at(row)] = 0.0;
  unit[at(positions.front())] = 1.0;
  found.rows = large(engine.solves().btran(unit));
  return found;
}

void Solver::prepareTableau(Options const& options, Callbacks const& callbacks) {
  Budget budget = budgetOf(options, callbacks);
  Run run(callbacks, budget);
  place(*session_, options, session_->placement(options, run), run);
}

Solution Solver::evaluate(Options const& options, Callbacks const& callbacks) {
  Session& s = *session_;
  Budget budget = budgetOf(options, callbacks);
  Run run(callbacks, budget);
  Placement placement = s.placement(options, run);
  return s.withEngine(options, placement, run, [&] {
    Verifier const verifier(s.lp, options);
    Solution solution;
    bool const whole = s.watched(budget, [&] {
      // Nonbasic variables may have moved from where the basis says.
      placeBasis(s, options, run);
      solution = basicSolution(s.lp, *s.form, *s.engine, s.engine->snapshot(), s.form->cost);
    });
    if (!whole) {
      verifier.stopAssessed(Status::interrupted, solution);
      solution.basis = s.basis;
      return solution;
    }
    verifier.assess(solution);
    if (s.form->nonzeros() <= worthRefining)
      solution =
          refinedSolution(s.lp, *s.form, *s.engine, s.engine->snapshot(), s.form->cost, solution);
    // The doubles are what most callers look at.
    Solution rounded = verifier.rounded(solution);
    rounded.message.clear();
    bool const nearlyPlain = rounded.residuals.largest() <= Verifier::nearlyPlain;
    if (verifier.claimAssessed(rounded) || !nearlyPlain || !verifier.claimOptimal(solution))
      solution = std::move(rounded);
    if (solution.status != Status::optimal) verifier.stopAssessed(Status::interrupted, solution);
    solution.engine = s.engine->traits().name;
    solution.device = s.engine->traits().device;
    solution.deviceLost = s.deviceLost;
    s.basis = solution.basis;
    return solution;
  });
}

Solution Solver::presentPoint() const {
  Session const& s = *session_;
  Solution point = osi_cuda::presentPoint(s.lp, *s.form, s.tableau().snapshot());
  Verifier(s.lp, s.engineOptions).assess(point);
  point.objectiveEnclosure = {};
  return point;
}

std::vector<int> Solver::basicVariables() const {
  return session_->tableau().snapshot().basicVariable;
}

std::vector<int> Solver::nonbasicVariables() const {
  return session_->tableau().snapshot().nonbasicVariable;
}

bool Solver::visitRates(RateVisitor const& visit) const {
  return ProblemTableau(session_->lp, *session_->form, session_->tableau()).visitRates(visit);
}

std::vector<double> Solver::inverseRow(int position) const {
  return ProblemTableau(session_->lp, *session_->form, session_->tableau()).inverseRow(position);
}

std::vector<double> Solver::inverseColumn(int row) const {
  return ProblemTableau(session_->lp, *session_->form, session_->tableau()).inverseColumn(row);
}

std::vector<double> Solver::tableauRow(std::span<double const> inverse) const {
  return rowOfTableau(session_->lp, inverse);
}

std::vector<double> Solver::tableauColumn(int column) const {
  return ProblemTableau(session_->lp, *session_->form, session_->tableau()).column(column);
}

std::vector<double> Solver::dualsFor(std::span<double const> costs) const {
  return ProblemTableau(session_->lp, *session_->form, session_->tableau()).dualsFor(costs);
}

}  // namespace osi_cuda
