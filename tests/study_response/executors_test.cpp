// SPDX-License-Identifier: EPL-2.0
// The host's forms of a product with all triangles, storages, colours.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "studies/response/fem_forms.hpp"

namespace osi_cuda::response {
namespace {

BOOST_AUTO_TEST_CASE(executorsMultiplyAsTheMatrixDoes) {
  for (int degree = 1; degree <= highestDegree; ++degree) {
    Mesh const mesh = generatePlate({11, 1, 0.25, 9.0, 6});  // no multiple of any number of lanes
    Space const space = makeSpace(mesh, degree);
    Csr const matrix = fieldMatrix(space, 0.0);
    std::vector<double> x(space.dofs), y(space.dofs);
    for (int i = 0; i < space.dofs; ++i) x[i] = space.isFixed[i] ? 0.0 : std::sin(1.0 + i);
    matrix.multiply(x.data(), y.data());
    for (std::size_t k = 0; k < executorNames.size(); ++k) {
      auto const product = executeOnHost(space, Executor(k), x, 2, 1).values;
      double difference = 0.0, size = 0.0;
      for (int i = 0; i < space.dofs; ++i) {
        difference = std::max(difference, std::abs(product[i] - y[i]));
        size = std::max(size, std::abs(y[i]));
      }
      BOOST_TEST(difference < 1e-13 * size);
    }
  }
}

BOOST_AUTO_TEST_CASE(coloursShareNothing) {
  Mesh const mesh = generatePlate({12, 2, 0.2, 4.0, 1});
  Space const space = makeSpace(mesh, 3);
  Colouring const elements = coloursOfElements(space.node, space.width, space.dofs);
  std::size_t seen = 0;
  for (int c = 0; c < elements.count; ++c) {
    std::set<int> nodes;
    for (int k = elements.start[c]; k < elements.start[c + 1]; ++k, ++seen)
      for (int i = 0; i < space.width; ++i)
        BOOST_TEST(nodes.insert(space.node[elements.member[k] * space.width + i]).second);
  }
  BOOST_TEST(int(seen) == space.triangles());

  Csr const matrix = patternOf(space);
  Colouring const rows = coloursOf(matrix);
  std::vector<int> colour(matrix.rows, -1);
  for (int c = 0; c < rows.count; ++c)
    for (int k = rows.start[c]; k < rows.start[c + 1]; ++k) colour[rows.member[k]] = c;
  for (int i = 0; i < matrix.rows; ++i)
    for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
      if (matrix.column[k] != i) BOOST_TEST(colour[i] != colour[matrix.column[k]]);
}

BOOST_AUTO_TEST_CASE(ellpackHasWhatTheRowsHave) {
  Mesh const mesh = generatePlate({6, 0, 0.2, 4.0, 1});
  Csr const matrix = fieldMatrix(makeSpace(mesh, 2), 1.0);
  Ell const ell = ellOf(matrix);
  for (int i = 0; i < matrix.rows; ++i) {
    double sum = 0.0;
    for (int k = 0; k < ell.width; ++k) {
      double const value = ell.value[std::size_t(k) * ell.rows + i];
      if (value != 0.0)
        BOOST_TEST(value ==
                   matrix.value[matrix.find(i, ell.column[std::size_t(k) * ell.rows + i])]);
      sum += value;
    }
    for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k) sum -= matrix.value[k];
    BOOST_TEST(std::abs(sum) < 1e-12);
  }
}

}  // namespace
}  // namespace osi_cuda::response
