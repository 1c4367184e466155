// SPDX-License-Identifier: EPL-2.0
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/property_map.hpp>
#include <stdexcept>
#include <utility>

#include "examples/shortest_path/algorithms.hpp"
#include "osi_cuda/stopwatch.hpp"

namespace osi_cuda::shortest_path {

Answer dijkstra(Graph const& graph, Vertex source, Vertex target) {
  if (hasNegativeArc(graph))
    throw std::invalid_argument("Dijkstra's algorithm wants weights that are not negative");
  using BoostGraph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, std::uint32_t, std::uint64_t>;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  ends.reserve(graph.head.size());
  graph.eachArc([&](Vertex tail, ArcIndex arc) { ends.emplace_back(tail, graph.head[arc]); });
  BoostGraph const boosted(boost::edges_are_sorted, ends.begin(), ends.end(),
                           std::uint32_t(graph.vertices), ends.size());
  std::vector<std::uint32_t> before(graph.vertices);
  Answer answer;
  answer.method = "dijkstra";
  answer.executor = "host";
  answer.distance.resize(graph.vertices);

  Stopwatch const watch;
  auto const vertexIndex = get(boost::vertex_index, boosted);
  boost::dijkstra_shortest_paths(
      boosted, std::uint32_t(source),
      boost::weight_map(
          boost::make_iterator_property_map(graph.weight.begin(), get(boost::edge_index, boosted)))
          .distance_map(boost::make_iterator_property_map(answer.distance.begin(), vertexIndex))
          .predecessor_map(boost::make_iterator_property_map(before.begin(), vertexIndex))
          .distance_inf(unreached)
          .distance_zero(Distance{0}));
  answer.seconds = watch.seconds();

  answer.parent.assign(before.begin(), before.end());
  for (Vertex v = 0; v < graph.vertices; ++v)
    if (answer.parent[v] == v) answer.parent[v] = -1;
  answer.conclude(graph, source, target);
  return answer;
}

}  // namespace osi_cuda::shortest_path
