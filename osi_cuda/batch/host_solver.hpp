// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/host_team.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/batch/variant_host_team.hpp"

namespace osi_cuda::batch {

/// Where the answer of one problem goes, unless nobody wants it.
struct AnswerTarget {
  bool wanted = false;
  double* x = nullptr;
  double* y = nullptr;
  VariableStatus* columnStatus = nullptr;
  VariableStatus* rowStatus = nullptr;
};

/// The parts of answers that have no place in the results, in memory that is kept.
class AnswerMemory {
 public:
  /// Where an answer of m rows and n columns goes: to the target, and what that lacks here.
  SmallAnswer place(int m, int n, AnswerTarget const& target);
  /// Of the last answer, which is infeasible or unbounded; without numbers where bounds cross.
  BatchCertificate certificate(SmallReport const& report) const;
  /// The basis of the last answer, columns and rows.
  std::vector<VariableStatus> statuses() const;

 private:
  std::size_t rows_ = 0, columns_ = 0;
  SmallAnswer answer_;
  std::vector<double> x_, y_, yLow_, ray_, rayLow_;
  std::vector<std::uint8_t> columnStatus_, rowStatus_;
};

/// Solves one problem after the other on the calling thread, in memory that it keeps: a small
/// problem, or the changes of a variant.
template <class Team, class Problem, class Settings>
class ThreadSolver {
 public:
  template <class... Arguments>
  explicit ThreadSolver(std::atomic<bool> const& interrupt, Arguments const&... ofTeam)
      : team_(ofTeam..., interrupt) {}

  /// Whether a problem of this size is one for it: to the ordinary solver's delayed updates and
  /// sparse factors belong those whose tableau does not lie in a cache.
  static bool fits(int rows, int columns) {
    constexpr std::int64_t mostCells = 300000;
    return std::int64_t{rows} * columns <= mostCells &&
           std::int64_t{rows} + columns <= mostCells + 1;
  }

  SmallReport solve(Problem const& problem, Settings const& settings, AnswerTarget const& target);
  /// Of the last answer.
  AnswerMemory const& memory() const { return memory_; }

 protected:
  Team team_;
  AnswerMemory memory_;
};
using HostSolver = ThreadSolver<HostTeam, SmallProblem, SmallSettings>;

class VariantHostSolver : public ThreadSolver<VariantHostTeam, VariantChanges, VariantSettings> {
 public:
  using ThreadSolver::ThreadSolver;

  /// What solve() begins at.
  void use(VariantBase const& base) { team_.use(base); }
  /// Goes to a basis with the variant's numbers. Returns how many variables are infeasible there,
  /// primal and dual; INT_MAX where the variant's changes make the basis singular.
  int enter(VariantBase const& base, VariantChanges const& changes,
            VariantSettings const& settings);
  /// Goes on from there.
  SmallReport solveEntered(VariantSettings const& settings, AnswerTarget const& target);
  /// Whether Farkas multipliers y with A'y = `product` seem to prove the variant that was entered
  /// infeasible: a sum without the variant's coefficients and without bounds of its rounding.
  bool seemsRefutedBy(std::vector<double> const& y, std::vector<double> const& product) const;
  /// The same for certain, as any other certificate: infeasible, or no answer. The variant has to
  /// be entered again before anything else.
  SmallReport refute(std::vector<double> const& y, std::vector<double> const& yLow,
                     VariantSettings const& settings, AnswerTarget const& target);

 private:
  bool entered_ = false;
};

/// The problem as the ordinary solver takes it.
LinearProgram toLinearProgram(SmallProblem const& problem);

}  // namespace osi_cuda::batch
