// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>

#include "examples/textbook/product.hpp"

namespace osi_cuda::textbook {

BOOST_AUTO_TEST_CASE(productsOnTheHost) {
  Matrices const matrices = randomMatrices(productUnit);
  for (std::size_t k = 0; k < productFormNames().size(); ++k) {
    auto const form = static_cast<ProductForm>(k);
    if (onDevice(form)) continue;
    BOOST_TEST_CONTEXT(productFormNames()[k]) {
      Product const product = productOnHost(form, matrices, 1);
      BOOST_TEST(productError(matrices, product.c) < 1e-13);
      BOOST_TEST(product.seconds > 0.0);
    }
  }
}

// One wrong entry of 16384 is seen.
BOOST_AUTO_TEST_CASE(wrongProductsAreSeen) {
  Matrices const matrices = randomMatrices(productUnit);
  Product product = productOnHost(ProductForm::naive, matrices, 1);
  product.c[777] += 1e-3;
  BOOST_TEST(productError(matrices, product.c) > 1e-10);
}

BOOST_AUTO_TEST_CASE(peakIsAPositiveSpeed) {
  BOOST_TEST(hostPeak(false) > 1e6);
}

}  // namespace osi_cuda::textbook
