// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/shortest_path/experiment_database.hpp"

namespace osi_cuda::shortest_path {

/// Tables in Markdown of what ExperimentDatabase::latest() gives; a kind without experiments has
/// none.
std::string reportTables(std::vector<Experiment> const& experiments);

using NamedPicture = std::pair<std::string, std::string>;  ///< file name and SVG document

/// Plots for the kinds that have experiments; of the ants' parameters the first of each place.
std::vector<NamedPicture> reportPlots(std::vector<Experiment> const& experiments);

}  // namespace osi_cuda::shortest_path
