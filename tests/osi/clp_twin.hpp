// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include "CoinWarmStartBasis.hpp"
#include "OsiClpSolverInterface.hpp"
#include "tests/osi/answer_faults.hpp"

namespace osi_cuda::testing {

inline std::unique_ptr<OsiClpSolverInterface> makeSilentClp() {
  auto solver = std::make_unique<OsiClpSolverInterface>();
  solver->messageHandler()->setLogLevel(0);
  solver->getModelPtr()->setLogLevel(0);
  return solver;
}

/// OsiClp, which makes each change that another interface makes: both have the same problem at
/// every step, the same status and objective at every solve, and nothing is abandoned.
class ClpTwin {
 public:
  ClpTwin() {
    // Its scaling calls feasible problems with an empty column infeasible.
    solver_->setHintParam(OsiDoScale, false, OsiHintTry);
    dynamic_cast<OsiClpSolverInterface&>(*solver_).getModelPtr()->scaling(0);
  }

  OsiSolverInterface& solver() { return *solver_; }
  void clone() { solver_.reset(solver_->clone()); }

  /// How the answers differ, or "".
  std::string differenceOfAnswers(OsiSolverInterface const& own) const {
    if (agree(own, *solver_)) return "";
    // A second opinion: from slacks, by the primal.
    std::unique_ptr<OsiSolverInterface> const fresh(solver_->clone());
    CoinWarmStartBasis const slack;
    fresh->setWarmStart(&slack);
    fresh->setHintParam(OsiDoPresolveInInitial, false, OsiHintTry);
    fresh->setHintParam(OsiDoDualInInitial, false, OsiHintTry);
    fresh->initialSolve();
    if (agree(own, *fresh)) return "";
    std::ostringstream text;
    text.precision(17);
    text << toString(answerOf(own)) << " " << own.getObjValue() << " instead of "
         << toString(answerOf(*fresh)) << " " << fresh->getObjValue();
    return text.str();
  }

  /// In what the problems differ, or "".
  std::string differenceOfProblems(OsiSolverInterface const& a) const {
    OsiSolverInterface const& b = *solver_;
    int const columns = a.getNumCols(), rows = a.getNumRows();
    if (columns != b.getNumCols() || rows != b.getNumRows() ||
        a.getNumElements() != b.getNumElements() || a.getObjSense() != b.getObjSense())
      return "sizes differ";
    auto const same = [](auto const* x, auto const* y, int count) {
      return std::equal(x, x + count, y);
    };
    if (!same(a.getColLower(), b.getColLower(), columns) ||
        !same(a.getColUpper(), b.getColUpper(), columns) ||
        !same(a.getObjCoefficients(), b.getObjCoefficients(), columns))
      return "columns differ";
    if (!same(a.getRowLower(), b.getRowLower(), rows) ||
        !same(a.getRowUpper(), b.getRowUpper(), rows) ||
        !same(a.getRowSense(), b.getRowSense(), rows) ||
        !same(a.getRightHandSide(), b.getRightHandSide(), rows) ||
        !same(a.getRowRange(), b.getRowRange(), rows))
      return "rows differ";
    if (!a.getMatrixByCol()->isEquivalent(*b.getMatrixByCol()) ||
        !a.getMatrixByRow()->isEquivalent(*b.getMatrixByRow()))
      return "matrices differ";
    return "";
  }

 private:
  static bool agree(OsiSolverInterface const& own, OsiSolverInterface const& other) {
    Answer const a = answerOf(own), b = answerOf(other);
    // Where neither side has a feasible point, OsiClp may name either. Sometimes it abandons what
    // this solver proves infeasible.
    if (a == Answer::infeasible) return b != Answer::optimal;
    if (a == Answer::abandoned || a != b) return false;
    return a != Answer::optimal || std::fabs(own.getObjValue() - other.getObjValue()) <=
                                       1e-6 * (1.0 + std::fabs(other.getObjValue()));
  }

  std::unique_ptr<OsiSolverInterface> solver_ = makeSilentClp();
};

}  // namespace osi_cuda::testing
