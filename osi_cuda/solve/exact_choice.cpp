// SPDX-License-Identifier: EPL-2.0
// Which solutions are worth an exact proof.
#include <algorithm>
#include <cmath>

#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/solve/extras.hpp"

namespace osi_cuda {
namespace {

constexpr double mostSeconds = 1.0, mostShare = 0.25;  // of a check, and of the time that is left
constexpr double mostSecondsWarm = 0.05;
constexpr double mostSecondsForZeros = 1e-3;  // where a certificate is exact to rounding already
/// Where all that an optimum lacks is an error bar: a share of the work that the solve counted, as
/// small solves come by the thousand, and proofs of milliseconds take ten times what is expected.
constexpr double leastSecondsForBar = 2e-6, mostSecondsForBar = 1e-3, shareForBar = 0.1;
constexpr double wideObjective = 1e-6;

/// The distance of the enclosure's farther finite end from the objective, relative to 1 +
/// |objective|; infinite where it has none.
double relativeError(Solution const& solution) {
  double farthest = -1.0;
  for (double const end : {solution.objectiveEnclosure.lower, solution.objectiveEnclosure.upper})
    if (std::isfinite(end)) farthest = std::max(farthest, std::fabs(end - solution.objective));
  return farthest < 0.0 ? infinity : farthest / (1.0 + std::fabs(solution.objective));
}

/// What leaves a doubt about an optimum without a look at its error bar. In rows with large numbers
/// the rounding of a point to doubles alone misses the target, which rational arithmetic would say
/// of its doubles as well: one solve of many is left at what the point had before.
bool missesTarget(Solution const& solution, Origin const& origin) {
  double const residual = solution.residuals.largest();
  return !solution.columnValuesLow.empty() || !solution.rowDualsLow.empty() ||
         !((origin.cold ? residual : std::min(residual, origin.unrounded)) <= Verifier::target);
}

/// Whether there is no other doubt than one that every solve leaves: no finite end of the
/// enclosure, or a certificate in which what has to be zero is that to 1e-20 of its terms.
bool usualDoubt(Solution const& solution, Origin const& origin) {
  switch (solution.status) {
    case Status::optimal:
      return !missesTarget(solution, origin) && std::isinf(relativeError(solution));
    case Status::infeasible:
    case Status::unbounded:
      return !(solution.margin < Verifier::target);
    default:
      return false;
  }
}

}  // namespace

ExactShape exactShapeOf(LinearProgram const& lp, Basis const& basis, double enough) {
  constexpr double bitsPerDigit = 60.0;
  Machine const& machine = machineFor(static_cast<double>(lp.rows()) * lp.columns());
  double bits = 0.0, size = 0.0, entries = 0.0;
  auto const nonzeros = static_cast<double>(lp.matrix.nonzeros());
  auto const seconds = [&](double digits) {
    return exactSolveSeconds(machine, size, entries, nonzeros, digits);
  };
  for (int j = 0; j < lp.columns(); ++j) {
    if (double const least = seconds(2.0); least > enough) return {least};
    auto const at = static_cast<std::size_t>(j);
    if (at >= basis.columns.size() || basis.columns[at] != VariableStatus::basic) continue;
    auto const values = lp.matrix.columnValues(j);
    int highest = 0, lowest = 0;
    for (double const value : values) {
      if (value == 0.0) continue;
      bool const first = highest == lowest;
      rational::Dyadic const exact = rational::exactly(value);
      int const top = std::ilogb(value) + 1;
      highest = first ? top : std::max(highest, top);
      lowest = first ? exact.exponent : std::min(lowest, exact.exponent);
    }
    auto const count = static_cast<double>(values.size());
    bits += highest - lowest + 0.5 * std::log2(count + 1.0);
    entries += count;
    size += 1.0;
  }
  return {seconds(2.0 * bits / bitsPerDigit + 2.0)};
}

bool isDoubtful(Solution const& solution, Origin const& origin) {
  switch (solution.status) {
    case Status::numerical:
      return true;
    case Status::optimal:
      return missesTarget(solution, origin) || (relativeError(solution) > wideObjective &&
                                                (origin.cold || !usualDoubt(solution, origin)));
    case Status::infeasible:
    case Status::unbounded:
      return origin.cold || !usualDoubt(solution, origin);
    default:
      return false;
  }
}

double mostExactSeconds(Solution const& solution, Options const& options, Origin const& origin) {
  if (options.exact != Toggle::automatic) return infinity;
  double const usual =
      solution.status == Status::optimal
          ? std::clamp(shareForBar * origin.work, leastSecondsForBar, mostSecondsForBar)
          : mostSecondsForZeros;
  double const most = usualDoubt(solution, origin) ? usual
                      : origin.cold                ? mostSeconds
                                                   : mostSecondsWarm;
  return std::min(most, mostShare * (options.timeLimit - solution.seconds));
}

bool wantsExact(ExactShape const& shape, Solution const& solution, Options const& options,
                Origin const& origin) {
  if (options.exact == Toggle::off) return false;
  if (options.exact == Toggle::on)
    return solution.status == Status::optimal || solution.status == Status::infeasible ||
           solution.status == Status::unbounded || solution.status == Status::numerical;
  return isDoubtful(solution, origin) &&
         shape.seconds <= mostExactSeconds(solution, options, origin);
}

}  // namespace osi_cuda
