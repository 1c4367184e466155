// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CbcModel.hpp"
#include "OsiSolverInterface.hpp"

namespace osi_cuda::testing {

/// Of a clock of clock_gettime. That of a thread or a process counts their processor time: what
/// other programs do counts less than by the clock on the wall, and a wait for a device not at all.
inline std::int64_t nanosecondsNow(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{1000000000} * now.tv_sec + now.tv_nsec;
}

/// What a solver interface is asked for.
enum class CallKind { cold, resolve, hot, mark, rows, basis, tableau, copy };
constexpr std::array callKinds{"cold", "resolve", "hot",     "marks",
                               "rows", "bases",   "tableau", "copies"};

/// What calls cost, summed over all clones of one solver.
struct SolveCount {
  using ByKind = std::array<std::atomic<std::int64_t>, callKinds.size()>;
  ByKind calls{}, nanosecondsOf{}, pivotsOf{};
  std::atomic<std::int64_t> abandoned{0}, onDevice{0};  ///< of re-solves: onDevice
  clockid_t clock = CLOCK_THREAD_CPUTIME_ID;

  /// Of those kinds together.
  std::int64_t number(std::initializer_list<CallKind> kinds) const { return sum(calls, kinds); }
  std::int64_t pivots(std::initializer_list<CallKind> kinds) const { return sum(pivotsOf, kinds); }
  double seconds(std::initializer_list<CallKind> kinds) const {
    return 1e-9 * static_cast<double>(sum(nanosecondsOf, kinds));
  }
  static constexpr std::initializer_list<CallKind> solves{CallKind::cold, CallKind::resolve,
                                                          CallKind::hot},
      resolves{CallKind::resolve, CallKind::hot};

 private:
  static std::int64_t sum(ByKind const& all, std::initializer_list<CallKind> kinds) {
    std::int64_t total = 0;
    for (CallKind const kind : kinds) total += all[static_cast<std::size_t>(kind)];
    return total;
  }
};

/// Counts and times one call. What a call makes in turn is its own.
class TimedCall {
 public:
  TimedCall(SolveCount& count, int& depth, CallKind kind)
      : count_(count),
        depth_(depth),
        kind_(static_cast<std::size_t>(kind)),
        begin_(nanosecondsNow(count.clock)) {
    ++depth_;
  }
  ~TimedCall() {
    if (--depth_ > 0) return;
    count_.nanosecondsOf[kind_] += nanosecondsNow(count_.clock) - begin_;
    ++count_.calls[kind_];
  }

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
    copies += nanosecondsNow(count_->clock) - end_;
  }

 protected:
  void beginEnd() { end_ = nanosecondsNow(count_->clock); }

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
    timed(CallKind::cold, [this] { Base::initialSolve(); });
  }
  void resolve() override {
    timed(CallKind::resolve, [this] { Base::resolve(); });
  }
  void solveFromHotStart() override {
    timed(CallKind::hot, [this] { Base::solveFromHotStart(); });
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
  void timeBy(clockid_t clock) { count_->clock = clock; }

 private:
  template <class Solve>
  void timed(CallKind kind, Solve solve) {
    TimedCall const call(*count_, depth_, kind);
    solve();
    count_->pivotsOf[static_cast<std::size_t>(kind)] += this->getIterationCount();
    count_->abandoned += this->isAbandoned() ? 1 : 0;
    if constexpr (requires { this->getEngineName(); })
      count_->onDevice += kind != CallKind::cold && this->getEngineName() != "host" ? 1 : 0;
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

struct CutCheck;
/// Adds the generators of these bits of Cuts to a model.
void addCuts(CbcModel& model, unsigned cuts, CutCheck* check = nullptr);

struct MipRun {
  bool proved = false;
  double objective = 0.0;
  int nodes = 0;
  double seconds = 0.0;       ///< wall time
  std::vector<double> point;  ///< the best one
  double gap = 0.0;           ///< of bound and objective, by the latter's size
};

/// Where a search ends before its proof (not with preprocessing).
struct MipLimits {
  double seconds = 0.0;  ///< of processor time, or with threads of wall time; 0: none
  double gap = 0.0;      ///< the fraction of the objective that the bound may differ by
  bool wall = false;     ///< seconds are wall time with one thread, too
};

/// Holds cuts against a point that all of them have to keep, in nodes that contain it.
struct CutCheck {
  struct Generator {
    std::atomic<std::int64_t> cuts = 0, wrong = 0;
    std::atomic<double> worst = 0.0;  ///< the most by which a cut misses the point
  };
  std::vector<double> optimum;
  std::map<std::string, std::shared_ptr<Generator>> generators;  ///< over all runs
  std::int64_t wrong() const {
    std::int64_t sum = 0;
    for (auto const& [name, generator] : generators) sum += generator->wrong;
    return sum;
  }
};

/// Branch and bound on a copy of `solver`, which holds the problem.
MipRun branchAndCut(OsiSolverInterface const& solver, Mix const& mix, int threads = 0,
                    MipLimits const& limits = {}, CutCheck* check = nullptr);

}  // namespace osi_cuda::testing
