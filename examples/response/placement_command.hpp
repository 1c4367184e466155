// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "examples/common/failure.hpp"
#include "examples/response/field_problem.hpp"
#include "examples/response/placement.hpp"

namespace osi_cuda::response {

/// What `solve` and `grid` share: sources, target, limits, solver, and what to write. Must outlive
/// the parsing.
struct PlacementArguments {
  PlantSettings plant;
  std::string goal = "minimax", solver, engine = "auto", timeLimit = "none";
  double lower = 0.0, upper = 1e30;
  std::optional<double> budget, guardLimit, within;
  std::string svg, mps, out;
  bool json = false, quiet = false;

  void addTo(CLI::App& app);
  /// Throws Failure(usage) for arguments that contradict each other.
  Limits limits() const;
  /// Throws Failure (usage) where an output would take the place of a mesh or another output.
  void checkFiles(std::string const& mesh) const;
  Progress progress() const;
};

/// What was done before the LP: lines for the table, and the same as JSON.
struct Stages {
  std::vector<std::pair<std::string, std::string>> lines;
  nlohmann::ordered_json json;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Solves the LP of the plant, and prints, writes and draws what came of it. `fieldOf` makes the
/// field of these strengths; only called for a picture.
struct Picture {
  Point low, high;
  std::vector<std::pair<Point, Point>> outline;
  std::function<std::function<std::optional<double>(Point)>(std::vector<double> const&)> fieldOf;
};
examples::ExitStatus placeAndReport(PlacementArguments const& arguments, Plant const& plant,
                                    Stages stages, Picture const& picture);

}  // namespace osi_cuda::response
