// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "osi_cuda/solver.hpp"

namespace osi_cuda::osi {

/// One new bound of a column: down, an upper one, or up, a lower one.
struct NewBound {
  int column = -1;
  bool up = false;
  double value = 0.0;
  bool operator==(NewBound const&) const = default;
};

/// What branches that are computed ahead came to, summed over all copies of an interface, which may
/// be at work on several threads.
struct AheadCounts {
  std::atomic<std::int64_t> batches{0}, branches{0}, asked{0}, found{0}, nanoseconds{0};
};

/// The branches of a marked point. Whoever asks for one has as many solved side by side as there
/// are threads: that one, the same column's other one, and those that may be asked for next. Each
/// is solved by a copy of the solver from the very factors that the mark kept, so that the answers
/// are those of solves one after the other to the bit.
class BranchesAhead {
 public:
  /// `solver` has kept the basis of the mark; `prepare` gives a copy of it the bounds and offset of
  /// the mark. `bounds` are down and up of one column after the other. There are no answers where
  /// options.threads leave one thread only, or the solver can't be copied. Throws std::bad_alloc.
  BranchesAhead(Solver const& solver, std::function<void(Solver&)> const& prepare,
                std::vector<NewBound> bounds, Options const& options);

  bool ready() const { return !copies_.empty(); }
  Options const& options() const { return options_; }

  /// The answer where it is there already; null: it is not. It stays for as long as this object.
  Solution const* find(NewBound const& bound) const;
  /// Solves that branch, one of the bounds, and others with it. Returns how many others. Throws
  /// what a solve throws.
  std::size_t solveWith(NewBound const& bound);

 private:
  std::size_t placeOf(NewBound const& bound) const;
  void solve(std::size_t k, Solver& solver);

  std::vector<NewBound> const bounds_;
  Options const options_;
  std::vector<Solver> copies_;                      ///< a thread's each
  std::vector<std::optional<Solution>> solutions_;  ///< of the bounds, in their order
};

}  // namespace osi_cuda::osi
