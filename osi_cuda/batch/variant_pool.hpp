// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
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
/// Variants come in rounds, of which two are open at a time: a round begins with what the pool had
/// after the last but one, so that no thread waits while another round has variants. A sample of
/// each is tested against all bases: its infeasibilities say how many tests pay. The pool changes
/// by what a round found in the order of the variants, so that it does not depend on threads.
class VariantPool {
  struct Round;

 public:
  /// At most so many bytes of tableaus, that of the common basis apart.
  VariantPool(LinearProgram const& lp, HostVariantBase const& common, std::size_t bytes)
      : lp_(lp), common_(common), bytes_(bytes) {}

  /// Before a call for variants of these ascending numbers by so many threads. Where `stop` is set,
  /// no more tableaus are formed.
  void begin(std::span<std::size_t const> variants, int threads, std::atomic<bool> const& stop);

  /// A variant's part in its round, for whose end others may wait, however the variant ends.
  struct Turn {
    Round& round;
    ~Turn();
  };
  /// Of variant k; from several threads at a time, which begin the variants in their order.
  Turn turn(std::size_t k, int worker);
  /// Solves variant k by `solver`.
  SmallReport solve(Turn const& turn, std::size_t k, VariantHostSolver& solver,
                    VariantChanges const& changes, VariantSettings const& settings,
                    AnswerTarget const& target);

  std::size_t hits() const { return hits_; }  ///< variants of the call answered without a pivot

 private:
  struct Known {
    std::vector<VariableStatus> statuses;  ///< of columns and rows
    HostVariantBase base;
  };
  struct Multipliers {
    std::vector<double> y, yLow, product;  ///< in two parts, and A'y
  };
  /// The score: answers in samples (of multipliers in all variants), those of earlier rounds
  /// counted by halves.
  template <class What>
  struct Scored {
    std::shared_ptr<What const> what;
    double score = 0.0;
  };
  using Entry = Scored<Known>;
  using Refutation = Scored<Multipliers>;
  /// Where pivots of a round have ended.
  struct Found {
    std::size_t variant = SIZE_MAX, ends = 0;  ///< the first one, and how many
    std::int64_t pivots = 0;
  };
  /// Variants from `first` to `end` - 1, what they are tested against, and what they found.
  struct Round {
    std::size_t first = 0, end = 0, count = 0, step = 1;  ///< one of `step` is in the sample
    std::vector<Entry> entries;
    std::vector<Refutation> refutations;
    std::size_t tested = 0;  ///< of the entries, the first ones, by all variants
    std::atomic<std::size_t> left = 0;

    std::mutex mutex;  ///< of the following
    std::map<std::vector<VariableStatus>, Found> ends;
    std::map<std::size_t, BatchCertificate> found;  ///< the first ones, by variant
    std::vector<std::size_t> answered, refuted;     ///< by entry, by refutation
    /// Of the sample after t tests each: infeasibilities at the nearest basis, and how many
    /// variants have some.
    std::vector<std::int64_t> infeasible, open;
    std::int64_t begun = 0, pivots = 0;  ///< of the sample: where they began, and how many

    /// At random: scenarios may come in turn.
    bool sampled(std::size_t k) const { return rules::mix(k) % step == 0; }
  };

  Round& roundOf(std::size_t k);
  void open();
  void close();
  bool refutes(Round& round, VariantHostSolver& solver, VariantSettings const& settings,
               AnswerTarget const& target, SmallReport& report);
  void closeRefutations(Round& round);
  void join(Round& round);
  std::size_t worthTests(Round const& round) const;

  LinearProgram const& lp_;
  HostVariantBase const& common_;
  std::size_t const bytes_;
  std::vector<Entry> entries_;
  std::vector<Refutation> refutations_;
  std::size_t tested_ = 0, begun_ = 0;  ///< as of a round; rounds that were begun, ever
  /// Of all samples, ever: where the pivots began, and how many there were.
  std::int64_t distance_ = 1, pivots_ = 1;

  std::span<std::size_t const> waiting_;  ///< variants of no round
  int threads_ = 1;
  std::atomic<bool> const* stop_ = nullptr;
  std::atomic<std::size_t> hits_ = 0;
  std::vector<Round*> current_;  ///< by worker
  std::mutex mutex_;             ///< of the following
  std::deque<Round> rounds_;     ///< of the call
  std::size_t closed_ = 0;       ///< of them, the first ones
};

}  // namespace osi_cuda::batch
