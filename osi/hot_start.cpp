// SPDX-License-Identifier: EPL-2.0
// Hot starts: many short solves from one point, between which only bounds change. Where a branch of
// an integer column is asked for, others may be solved beside it, ahead of being asked for; see
// docs/guide/batch.md.
#include "osi/hot_start.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::at;
using osi_cuda::Status;
using osi_cuda::Toggle;

namespace {

/// Nearer to a whole number than this, a value is one, as for Cbc.
constexpr double wholeToCbc = 1e-6;
/// Columns whose branches may be solved ahead, at most.
constexpr std::size_t mostColumns = 256;
/// Fewer branches are solved one by one on a device.
constexpr std::size_t leastOnDevice = 8;

/// By how much a value misses being half way between two whole numbers.
double pastHalf(double x) {
  return std::fabs(x - std::floor(x) - 0.5);
}

}  // namespace

// As placementFor chooses a side: what took less time for each answer, and launches for a tenth of
// the other's time, less by how much slower they are. The first ones load code and take memory.
bool osi::AheadCounts::launchPays() const {
  constexpr int first = 4;
  constexpr double share = 0.1;
  double const each = seconds / static_cast<double>(std::max(asked.load(), std::int64_t{1})),
               one = secondsAlone / static_cast<double>(std::max(alone.load(), std::int64_t{1}));
  return alone > 0 && failed < first &&
         (batches < first || each < one || seconds * each <= share * secondsAlone * one);
}

std::optional<osi::NewBound> OsiCudaSolverInterface::State::HotStart::newBound(
    State const& present, double presentOffset) {
  bool other = present.sense != numbers.sense || presentOffset != offset ||
               (present.costsSinceMark && present.objective != numbers.objective);
  rows.each(present.rows(), [&](int i) {
    other = other || present.rowLower[at(i)] != numbers.rowLower[at(i)] ||
            present.rowUpper[at(i)] != numbers.rowUpper[at(i)];
  });
  std::optional<osi::NewBound> found;
  osi_cuda::ChangeSet different;
  columns.each(present.columns(), [&](int j) {
    double const lower = present.columnLower[at(j)], upper = present.columnUpper[at(j)];
    bool const below = lower != numbers.columnLower[at(j)];
    bool const above = upper != numbers.columnUpper[at(j)];
    if ((!below && !above) || (found && found->column == j)) return;
    different.add(j);
    other = other || found || (below && above);
    found = {j, below, below ? lower : upper};
  });
  columns = std::move(different);
  return other ? std::nullopt : found;
}

void OsiCudaSolverInterface::markHotStart() {
  auto& s = *state_;
  s.hotStart = std::make_unique<State::HotStart>();
  State::HotStart& mark = *s.hotStart;
  mark.basis = s.basis;
  s.basics.clear();  // what is kept may be factored anew, with its rows in another order
  if (s.solver && s.settled &&
      s.rowEdits.any()) {  // rows were removed that the optimum did not need
    try {
      tableau("markHotStart");
    } catch (CoinError const&) {  // the next solve reports it
      return;
    }
  }
  if (!s.solver || s.solver->basis() != s.basis) return;
  s.solver->keepBasis();
  bool const asked = s.branchesAhead == Toggle::on;
  if (s.branchesAhead == Toggle::off || s.status != Status::optimal) return;
  if (!asked && s.engine != osi_cuda::SolveEngine::cuda) return;
  // Those half way are likely to be asked for first.
  std::vector<int> fractional;
  for (int j = 0; j < s.columns(); ++j) {
    double const x = s.columnValue[at(j)];
    if (isInteger(j) && std::fabs(x - std::round(x)) > wholeToCbc) fractional.push_back(j);
  }
  auto const value = [&s](int j) { return s.columnValue[at(j)]; };
  std::ranges::stable_sort(fractional,
                           [&](int a, int b) { return pastHalf(value(a)) < pastHalf(value(b)); });
  fractional.resize(std::min(fractional.size(), mostColumns));
  for (int const j : fractional) {
    mark.branches.push_back({j, false, std::floor(value(j))});
    mark.branches.push_back({j, true, std::ceil(value(j))});
  }
  getDblParam(OsiObjOffset, mark.offset);
  bool const pays = s.options.engine == osi_cuda::EngineChoice::automatic &&
                    mark.branches.size() >= leastOnDevice && s.aheadCounts->launchPays();
  osi_cuda::Stopwatch const watch;
  mark.onDevice = (asked || pays) && s.tableauFits() && s.variantsBegin(mark.offset);
  if (asked || pays) s.aheadCounts->seconds += watch.seconds();
  if (pays && !mark.onDevice) ++s.aheadCounts->failed;
  s.costsSinceMark = false;
  if (asked || mark.onDevice)
    mark.numbers = s;
  else
    mark.branches.clear();
}

void OsiCudaSolverInterface::prepareBranchesAhead(osi_cuda::Options const& options) {
  auto& s = *state_;
  State::HotStart& mark = *s.hotStart;
  if (mark.onDevice) {
    mark.ahead =
        std::make_unique<osi::BranchesAhead>(mark.branches, options, *s.variants, s.interrupted);
    return;
  }
  auto const prepare = [&mark](osi_cuda::Solver& solver) {
    osi::Numbers const& numbers = mark.numbers;
    solver.setColumnBounds(osi::modelBounds(numbers.columnLower),
                           osi::modelBounds(numbers.columnUpper));
    solver.setRowBounds(osi::modelBounds(numbers.rowLower), osi::modelBounds(numbers.rowUpper));
    solver.setObjectiveOffset(0.0 - mark.offset);
  };
  mark.ahead = std::make_unique<osi::BranchesAhead>(mark.branches, options, *s.solver, prepare);
}

bool OsiCudaSolverInterface::takeBranchAhead(int iterationLimit) {
  auto& s = *state_;
  State::HotStart& mark = *s.hotStart;
  std::optional<osi_cuda::Solution> answer;
  double const primalLimit = doubleParam(OsiPrimalObjectiveLimit);
  double const offset = doubleParam(OsiObjOffset);
  // A solve that watches the primal limit as it goes has to be made; costs are the solver's own.
  if (!s.solver || mark.branches.empty() || std::fabs(primalLimit) <= 1e30 || s.costsChanged)
    return false;
  std::optional<osi::NewBound> const bound = mark.newBound(s, offset);
  auto const branch = bound ? std::ranges::find(mark.branches, *bound) : mark.branches.end();
  if (branch == mark.branches.end()) return false;
  auto const k = at(branch - mark.branches.begin());
  osi_cuda::Options const options = optionsOfSolve(false, iterationLimit);
  osi_cuda::Stopwatch const watch;
  // Speculative branches are a convenience: what is wrong, the solve itself says.
  try {
    if (!mark.ahead || options != mark.ahead->options()) prepareBranchesAhead(options);
    if (!mark.ahead->ready()) return false;
    ++s.aheadCounts->asked;
    if (mark.ahead->tried(k)) {
      ++s.aheadCounts->found;
    } else {
      s.aheadCounts->branches += static_cast<std::int64_t>(mark.ahead->solveWith(k));
      ++s.aheadCounts->batches;
    }
    answer = mark.ahead->answer(k);
  } catch (std::exception const&) {
    mark.branches.clear();
    ++s.aheadCounts->failed;
  }
  s.aheadCounts->seconds += watch.seconds();
  if (!answer) return false;
  s.primalLimitReached = false;
  s.basis = mark.basis;  // where an answer has none
  takeAnswer(std::move(*answer), options);
  s.tableauReady = false;  // the solver itself has not been there
  return true;
}

void OsiCudaSolverInterface::solveFromHotStart() {
  auto& s = *state_;
  if (!s.hotStart)
    osi::refuse("solveFromHotStart",
                "there is no hot start: markHotStart was not called since the last change of "
                "rows or columns");
  int limit = 0;
  getIntParam(OsiMaxNumIterationHotStart, limit);
  // Branch and bound takes what is neither optimal nor stopped for infeasible, and fixes columns.
  auto const stopUnproved = [&s] {
    if (s.status == Status::numerical) s.status = Status::iterationLimit;
  };
  if (takeBranchAhead(limit)) return stopUnproved();
  osi_cuda::Stopwatch const watch;
  if (s.solver) s.solver->goBack();
  s.basis = s.hotStart->basis;
  s.tableauReady = false;
  solve(false, limit);
  stopUnproved();
  if (s.engine != osi_cuda::SolveEngine::cuda) return;
  ++s.aheadCounts->alone;
  s.aheadCounts->secondsAlone += watch.seconds();
}

// The solver goes back: what comes next is not to depend on which branches it has solved itself.
void OsiCudaSolverInterface::unmarkHotStart() {
  auto& s = *state_;
  if (s.hotStart) s.basis = s.hotStart->basis;
  s.hotStart.reset();
  s.tableauReady = false;
  if (!s.solver) return;
  s.solver->goBack();
  s.solver->forgetKeptBasis();
  s.basics.clear();
}

int OsiCudaSolverInterface::solvesFromHotStart(int count, int const* columns, int) {
  int fixed = 0;
  for (int k = 0; k < count; ++k) {
    int const j = columns[k];
    osi::checkIndex(j, getNumCols(), "solvesFromHotStart");
    if (getColLower()[j] != 0.0 || getColUpper()[j] != 1.0)
      osi::refuse("solvesFromHotStart", "a column is not from 0 to 1");
    for (double const side : {0.0, 1.0}) {
      setColBounds(j, side, side);
      solveFromHotStart();
      setColBounds(j, 0.0, 1.0);
      if (!isProvenPrimalInfeasible()) continue;
      ++fixed;
      unmarkHotStart();
      setColBounds(j, 1.0 - side, 1.0 - side);
      resolve();
      markHotStart();
      if (isProvenPrimalInfeasible()) return -fixed;
      break;
    }
  }
  return fixed;
}

OsiCudaSolverInterface::AheadReport OsiCudaSolverInterface::getBranchesAhead() const {
  osi::AheadCounts const& counts = *state_->aheadCounts;
  return {counts.asked, counts.found, counts.batches, counts.branches, counts.seconds};
}
