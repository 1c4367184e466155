// SPDX-License-Identifier: EPL-2.0
// The device's verdict of a point for matrices of all shapes: lines that a warp sums, lines that
// the warps of a block share, and both side by side.
#include <boost/test/unit_test.hpp>

#include "tests/emulated_device/everything.hpp"
#include "tests/support/emulated_runtime/emulated_runtime.hpp"
#include "tests/support/random.hpp"
#include "tests/support/verified_point.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

/// Random entries where there is one. Columns come in pairs with the same entries and nearly the
/// same large costs, so that a point has digits to lose.
template <class There>
LinearProgram shaped(int m, int n, There there) {
  testing::Random random(static_cast<std::uint64_t>(1000 * m + n));
  auto const number = [&] { return random.between(-1.0, 1.0); };
  LinearProgram lp;
  lp.matrix = SparseMatrix{m, 0, {0}, {}, {}};
  std::vector<double> entry(static_cast<std::size_t>(m));
  double cost = 0.0;
  for (int j = 0; j < n; ++j) {
    if (j % 2 == 0) {
      for (double& x : entry) x = number();
      cost = 1e6 * number();
    }
    for (int i = 0; i < m; ++i)
      if (there(i, j)) {
        lp.matrix.indices.push_back(i);
        lp.matrix.values.push_back(entry[static_cast<std::size_t>(i)]);
      }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
    ++lp.matrix.columns;
    lp.objective.push_back(cost + number());
    lp.columnLower.push_back(0.0);
    lp.columnUpper.push_back(j % 7 == 0 ? 1.0 : 3.0 + number());
  }
  for (int i = 0; i < m; ++i) {
    lp.rowLower.push_back(i % 5 == 0 ? -infinity : 0.5 + 0.1 * number());
    lp.rowUpper.push_back(i % 5 == 0 ? -0.5 : 2.0);
  }
  return lp;
}

struct Case {
  char const* name;
  LinearProgram lp;
};

/// The verdict after some pivots from the slack basis, of which some are in D and some left as
/// factors, on an engine that had another problem or none.
VerifiedPoint verdictOf(Case const& c, unsigned long long seed, LinearProgram const* before) {
  emulated_runtime::reset();
  emulated_runtime::setSeed(seed);
  EngineOptions options;
  options.blockSize = 4;
  cuda::CudaEngine engine(options);
  auto const pivoted = [&](LinearProgram const& lp, std::string const& where) {
    StandardForm const form = makeStandardForm(lp, true);
    engine.load(form);
    engine.setValues(boundValues(form));
    for (int const budget : {4, 4, 2})
      pivots(engine, Algorithm::primal, Phase::one, Pricing::dantzig, budget);
    engine.setCosts(form.cost);
    std::vector<double> value(form.lower.size(), 0.5);
    std::vector<char> basic(value.size(), 0);
    for (int const v : engine.snapshot().basicVariable) basic[static_cast<std::size_t>(v)] = 1;
    for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(lp.columns()); j += 2) {
      if (basic[j] || basic[j + 1]) continue;  // basic ones stay small
      value[j] = 1e6 * (1.0 + std::sin(static_cast<double>(j)));
      value[j + 1] = std::cos(static_cast<double>(j)) - value[j];
    }
    engine.setValues(value);
    return checkVerifiedPoint(lp, form, engine, where).value();
  };
  if (before) pivoted(*before, "before");
  VerifiedPoint const point = pivoted(c.lp, c.name);
  BOOST_TEST(emulated_runtime::faults().empty(), c.name);
  return point;
}

std::vector<double> bitsOf(VerifiedPoint const& point) {
  std::vector<double> all;
  for (auto const* list :
       {&point.columnValues, &point.rowDuals, &point.rowActivity, &point.reducedCosts})
    all.insert(all.end(), list->begin(), list->end());
  for (proof::Worth const& worth : {point.rounded, point.exact})
    for (double const x : {worth.verdict.primal, worth.verdict.dual, worth.verdict.complementarity,
                           worth.verdict.above, worth.objective.value.hi, worth.objective.value.lo,
                           worth.objective.error})
      all.push_back(x);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(emulated_verdict)

BOOST_AUTO_TEST_CASE(lines_of_all_lengths_have_the_hosts_verdict_and_the_same_bits) {
  // Row i has so many entries, the last one all.
  int const lengths[] = {0, 1, 16, 17, 31, 32, 33, 128, 129, 255, 256, 257, 258, 511, 513, 640};
  auto const byLength = [&](int i, int j) { return j < lengths[i % 16] && j != 5; };
  auto const sparse = [](int i, int j) { return (3 * i + j) % 19 == 0; };
  auto const full = [](int, int) { return true; };
  Case const cases[] = {
      {"few long rows", shaped(6, 700, full)},
      {"few long columns", shaped(700, 6, full)},
      {"full", shaped(270, 265, full)},
      {"one block", shaped(9, 8, full)},
      {"one row", shaped(1, 600, full)},
      {"rows at the limits, an empty row, an empty column", shaped(16, 640, byLength)},
      {"columns at the limits", shaped(640, 16, [&](int i, int j) { return byLength(j, i); })},
      {"more lines than a block takes at a time", shaped(60, 2100, sparse)},
      {"long lines among those",
       shaped(40, 2300, [&](int i, int j) { return i % 3 == 0 || sparse(i, j); })},
  };
  LinearProgram const other = shaped(30, 40, sparse);
  for (Case const& c : cases) {
    std::vector<double> const first = bitsOf(verdictOf(c, 1, nullptr));
    BOOST_TEST((bitsOf(verdictOf(c, 1000, &other)) == first), c.name);
  }
}

BOOST_AUTO_TEST_SUITE_END()
