// SPDX-License-Identifier: EPL-2.0
// Products from bytes at the length at which their sums just fit into 32 bits.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "osi_cuda/engine/cuda/barrier/byte_product.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"

using namespace osi_cuda;

namespace {

/// 32384 = 127 x 256 - 128: both bytes as large as they become, of opposite signs.
void checkLength(int rows) {
  emulated_runtime::reset();
  constexpr int columns = 2, stride = 2;
  constexpr double worst = 32384.0 / 32512.0;
  std::vector<double> matrix(static_cast<std::size_t>(rows) * columns, worst);
  matrix[0] = matrix[static_cast<std::size_t>(rows)] = 1.0;  // the scale of each column
  std::vector<double> const root(static_cast<std::size_t>(rows), 1.0);
  cuda::Stream const stream = cuda::makeStream();
  cuda::BlasHandle const blas = cuda::makeBlas(stream);
  cuda::DeviceArray<double> a(matrix.size()), weights(root.size()), normal(stride * columns);
  cuda::upload(stream, a.data(), matrix.data(), matrix.size());
  cuda::upload(stream, weights.data(), root.data(), root.size());
  cuda::ByteProduct product;
  cuda::DeviceArray<char> const memory(cuda::ByteProduct::bytes(rows, columns, true));
  product.prepare(rows, columns, rows, true, memory.data(), stream, blas);
  product.form(a.data(), weights.data(), normal.data(), stride);
  std::vector<double> formed(stride * columns);
  cuda::download(stream, formed.data(), normal.data(), formed.size());
  double const expected = 1.0 + (rows - 1.0) * worst * worst;
  for (std::size_t const place : {0u, 1u, 3u})
    BOOST_TEST(std::fabs(formed[place] - expected) <= 1e-9 * expected);
  BOOST_TEST(emulated_runtime::faults().empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(byte_product)

BOOST_AUTO_TEST_CASE(the_longest_lines_have_exact_sums) {
  checkLength(cuda::ByteProduct::longest);
}

BOOST_AUTO_TEST_CASE(longer_lines_are_taken_in_pieces) {
  checkLength(cuda::ByteProduct::longest + 37);
  checkLength(2 * cuda::ByteProduct::longest + 1);
}

BOOST_AUTO_TEST_SUITE_END()
