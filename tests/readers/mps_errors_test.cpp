// SPDX-License-Identifier: EPL-2.0
//
// One broken MPS file per error, with its exact message.
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

std::string const rows = "ROWS\n N cost\n L r1\n G r2\n E r3\n";
std::string const model = rows + "COLUMNS\n x cost 1 r1 1\n y r1 1 r2 1\n";

Broken const brokenFiles[] = {
    // Sections
    {"", "1:1: expected ENDATA, found the end of the file"},
    {model, "8:13: expected ENDATA, found the end of the file"},
    {"hello\n", "1:1: expected the name of a section, found \"hello\""},
    {" x cost 1\n", "1:2: expected the name of a section in column 1, found \"x cost 1\""},
    {"ENDATA\n", "1:1: expected sections ROWS and COLUMNS before ENDATA, found \"ENDATA\""},
    {rows + "ENDATA\n", "6:1: expected sections ROWS and COLUMNS before ENDATA, found \"ENDATA\""},
    {"COLUMNS\n", "1:1: expected section ROWS, found \"COLUMNS\""},
    {"RHS\n", "1:1: expected section ROWS, found \"RHS\""},
    {rows + "RHS\n b r1 1\n", "6:1: expected section COLUMNS, found \"RHS\""},
    {rows + "RANGES\n b r1 1\n", "6:1: expected section COLUMNS, found \"RANGES\""},
    {rows + "BOUNDS\n", "6:1: expected section COLUMNS, found \"BOUNDS\""},
    {rows + rows, "6:1: expected each section only once, found \"ROWS\""},
    {"ROWS\nNAME late\n", "2:1: expected NAME as the first section, found \"NAME\""},
    {"ROWS r1\n", "1:6: expected the end of the line, found \"r1\""},
    {"OBJSENSE\n    DOWN\n", "2:5: expected MAX or MIN, found \"DOWN\""},
    {"OBJSENSE\nROWS\n", "2:1: expected MAX or MIN, found \"ROWS\""},
    {"OBJSENSE MAX MIN\n", "1:14: expected the end of the line, found \"MIN\""},
    {"OBJNAME\n  profit\n" + rows + "COLUMNS\n",
     "2:3: expected the name of a row of type N, found \"profit\""},
    {"OBJNAME r1\n" + rows + "COLUMNS\n",
     "1:9: expected the name of a row of type N, found \"r1\""},
    {"OBJNAME\n  cost\n  cost\n", "3:3: expected one objective row, found \"cost\""},
    {model + "OBJNAME\n  cost\n", "9:1: expected OBJNAME before COLUMNS, found \"OBJNAME\""},
    // Sections of other problems
    {model + "QUADOBJ\n x x 1\nENDATA\n",
     "9:1: expected a linear program, found section QUADOBJ (a quadratic objective)"},
    {model + "QMATRIX\n",
     "9:1: expected a linear program, found section QMATRIX (a quadratic objective)"},
    {model + "QCMATRIX r1\n",
     "9:1: expected a linear program, found section QCMATRIX (a quadratic constraint)"},
    {model + "CSECTION c 0 QUAD\n",
     "9:1: expected a linear program, found section CSECTION (a cone)"},
    {model + "INDICATORS\n",
     "9:1: expected a linear program, found section INDICATORS (indicator constraints)"},
    {model + "GENCONS\n",
     "9:1: expected a linear program, found section GENCONS (general constraints)"},
    {model + "ENDATA\nSOS\n",
     "10:1: expected a linear program, found section SOS (special ordered sets)"},
    // SOS
    {model + "SOS\n x 1\n", "10:2: expected S1 or S2, which begins a set, found \"x\""},
    {model + "SOS\n S3 s\n", "10:2: expected S1 or S2, which begins a set, found \"S3\""},
    {model + "SOS\n S1 s\n S3 t\n",
     "11:2: expected the name of a column in COLUMNS, or S1 or S2, found \"S3\""},
    {model + "SOS\n S1\ts 1.5\n",
     "10:7: expected a whole number, the priority of a set, found \"1.5\""},
    {model + "SOS\n S1\ts 1e10\n",
     "10:7: expected a whole number, the priority of a set, found \"1e10\""},
    {model + "SOS\n S1\ta b c\n", "10:9: expected the end of the line, found \"c\""},
    {model + "SOS\n S1 s\n x 1\n x 2\n", "12:2: expected each column once in a set, found \"x\""},
    {model + "SOS\n S1 s\n z 1\n",
     "11:2: expected the name of a column in COLUMNS, or S1 or S2, found \"z\""},
    {model + "SOS\n S1 s\n x nan\n", "11:4: expected a finite number, found \"nan\""},
    {model + "SOS\n S1 s\n x one\n", "11:4: expected a number, found \"one\""},
    {model + "SOS\n S1 s\n s x 1 2\n", "11:8: expected the end of the line, found \"2\""},
    {model + "SOS\n S1 s\x02\n",
     "10:5: expected a set name without control characters, found \"s?\""},
    {model + "ENDATA\nQUADOBJ\n",
     "10:1: expected a linear program, found section QUADOBJ (a quadratic objective)"},
    // ROWS
    {"ROWS\n Q r1\n", "2:2: expected a row type (N, E, L or G), found \"Q\""},
    {"ROWS\n E\n", "2:3: expected the name of a row, found the end of the line"},
    {"ROWS\n E r1 r2\n", "2:7: expected the end of the line, found \"r2\""},
    {"ROWS\n E r1\n L r1\n", "3:4: expected a new row name, found \"r1\""},
    {"ROWS\n E r\x01\n", "2:4: expected a row name without control characters, found \"r?\""},
    // COLUMNS
    {rows + "COLUMNS\n x r4 1\n", "7:4: expected the name of a row in ROWS, found \"r4\""},
    {rows + "COLUMNS\n x\n", "7:3: expected the name of a row, found the end of the line"},
    {rows + "COLUMNS\n x r1\n", "7:6: expected a number, found the end of the line"},
    {rows + "COLUMNS\n x r1 1 r2\n", "7:11: expected a number, found the end of the line"},
    {rows + "COLUMNS\n x r1 one\n", "7:7: expected a number, found \"one\""},
    {rows + "COLUMNS\n x r1 1e\n", "7:7: expected a number, found \"1e\""},
    {rows + "COLUMNS\n x r1 1,5\n", "7:7: expected a number, found \"1,5\""},
    {rows + "COLUMNS\n x r1 0x10\n", "7:7: expected a number, found \"0x10\""},
    {rows + "COLUMNS\n x r1 --1\n", "7:7: expected a number, found \"--1\""},
    {rows + "COLUMNS\n x r1 nan\n", "7:7: expected a finite number, found \"nan\""},
    {rows + "COLUMNS\n x r1 -Inf\n", "7:7: expected a finite number, found \"-Inf\""},
    {rows + "COLUMNS\n x r1 1e999\n", "7:7: expected a number that fits a double, found \"1e999\""},
    {rows + "COLUMNS\n x r1 1 r2 2 r3\n", "7:14: expected the end of the line, found \"r3\""},
    {rows + "COLUMNS\n x r1 1 r1 2\n", "7:9: expected one entry per row and column, found \"r1\""},
    {rows + "COLUMNS\n x cost 1\n x cost 2\n",
     "8:4: expected one entry per row and column, found \"cost\""},
    {model + " x r2 1\n", "9:2: expected the entries of a column in one place, found \"x\""},
    {rows + "COLUMNS\n x\x02 r1 1\n",
     "7:2: expected a column name without control characters, found \"x?\""},
    {rows + "COLUMNS\n M 'MARKER' 'INTO'\n",
     "7:13: expected 'INTORG' or 'INTEND', found \"'INTO'\""},
    {rows + "COLUMNS\n M 'MARKER' 'SOSORG'\n",
     "7:13: expected a linear program, found a marker of special ordered sets"},
    // RHS and RANGES
    {model + "RHS\n b r9 1\n", "10:4: expected the name of a row in ROWS, found \"r9\""},
    {model + "RHS\n b r1 1\n b r1 1\n", "11:4: expected one right-hand side per row, found \"r1\""},
    {model + "RHS\n b r1 nan\n", "10:7: expected a finite number, found \"nan\""},
    {model + "RHS\n b r1 -1e30\n",
     "10:7: expected a right-hand side that a row of type L can reach (1e+20 and more is "
     "infinity), "
     "found \"-1e30\""},
    {model + "RHS\n b r3 1e30\n",
     "10:7: expected a right-hand side that a row of type E can reach (1e+20 and more is "
     "infinity), "
     "found \"1e30\""},
    {model + "RHS\n b r3 -1e20\n",
     "10:7: expected a right-hand side that a row of type E can reach (1e+20 and more is "
     "infinity), "
     "found \"-1e20\""},
    {model + "RHS\n b cost inf\n", "10:9: expected a finite number, found \"inf\""},
    {model + "RANGES\n b r9 1\n", "10:4: expected the name of a row in ROWS, found \"r9\""},
    {model + "RANGES\n b r1 1 r1 2\n", "10:9: expected one range per row, found \"r1\""},
    {model + "RANGES\n b r1 many\n", "10:7: expected a number, found \"many\""},
    // BOUNDS
    {model + "BOUNDS\n XX b x 1\n",
     "10:2: expected a bound type (UP, LO, FX, FR, MI, PL, BV, LI, UI or SC), found \"XX\""},
    {model + "BOUNDS\n UP b z 1\n", "10:7: expected the name of a column in COLUMNS, found \"z\""},
    {model + "BOUNDS\n UP\n", "10:4: expected the name of a column, found the end of the line"},
    {model + "BOUNDS\n UP x\n", "10:6: expected a number, found the end of the line"},
    {model + "BOUNDS\n UP b x 1 2\n", "10:11: expected the end of the line, found \"2\""},
    {model + "BOUNDS\n UP b x 1\n UP b x 1\n",
     "11:7: expected one bound of each type per column, found \"x\""},
    {model + "BOUNDS\n UP b x -1e30\n",
     "10:9: expected a bound that can be reached (1e+20 and more is infinity), found \"-1e30\""},
    {model + "BOUNDS\n LO b x inf\n",
     "10:9: expected a bound that can be reached (1e+20 and more is infinity), found \"inf\""},
    {model + "BOUNDS\n FX b x 1e31\n",
     "10:9: expected a bound that can be reached (1e+20 and more is infinity), found \"1e31\""},
    {model + "BOUNDS\n FX b x -inf\n",
     "10:9: expected a bound that can be reached (1e+20 and more is infinity), found \"-inf\""},
    {model + "BOUNDS\n UP b x -1e20\n",
     "10:9: expected a bound that can be reached (1e+20 and more is infinity), found \"-1e20\""},
    {model + "BOUNDS\n UP b x nan\n", "10:9: expected a finite number, found \"nan\""},
    // A message stays short and printable
    {"ROWS\n E a\n E a234567890123456789012345678901234567890 x\n",
     "3:45: expected the end of the line, found \"x\""},
    {"b234567890123456789012345678901234567890123\n",
     "1:1: expected the name of a section, found \"b234567890123456789012345678901234567890...\""},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(mps_errors)

BOOST_DATA_TEST_CASE(message_with_position, boost::unit_test::data::make(brokenFiles), broken) {
  auto const isExpected = [&](readers::ReadError const& error) {
    BOOST_TEST(std::string(error.what()) == "bad.mps:" + broken.message);
    BOOST_TEST(error.file() == "bad.mps");
    return true;
  };
  BOOST_CHECK_EXCEPTION(readers::readText(broken.text, "bad.mps", {.format = readers::Format::mps}),
                        readers::ReadError, isExpected);
}

BOOST_AUTO_TEST_CASE(carriage_returns_and_byte_order_marks_do_not_shift_positions) {
  try {
    readers::readText("\xef\xbb\xbfROWS\r\n E r1\r\n L r1\r\n", "bad.mps");
    BOOST_ERROR("read");
  } catch (readers::ReadError const& error) {
    BOOST_TEST(error.line() == 3);
    BOOST_TEST(error.column() == 4);
    BOOST_TEST(error.expected() == "a new row name");
    BOOST_TEST(error.found() == "\"r1\"");
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
