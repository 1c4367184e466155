// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/linear_program.hpp"

#include <cmath>

#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

/// `supply`: length vertices.
LinearProgram flowProblem(Graph const& graph, std::vector<double> const& supply) {
  LinearProgram lp;
  for (double const s : supply) lp.addRow(s, s);
  graph.eachArc([&](Vertex tail, ArcIndex arc) {
    if (graph.head[arc] != tail) {  // what a loop takes away it brings back: an empty column
      lp.matrix.add(tail, 1.0);
      lp.matrix.add(graph.head[arc], -1.0);
    }
    lp.endColumn(double(graph.weight[arc]), 0.0, infinity);
  });
  return lp;
}

/// Loads and solves, without presolve, which may find infeasibility without a proof.
Answer solveFlow(std::string const& method, Graph const& graph, std::vector<double> const& supply,
                 OsiSolverInterface& solver) {
  Answer answer;
  answer.method = method;
  solver.getStrParam(OsiSolverName, answer.executor);
  answer.rows = graph.vertices;
  answer.columns = int(graph.arcs());
  examples::load(solver, flowProblem(graph, supply));
  solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintDo);
  Stopwatch const watch;
  solver.initialSolve();
  answer.seconds = watch.seconds();
  answer.rounds = solver.getIterationCount();
  return answer;
}

/// From the source to each vertex: y_s - y_v, rounded. Network matrices are unimodular, so the
/// duals of a basis are whole where the weights are; how far they are off is not asked here, since
/// the rounded numbers are proved or refused by themselves.
std::vector<Distance> boundsOf(OsiSolverInterface const& solver, Vertex source) {
  double const* const dual = solver.getRowPrice();
  std::vector<Distance> bound(solver.getNumRows());
  for (std::size_t v = 0; v < bound.size(); ++v) bound[v] = std::llround(dual[source] - dual[v]);
  return bound;
}

/// The potentials y_v = -bound_v prove what the bounds say.
std::vector<Distance> potentialsOf(std::vector<Distance> bound) {
  for (Distance& b : bound) b = -b;
  return bound;
}

/// Reads Farkas multipliers as a cut.
void readCut(OsiSolverInterface& solver, Graph const& graph, Vertex source, Vertex target,
             Answer& answer) {
  answer.outcome = Outcome::unreachable;
  std::vector<double> farkas = examples::firstRay(solver.getDualRays(1), graph.vertices);
  if (farkas.empty() && solver.getNumElements() == 0) {
    // Without arcs between vertices the source's row reads 0 = 1; Clp then gives no multipliers.
    farkas.assign(graph.vertices, 0.0);
    farkas[source] = 1.0;
  }
  if (farkas.empty()) return answer.refuse("the solver gives no Farkas multipliers");
  answer.cut = cutFromFarkas(farkas, source, target);
  // Vertices without arcs, as the walls of a grid, could stand on either side: leave them out.
  std::vector<bool> connected(graph.vertices, false);
  connected[source] = true;
  graph.eachArc(
      [&](Vertex tail, ArcIndex arc) { connected[tail] = connected[graph.head[arc]] = true; });
  std::erase_if(answer.cut, [&](Vertex v) { return !connected[v]; });
}

/// Reads optimum, Farkas multipliers or ray as path, cut or cycle.
void readSolution(OsiSolverInterface& solver, Graph const& graph, Vertex source, Vertex target,
                  Answer& answer) {
  if (solver.isProvenOptimal()) {
    answer.outcome = Outcome::found;
    double const* const x = solver.getColSolution();
    answer.path.vertices = pathFromFlow(graph, {x, x + graph.arcs()}, source, target);
    answer.bound = boundsOf(solver, source);
    answer.path.length = answer.bound[target];
    if (answer.path.vertices.empty()) answer.refuse("the solution is not the flow of a path");
  } else if (solver.isProvenPrimalInfeasible()) {
    readCut(solver, graph, source, target, answer);
  } else if (solver.isProvenDualInfeasible()) {
    answer.outcome = Outcome::negativeCycle;
    std::vector<double> const ray = examples::firstRay(solver.getPrimalRays(1), graph.head.size());
    if (ray.empty()) return answer.refuse("the solver gives no ray");
    answer.cycle = cycleFromRay(graph, ray);
  } else {
    answer.refuse("the solver has not proved a status");
  }
}

/// Parents, distances and the target's path or cut from a tree LP's optimum, proved.
void readTree(OsiSolverInterface const& solver, Graph const& graph, Graph const& solved,
              Vertex source, Vertex target, std::vector<bool> const& reached, Answer& answer) {
  answer.bound = boundsOf(solver, source);
  // Every reached vertex gets flow, along arcs on which the bound is exact: these are a tree.
  double const* const x = solver.getColSolution();
  answer.parent.assign(reached.size(), -1);
  solved.eachArc([&](Vertex tail, ArcIndex arc) {
    if (x[arc] > 0.5 && solved.head[arc] != source) answer.parent[solved.head[arc]] = tail;
  });
  answer.distance.assign(reached.size(), unreached);
  std::vector<Vertex> const members = membersOf(reached);
  for (Vertex const v : members) answer.distance[v] = answer.bound[v];
  for (Vertex const v : members) {
    Path const path = readBack(answer.parent, answer.distance, v);
    if (path.vertices.front() != source) return answer.refuse("the flow is no tree");
    if (walkLength(graph, path.vertices) != path.length)
      return answer.refuse("a dual is not the length of its path");
  }
  // The paths exist, so no distance is larger; now that none is smaller.
  if (auto const fault = faultOfPotentials(solved, potentialsOf(answer.bound), {source}))
    return answer.refuse(*fault);
  answer.conclude(graph, source, target);
}

}  // namespace

Answer solvePath(Graph const& graph, Vertex source, Vertex target, OsiSolverInterface& solver) {
  Graph solved = graph;
  if (hasNegativeArc(graph)) {
    solved = onWalks(graph, source, target);
    if (source != target && solved.arcs() == 0) {
      // No walk at all. Whether there is one does not depend on the weights: ask without them.
      solved = graph;
      solved.weight.assign(solved.weight.size(), 0);
    }
  }
  std::vector<double> supply(graph.vertices, 0.0);
  supply[source] += 1.0;
  supply[target] -= 1.0;
  Answer answer = solveFlow("lp", solved, supply, solver);
  readSolution(solver, solved, source, target, answer);
  // Nothing is believed that integers do not confirm.
  std::optional<std::string> fault;
  if (answer.outcome == Outcome::found)
    fault = faultOfPotentials(solved, potentialsOf(answer.bound), answer.path.vertices);
  if (!fault) fault = faultOf(graph, answer, source, target);
  if (fault) answer.refuse(*fault);
  return answer;
}

Answer solveTree(Graph const& graph, Vertex source, Vertex target, OsiSolverInterface& solver) {
  Graph const solved = hasNegativeArc(graph) ? onWalks(graph, source, {}) : graph;
  std::vector<bool> const reached = reachableFrom(graph, source);
  std::vector<double> supply(reached.size(), 0.0);
  for (Vertex const v : membersOf(reached)) {
    supply[v] -= 1.0;
    supply[source] += 1.0;
  }
  Answer answer = solveFlow("lp-tree", solved, supply, solver);
  if (solver.isProvenOptimal()) {
    readTree(solver, graph, solved, source, target, reached, answer);
    return answer;
  }
  readSolution(solver, solved, source, target, answer);
  if (answer.outcome == Outcome::negativeCycle)
    if (auto const fault = faultOfCycle(graph, answer.cycle, source, std::nullopt))
      answer.refuse(*fault);
  return answer;
}

}  // namespace osi_cuda::shortest_path
