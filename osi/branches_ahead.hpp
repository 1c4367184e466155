// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/solve/solver.hpp"

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
  std::atomic<std::int64_t> batches{0}, branches{0}, asked{0}, found{0};
  std::atomic<std::int64_t> alone{0};   ///< hot starts that a device solved alone
  std::atomic<std::int64_t> failed{0};  ///< marks whose branches could not be solved ahead
  std::atomic<double> seconds{0.0}, secondsAlone{0.0};
  /// Whether launches on a device are to answer those of the next mark.
  bool launchPays() const;
};

/// The branches of a marked point. Whoever asks for one has others solved with it: the same
/// column's other one, and those that may be asked for next. On threads a copy of the solver solves
/// each from the very factors that the mark kept: answers are those of solves one after the other
/// to the bit. On a device a block solves each as a variant: an answer is the same to the bit
/// whatever is solved with it, but not that of the engine there.
class BranchesAhead {
 public:
  /// `bounds` are down and up of one column after the other. `solver` has kept the basis of the
  /// mark; `prepare` gives a copy of it the bounds and offset of the mark. Nothing is ready() where
  /// options.threads leave one thread only, or the solver can't be copied. Throws std::bad_alloc.
  BranchesAhead(std::vector<NewBound> bounds, Options const& options, Solver const& solver,
                std::function<void(Solver&)> const& prepare);
  /// `variants` begin at the mark.
  BranchesAhead(std::vector<NewBound> bounds, Options const& options, VariantSolver& variants,
                std::function<bool()> interrupted);

  bool ready() const { return variants_ || !copies_.empty(); }
  Options const& options() const { return options_; }

  /// Whether branch k was solved, and then its answer, where one was proved.
  bool tried(std::size_t k) const { return static_cast<bool>(answers_[k]); }
  std::optional<Solution> answer(std::size_t k) const { return answers_[k](); }
  /// Solves branch k, and others with it. Returns how many others. Throws what a solve throws.
  std::size_t solveWith(std::size_t k);

 private:
  void solve(std::size_t k, Solver& solver);
  void solveVariants(std::vector<std::size_t> const& chosen);

  std::vector<NewBound> const bounds_;
  Options const options_;
  std::vector<Solver> copies_;  ///< a thread's each
  VariantSolver* variants_ = nullptr;
  BatchCallbacks callbacks_;
  std::vector<std::function<std::optional<Solution>()>> answers_;  ///< by branch
};

}  // namespace osi_cuda::osi
