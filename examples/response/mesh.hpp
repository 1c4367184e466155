// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace osi_cuda::response {

struct Point {
  double x = 0.0, y = 0.0;
};

/// Triangles over points in the plane, each counterclockwise, with the conductivity at each point.
struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<double> conductivity;  ///< by point, above 0; linear within a triangle
};

/// A square plate, 1 x 1, with round holes.
struct PlateSettings {
  int cells = 32;          ///< along a side; each is two triangles
  int holes = 3;           ///< 0 to 5
  double jitter = 0.2;     ///< how far a point is moved, in cells; below 0.3 no triangle turns over
  double contrast = 4.0;   ///< largest over smallest conductivity
  std::uint64_t seed = 1;  ///< of jitter and numbering
};

/// The plate on a lattice, its points moved at random and renumbered at random with the triangles,
/// so that neither numbers nor places tell who is whose neighbour.
Mesh generatePlate(PlateSettings const& settings);

/// Triangles (element type 2) of a file in Gmsh's MSH format, text, version 2.2 or 4.1, as Gmsh's
/// manual describes them; points that no triangle has are left out. Conductivity 1 everywhere.
/// Throws readers::OpenError and readers::ReadError with line and column.
Mesh readMsh(std::string const& path);
/// The same in version 2.2; conductivities go along as $NodeData, which readMsh() takes back.
std::string mshText(Mesh const& mesh);

/// Sides of one triangle only, each with the triangle on its left.
std::vector<std::array<int, 2>> boundarySides(Mesh const& mesh);

/// Twice the area; negative where the corners run clockwise.
double doubleArea(Mesh const& mesh, std::array<int, 3> const& triangle);

/// Finds the triangle a point lies in, by buckets of triangles.
class Locator {
 public:
  struct Place {
    int triangle = -1;
    double second = 0.0, third = 0.0;  ///< barycentric coordinates of the corners 1 and 2
  };

  explicit Locator(Mesh const& mesh);
  /// Nothing for a point outside the mesh.
  std::optional<Place> find(Point point) const;
  /// Triangles that may have points within `radius` of `centre`, in rising order.
  std::vector<int> near(Point centre, double radius) const;
  Point low() const { return low_; }
  Point high() const { return high_; }

 private:
  int bucketOf(double offset) const;

  Mesh const& mesh_;
  Point low_, high_;
  double width_ = 1.0;  ///< of a bucket
  int columns_ = 1, rows_ = 1;
  std::vector<std::vector<int>> buckets_;
};

}  // namespace osi_cuda::response
