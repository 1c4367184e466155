// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "examples/response/field_problem.hpp"

namespace osi_cuda::response {

/// The field that is asked for.
struct Target {
  std::string shape = "uniform";  ///< uniform: 1 everywhere; spot: a hill; line: a ridge
  double height = 1.0;
  double at(Point place) const;
};
inline std::vector<std::string> const targetShapes{"uniform", "spot", "line"};

/// Sources, observations and guards (points whose field has a limit), and what each source does at
/// each of the others: all that the linear program is made of.
struct Plant {
  std::vector<Point> sources, observations, guards;
  std::vector<double> response;       ///< observations x sources, row by row
  std::vector<double> guardResponse;  ///< guards x sources
  std::vector<double> target;         ///< by observation
};

struct PlantSettings {
  int sources = 24, observations = 120, guards = 0;
  double radius = 0.04;  ///< of a source, at least one and a half triangles
  Target target;
};

/// So many points within the mesh, evenly spread (Halton 1960), each `margin` from its boundary at
/// least; `first` numbers the sequence. Throws Failure where the mesh has no room for them.
std::vector<Point> spreadPoints(Locator const& locator, int count, int first, double margin);

/// A bump around `centre` whose integral is 1.
Functional bumpAt(Space const& space, Locator const& locator, Point centre, double radius);

/// All fields and the plant that follows from them. `loads` gets the sources' functionals.
Plant makePlant(Space const& space, Locator const& locator, FieldProblem const& problem,
                PlantSettings const& settings, Progress const& progress,
                std::vector<Functional>& loads);

}  // namespace osi_cuda::response
