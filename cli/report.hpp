// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/run_database.hpp"

namespace osi_cuda::cli {

/// Instance, then label: the run. Points into `runs`.
using RunTable = std::map<std::string, std::map<std::string, RunRecord const*>>;
RunTable tableOf(std::vector<RunRecord> const& runs);

/// Did the run end with a claim that nobody found wrong?
bool solved(RunRecord const& run);

/// Seconds below which times are noise: shorter runs count as this long in both plots.
inline constexpr double shortestTime = 1e-4;

/// The performance profile of Dolan and More (2002) as an SVG element: for each solver (a label in
/// `labels`, which also fixes the colours) the share of the instances that it solves within tau
/// times the time of the fastest. Instances that nobody solves count for nobody.
std::string performanceProfile(std::vector<RunRecord> const& runs,
                               std::vector<std::string> const& labels);

/// Seconds of each solver against those of `peer` as an SVG element, both axes logarithmic: points
/// below the diagonal are instances on which the solver is faster. What was not solved lies on the
/// edge of its axis.
std::string secondsScatter(std::vector<RunRecord> const& runs,
                           std::vector<std::string> const& labels, std::string const& peer);

/// The newest run of each instance by each solver as one HTML page that needs no network: a
/// summary, a performance profile, a scatter plot of seconds against `peer` (a label such as
/// "clp/dual"; empty: the first that is not this project's solver), all results, and what changed
/// since the runs before. Throws Failure(usage) when no run has that label, Failure(noInput) when
/// there are no runs.
std::string htmlReport(RunDatabase& database, std::string const& peer);

}  // namespace osi_cuda::cli
