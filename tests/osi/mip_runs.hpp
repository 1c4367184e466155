// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <time.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "CbcModel.hpp"
#include "OsiSolverInterface.hpp"

namespace osi_cuda::testing {

/// Of the calling thread: what other programs do counts less than in wall time.
inline std::int64_t processorNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

/// What solves cost, summed over all clones of one solver.
struct SolveCount {
  std::atomic<std::int64_t> solves{0}, iterations{0}, nanoseconds{0}, abandoned{0};
  double millisecondsPerSolve() const {
    return solves > 0 ? 1e-6 * static_cast<double>(nanoseconds) / static_cast<double>(solves) : 0.0;
  }
};

/// A solver interface that counts and times its solves.
template <class Base>
class Counting : public Base {
 public:
  Counting() : count_(std::make_shared<SolveCount>()) {}
  OsiSolverInterface* clone(bool copyData = true) const override {
    return copyData ? new Counting(*this) : new Counting();
  }
  void initialSolve() override {
    timed([this] { Base::initialSolve(); });
  }
  void resolve() override {
    timed([this] { Base::resolve(); });
  }
  void solveFromHotStart() override {
    timed([this] { Base::solveFromHotStart(); });
  }
  SolveCount const& count() const { return *count_; }

 private:
  template <class Solve>
  void timed(Solve solve) {
    std::int64_t const begin = processorNanoseconds();
    solve();
    count_->nanoseconds += processorNanoseconds() - begin;
    ++count_->solves;
    count_->iterations += this->getIterationCount();
    count_->abandoned += this->isAbandoned() ? 1 : 0;
  }
  std::shared_ptr<SolveCount> count_;
};

/// Which cut generators and heuristics a run uses.
struct Mix {
  char const* name;
  unsigned cuts;  ///< bits of Cuts
  bool heuristics;
  bool preprocess;
  bool onlyPump = false;  ///< of the heuristics rounding and the feasibility pump only
};
enum Cuts : unsigned {
  probing = 1,
  gomory = 2,
  knapsack = 4,
  redSplit = 8,
  clique = 16,
  mir = 32,
  flow = 64,
  twoMir = 128,
  gmi = 256,
  redSplit2 = 512,
  liftAndProject = 1024,
  allCuts = probing | gomory | knapsack | redSplit | clique | mir | flow | twoMir
};
/// The nine mixes that acceptance asks for.
std::vector<Mix> const& mixes();
/// What rates of re-solves are measured with: seven cut generators, rounding and the feasibility
/// pump.
Mix const& resolveMix();
/// The same with the cuts of `--cuts few`, for dense rows: probing and cliques.
Mix const& fewCutsMix();

/// Adds the generators of these bits of Cuts to a model.
void addCuts(CbcModel& model, unsigned cuts);

struct MipRun {
  bool proved = false;
  double objective = 0.0;
  int nodes = 0;
  double seconds = 0.0;  ///< wall time
  double gap = 0.0;      ///< of bound and objective, by the latter's size
};

/// Where a search ends before its proof (not with preprocessing).
struct MipLimits {
  double seconds = 0.0;  ///< of processor time, or with threads of wall time; 0: none
  double gap = 0.0;      ///< the fraction of the objective that the bound may differ by
  bool wall = false;     ///< seconds are wall time with one thread, too
};

/// Branch and bound on a copy of `solver`, which holds the problem.
MipRun branchAndCut(OsiSolverInterface const& solver, Mix const& mix, int threads = 0,
                    MipLimits const& limits = {});

}  // namespace osi_cuda::testing
