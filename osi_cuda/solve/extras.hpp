// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/run.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/rational/meanings.hpp"
#include "osi_cuda/simplex/proof.hpp"

namespace osi_cuda {

/// What an exact proof is expected to cost.
struct ExactShape {
  double seconds = 0.0;  ///< of one check of the basis
};

/// How a solution came about.
struct Origin {
  bool cold = true;  ///< the solve began at slacks; others are one of many
  /// The largest residual of the point before it was rounded to doubles, as far as it is known.
  double unrounded = infinity;
  double work = 0.0;                       ///< of the solve, in counted seconds
  std::optional<InverseRow> dualRay = {};  ///< the last one, which doubles do not prove
};

/// An estimate from the size of the basis and the lengths of its numbers, mostly too large:
/// fractions have up to as many digits as a determinant can have (Hadamard). Where it exceeds
/// `enough` seconds it need not be complete.
ExactShape exactShapeOf(LinearProgram const& lp, Basis const& basis, double enough = infinity);

/// Whether a solution leaves a doubt that rational arithmetic can settle, whatever that costs: no
/// status, a certificate that hardly more than rounding carries (cold: any), an optimum with
/// residuals above Verifier::target (of a solve from a basis: also before it was rounded to
/// doubles), in two parts, with a finite end of its enclosure farther off than 1e-6 of the
/// objective, or (cold) without a finite end.
bool isDoubtful(Solution const& solution, Origin const& origin);

/// Whether an exact proof begins. Off: never. On: wherever a status can be proved. Automatic:
/// where there is a doubt, and a check is expected to take a second at most and a quarter of the
/// time that is left; 50 ms after a solve from a basis; 1 ms where all that is missing is the last
/// 1e-20 of a certificate; 2 us or a tenth of the solve's work (1 ms at most) where all that is
/// missing is a finite end of the enclosure.
bool wantsExact(ExactShape const& shape, Solution const& solution, Options const& options,
                Origin const& origin = {});
/// That number of seconds; infinite where the options ask for a proof.
double mostExactSeconds(Solution const& solution, Options const& options, Origin const& origin);

/// Settles the status of `solution` in rational arithmetic, within the budget, and fills in
/// Solution::exact. A status is proved from its basis and certificate. A basis that is refused goes
/// back to the simplex method with the exact differences that are left (rational::Remainder),
/// until one is proved; where that fails, or a certificate is refused, by pivots in rationals
/// (rational/exact_pivots.hpp).
///
/// An exact answer replaces the one that was given: status, basis, point and objective are then
/// the exact ones, in the doubles nearest to them, whatever the residuals of those. One exception:
/// an optimum whose doubles satisfy all bounds within the tolerances stays one where exact
/// arithmetic knows none, as the rounding of a problem's own numbers is enough for that;
/// Solution::message says what is proved. Without an exact answer the solution stays what it was.
/// Numbers with an entry in `fractions` are taken for that unless the options ask for doubles.
void proveExactly(LinearProgram const& lp, Options const& options, Run& run, Origin const& origin,
                  Solution& solution, rational::Meanings const* fractions = nullptr);
/// The same of a solution that others found, within what it left of the limits of `options`.
void proveExactly(LinearProgram const& lp, Options const& options, Callbacks const& callbacks,
                  Solution& solution, rational::Meanings const* fractions = nullptr);

/// Tries to close the infinite ends of the enclosure of an optimum: that of the multipliers by
/// finite bounds that rows imply, both by a point and by multipliers that provably exist
/// (proof/located_point.hpp); of dense problems without equations by the vertex of rows moved
/// inside. `engine` holds the basis of `solution`; null: without its solves. All searches together
/// look at so many entries; infinite: rational arithmetic is the last resort. It ends early with
/// the budget, and where there is no memory.
void closeEnclosure(LinearProgram const& lp, StandardForm const& form, Engine* engine,
                    Budget const& budget, double work, Solution& solution);
/// The entries to look at in that share of the time of a solve of that counted work (Budget::work),
/// the same in every run.
double workBeside(double seconds, double share);

/// Whether that takes at most some hundredths of the time of the solve on any engine.
bool enclosingIsQuick(LinearProgram const& lp, std::int64_t iterations);

}  // namespace osi_cuda
