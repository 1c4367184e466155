// SPDX-License-Identifier: EPL-2.0
//
// LP files that are written, by the readers of GLPK, CoinUtils and lp_solve: the same model as by
// this project's.
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "readers/read.hpp"
#include "readers/write.hpp"
#include "tests/readers/coin_model.hpp"
#include "tests/readers/glpk_model.hpp"
#include "tests/readers/lp_solve_model.hpp"
#include "tests/readers/model_difference.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {
namespace {

/// A problem with what LP files find hard: ranges, free rows, columns without entries, integers, a
/// constant, 17 digits, names of all kinds.
LinearProgram hardToWrite(std::uint64_t seed) {
  LinearProgram lp = randomLp(seed).lp;
  std::mt19937_64 draw(seed);
  auto const oneIn = [&](unsigned count) { return draw() % count == 0; };
  lp.objectiveOffset = oneIn(3) ? 0.1 * static_cast<double>(draw() % 100) : 0.0;
  lp.sense = Sense::minimize;  // CoinLpIO negates the costs of a maximisation
  lp.rowNames.clear();
  lp.columnNames.clear();
  lp.integer.clear();
  constexpr char const* names[] = {
      "x",  "a b", "e1",  "inf", "free", "st",  "1",     "0_low",  "c[1]",    "b/c",
      "_u", "R1",  "C2",  "obj", "x^2",  "a+b", "r_low", "R1_low", "end",     "a|b",
      ".x", "q,r", "s;t", "!",   "x:y",  "sin", "sec",   "max",    "constant"};
  auto const nameOf = [&](char prefix, int k) {
    std::string const plain = prefix + std::to_string(k);
    return oneIn(4) ? names[draw() % std::size(names)] + (oneIn(2) ? plain : "") : plain;
  };
  for (int i = 0; i < lp.rows(); ++i) {
    lp.rowNames.push_back(nameOf('r', i));
    if (lp.rowLower[i] > lp.rowUpper[i]) std::swap(lp.rowLower[i], lp.rowUpper[i]);
    if (lp.rowLower[i] > -infinity && oneIn(2)) lp.rowUpper[i] = lp.rowLower[i] + 1.0 / 3;
  }
  for (int j = 0; j < lp.columns(); ++j) {
    lp.columnNames.push_back(nameOf('x', j));
    lp.integer.push_back(oneIn(3));
    if (lp.columnLower[j] > lp.columnUpper[j]) lp.columnUpper[j] = infinity;
  }
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(written_for_others)

BOOST_AUTO_TEST_CASE(lp_files) {
  TemporaryFolder const folder;
  std::string const cplex = folder.file("a.lp"), lpSolve = folder.file("a.lps");
  int glpk = 0, coin = 0, solve = 0, ranges = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    LinearProgram const lp = hardToWrite(seed);
    if (lp.columns() == 0) continue;
    BOOST_TEST_CONTEXT("seed " << seed) {
      auto const check = [](LinearProgram const& ours, std::optional<LinearProgram> const& theirs,
                            int& count) {
        BOOST_REQUIRE(theirs);
        BOOST_TEST(firstDifference(ours, *theirs, {.rounding = 1e-15}) == "");
        ++count;
      };
      readers::write(cplex, lp, readers::FileFormat::cplexLp);
      LinearProgram const ours = readers::read(cplex).lp;
      ranges += ours.rows() > lp.rows();
      if (ours.rows() > 0) {  // GLPK has no files without rows
        check(ours, readWithGlpk(cplex, GlpkFormat::cplexLp), glpk);
        check(ours, readWithCoinLp(cplex), coin);
      }
      readers::write(lpSolve, lp, readers::FileFormat::lpSolveLp);
      check(readers::read(lpSolve).lp, readWithLpSolve(lpSolve), solve);
    }
  }
  BOOST_TEST(glpk > 1500);
  BOOST_TEST(coin > 1500);
  BOOST_TEST(solve > 1500);
  BOOST_TEST(ranges > 1000);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
