// SPDX-License-Identifier: EPL-2.0
//
// What is written reads back as the same model.
#include <unistd.h>

#include <bit>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <ostream>
#include <random>
#include <string>
#include <tuple>

#include "readers/format_writers.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/readers/test_data.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::readers {
std::ostream& operator<<(std::ostream& out, FileFormat format) {
  return out << "format " << static_cast<int>(format);
}
}  // namespace osi_cuda::readers

namespace osi_cuda::testing {
namespace {

namespace data = boost::unit_test::data;
using readers::FileFormat;

constexpr FileFormat exactFormats[] = {FileFormat::freeMps, FileFormat::cplexLp,
                                       FileFormat::lpSolveLp};

/// A model with what formats find hard: long decimals, every kind of bound, names.
LinearProgram difficult() {
  LinearProgram lp;
  lp.name = "a difficult one";
  lp.objectiveName = "profit";
  lp.sense = Sense::maximize;
  lp.objectiveOffset = -0.1;
  lp.matrix = {6,
               9,
               {0, 3, 4, 4, 5, 6, 7, 8, 9, 10},
               {0, 1, 5, 2, 3, 4, 0, 1, 2, 3},
               {1.0 / 3, -1e-300, 5e-324, 1.7976931348623157e308, 0.1, 2, 3, 4, 5, 6}};
  lp.objective = {1e-17, 0, 0, 123456789.12345678, -1, 0, 3, 1, 1};
  lp.columnLower = {0, -infinity, -infinity, -3.25, 0, 2.5, 0, 0, -2};
  lp.columnUpper = {infinity, infinity, -4, 1.0 / 7, 1, 2.5, infinity, -1, 8};
  lp.rowLower = {-infinity, 1.0 / 3, 2, -1.1, -infinity, 0.3};
  lp.rowUpper = {5, infinity, 2, 3.3, infinity, 1e9 + 0.1};
  lp.rowNames = {"r1", "r2", "r3", "r4", "r5", "r6"};
  lp.columnNames = {"a", "b", "c", "d", "e_1", "f.g", "h", "i", "j"};
  lp.integer = {0, 0, 0, 1, 1, 0, 1, 0, 1};
  return lp;
}

void readsBackAs(LinearProgram const& lp, FileFormat format, Ignore ignore = {}) {
  std::string const text = readers::writeText(lp, format);
  LinearProgram const back = readers::readText(text, "written").lp;
  LinearProgram expected = lp;
  if (format == FileFormat::cplexLp) {  // what other programs read as well
    expected = readers::withSplitRanges(lp, false);
    if (lp.objectiveOffset != 0.0) {
      expected.matrix.makeSparse();
      expected.endColumn(std::exchange(expected.objectiveOffset, 0.0), 1.0, 1.0);
      if (!expected.integer.empty()) expected.integer.push_back(0);
      expected.columnNames.push_back("constant");
    }
  }
  std::string const difference = firstDifference(expected, back, ignore);
  BOOST_TEST(difference == "", difference << " in\n" << text.substr(0, 2000));
}

/// The model with the names that it has in a file.
LinearProgram named(LinearProgram lp) {
  readers::WrittenNames names = readers::namesFor(lp, [](std::string_view) { return true; });
  lp.objectiveName = names.objective;
  lp.rowNames = std::move(names.rows);
  lp.columnNames = std::move(names.columns);
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(writers)

BOOST_DATA_TEST_CASE(a_difficult_model, data::make(exactFormats), format) {
  readsBackAs(difficult(), format);
  LinearProgram minimized = difficult();
  minimized.sense = Sense::minimize;
  minimized.integer.clear();
  readsBackAs(minimized, format);
}

BOOST_DATA_TEST_CASE(sets_and_semicontinuous_columns, data::make(exactFormats), format) {
  LinearProgram lp = difficult();
  lp.columnLower[7] = -1e6;
  lp.columnUpper[7] = -0.5;
  // Above 0, without an upper bound, fixed when on, below 0, around it, integer.
  for (auto const& [j, lower, upper] : {std::tuple(0, 2.0 / 3, infinity),
                                        {1, 1.5, 1.5},
                                        {2, -infinity, -4.0},
                                        {4, 1.0, 7.0},
                                        {5, -1.0, 2.5},
                                        {6, 3.25, 1e7},
                                        {7, -1e6, -0.5}}) {
    lp.columnLower[j] = lower;
    lp.columnUpper[j] = upper;
    lp.choices.addSemicontinuous(j, lp.columnLower[j], lp.columnUpper[j]);
  }
  int const priority = format == FileFormat::cplexLp ? 0 : 4;  // which has no place for one
  lp.choices.sets = {{"one", 1, priority, {3, 0, 8}, {-1.0 / 3, 0, 1e9}},
                     {"two", 2, 0, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 9.5}}};
  readsBackAs(lp, format);
  lp.objectiveOffset = 0.0;
  lp.choices.semicontinuous.clear();
  readsBackAs(lp, format);
  // Names that a format has no place for, and none.
  lp.choices.sets[0].name = "sos 1";
  lp.choices.sets[1].name = "";
  readers::WriteResult result;
  std::string const text = readers::writeText(lp, format, {}, &result);
  std::vector<OrderedSet> const back = readers::readText(text, "written").lp.choices.sets;
  BOOST_TEST(back.at(0).columns == lp.choices.sets[0].columns);
  BOOST_TEST(back.at(1).name == "set2");
}

BOOST_DATA_TEST_CASE(damaged_sets_are_errors_or_models, data::make(exactFormats), format) {
  LinearProgram lp;
  for (double const lower : {2.0, -7.0, 0.0}) lp.endColumn(1, lower, lower + 3);
  for (int const j : {0, 1}) lp.choices.addSemicontinuous(j, lp.columnLower[j], lp.columnUpper[j]);
  lp.choices.sets = {{"s", 2, 3, {0, 2, 1}, {-1.5, 2, 1e9}}, {"t", 1, 0, {1, 2}, {1, 2}}};
  std::string const text = readers::writeText(lp, format);
  int models = 0, errors = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    for (char const c : std::string_view(" \n:19-;SxE\0\xff", 12)) {
      std::string damaged = text;
      damaged[k] = c;
      try {
        BOOST_TEST(findFault(readers::readText(damaged, "damaged").lp) == "");
        ++models;
      } catch (readers::ReadError const&) {
        ++errors;
      }
    }
  BOOST_TEST(models > 50);
  BOOST_TEST(errors > 500);
}

BOOST_AUTO_TEST_CASE(what_has_no_place_for_sets) {
  LinearProgram lp = difficult();
  lp.choices.sets = {{"one", 1, 3, {0, 1}, {1, 2}}};
  BOOST_CHECK_THROW(readers::writeText(lp, FileFormat::npz), readers::WriteError);
  LinearProgram moved = lp;
  moved.choices.semicontinuous = {{0, 2.0}};
  for (double const lower : {1.0, -1.0}) {  // 0 is not among them any more; more than 0 is
    moved.columnLower[0] = lower;
    BOOST_CHECK_THROW(readers::writeText(moved, FileFormat::freeMps), readers::WriteError);
  }
  readers::WriteResult result;
  readers::writeText(lp, FileFormat::cplexLp, {}, &result);
  auto const tells = [](std::string const& notice) { return notice.starts_with("Priorities"); };
  BOOST_TEST(std::ranges::count_if(result.notices, tells) == 1);
  // Fixed MPS holds 8 characters and 12 digits.
  LinearProgram small;
  small.endColumn(1, 2, 3);
  small.columnNames = {"a b"};
  small.choices.addSemicontinuous(0, small.columnLower[0], small.columnUpper[0]);
  small.choices.sets = {{"set", 2, 1, {0}, {0.5}}};
  std::string const text = readers::writeText(small, FileFormat::fixedMps);
  LinearProgram const back =
      readers::readText(text, "written", {.format = readers::Format::fixedMps}).lp;
  BOOST_TEST(firstDifference(named(small), back) == "", text);
}

BOOST_DATA_TEST_CASE(random_models, data::make(exactFormats), format) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomLp const random = randomLp(seed);
    LinearProgram const lp = named(random.lp);
    BOOST_TEST_CONTEXT(random.description) {
      bool crossed = false;
      for (int i = 0; i < lp.rows(); ++i) crossed |= lp.rowLower[i] > lp.rowUpper[i];
      bool const isMps = format == FileFormat::freeMps;
      if (isMps ? crossed : lp.rows() > 0 && lp.columns() == 0) {
        BOOST_CHECK_THROW(readers::writeText(lp, format), readers::WriteError);
      } else {
        readsBackAs(lp, format);
      }
    }
  }
}

BOOST_DATA_TEST_CASE(random_doubles, data::make(exactFormats), format) {
  std::mt19937_64 draw(5);
  LinearProgram lp = named(LinearProgram{});
  lp.matrix.rows = 1;
  lp.rowNames = {"r"};
  lp.rowLower = {-infinity};
  lp.rowUpper = {0.1};
  for (int j = 0; j < 5000; ++j) {
    double value = std::bit_cast<double>(draw());
    if (!std::isfinite(value) || value == 0.0) value = 0.5;
    lp.matrix.indices.push_back(0);
    lp.matrix.values.push_back(value);
    lp.matrix.starts.push_back(++lp.matrix.columns);
    lp.objective.push_back(-value);
    lp.columnLower.push_back(0);
    lp.columnUpper.push_back(infinity);
    lp.columnNames.push_back("x" + std::to_string(j));
  }
  readsBackAs(lp, format);
}

BOOST_DATA_TEST_CASE(real_models, data::make(exactFormats), format) {
  constexpr std::uintmax_t largest = 200'000;  // bytes, compressed
  for (char const* folder : {"netlib", "netlib-infeasible"}) {
    for (auto const& file : filesIn(dataFolder() / folder)) {
      if (file.extension() != ".gz" || std::filesystem::file_size(file) > largest) continue;
      BOOST_TEST_CONTEXT(file.string()) {
        LinearProgram const lp = readers::read(file.string()).lp;
        // Names of pang begin with $, which begins a comment elsewhere.
        readsBackAs(lp, format, {.names = format != FileFormat::freeMps || lp.name == "PANG"});
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(fixed_mps_holds_short_names_and_numbers) {
  LinearProgram lp = named(LinearProgram{});
  lp.matrix = {1, 2, {0, 1, 2}, {0, 0}, {0.25, 0.125}};
  lp.objective = {1, 2};
  lp.columnLower = {0, -1};
  lp.columnUpper = {4, infinity};
  lp.rowLower = {-3};
  lp.rowUpper = {12345678901};
  lp.rowNames = {"ROW ONE"};
  lp.columnNames = {"COL ONE", "COL TWO"};
  readsBackAs(lp, FileFormat::fixedMps);

  lp.columnNames[1] = "too long for it";
  readers::WriteResult result;
  readers::writeText(lp, FileFormat::fixedMps, {}, &result);
  BOOST_TEST(result.renamed.size() == 1u);
  BOOST_TEST(result.notices.at(0) == "column \"too long for it\" is called C2 in the file.");

  lp.matrix.values[0] = 1.0 / 3;
  auto const names = [](readers::WriteError const& error) {
    return std::string(error.what()) ==
           "the number 0.3333333333333333 needs more than the 12 characters of fixed MPS";
  };
  BOOST_CHECK_EXCEPTION(readers::writeText(lp, FileFormat::fixedMps), readers::WriteError, names);
  std::string const text =
      readers::writeText(lp, FileFormat::fixedMps, {.roundNumbers = true}, &result);
  BOOST_TEST(result.notices.at(0) == "1 number(s) are rounded to the 12 characters of fixed MPS.");
  BOOST_TEST(readers::readText(text, "f").lp.matrix.values[0] == 0.3333333333);
}

BOOST_AUTO_TEST_CASE(names_that_free_mps_cannot_hold) {
  LinearProgram lp = difficult();
  lp.columnNames = {"with blank", "", "C1", "$x", "d", "d", "'MARKER'", "*", "R1"};
  lp.rowNames[0] = "profit";
  readers::WriteResult result;
  std::string const text = readers::writeText(lp, FileFormat::freeMps, {}, &result);
  LinearProgram const back = readers::readText(text, "f").lp;
  BOOST_TEST(firstDifference(lp, back, {.names = true}) == "");
  BOOST_TEST(back.columnNames ==
             (std::vector<std::string>{"C1_", "C2", "C1", "C4", "d", "C6", "C7", "C8", "R1"}));
  BOOST_TEST(back.objectiveName == "obj");
  BOOST_TEST(result.renamed.size() == 7u);
  BOOST_TEST((result.renamed.at(0) == readers::Renamed{"column", "with blank", "C1_"}));
}

BOOST_AUTO_TEST_CASE(models_that_cannot_be_written) {
  LinearProgram lp = difficult();
  lp.rowLower[0] = 6;
  auto const crossed = [](readers::WriteError const& error) {
    return std::string(error.what()) ==
           "row r1 has a lower bound above its upper bound, which MPS can't hold";
  };
  BOOST_CHECK_EXCEPTION(readers::writeText(lp, FileFormat::freeMps), readers::WriteError, crossed);
  lp = difficult();
  lp.objective.pop_back();
  BOOST_CHECK_THROW(readers::writeText(lp, FileFormat::freeMps), readers::WriteError);
  lp = difficult();
  lp.columnLower[0] = 1e30;
  BOOST_CHECK_THROW(readers::writeText(lp, FileFormat::freeMps), readers::WriteError);
  lp = difficult();
  lp.columnUpper[0] = 1e31;
  readers::WriteResult result;
  readers::writeText(lp, FileFormat::freeMps, {}, &result);
  BOOST_TEST(result.notices.at(0) == "1 bound(s) of size 1e30 or more are infinite in the file.");
  lp.columnUpper[0] = 1e25;
  readers::writeText(lp, FileFormat::freeMps, {}, &result);
  BOOST_TEST(result.notices.at(0) ==
             "1 bound(s) of size 1e20 or more are finite in the model, but infinite to most "
             "programs that read the file.");
}

BOOST_AUTO_TEST_CASE(names_may_be_kept_or_refused) {
  LinearProgram lp = difficult();
  lp.rowNames[0] = "with blank";
  auto const names = [](readers::WriteError const& error) {
    return std::string(error.what()) ==
           "the row name \"with blank\" can't be held by the format, or is there twice";
  };
  BOOST_CHECK_EXCEPTION(readers::writeText(lp, FileFormat::freeMps, {.renameNames = false}),
                        readers::WriteError, names);
  lp = difficult();
  readers::WriteResult result;
  for (int j = 0; j < lp.columns(); ++j) lp.columnNames[j] = "a b " + std::to_string(j);
  for (int i = 0; i < lp.rows(); ++i) lp.rowNames[i] = "r s " + std::to_string(i);
  readers::writeText(lp, FileFormat::freeMps, {}, &result);
  std::size_t const count = result.renamed.size();
  BOOST_REQUIRE(count > 10u);
  BOOST_TEST(result.notices.size() == 11u);
  BOOST_TEST(result.notices.back() ==
             std::to_string(count - 10) + " further names are replaced in the file.");
}

// A row with two bounds as two rows, which has the same solutions.
BOOST_AUTO_TEST_CASE(ranges_are_split) {
  std::string const text =
      "Minimize\n obj: x + y\nSubject To\n r: 1 <= x + 2 y <= 3\n r_low: x - y >= 0\n"
      " sum: x + y = 2\nEnd\n";
  LinearProgram const lp = readers::readText(text, "a.lp").lp;
  readers::WriteResult result;
  std::string const written = readers::writeText(lp, FileFormat::cplexLp, {}, &result);
  BOOST_TEST(result.notices.at(0) ==
             "1 row(s) with two bounds are two rows in the file, NAME with the upper and NAME_low "
             "with the lower bound.");
  BOOST_TEST(result.renamed.size() == 1u);  // there is an r_low
  LinearProgram const back = readers::readText(written, "b.lp").lp;
  BOOST_TEST(back.rowNames == (std::vector<std::string>{"r", "r_low", "R3", "sum"}));
  BOOST_TEST(back.rowLower == (std::vector<double>{-infinity, 1.0, 0.0, 2.0}));
  BOOST_TEST(back.rowUpper == (std::vector<double>{3.0, infinity, infinity, 2.0}));
  BOOST_TEST(back.matrix.transposed().columnValues(1)[1] == 2.0);
}

BOOST_AUTO_TEST_CASE(large_files_are_written_in_blocks) {
  LinearProgram lp;
  constexpr int n = 20'000;
  lp.matrix = {0, n, std::vector<std::int64_t>(n + 1, 0), {}, {}};
  lp.objective.assign(n, 1.0 / 3);
  lp.columnLower.assign(n, -1.0 / 7);
  lp.columnUpper.assign(n, infinity);
  TemporaryFolder const folder;
  std::string const path = folder.file("large.mps");
  readers::write(path, lp, FileFormat::freeMps);
  BOOST_TEST(std::filesystem::file_size(path) > 500'000u);
  BOOST_TEST(firstDifference(readers::read(path).lp, lp, {.names = true}) == "");
}

BOOST_AUTO_TEST_CASE(fixed_mps_rounds_ranges) {
  LinearProgram lp = difficult();
  lp.rowLower[0] = -1;
  lp.rowUpper[0] = 1 + 0x1p-52;
  readers::WriteResult result;
  std::string const text =
      readers::writeText(lp, FileFormat::fixedMps, {.roundNumbers = true}, &result);
  auto const says = [](std::string const& sentence) {
    return sentence.starts_with("the range of row r1 is rounded: its bounds are -1 and ");
  };
  BOOST_TEST(std::ranges::count_if(result.notices, says) == 1);
  BOOST_TEST(readers::readText(text, "f").lp.rowLower[0] == -1);
}

BOOST_AUTO_TEST_CASE(ranges_that_no_double_gives) {
  LinearProgram lp = difficult();
  lp.rowLower[0] = -1;
  lp.rowUpper[0] = 1 + 0x1p-52;
  lp.rowLower[4] = 0.1;
  lp.rowUpper[4] = 1e15 + 0.5;
  readers::WriteResult result;
  readers::writeText(lp, FileFormat::freeMps, {}, &result);
  BOOST_TEST(result.notices.empty());
  readsBackAs(lp, FileFormat::freeMps);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_written) {
  auto const names = [](readers::WriteError const& error) {
    return std::string(error.what()) == "/nonexistent/f.mps: No such file or directory";
  };
  BOOST_CHECK_EXCEPTION(readers::write("/nonexistent/f.mps", difficult(), FileFormat::freeMps),
                        readers::WriteError, names);
  if (std::filesystem::exists("/dev/full")) {
    BOOST_CHECK_THROW(readers::write("/dev/full", difficult(), FileFormat::freeMps),
                      readers::WriteError);
  }
}

BOOST_AUTO_TEST_CASE(convert_reads_and_writes) {
  std::string const base =
      (std::filesystem::temp_directory_path() / ("osi_cuda_convert_" + std::to_string(::getpid())))
          .string();
  // Without what CPLEX LP files say in another way.
  LinearProgram const lp =
      readers::readText(readers::writeText(difficult(), FileFormat::cplexLp), "difficult").lp;
  readers::write(base + ".mps", lp, FileFormat::freeMps);
  BOOST_CHECK(readers::formatForName("a.lp") == FileFormat::cplexLp);
  BOOST_CHECK(readers::formatForName("a.lps") == FileFormat::lpSolveLp);
  BOOST_CHECK(readers::formatForName("a.MPS") == FileFormat::freeMps);
  BOOST_CHECK(readers::formatForName("lp") == std::nullopt);
  auto const convert = [&](std::string const& from, std::string const& to, FileFormat format) {
    readers::ReadResult const model = readers::read(base + from);
    return model.notices.size() + readers::write(base + to, model.lp, format).notices.size();
  };
  convert(".mps", ".lp", FileFormat::cplexLp);
  convert(".lp", ".lps", FileFormat::lpSolveLp);
  BOOST_TEST(convert(".lps", ".mps", FileFormat::freeMps) == 1u);  // column bounds [0, -1]
  BOOST_TEST(firstDifference(readers::read(base + ".mps").lp, lp) == "");
  for (char const* ending : {".mps", ".lp", ".lps"}) std::filesystem::remove(base + ending);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
