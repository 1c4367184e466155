// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::search {

/// A local search for integer points without linear programs, after the Feasibility Jump of
/// Luteberget and Sartor (Mathematical Programming Computation 15, 2023): the point moves along one
/// column at a time to where the weighted sum of what it misses is least; where no move helps, rows
/// that are missed weigh more. That points have to be better than the incumbent is one more row.
/// Work is counted in matrix entries, so that it is the same in every run.
class Jumps {
 public:
  /// `problem` minimises, has a sparse matrix and outlives the object.
  Jumps(LinearProgram const& problem, std::uint64_t seed);

  /// Has to be called first. Points begin here: rounded, within the bounds `lower` and `upper`.
  void beginAt(std::span<double const> x, std::vector<double> const& lower,
               std::vector<double> const& upper);
  /// Points above that objective are no points.
  void setCutoff(double cutoff);

  /// Looks at about so many entries; true: values() misses no row, as plain sums say.
  bool work(double entries);
  std::vector<double> const& values() const { return x_; }
  /// Entries that were looked at since beginAt().
  double spent() const { return spent_; }

 private:
  double missed(int row, double activity) const;
  /// Adds what the columns of a row gain there, at that activity, times `weight`.
  void score(int row, double activity, double weight);
  void setGood(int column);
  void setMissed(int row);
  /// Finds where column j goes to and what that gains.
  void aim(int column);
  void jump(int column);
  void weigh();
  /// A column that gains, or -1.
  int best(std::span<int const> columns, std::size_t most);

  /// A set of numbers with a place for each.
  struct Members {
    std::vector<int> list, place;
    void reset(std::size_t count) {
      list.clear();
      place.assign(count, -1);
    }
    void set(int member, bool isIn);
  };

  LinearProgram const& problem_;
  int const rows_;                     ///< of the problem; the objective is row rows_
  std::vector<double> lower_, upper_;  ///< of columns
  std::vector<double> rowLower_, rowUpper_, unit_;
  SparseMatrix byColumns_, byRows_;  ///< of all these rows, without zeros
  std::vector<double> x_, target_, score_, activity_, weight_;
  Members good_, missed_;
  std::vector<double> candidates_;
  std::mt19937_64 dice_;
  double spent_ = 0.0;
};

class NodeAnswers;
struct Probe;
struct Round;
struct SearchState;

/// The jumps of a search: some work between rounds, as much as the pivots of the rounds allow.
class LocalSearch {
 public:
  /// Works on, or begins at the best point of the round. What is found is offered to the incumbent;
  /// where columns are continuous, a probe completes it. Nothing where the problem has sets or
  /// semicontinuous columns: jumps know whole numbers alone.
  void afterRound(SearchState& search, Round const& round, NodeAnswers const& answers,
                  std::vector<Probe>& probes);

 private:
  void beginAt(SearchState& search, Round const& round, NodeAnswers const& answers);
  /// Entries that may be looked at after these pivots more.
  double earned(SearchState const& search);

  std::optional<Jumps> jumps_;
  double credit_ = 0.0;  ///< entries that may be looked at
  double share_ = 1.0 / 128.0;
  std::int64_t pivots_ = 0;  ///< for which there was credit
};

}  // namespace osi_cuda::search
