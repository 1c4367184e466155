// SPDX-License-Identifier: EPL-2.0
#include "examples/response/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "examples/common/random.hpp"

namespace osi_cuda::response {
namespace {

using examples::Random;

struct Hole {
  Point centre;
  double radius;
};

constexpr std::array<Hole, 5> holesOfPlate{{{{0.3, 0.68}, 0.12},
                                            {{0.7, 0.6}, 0.09},
                                            {{0.48, 0.27}, 0.1},
                                            {{0.82, 0.2}, 0.06},
                                            {{0.15, 0.2}, 0.05}}};

bool isInHole(Point p, int holes) {
  return std::any_of(holesOfPlate.begin(), holesOfPlate.begin() + holes, [&](Hole const& hole) {
    return std::hypot(p.x - hole.centre.x, p.y - hole.centre.y) < hole.radius;
  });
}

/// A permutation, the same on every platform (Fisher and Yates).
std::vector<int> shuffled(std::size_t count, Random& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = count; k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.uniform() * double(k))]);
  return order;
}

double cross(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

}  // namespace

double doubleArea(Mesh const& mesh, std::array<int, 3> const& t) {
  return cross(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]);
}

Mesh generatePlate(PlateSettings const& settings) {
  Random random(settings.seed);
  int const n = settings.cells, side = n + 1;
  double const h = 1.0 / n;
  std::vector<Point> lattice;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column) {
      Point p{column * h, row * h};
      double const dx = settings.jitter * h * (2.0 * random.uniform() - 1.0);
      double const dy = settings.jitter * h * (2.0 * random.uniform() - 1.0);
      if (column > 0 && column < n) p.x += dx;
      if (row > 0 && row < n) p.y += dy;
      lattice.push_back(p);
    }
  std::vector<std::array<int, 3>> triangles;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      if (isInHole({(column + 0.5) * h, (row + 0.5) * h}, settings.holes)) continue;
      int const a = row * side + column, b = a + 1, c = a + side, d = c + 1;
      if ((row + column) % 2 == 0) {
        triangles.push_back({a, b, d});
        triangles.push_back({a, d, c});
      } else {
        triangles.push_back({a, b, c});
        triangles.push_back({b, d, c});
      }
    }
  std::vector<int> number(lattice.size(), -1);
  std::vector<int> used;
  for (auto const& triangle : triangles)
    for (int const corner : triangle)
      if (number[corner] < 0) {
        number[corner] = static_cast<int>(used.size());
        used.push_back(corner);
      }
  std::vector<int> const newNumber = shuffled(used.size(), random);
  Mesh mesh;
  mesh.points.resize(used.size());
  mesh.conductivity.resize(used.size());
  for (std::size_t k = 0; k < used.size(); ++k) {
    Point const p = lattice[used[k]];
    mesh.points[newNumber[k]] = p;
    // Rises smoothly by the contrast along a diagonal.
    mesh.conductivity[newNumber[k]] = std::pow(settings.contrast, (p.x + p.y) / 2.0);
  }
  for (int const k : shuffled(triangles.size(), random)) {
    std::array<int, 3> triangle = triangles[k];
    for (int& corner : triangle) corner = newNumber[number[corner]];
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

std::vector<std::array<int, 2>> boundarySides(Mesh const& mesh) {
  std::map<std::pair<int, int>, int> seen;  // side by rising numbers -> how often
  for (auto const& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) ++seen[std::minmax({t[k], t[(k + 1) % 3]})];
  std::vector<std::array<int, 2>> sides;
  for (auto const& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      if (seen[std::minmax({t[k], t[(k + 1) % 3]})] == 1) sides.push_back({t[k], t[(k + 1) % 3]});
  return sides;
}

Locator::Locator(Mesh const& mesh) : mesh_(mesh), low_{1e300, 1e300}, high_{-1e300, -1e300} {
  for (Point const p : mesh.points) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }
  double const width = high_.x - low_.x, height = high_.y - low_.y;
  // As many buckets as triangles.
  width_ = std::sqrt(std::max(width * height, 1e-300) / double(mesh.triangles.size()));
  columns_ = 1 + bucketOf(width);
  rows_ = 1 + bucketOf(height);
  buckets_.resize(std::size_t(columns_) * rows_);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    auto const [a, b, c] = mesh.triangles[t];
    auto const [left, right] = std::minmax({mesh.points[a].x, mesh.points[b].x, mesh.points[c].x});
    auto const [down, up] = std::minmax({mesh.points[a].y, mesh.points[b].y, mesh.points[c].y});
    for (int row = bucketOf(down - low_.y); row <= bucketOf(up - low_.y); ++row)
      for (int column = bucketOf(left - low_.x); column <= bucketOf(right - low_.x); ++column)
        buckets_[std::size_t(row) * columns_ + column].push_back(int(t));
  }
}

int Locator::bucketOf(double offset) const {
  return int(std::floor(offset / width_));
}

std::optional<Locator::Place> Locator::find(Point point) const {
  int const column = bucketOf(point.x - low_.x), row = bucketOf(point.y - low_.y);
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return std::nullopt;
  constexpr double rounding = -1e-10;
  for (int const t : buckets_[std::size_t(row) * columns_ + column]) {
    auto const [a, b, c] = mesh_.triangles[t];
    double const area = doubleArea(mesh_, mesh_.triangles[t]);
    double const second = cross(mesh_.points[a], point, mesh_.points[c]) / area;
    double const third = cross(mesh_.points[a], mesh_.points[b], point) / area;
    if (second >= rounding && third >= rounding && 1.0 - second - third >= rounding)
      return Place{t, second, third};
  }
  return std::nullopt;
}

std::vector<int> Locator::near(Point centre, double radius) const {
  std::vector<int> found;
  int const left = std::max(0, bucketOf(centre.x - radius - low_.x));
  int const right = std::min(columns_ - 1, bucketOf(centre.x + radius - low_.x));
  int const down = std::max(0, bucketOf(centre.y - radius - low_.y));
  int const up = std::min(rows_ - 1, bucketOf(centre.y + radius - low_.y));
  for (int row = down; row <= up; ++row)
    for (int column = left; column <= right; ++column) {
      auto const& bucket = buckets_[std::size_t(row) * columns_ + column];
      found.insert(found.end(), bucket.begin(), bucket.end());
    }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace osi_cuda::response
