// SPDX-License-Identifier: EPL-2.0
#include <boost/graph/bellman_ford_shortest_paths.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/property_map.hpp>
#include <functional>
#include <stdexcept>
#include <utility>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint64_t>;

/// The same arcs in the same order.
BoostGraph boosted(Graph const& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  ends.reserve(graph.head.size());
  graph.eachArc([&](Vertex tail, ArcIndex arc) { ends.emplace_back(tail, graph.head[arc]); });
  return {boost::edges_are_sorted, ends.begin(), ends.end(), std::uint32_t(graph.vertices),
          ends.size()};
}

auto weightsOf(Graph const& graph, BoostGraph const& boosted) {
  return boost::make_iterator_property_map(graph.weight.begin(), get(boost::edge_index, boosted));
}

template <class Values>
auto byVertex(Values& values, BoostGraph const& boosted) {
  return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, boosted));
}

/// Counts the arcs that are looked at, all of them once a round.
struct Counting : boost::bellman_visitor<> {
  explicit Counting(std::int64_t& arcs) : looked(&arcs) {}
  template <class Arc, class G>
  void examine_edge(Arc const&, G const&) const {
    ++*looked;
  }
  std::int64_t* looked;
};

}  // namespace

Answer dijkstra(Graph const& graph, Vertex source, Vertex target) {
  if (hasNegativeArc(graph))
    throw std::invalid_argument("Dijkstra's algorithm wants weights that are not negative");
  BoostGraph const arcs = boosted(graph);
  std::vector<std::uint32_t> before(graph.vertices);
  Answer answer;
  answer.method = "dijkstra";
  answer.distance.resize(graph.vertices);
  Stopwatch const watch;
  boost::dijkstra_shortest_paths(arcs, std::uint32_t(source),
                                 boost::weight_map(weightsOf(graph, arcs))
                                     .distance_map(byVertex(answer.distance, arcs))
                                     .predecessor_map(byVertex(before, arcs))
                                     .distance_inf(unreached)
                                     .distance_zero(Distance{0}));
  answer.seconds = watch.seconds();
  answer.parent.assign(before.begin(), before.end());
  for (Vertex v = 0; v < graph.vertices; ++v)
    if (answer.parent[v] == v) answer.parent[v] = -1;  // Boost's for none
  answer.conclude(graph, source, target);
  return answer;
}

Answer bellmanFordByBoost(Graph const& graph, Vertex source, std::optional<Vertex> target) {
  // Without negative arcs no cycle can be negative, and there is nothing to leave out.
  bool const restricted = target && hasNegativeArc(graph);
  Graph const asked = restricted ? onWalks(graph, source, target) : graph;
  BoostGraph const arcs = boosted(asked);
  Answer answer;
  answer.method = "boost-bellman-ford";
  answer.distance.assign(graph.vertices, unreached);
  answer.distance[source] = 0;
  answer.parent.assign(graph.vertices, -1);
  std::int64_t looked = 0;
  Stopwatch const watch;
  bool const settled = boost::bellman_ford_shortest_paths(
      arcs, graph.vertices,
      boost::weight_map(weightsOf(asked, arcs))
          .distance_map(byVertex(answer.distance, arcs))
          .predecessor_map(byVertex(answer.parent, arcs))
          .distance_combine([](Distance distance, Distance weight) {
            return distance == unreached ? unreached : distance + weight;
          })
          .distance_compare(std::less<>())
          .visitor(Counting(looked)));
  answer.seconds = watch.seconds();
  answer.rounds = looked / std::max<std::int64_t>(1, asked.arcs());
  answer.outcome = settled ? Outcome::found : Outcome::negativeCycle;
  if (settled) {
    if (target) answer.conclude(graph, source, *target);
    return answer;
  }
  // Distances fell in the last of n rounds, so some chain of parents has n arcs: it is no path.
  answer.cycle = cycleOfParents(answer.parent).value();
  answer.distance.clear();
  answer.parent.clear();
  return answer;
}

}  // namespace osi_cuda::shortest_path
