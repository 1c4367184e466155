// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/instance.hpp"

namespace osi_cuda::shortest_path {

/// The arguments that say who answers, and how.
struct MethodArguments {
  std::string method = "all";
  std::string solver, engine = "auto";

  void addTo(CLI::App& app);
};

/// An answer with what was found wrong in it.
struct Judged {
  Answer answer;
  std::string fault;  ///< of the certificate; empty: sound
};

/// Asks the methods that the arguments name; with "all" those that can answer this question (no
/// wave without a grid, no Dijkstra with negative arcs, no LP whose tableau would take more than
/// 4 GB). Throws Failure(usage) where one that is named can't.
std::vector<Judged> ask(Instance const& instance, MethodArguments const& arguments);

/// Do those that proved something say the same?
bool agree(std::vector<Judged> const& answers);

}  // namespace osi_cuda::shortest_path
