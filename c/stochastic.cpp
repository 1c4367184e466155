// SPDX-License-Identifier: EPL-2.0
// Stochastic programs: the core is a problem, and the scenarios stay with it.
#include <algorithm>
#include <limits>
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

int osi_cuda_set_stochastic(osi_cuda_problem* problem, int64_t const* sizes,
                            char const* const* periods, int32_t const* row_periods,
                            int32_t const* column_periods, double const* probabilities,
                            int32_t const* nodes, int64_t const* starts, int32_t const* kinds,
                            int32_t const* rows, int32_t const* columns, double const* values) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(sizes, "sizes");
    int64_t const T = sizes[0], S = sizes[1], C = sizes[2];
    int const m = p.solver.problem().rows(), n = p.solver.problem().columns();
    auto const numbers = [](int32_t const* given, int64_t length, int most, char const* name) {
      needArray(given, length, name);
      for (int64_t k = 0; k < length; ++k)
        if (given[k] < -1 || given[k] >= most) refuse(name, "[", k, "] is ", given[k]);
      return std::vector<int>(given, given + length);
    };
    constexpr int most = std::numeric_limits<int>::max();
    for (int64_t const size : {T, S, C}) needSize(size, "sizes");
    needArray(periods, T, "periods");
    needArray(probabilities, S, "probabilities");
    needArray(starts, S + 1, "starts");
    needArray(values, C, "values");
    auto tree = std::make_shared<readers::ScenarioTree>();
    tree->file = "osi_cuda_set_stochastic";
    for (int64_t t = 0; t < T; ++t) tree->periods.emplace_back(periods[t] ? periods[t] : "");
    tree->rowPeriods = numbers(row_periods, m, static_cast<int>(T), "row_periods");
    tree->columnPeriods = numbers(column_periods, n, static_cast<int>(T), "column_periods");
    std::vector<int> const paths = numbers(nodes, productOf(S, T, "nodes"), most, "nodes");
    std::vector<int> const of = numbers(kinds, C, OSI_CUDA_CHANGE_RIGHT_HAND_SIDE + 1, "kinds"),
                           i = numbers(rows, C, m, "rows"), j = numbers(columns, C, n, "columns");
    for (int64_t s = 0; s < S; ++s) {
      if (starts[s] < 0 || starts[s] > starts[s + 1] || starts[S] != C)
        refuse("starts do not ascend from 0 to the number of changes");
      readers::Scenario scenario{probabilities[s], {}, {&paths[at(s * T)], &paths[at(s * T)] + T}};
      for (auto k = at(starts[s]); k < at(starts[s + 1]); ++k)
        scenario.changes.push_back({static_cast<Change::Kind>(of[k]), i[k], j[k], values[k]});
      tree->scenarios.push_back(std::move(scenario));
    }
    for (int const node : paths) tree->nodes = std::max(tree->nodes, node + 1);
    p.scenarios = std::move(tree);
  });
}

int osi_cuda_equivalent(osi_cuda_problem* problem, osi_cuda_problem** equivalent) {
  return call(problem, [&](osi_cuda_problem& p) {
    needPointer(equivalent, "equivalent");
    auto other = std::make_unique<osi_cuda_problem>();
    other->options = p.options;
    other->decimals = p.decimals;
    other->fractions = p.fractions;
    other->solver.load(readers::deterministicEquivalent(p.solver.problem(), scenariosOf(p)));
    *equivalent = other.release();
  });
}
