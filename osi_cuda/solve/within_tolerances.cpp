// SPDX-License-Identifier: EPL-2.0
// What has no optimum by less than the tolerances (docs/guide/proofs.md#the-rule).
//
// Every point violates some bound b by at least margin (1 + |b|), the largest margin of all Farkas
// multipliers is the least that a point has to violate (duality of linear programs), and the same
// holds of costs and rays. So the bounds, or costs, are relaxed by what the certificate at hand
// asks for. The relaxed problem has an optimum, which is one within the tolerances, or another
// certificate, with a larger margin (Dinkelbach 1967). The last one exceeds the tolerances.
#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/stages.hpp"

namespace osi_cuda {
namespace {

/// Shares of 1 + |bound| and 1 + |cost| by which a problem is relaxed.
struct Relaxed {
  double bounds = 0.0, costs = 0.0;
};

void relax(std::vector<double>& lower, std::vector<double>& upper, double share) {
  if (share == 0.0) return;  // times infinity it is no number
  for (double& bound : lower) bound -= share * (1.0 + std::fabs(bound));
  for (double& bound : upper) bound += share * (1.0 + std::fabs(bound));
}

/// `lp` relaxed. Costs change where a column has no bound on a side, so that going there is worse;
/// a column without any becomes the difference of two, of which the second comes behind all.
LinearProgram relaxed(LinearProgram lp, Relaxed const& by, std::vector<int>& split) {
  relax(lp.columnLower, lp.columnUpper, by.bounds);
  relax(lp.rowLower, lp.rowUpper, by.bounds);
  if (by.costs == 0.0) return lp;
  lp.matrix.makeSparse();
  double const sign = lp.sense == Sense::maximize ? -1.0 : 1.0;
  for (int j = 0, n = lp.columns(); j < n; ++j) {
    double& cost = lp.objective[at(j)];
    double const change = sign * by.costs * (1.0 + std::fabs(cost));
    bool const up = lp.columnUpper[at(j)] == infinity, down = lp.columnLower[at(j)] == -infinity;
    if (up && down) {
      auto const from = at(lp.matrix.starts[at(j)]), to = at(lp.matrix.starts[at(j) + 1]);
      for (std::size_t k = from; k < to; ++k)
        lp.matrix.add(lp.matrix.indices[k], -lp.matrix.values[k]);
      lp.columnLower[at(j)] = 0.0;
      double const opposite = change - cost;
      cost += change;
      lp.endColumn(opposite, 0.0, infinity);
      split.push_back(j);
    } else if (up != down) {
      cost += up ? change : -change;
    }
  }
  lp.columnNames.clear();
  lp.integer.clear();
  return lp;
}

Basis rejoined(Basis basis, std::size_t n, std::vector<int> const& split) {
  for (std::size_t k = 0; k < split.size(); ++k) {
    VariableStatus& status = basis.columns[at(split[k])];
    bool const basic =
        status == VariableStatus::basic || basis.columns[n + k] == VariableStatus::basic;
    status = basic ? VariableStatus::basic : VariableStatus::free;
  }
  basis.columns.resize(n);
  return basis;
}

/// The solution of a relaxed problem in terms of the given one.
void rejoin(Solution& solution, LinearProgram const& lp, std::vector<int> const& split) {
  auto const n = at(lp.columns());
  for (auto* const values :
       {&solution.columnValues, &solution.columnValuesLow, &solution.ray, &solution.rayLow}) {
    if (values->size() <= n) continue;
    for (std::size_t k = 0; k < split.size(); ++k) (*values)[at(split[k])] -= (*values)[n + k];
    values->resize(n);
  }
  solution.basis = rejoined(std::move(solution.basis), n, split);
  solution.rowActivity.clear();
  solution.reducedCosts.clear();
  solution.objective = objectiveOf(lp, solution.columnValues, solution.columnValuesLow);
}

class Search {
 public:
  Search(Session& session, Options const& options, Run& run, Solution const& weak)
      : s_(session),
        options_(options),
        run_(run),
        verifier_(session.lp, options),
        most_{options.primalTolerance * (1.0 - least), options.dualTolerance * (1.0 - least)},
        first_(weak),
        solver_(options) {
    solver_.engine = EngineChoice::host;
    solver_.presolve = solver_.exact = Toggle::off;
    solver_.algorithm = AlgorithmChoice::automatic;
    solver_.race = RaceChoice::off;
    solver_.crossover = true;
    solver_.objectiveLimit = infinity;
    // What is left of the tolerances is for the answer of the relaxed problem.
    solver_.primalTolerance = std::max(least * options.primalTolerance, 1e-12);
    solver_.dualTolerance = std::max(least * options.dualTolerance, 1e-12);
  }

  Solution run() {
    Run::Within const whole(run_, run_.whole());
    run_.notice(first_.status == Status::numerical
                    ? "no status could be proved; solving the problem relaxed within the tolerances"
                    : std::string("the problem is ") + toString(first_.status) +
                          " by less than the tolerances; looking for an optimum within them");
    Solution weak = first_;
    double growth = 17.0 / 16.0;
    while (relaxMore(weak, growth)) {
      Solution found = solveRelaxed();
      if (found.status == Status::optimal) {
        // Whether there is no optimum exactly is not known of a problem without a status.
        if (first_.status == Status::numerical) return asGiven(std::move(found));
        if (verifier_.claimRelaxed(found)) return told(std::move(found));
      }
      bool const proved =
          (found.status == Status::infeasible && verifier_.claimInfeasible(found)) ||
          (found.status == Status::unbounded && verifier_.claimUnbounded(found));
      if (!proved) break;
      verifier_.assess(found);
      if (verifier_.isCertain(found)) return found;
      weak = std::move(found);
      growth *= growth;
    }
    return first_.status == Status::numerical ? first_ : weak;
  }

 private:
  static constexpr double least = 0x1p-9;

  /// Relaxes as far as `weak` asks for, more from time to time; false: that is done.
  bool relaxMore(Solution const& weak, double growth) {
    bool const costs = weak.status == Status::unbounded;
    double& share = costs ? by_.costs : by_.bounds;
    double const most = costs ? most_.costs : most_.bounds;
    if (share >= most) return false;
    // Above rounding; without a certificate all at once, as each step is a solve.
    double const start = first_.status == Status::numerical ? 1.0 : 1e-4;
    share = std::min(most, std::max({start * most, growth * weak.margin, growth * share}));
    return true;
  }

  Solution solveRelaxed() {
    std::vector<int> split;
    Session other;
    other.makers = s_.makers;
    other.lp = relaxed(s_.lp, by_, split);
    Run::Elsewhere const elsewhere(
        run_, [&](Basis const& basis) { return rejoined(basis, at(s_.lp.columns()), split); });
    Solution found = attempts(other, solver_, run_);
    rejoin(found, s_.lp, split);
    found.engine = first_.engine;
    found.device = first_.device;
    found.algorithm = first_.algorithm;
    found.pricing = first_.pricing;
    return found;
  }

  /// An optimum of the relaxed problem, if it meets the tolerances as one of the given problem. Its
  /// gap grows with what bounds have moved: where it is too large, they move by less once more.
  Solution asGiven(Solution&& found) {
    if (verifier_.claimOptimal(found)) return std::move(found);
    double const gaps = found.residuals.complementarity /
                        std::max(options_.primalTolerance, options_.dualTolerance);
    if (!(gaps > 1.0 && gaps <= Verifier::mostGaps)) return first_;
    by_.bounds *= 0.9 / gaps;
    by_.costs *= 0.9 / gaps;
    Solution nearer = solveRelaxed();
    return nearer.status == Status::optimal && verifier_.claimOptimal(nearer) ? nearer : first_;
  }

  Solution told(Solution&& found) {
    found.message = std::string("Exactly, the problem is ") + toString(first_.status) +
                    ". The status optimal holds within the tolerances. " +
                    Verifier::aboutTolerances(first_.status, first_.margin, found);
    found.exact = first_.exact;
    found.exact.proved = false;  // another status is
    return std::move(found);
  }

  Session& s_;
  Options const& options_;
  Run& run_;
  Verifier const verifier_;
  Relaxed const most_;
  Relaxed by_;
  Solution const& first_;
  Options solver_;
};

}  // namespace

Solution withinTolerances(Session& s, Options const& options, Run& run, Solution const& weak) try {
  return Search(s, options, run, weak).run();
} catch (std::bad_alloc const&) {
  run.notice("not enough memory to look for an optimum within the tolerances; the proof stands");
  return weak;
}

}  // namespace osi_cuda
