// SPDX-License-Identifier: EPL-2.0
#include "examples/dea/comparison.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <mutex>

#include "bridges/bridge.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::examples::dea {
namespace {

Comparison compare(Units const& units, Question const& question, Analysis const& analysis,
                   int threads, double seconds,
                   std::function<Solution(LinearProgram const&)> const& solve) {
  Comparison result;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  Stopwatch const watch;
  auto const work = [&](std::size_t, int) {
    for (bool first = true; first || watch.seconds() < seconds; first = false) {
      std::size_t const number = next.fetch_add(1);
      if (number >= units.count()) return;
      // A step that no usual number of units shares a factor with visits each of them once.
      constexpr std::size_t step = 7919;
      std::size_t const unit = units.count() % step == 0 ? number : number * step % units.count();
      Solution const s = solve(envelopment(units, question, unit));
      bool const byInput = question.orientation == Orientation::input;
      double const score = byInput ? s.objective : 1.0 / s.objective;
      std::lock_guard const lock(mutex);
      ++result.units;
      if (s.status == Status::optimal)
        result.difference =
            std::max(result.difference, std::fabs(score - analysis.scores[unit].efficiency));
      else
        ++result.different;
    }
  };
  batch::runWorkers(threads, static_cast<std::size_t>(threads), work);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

Comparison compareWithSingles(Units const& units, Question const& question,
                              Analysis const& analysis, int threads, double seconds) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  Comparison result = compare(units, question, analysis, threads, seconds,
                              [&](LinearProgram const& lp) { return Solver(lp).solve(options); });
  result.solver = "osi_cuda, each by itself";
  return result;
}

Comparison compareWithHighs(Units const& units, Question const& question, Analysis const& analysis,
                            int threads, double seconds) {
  BridgePointer const highs = findBridge(bridges(), "highs");
  if (!highs)
    throw shell::Failure(shell::ExitStatus::unavailable,
                         "HiGHS is not here: " + whyUnavailable("highs"));
  BridgeOptions options;
  options.presolve = true;
  Comparison result = compare(units, question, analysis, threads, seconds,
                              [&](auto const& lp) { return highs->solve(lp, options); });
  result.solver = "HiGHS " + highs->version();
  return result;
}

}  // namespace osi_cuda::examples::dea
