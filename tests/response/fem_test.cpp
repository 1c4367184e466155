// SPDX-License-Identifier: EPL-2.0
// The host's forms: all say the same, by definitions that share no code with them.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "examples/common/random.hpp"
#include "examples/response/executors.hpp"
#include "examples/response/fem_problem.hpp"
#include "examples/response/products.hpp"
#include "tests/support/kernel_checks.hpp"

namespace osi_cuda::response {
namespace {

using testing::difference;

std::vector<double> freeField(Space const& space, int width) {
  examples::Random random(7);
  std::vector<double> x(std::size_t(space.dofs) * width);
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = space.isFixed[k / width] ? 0.0 : 2.0 * random.uniform() - 1.0;
  return x;
}

BOOST_AUTO_TEST_CASE(formsOfTheHost) {
  Mesh const mesh = generatePlate({10, 2, 0.25, 9.0, 6});
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Space const space = makeSpace(mesh, degree);
    FemProblem const problem = femProblemOf(space);
    auto const fem = makeHostFem(problem);
    std::size_t const w = std::size_t(problem.width), count = std::size_t(problem.count);
    for (std::size_t form = 0; form < integrationNames.size(); ++form) {
      std::vector<double> const values = fem->integrate(Integration(form), 1).values;
      double most = 0.0;
      for (std::size_t e = 0; e < count; ++e) {
        Eigen::MatrixXd const right = stiffnessOf(space, int(e));
        for (std::size_t i = 0; i < w; ++i)
          for (std::size_t j = 0; j < w; ++j)
            most = std::max(most, std::abs(values[(i * w + j) * count + e] -
                                           right(Eigen::Index(i), Eigen::Index(j))));
      }
      BOOST_TEST(most < 1e-11);
    }
    BOOST_TEST(difference(fem->assemble(Storage::csr, false, 1).values, problem.matrix.value) <
               1e-13);
    BOOST_TEST(difference(fem->assemble(Storage::ell, false, 1).values, problem.ell.value) < 1e-13);
    SparseMatrix const matrix = fieldMatrix(space, 0.0);
    for (int const width : {1, 4}) {
      std::vector<double> const x = freeField(space, width);
      using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
      ByRows const product = matrix * Eigen::Map<ByRows const>(x.data(), space.dofs, width);
      std::vector<double> const y(product.data(), product.data() + product.size());
      for (std::size_t k = 0; k < storageNames.size(); ++k) {
        BOOST_TEST(difference(fem->multiply(Storage(k), x, width, 1).values, y) < 1e-12);
        for (auto const preconditioner : {Preconditioner::jacobi, Preconditioner::ssor}) {
          if (degree != 2 || (preconditioner == Preconditioner::ssor && k > 1)) continue;
          Timed const solved = fem->solve(Storage(k), preconditioner, {y, width, 1e-12});
          BOOST_TEST(difference(solved.values, x) < 1e-8);
          BOOST_TEST(solved.iterations < 1000);
        }
      }
      if (width > 1) continue;
      for (std::size_t k = 0; k < executorNames.size(); ++k)
        BOOST_TEST(difference(execute(problem, Executor(k), x, 2, 1).values, y) < 1e-12);
    }
    for (Colouring const* colours : {&problem.triangles, &problem.rows})
      BOOST_TEST(colours->start.back() == int(colours->member.size()));
  }
}

BOOST_AUTO_TEST_CASE(ssorHalvesTheIterations) {
  Space const space = [] {
    static Mesh const mesh = generatePlate({16, 2, 0.25, 9.0, 6});
    return makeSpace(mesh, 2);
  }();
  FemProblem const problem = femProblemOf(space);
  std::vector<double> const b = freeField(space, 1);
  auto const fem = makeHostFem(problem);
  int const jacobi = fem->solve(Storage::csr, Preconditioner::jacobi, {b}).iterations;
  int const ssor = fem->solve(Storage::csr, Preconditioner::ssor, {b}).iterations;
  BOOST_TEST(ssor < 0.65 * jacobi);
}

/// Tuning finds the best shape of times that fall and rise along each parameter.
BOOST_AUTO_TEST_CASE(tuningFindsAValley) {
  ProductShape const best{8, 256, 4};
  auto const log = [](int a, int b) { return std::abs(std::log2(double(a) / b)); };
  auto const seconds = [&](ProductShape const& s) {
    return 1.0 + log(s.perRow, best.perRow) + log(s.block, best.block) + log(s.rows, best.rows);
  };
  ProductShape shape = fixedRule(5.0);
  BOOST_TEST(shape.perRow == 4);
  int const trials = tune(shape, seconds);
  BOOST_TEST((shape == best));
  BOOST_TEST(trials < 50);
  BOOST_TEST(allShapes().size() == 100u);
  BOOST_TEST(fixedRule(3000.0).perRow == 512);
}

}  // namespace
}  // namespace osi_cuda::response
