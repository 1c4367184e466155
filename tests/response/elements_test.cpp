// SPDX-License-Identifier: EPL-2.0
// Meshes, elements and the field: exact cases, files, orders of convergence.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "examples/response/commands.hpp"
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

/// A triangle's stiffness by quadrature.
Eigen::MatrixXd byQuadrature(Space const& space, int e) {
  auto const& t = space.mesh->triangles[e];
  Point const a = space.pointOf(e, 0.0, 0.0), b = space.pointOf(e, 1.0, 0.0),
              c = space.pointOf(e, 0.0, 1.0);
  Eigen::Matrix2d jacobian;
  jacobian << b.x - a.x, c.x - a.x, b.y - a.y, c.y - a.y;
  Eigen::Matrix2d const inverse = jacobian.inverse();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(space.width, space.width);
  for (auto const& q : reference(space.degree).points) {
    std::vector<double> const& k = space.mesh->conductivity;
    Eigen::MatrixXd gradients(space.width, 2);
    gradients << q.shape.dXi, q.shape.dEta;
    gradients *= inverse;
    sum += q.weight * jacobian.determinant() *
           (k[t[0]] * (1.0 - q.xi - q.eta) + k[t[1]] * q.xi + k[t[2]] * q.eta) * gradients *
           gradients.transpose();
  }
  return sum;
}

BOOST_AUTO_TEST_CASE(integralsAgreeWithQuadrature) {
  Mesh const mesh = generatePlate({6, 0, 0.25, 10.0, 5});
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Space const space = makeSpace(mesh, degree);
    double size = 0.0, difference = 0.0;
    for (int e = 0; e < space.triangles(); ++e) {
      Eigen::MatrixXd const matrix = stiffnessOf(space, e);
      size = std::max(size, matrix.cwiseAbs().maxCoeff());
      difference = std::max(difference, (matrix - byQuadrature(space, e)).cwiseAbs().maxCoeff());
    }
    BOOST_TEST(difference < 1e-13 * size);
    // Constants have no gradient: the rows of the stiffness add up to 0.
    SparseMatrix const matrix = fieldMatrix(space, 0.0);
    Eigen::VectorXd free(space.dofs);
    for (int i = 0; i < space.dofs; ++i) free[i] = space.isFixed[i] ? 0.0 : 1.0;
    std::vector<char> touchesFixed(space.isFixed);
    for (int e = 0; e < space.triangles(); ++e) {
      auto const nodes = space.node.begin() + std::ptrdiff_t(e) * space.width;
      if (std::any_of(nodes, nodes + space.width, [&](int dof) { return space.isFixed[dof]; }))
        for (int k = 0; k < space.width; ++k) touchesFixed[nodes[k]] = 1;
    }
    Eigen::VectorXd const product = matrix * free;
    for (int i = 0; i < space.dofs; ++i)
      if (!touchesFixed[i]) BOOST_TEST(std::abs(product[i]) < 1e-11 * size);
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
  FieldProblem const problem(space, {});
  std::vector<int> all(mesh.triangles.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = int(k);
  auto const load = integralOf(space, all, [](Point p) {
    double const s = std::sin(pi * p.x), t = std::sin(pi * p.y);
    double const slopes = pi * (std::cos(pi * p.x) * t + s * std::cos(pi * p.y));
    return (1.0 + 0.5 * (p.x + p.y)) * 2.0 * pi * pi * s * t - 0.5 * slopes;
  });
  Eigen::MatrixXd const u = problem.fields({load});
  double sum = 0.0;
  for (int e = 0; e < space.triangles(); ++e)
    for (auto const& q : reference(degree).points) {
      Point const p = space.pointOf(e, q.xi, q.eta);
      double value = -std::sin(pi * p.x) * std::sin(pi * p.y);
      for (int i = 0; i < space.width; ++i)
        value += q.shape.value[i] * u(space.node[std::size_t(e) * space.width + i], 0);
      sum += q.weight * doubleArea(mesh, mesh.triangles[e]) * value * value;
    }
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
    FieldProblem const problem(space, {seconds, 6});
    auto const byLoads = problem.response(measures, loads, nullptr);
    auto const turned = problem.response(loads, measures, nullptr);
    for (std::size_t i = 0; i < measures.size(); ++i)
      for (std::size_t j = 0; j < loads.size(); ++j)
        BOOST_TEST(byLoads[i * loads.size() + j] == turned[j * measures.size() + i],
                   boost::test_tools::tolerance(1e-9));
  }
}

/// (1 + 2 r) y[k] - r (y[k-1] + y[k+1]) is the pulse of one step less, and at first all is at 0.
BOOST_AUTO_TEST_CASE(aPulseOnARingDiffuses) {
  for (int const cells : {3, 4, 37})
    for (double const r : {0.3, 4.0, 200.0})
      for (int steps = 0; steps < 4; ++steps) {
        auto const before = ringPulse(cells, r, steps), after = ringPulse(cells, r, steps + 1);
        if (steps == 0) BOOST_TEST(before[0] == cells, boost::test_tools::tolerance(1e-12));
        for (int k = 0; k < cells; ++k) {
          double const beside = after[(k + 1) % cells] + after[(k + cells - 1) % cells];
          double const fault = (1.0 + 2.0 * r) * after[k] - r * beside - before[k];
          BOOST_TEST(std::abs(fault) < 1e-13 * (1.0 + 4.0 * r) * cells);
        }
      }
}

}  // namespace
}  // namespace osi_cuda::response
