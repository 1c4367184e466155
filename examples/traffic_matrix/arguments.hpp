// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "examples/traffic_matrix/objective.hpp"
#include "examples/traffic_matrix/sndlib.hpp"

namespace osi_cuda::examples::traffic {

// Arguments that several commands have. The structs must outlive the parsing.

/// --network, --weights, --directed
struct NetworkArguments {
  std::string path;
  std::string weights = "routing-cost";
  bool directed = false;

  void addTo(CLI::App& app, bool required);
  /// Throws what readNetwork() throws, and Failure (usage).
  NetworkFile read() const;
};

/// --objective, --alpha, --beta, --gamma, --q
struct ObjectiveArguments {
  static constexpr double absent = -1.0;
  std::string name = "sum";
  double alpha = absent, beta = absent, gamma = absent, q = 1.0;

  void addTo(CLI::App& app);
  /// Throws Failure (usage) for an unknown name, a value out of range, or an option that the
  /// objective does not have.
  Objective objective() const;
};

/// The place of `name` in `names`. Throws Failure (usage): "--OPTION: unknown WORD; did you
/// mean...".
std::size_t choice(std::string const& option, std::string const& name,
                   std::vector<std::string> const& names);

/// Throws Failure (usage) "OPTION must be CONDITION, not VALUE" unless `good`.
void require(bool good, std::string const& option, std::string const& condition, double value);

/// The folder, created if it is not there. Throws Failure (cannotWrite).
void makeFolder(std::string const& path);

}  // namespace osi_cuda::examples::traffic
