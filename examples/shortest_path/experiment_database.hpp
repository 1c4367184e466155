// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shell/sqlite_database.hpp"

namespace osi_cuda::shortest_path {

/// Some runs of one implementation on one kind of graph.
struct Experiment {
  // implementation
  std::string method;  ///< dijkstra, bellman-ford, wave, ants, lp
  std::string place;   ///< host or device
  std::string solver;  ///< of the LP; else empty
  // graph
  std::string family;
  std::int64_t vertices = 0, arcs = 0;
  std::string seeds;       ///< one, or a range as 1..100
  std::string parameters;  ///< of the method, as text; empty: none
  std::int64_t ants = 0;   ///< of the parameters, for tables; 0: none
  // what came out
  double accuracy = 0.0;         ///< share of the runs with the shortest path
  std::optional<double> excess;  ///< mean of length / shortest - 1, over runs that found a path
  std::int64_t runs = 0;
  double seconds = 0.0;          ///< mean of a run, data in place
  double transferSeconds = 0.0;  ///< mean of a run, to the device and back
  double rounds = 0.0;           ///< mean
  bool ok = false;               ///< exact methods: agreed with the others
  std::string device;            ///< its name, or host
  std::string time;              ///< UTC, as 2031-02-28T13:59:59Z; set when it is stored
};

/// A SQLite file of experiments, in four tables: implementation, graph, parameters, experiment.
/// Members throw Failure: noInput or cannotWrite, with SQLite's words.
class ExperimentDatabase {
 public:
  using Mode = shell::SqliteDatabase::Mode;

  /// Opens the file; with Mode::write makes it and its tables if they are missing.
  ExperimentDatabase(std::string const& path, Mode mode);

  void store(Experiment const& experiment);
  /// The newest experiment of each implementation, graph, parameters and device, in the order of
  /// method, family, vertices, ants.
  std::vector<Experiment> latest() const;

 private:
  shell::SqliteDatabase database_;
};

}  // namespace osi_cuda::shortest_path
