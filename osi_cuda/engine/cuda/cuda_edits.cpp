// SPDX-License-Identifier: EPL-2.0
// What keeps the device's tableau through changes that no pivot loop makes: single exchanges,
// another basis near the present one, a basis that was kept, rows and columns that come and go.
#include <algorithm>
#include <numeric>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"

namespace osi_cuda::cuda {
namespace {

std::vector<int> positionsWhere(std::vector<int> const& variables, auto const& wanted) {
  std::vector<int> positions;
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (wanted(variables[i])) positions.push_back(static_cast<int>(i));
  return positions;
}

/// The positions whose variables stay, in such an order that few move: holes are filled from the
/// end.
std::vector<int> staying(std::vector<int> const& variables, std::vector<int> const& number) {
  auto const stays = [&](int i) { return number[at(variables[at(i)])] >= 0; };
  std::vector<int> from;
  for (int i = 0, last = static_cast<int>(variables.size()) - 1; i <= last; ++i) {
    if (stays(i)) {
      from.push_back(i);
      continue;
    }
    while (last > i && !stays(last)) --last;
    if (last > i) from.push_back(last--);
  }
  return from;
}

}  // namespace

// Queues all of them with what is asked for next, and waits once. False: some column has found no
// pivot.
bool CudaEngine::makeExchanges(std::vector<int> const& columns, std::vector<int> const& rows,
                               double smallestEntry) {
  if (columns.empty()) return true;
  auto const before = reports_.snapshot(SnapshotContent::basis).nonbasicVariable;
  tableau_.exchange(columns, rows, smallestEntry);
  launcher_.outdateShadow();
  solves_.outdateFactor();
  weights_.outdate();
  boundsPlaced_ = false;
  reports_.basisMoved();
  mirror_.pivotsMade();
  reports_.queueSnapshot();
  queue_.waitEagerly();
  reports_.snapshotLanded();
  auto const& after = reports_.snapshot(SnapshotContent::basis).nonbasicVariable;
  return std::ranges::none_of(columns, [&](int q) { return before[at(q)] == after[at(q)]; });
}

void CudaEngine::exchange(int r, int q, double leavingValue) {
  DeviceScope const scope = useDevice();
  if (!makeExchanges({q}, {r}, 0.0)) return;
  fill(queue_.stream(), 1, leavingValue, tableau_.view().columns.value + q);
  computeBasicValues();
  computeReducedCosts();
}

bool CudaEngine::reach(std::vector<char> const& basic) {
  DeviceScope const scope = useDevice();
  Snapshot const& point = reports_.snapshot(SnapshotContent::basis);
  auto const columns = positionsWhere(point.nonbasicVariable, [&](int v) { return basic[at(v)]; });
  auto const rows = positionsWhere(point.basicVariable, [&](int v) { return !basic[at(v)]; });
  auto const p = static_cast<double>(std::count(basic.begin(), basic.begin() + tableau_.n(), 1));
  double const most = exchangesOfRefactorisation(
      machine(), {form_->rows(), form_->columns(), form_->nonzeros()}, p, fresh_.sharesOf(*form_));
  return static_cast<double>(columns.size()) <= most && makeExchanges(columns, rows);
}

// Callers ask for this in between solves, where nobody expects a device to be lost: the next solve
// finds out.
void CudaEngine::keepBasis() {
  marked_ = true;
  loadLibraries();
  try {
    DeviceScope const scope = useDevice();
    if (!mirror_.reducedCostsFresh) computeReducedCosts();
    if (!mirror_.valuesFresh) computeBasicValues();
    // Hot starts are the dual's: weights that each would form anew are formed once.
    if (!weights_.fit() || weights_.fit()->first != Algorithm::dual)
      weights_.compute(Algorithm::dual, traits_.dualPricing);
    kept_.keep();
    keptMirror_ = {reports_.snapshot(SnapshotContent::all), mirror_};
  } catch (EngineUnavailable const&) {
    kept_.outdate();
  }
}

bool CudaEngine::restoreBasis() {
  try {
    DeviceScope const scope = useDevice();
    if (!kept_.restore()) return false;
    solves_.outdateFactor();
    boundsPlaced_ = false;  // they may have changed since
    bool const sameCosts = !mirror_.costsShifted && !keptMirror_.mirror.costsShifted &&
                           mirror_.cost == keptMirror_.mirror.cost;
    mirror_.valuesFresh = true;
    mirror_.reducedCostsFresh = sameCosts;
    reports_.pointIs(Snapshot(keptMirror_.point), SnapshotContent::all);
    return true;
  } catch (EngineUnavailable const&) {
    kept_.outdate();
    return false;
  }
}

bool CudaEngine::reshape(Reshape const& change, StandardForm const& form) {
  try {
    DeviceScope const scope = useDevice();
    loadLibraries();
    return reshapeTableau(change, form);
  } catch (EngineUnavailable const&) {
    return false;
  }
}

// Lost rows get a basic slack, by the largest pivot that there is. A lost column that is basic is
// rare: columns are taken out where they are of no use.
bool CudaEngine::releaseLost(std::vector<int> const& number) {
  Snapshot const& point = reports_.snapshot(SnapshotContent::basis);
  int const n = tableau_.n();
  auto const lost = [&](int v) { return number[at(v)] < 0; };
  if (std::ranges::any_of(point.basicVariable, [&](int v) { return v < n && lost(v); }))
    return false;
  return makeExchanges(
      positionsWhere(point.nonbasicVariable, [&](int v) { return v >= n && lost(v); }),
      positionsWhere(point.basicVariable, [&](int v) { return !lost(v); }));
}

bool CudaEngine::reshapeTableau(Reshape const& change, StandardForm const& form) {
  LineMoves moves;
  moves.rows = form.rows();
  moves.columns = form.columns();
  moves.number = newVariables(change, tableau_.m(), tableau_.n());
  moves.before = joined<int>({change.columns, change.rows});
  if (!releaseLost(moves.number)) return false;
  Snapshot const& point = reports_.snapshot(SnapshotContent::basis);
  moves.row = staying(point.basicVariable, moves.number);
  moves.column = staying(point.nonbasicVariable, moves.number);
  // Lines that stay by the new numbers of their variables, then new ones from `base` on.
  auto const moved = [&](auto const& variables, auto const& from, int count, int base) {
    std::vector<int> result(at(count));
    std::iota(result.begin(), result.end(), base);
    std::ranges::transform(from, result.begin(),
                           [&](int line) { return moves.number[at(variables[at(line)])]; });
    return result;
  };
  Snapshot placed;
  placed.basicVariable = moved(point.basicVariable, moves.row, moves.rows, moves.columns);
  placed.nonbasicVariable = moved(point.nonbasicVariable, moves.column, moves.columns, 0);
  optimal_ = optimal_ && at(moves.rows) == moves.row.size();
  kept_.outdate();
  weights_.outdate();
  hold(form);
  vectors_.allocate(queue_, at(moves.rows) + at(moves.columns));
  tableau_.reshape(moves, vectors_.cost);
  matrix_.reshape(tableau_.numbers(), form, queue_.uploader(), queue_.stream());
  tableau_.formColumns(matrix_, static_cast<int>(moves.column.size()),
                       static_cast<int>(moves.row.size()));
  tableau_.formRows(matrix_, static_cast<int>(moves.row.size()));
  launcher_.resize();
  launcher_.allocate();
  solves_.allocate(form);
  verifier_.allocate(form);
  takeBoundsAndCosts(form);
  reports_.pointIs(std::move(placed), SnapshotContent::basis);
  return true;
}

}  // namespace osi_cuda::cuda
