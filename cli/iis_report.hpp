// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/result.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"

namespace osi_cuda::cli {

/// "row LIM1 is at least 5", "column x is at most 3".
std::string sideText(LinearProgram const& lp, Side const& side);
/// {"row": "LIM1", "side": "lower", "bound": 5}.
nlohmann::ordered_json sideJson(LinearProgram const& lp, Side const& side);
/// "2 sides of rows and 1 bound of a column".
std::string countText(std::vector<Side> const& sides);

/// Lines of the summary for sides: the first of them, and how many more there are.
void addSides(Section& section, std::vector<std::string> const& texts);

/// The subsystem as a file of the format that the name's ending says (.mps, .lps, else CPLEX LP),
/// below comments that say what it is. Throws readers::WriteError where the format can't hold it.
std::string iisFileText(LinearProgram const& lp, InfeasibleSubsystem const& found,
                        std::string const& path);

/// What the command prints of it; `file`: where it was written.
Section iisSection(LinearProgram const& lp, InfeasibleSubsystem const& found,
                   std::string const& file);

}  // namespace osi_cuda::cli
