// SPDX-License-Identifier: EPL-2.0
// Stochastic programs: the core is a problem, and the scenarios stay with it.
#include <memory>

#include "c/arguments.hpp"
#include "c/problem.hpp"
#include "readers/smps.hpp"

using namespace osi_cuda;
using namespace osi_cuda::c;

namespace {

using readers::Change;
static_assert(static_cast<int>(Change::Kind::cost) == OSI_CUDA_CHANGE_COST &&
              static_cast<int>(Change::Kind::lower) == OSI_CUDA_CHANGE_COLUMN_LOWER &&
              static_cast<int>(Change::Kind::upper) == OSI_CUDA_CHANGE_COLUMN_UPPER &&
              static_cast<int>(Change::Kind::coefficient) == OSI_CUDA_CHANGE_COEFFICIENT &&
              static_cast<int>(Change::Kind::rhs) == OSI_CUDA_CHANGE_RIGHT_HAND_SIDE);

readers::ScenarioTree const& scenariosOf(osi_cuda_problem const& p) {
  if (!p.scenarios) throw Failure(OSI_CUDA_NOTHING, "the problem has no scenarios");
  bool const fits = p.solver.problem().rows() == std::ssize(p.scenarios->rowPeriods) &&
                    p.solver.problem().columns() == std::ssize(p.scenarios->columnPeriods);
  if (!fits) throw Failure(OSI_CUDA_NOTHING, "the problem has not the core's rows and columns");
  return *p.scenarios;
}

}  // namespace

int osi_cuda_get_stochastic(osi_cuda_problem* problem, int64_t* sizes, int32_t* row_periods,
                            int32_t* column_periods, double* probabilities, int32_t* nodes,
                            int64_t* starts, int32_t* kinds, int32_t* rows, int32_t* columns,
                            double* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    readers::ScenarioTree const& tree = scenariosOf(p);
    copyInto(tree.rowPeriods, row_periods);
    copyInto(tree.columnPeriods, column_periods);
    std::int64_t changes = 0;
    for (readers::Scenario const& scenario : tree.scenarios) {
      if (probabilities) *probabilities++ = scenario.probability;
      copyInto(scenario.nodes, nodes);
      if (nodes) nodes += scenario.nodes.size();
      if (starts) *starts++ = changes;
      for (Change const& change : scenario.changes) {
        if (kinds) *kinds++ = static_cast<std::int32_t>(change.kind);
        if (rows) *rows++ = change.row;
        if (columns) *columns++ = change.column;
        if (values) *values++ = change.value;
      }
      changes += std::ssize(scenario.changes);
    }
    if (starts) *starts = changes;
    if (!sizes) return;
    sizes[0] = std::ssize(tree.periods);
    sizes[1] = std::ssize(tree.scenarios);
    sizes[2] = changes;
  });
}

int osi_cuda_equivalent(osi_cuda_problem* problem, osi_cuda_problem** equivalent) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(equivalent, "equivalent");
    auto other = std::make_unique<osi_cuda_problem>();
    other->options = p.options;
    other->solver.load(readers::deterministicEquivalent(p.solver.problem(), scenariosOf(p)));
    *equivalent = other.release();
  });
}
