// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>
#include <string>
#include <vector>

#include "lab/stress/claim.hpp"
#include "lab/stress/integer_families.hpp"

namespace osi_cuda::stress {

/// Generators of cuts by name, as osi/modules/cbc.cpp knows them, and two that it does not use.
std::vector<std::string> const& generatorNames();

/// What came of a search.
struct ModelRun {
  Answer answer = Answer::numerical;
  std::vector<double> point;  ///< empty: none
  double objective = 0.0;     ///< in the sense of the problem
  int nodes = 0;
};

void load(OsiSolverInterface& solver, LinearProgram const& lp);

/// A CbcModel on a copy of `solver`, with these generators and the heuristics of
/// osi/modules/cbc.cpp.
ModelRun searchedByCbc(OsiSolverInterface const& solver, SearchSettings const& settings,
                       std::vector<std::string> const& generators);

}  // namespace osi_cuda::stress
