// SPDX-License-Identifier: EPL-2.0
#include "lab/osi/mip_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "CbcCompareDefault.hpp"
#include "CbcHeuristic.hpp"
#include "CbcHeuristicDiveCoefficient.hpp"
#include "CbcHeuristicFPump.hpp"
#include "CbcHeuristicGreedy.hpp"
#include "CbcHeuristicLocal.hpp"
#include "CbcHeuristicRINS.hpp"
#include "CglClique.hpp"
#include "CglFlowCover.hpp"
#include "CglGMI.hpp"
#include "CglGomory.hpp"
#include "CglKnapsackCover.hpp"
#include "CglMixedIntegerRounding2.hpp"
#include "CglPreProcess.hpp"
#include "CglProbing.hpp"
#include "CglRedSplit.hpp"
#include "CglRedSplit2.hpp"
#include "CglTwomir.hpp"

namespace osi_cuda::testing {
namespace {

/// A generator whose cuts are held against a point.
class Checked final : public CglCutGenerator {
 public:
  Checked(CglCutGenerator const& inner, std::vector<double> point,
          std::shared_ptr<CutCheck::Generator> found)
      : inner_(inner.clone()), point_(std::move(point)), found_(std::move(found)) {}
  Checked(Checked const& other)
      : CglCutGenerator(other),
        inner_(other.inner_->clone()),
        point_(other.point_),
        found_(other.found_) {}
  Checked& operator=(Checked const&) = delete;
  CglCutGenerator* clone() const override { return new Checked(*this); }
  void refreshSolver(OsiSolverInterface* solver) override { inner_->refreshSolver(solver); }
  bool mayGenerateRowCutsInTree() const override { return inner_->mayGenerateRowCutsInTree(); }
  bool needsOptimalBasis() const override { return inner_->needsOptimalBasis(); }
  void generateCuts(OsiSolverInterface const& solver, OsiCuts& cuts,
                    CglTreeInfo const info = CglTreeInfo()) override {
    int const before = cuts.sizeRowCuts();
    inner_->generateCuts(solver, cuts, info);
    for (std::size_t j = 0; j < point_.size(); ++j)
      if (point_[j] < solver.getColLower()[j] - 1e-6 || point_[j] > solver.getColUpper()[j] + 1e-6)
        return;
    for (int k = before; k < cuts.sizeRowCuts(); ++k) {
      double const missed = cuts.rowCut(k).violated(point_.data());
      ++found_->cuts;
      if (missed <= 1e-6) continue;
      ++found_->wrong;
      for (double worst = found_->worst;
           missed > worst && !found_->worst.compare_exchange_weak(worst, missed);) {
      }
    }
  }

 private:
  std::unique_ptr<CglCutGenerator> inner_;
  std::vector<double> point_;
  std::shared_ptr<CutCheck::Generator> found_;
};

}  // namespace

void addCuts(CbcModel& model, unsigned cuts, CutCheck* check) {
  auto const add = [&](unsigned bit, CglCutGenerator&& generator, char const* name) {
    if (!(cuts & bit)) return;
    if (!check) {
      model.addCutGenerator(&generator, -1, name);
      return;
    }
    auto& found = check->generators[name];
    if (!found) found = std::make_shared<CutCheck::Generator>();
    Checked checked(generator, check->optimum, found);
    model.addCutGenerator(&checked, -1, name);
  };
  CglProbing prober;
  prober.setUsingObjective(true);
  prober.setMaxPass(3);
  prober.setMaxProbe(100);
  prober.setMaxLook(50);
  prober.setRowCuts(3);
  add(probing, std::move(prober), "Probing");
  CglGomory gomoryCuts;
  gomoryCuts.setLimit(300);
  add(gomory, std::move(gomoryCuts), "Gomory");
  add(knapsack, CglKnapsackCover(), "Knapsack");
  add(redSplit, CglRedSplit(), "RedSplit");
  CglClique cliques;
  cliques.setStarCliqueReport(false);
  cliques.setRowCliqueReport(false);
  add(clique, std::move(cliques), "Clique");
  add(mir, CglMixedIntegerRounding2(), "MIR");
  add(flow, CglFlowCover(), "FlowCover");
  add(twoMir, CglTwomir(), "TwoMIR");
  add(gmi, CglGMI(), "GMI");
  add(redSplit2, CglRedSplit2(), "RedSplit2");
}

namespace {

void addHeuristics(CbcModel& model, bool onlyPump) {
  CbcRounding rounding(model);
  CbcHeuristicFPump pump(model);
  pump.setMaximumPasses(20);
  if (onlyPump) {
    model.addHeuristic(&rounding);
    model.addHeuristic(&pump);
    return;
  }
  CbcHeuristicGreedyCover greedy(model);
  CbcHeuristicDiveCoefficient dive(model);
  CbcHeuristicLocal local(model);
  CbcHeuristicRINS rins(model);
  for (CbcHeuristic* heuristic :
       std::initializer_list<CbcHeuristic*>{&rounding, &pump, &greedy, &dive, &local, &rins})
    model.addHeuristic(heuristic);
}

MipRun run(OsiSolverInterface const& solver, Mix const& mix, int threads, MipLimits const& limits,
           CutCheck* check) {
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  addCuts(model, mix.cuts, check);
  if (mix.heuristics) addHeuristics(model, mix.onlyPump);
  model.setNumberStrong(10);
  model.setNumberBeforeTrust(5);
  if (threads > 0) model.setNumberThreads(threads);
  // With threads a limit in processor time counts the seconds of all of them.
  if (threads > 0 || limits.wall) model.setUseElapsedTime(true);
  if (limits.seconds > 0.0) model.setMaximumSeconds(limits.seconds);
  if (limits.gap > 0.0) model.setAllowableFractionGap(limits.gap);
  model.initialSolve();
  model.branchAndBound();
  MipRun result;
  result.proved = model.isProvenOptimal();
  result.objective = model.getObjValue();
  result.nodes = model.getNodeCount();
  if (double const* const best = model.bestSolution())
    result.point.assign(best, best + model.getNumCols());
  result.gap = std::fabs(result.objective - model.getBestPossibleObjValue()) /
               std::max(1e-10, std::fabs(result.objective));
  return result;
}

}  // namespace

std::vector<Mix> const& mixes() {
  static std::vector<Mix> const all{
      {"none", 0, false, false},
      {"gomory", gomory, false, false},
      {"probing", probing, false, false},
      {"knapsack + clique", knapsack | clique, false, false},
      {"mir + flow cover", mir | flow, false, false},
      {"twomir + redsplit", twoMir | redSplit, false, false},
      {"all cuts", allCuts, false, false},
      {"all cuts, heuristics", allCuts, true, false},
      {"gmi, heuristics, preprocessing", gmi | probing, true, true},
  };
  return all;
}

Mix const& resolveMix() {
  static Mix const mix{"seven cuts, rounding, pump",
                       probing | gomory | knapsack | clique | mir | flow | twoMir, true, false,
                       true};
  return mix;
}

Mix const& fewCutsMix() {
  static Mix const mix{"probing, cliques, rounding, pump", probing | clique, true, false, true};
  return mix;
}

MipRun branchAndCut(OsiSolverInterface const& solver, Mix const& mix, int threads,
                    MipLimits const& limits, CutCheck* check) {
  auto const begin = std::chrono::steady_clock::now();
  MipRun result;
  if (!mix.preprocess) {
    result = run(solver, mix, threads, limits, check);
  } else {
    std::unique_ptr<OsiSolverInterface> original(solver.clone());
    CglPreProcess process;
    process.messageHandler()->setLogLevel(0);
    OsiSolverInterface* const reduced = process.preProcess(*original, false, 10);
    if (!reduced) return result;
    reduced->resolve();
    CbcModel model(*reduced);
    model.setLogLevel(0);
    model.messageHandler()->setLogLevel(0);
    model.solver()->messageHandler()->setLogLevel(0);
    addCuts(model, mix.cuts);
    if (mix.heuristics) addHeuristics(model, mix.onlyPump);
    model.initialSolve();
    model.branchAndBound();
    process.postProcess(*model.solver());
    result.proved = model.isProvenOptimal();
    result.objective = original->getObjValue();
    result.nodes = model.getNodeCount();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace osi_cuda::testing
