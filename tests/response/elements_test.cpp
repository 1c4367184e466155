// SPDX-License-Identifier: EPL-2.0
// Meshes, elements and the field: exact cases, files, orders of convergence.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "examples/response/by_degree.hpp"
#include "examples/response/field_problem.hpp"
#include "examples/response/plant.hpp"
#include "readers/read_error.hpp"
#include "tests/support/program.hpp"

namespace osi_cuda::response {
namespace {

using testing::TemporaryFolder;

BOOST_AUTO_TEST_CASE(aPlateIsWhole) {
  for (int const holes : {0, 3, 5}) {
    PlateSettings settings;
    settings.cells = 24;
    settings.holes = holes;
    settings.jitter = 0.29;
    Mesh const mesh = generatePlate(settings);
    double area = 0.0;
    for (auto const& triangle : mesh.triangles) {
      BOOST_TEST(doubleArea(mesh, triangle) > 0.0);
      area += 0.5 * doubleArea(mesh, triangle);
    }
    if (holes == 0) BOOST_TEST(area == 1.0, boost::test_tools::tolerance(1e-12));
    // Euler: points - sides + triangles = 1 - holes
    std::size_t const outer = boundarySides(mesh).size();
    std::size_t const sides = (3 * mesh.triangles.size() + outer) / 2;
    BOOST_TEST(int(mesh.points.size()) - int(sides) + int(mesh.triangles.size()) == 1 - holes);
  }
}

BOOST_AUTO_TEST_CASE(aMeshFileComesBack) {
  TemporaryFolder const folder;
  Mesh const mesh = generatePlate({8, 1, 0.2, 9.0, 3});
  Mesh const back = readMsh(folder.write("plate.msh", mshText(mesh)));
  BOOST_REQUIRE(back.triangles.size() == mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      int const a = mesh.triangles[t][k], b = back.triangles[t][k];
      BOOST_TEST(mesh.points[a].x == back.points[b].x);
      BOOST_TEST(mesh.points[a].y == back.points[b].y);
      BOOST_TEST(mesh.conductivity[a] == back.conductivity[b]);
    }
}

constexpr char square[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 1 0\n$EndEntities\n$Nodes\n"
    "1 4 1 9\n2 1 0 4\n1\n2\n7\n9\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n$Elements\n"
    "2 3 1 3\n1 1 1 1\n1 1 2\n2 1 2 2\n2 1 2 7\n3 1 9 7\n$EndElements\n";

BOOST_AUTO_TEST_CASE(gmshsNewFormat) {
  TemporaryFolder const folder;
  Mesh const mesh = readMsh(folder.write("square.msh", square));
  BOOST_TEST(mesh.points.size() == 4u);
  BOOST_REQUIRE(mesh.triangles.size() == 2u);
  // The second triangle runs clockwise in the file.
  for (auto const& triangle : mesh.triangles) BOOST_TEST(doubleArea(mesh, triangle) == 1.0);
}

BOOST_AUTO_TEST_CASE(faultsOfFilesHaveAPlace) {
  TemporaryFolder const folder;
  auto const faultOf = [&](std::string text, std::string const& what, std::string const& with) {
    text.replace(text.find(what), what.size(), with);
    try {
      readMsh(folder.write("bad.msh", text));
    } catch (readers::ReadError const& error) {
      return std::to_string(error.line()) + ':' + std::to_string(error.column());
    }
    return std::string("no fault");
  };
  BOOST_TEST(faultOf(square, "4.1", "3.0") == "2:1");
  BOOST_TEST(faultOf(square, "4.1 0", "4.1 1") == "2:5");
  BOOST_TEST(faultOf(square, "2 1 2 7\n", "2 1 5 7\n") == "24:5");
  BOOST_TEST(faultOf(square, "1 1 0\n0 1 0", "1 x 0\n0 1 0") == "16:3");
  BOOST_TEST(faultOf(square, "0 1 0\n$EndNodes", "2 2 0\n$EndNodes") == "26:1");  // no area
}

BOOST_AUTO_TEST_CASE(basesAreOneAtTheirNodes) {
  for (int degree = 1; degree <= highestDegree; ++degree) {
    auto const lattice = latticeOf(degree);
    BOOST_REQUIRE(int(lattice.size()) == nodesOf(degree));
    for (std::size_t k = 0; k < lattice.size(); ++k) {
      Shape const shape =
          shapeAt(degree, double(lattice[k][0]) / degree, double(lattice[k][1]) / degree);
      for (std::size_t i = 0; i < lattice.size(); ++i)
        BOOST_TEST(std::abs(shape.value[i] - (i == k ? 1.0 : 0.0)) < 1e-13);
    }
  }
}

/// Entry (i, j) of a triangle's stiffness by quadrature.
template <int P>
double byQuadrature(Corners const& c, int i, int j) {
  Reference<P> const& r = reference<P>();
  Metric const m = metricOf(c);
  double sum = 0.0;
  for (int q = 0; q < pointsOf(P); ++q) {
    double const k = c.k[0] * (1.0 - r.xi[q] - r.eta[q]) + c.k[1] * r.xi[q] + c.k[2] * r.eta[q];
    sum += r.weight[q] * k *
           (m.xiXi * r.dXi[q][i] * r.dXi[q][j] +
            m.xiEta * (r.dXi[q][i] * r.dEta[q][j] + r.dEta[q][i] * r.dXi[q][j]) +
            m.etaEta * r.dEta[q][i] * r.dEta[q][j]);
  }
  return sum;
}

BOOST_AUTO_TEST_CASE(integralsAgreeWithQuadrature) {
  Mesh const mesh = generatePlate({6, 0, 0.25, 10.0, 5});
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Space const space = makeSpace(mesh, degree);
    auto const matrices = elementMatrices(space);
    double size = 0.0, difference = 0.0;
    for (double const value : matrices) size = std::max(size, std::abs(value));
    withDegree(degree, [&]<int P>() {
      for (int e = 0; e < space.triangles(); ++e)
        for (int i = 0; i < space.width; ++i)
          for (int j = 0; j < space.width; ++j) {
            double const value = matrices[std::size_t(i * space.width + j) * space.triangles() + e];
            double const other = byQuadrature<P>(space.corners(e), i, j);
            difference = std::max(difference, std::abs(value - other));
          }
    });
    BOOST_TEST(difference < 1e-13 * size);
    // Constants have no gradient: the rows of the stiffness add up to 0.
    Csr const matrix = fieldMatrix(space, 0.0);
    std::vector<double> one(space.dofs, 1.0), product(space.dofs);
    matrix.multiply(one.data(), product.data());
    for (int i = 0; i < space.dofs; ++i) {
      bool touchesFixed = false;
      for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
        touchesFixed = touchesFixed || space.isFixed[matrix.column[k]];
      if (!touchesFixed) BOOST_TEST(std::abs(product[i]) < 1e-11 * size);
    }
  }
}

/// |u_h - u| in L2 for u = sin(pi x) sin(pi y) and conductivity 1 + (x + y) / 2, on an irregular
/// mesh of the unit square.
double manufacturedError(int cells, int degree) {
  using std::numbers::pi;
  Mesh mesh = generatePlate({cells, 0, 0.2, 1.0, 7});
  for (std::size_t k = 0; k < mesh.points.size(); ++k)
    mesh.conductivity[k] = 1.0 + 0.5 * (mesh.points[k].x + mesh.points[k].y);
  Space const space = makeSpace(mesh, degree);
  FieldProblem const problem(space, {}, [](Csr const& m) { return hostManySolver(m); });
  std::vector<int> all(mesh.triangles.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = int(k);
  auto const load = integralOf(space, all, [](Point p) {
    double const s = std::sin(pi * p.x), t = std::sin(pi * p.y);
    double const slopes = pi * (std::cos(pi * p.x) * t + s * std::cos(pi * p.y));
    return (1.0 + 0.5 * (p.x + p.y)) * 2.0 * pi * pi * s * t - 0.5 * slopes;
  });
  std::vector<double> const u = problem.fields({load});
  double sum = 0.0;
  withDegree(degree, [&]<int P>() {
    Reference<P> const& r = reference<P>();
    for (int e = 0; e < space.triangles(); ++e) {
      Corners const c = space.corners(e);
      for (int q = 0; q < pointsOf(P); ++q) {
        double const first = 1.0 - r.xi[q] - r.eta[q];
        double const x = first * c.x[0] + r.xi[q] * c.x[1] + r.eta[q] * c.x[2];
        double const y = first * c.y[0] + r.xi[q] * c.y[1] + r.eta[q] * c.y[2];
        double value = -std::sin(pi * x) * std::sin(pi * y);
        for (int i = 0; i < space.width; ++i)
          value += r.value[q][i] * u[space.node[std::size_t(e) * space.width + i]];
        sum += r.weight[q] * doubleArea(mesh, mesh.triangles[e]) * value * value;
      }
    }
  });
  return std::sqrt(sum);
}

BOOST_AUTO_TEST_CASE(errorsFallWithTheRightOrder) {
  int const coarse[] = {16, 10, 6, 4};
  for (int degree = 1; degree <= highestDegree; ++degree) {
    int const cells = coarse[degree - 1];
    double const ratio = manufacturedError(cells, degree) / manufacturedError(2 * cells, degree);
    double const order = std::log2(ratio);
    BOOST_TEST_MESSAGE("degree " << degree << ": order " << order);
    BOOST_TEST(order > degree + 0.75);
    BOOST_TEST(order < degree + 1.4);
  }
}

BOOST_AUTO_TEST_CASE(responsesByLoadsAndByMeasuresAgree) {
  Mesh const mesh = generatePlate({16, 2, 0.2, 4.0, 1});
  Locator const locator(mesh);
  Space const space = makeSpace(mesh, 2);
  std::vector<Functional> loads, measures;
  for (Point const p : spreadPoints(locator, 5, 0, 0.1))
    loads.push_back(bumpAt(space, locator, p, 0.1));
  for (Point const p : spreadPoints(locator, 9, 20, 0.02))
    measures.push_back(valueAt(space, *locator.find(p)));
  for (double const seconds : {0.0, 0.05}) {
    FieldProblem const problem(space, {seconds, 6, 1e-13},
                               [](Csr const& m) { return hostManySolver(m); });
    auto const byLoads = problem.response(measures, loads, nullptr);
    auto const turned = problem.response(loads, measures, nullptr);
    for (std::size_t i = 0; i < measures.size(); ++i)
      for (std::size_t j = 0; j < loads.size(); ++j)
        BOOST_TEST(byLoads[i * loads.size() + j] == turned[j * measures.size() + i],
                   boost::test_tools::tolerance(1e-9));
  }
}

}  // namespace
}  // namespace osi_cuda::response
