// SPDX-License-Identifier: EPL-2.0
// Branch and bound by Cbc, with a few of Cgl's cuts at the root and where they were of use there.
#include <CbcHeuristic.hpp>
#include <CbcModel.hpp>
#include <CglClique.hpp>
#include <CglGMI.hpp>
#include <CglKnapsackCover.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <CglProbing.hpp>
#include <algorithm>

#include "osi/cbc_module.hpp"

namespace osi_cuda::osi {
namespace {

void addCuts(CbcModel& model) {
  constexpr int whereUseful = -1;  // Cbc decides at the root
  CglProbing probing;
  probing.setUsingObjective(1);
  CglGMI gomory;
  CglKnapsackCover knapsack;
  CglClique clique;
  clique.setStarCliqueReport(false);
  clique.setRowCliqueReport(false);
  CglMixedIntegerRounding2 rounding;
  model.addCutGenerator(&probing, whereUseful, "Probing");
  model.addCutGenerator(&gomory, whereUseful, "GMI");
  model.addCutGenerator(&knapsack, whereUseful, "Knapsack");
  model.addCutGenerator(&clique, whereUseful, "Clique");
  model.addCutGenerator(&rounding, whereUseful, "MixedIntegerRounding2");
}

SearchEnd endOf(CbcModel const& model) {
  if (model.isProvenOptimal()) return SearchEnd::optimal;
  if (model.isProvenInfeasible()) return SearchEnd::infeasible;
  if (model.isContinuousUnbounded() || model.isProvenDualInfeasible()) return SearchEnd::unbounded;
  return model.isAbandoned() ? SearchEnd::abandoned : SearchEnd::stopped;
}

SearchOutcome search(OsiSolverInterface& root) {
  CbcModel model(root);
  int const level = root.messageHandler()->logLevel();
  model.passInMessageHandler(root.messageHandler());
  model.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);  // no line a node
  model.setLogLevel(level);  // the hint has changed it where the solver has the same handler
  addCuts(model);
  CbcRounding rounding(model);
  model.addHeuristic(&rounding);
  model.initialSolve();
  SearchOutcome outcome;
  if (model.solver()->isProvenPrimalInfeasible()) {
    outcome.end = SearchEnd::infeasible;
  } else if (model.solver()->isProvenDualInfeasible()) {
    outcome.end = SearchEnd::unbounded;
  } else if (model.solver()->isProvenOptimal()) {
    model.branchAndBound();
    outcome.end = endOf(model);
    if (double const* const best = model.bestSolution())
      outcome.values.assign(best, best + root.getNumCols());
  } else {
    outcome.end = model.solver()->isAbandoned() ? SearchEnd::abandoned : SearchEnd::stopped;
  }
  outcome.iterations = model.getIterationCount();
  return outcome;
}

}  // namespace
}  // namespace osi_cuda::osi

extern "C" __attribute__((visibility("default"))) osi_cuda::osi::CbcModule const* osiCudaCbc() {
  static constexpr osi_cuda::osi::CbcModule module{OSI_CUDA_CBC_INTERFACE, osi_cuda::osi::search};
  return &module;
}
