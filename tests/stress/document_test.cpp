// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/document.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

using namespace osi_cuda::stress;

BOOST_AUTO_TEST_SUITE(document)

BOOST_AUTO_TEST_CASE(a_section_is_replaced) {
  std::string const text = "a\n<!-- table -->\nold\n<!-- end of table -->\nz\n";
  BOOST_TEST(withSection(text, "table", "new\n") ==
             "a\n<!-- table -->\nnew\n<!-- end of table -->\nz\n");
  BOOST_TEST(withSection(text, "table", "") == "a\n<!-- table -->\n<!-- end of table -->\nz\n");
}

BOOST_AUTO_TEST_CASE(a_text_without_the_section_is_refused) {
  BOOST_CHECK_THROW(withSection("a\n", "table", ""), std::invalid_argument);
  BOOST_CHECK_THROW(withSection("<!-- table -->\n", "table", ""), std::invalid_argument);
  BOOST_CHECK_THROW(replaceSection("/no/such/file", "table", ""), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(the_date_comes_first) {
  BOOST_TEST(dateAndMachine().find(", a machine with ") == 10u);
}

BOOST_AUTO_TEST_SUITE_END()
