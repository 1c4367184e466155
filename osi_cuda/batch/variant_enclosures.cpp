// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_enclosures.hpp"

#include <cmath>
#include <optional>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/solve/extras.hpp"

namespace osi_cuda::batch {
namespace {

/// Seconds that a proof of a variant in rational arithmetic is expected to take at most, and may.
constexpr double worthExact = 0.05, mostExact = 2.0;
constexpr double mostWork = 1e6;  ///< entries that a search for an end looks at

/// Closes an end that the solution's multipliers leave infinite.
void close(LinearProgram const& lp, std::atomic<bool> const& stop, Solution& solution) {
  Budget const budget(infinity, Budget::unlimitedIterations, [&] { return stop.load(); });
  solution.objective = proof::objectiveOf(lp, {solution.columnValues, {}}).value.hi;
  closeEnclosure(lp, makeStandardForm(lp, false), nullptr, budget, mostWork, solution);
}

}  // namespace

void enclose(LinearProgram const& lp, BatchVariants const& variants, int threads,
             std::atomic<bool> const& stop, BatchTargets const& answers, BatchResults& results) {
  std::vector<std::optional<LinearProgram>> own(at(threads));  // by worker
  results.enclosure.assign(variants.count(), {});
  runWorkers(threads, variants.count(), [&](std::size_t k, int worker) {
    ObjectiveEnclosure& enclosure = results.enclosure[k];
    BatchStatus const status = results.status[k];
    bool const isMax = lp.sense == Sense::maximize;
    double const none = isMax ? -infinity : infinity;  // of no point
    if (status == BatchStatus::infeasible) return void(enclosure = {none, none});
    if (status == BatchStatus::unbounded) return void(enclosure = {-none, -none});
    if (status == BatchStatus::invalid) return;
    std::span<VariantChange const> const changes = changesOf(variants, k);
    bool const numbersOnly = std::ranges::none_of(
        changes, [](VariantChange const& c) { return c.what == VariantChange::What::coefficient; });
    std::optional<LinearProgram>& mine = own[at(worker)];
    mine = applied(mine ? std::move(*mine) : lp, changes);
    auto const x = pieceOf<double>(answers.x, answers.columnStart, k),
               y = pieceOf<double>(answers.y, answers.rowStart, k);
    Solution solution;
    solution.columnValues.assign(x.begin(), x.end());
    solution.rowDuals.assign(y.begin(), y.end());
    ObjectiveEnclosure& found = solution.objectiveEnclosure;
    double const& end = isMax ? found.upper : found.lower;
    found = proof::assess(*mine, solution).enclosure;
    if (std::isinf(end)) close(*mine, stop, solution);
    if (std::isinf(end) && status == BatchStatus::optimal) {
      Basis const basis = basisIn(answers, k);
      // Free columns that no row bounds by itself want reduced costs of exactly 0.
      if (std::isinf(end) && exactShapeOf(*mine, basis, worthExact).seconds <= worthExact) {
        Options options;
        options.engine = EngineChoice::host;
        options.threads = 1;
        options.exact = Toggle::on;
        options.timeLimit = mostExact;
        Callbacks callbacks;
        callbacks.interrupted = [&] { return stop.load(); };
        solution.status = Status::optimal;
        solution.basis = basis;
        proveExactly(*mine, options, callbacks, solution);  // with its enclosure
      }
    }
    enclosure = found;
    if (!numbersOnly) return mine.reset();
    std::vector<VariantChange> back(changes.begin(), changes.end());
    for (VariantChange& change : back) change.value = numberOf(lp, change.what, at(change.index));
    mine = applied(std::move(*mine), back);
  });
}

}  // namespace osi_cuda::batch
