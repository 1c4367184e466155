// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

// All files are CSV with a header line that names the columns, which may stand in any order;
// further columns, empty lines and lines that begin with # are passed over. The readers throw
// readers::ReadError and readers::OpenError.

/// source,target,VALUE: a number >= 0 for pairs of nodes. Pairs without a line are 0; a pair twice
/// is an error. `value` is the name of the third column: "traffic" or "friction".
std::vector<double> readMatrix(std::string const& path, Network const& network,
                               std::string const& value = "traffic");
std::string matrixText(std::vector<double> const& matrix, Network const& network,
                       std::string const& value = "traffic");

/// link,source,target,load: the load of each direction of each line. Links without a line are
/// nothing. `link` may be left out where source and target say which link it is.
std::vector<std::optional<double>> readLoads(std::string const& path, Network const& network);
std::string loadsText(std::vector<double> const& loads, Network const& network);

/// node,out,in: what each node sends and receives. Every node must have its line.
Totals readTotals(std::string const& path, Network const& network);
std::string totalsText(Totals const& totals, Network const& network);

}  // namespace osi_cuda::examples::traffic
