// SPDX-License-Identifier: EPL-2.0
#include "bridges/bridge.hpp"

#include <algorithm>

#include "bridges/translation.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {

Solution Bridge::solve(LinearProgram const& lp, BridgeOptions const& options) const {
  if (auto const fault = findFault(lp); !fault.empty()) throw std::invalid_argument(fault);
  auto chosen = options;
  auto const known = algorithms();
  if (chosen.algorithm.empty()) chosen.algorithm = known.front();
  if (std::ranges::find(known, chosen.algorithm) == known.end())
    throw BridgeLimit(name() + " has no algorithm '" + chosen.algorithm + "'");
  if (!startsFromBasis(chosen.algorithm)) chosen.startBasis = {};
  auto const fits = [](auto const& statuses, int length) { return statuses.size() == at(length); };
  auto const& start = chosen.startBasis;
  if (!start.empty() && !(fits(start.columns, lp.columns()) && fits(start.rows, lp.rows())))
    throw std::invalid_argument("the start basis does not have the sizes of the problem");

  Stopwatch const watch;
  Solution solution = run(lp, chosen);
  solution.seconds = watch.seconds();
  if (solution.columnValues.size() == at(lp.columns()))
    solution.rowActivity = activityOf(lp, solution.columnValues);
  solution.residuals = residualsOf(lp, solution);
  return solution;
}

BridgePointer findBridge(std::vector<BridgePointer> const& among, std::string const& name) {
  for (auto const& bridge : among)
    if (bridge->name() == name) return bridge;
  return nullptr;
}

}  // namespace osi_cuda
