// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/shortest_path/answer.hpp"
#include "examples/shortest_path/graph.hpp"

/// The LP's certificates as facts about the graph, and their judges. A judge looks at graph and
/// claim only and computes in integers; it says what is wrong, or nothing.
namespace osi_cuda::shortest_path {

/// A cut from Farkas multipliers r (one per vertex): along every arc (u, v) they do not fall,
/// r_u <= r_v, and yet r_s > r_t. So no arc leaves the set of those above the middle of r_s and
/// r_t. The sign of r does not matter, nor does a constant added to it.
std::vector<Vertex> cutFromFarkas(std::vector<double> const& multipliers, Vertex source,
                                  Vertex target);

/// A cycle of negative length from a ray of the arcs' flows (by arc, in the graph's order):
/// a ray conserves flow at every vertex, so it is a sum of cycles, and as its cost is negative one
/// of them has negative length. Flows below a millionth of the largest count as zero. Empty if
/// there is none, which a true ray excludes.
std::vector<Vertex> cycleFromRay(Graph const& graph, std::vector<double> const& ray);

/// The path of a flow of one unit from source to target, by following arcs that carry flow.
/// Empty if the flow is not that of a path.
std::vector<Vertex> pathFromFlow(Graph const& graph, std::vector<double> const& flow, Vertex source,
                                 Vertex target);

/// A cycle in a graph of parents (-1: none), or nothing.
std::optional<std::vector<Vertex>> cycleOfParents(std::vector<Vertex> const& parent);

/// Does the set hold the source, not the target, and does no arc leave it?
std::optional<std::string> faultOfCut(Graph const& graph, std::vector<Vertex> const& cut,
                                      Vertex source, Vertex target);

/// Is it a closed walk of negative length on some walk from source to target (without a target: to
/// which the source leads)?
std::optional<std::string> faultOfCycle(Graph const& graph, std::vector<Vertex> const& cycle,
                                        Vertex source, std::optional<Vertex> target);

/// Do the potentials y prove that `path` is shortest: y_u - y_v <= w(u, v) for every arc, with
/// equality along the path? Then every walk from s to t is at least y_s - y_t long.
std::optional<std::string> faultOfPotentials(Graph const& graph,
                                             std::vector<Distance> const& potential,
                                             std::vector<Vertex> const& path);

/// Whatever the answer claims: path or cut or cycle.
std::optional<std::string> faultOf(Graph const& graph, Answer const& answer, Vertex source,
                                   Vertex target);

}  // namespace osi_cuda::shortest_path
