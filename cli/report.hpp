// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "cli/run_database.hpp"

namespace osi_cuda::cli {

/// The newest run of each instance by each solver as one HTML page that needs no network: a
/// summary, a performance profile, a scatter plot of seconds against `peer` (a label such as
/// "clp/dual"; empty: the first that is not this project's solver), all results, and what changed
/// since the runs before. Throws Failure(usage) when no run has that label, Failure(noInput) when
/// there are no runs.
std::string htmlReport(RunDatabase& database, std::string const& peer);

}  // namespace osi_cuda::cli
