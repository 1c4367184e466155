// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "readers/smps.hpp"

namespace osi_cuda::readers {
namespace {

struct Node {
  int scenario;  // the first one that passes
  int period;
  double probability = 0.0;
  int firstColumn = 0;
};

std::vector<Node> nodesOf(ScenarioTree const& tree) {
  std::vector<Node> nodes;
  for (int s = 0; s < std::ssize(tree.scenarios); ++s) {
    Scenario const& scenario = tree.scenarios[s];
    for (int t = 0; t < std::ssize(tree.periods); ++t) {
      if (scenario.nodes[t] == std::ssize(nodes)) nodes.push_back({s, t});
      nodes[scenario.nodes[t]].probability += scenario.probability;
    }
  }
  return nodes;
}

/// Rows or columns by period, and the place of each among those of its period.
struct Lines {
  Lines(std::vector<int> const& periods, std::size_t count) : of(count), place(periods.size()) {
    for (int line = 0; line < std::ssize(periods); ++line) {
      place[line] = static_cast<int>(of[periods[line]].size());
      of[periods[line]].push_back(line);
    }
  }
  std::vector<std::vector<int>> of;
  std::vector<int> place;
};

/// The numbers of a core, or of one scenario; `entries` are those of its matrix by rows.
struct Numbers {
  std::vector<double> costs, lower, upper, rowLower, rowUpper, entries;
};

std::int64_t entryAt(SparseMatrix const& byRows, int row, int column) {
  auto const first = byRows.indices.begin() + byRows.starts[row];
  auto const last = byRows.indices.begin() + byRows.starts[row + 1];
  auto const found = std::lower_bound(first, last, column);
  return found != last && *found == column ? found - byRows.indices.begin() : -1;
}

/// The core's matrix by rows, with a place for each coefficient that a scenario changes.
SparseMatrix placesOf(LinearProgram const& core, ScenarioTree const& tree) {
  SparseMatrix matrix = core.matrix;
  matrix.makeSparse();
  SparseMatrix const byRows = matrix.transposed();
  std::set<std::pair<int, int>> missing;
  for (Scenario const& scenario : tree.scenarios)
    for (Change const& change : scenario.changes)
      if (change.kind == Change::Kind::coefficient &&
          entryAt(byRows, change.row, change.column) < 0)
        missing.emplace(change.row, change.column);
  SparseMatrix all;
  all.rows = byRows.rows;
  auto next = missing.begin();
  for (int row = 0; row < byRows.columns; ++row) {
    for (auto const [column, value] : byRows.column(row)) all.add(column, value);
    for (; next != missing.end() && next->first == row; ++next) all.add(next->second, 0.0);
    all.endColumn();
  }
  return all.transposed().transposed();  // in order
}

class Equivalent {
 public:
  Equivalent(LinearProgram const& core, ScenarioTree const& tree)
      : core_(core),
        tree_(tree),
        nodes_(nodesOf(tree)),
        rows_(tree.rowPeriods, tree.periods.size()),
        columns_(tree.columnPeriods, tree.periods.size()),
        byRows_(placesOf(core, tree)),
        base_{core.objective, core.columnLower, core.columnUpper,
              core.rowLower,  core.rowUpper,    byRows_.values} {}

  LinearProgram make() {
    std::vector<int> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int node) { return nodes_[node].period; });
    place(order);
    lp_.name = core_.name;
    lp_.objectiveName = core_.objectiveName;
    lp_.sense = core_.sense;
    lp_.objectiveOffset = core_.objectiveOffset;
    if (!core_.choices.sets.empty())
      throw ReadError(tree_.file, "core", "a stochastic program", "special ordered sets");
    Numbers now = base_;
    std::vector<int> counted(tree_.periods.size());
    for (int const index : order) {
      Node const& node = nodes_[index];
      for (Change const& change : tree_.scenarios[node.scenario].changes) apply(change, node, now);
      std::string const k = std::to_string(++counted[node.period]);
      add(node, now, node.period > 0 ? "." + k : "");
      for (Change const& change : tree_.scenarios[node.scenario].changes) undo(change, node, now);
    }
    matrix_.rows = static_cast<int>(lp_.objective.size());
    lp_.matrix = matrix_.transposed();
    return std::move(lp_);
  }

 private:
  /// Where the lines of each node begin.
  void place(std::vector<int> const& order) {
    std::int64_t rows = 0, columns = 0;
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    for (int const index : order) {
      Node& node = nodes_[index];
      node.firstColumn = static_cast<int>(columns);
      rows += std::ssize(rows_.of[node.period]);
      columns += std::ssize(columns_.of[node.period]);
      if (std::max(rows, columns) > most)
        throw ReadError(tree_.file, "deterministic equivalent",
                        concat("at most ", most, " rows and columns"), "more");
    }
    // Memory for all of it, or none.
    for (auto* const array : {&lp_.rowLower, &lp_.rowUpper}) array->reserve(at(rows));
    for (auto* const array : {&lp_.objective, &lp_.columnLower, &lp_.columnUpper})
      array->reserve(at(columns));
  }

  struct Place {
    std::vector<double> Numbers::*array;
    std::size_t index;
  };

  /// Calls use(place) for each number that a change means, if it belongs to the node's period.
  void eachPlace(Change const& change, Node const& node, auto const& use) const {
    int const period =
        change.row >= 0 ? tree_.rowPeriods[change.row] : tree_.columnPeriods[change.column];
    if (period != node.period) return;
    switch (change.kind) {
      case Change::Kind::coefficient:
        return use(Place{&Numbers::entries, at(entryAt(byRows_, change.row, change.column))});
      case Change::Kind::cost:
        return use(Place{&Numbers::costs, at(change.column)});
      case Change::Kind::lower:
        return use(Place{&Numbers::lower, at(change.column)});
      case Change::Kind::upper:
        return use(Place{&Numbers::upper, at(change.column)});
      case Change::Kind::rhs:
        for (auto const side : {&Numbers::rowLower, &Numbers::rowUpper})
          if (std::isfinite((base_.*side)[at(change.row)])) use(Place{side, at(change.row)});
    }
  }
  void apply(Change const& change, Node const& node, Numbers& now) const {
    eachPlace(change, node, [&](Place p) { (now.*p.array)[p.index] = change.value; });
  }
  void undo(Change const& change, Node const& node, Numbers& now) const {
    eachPlace(change, node, [&](Place p) { (now.*p.array)[p.index] = (base_.*p.array)[p.index]; });
  }

  void add(Node const& node, Numbers const& now, std::string const& end) {
    std::vector<int> const& passed = tree_.scenarios[node.scenario].nodes;
    for (int const i : rows_.of[node.period]) {
      lp_.rowLower.push_back(now.rowLower[i]);
      lp_.rowUpper.push_back(now.rowUpper[i]);
      lp_.rowNames.push_back(core_.rowName(i) + end);
      for (std::int64_t k = byRows_.starts[i]; k < byRows_.starts[i + 1]; ++k) {
        int const j = byRows_.indices[k];
        Node const& owner = nodes_[passed[tree_.columnPeriods[j]]];
        if (now.entries[k] != 0.0)
          matrix_.add(owner.firstColumn + columns_.place[j], now.entries[k]);
      }
      matrix_.endColumn();
    }
    for (int const j : columns_.of[node.period]) {
      auto const semi = std::ranges::lower_bound(core_.choices.semicontinuous, j, {},
                                                 &SemicontinuousColumn::column);
      if (semi != core_.choices.semicontinuous.end() && semi->column == j)
        lp_.choices.semicontinuous.push_back({static_cast<int>(lp_.objective.size()), semi->on});
      lp_.objective.push_back(now.costs[j] * node.probability);
      lp_.columnLower.push_back(now.lower[j]);
      lp_.columnUpper.push_back(now.upper[j]);
      lp_.columnNames.push_back(core_.columnName(j) + end);
      if (!core_.integer.empty()) lp_.integer.push_back(core_.integer[j]);
    }
  }

  LinearProgram const& core_;
  ScenarioTree const& tree_;
  std::vector<Node> nodes_;
  Lines rows_, columns_;
  SparseMatrix byRows_;
  Numbers base_;
  LinearProgram lp_;
  SparseMatrix matrix_;  // by rows
};

}  // namespace

LinearProgram deterministicEquivalent(LinearProgram const& core, ScenarioTree const& tree) {
  return Equivalent(core, tree).make();
}

}  // namespace osi_cuda::readers
