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
#include <CglFlowCover.hpp>
#include <CglGomory.hpp>
#include <CglKnapsackCover.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <CglProbing.hpp>
#include <CglTwomir.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <stdexcept>

#include "osi/state.hpp"
#include "osi_cuda/integers/cbc_module.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda {
namespace {

/// From so many entries on, and where that share of all is not zero, cuts cost more than they gain
/// (docs/evidence/osi.md, "What do cut generators cost on dense rows?").
constexpr double denseEntries = 1e4, denseShare = 0.04;

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
  CglProbing probing;
  probing.setUsingObjective(1);
  probing.setMaxPass(3);
  probing.setMaxProbe(100);
  probing.setMaxLook(50);
  probing.setRowCuts(3);
  CglClique clique;
  clique.setStarCliqueReport(false);
  clique.setRowCliqueReport(false);
  add(probing, "Probing");
  add(clique, "Clique");
  if (few) return;
  add(CglKnapsackCover(), "Knapsack");
  CglGomory gomory;
  gomory.setLimit(300);
  add(gomory, "Gomory");
  add(CglMixedIntegerRounding2(), "MixedIntegerRounding2");
  add(CglFlowCover(), "FlowCover");
  add(CglTwomir(), "TwoMIR");
}

Status endOf(CbcModel const& model) {
  if (model.isProvenOptimal()) return Status::optimal;
  if (model.isProvenInfeasible()) return Status::infeasible;
  if (model.isContinuousUnbounded() || model.isProvenDualInfeasible()) return Status::unbounded;
  return model.isAbandoned() ? Status::numerical : Status::iterationLimit;
}

/// A number of `model` in the sense of its problem, which Cbc turns for the time of a search.
double inSense(double sense, CbcModel const& model, double value) {
  return sense * model.getObjSense() * value;
}

/// From the relaxation on. The bound is Cbc's, but for the nodes that it leaves out because they
/// are better than the incumbent by less than the increment `given`.
SearchOutcome branchAndCut(CbcModel& model, double given) {
  SearchOutcome outcome;
  double const sense = model.getObjSense();
  model.initialSolve();
  OsiSolverInterface const& root = *model.solver();
  if (root.isProvenPrimalInfeasible()) {
    outcome.status = Status::infeasible;
  } else if (root.isProvenDualInfeasible()) {
    outcome.status = Status::unbounded;
  } else if (root.isProvenOptimal()) {
    model.branchAndBound();
    outcome.status = endOf(model);
    outcome.last.bound = inSense(sense, model, model.getBestPossibleObjValue());
    if (double const* const best = model.bestSolution()) {
      outcome.values.assign(best, best + model.getNumCols());
      outcome.last.objective = inSense(sense, model, model.getObjValue());
      constexpr int stoppedOnGap = 2;
      // An increment that Cbc found to be larger follows from integer costs: nothing lies between.
      if (outcome.status == Status::optimal && model.secondaryStatus() != stoppedOnGap &&
          model.getCutoffIncrement() <= given)
        outcome.last.bound -= sense * given;
    }
  } else {
    outcome.status = root.isAbandoned() ? Status::numerical : Status::iterationLimit;
  }
  outcome.iterations = model.getIterationCount();
  outcome.last.nodes = model.getNodeCount();
  for (int k = 0; k < model.numberCutGenerators(); ++k)
    outcome.cuts += model.cutGenerator(k)->numberCutsInTotal();
  return outcome;
}

SearchOutcome searchFrom(OsiSolverInterface& root) {
  CbcModel model(root);
  int const level = root.messageHandler()->logLevel();
  model.passInMessageHandler(root.messageHandler());
  model.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);  // no line a node
  model.setLogLevel(level);  // the hint has changed it where the solver has the same handler
  addCuts(model, Cuts::automatic);
  CbcRounding rounding(model);
  model.addHeuristic(&rounding);
  return branchAndCut(model, model.getCutoffIncrement());
}

/// What the searching threads and the one that called have in common.
struct Board {
  std::atomic<bool> stop = false;
  std::atomic<bool> cutShort =
      false;  ///< a linear program ended early, and Cbc believes its answer
  std::atomic<std::int64_t> solves = 0;
  std::mutex mutex;  ///< of the rest
  SearchProgress present;
  std::vector<std::pair<SearchProgress, std::vector<double>>> incumbents;  ///< not told yet
};

/// Counts its solves, and ends them with the search.
class NodeSolver final : public OsiCudaSolverInterface {
 public:
  explicit NodeSolver(std::shared_ptr<Board> board) : board_(std::move(board)) {
    setInterrupt([board = board_] { return board->stop && (board->cutShort = true); });
  }
  OsiSolverInterface* clone(bool copyData = true) const override {
    return copyData ? new NodeSolver(*this) : new NodeSolver(board_);
  }
  void initialSolve() override {
    begin();
    OsiCudaSolverInterface::initialSolve();
  }
  void resolve() override {
    begin();
    OsiCudaSolverInterface::resolve();
  }
  void solveFromHotStart() override {
    begin();
    OsiCudaSolverInterface::solveFromHotStart();
  }

 private:
  void begin() {
    ++board_->solves;
    messageHandler()->setLogLevel(0);  // Cbc raises it
  }
  std::shared_ptr<Board> board_;
};

/// Posts what happens in the main model; those of heuristics and threads are others.
class Poster final : public CbcEventHandler {
 public:
  Poster(CbcModel const* whole, double sense, std::shared_ptr<Board> board)
      : whole_(whole), sense_(sense), board_(std::move(board)) {}
  CbcEventHandler* clone() const override { return new Poster(*this); }
  CbcAction event(CbcEvent what) override {
    if (model_ == whole_ &&
        (what == node || what == treeStatus || what == solution || what == heuristicSolution)) {
      std::lock_guard const lock(board_->mutex);
      SearchProgress& present = board_->present;
      present.nodes = model_->getNodeCount();
      if (!board_->cutShort && std::fabs(model_->getBestPossibleObjValue()) < 1e50)
        present.bound = inSense(sense_, *model_, model_->getBestPossibleObjValue());
      double const* const best = model_->bestSolution();
      if ((what == solution || what == heuristicSolution) && best) {
        present.objective = inSense(sense_, *model_, model_->getObjValue());
        board_->incumbents.emplace_back(present,
                                        std::vector<double>(best, best + model_->getNumCols()));
      }
    }
    return board_->stop ? stop : noAction;
  }

 private:
  CbcModel const* whole_;
  double sense_;
  std::shared_ptr<Board> board_;
};

void load(OsiCudaSolverInterface& root, SearchRequest const& request) {
  LinearProgram lp = request.problem;
  lp.matrix.makeSparse();
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  root.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                   lp.matrix.values.data(), lp.columnLower.data(), lp.columnUpper.data(),
                   lp.objective.data(), lp.rowLower.data(), lp.rowUpper.data());
  root.setObjSense(lp.sense == Sense::maximize ? -1.0 : 1.0);
  root.setDblParam(OsiObjOffset, lp.objectiveOffset == 0.0 ? 0.0 : -lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[j]) root.setInteger(j);
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
  root.messageHandler()->setLogLevel(0);
  CoinWarmStartBasis basis;
  basis.setSize(lp.columns(), lp.rows());
  for (int j = 0; j < lp.columns(); ++j)
    basis.setStructStatus(j, osi::toCoin(request.basis.columns[j]));
  for (int i = 0; i < lp.rows(); ++i)
    basis.setArtifStatus(i, osi::toCoin(osi::otherBound(request.basis.rows[i])));
  root.setWarmStart(&basis);
}

void prepare(CbcModel& model, SearchRequest const& request) {
  Options const& options = request.options;
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
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
  model.setAllowableGap(options.absoluteGap);
  model.setAllowableFractionGap(options.relativeGap);
  // Cbc takes its own default for something else.
  constexpr double own = 1e-5;
  model.setCutoffIncrement(options.absoluteGap == own ? std::nextafter(own, 0.0)
                                                      : options.absoluteGap);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  model.setMaximumNodes(static_cast<int>(std::min(options.nodeLimit, most)));
  if (options.iterationLimit < most)
    model.setMaximumNumberIterations(static_cast<int>(options.iterationLimit));
  model.setUseElapsedTime(true);
  if (std::isfinite(options.timeLimit)) model.setMaximumSeconds(options.timeLimit);
  model.setRandomSeed(static_cast<int>(options.seed % most));
  if (options.searchThreads > 1 && CbcModel::haveMultiThreadSupport())
    model.setNumberThreads(options.searchThreads);
  if (!request.start.empty())
    model.setBestSolution(request.start.data(), model.getNumCols(),
                          model.getObjSense() * request.startObjective);
}

/// On a thread of its own, so that the calling one can listen to its user whatever Cbc does.
SearchOutcome search(SearchRequest const& request) {
  auto const board = std::make_shared<Board>();
  board->present.bound = request.bound;
  Stopwatch const watch;
  auto searching = std::async(std::launch::async, [&] {
    try {
      NodeSolver root(board);
      load(root, request);
      CbcModel model(root);
      prepare(model, request);
      Poster const poster(&model, root.getObjSense(), board);
      model.passInEventHandler(&poster);
      return branchAndCut(model, model.getCutoffIncrement());
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
  if (board->cutShort) {  // what Cbc says after that is said of an unsolved node
    outcome.status = Status::iterationLimit;
    outcome.last.bound = board->present.bound;
  }
  return outcome;
}

}  // namespace
}  // namespace osi_cuda

extern "C" __attribute__((visibility("default"))) osi_cuda::CbcModule const* osiCudaCbc() {
  static constexpr osi_cuda::CbcModule module{OSI_CUDA_CBC_INTERFACE, osi_cuda::search,
                                              osi_cuda::searchFrom};
  return &module;
}
