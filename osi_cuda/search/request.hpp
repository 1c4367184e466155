// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"

/// What a search for integers is given, and what it gives back: the same for every search.
namespace osi_cuda {

namespace search {
struct SavedSearch;
}

/// How far a search for integers has come. Numbers are in the problem's own sense.
struct SearchProgress {
  double seconds = 0.0;  ///< since the search began
  std::int64_t nodes = 0;
  /// Of the incumbent, the best point so far; a NaN without one.
  double objective = std::numeric_limits<double>::quiet_NaN();
  /// No point is better, says the search; infinite before it has one.
  double bound = -std::numeric_limits<double>::infinity();

  /// |objective - bound| over the larger absolute value of the two; infinite without an incumbent.
  double gap() const;
};

/// Called from the thread that called solveIntegers(), `progress` during the relaxation alone.
struct IntegerCallbacks : Callbacks {
  std::function<void(SearchProgress const&)> search;  ///< several times a second
  /// Each incumbent when it is found: its values, of length n, as the search has them.
  std::function<void(SearchProgress const&, std::span<double const> values)> incumbent;
  /// The lines of the proof of the whole tree, in their order (search/tree_file.hpp); only the own
  /// search has one, and is taken where this is asked for.
  std::function<void(std::string_view lines)> tree;
  /// Polled between rounds of nodes; true: `saved` is called, which happens at the end as well.
  /// Only the own search can be saved, and is taken where this is asked for.
  std::function<bool()> saveDue;
  std::function<void(search::SavedSearch const&)> saved;
};

/// All of it outlives the search.
struct SearchRequest {
  LinearProgram const& problem;  ///< as prepareIntegers() makes it
  Basis const& basis;            ///< of its relaxation
  Options options;               ///< what is left of its limits
  std::vector<double> start;     ///< a feasible point, length n; empty: none
  double startObjective;
  double bound;                       ///< of the relaxation
  std::function<bool()> interrupted;  ///< called, as the others are, by the thread that calls
  IntegerCallbacks const& callbacks;
  bool onDevice = false;      ///< where the relaxation was solved
  std::span<int const> rows;  ///< the number of each row in the problem as it was given
  int givenRows = 0;
  search::SavedSearch const* resume = nullptr;  ///< where it goes on, or null
};

struct SearchOutcome {
  /// optimal, infeasible, unbounded; iterationLimit (of nodes or iterations); interrupted, by
  /// `interrupted`; numerical where something else ended it.
  Status status = Status::numerical;
  std::vector<double> values;   ///< of the columns in the best solution; empty: none was found
  std::int64_t iterations = 0;  ///< of the simplex, over all nodes
  SearchProgress last;
  std::int64_t cuts = 0, solves = 0;
  /// Linear programs without a proved status. Their nodes were dropped, so that `status` and the
  /// bound say nothing of them, unless `proved`.
  std::int64_t doubts = 0;
  /// `last.bound`, or that there is no point, holds without trust in the search or in rounding.
  bool proved = false;
};

}  // namespace osi_cuda
