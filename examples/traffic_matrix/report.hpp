// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "examples/traffic_matrix/evaluation.hpp"
#include "examples/traffic_matrix/network.hpp"
#include "examples/traffic_matrix/pictures.hpp"

namespace osi_cuda::examples::traffic {

/// Against the truth: what `accuracy` in the JSON holds, by name of the estimate.
nlohmann::ordered_json accuracyJson(std::vector<NamedMatrix> const& estimates,
                                    std::vector<double> const& truth);

/// The same as a table.
void printAccuracy(std::ostream& out, std::vector<NamedMatrix> const& estimates,
                   std::vector<double> const& truth);

/// The pairs on which `result` is farthest from the truth.
nlohmann::ordered_json worstJson(std::vector<double> const& result,
                                 std::vector<double> const& truth, Network const& network,
                                 int count);
void printWorst(std::ostream& out, std::vector<double> const& result,
                std::vector<double> const& truth, Network const& network, int count);

/// Writes network.svg, matrices.svg and, with a truth, errors.svg into a folder, which is made if
/// need be, and returns their paths. `matrices`: the truth first, if it is known.
std::vector<std::string> writePictures(std::string const& folder, Network const& network,
                                       std::vector<double> const& loads,
                                       std::vector<NamedMatrix> const& matrices, bool truthIsFirst);

}  // namespace osi_cuda::examples::traffic
