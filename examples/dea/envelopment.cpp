// SPDX-License-Identifier: EPL-2.0
#include "examples/dea/envelopment.hpp"

#include <algorithm>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::examples::dea {
namespace {

using What = VariantChange::What;

int size(std::size_t count) {
  return static_cast<int>(count);
}

}  // namespace

LinearProgram envelopment(Units const& units, Question const& question, std::size_t unit) {
  std::size_t const p = units.inputNames.size(), q = units.outputNames.size();
  bool const byInput = question.orientation == Orientation::input;
  bool const variable = question.returns == Returns::variable;
  LinearProgram lp;
  lp.name = "DEA";
  lp.sense = byInput ? Sense::minimize : Sense::maximize;
  auto const entry = [&](std::size_t row, double value) { lp.matrix.add(size(row), value); };
  if (byInput)
    for (std::size_t i = 0; i < p; ++i) entry(i, -units.input(unit, i));
  else
    for (std::size_t r = 0; r < q; ++r) entry(p + r, -units.output(unit, r));
  lp.endColumn(1.0, 0.0, infinity);
  for (std::size_t j = 0; j < units.count(); ++j) {
    for (std::size_t i = 0; i < p; ++i) entry(i, units.input(j, i));
    for (std::size_t r = 0; r < q; ++r) entry(p + r, units.output(j, r));
    if (variable) entry(p + q, 1.0);
    lp.endColumn(0.0, 0.0, infinity);
  }
  for (std::size_t i = 0; i < p; ++i) lp.addRow(-infinity, byInput ? 0.0 : units.input(unit, i));
  for (std::size_t r = 0; r < q; ++r) lp.addRow(byInput ? units.output(unit, r) : 0.0, infinity);
  if (variable) lp.addRow(1.0, 1.0);
  return lp;
}

std::vector<VariantChange> changesFor(Units const& units, Question const& question,
                                      std::size_t unit) {
  std::size_t const p = units.inputNames.size(), q = units.outputNames.size();
  std::vector<VariantChange> changes;
  bool const byInput = question.orientation == Orientation::input;
  for (std::size_t i = 0; i < p; ++i) {
    double const x = units.input(unit, i);
    changes.push_back(byInput ? VariantChange{What::coefficient, 0, -x, size(i)}
                              : VariantChange{What::rowUpper, size(i), x});
  }
  for (std::size_t r = 0; r < q; ++r) {
    double const y = units.output(unit, r);
    changes.push_back(byInput ? VariantChange{What::rowLower, size(p + r), y}
                              : VariantChange{What::coefficient, 0, -y, size(p + r)});
  }
  return changes;
}

Analysis analyse(Units const& units, Question const& question, VariantOptions options,
                 bool wantsReferences, std::function<bool(std::size_t)> const& progress) {
  Stopwatch const watch;
  Analysis analysis;
  LinearProgram const lp = envelopment(units, question, 0);
  Solver first(lp);
  Options solving;
  solving.engine = EngineChoice::host;
  solving.threads = 1;
  first.solve(solving);
  VariantSolver solver(lp, first.basis());
  options.points = wantsReferences;
  // Points take n numbers for each of n units: they are fetched, and looked through, by parts.
  std::size_t const together = wantsReferences ? 512 : units.count();
  bool stopped = false;
  BatchResults results;
  for (std::size_t from = 0; from < units.count(); from += together) {
    std::size_t const to = std::min(units.count(), from + together);
    PackedVariants variants;
    for (std::size_t u = from; u < to; ++u) variants.add(changesFor(units, question, u));
    BatchCallbacks callbacks;
    callbacks.progress = [&](std::size_t done, std::size_t) {
      if (progress && progress(from + done)) stopped = true;
    };
    callbacks.interrupted = [&] { return stopped; };
    solver.solve(variants.view(), options, results, callbacks);
    for (std::size_t u = from; u < to; ++u) {
      std::size_t const k = u - from;
      double const objective = results.objective[k];
      bool const byInput = question.orientation == Orientation::input;
      analysis.scores.push_back({results.status[k],
                                 byInput || objective == 0.0 ? objective : 1.0 / objective,
                                 results.residual[k], results.iterations[k]});
      if (!wantsReferences || results.status[k] != BatchStatus::optimal) continue;
      for (std::size_t j = 0; j < units.count(); ++j)
        if (double const weight = results.x[results.columnStart[k] + 1 + j]; weight > 0.0)
          analysis.references.push_back({u, j, weight});
    }
    analysis.deviceSeconds += results.deviceSeconds;
    analysis.again += results.again;
    analysis.device = results.device;
  }
  analysis.seconds = watch.seconds();
  return analysis;
}

}  // namespace osi_cuda::examples::dea
