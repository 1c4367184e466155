// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/shortest_path/graph.hpp"

namespace osi_cuda::shortest_path {

/// Who executes a method that exists twice.
enum class Place { host, device };

enum class Outcome {
  found,          ///< a path; shortest, if the method is exact
  unreachable,    ///< no path from source to target
  negativeCycle,  ///< walks from source to target have no shortest length
  failed          ///< the ant colony's reading got stuck, or a solver proved nothing
};
std::string toString(Outcome outcome);

/// What a method says of one question.
struct Answer {
  std::string method;
  Outcome outcome = Outcome::failed;
  Path path;                       ///< with found
  std::vector<Distance> distance;  ///< from the source to each vertex, where the method has them
  std::vector<Vertex> parent;      ///< the vertex before on a shortest path, -1: none; may be empty
  std::vector<Vertex> cut;         ///< with unreachable: a set with the source that no arc leaves
  std::vector<Vertex> cycle;       ///< with negativeCycle: each vertex once
  std::int64_t rounds = 0;         ///< passes over the graph, or pivots
  double seconds = 0.0;            ///< of the method, data in place
  double transferSeconds = 0.0;    ///< to the device and back
  std::string executor = "host";   ///< or the device's or solver's name
  std::string note;                ///< why it failed
  /// Of a linear program: its row duals, rounded, y_s - y_v. With `found` a bound from below on
  /// each distance, exact along the path, in the tree LP everywhere. Empty otherwise.
  std::vector<Distance> bound;
  int rows = 0, columns = 0;  ///< of a linear program

  void refuse(std::string const& why) {
    outcome = Outcome::failed;
    note = why;
  }
  /// From distances and parents: the path to the target, or the cut of what the source reaches.
  void conclude(Graph const& graph, Vertex source, Vertex target);
};

/// The path that `parent` (length n, -1 at the source and where nothing is known) leads back from
/// the target; its length is the target's distance.
Path readBack(std::vector<Vertex> const& parent, std::vector<Distance> const& distance,
              Vertex target);

}  // namespace osi_cuda::shortest_path
