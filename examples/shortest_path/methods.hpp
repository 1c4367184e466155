// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "examples/shortest_path/ant_colony.hpp"
#include "examples/shortest_path/instance.hpp"

namespace osi_cuda::shortest_path {

/// The arguments that say who answers, and how.
struct MethodArguments {
  std::string method = "all";
  std::string device = "auto";
  std::string solver, engine = "auto";
  ants::Parameters ants;

  void addTo(CLI::App& app);
};

/// An answer with what was found wrong in it.
struct Judged {
  Answer answer;
  bool exact = true;  ///< the ant colony is not
  std::string fault;  ///< of the certificate; empty: sound
};

/// Asks the methods that the arguments name; with "all" those that can answer this question (no
/// wave without a grid, no Dijkstra and no ants with negative arcs, no ants on large graphs, no LP
/// whose tableau would take more than 4 GB). Throws Failure(usage) where one that is named can't.
std::vector<Judged> ask(Instance const& instance, MethodArguments const& arguments,
                        std::uint64_t seed);

/// Do the exact ones that proved something say the same?
bool agree(std::vector<Judged> const& answers);

}  // namespace osi_cuda::shortest_path
