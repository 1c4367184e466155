// SPDX-License-Identifier: EPL-2.0
// osi-cuda convert from end to end: formats, streams, names, failures.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "readers/read.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/support/program.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

namespace data = boost::unit_test::data;
using testing::ProgramResult;
using testing::readWholeFile;
using testing::runOsiCuda;
using testing::TemporaryFolder;

struct Fixture {
  TemporaryFolder folder;
  std::string small = folder.write("small.mps", testing::smallMps());
  /// A number of 13 characters, a name of more than 8, and one that no LP format holds.
  std::string hard = folder.write("hard.mps",
                                  "NAME hard\nROWS\n N cost\n G row+1\n N second\nCOLUMNS\n"
                                  " longcolumn cost 1 row+1 1.23456789012\n longcolumn second 1\n"
                                  "RHS\n RHS row+1 1\nENDATA\n");
  std::string const dropped = "row \"second\" has type N and is not the objective: it is dropped.";

  ProgramResult convert(std::vector<std::string> arguments,
                        std::string const& input = "/dev/null") const {
    arguments.insert(arguments.begin(), "convert");
    return runOsiCuda(arguments, input);
  }
};

std::string const constantNotice =
    "The constant of the objective is the cost of a column constant = 1 in the file.\n";

BOOST_FIXTURE_TEST_SUITE(convert, Fixture)

BOOST_AUTO_TEST_CASE(goes_round_by_endings) {
  std::string previous = small;
  for (char const* name : {"b.lps", "c.MPS", "d.LP"}) {
    std::string const next = folder.file(name);
    ProgramResult const result = convert({previous, next});
    BOOST_TEST(result.status == 0);
    BOOST_TEST(result.errors == (next.ends_with("LP") ? constantNotice : ""), name);
    BOOST_TEST(result.output == "");
    previous = next;
  }
  // lp_solve's format has no room for the names of the problem and of the objective.
  std::string const last = readWholeFile(folder.file("d.LP"));
  BOOST_TEST(last.starts_with("Minimize\n obj: - 3 x - 2 y + constant\nSubject To\n"), last);
  BOOST_TEST(readWholeFile(folder.file("b.lps")).starts_with("m"));  // max: or min:
  std::string const difference = testing::firstDifference(
      readers::read(small).lp, readers::read(folder.file("c.MPS")).lp, {.names = true});
  BOOST_TEST(difference == "");
}

struct Way {
  std::string to;
  std::string begins;
};
std::ostream& operator<<(std::ostream& out, Way const& way) {
  return out << way.to;
}
std::vector<Way> const ways = {{"free-mps", "NAME small FREE\n"},
                               {"fixed-mps", "NAME          small\n"},
                               {"cplex-lp", "\\Problem name: small\n"},
                               {"lp-solve", "m"}};

BOOST_DATA_TEST_CASE_F(Fixture, standard_streams_and_named_formats, data::make(ways), way) {
  ProgramResult const result = convert({"-", "-", "--to", way.to}, small);
  BOOST_TEST(result.status == 0);
  bool const withColumn = way.to == "cplex-lp";  // its readers disagree about a constant
  BOOST_TEST(result.errors == (withColumn ? constantNotice : ""));
  BOOST_TEST(result.output.starts_with(way.begins), result.output);
  if (withColumn) return;
  std::string const difference = testing::firstDifference(
      readers::readText(result.output, "output").lp, readers::read(small).lp, {.names = true});
  BOOST_TEST(difference == "");
}

BOOST_AUTO_TEST_CASE(replaced_names_are_noticed_and_mapped) {
  std::string const out = folder.file("hard.lps");
  std::string const map = folder.file("names.tsv");
  ProgramResult const result = convert({hard, out, "--names-map", map});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.errors.find("row \"row+1\" is called R1 in the file.\n") != std::string::npos,
             result.errors);
  BOOST_TEST(readWholeFile(map) == "kind\tmodel\tfile\nrow\trow+1\tR1\n");
  BOOST_TEST(readers::read(out).lp.rowNames.at(0) == "R1");
  BOOST_TEST(convert({hard, out, "--quiet"}).errors == "");

  BOOST_TEST(convert({small, out, "--names-map", map}).status == 0);
  BOOST_TEST(readWholeFile(map) == "kind\tmodel\tfile\n");
}

BOOST_AUTO_TEST_CASE(many_replaced_names_are_ten_lines) {
  std::string text = "NAME\nROWS\n N cost\nCOLUMNS\n";
  for (int j = 0; j < 25; ++j) text += " a+" + std::to_string(j) + " cost 1\n";
  std::string const in = folder.write("many.mps", text + "ENDATA\n");
  ProgramResult const result = convert({in, folder.file("many.lp")});
  BOOST_TEST(result.status == 0);
  BOOST_TEST(std::count(result.errors.begin(), result.errors.end(), '\n') == 11);
  BOOST_TEST(result.errors.ends_with("15 further names are replaced in the file.\n"));
}

BOOST_AUTO_TEST_CASE(free_rows_stay_when_asked) {
  std::string const out = folder.file("hard2.mps");
  BOOST_TEST(convert({hard, out}).status == 0);
  BOOST_TEST(readers::read(out).lp.rows() == 1);
  BOOST_TEST(convert({hard, out, "--keep-free-rows"}).status == 0);
  BOOST_TEST(readers::read(out).lp.rows() == 2);
}

BOOST_AUTO_TEST_CASE(fixed_mps_rounds_when_asked) {
  std::string const out = folder.file("fixed.mps");
  std::vector<std::string> const arguments{hard, out, "--to", "fixed-mps", "--quiet"};
  ProgramResult const refused = convert(arguments);
  BOOST_TEST(refused.status == 73);
  BOOST_TEST(refused.errors == "osi-cuda: can't write '" + out +
                                   "': the number 1.23456789012 needs more than the 12 characters "
                                   "of fixed MPS\n");
  BOOST_TEST(!std::filesystem::exists(out));

  std::vector<std::string> rounding = arguments;
  rounding.back() = "--round-numbers";
  ProgramResult const result = convert(rounding);
  BOOST_TEST(result.status == 0);
  BOOST_TEST(result.errors.find("1 number(s) are rounded to the 12 characters of fixed MPS.\n") !=
                 std::string::npos,
             result.errors);
  BOOST_TEST(readers::read(out).lp.matrix.values.at(0) == 1.2345678901);
}

struct Refused {
  std::vector<std::string> arguments;
  int status;
  std::string line;
};

BOOST_AUTO_TEST_CASE(what_it_refuses) {
  std::string const out = folder.file("out.mps");
  std::string const bad = folder.write("bad.mps", "NAME\nROWS\n N c\n Q r\n");
  std::string const taken = folder.write("taken.mps", "old");
  std::string const formats = "free-mps, fixed-mps, cplex-lp, lp-solve or npz";
  Refused const cases[] = {
      {{}, 64, "osi-cuda: IN is required"},
      {{small}, 64, "osi-cuda: OUT is required"},
      {{small, "x.txt"},
       64,
       "osi-cuda: the format of 'x.txt' is not known: it doesn't end in .mps, .lp, .lps or .npz, "
       "and "
       "there is no --to"},
      {{small, "-"},
       64,
       "osi-cuda: the format of '-' is not known: it doesn't end in .mps, .lp, .lps or .npz, and "
       "there "
       "is "
       "no --to"},
      {{small, "x.mps.gz"},
       64,
       "osi-cuda: 'x.mps.gz': output is not compressed; write to - and pipe it through a "
       "compressor"},
      {{small, out, "--to", "mps2"}, 64, "osi-cuda: --to: expected " + formats + ", found 'mps2'"},
      {{small, out, "--from", "xml"},
       64,
       "osi-cuda: --from: expected auto, mps, free-mps, fixed-mps, cplex-lp, lp-solve, npz, nl or "
       "smps, found "
       "'xml'"},
      {{small, out, "--names-map", out}, 64, "osi-cuda: OUT and --names-map are the same file"},
      {{bad, taken}, 65, bad + ":4:2: expected a row type (N, E, L or G), found \"Q\""},
      {{small, out, "--from", "cplex-lp"},
       65,
       small + ":1:1: expected the name of a section, found \"NAME\""},
      {{folder.file("none.mps"), out},
       66,
       "osi-cuda: " + folder.file("none.mps") + ": No such file or directory"},
      {{small, "/nonexistent/x.mps"},
       73,
       "osi-cuda: can't write '/nonexistent/x.mps': No such file or directory"},
      {{hard, folder.file("x.lp"), "--keep-names", "--quiet"},
       73,
       "osi-cuda: can't write '" + folder.file("x.lp") +
           "': the row name \"row+1\" can't be held by the format, or is there twice"},
  };
  for (Refused const& refused : cases) {
    BOOST_TEST_CONTEXT(refused.line) {
      ProgramResult const result = convert(refused.arguments);
      BOOST_TEST(result.status == refused.status);
      std::string const hint =
          refused.status == 64 ? "Run osi-cuda convert --help for help.\n" : "";
      BOOST_TEST(result.errors == refused.line + "\n" + hint);
    }
  }
  BOOST_TEST(!std::filesystem::exists(out));
  BOOST_TEST(readWholeFile(taken) == "old");
}

BOOST_AUTO_TEST_CASE(help_names_every_option) {
  ProgramResult const result = convert({"--help"});
  BOOST_TEST(result.status == 0);
  for (char const* word : {"IN", "OUT", "--from", "--to", "--names-map", "--keep-names",
                           "--keep-free-rows", "--round-numbers", "--quiet", "lp-solve"}) {
    BOOST_TEST(result.output.find(word) != std::string::npos, word);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
