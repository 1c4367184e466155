// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "CbcModel.hpp"
#include "OsiSolverInterface.hpp"

namespace osi_cuda::testing {

/// Of the calling thread, or of all threads of the process where `ofProcess`: what other programs
/// do counts less than in wall time.
inline std::int64_t processorNanoseconds(bool ofProcess = false) {
  timespec now{};
  clock_gettime(ofProcess ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &now);
  return std::int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

/// What a solver interface is asked for.
enum class CallKind { solve, mark, rows, basis, tableau, copy };
constexpr std::array callKinds{"solves", "marks", "rows", "bases", "tableau", "copies"};

/// What calls cost, summed over all clones of one solver.
struct SolveCount {
  std::atomic<std::int64_t> solves{0}, iterations{0}, nanoseconds{0}, abandoned{0};
  std::array<std::atomic<std::int64_t>, callKinds.size()> calls{}, nanosecondsOf{};
  bool ofProcess = false;  ///< times are the process's: one thread searches
  double millisecondsPerSolve() const {
    return solves > 0 ? 1e-6 * static_cast<double>(nanoseconds) / static_cast<double>(solves) : 0.0;
  }
};

/// Counts and times one call. What a call makes in turn is its own.
class TimedCall {
 public:
  TimedCall(SolveCount& count, int& depth, CallKind kind)
      : count_(count),
        depth_(depth),
        kind_(static_cast<std::size_t>(kind)),
        begin_(processorNanoseconds(count.ofProcess)) {
    ++depth_;
  }
  ~TimedCall() {
    if (--depth_ > 0) return;
    count_.nanosecondsOf[kind_] += nanoseconds();
    ++count_.calls[kind_];
  }
  std::int64_t nanoseconds() const { return processorNanoseconds(count_.ofProcess) - begin_; }

 private:
  SolveCount& count_;
  int& depth_;
  std::size_t kind_;
  std::int64_t begin_;
};

/// The count of an interface, which outlives the interface itself and so times its end.
class Counted {
 public:
  Counted() : count_(std::make_shared<SolveCount>()) {}
  Counted(Counted const& other) : count_(other.count_) {}
  Counted& operator=(Counted const&) = delete;
  ~Counted() {
    auto& copies = count_->nanosecondsOf[static_cast<std::size_t>(CallKind::copy)];
    copies += processorNanoseconds(count_->ofProcess) - end_;
  }

 protected:
  void beginEnd() { end_ = processorNanoseconds(count_->ofProcess); }

  std::shared_ptr<SolveCount> count_;
  mutable int depth_ = 0;

 private:
  std::int64_t end_ = 0;
};

/// A solver interface that counts and times its solves, and what else takes more than a look.
template <class Base>
class Counting : private Counted, public Base {
 public:
  Counting() = default;
  Counting(Counting const&) = default;
  Counting& operator=(Counting const&) = delete;
  ~Counting() override { beginEnd(); }
  OsiSolverInterface* clone(bool copyData = true) const override {
    TimedCall const call(*count_, depth_, CallKind::copy);
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
  void markHotStart() override {
    TimedCall const call(*count_, depth_, CallKind::mark);
    Base::markHotStart();
  }
  void unmarkHotStart() override {
    TimedCall const call(*count_, depth_, CallKind::mark);
    Base::unmarkHotStart();
  }
  void applyRowCuts(int n, OsiRowCut const* cuts) override {
    TimedCall const call(*count_, depth_, CallKind::rows);
    Base::applyRowCuts(n, cuts);
  }
  void applyRowCuts(int n, OsiRowCut const** cuts) override {
    TimedCall const call(*count_, depth_, CallKind::rows);
    Base::applyRowCuts(n, cuts);
  }
  OsiSolverInterface::ApplyCutsReturnCode applyCuts(OsiCuts const& cuts,
                                                    double effectiveness = 0.0) override {
    TimedCall const call(*count_, depth_, CallKind::rows);
    return Base::applyCuts(cuts, effectiveness);
  }
  void deleteRows(int n, int const* rows) override {
    TimedCall const call(*count_, depth_, CallKind::rows);
    Base::deleteRows(n, rows);
  }
  void restoreBaseModel(int rows) override {
    TimedCall const call(*count_, depth_, CallKind::rows);
    Base::restoreBaseModel(rows);
  }
  CoinWarmStart* getWarmStart() const override {
    TimedCall const call(*count_, depth_, CallKind::basis);
    return Base::getWarmStart();
  }
  bool setWarmStart(CoinWarmStart const* start) override {
    TimedCall const call(*count_, depth_, CallKind::basis);
    return Base::setWarmStart(start);
  }
  void enableFactorization() const override {
    TimedCall const call(*count_, depth_, CallKind::tableau);
    Base::enableFactorization();
  }
  void getBasics(int* index) const override {
    TimedCall const call(*count_, depth_, CallKind::tableau);
    Base::getBasics(index);
  }
  void getBInvRow(int row, double* z) const override {
    TimedCall const call(*count_, depth_, CallKind::tableau);
    Base::getBInvRow(row, z);
  }
  void getBInvARow(int row, double* z, double* slack = nullptr) const override {
    TimedCall const call(*count_, depth_, CallKind::tableau);
    Base::getBInvARow(row, z, slack);
  }
  SolveCount const& count() const { return *count_; }
  /// To be called before the first solve.
  void timeProcess() { count_->ofProcess = true; }

 private:
  template <class Solve>
  void timed(Solve solve) {
    TimedCall const call(*count_, depth_, CallKind::solve);
    solve();
    count_->nanoseconds += call.nanoseconds();
    ++count_->solves;
    count_->iterations += this->getIterationCount();
    count_->abandoned += this->isAbandoned() ? 1 : 0;
  }
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
