// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/osi/clp_twin.hpp"
#include "tests/osi/contract.hpp"

namespace osi_cuda::testing {

/// How the answer differs from that of the same problem in a fresh interface, or ""; OsiClp's
/// answers have no proof: counted, not held against the interface.
inline std::string differenceFromFresh(OsiSolverInterface const& own, int& disagreements) {
  auto const fresh = makeOsiCuda();
  auto const clp = makeSilentClp();
  double offset = 0.0;
  own.getDblParam(OsiObjOffset, offset);
  for (OsiSolverInterface* const solver :
       {fresh.get(), static_cast<OsiSolverInterface*>(clp.get())}) {
    solver->loadProblem(*own.getMatrixByCol(), own.getColLower(), own.getColUpper(),
                        own.getObjCoefficients(), own.getRowLower(), own.getRowUpper());
    solver->setObjSense(own.getObjSense());
    solver->setDblParam(OsiObjOffset, offset);
    solver->initialSolve();
    Answer const answer = answerOf(*solver);
    // A problem may be infeasible and have a ray; and Clp's tolerances are absolute. Violations
    // within the tolerances are worth their multipliers, and a problem that is infeasible by less
    // has a point within them: either answer is proved by itself.
    bool const both = answerOf(own) == Answer::optimal && answer == Answer::optimal;
    double const difference = std::fabs(own.getObjValue() - solver->getObjValue());
    bool const same = both ? difference <= 1e-5 * (1.0 + std::fabs(own.getObjValue())) +
                                               objectiveOfViolations(own, *solver) +
                                               objectiveOfViolations(*solver, own)
                           : (answerOf(own) == Answer::optimal) == (answer == Answer::optimal);
    if (same || (!both && (answer == Answer::infeasible || answerOf(own) == Answer::infeasible) &&
                 faultOf(*solver).empty()))
      continue;
    if (solver == clp.get()) {
      ++disagreements;
      continue;
    }
    std::ostringstream text;
    text.precision(12);
    text << toString(answerOf(own)) << " " << own.getObjValue() << ", but fresh it is "
         << toString(answer) << " " << solver->getObjValue();
    return text.str();
  }
  return "";
}

/// The fault of row r and column j of the tableau, or "": rows of B^-1 A have units below the basic
/// variables, columns fit them, and B^-1 does too.
inline std::string faultOfTableau(OsiSolverInterface& own, int r, int j) {
  int const rows = own.getNumRows(), columns = own.getNumCols();
  std::vector<int> basics(static_cast<std::size_t>(rows));
  own.getBasics(basics.data());
  std::vector<double> row(static_cast<std::size_t>(columns));
  std::vector<double> slack(static_cast<std::size_t>(rows)), column = slack;
  own.getBInvARow(r, row.data(), slack.data());
  double largest = 1.0;
  for (double const entry : row) largest = std::max(largest, std::fabs(entry));
  for (double const entry : slack) largest = std::max(largest, std::fabs(entry));
  // Against the matrix itself: what the row says it is made of.
  Products const products(own, nullptr, slack.data());
  for (int k = 0; k < columns; ++k) {
    Sum const& sum = products.ofColumns[static_cast<std::size_t>(k)];
    if (std::fabs(static_cast<double>(sum.value) - row[static_cast<std::size_t>(k)]) >
        1e-7 * std::max(largest, sum.size))
      return "a row of the tableau is not B^-1 A";
  }
  for (int i = 0; i < rows; ++i) {
    auto const v = static_cast<std::size_t>(basics[static_cast<std::size_t>(i)]);
    Sum const sum = v < row.size() ? products.ofColumns[v] : Sum{slack[v - row.size()], largest};
    if (std::fabs(static_cast<double>(sum.value) - (i == r ? 1.0 : 0.0)) >
        1e-7 * std::max(largest, sum.size))
      return "a row of the tableau has no unit below a basic variable";
  }
  own.getBInvACol(j, column.data());
  // Rounding of a column is that of its largest entry.
  for (double const entry : column) largest = std::max(largest, std::fabs(entry));
  if (std::fabs(column[static_cast<std::size_t>(r)] - row[static_cast<std::size_t>(j)]) >
      1e-7 * largest)
    return "a column of the tableau differs from the row";
  return "";
}

}  // namespace osi_cuda::testing
