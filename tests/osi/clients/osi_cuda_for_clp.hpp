// SPDX-License-Identifier: EPL-2.0
//
// Puts this project's class in OsiClp's place in a source that is compiled with `-include` of this
// header: what the source names OsiClpSolverInterface and ClpSimplex from here on are the classes
// below. The headers that know the real ones come first, so that libraries keep them.
#pragma once

#include <CbcModel.hpp>
#include <CglProbing.hpp>
#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <ClpSolve.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>

#include "OsiCudaSolverInterface.hpp"

namespace osi_cuda_clients {

inline void load(OsiSolverInterface& to, ClpSimplex& from) {
  to.loadProblem(*from.matrix(), from.columnLower(), from.columnUpper(), from.objective(),
                 from.rowLower(), from.rowUpper());
  to.setObjSense(from.optimizationDirection());
}

/// In ClpSimplex's place where a client holds its problem in one: solved by this project.
class Simplex : public ClpSimplex {
 public:
  int initialSolve() {
    OsiCudaSolverInterface solver;
    solver.messageHandler()->setLogLevel(0);
    load(solver, *this);
    solver.initialSolve();
    std::copy_n(solver.getColSolution(), numberColumns(), primalColumnSolution());
    std::copy_n(solver.getReducedCost(), numberColumns(), dualColumnSolution());
    std::copy_n(solver.getRowActivity(), numberRows(), primalRowSolution());
    std::copy_n(solver.getRowPrice(), numberRows(), dualRowSolution());
    setObjectiveValue(solver.getObjValue());
    setNumberIterations(solver.getIterationCount());
    setProblemStatus(solver.isProvenOptimal()            ? 0
                     : solver.isProvenPrimalInfeasible() ? 1
                     : solver.isProvenDualInfeasible()   ? 2
                     : solver.isAbandoned()              ? 4
                                                         : 3);
    return status();
  }
  int initialSolve(ClpSolve&) { return initialSolve(); }
};

/// In OsiClpSolverInterface's place. Of one that was made around a ClpSimplex clones take the
/// problem that this holds at the time, as OsiClp's do.
class Interface : public OsiCudaSolverInterface {
 public:
  Interface() = default;
  explicit Interface(ClpSimplex* clp) : clp_(clp) {}
  OsiSolverInterface* clone(bool copyData = true) const override {
    if (!copyData) return new Interface();
    auto* const copy = new Interface(*this);
    copy->clp_ = nullptr;
    if (clp_) load(*copy, *clp_);
    return copy;
  }
  using OsiCudaSolverInterface::setInteger;
  void setInteger(int column) override {
    if (column < getNumCols()) OsiCudaSolverInterface::setInteger(column);
  }
  void setupForRepeatedUse(int, int) {}  // a hint to Clp

 private:
  ClpSimplex* clp_ = nullptr;
};

}  // namespace osi_cuda_clients

#define OsiClpSolverInterface osi_cuda_clients::Interface
#define ClpSimplex osi_cuda_clients::Simplex
