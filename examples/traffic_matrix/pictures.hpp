// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "examples/traffic_matrix/network.hpp"

namespace osi_cuda::examples::traffic {

/// A traffic matrix and what to call it.
using NamedMatrix = std::pair<std::string, std::vector<double>>;

/// `value` to three digits, without an exponent where a reader can do without: "4970", "0.0123".
std::string axisNumber(double value);

/// The matrices side by side as an SVG document: sources are rows, targets columns, both by falling
/// traffic of the first matrix; one logarithmic colour scale for all of them.
std::string heatMaps(std::vector<NamedMatrix> const& matrices, Network const& network);

/// For each estimate the share of pairs, and of the true traffic, with a relative error against
/// `truth` of at most what the horizontal axis says, as an SVG document, with 23 % marked.
std::string errorDistribution(std::vector<NamedMatrix> const& estimates,
                              std::vector<double> const& truth);

/// The network as an SVG document: each direction of a line as an arrow from its source to the
/// middle of the line, with its use (load / capacity, or load over the largest load where some
/// capacity is unknown) as colour and its load as area; nodes with their traffic as area. `loads`:
/// by link; `matrix`: by pair.
std::string networkMap(Network const& network, std::vector<double> const& loads,
                       std::vector<double> const& matrix);

}  // namespace osi_cuda::examples::traffic
