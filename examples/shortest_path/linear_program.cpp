// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/linear_program.hpp"

#include <CoinPackedMatrix.hpp>
#include <cmath>
#include <memory>
#include <utility>

#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

/// The rays that Osi hands out belong to the caller; the first, or nothing.
std::vector<double> firstRay(std::vector<double*> const& rays, std::size_t length) {
  std::vector<double> ray;
  if (!rays.empty() && rays.front()) ray.assign(rays.front(), rays.front() + length);
  for (double* const one : rays) delete[] one;
  return ray;
}

/// Which vertices have an arc.
std::vector<bool> withArcs(Graph const& graph) {
  std::vector<bool> has(static_cast<std::size_t>(graph.vertices), false);
  for (Arc const& arc : arcsOf(graph))
    has[std::size_t(arc.tail)] = has[std::size_t(arc.head)] = true;
  return has;
}

/// From the source to each vertex: y_s - y_v, rounded. Network matrices are unimodular, so the
/// duals of a basis are whole where the weights are; how far they are off is not asked here, since
/// the rounded numbers are proved or refused by themselves.
std::vector<Distance> boundsFrom(double const* dual, Vertex vertices, Vertex source) {
  std::vector<Distance> bound(static_cast<std::size_t>(vertices));
  for (std::size_t v = 0; v < bound.size(); ++v) bound[v] = std::llround(dual[source] - dual[v]);
  return bound;
}

/// The potentials y_v = -bound_v prove what the bounds say.
std::vector<Distance> potentialsOf(std::vector<Distance> bound) {
  for (Distance& b : bound) b = -b;
  return bound;
}

/// Without presolve, which may find infeasibility without a proof.
void solveLp(OsiSolverInterface& solver, Answer& answer) {
  solver.setHintParam(OsiDoPresolveInInitial, false, OsiHintDo);
  Stopwatch const watch;
  solver.initialSolve();
  answer.seconds = watch.seconds();
  answer.rounds = solver.getIterationCount();
}

void refuse(Answer& answer, std::string const& note) {
  answer.outcome = Outcome::failed;
  answer.note = note;
}

/// Reads optimum, Farkas multipliers or ray as path, cut or cycle.
void readSolution(OsiSolverInterface& solver, Graph const& graph, Vertex source, Vertex target,
                  LinearAnswer& answer) {
  auto const columns = std::size_t(graph.arcs());
  auto const rows = std::size_t(graph.vertices);
  if (solver.isProvenOptimal()) {
    answer.outcome = Outcome::found;
    double const* const x = solver.getColSolution();
    answer.path.vertices = pathFromFlow(graph, {x, x + columns}, source, target);
    answer.bound = boundsFrom(solver.getRowPrice(), graph.vertices, source);
    answer.path.length = answer.bound[std::size_t(target)];
    if (answer.path.vertices.empty()) refuse(answer, "the solution is not the flow of a path");
  } else if (solver.isProvenPrimalInfeasible()) {
    answer.outcome = Outcome::unreachable;
    std::vector<double> farkas = firstRay(solver.getDualRays(1), rows);
    if (farkas.empty() && solver.getNumElements() == 0) {
      // Without arcs between vertices the source's row reads 0 = 1; Clp then gives no multipliers.
      farkas.assign(rows, 0.0);
      farkas[std::size_t(source)] = 1.0;
    }
    if (farkas.empty()) return refuse(answer, "the solver gives no Farkas multipliers");
    answer.cut = cutFromFarkas(farkas, source, target);
    // Vertices without arcs, as the walls of a grid, could stand on either side: leave them out.
    std::vector<bool> const connected = withArcs(graph);
    std::erase_if(answer.cut, [&](Vertex v) { return v != source && !connected[std::size_t(v)]; });
  } else if (solver.isProvenDualInfeasible()) {
    answer.outcome = Outcome::negativeCycle;
    std::vector<double> const ray = firstRay(solver.getPrimalRays(1), columns);
    if (ray.empty()) return refuse(answer, "the solver gives no ray");
    answer.cycle = cycleFromRay(graph, ray);
  } else {
    refuse(answer, "the solver has not proved a status");
  }
}

/// Nothing is believed that integers do not confirm.
void prove(Graph const& solved, Graph const& asked, Vertex source, Vertex target,
           LinearAnswer& answer) {
  std::optional<std::string> fault;
  if (answer.outcome == Outcome::found)
    fault = faultOfPotentials(solved, potentialsOf(answer.bound), answer.path.vertices);
  if (!fault) fault = faultOf(asked, answer, source, target);
  if (fault) refuse(answer, *fault);
}

LinearAnswer emptyAnswer(Graph const& graph, OsiSolverInterface& solver) {
  LinearAnswer answer;
  answer.method = "lp";
  std::string name;
  solver.getStrParam(OsiSolverName, name);
  answer.executor = name;
  answer.rows = graph.vertices;
  answer.columns = int(graph.arcs());
  return answer;
}

}  // namespace

void loadFlow(OsiSolverInterface& solver, Graph const& graph, std::vector<double> const& supply) {
  auto const columns = std::size_t(graph.arcs());
  std::vector<CoinBigIndex> start(columns + 1);
  std::vector<int> row;
  std::vector<double> value, lower(columns, 0.0), upper(columns, solver.getInfinity());
  row.reserve(2 * columns);
  value.reserve(2 * columns);
  std::vector<double> const cost(graph.weight.begin(), graph.weight.end());
  std::size_t column = 0;
  for (Vertex v = 0; v < graph.vertices; ++v)
    for (ArcIndex a = graph.first[std::size_t(v)]; a < graph.first[std::size_t(v) + 1]; ++a) {
      Vertex const head = graph.head[std::size_t(a)];
      if (head != v) {  // what a loop takes away it brings back: an empty column
        row.insert(row.end(), {v, head});
        value.insert(value.end(), {1.0, -1.0});
      }
      start[++column] = CoinBigIndex(row.size());
    }
  CoinPackedMatrix const matrix(true, graph.vertices, int(columns), CoinBigIndex(row.size()),
                                value.data(), row.data(), start.data(), nullptr);
  solver.loadProblem(matrix, lower.data(), upper.data(), cost.data(), supply.data(), supply.data());
}

LinearAnswer solvePath(Graph const& graph, Vertex source, Vertex target,
                       OsiSolverInterface& solver) {
  Graph solved = graph;
  if (hasNegativeArc(graph)) {
    solved = onWalks(graph, source, target);
    if (source != target && solved.arcs() == 0) {
      // No walk at all. Whether there is one does not depend on the weights: ask without them.
      solved = graph;
      solved.weight.assign(solved.weight.size(), 0);
    }
  }
  LinearAnswer answer = emptyAnswer(solved, solver);
  std::vector<double> supply(std::size_t(graph.vertices), 0.0);
  supply[std::size_t(source)] += 1.0;
  supply[std::size_t(target)] -= 1.0;
  loadFlow(solver, solved, supply);
  solveLp(solver, answer);
  readSolution(solver, solved, source, target, answer);
  if (answer.outcome != Outcome::failed) prove(solved, graph, source, target, answer);
  return answer;
}

LinearAnswer solveTree(Graph const& graph, Vertex source, Vertex target,
                       OsiSolverInterface& solver) {
  Graph const solved = hasNegativeArc(graph) ? onWalks(graph, source, {}) : graph;
  LinearAnswer answer = emptyAnswer(solved, solver);
  answer.method = "lp-tree";
  std::vector<bool> const reached = reachableFrom(graph, source);
  std::vector<double> supply(reached.size(), 0.0);
  for (std::size_t v = 0; v < reached.size(); ++v)
    if (reached[v]) {
      supply[v] -= 1.0;
      supply[std::size_t(source)] += 1.0;
    }
  loadFlow(solver, solved, supply);
  solveLp(solver, answer);
  if (!solver.isProvenOptimal()) {
    readSolution(solver, solved, source, target, answer);
    std::optional<std::string> const fault =
        answer.outcome == Outcome::negativeCycle
            ? faultOfCycle(graph, answer.cycle, source, std::nullopt)
            : std::nullopt;
    if (fault) refuse(answer, *fault);
    return answer;
  }
  answer.outcome = Outcome::found;
  answer.bound = boundsFrom(solver.getRowPrice(), graph.vertices, source);
  // Every reached vertex gets flow, along arcs on which the bound is exact: these are a tree.
  double const* const x = solver.getColSolution();
  answer.parent.assign(reached.size(), -1);
  for (Vertex v = 0; v < solved.vertices; ++v)
    for (ArcIndex a = solved.first[std::size_t(v)]; a < solved.first[std::size_t(v) + 1]; ++a) {
      Vertex const head = solved.head[std::size_t(a)];
      if (x[a] > 0.5 && head != source) answer.parent[std::size_t(head)] = v;
    }
  answer.distance.assign(reached.size(), unreached);
  for (std::size_t v = 0; v < reached.size(); ++v)
    if (reached[v]) answer.distance[v] = answer.bound[v];
  for (Vertex v = 0; v < graph.vertices; ++v) {
    if (!reached[std::size_t(v)]) continue;
    Path const path = readBack(answer.parent, answer.distance, v);
    if (v == target) answer.path = path;
    if (path.vertices.front() != source) return refuse(answer, "the flow is no tree"), answer;
    if (walkLength(graph, path.vertices) != path.length)
      return refuse(answer, "a dual is not the length of its path"), answer;
  }
  // The paths exist, so no distance is larger; now that none is smaller.
  if (auto const fault = faultOfPotentials(solved, potentialsOf(answer.bound), {source}))
    return refuse(answer, *fault), answer;
  if (!reached[std::size_t(target)]) {
    answer.outcome = Outcome::unreachable;
    for (Vertex v = 0; v < graph.vertices; ++v)
      if (reached[std::size_t(v)]) answer.cut.push_back(v);
  }
  return answer;
}

}  // namespace osi_cuda::shortest_path
