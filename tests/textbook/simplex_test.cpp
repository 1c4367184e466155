// SPDX-License-Identifier: EPL-2.0
// Every variant of the processor ends at the answer that is known, and all make the same pivots.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>

#include "examples/textbook/host_simplex.hpp"
#include "examples/textbook/problems.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::textbook {
namespace {

/// m rows given densely, x >= 0.
LinearProgram smallLp(Sense sense, std::vector<double> const& cost,
                      std::vector<std::vector<double>> const& rows,
                      std::vector<double> const& lower, std::vector<double> const& upper) {
  LinearProgram lp;
  lp.sense = sense;
  lp.objective = cost;
  lp.matrix.rows = int(rows.size());
  lp.matrix.columns = int(cost.size());
  for (std::size_t j = 0; j < cost.size(); ++j) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      lp.matrix.indices.push_back(int(i));
      lp.matrix.values.push_back(rows[i][j]);
    }
    lp.matrix.starts.push_back(std::int64_t(lp.matrix.indices.size()));
  }
  lp.columnLower.assign(cost.size(), 0.0);
  lp.columnUpper.assign(cost.size(), infinity);
  lp.rowLower = lower;
  lp.rowUpper = upper;
  return lp;
}

std::vector<Variant> hostVariants() {
  std::vector<Variant> variants;
  for (Variant const& variant : allVariants())
    if (variant.place == Place::host) variants.push_back(variant);
  return variants;
}

/// All variants end so; the optimal ones at `objective`, single precision to 1e-3.
void allEnd(LinearProgram const& lp, Ending ending, double objective = 0.0) {
  FirstTableau const first = firstTableau(lp);
  std::map<std::pair<bool, Precision>, std::set<std::uint64_t>> paths;
  for (Variant const& variant : hostVariants()) {
    Outcome const o = solveOnHost(first, variant, {});
    std::string label;
    for (std::string const& word : wordsOf(variant)) label += word + ' ';
    BOOST_TEST_CONTEXT(label) {
      BOOST_TEST(toString(o.ending) == toString(ending));
      double const tolerance = variant.precision == Precision::doubles ? 1e-7 : 1e-3;
      if (ending == Ending::optimal) {
        BOOST_TEST(std::abs(objectiveOf(lp, o.values) - objective) <=
                   tolerance * (1.0 + std::abs(objective)));
        Solution point;
        point.columnValues = o.values;
        point.rowDuals.assign(std::size_t(lp.rows()), 0.0);
        BOOST_TEST(residualsOf(lp, point).primal <= tolerance);
      }
    }
    paths[{variant.rule == Rule::largest, variant.precision}].insert(o.path);
  }
  for (auto const& [rule, fingerprints] : paths) BOOST_TEST(fingerprints.size() == 1u);
}

BOOST_AUTO_TEST_CASE(variantsAreAllCombinations) {
  std::size_t device = 0;
  std::set<std::string> labels;
  for (Variant const& variant : allVariants()) {
    device += variant.place == Place::device;
    std::string label;
    for (std::string const& word : wordsOf(variant)) label += word + ' ';
    labels.insert(label);
  }
  BOOST_TEST(labels.size() == allVariants().size());
  BOOST_TEST(device == 5u * 4 * 2 * 2 * 2);
  BOOST_TEST(hostVariants().size() == 2u * 3 * 2 * 2 * 2);
}

// max 3x + 2y, x + y <= 4, x - y <= 1: x = 2.5, y = 1.5.
BOOST_AUTO_TEST_CASE(slackBasisFeasible) {
  allEnd(smallLp(Sense::maximize, {3, 2}, {{1, 1}, {1, -1}}, {-infinity, -infinity}, {4, 1}),
         Ending::optimal, 10.5);
}

// min x + 2y, x + y >= 2, x - y = 0.5: x = 1.25, y = 0.75.
BOOST_AUTO_TEST_CASE(phaseOne) {
  allEnd(smallLp(Sense::minimize, {1, 2}, {{1, 1}, {1, -1}}, {2, 0.5}, {infinity, 0.5}),
         Ending::optimal, 2.75);
}

BOOST_AUTO_TEST_CASE(noPointAndNoBound) {
  allEnd(smallLp(Sense::maximize, {1, 1}, {{1, 1}, {-1, -1}}, {-infinity, -infinity}, {1, -2}),
         Ending::infeasible);
  allEnd(smallLp(Sense::maximize, {1, 1}, {{1, -1}}, {-infinity}, {1}), Ending::unbounded);
}

// The same equation twice: an artificial variable stays basic at 0, and phase 2 must keep it there.
BOOST_AUTO_TEST_CASE(redundantEquation) {
  allEnd(smallLp(Sense::maximize, {1, 3, 1}, {{1, 1, 1}, {1, 1, 1}, {1, -1, 0}}, {2, 2, -infinity},
                 {2, 2, 1}),
         Ending::optimal, 6.0);
}

// Beale's example (1955), on which the largest coefficient cycles unless ties are broken well.
BOOST_AUTO_TEST_CASE(degenerate) {
  allEnd(smallLp(Sense::maximize, {0.75, -150, 0.02, -6},
                 {{0.25, -60, -0.04, 9}, {0.5, -90, -0.02, 3}, {0, 0, 1, 0}},
                 {-infinity, -infinity, -infinity}, {0, 0, 1}),
         Ending::optimal, 0.05);
}

BOOST_AUTO_TEST_CASE(allFamilies) {
  for (char const* const name : {"origin:40x20", "origin:17x33", "signed:40x20", "uniform:30x30",
                                 "traffic-sum:5", "traffic-minimax:5"})
    BOOST_TEST_CONTEXT(name) {
      LinearProgram const lp = makeProblem(name, 3);
      Solution const known = Solver(lp).solve();
      BOOST_REQUIRE(known.status == Status::optimal);
      allEnd(lp, Ending::optimal, known.objective);
    }
}

BOOST_AUTO_TEST_CASE(limitsHold) {
  FirstTableau const first = firstTableau(makeProblem("origin:60x30", 1));
  Limits limits;
  limits.pivots = 5;
  Outcome const five = solveOnHost(first, {}, limits);
  BOOST_TEST(toString(five.ending) == toString(Ending::pivotLimit));
  BOOST_TEST(five.pivots == 5);
  limits.seconds = 1e-9;
  BOOST_TEST(toString(solveOnHost(first, {}, limits).ending) == toString(Ending::timeLimit));
}

BOOST_AUTO_TEST_CASE(whatTheTextbookHasNot) {
  LinearProgram lp = smallLp(Sense::maximize, {1}, {{1}}, {1}, {2});
  BOOST_CHECK_EXCEPTION(firstTableau(lp), shell::Failure, [](shell::Failure const& failure) {
    return failure.status() == shell::ExitStatus::badInput;
  });
  lp.rowLower = {-infinity};
  lp.columnUpper = {5};
  BOOST_CHECK_THROW(firstTableau(lp), shell::Failure);
  BOOST_CHECK_THROW(makeProblem("origin:3", 1), shell::Failure);
  BOOST_CHECK_THROW(makeProblem("origin:3x0", 1), shell::Failure);
  BOOST_CHECK_THROW(makeProblem("traffic-sum:2", 1), shell::Failure);
}

}  // namespace
}  // namespace osi_cuda::textbook
