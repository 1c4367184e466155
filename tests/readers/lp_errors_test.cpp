// SPDX-License-Identifier: EPL-2.0
//
// One broken LP file per error, with its exact message.
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <ostream>
#include <string>

#include "readers/read.hpp"

namespace osi_cuda::testing {
namespace {

struct Broken {
  std::string text;
  std::string message;  // behind the name of the file
};

std::ostream& operator<<(std::ostream& out, Broken const& broken) {
  return out << broken.message;
}

std::string const rows = "min\n x\nst\n";

Broken const cplexFiles[] = {
    {"st\n", "1:3: expected Maximize or Minimize first, found the end of the file"},
    {"x + y\n", "1:1: expected the name of a section, found \"x\""},
    {"min\n x\n", "2:3: expected End, found the end of the file"},
    {"min\n x +\nst\n", "3:1: expected a number or the name of a column, found \"st\""},
    {"min\n x y\n", "2:4: expected an operator or section Subject To, found \"y\""},
    {"min\n 3 4 x\n", "2:4: expected an operator or the name of a column, found \"4\""},
    {"min\n 3 * 4\n", "2:6: expected the name of a column, found \"4\""},
    {"min\n inf + x\nst\n", "2:2: expected finite numbers in the objective, found \"inf\""},
    {"min\n 1e999 x\n", "2:2: expected a number that fits a double, found \"1e999\""},
    {"min\n x ^ 2\n", "2:4: expected a linear program, found a product of columns"},
    {"min\n 2 x * y\n", "2:6: expected a linear program, found a product of columns"},
    {"min\n x + [ x ^ 2 ] / 2\n", "2:6: expected a linear program, found quadratic terms"},
    {rows + " c: x\n", "4:6: expected <=, >= or =, found the end of the file"},
    {rows + " c: x >=\nend\n", "5:1: expected a number or the name of a column, found \"end\""},
    {rows + " c: x >= 1\n c: x >= 2\n", "5:2: expected a new row name, found \"c\""},
    {rows + " c: 1 <= x <= 2 <= 3\n", "4:17: expected at most two relations, found \"<=\""},
    {rows + " c: 1 <= x >= 2\n", "4:12: expected a lower and an upper bound, found \">=\""},
    {rows + " c: 1 <= x = 2\n", "4:12: expected <= or >=, found \"=\""},
    {rows + " c: inf - inf <= x\n", "4:5: expected a number, found \"inf\""},
    {rows + " c: x + [ x * y ] <= 2\n", "4:9: expected a linear program, found quadratic terms"},
    {rows + " c: 2 x >= 1e999\n", "4:12: expected a number that fits a double, found \"1e999\""},
    {rows + " c: 3 4 <= x\n", "4:7: expected an operator or the name of a column, found \"4\""},
    {rows + " c: x >= 2\ngeneral constraints\n",
     "5:1: expected a linear program, found section general"},
    {rows + " c: x >= 2\npwlobj\n", "5:1: expected a linear program, found section pwlobj"},
    {rows + " c: x >= 2\nuser cuts\n", "5:1: expected a linear program, found section user"},
    {rows + " c: x <= y <= 2\n",
     "4:12: expected columns on one side of a double relation only, found \"<=\""},
    {rows + " c: x <= -inf\n",
     "4:7: expected a bound that can be reached (1e+20 and more is infinity), found \"<=\""},
    {rows + " c: x = 1e30\n",
     "4:7: expected a bound that can be reached (1e+20 and more is infinity), found \"=\""},
    {rows + " c: x + inf <= 3\n", "4:5: expected a finite constant beside columns, found \"x\""},
    {rows + " c: y = 1 -> x <= 3\n",
     "4:11: expected a linear program, found an indicator constraint"},
    {rows + " c: x + d: >= 2\n", "4:9: expected a number or the name of a column, found \"d\""},
    {rows + " c: x >= 2\nmin\n y\nend\n", "6:2: expected one objective, found \"y\""},
    {rows + " c: x >= 2\nbounds\n 3 <= 4\n", "6:7: expected the name of a column, found \"4\""},
    {rows + " c: x >= 2\nbounds\n 3 x <= 4\n", "6:4: expected <=, >= or =, found \"x\""},
    {rows + " c: x >= 2\nbounds\n x 4\n", "6:4: expected <=, >=, = or free, found \"4\""},
    {rows + " c: x >= 2\nbounds\n x <= y\n", "6:7: expected a number or infinity, found \"y\""},
    {rows + " c: x >= 2\nbounds\n x >= inf\n",
     "6:4: expected a bound that can be reached (1e+20 and more is infinity), found \">=\""},
    {rows + " c: x >= 2\ngen\n 3\n",
     "6:2: expected the name of a column, which does not begin with a digit, or a section, found "
     "\"3\""},
    // Sums that no double holds: in the objective, a row, and of both sides.
    {"min\n obj: y + 1e308 x + 1e308 x\nst\n",
     "2:7: expected coefficients that fit a double, found terms of column \"x\" whose sum does "
     "not"},
    {rows + " y >= 1\n c: -1e308 x + 2\n - 1e308 x >= 1\n",
     "5:5: expected coefficients that fit a double, found terms of column \"x\" whose sum does "
     "not"},
    {rows + " 1e308 x >= -1e308 x\n",
     "4:2: expected coefficients that fit a double, found terms of column \"x\" whose sum does "
     "not"},
    {"min\n obj: x + 1e308 + 1e308\nst\n",
     "2:7: expected finite numbers in the objective, found \"x\""},
    {rows + " c: x = 1e20\n",
     "4:7: expected a bound that can be reached (1e+20 and more is infinity), found \"=\""},
    {rows + " c: 2x: y >= 1\n", "4:5: expected a number or the name of a column, found \"2x\""},
    {rows + " c: x >= 2\nbounds\n 3x >= 2\n", "6:3: expected <=, >= or =, found \"x\""},
    {rows + " c: x >= 2\nsos2\n", "5:5: expected End, found the end of the file"},
    {rows + " c: x >= 2\nsos\n s: x:1\nend\n", "6:5: expected S1:: or S2::, found \"x\""},
    {rows + " c: x >= 2\nsos\n s: S3:: x:1\nend\n", "6:5: expected S1:: or S2::, found \"S3\""},
    {rows + " c: x >= 2\nsos1\n x y\nend\n",
     "6:2: expected the name of a set, or a section, found \"x\""},
    {rows + " c: x >= 2\nsos1\n s: x:1 x:2\nend\n",
     "6:9: expected each column once in a set, found \"x\""},
    {rows + " c: x >= 2\nsos1\n s: x:- y:2\nend\n", "6:9: expected a weight, found \"y\""},
    {rows + " c: x >= 2\nlazy constraints\n", "5:1: expected a linear program, found section lazy"},
    {rows + " c: x >= 2\nsemi-finite\n", "5:6: expected continuous, found \"finite\""},
};

Broken const lpSolveFiles[] = {
    {"max: x", "1:7: expected an operator or ;, found the end of the file"},
    {"max: 3 x y;", "1:10: expected an operator or ;, found \"y\""},
    {"/* comment", "1:1: expected a comment that ends, found the end of the file"},
    {"max: x ^2;", "1:8: expected a linear program, found a product of columns"},
    {"max: 2 x * y;", "1:10: expected a linear program, found a product of columns"},
    {"max: x;\nc: x + y >= 2", "2:14: expected an operator or ;, found the end of the file"},
    {"max: x;\nc: x + y;", "2:9: expected <=, >= or =, found \";\""},
    {"max: x;\nc: x >= 1;\nc: x >= 2;", "3:1: expected a new row name, found \"c\""},
    {"max: x;\nd: >= 1;", "2:1: expected the name of a row that stands above, found \"d\""},
    {"max: x;\nd: x + y >= 1;\nd: >= 2;",
     "3:4: expected the bound that the row does not have yet, found \">=\""},
    {"max: x;\nd: x + y >= 1;\nd: <= y;", "3:7: expected a number, found \"y\""},
    {"max: x;\nd: x + y >= 1;\nd: <= -1e30;",
     "3:7: expected a bound that can be reached (1e+20 and more is infinity), found \"-\""},
    {"max: x;\n0 x >= 1;", "2:1: expected a bound with a coefficient other than 0, found \"0\""},
    {"max: x;\nx >= 1e30;",
     "2:3: expected a bound that can be reached (1e+20 and more is infinity), found \">=\""},
    {"max: x;\nx >= 1;\nfree x;",
     "3:6: expected a column without a lower bound to be declared free, found \"x\""},
    {"max: x;\nint x, 3;", "2:8: expected the name of a column, found \"3\""},
    {"max: x + inf;", "1:6: expected finite numbers in the objective, found \"x\""},
    {"max: x;\nc: 1 <= x + y <= 2 <= 3;", "2:20: expected at most two relations, found \"<=\""},
    {"max: x;\nc: 1 <= x + y >= 2;", "2:15: expected a lower and an upper bound, found \">=\""},
    {"max: x;\nc: x + y >= 1e30;",
     "2:10: expected a bound that can be reached (1e+20 and more is infinity), found \">=\""},
    {"max: x;\n1e-300 x >= 1e19;",
     "2:1: expected a bound that can be reached (1e+20 and more is infinity), found \"1e-300\""},
    {"max: x;\nc: x + 1e30 >= 1;", "2:4: expected a finite constant beside columns, found \"x\""},
    {"max: 1e308 x + 1e308 x;",
     "1:6: expected coefficients that fit a double, found terms of column \"x\" whose sum does "
     "not"},
    {"max: x;\nc: 1e308 x >= 2 - 1e308 x;",
     "2:4: expected coefficients that fit a double, found terms of column \"x\" whose sum does "
     "not"},
    {"max: x;\n1: x + y >= 2;",
     "2:2: expected a row name that does not begin with a digit before the :, found \":\""},
    {"max: x;\n0_lower: x + y >= 2;",
     "2:8: expected a row name that does not begin with a digit before the :, found \":\""},
    {"max: x;\nsin;", "2:4: expected <=, >= or =, found \";\""},
    {"max: x;\nc: >= 1", "2:1: expected the name of a row that stands above, found \"c\""},
    {"max: x;\n// comment\nc: x + y >= 1e999;",
     "3:13: expected a number that fits a double, found \"1e999\""},
    {"max: x;\nsos\ns: x:1, y:2;", "3:12: expected <= and the type of the set, found \";\""},
    {"max: x;\nsos\ns: x:1, y:2 <= 3;", "3:16: expected 1 or 2, the type of the set, found \"3\""},
    {"max: x;\nsos\nx:1, y:2 <= 1:-1;",
     "3:15: expected a whole number, the priority of the set, found \"-\""},
    {"max: x;\nsos2\ns: x, x;", "3:7: expected each column once in a set, found \"x\""},
    {"max: x;\nsos2\ns: x, y", "3:8: expected an operator or ;, found the end of the file"},
};

void checkMessage(Broken const& broken, readers::Format format) {
  auto const isExpected = [&](readers::ReadError const& error) {
    BOOST_TEST(std::string(error.what()) == "bad.lp:" + broken.message);
    return true;
  };
  BOOST_CHECK_EXCEPTION(readers::readText(broken.text, "bad.lp", {.format = format}),
                        readers::ReadError, isExpected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lp_errors)

BOOST_DATA_TEST_CASE(cplex, boost::unit_test::data::make(cplexFiles), broken) {
  checkMessage(broken, readers::Format::cplexLp);
}

BOOST_DATA_TEST_CASE(lp_solve, boost::unit_test::data::make(lpSolveFiles), broken) {
  checkMessage(broken, readers::Format::lpSolveLp);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
