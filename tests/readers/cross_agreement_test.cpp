// SPDX-License-Identifier: EPL-2.0
//
// What readers/ make of files, written ones included, against GLPK, lp_solve and CoinUtils.
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "readers/basis_file.hpp"
#include "readers/read.hpp"
#include "readers/write.hpp"
#include "tests/readers/coin_model.hpp"
#include "tests/readers/glpk_model.hpp"
#include "tests/readers/lp_solve_model.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/readers/test_data.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {
namespace {

void agree(std::filesystem::path const& file, std::optional<LinearProgram> const& theirs,
           Ignore ignore = {}) {
  BOOST_TEST_CONTEXT(file.string()) {
    BOOST_TEST_REQUIRE(theirs.has_value());
    BOOST_TEST(firstDifference(readers::read(file.string()).lp, *theirs, ignore) == "");
  }
}

/// A file of this text that lives as long as the object.
class TemporaryFile {
 public:
  TemporaryFile(std::string const& text, std::string const& ending)
      : path_(std::filesystem::temp_directory_path() /
              ("osi_cuda_cross_" + std::to_string(::getpid()) + ending)) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(TemporaryFile const&) = delete;
  TemporaryFile& operator=(TemporaryFile const&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(cross)

BOOST_AUTO_TEST_CASE(glpk_on_mps) {
  for (char const* folder : {"netlib", "netlib-infeasible", "lp-format"}) {
    for (auto const& file : filesIn(dataFolder() / folder)) {
      std::string const name = file.filename().string();
      bool const isMps = name.ends_with(".mps") || name.ends_with(".mps.gz");
      // GLPK rejects: comments at line ends, OBJSENSE, a second BOUNDS set, sections as names.
      std::set<std::string> const rejected{"highs-comment.mps", "highs-silly-names.mps",
                                           "scip-shortlines.mps", "greenbea.mps.gz"};
      bool const isRejected = rejected.contains(name) && folder != std::string("netlib");
      if (!isMps || isRejected || std::filesystem::file_size(file) > 1'000'000) continue;
      Ignore ignore;
      ignore.offset = name == "e226.mps.gz";  // GLPK adds the right-hand side of the objective
      ignore.names = name == "scip-forplan_begin.mps";  // drops blanks within names
      ignore.rounding = 1e-15;  // the bounds of ranges: we round once, GLPK twice
      agree(file, readWithGlpk(file.string(), GlpkFormat::fixedMps), ignore);
    }
  }
}

BOOST_AUTO_TEST_CASE(glpk_on_cplex_lp) {
  // Refused by GLPK: see the column reader of manifest.csv. Unnamed rows are numbered otherwise.
  std::set<std::string> const refused{"highs-1448.lp",
                                      "highs-1449a.lp",
                                      "highs-1451.lp",
                                      "highs-fixed-binary.lp",
                                      "highs-qjh.lp",
                                      "highs-semi-continuous.lp",
                                      "zimpl-w215.lp",
                                      "moi-invalid_constraint.lp",
                                      "moi-invalid_variable_name.lp"};
  for (auto const& file : filesIn(dataFolder() / "lp-format")) {
    std::string const name = file.filename().string();
    if (!name.ends_with(".lp") || name.starts_with("lpsolve") || refused.contains(name)) continue;
    agree(file, readWithGlpk(file.string(), GlpkFormat::cplexLp),
          {.names = name == "highs-issue-2585.lp"});
  }
}

BOOST_AUTO_TEST_CASE(coin_on_cplex_lp) {
  // Those that CoinLpIO rejects, misreads or dies on: see manifest.csv.
  std::set<std::string> const refused{"highs-1448.lp",
                                      "highs-1449a.lp",
                                      "highs-1451.lp",
                                      "highs-qjh.lp",
                                      "highs-fixed-binary.lp",
                                      "glpk-plan.lp",
                                      "moi-example_lo1.lp",
                                      "moi-invalid_constraint.lp",
                                      "moi-invalid_variable_name.lp"};
  for (auto const& file : filesIn(dataFolder() / "lp-format")) {
    std::string const name = file.filename().string();
    if (!name.ends_with(".lp") || name.starts_with("lpsolve") || refused.contains(name)) continue;
    // It negates a maximisation, and has other names for rows without one. Its objective is
    // compared where the file minimises.
    bool const isMaximum = readers::read(file.string()).lp.sense == Sense::maximize;
    if (isMaximum) continue;
    agree(file, readWithCoinLp(file.string()),
          {.names = name == "highs-issue-2585.lp", .sense = true, .rounding = 5e-16});
  }
}

BOOST_AUTO_TEST_CASE(lp_solve_on_its_own_format) {
  for (auto const& file : filesIn(dataFolder() / "lp-format")) {
    std::string const name = file.filename().string();
    if (!name.ends_with(".lp") || !name.starts_with("lpsolve")) continue;
    // lpsolve-ex2.lp has no max: or min:, which Debian's lp_solve takes for max:, others for min:.
    agree(file, readWithLpSolve(file.string()),
          {.choices = name == "lpsolve-sos2.lp",  // which lp_solve does not hand out
           .sense = name == "lpsolve-ex2.lp",
           .rounding = 1e-11});
  }
}

BOOST_AUTO_TEST_CASE(others_read_what_we_write) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomLp const random = randomLp(seed, {.emptyDimensions = false});
    BOOST_TEST_CONTEXT(random.description) {
      LinearProgram lp = random.lp;
      lp.name = "written";
      lp.objectiveOffset = 0.0;
      bool crossed = false;
      bool hasFreeRow = false;
      for (int i = 0; i < lp.rows(); ++i) {
        crossed |= lp.rowLower[i] > lp.rowUpper[i];
        hasFreeRow |= lp.rowLower[i] == -infinity && lp.rowUpper[i] == infinity;
      }
      bool crossedColumn = false;
      for (int j = 0; j < lp.columns(); ++j) crossedColumn |= lp.columnLower[j] > lp.columnUpper[j];
      if (crossed || crossedColumn || hasFreeRow) continue;

      TemporaryFile const freeMps(readers::writeText(lp, readers::FileFormat::freeMps), ".mps");
      auto const coin = readWithCoinMps(freeMps.path());
      BOOST_TEST_REQUIRE(coin.has_value());
      BOOST_TEST(firstDifference(lp, *coin, {.names = true, .sense = true, .rounding = 1e-15}) ==
                 "");
      if (lp.sense == Sense::minimize) {  // GLPK knows no OBJSENSE
        auto const glpk = readWithGlpk(freeMps.path(), GlpkFormat::freeMps);
        BOOST_TEST_REQUIRE(glpk.has_value());
        BOOST_TEST(firstDifference(lp, *glpk, {.names = true}) == "");
      }
      TemporaryFile const lpSolve(readers::writeText(lp, readers::FileFormat::lpSolveLp), ".lp");
      auto const theirs = readWithLpSolve(lpSolve.path());
      BOOST_TEST_REQUIRE(theirs.has_value());
      BOOST_TEST(firstDifference(lp, *theirs, {.names = true, .rounding = 1e-11}) == "");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
