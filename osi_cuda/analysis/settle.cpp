// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/analysis/settle.hpp"

#include <algorithm>

#include "osi_cuda/solve/exact_stage.hpp"

namespace osi_cuda {

bool worthExact(LinearProgram const& lp, Basis const& basis, Options const& options,
                double proofs) {
  constexpr double mostSeconds = 1.0, mostShare = 0.25;
  if (options.exact != Toggle::automatic) return options.exact == Toggle::on;
  return proofs * exactShapeOf(lp, basis).seconds <=
         std::min(mostSeconds, mostShare * options.timeLimit);
}

bool settle(LinearProgram const& lp, Options options, Callbacks const& callbacks,
            Solution& solution, double proofs) {
  constexpr double mostSeconds = 3.0;  // nobody asked for it
  if (solution.exact.proved) return true;
  if (!worthExact(lp, solution.basis, options, proofs)) return false;
  if (options.exact == Toggle::automatic)
    options.timeLimit = std::min(options.timeLimit, solution.seconds + mostSeconds);
  options.exact = Toggle::on;
  proveExactly(lp, options, callbacks, solution);
  return solution.exact.proved;
}

}  // namespace osi_cuda
