// SPDX-License-Identifier: EPL-2.0
// Branch and cut by Cbc, with Cgl's cuts at the root and where they were of use there.
#include <CbcModel.hpp>

#include <CbcCutGenerator.hpp>
#include <CbcEventHandler.hpp>
#include <CbcHeuristic.hpp>
#include <CbcHeuristicDiveCoefficient.hpp>
#include <CbcHeuristicFPump.hpp>
#include <CbcHeuristicRINS.hpp>
#include <CglClique.hpp>
#include <CglGomory.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <stdexcept>

#include "osi/state.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/integers/cbc_module.hpp"

namespace osi_cuda {
namespace {

/// From so many entries on, and where that share of all is not zero, cuts cost more than they gain
/// (docs/evidence/integers.md, "What do cut generators cost on dense rows?").
constexpr double denseEntries = 1e4, denseShare = 0.04;

/// Whether coefficients of a row differ by so much that cuts made of rows of the tableau, in
/// doubles, are off by more than the tolerance that makes a value whole: big-M rows.
bool hasWideRows(OsiSolverInterface const& solver) {
  constexpr double wide = 1e5;
  CoinPackedMatrix const& rows = *solver.getMatrixByRow();
  for (int i = 0; i < rows.getNumRows(); ++i) {
    double least = COIN_DBL_MAX, most = 0.0;
    auto const row = rows.getVector(i);
    for (int e = 0; e < row.getNumElements(); ++e) {
      double const size = std::fabs(row.getElements()[e]);
      if (size > 0.0) least = std::min(least, size);
      most = std::max(most, size);
    }
    if (most >= wide * least) return true;
  }
  return false;
}

/// Those of Cgl's that cut off no optimum in a test beside enumeration; CglProbing,
/// CglKnapsackCover, CglFlowCover and CglTwomir did (docs/guide/integers.md, "Cut generators").
void addCuts(CbcModel& model, Cuts cuts) {
  if (cuts == Cuts::off) return;
  double const entries = model.solver()->getNumElements();
  bool const dense =
      entries >= denseEntries && entries >= denseShare * model.getNumRows() * model.getNumCols();
  bool const few = cuts == Cuts::few || (cuts == Cuts::automatic && dense);
  auto const add = [&](auto&& generator, char const* name) {
    constexpr int whereUseful = -1;  // Cbc decides at the root
    model.addCutGenerator(&generator, whereUseful, name);
  };
  CglClique clique;
  clique.setStarCliqueReport(false);
  clique.setRowCliqueReport(false);
  add(clique, "Clique");
  if (few) return;
  if (!hasWideRows(*model.solver())) {
    CglGomory gomory;
    gomory.setLimit(300);
    add(gomory, "Gomory");
  }
  add(CglMixedIntegerRounding2(), "MixedIntegerRounding2");
}

/// What Cbc says of its end, and by what it was stopped.
Status endOf(CbcModel const& model) {
  if (model.isProvenOptimal()) return Status::optimal;
  if (model.isProvenInfeasible()) return Status::infeasible;
  if (model.isContinuousUnbounded() || model.isProvenDualInfeasible()) return Status::unbounded;
  constexpr int nodes = 3, iterations = 8;
  int const why = model.secondaryStatus();
  return why == nodes || why == iterations ? Status::iterationLimit : Status::numerical;
}

/// What the searching threads and the one that called have in common.
struct Board {
  /// The search is to end. From then on nothing is known: a linear program ends early, and Cbc
  /// believes its answer, or drops a node since an event has happened.
  std::atomic<bool> stop = false;
  std::atomic<std::int64_t> solves = 0, doubts = 0;
  std::atomic<std::int64_t> wholes = 0;  ///< nodes without branches that seem to have a point
  std::mutex mutex;                      ///< of the rest
  SearchProgress present;
  std::vector<std::pair<SearchProgress, std::vector<double>>> incumbents;  ///< not told yet
};

/// The linear programs of a search. Cbc drops a node whose status is not optimal, and one whose
/// integers are whole to its tolerance, once it has the best point with these integers or sees that
/// there is none. So this class counts its solves, ends them with the search, asks again where no
/// status was proved, notes where none could be, and has Cbc branch where whole values say nothing.
class NodeSolver final : public OsiCudaSolverInterface {
 public:
  static constexpr double whole = 1e-7;  ///< Cbc's tolerance

  explicit NodeSolver(std::shared_ptr<Board> board) : board_(std::move(board)) {
    takePointsInTwoParts();  // the bound is proved, and the values are for branching
    setInterrupt([board = board_] { return board->stop.load(); });
  }
  OsiSolverInterface* clone(bool copyData = true) const override {
    return copyData ? new NodeSolver(*this) : new NodeSolver(board_);
  }
  void initialSolve() override {
    begin();
    OsiCudaSolverInterface::initialSolve();
    finish();
  }
  void resolve() override {
    begin();
    OsiCudaSolverInterface::resolve();
    finish();
  }
  void solveFromHotStart() override {
    begin();
    OsiCudaSolverInterface::solveFromHotStart();
    separate();
  }
  bool isAbandoned() const override { return false; }  // that would end the search
  bool isIterationLimitReached() const override {
    return doubtful_ || OsiCudaSolverInterface::isIterationLimitReached();
  }
  /// That of the optimum, also where a value was moved for branching.
  double getObjValue() const override {
    return moved_ ? objective_ : OsiCudaSolverInterface::getObjValue();
  }
  void setColSolution(double const* values) override {
    moved_ = false;
    OsiCudaSolverInterface::setColSolution(values);
  }

 private:
  void begin() {
    ++board_->solves;
    doubtful_ = moved_ = false;
    messageHandler()->setLogLevel(-1);  // Cbc raises it
  }

  /// Solve() has tried its ways. What is left is to begin at the slacks with rational arithmetic.
  void finish() {
    auto const unproved = [this] {
      return OsiCudaSolverInterface::isAbandoned() ||
             OsiCudaSolverInterface::isIterationLimitReached();
    };
    if (unproved() && !board_->stop) {
      std::unique_ptr<CoinWarmStart> const slacks(getEmptyWarmStart());
      setWarmStart(slacks.get());
      setSolverOption("exact", "on");
      OsiCudaSolverInterface::initialSolve();
      setSolverOption("exact", "auto");
      doubtful_ = unproved();
      if (doubtful_) ++board_->doubts;
    }
    separate();
  }

  /// Where all integers are whole to the tolerance, but not exactly, they may not be so at any
  /// point of the same objective: b = 1e-8 in x <= 1e8 b. Cbc gets a value then that it has to
  /// branch on: that is always right. A column that is fixed can be off its bound as well, and a
  /// value of another column be whole only due to that.
  void separate() {
    if (!isProvenOptimal() || isDualObjectiveLimitReached()) return;
    double const* const x = getColSolution();
    int chosen = -1, open = -1;
    bool exact = true;
    double most = 0.0;
    CoinPackedMatrix const& matrix = *getMatrixByCol();
    for (int j = 0; j < getNumCols(); ++j) {
      if (!isInteger(j)) continue;
      double const off = std::fabs(x[j] - std::round(x[j]));
      if (off > whole) return;
      bool const fixed = getColLower()[j] == getColUpper()[j];
      if (!fixed) open = j;
      if (off == 0.0) continue;
      auto const column = matrix.getVector(j);
      double share = std::fabs(getObjCoefficients()[j]);
      for (int e = 0; e < column.getNumElements(); ++e)
        share = std::max(share, std::fabs(column.getElements()[e]));
      constexpr double rounding = 1e-14;
      if (off * share <= rounding * std::max(1.0, std::fabs(x[j]))) continue;
      exact = false;
      if (fixed || off * share <= most) continue;
      most = off * share;
      chosen = j;
    }
    if (open < 0) return;
    if (exact || isComplete()) {
      ++board_->wholes;
      return;
    }
    if (chosen < 0) chosen = open;
    objective_ = OsiCudaSolverInterface::getObjValue();
    std::vector<double> values(x, x + getNumCols());
    double const nearest = std::round(values[at(chosen)]);
    bool const up = nearest < getColUpper()[chosen] &&
                    (values[at(chosen)] > nearest || nearest <= getColLower()[chosen]);
    values[at(chosen)] = nearest + (up ? 10.0 : -10.0) * whole;
    OsiCudaSolverInterface::setColSolution(values.data());
    moved_ = true;
  }

  /// Is there a point with these integers, made whole, that is as good as this one? Cbc solves once
  /// more for it, and what the tolerance allows depends on the basis. So it has to be there but for
  /// rounding, or where Cbc begins.
  bool isComplete() const {
    OsiCudaSolverInterface fixed(*this);
    for (int j = 0; j < getNumCols(); ++j) {
      double const value = std::round(getColSolution()[j]);
      if (isInteger(j)) fixed.setColBounds(j, value, value);
    }
    constexpr double same = 1e-9;
    fixed.setDblParam(OsiPrimalTolerance, same);
    fixed.resolve();
    if (!fixed.isProvenOptimal()) {
      double own = 0.0;
      getDblParam(OsiPrimalTolerance, own);
      fixed.setDblParam(OsiPrimalTolerance, own);
      fixed.initialSolve();
    }
    double const objective = OsiCudaSolverInterface::getObjValue();
    return fixed.isProvenOptimal() &&
           fixed.getObjValue() - objective <= same * (1.0 + std::fabs(objective));
  }

  std::shared_ptr<Board> board_;
  bool doubtful_ = false;  ///< the last solve has no proved status
  bool moved_ = false;     ///< a value was moved for branching
  double objective_ = 0.0;
};

/// No point is better: what Cbc says, but for nodes that it leaves out since they are better than
/// the incumbent by less than the increment `given`. An increment that Cbc found to be larger
/// follows from integer costs: nothing lies between.
double boundOf(CbcModel const& model, double given) {
  double const bound = model.getBestPossibleObjValue();
  if (!model.bestSolution()) return bound;
  return std::min(bound, model.getObjValue() - (model.getCutoffIncrement() <= given ? given : 0.0));
}

/// Posts what happens in the main model; those of heuristics and threads are others.
class Poster final : public CbcEventHandler {
 public:
  Poster(CbcModel const* whole, std::shared_ptr<Board> board)
      : whole_(whole), increment_(whole->getCutoffIncrement()), board_(std::move(board)) {}
  CbcEventHandler* clone() const override { return new Poster(*this); }
  CbcAction event(CbcEvent what) override {
    if (model_ == whole_ &&
        (what == node || what == treeStatus || what == solution || what == heuristicSolution)) {
      std::lock_guard const lock(board_->mutex);
      SearchProgress& present = board_->present;
      present.nodes = model_->getNodeCount();
      double const bound = boundOf(*model_, increment_);
      if (!board_->stop && board_->doubts == 0 && std::fabs(bound) < 1e50)
        present.bound = std::max(present.bound, bound);
      double const* const best = model_->bestSolution();
      if ((what == solution || what == heuristicSolution) && best) {
        present.objective = model_->getObjValue();
        board_->incumbents.emplace_back(present,
                                        std::vector<double>(best, best + model_->getNumCols()));
      }
    }
    return board_->stop ? stop : noAction;
  }

 private:
  CbcModel const* whole_;
  double increment_;  ///< before Cbc looks for a larger one
  std::shared_ptr<Board> board_;
};

void load(OsiCudaSolverInterface& root, SearchRequest const& request) {
  LinearProgram const& lp = request.problem;
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  root.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                   lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
                   lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  root.setDblParam(OsiObjOffset, 0.0 - lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[at(j)]) root.setInteger(j);
  Options options = request.options;
  // Limits are the search's. Rational arithmetic is for its result, not for each node.
  options.timeLimit = Options().timeLimit;
  options.iterationLimit = Options().iterationLimit;
  if (options.exact == Toggle::on) options.exact = Toggle::automatic;
  if (options.searchThreads > 1 && options.threads == 0) options.threads = 1;
  for (OptionRecord const& record : optionTable())
    root.setSolverOption(record.name, record.get(options));
  root.setDblParam(OsiPrimalTolerance, options.primalTolerance);
  root.setDblParam(OsiDualTolerance, options.dualTolerance);
  root.setIntParam(OsiMaxNumIteration, std::numeric_limits<int>::max());
  CoinWarmStartBasis basis;
  basis.setSize(lp.columns(), lp.rows());
  for (int j = 0; j < lp.columns(); ++j)
    basis.setStructStatus(j, osi::toCoin(request.basis.columns[at(j)]));
  for (int i = 0; i < lp.rows(); ++i)
    basis.setArtifStatus(i, osi::toCoin(osi::otherBound(request.basis.rows[at(i)])));
  root.setWarmStart(&basis);
}

void prepare(CbcModel& model, SearchRequest const& request) {
  Options const& options = request.options;
  model.setLogLevel(-1);
  addCuts(model, options.cuts);
  CbcRounding rounding(model);
  CbcHeuristicFPump pump(model);
  pump.setMaximumPasses(20);
  CbcHeuristicDiveCoefficient dive(model);
  CbcHeuristicRINS rins(model);
  for (CbcHeuristic* const heuristic :
       std::initializer_list<CbcHeuristic*>{&rounding, &pump, &dive, &rins})
    model.addHeuristic(heuristic);
  model.setNumberStrong(5);  // as Cbc's own program
  model.setNumberBeforeTrust(10);
  model.setIntegerTolerance(NodeSolver::whole);
  constexpr double widest = 1e20;  // Cbc's cutoff is 1e50, less the increment
  double const gap = std::min(options.absoluteGap, widest);
  model.setAllowableGap(gap);
  model.setAllowableFractionGap(std::min(options.relativeGap, widest));
  // Cbc takes its own default for something else.
  constexpr double own = 1e-5;
  model.setCutoffIncrement(gap == own ? std::nextafter(own, 0.0) : gap);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  model.setMaximumNodes(static_cast<int>(std::min(options.nodeLimit, most)));
  if (options.iterationLimit < most)
    model.setMaximumNumberIterations(static_cast<int>(options.iterationLimit));
  model.setRandomSeed(static_cast<int>(options.seed % most));
  if (options.searchThreads > 1 && CbcModel::haveMultiThreadSupport())
    model.setNumberThreads(options.searchThreads);
  if (!request.start.empty())
    model.setBestSolution(request.start.data(), model.getNumCols(), request.startObjective);
}

SearchOutcome branchAndCut(SearchRequest const& request, std::shared_ptr<Board> const& board) {
  NodeSolver solver(board);
  load(solver, request);
  CbcModel model(solver);
  prepare(model, request);
  Poster const poster(&model, board);
  model.passInEventHandler(&poster);
  double const increment = model.getCutoffIncrement();
  SearchOutcome outcome;
  model.initialSolve();
  OsiSolverInterface const& root = *model.solver();
  if (root.isProvenPrimalInfeasible()) {
    outcome.status = Status::infeasible;
  } else if (root.isProvenDualInfeasible()) {
    outcome.status = Status::unbounded;
  } else if (root.isProvenOptimal()) {
    model.branchAndBound();
    outcome.status = endOf(model);
    outcome.last.bound = boundOf(model, increment);
    if (double const* const best = model.bestSolution()) {
      outcome.values.assign(best, best + model.getNumCols());
      outcome.last.objective = model.getObjValue();
    }
  }
  outcome.iterations = model.getIterationCount();
  outcome.last.nodes = model.getNodeCount();
  for (int k = 0; k < model.numberCutGenerators(); ++k)
    outcome.cuts += model.cutGenerator(k)->numberCutsInTotal();
  return outcome;
}

/// On a thread of its own, so that the calling one can listen to its user whatever Cbc does.
SearchOutcome searchByCbc(SearchRequest const& request) {
  auto const board = std::make_shared<Board>();
  board->present.bound = request.bound;
  Stopwatch const watch;
  auto searching = std::async(std::launch::async, [&] {
    try {
      return branchAndCut(request, board);
    } catch (CoinError const& error) {  // which is no std::exception
      throw std::runtime_error("the search failed: " + error.message());
    } catch (char const* what) {  // nor is this, which Cgl throws
      throw std::runtime_error(std::string("the search failed: ") + what);
    }
  });
  struct Stop {  // also where a callback throws
    Board& board;
    ~Stop() { board.stop = true; }
  } const stopAtTheEnd{*board};
  auto const tell = [&] {
    decltype(board->incumbents) incumbents;
    SearchProgress present;
    {
      std::lock_guard const lock(board->mutex);
      incumbents.swap(board->incumbents);
      present = board->present;
    }
    present.seconds = watch.seconds();
    for (auto& [at, values] : incumbents) {
      at.seconds = present.seconds;
      if (request.callbacks.incumbent) request.callbacks.incumbent(at, values);
    }
    if (request.callbacks.search) request.callbacks.search(present);
  };
  while (searching.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (!board->stop && request.interrupted()) board->stop = true;
    tell();
  }
  SearchOutcome outcome = searching.get();
  tell();
  outcome.solves = board->solves;
  outcome.doubts = board->doubts;
  // Cbc has found none of their points, and has not branched.
  if (outcome.status == Status::infeasible) outcome.doubts += board->wholes;
  if (board->stop) {
    outcome.status = Status::interrupted;
    outcome.last.bound = board->present.bound;
  }
  return outcome;
}

}  // namespace
}  // namespace osi_cuda

extern "C" __attribute__((visibility("default"))) osi_cuda::CbcModule const* osiCudaCbc() {
  static constexpr osi_cuda::CbcModule module{OSI_CUDA_CBC_INTERFACE, osi_cuda::searchByCbc};
  return &module;
}
