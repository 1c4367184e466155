// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "bench/results.hpp"

// Tables in Markdown from results; problems by number of cells, solvers in the order given.

namespace osi_cuda::bench {

/// The solvers of these results, in order of appearance.
std::vector<std::string> solversOf(std::vector<Result> const& results);

/// Is this label ("cuda/primal", "host/dual/steepest") one of this project's?
bool isOurs(std::string const& solver);

/// One line a problem: pivots and seconds of each solver; of ours also microseconds a pivot, error
/// and residual. What is not right has its status beside the seconds; "-": was not run.
std::string problemTable(std::vector<Result> const& results,
                         std::vector<std::string> const& solvers);

/// One line a problem, one column a solver: seconds, and how many times those of the quickest of
/// ours they are.
std::string ratioTable(std::vector<Result> const& results, std::vector<std::string> const& solvers);

/// Shifted geometric means (shift 10 ms) of the seconds over the problems that all of the solvers
/// ran, by classes of size; wins and losses of ours against each other solver; and where a solver
/// ran with exact weights too ("/steepest"; beside it "/sketched" or no word), the pivots of the
/// two.
std::string summary(std::vector<Result> const& results, std::vector<std::string> const& solvers);

/// exp(mean log(x + shift)) - shift; 0 for nothing.
double shiftedGeometricMean(std::vector<double> const& values, double shift);

}  // namespace osi_cuda::bench
