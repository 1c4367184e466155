// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "readers/line_source.hpp"
#include "readers/read.hpp"

namespace osi_cuda::readers {

/// A number of a stochastic program's core that a scenario changes.
struct Change {
  /// With the numbers of osi_cuda.h.
  enum class Kind { cost = 0, lower = 1, upper = 2, coefficient = 5, rhs = 6 };
  Kind kind;
  int row;     ///< -1: a cost or a bound
  int column;  ///< -1: a right-hand side
  double value;
};

struct Scenario {
  double probability = 0.0;
  std::vector<Change> changes;  ///< of two of one number the last one counts
  std::vector<int> nodes;       ///< of the tree, where it is in each period, length T
};

/// What the time file and the stoch file say of a core of m rows and n columns: T periods, and the
/// scenarios as a tree, whose nodes are counted as they first appear.
struct ScenarioTree {
  std::string file;                  ///< the stoch file, for messages
  std::vector<std::string> periods;  ///< length T
  std::vector<int> rowPeriods;       ///< length m
  std::vector<int> columnPeriods;    ///< length n
  std::vector<Scenario> scenarios;
  int nodes = 0;
};

/// Reads SMPS files (Birge, Dempster, Gassmann and others 1987): the two that belong to a core,
/// which is an MPS file with rows and columns in the order of the periods. docs/guide/stochastic.md
/// says what is read. Throws ReadError, for other sections and distributions too, and what the
/// sources throw.
ScenarioTree readTree(ReadResult const& core, LineSource& time, LineSource& stoch,
                      ReadOptions const& options);

/// The same from the files that `options` names, or that lie beside the core: the same name with
/// .tim or .time, and .sto or .stoch, in either case. Throws OpenError, too.
ScenarioTree readTree(ReadResult const& core, std::string const& path, ReadOptions const& options);

/// The deterministic equivalent: rows and columns of each period once for each node, costs times
/// the node's probability. Those of the first period come first and keep their names; the k-th node
/// of a later period gives its own a ".k". `core` has the sizes of the one that was read. Throws
/// ReadError where there are more rows or columns than a problem can have.
LinearProgram deterministicEquivalent(LinearProgram const& core, ScenarioTree const& tree);

}  // namespace osi_cuda::readers
