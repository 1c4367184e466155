// SPDX-License-Identifier: EPL-2.0
// The results files of the benchmarks: what is resumed, merged, dealt and summed up.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "bench/result_table.hpp"
#include "bench/results.hpp"

using namespace osi_cuda::bench;

namespace {

/// A file name of its own in the temporary folder, removed at the end.
struct TemporaryFile {
  std::string path;

  explicit TemporaryFile(std::string const& name)
      : path(std::filesystem::temp_directory_path() /
             ("osi-cuda-" + std::to_string(::getpid()) + "-" + name)) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
};

Result result(std::string const& problem, std::string const& solver, double seconds,
              bool right = true) {
  Result r{problem, 300, 400, solver, right ? "optimal" : "time_limit", right};
  r.iterations = 100;
  r.seconds = seconds;
  r.error = 0.1 / 3.0;
  r.residual = 1e-300;
  return r;
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_reads_back_as_the_same_numbers) {
  Result const r = result("25fv47", "cuda/primal/steepest", 1.0 / 3.0);
  auto const back = parseResult(formatResult(r));
  BOOST_REQUIRE(back);
  BOOST_TEST((*back == r));

  Result unknown = r;
  unknown.error = unknown.residual = std::numeric_limits<double>::quiet_NaN();
  auto const nothing = parseResult(formatResult(unknown));
  BOOST_REQUIRE(nothing);
  BOOST_TEST(std::isnan(nothing->error));
  BOOST_TEST(std::isnan(nothing->residual));
}

BOOST_AUTO_TEST_CASE(every_beginning_of_a_line_is_broken) {
  std::string const line = formatResult(result("afiro", "clp/dual", 0.25));
  for (std::size_t length = 0; length < line.size(); ++length)
    BOOST_TEST(!parseResult(line.substr(0, length)));
  BOOST_TEST(!parseResult(line + "\tmore"));
  BOOST_TEST(!parseResult("a\tb\tc\td\te\tf\tg\th\ti\tj\t."));
}

BOOST_AUTO_TEST_CASE(a_run_that_was_cut_off_goes_on) {
  TemporaryFile const file("cut.tsv");
  {
    ResultsFile results(file.path);
    results.append(result("afiro", "cuda/primal", 1.0));
    results.append(result("afiro", "cuda/dual", 2.0));
  }
  std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) - 5);
  {
    ResultsFile results(file.path);
    BOOST_TEST(results.has("afiro", "cuda/primal"));
    BOOST_TEST(!results.has("afiro", "cuda/dual"));
    BOOST_TEST(!results.has("sc50a", "cuda/primal"));
    results.append(result("afiro", "cuda/dual", 3.0));
    BOOST_TEST(results.has("afiro", "cuda/dual"));
  }
  auto const all = readResults({file.path});
  BOOST_REQUIRE_EQUAL(all.size(), 2u);
  BOOST_TEST(all[1].seconds == 3.0);
}

BOOST_AUTO_TEST_CASE(files_are_merged_and_the_last_word_counts) {
  TemporaryFile const first("first.tsv"), second("second.tsv");
  {
    ResultsFile a(first.path), b(second.path);
    a.append(result("afiro", "cuda/primal", 1.0));
    a.append(result("sc50a", "cuda/primal", 2.0));
    b.append(result("afiro", "clp/dual", 3.0));
    b.append(result("afiro", "cuda/primal", 4.0));
  }
  auto const all = readResults({first.path, second.path, first.path + "-is-not-there"});
  BOOST_REQUIRE_EQUAL(all.size(), 3u);
  BOOST_TEST(all[0].problem == "afiro");
  BOOST_TEST(all[0].seconds == 4.0);
  BOOST_TEST(solversOf(all) == (std::vector<std::string>{"cuda/primal", "clp/dual"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_a_name_nothing_is_kept) {
  ResultsFile results("");
  results.append(result("afiro", "cuda/primal", 1.0));
  BOOST_TEST(!results.has("afiro", "cuda/primal"));
  BOOST_CHECK_THROW(ResultsFile("/no such folder/results.tsv"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(work_is_dealt_once_and_evenly) {
  std::vector<double> const costs{1.0, 9.0, 2.0, 8.0, 5.0, 5.0, 3.0, 7.0};
  std::vector<double> load(3, 0.0);
  auto const hands = deal(costs, 3);
  BOOST_REQUIRE_EQUAL(hands.size(), costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) load.at(hands[i]) += costs[i];
  BOOST_TEST(load[0] + load[1] + load[2] == 40.0);
  for (double const sum : load) BOOST_TEST(std::fabs(sum - 40.0 / 3.0) <= 2.0);
  BOOST_TEST(deal(costs, 3) == hands, boost::test_tools::per_element());
  BOOST_TEST(deal({}, 4).empty());
}

BOOST_AUTO_TEST_CASE(means_are_shifted_and_geometric) {
  BOOST_TEST(shiftedGeometricMean({}, 0.01) == 0.0);
  BOOST_TEST(std::fabs(shiftedGeometricMean({0.0, 0.03}, 0.01) - 0.01) < 1e-15);
}

BOOST_AUTO_TEST_CASE(tables_count_wins_losses_and_what_is_missing) {
  std::vector<Result> all{
      result("won", "cuda/primal", 1.0),           result("won", "clp/dual", 2.0),
      result("lost", "cuda/primal", 2.0),          result("lost", "clp/dual", 1.0),
      result("solved", "cuda/primal", 70.0),       result("solved", "clp/dual", 60.0, false),
      result("hopeless", "cuda/primal", 9, false), result("hopeless", "clp/dual", 60.0, false),
      result("alone", "cuda/primal", 1.0),         result("won", "cuda/primal/steepest", 3.0)};
  all.back().iterations = 50;
  auto const solvers = solversOf(all);

  std::string const problems = problemTable(all, solvers);
  BOOST_TEST(contains(problems,
                      "| solved | 300 | 400 | 100 | 70.0 | 700000.0 | 3e-02 | 1e-300 |"
                      " 100 | 60.0 (time_limit) | - | - |"));
  BOOST_TEST(contains(problems, "| alone | 300 | 400 | 100 | 1.000 |"));

  std::string const text = summary(all, solvers);
  // 1, 2, 70 and 60 (9 seconds are not enough for what was not solved) against 2, 1, 60 and 60.
  BOOST_TEST(contains(text, "| all | 4 | 9.6000 | 3 | 9.2368 | 2 |"));
  BOOST_TEST(contains(text, "| cuda/primal against clp/dual | all | 2 | 1 | 1 |"));
  BOOST_TEST(contains(text, "| cuda/primal | 1 | 2.000 | 1.0000 | 3.0000 |"));

  std::string const ratios = ratioTable(all, {"cuda/primal", "clp/dual"});
  BOOST_TEST(contains(ratios, "| won | 1.000, 1 x | 2.000, 2 x |"));
  BOOST_TEST(contains(ratios, "| hopeless | 9.000 (time_limit) | 60.0 (time_limit) |"));
}
