// SPDX-License-Identifier: EPL-2.0
#include "shell/csv_table.hpp"

#include <boost/test/unit_test.hpp>

#include "readers/read_error.hpp"
#include "tests/support/program.hpp"

using namespace osi_cuda;
using shell::CsvTable;
using shell::ShortLines;

namespace {

struct Folder : testing::TemporaryFolder {
  /// The fault of reading this text to its end, without the name of the file.
  std::string faultOf(std::string const& text) const {
    std::string const path = write("bad.csv", text);
    try {
      CsvTable table(path);
      while (table.next()) table.need("b");
    } catch (readers::ReadError const& error) {
      return std::string(error.what()).substr(path.size());
    }
    return "none";
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(csv_table, Folder)

BOOST_AUTO_TEST_CASE(cellsByColumnWithQuotesAndRemarks) {
  CsvTable table(write("good.csv",
                       "\xEF\xBB\xBF b , \"a\"\r\n# a remark, with a comma\n\n"
                       "1,\"x, y\"\r\n , \"say \"\"no\"\"\" \n"));
  BOOST_TEST(table.header() == (std::vector<std::string>{"b", "a"}),
             boost::test_tools::per_element());
  BOOST_TEST(!table.find("c").has_value());
  BOOST_REQUIRE(table.next());
  BOOST_TEST(table.text(table.need("a")) == "x, y");
  BOOST_TEST(table.text(table.need("b")) == "1");
  BOOST_REQUIRE(table.next());
  BOOST_TEST(table.text(0).empty());
  BOOST_TEST(table.text(1) == "say \"no\"");
  BOOST_TEST(!table.next());
}

BOOST_AUTO_TEST_CASE(linesThatAreTooShortOrTooLong) {
  std::string const path = write("short.csv", "a,b\n1\n1,2,3\n");
  CsvTable table(path, ShortLines::emptyCells);
  BOOST_REQUIRE(table.next());
  BOOST_TEST(table.text(1).empty());
  BOOST_CHECK_THROW(table.next(), readers::ReadError);
  BOOST_TEST(faultOf("a,b\n1\n") == ":2:1: expected 2 cells as in the header, found 1");
}

BOOST_AUTO_TEST_CASE(filesThatAreNoTable) {
  BOOST_TEST(faultOf("# nothing\n").find("expected a header line that names the columns") !=
             std::string::npos);
  // A missing column is looked for on the line that is read.
  BOOST_TEST(faultOf("a,c\n1,2\n") == ":2:1: expected a column 'b' in the header, found \"1,2\"");
  BOOST_CHECK_THROW(CsvTable("/nowhere/at/all.csv"), readers::OpenError);
}

BOOST_AUTO_TEST_SUITE_END()
