// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/cbc_models.hpp"

#include <CbcModel.hpp>

#include <CbcHeuristic.hpp>
#include <CbcHeuristicDiveCoefficient.hpp>
#include <CbcHeuristicFPump.hpp>
#include <CbcHeuristicRINS.hpp>
#include <CglClique.hpp>
#include <CglFlowCover.hpp>
#include <CglGMI.hpp>
#include <CglGomory.hpp>
#include <CglKnapsackCover.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <CglProbing.hpp>
#include <CglTwomir.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace osi_cuda::stress {
namespace {

std::unique_ptr<CglCutGenerator> generatorOf(std::string const& name) {
  if (name == "probing" || name == "probing-objective") {
    auto probing = std::make_unique<CglProbing>();
    probing->setUsingObjective(name == "probing" ? 0 : 1);
    probing->setMaxPass(3);
    probing->setMaxProbe(100);
    probing->setMaxLook(50);
    probing->setRowCuts(3);
    return probing;
  }
  if (name == "clique") {
    auto clique = std::make_unique<CglClique>();
    clique->setStarCliqueReport(false);
    clique->setRowCliqueReport(false);
    return clique;
  }
  if (name == "gomory") {
    auto gomory = std::make_unique<CglGomory>();
    gomory->setLimit(300);
    return gomory;
  }
  if (name == "knapsack") return std::make_unique<CglKnapsackCover>();
  if (name == "mir") return std::make_unique<CglMixedIntegerRounding2>();
  if (name == "flow") return std::make_unique<CglFlowCover>();
  if (name == "twomir") return std::make_unique<CglTwomir>();
  if (name == "gmi") return std::make_unique<CglGMI>();
  throw std::invalid_argument("there is no generator " + name);
}

Answer endOf(CbcModel const& model) {
  if (model.isProvenOptimal()) return Answer::optimal;
  if (model.isProvenInfeasible()) return Answer::infeasible;
  if (model.isContinuousUnbounded() || model.isProvenDualInfeasible()) return Answer::unbounded;
  return model.isAbandoned() ? Answer::numerical : Answer::timeLimit;
}

}  // namespace

std::vector<std::string> const& generatorNames() {
  static std::vector<std::string> const names{
      "probing", "probing-objective", "clique", "knapsack", "gomory", "mir", "flow", "twomir",
      "gmi"};
  return names;
}

void load(OsiSolverInterface& solver, LinearProgram const& lp) {
  solver.messageHandler()->setLogLevel(0);
  std::vector<CoinBigIndex> const starts(lp.matrix.starts.begin(), lp.matrix.starts.end());
  double const largest = solver.getInfinity();
  auto const finite = [&](std::vector<double> values) {
    for (double& value : values) value = std::clamp(value, -largest, largest);
    return values;
  };
  solver.loadProblem(lp.columns(), lp.rows(), starts.data(), lp.matrix.indices.data(),
                     lp.matrix.values.data(), finite(lp.columnLower).data(),
                     finite(lp.columnUpper).data(), lp.objective.data(), finite(lp.rowLower).data(),
                     finite(lp.rowUpper).data());
  solver.setObjSense(lp.sense == Sense::maximize ? -1.0 : 1.0);
  solver.setDblParam(OsiObjOffset, -lp.objectiveOffset);
  for (int j = 0; j < lp.columns(); ++j)
    if (lp.integer[j]) solver.setInteger(j);
}

ModelRun searchedByCbc(OsiSolverInterface const& solver, SearchSettings const& settings,
                       std::vector<std::string> const& generators) {
  CbcModel model(solver);
  model.setLogLevel(0);
  model.messageHandler()->setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  constexpr int whereUseful = -1;  // Cbc decides at the root
  for (std::string const& name : generators)
    model.addCutGenerator(generatorOf(name).get(), whereUseful, name.c_str());
  CbcRounding rounding(model);
  CbcHeuristicFPump pump(model);
  pump.setMaximumPasses(20);
  CbcHeuristicDiveCoefficient dive(model);
  CbcHeuristicRINS rins(model);
  for (CbcHeuristic* const heuristic :
       std::initializer_list<CbcHeuristic*>{&rounding, &pump, &dive, &rins})
    model.addHeuristic(heuristic);
  model.setNumberStrong(5);
  model.setNumberBeforeTrust(10);
  // Cbc computes with an infinite one.
  model.setAllowableGap(std::min(settings.absoluteGap, 1e20));
  model.setAllowableFractionGap(std::min(settings.relativeGap, 1e20));
  if (settings.nodeLimit >= 0) model.setMaximumNodes(static_cast<int>(settings.nodeLimit));
  if (settings.iterationLimit >= 0)
    model.setMaximumNumberIterations(static_cast<int>(settings.iterationLimit));
  model.setUseElapsedTime(true);
  if (std::isfinite(settings.timeLimit)) model.setMaximumSeconds(settings.timeLimit);
  if (settings.searchThreads > 1 && CbcModel::haveMultiThreadSupport())
    model.setNumberThreads(settings.searchThreads);
  model.initialSolve();
  ModelRun run;
  if (model.solver()->isProvenPrimalInfeasible()) {
    run.answer = Answer::infeasible;
    return run;
  }
  model.branchAndBound();
  run.answer = endOf(model);
  run.nodes = model.getNodeCount();
  if (double const* const best = model.bestSolution()) {
    run.point.assign(best, best + model.getNumCols());
    double offset = 0.0;
    solver.getDblParam(OsiObjOffset, offset);
    run.objective =
        std::inner_product(best, best + model.getNumCols(), solver.getObjCoefficients(), -offset);
  }
  return run;
}

}  // namespace osi_cuda::stress
