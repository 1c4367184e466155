// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda::batch {

/// Bases that were optimal for variants, each with its tableau. A variant is tested against them
/// before any pivot: at a basis at which it is primal and dual feasible it is done, once that is
/// proved as usual; else it starts at the one with the fewest infeasibilities. So are Farkas
/// multipliers that proved variants infeasible.
///
/// Variants come in rounds. A sample of each is tested against all bases: its infeasibilities say
/// how many tests pay. The pool changes between rounds alone, by what the round found in the order
/// of the variants, so that it does not depend on threads.
class VariantPool {
 public:
  /// At most so many bytes of tableaus, that of the common basis apart.
  VariantPool(LinearProgram const& lp, HostVariantBase const& common, std::size_t bytes)
      : lp_(lp), common_(common), bytes_(bytes) {}

  /// How many variants the next round has, of `left` from variant `first` on.
  std::size_t round(std::size_t left, std::size_t first);

  /// Solves variant k by `solver`; from several threads at a time.
  SmallReport solve(std::size_t k, VariantHostSolver& solver, VariantChanges const& changes,
                    VariantSettings const& settings, AnswerTarget const& target);

  /// After a round of `count` out of `all` variants: bases are ordered by what they answered, and
  /// those at which pivots ended more than once join them where tableau and tests cost less than
  /// the pivots that they are going to save, as long as there is memory. Where `stop` answers true,
  /// Interrupted is thrown.
  void endRound(std::size_t count, std::size_t all, int threads, std::function<bool()> const& stop);

  std::size_t hits() const { return hits_; }  ///< variants answered without a pivot

 private:
  struct Entry {
    std::vector<VariableStatus> statuses;  ///< of columns and rows
    std::unique_ptr<HostVariantBase> base;
    double score = 0.0;  ///< answers in samples, those of earlier rounds counted by halves
  };
  struct Refutation {
    std::size_t variant = 0;               ///< that it was found for, in its round
    std::vector<double> y, yLow, product;  ///< the multipliers in two parts, and A'y
    double score = 0.0;                    ///< answers, as of an Entry
  };
  /// Where pivots of the round have ended.
  struct Found {
    std::size_t variant = SIZE_MAX, ends = 0;  ///< the first one, and how many
    std::int64_t pivots = 0;
  };

  bool refutes(VariantHostSolver& solver, VariantSettings const& settings,
               AnswerTarget const& target, SmallReport& report);
  void keep(std::size_t k, BatchCertificate certificate);
  void endRefutations(std::size_t count);
  std::size_t worthTests() const;
  /// At random: scenarios may come in turn.
  bool sampled(std::size_t k) const { return rules::mix(k) % step_ == 0; }

  LinearProgram const& lp_;
  HostVariantBase const& common_;
  std::size_t const bytes_;
  std::vector<Entry> entries_;
  std::vector<Refutation> refutations_;
  std::size_t tested_ = 0;  ///< of the entries, the first ones, by all variants
  std::size_t step_ = 1;    ///< one of so many is in the sample
  std::size_t first_ = 0, rounds_ = 0;
  std::atomic<std::size_t> hits_ = 0;

  std::mutex mutex_;  ///< of the following, about the present round
  std::map<std::vector<VariableStatus>, Found> ends_;
  std::vector<Refutation> found_;                ///< the first ones by variant, in that order
  std::vector<std::size_t> answered_, refuted_;  ///< by entry, by refutation
  /// Of the sample after t tests each: infeasibilities at the nearest basis, and how many variants
  /// have some.
  std::vector<std::int64_t> infeasible_{0}, open_{0};
  /// Of all samples, ever: where the pivots began, and how many there were.
  std::int64_t begun_ = 1, pivots_ = 1;
};

}  // namespace osi_cuda::batch
