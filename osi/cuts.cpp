// SPDX-License-Identifier: EPL-2.0
// Cuts: rows that are added together, and bounds that only ever get tighter.
#include <algorithm>

#include "OsiColCut.hpp"
#include "OsiCuts.hpp"
#include "OsiRowCut.hpp"
#include "osi/state.hpp"

// The base class evaluates each cut and hands over those that are good, one by one; counting them
// is private to it. Row cuts are collected on the way and added at once.
OsiSolverInterface::ApplyCutsReturnCode OsiCudaSolverInterface::applyCuts(
    OsiCuts const& cuts, double effectivenessLowerBound) {
  std::vector<OsiRowCut const*> collected;
  state_->collectedCuts = &collected;
  try {
    auto const outcome = OsiSolverInterface::applyCuts(cuts, effectivenessLowerBound);
    state_->collectedCuts = nullptr;
    applyRowCuts(static_cast<int>(collected.size()), collected.data());
    return outcome;
  } catch (...) {
    state_->collectedCuts = nullptr;
    throw;
  }
}

void OsiCudaSolverInterface::applyRowCut(OsiRowCut const& cut) {
  if (state_->collectedCuts) {
    state_->collectedCuts->push_back(&cut);
    return;
  }
  addRow(cut.row(), cut.lb(), cut.ub());
}

void OsiCudaSolverInterface::applyRowCuts(int count, OsiRowCut const* cuts) {
  std::vector<OsiRowCut const*> pointers;
  for (int k = 0; k < count; ++k) pointers.push_back(cuts + k);
  applyRowCuts(count, pointers.data());
}

void OsiCudaSolverInterface::applyRowCuts(int count, OsiRowCut const** cuts) {
  std::vector<CoinPackedVectorBase const*> rows;
  std::vector<double> lower, upper;
  for (int k = 0; k < count; ++k) {
    rows.push_back(&cuts[k]->row());
    lower.push_back(cuts[k]->lb());
    upper.push_back(cuts[k]->ub());
  }
  addRows(count, rows.data(), lower.data(), upper.data());
}

void OsiCudaSolverInterface::applyColCut(OsiColCut const& cut) {
  CoinPackedVector const& lower = cut.lbs();
  for (int k = 0; k < lower.getNumElements(); ++k) {
    int const column = lower.getIndices()[k];
    setColLower(column, std::max(getColLower()[column], lower.getElements()[k]));
  }
  CoinPackedVector const& upper = cut.ubs();
  for (int k = 0; k < upper.getNumElements(); ++k) {
    int const column = upper.getIndices()[k];
    setColUpper(column, std::min(getColUpper()[column], upper.getElements()[k]));
  }
}
