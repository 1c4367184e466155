// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/dijkstra.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/property_map.hpp>
#include <stdexcept>
#include <utility>

#include "examples/shortest_path/stopwatch.hpp"

namespace osi_cuda::shortest_path {
namespace {

struct WeightProperty {
  Weight weight = 0;
};
using BoostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, WeightProperty,
                                       boost::no_property, std::uint32_t, std::uint64_t>;

/// Pairs (tail, head) in the order of the arcs, for Boost's constructor.
class Ends {
 public:
  explicit Ends(Graph const& graph) : graph_(&graph), tail_(0) {}
  std::pair<std::uint32_t, std::uint32_t> operator()(ArcIndex arc) const {
    // Asked in ascending order, twice: the tail moves on, or starts again.
    if (arc < graph_->first[std::size_t(tail_)]) tail_ = 0;
    while (arc >= graph_->first[std::size_t(tail_) + 1]) ++tail_;
    return {std::uint32_t(tail_), std::uint32_t(graph_->head[std::size_t(arc)])};
  }

 private:
  Graph const* graph_;
  mutable Vertex tail_;
};

BoostGraph boostGraph(Graph const& graph) {
  auto const weights = [&graph](ArcIndex arc) {
    return WeightProperty{graph.weight[std::size_t(arc)]};
  };
  using Count = boost::counting_iterator<ArcIndex>;
  auto const ends = [&](ArcIndex at) {
    return boost::make_transform_iterator(Count(at), Ends(graph));
  };
  auto const weight = boost::make_transform_iterator(Count(0), weights);
  return BoostGraph(boost::edges_are_sorted, ends(0), ends(graph.arcs()), weight,
                    std::uint32_t(graph.vertices), std::uint64_t(graph.arcs()));
}

}  // namespace

Answer dijkstra(Graph const& graph, Vertex source, Vertex target) {
  if (hasNegativeArc(graph))
    throw std::invalid_argument("Dijkstra's algorithm wants weights that are not negative");
  BoostGraph const boosted = boostGraph(graph);
  auto const n = std::size_t(graph.vertices);
  std::vector<std::uint32_t> before(n);
  Answer answer;
  answer.method = "dijkstra";
  answer.executor = "host";
  answer.distance.resize(n);

  Stopwatch const watch;
  auto const index = get(boost::vertex_index, boosted);
  boost::dijkstra_shortest_paths(
      boosted, std::uint32_t(source),
      boost::weight_map(get(&WeightProperty::weight, boosted))
          .distance_map(boost::make_iterator_property_map(answer.distance.begin(), index))
          .predecessor_map(boost::make_iterator_property_map(before.begin(), index))
          .distance_inf(unreached)
          .distance_zero(Distance{0}));
  answer.seconds = watch.seconds();

  answer.parent.assign(n, -1);
  for (std::size_t v = 0; v < n; ++v)
    if (before[v] != v) answer.parent[v] = Vertex(before[v]);
  answer.outcome =
      answer.distance[std::size_t(target)] < unreached ? Outcome::found : Outcome::unreachable;
  if (answer.outcome == Outcome::found) {
    answer.path = readBack(answer.parent, answer.distance, target);
  } else {
    for (std::size_t v = 0; v < n; ++v)
      if (answer.distance[v] < unreached) answer.cut.push_back(Vertex(v));
  }
  return answer;
}

}  // namespace osi_cuda::shortest_path
