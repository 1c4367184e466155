// SPDX-License-Identifier: EPL-2.0
#include "examples/response/plant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "examples/common/failure.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;
using examples::Failure;

/// The digits of k behind the point, in reverse.
double halton(int k, int base) {
  double value = 0.0, unit = 1.0;
  for (; k > 0; k /= base) {
    unit /= base;
    value += unit * (k % base);
  }
  return value;
}

double triangleSize(Mesh const& mesh) {
  double sum = 0.0;
  for (auto const& triangle : mesh.triangles) sum += doubleArea(mesh, triangle);
  return std::sqrt(sum / double(mesh.triangles.size()));
}

}  // namespace

double Target::at(Point p) const {
  constexpr double breadth = 0.15;
  auto const hill = [](double distance) {
    return std::exp(-distance * distance / (breadth * breadth));
  };
  if (shape == "spot") return height * hill(std::hypot(p.x - 0.55, p.y - 0.45));
  if (shape == "line") return height * hill(p.y - 0.45);
  return height;
}

std::vector<Point> spreadPoints(Locator const& locator, int count, int first, double margin) {
  std::vector<Point> points;
  Point const low = locator.low(), high = locator.high();
  for (int k = 1; int(points.size()) < count; ++k) {
    constexpr int patience = 50;  // a mesh that fills a fiftieth of its rectangle
    if (k > patience * (count + 100))
      throw Failure(ExitStatus::badInput, "the mesh has no room for " + std::to_string(count) +
                                              " points away from its boundary");
    Point const p{low.x + (high.x - low.x) * halton(first + k, 2),
                  low.y + (high.y - low.y) * halton(first + k, 3)};
    bool inside = locator.find(p).has_value();
    for (int a = 0; a < 8 && inside; ++a) {
      double const angle = a * std::numbers::pi / 4.0;
      inside = locator.find({p.x + margin * std::cos(angle), p.y + margin * std::sin(angle)})
                   .has_value();
    }
    if (inside) points.push_back(p);
  }
  return points;
}

Functional bumpAt(Space const& space, Locator const& locator, Point centre, double radius) {
  return integralOf(space, locator.near(centre, radius), [&](Point p) {
    double const dx = p.x - centre.x, dy = p.y - centre.y;
    double const rest = 1.0 - (dx * dx + dy * dy) / (radius * radius);
    return rest > 0.0 ? 3.0 * rest * rest / (std::numbers::pi * radius * radius) : 0.0;
  });
}

Plant makePlant(Space const& space, Locator const& locator, FieldProblem const& problem,
                PlantSettings const& settings, Progress const& progress,
                std::vector<Functional>& loads) {
  double const radius = std::max(settings.radius, 1.5 * triangleSize(*space.mesh));
  Plant plant;
  plant.sources = spreadPoints(locator, settings.sources, 0, radius);
  plant.observations =
      spreadPoints(locator, settings.observations, settings.sources, 1.25 * radius);
  plant.guards = spreadPoints(locator, settings.guards, settings.sources + settings.observations,
                              0.25 * radius);
  loads.clear();
  for (Point const p : plant.sources) loads.push_back(bumpAt(space, locator, p, radius));
  std::vector<Functional> measures;
  for (auto const* points : {&plant.observations, &plant.guards})
    for (Point const p : *points) measures.push_back(valueAt(space, *locator.find(p)));
  plant.response = problem.response(measures, loads, progress);
  auto const split =
      plant.response.begin() + std::ptrdiff_t(plant.observations.size() * plant.sources.size());
  plant.guardResponse.assign(split, plant.response.end());
  plant.response.erase(split, plant.response.end());
  for (Point const p : plant.observations) plant.target.push_back(settings.target.at(p));
  return plant;
}

}  // namespace osi_cuda::response
