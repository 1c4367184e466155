// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <OsiSolverInterface.hpp>

#include "examples/shortest_path/answer.hpp"

/// Shortest paths as linear programs, through OSI alone.
///
///     min w'x   subject to   (flow out) - (flow in) = supply at every vertex,   x >= 0
///
/// with a column per arc and a row per vertex. One path: supply 1 at the source and -1 at the
/// target. All paths from the source (tree): -1 at every other vertex that can be reached and their
/// number at the source.
///
/// Answers are proved in integers, apart from the solver: with `found` the row duals, rounded, are
/// potentials that no arc contradicts and whose difference is the path's length; with `unreachable`
/// a cut from the Farkas multipliers; with `negativeCycle` a cycle from the ray. Outcome `failed`
/// with a note when a proof fails or the solver gives up.
namespace osi_cuda::shortest_path {

/// One path. If there are negative arcs, those on no walk from source to target are left out first
/// (see onWalks), as a cycle elsewhere would make the LP unbounded although the path exists.
Answer solvePath(Graph const& graph, Vertex source, Vertex target, OsiSolverInterface& solver);

/// Distances to all vertices that the source reaches; `target` only chooses the path shown, and is
/// unreachable if it is not among them (no LP says so here; the cut is what the source reaches).
Answer solveTree(Graph const& graph, Vertex source, Vertex target, OsiSolverInterface& solver);

}  // namespace osi_cuda::shortest_path
