// SPDX-License-Identifier: EPL-2.0
// Intervals judged by what they say: the basis is optimal at both ends and not beyond, the
// objective there is the one that is told, and the exchange at the end leads to an optimal basis.
#include "osi_cuda/analysis/ranging.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <string>

#include "readers/read.hpp"
#include "tests/analysis/basis_judge.hpp"
#include "tests/support/random_lp.hpp"
#include "tests/support/small_lps.hpp"

namespace osi_cuda {
namespace {

using testing::BasisVerdict;
using testing::judgeBasis;
using testing::RandomLp;

constexpr double beyondEnd = 1.0 / 1024.0;
constexpr double farAway = 1e6;

Options onHost() {
  Options options;
  options.engine = EngineChoice::host;
  return options;
}

bool close(double a, double b) {
  return a == b || std::fabs(a - b) <= 1e-8 * (1.0 + std::fabs(b));
}

/// A problem with one number changed.
struct Changed {
  LinearProgram lp;
  std::vector<double> rowCosts;
};

/// Judges one interval. `with` makes the problem that has another number in place of the present
/// one; `variable` is the one whose value an end tells.
class IntervalJudge {
 public:
  IntervalJudge(Range const& range, Basis const& basis, int columns, int variable,
                std::function<Changed(double)> with)
      : range_(range), basis_(basis), columns_(columns), variable_(variable), with_(with) {}

  void check() const {
    end(range_.low, -1.0);
    end(range_.high, 1.0);
  }

 private:
  BasisVerdict judged(double number, Basis const& basis) const {
    Changed const changed = with_(number);
    return judgeBasis(changed.lp, basis, changed.rowCosts);
  }

  void end(RangeEnd const& end, double way) const {
    if (std::isinf(end.at)) {
      BOOST_TEST((end.beyond == Beyond::nothing));
      double const from = std::isinf(range_.present) ? 0.0 : range_.present;
      if (!std::isinf(range_.present)) BOOST_TEST(judged(from + way * farAway, basis_).optimal());
      return;
    }
    BOOST_TEST((end.beyond != Beyond::nothing));
    BasisVerdict const there = judged(end.at, basis_);
    BOOST_TEST(there.optimal());
    BOOST_TEST(close(there.objective, end.objective),
               there.objective << " instead of " << end.objective);
    BOOST_TEST(!judged(end.at + way * beyondEnd, basis_).optimal(1e-9));
    exchange(end);
    if (end.beyond == Beyond::otherBasis || variable_ < 0) return;
    Changed const beyond = with_(end.at + way * beyondEnd);
    if (!beyond.rowCosts.empty()) return;
    Status const status = Solver(beyond.lp).solve(onHost()).status;
    BOOST_TEST(
        (status == (end.beyond == Beyond::infeasible ? Status::infeasible : Status::unbounded)),
        toString(status) << " instead of " << toString(end.beyond));
  }

  VariableStatus& status(Basis& basis, int variable) const {
    return variable < columns_ ? basis.columns[static_cast<std::size_t>(variable)]
                               : basis.rows[static_cast<std::size_t>(variable - columns_)];
  }

  /// The basis after the exchange is optimal at the end, too, with the value that is told.
  void exchange(RangeEnd const& end) const {
    if (end.enters < 0 || end.leaves < 0) return;
    Basis next = basis_;
    status(next, end.enters) = VariableStatus::basic;
    bool fits = false;
    for (VariableStatus const side : {VariableStatus::atLower, VariableStatus::atUpper}) {
      status(next, end.leaves) = side;  // of a flip: where the entering variable rests then
      BasisVerdict const verdict = judged(end.at, next);
      fits |= verdict.optimal() && close(verdict.objective, end.objective) &&
              close(verdict.value[static_cast<std::size_t>(variable_)], end.value);
    }
    BOOST_TEST(fits, "the exchange of " << end.leaves << " for " << end.enters
                                        << " leads to no optimal basis with value " << end.value);
  }

  Range const& range_;
  Basis const& basis_;
  int columns_, variable_;
  std::function<Changed(double)> with_;
};

/// Visits all intervals with a function that makes the changed problem.
void forEachRange(LinearProgram const& lp, Ranging const& all,
                  std::function<void(std::string const&, Range const&, int,
                                     std::function<Changed(double)>)> const& visit) {
  auto const bound = [&](std::vector<double> LinearProgram::*lower,
                         std::vector<double> LinearProgram::*upper, std::size_t k, bool isLower) {
    return [&lp, lower, upper, k, isLower](double number) {
      Changed changed{lp, {}};
      bool const both = (lp.*lower)[k] == (lp.*upper)[k];
      if (both || isLower) (changed.lp.*lower)[k] = number;
      if (both || !isLower) (changed.lp.*upper)[k] = number;
      return changed;
    };
  };
  int const n = lp.columns();
  for (int j = 0; j < n; ++j) {
    auto const k = static_cast<std::size_t>(j);
    std::string const name = " of column " + std::to_string(j);
    visit("cost" + name, all.costs[k], j, [&lp, k](double number) {
      Changed changed{lp, {}};
      changed.lp.objective[k] = number;
      return changed;
    });
    visit("lower bound" + name, all.columnLower[k], j,
          bound(&LinearProgram::columnLower, &LinearProgram::columnUpper, k, true));
    visit("upper bound" + name, all.columnUpper[k], j,
          bound(&LinearProgram::columnLower, &LinearProgram::columnUpper, k, false));
  }
  for (int i = 0; i < lp.rows(); ++i) {
    auto const k = static_cast<std::size_t>(i);
    std::string const name = " of row " + std::to_string(i);
    visit("price" + name, all.rowCosts[k], n + i, [&lp, k](double number) {
      Changed changed{lp, std::vector<double>(lp.rowLower.size(), 0.0)};
      changed.rowCosts[k] = number;
      return changed;
    });
    visit("lower bound" + name, all.rowLower[k], n + i,
          bound(&LinearProgram::rowLower, &LinearProgram::rowUpper, k, true));
    visit("upper bound" + name, all.rowUpper[k], n + i,
          bound(&LinearProgram::rowLower, &LinearProgram::rowUpper, k, false));
  }
}

void checkAll(LinearProgram const& lp, std::string const& description, Options const& options) {
  BOOST_TEST_CONTEXT(description) {
    Solver solver(lp);
    Solution const solution = solver.solve(options);
    BOOST_TEST_REQUIRE((solution.status == Status::optimal));
    std::optional<Ranging> const found = ranging(solver, options);
    BOOST_TEST_REQUIRE(found.has_value());
    Basis const& basis = found->point.basis;
    forEachRange(lp, *found,
                 [&](std::string const& name, Range const& range, int variable, auto const& with) {
                   BOOST_TEST_CONTEXT(name << ": " << range.present << " in [" << range.low.at
                                           << ", " << range.high.at << "]")
                   IntervalJudge(range, basis, lp.columns(), variable, with).check();
                 });
  }
}

RandomLp optimalLp(std::uint64_t seed) {
  testing::RandomLpShape shape;
  shape.status = Status::optimal;
  shape.emptyDimensions = false;
  return testing::randomLp(seed, shape);
}

/// The slope of the optimum by another solve a little further.
double slope(LinearProgram const& lp, double objective, Changed const& changed, double step) {
  Solution const s = Solver(changed.lp).solve(onHost());
  if (s.status == Status::infeasible)
    return (lp.sense == Sense::maximize ? -infinity : infinity) * step;
  BOOST_TEST((s.status == Status::optimal));
  return (s.objective - objective) / step;
}

BOOST_AUTO_TEST_SUITE(ranging_of_bases)

BOOST_AUTO_TEST_CASE(smallProblemByHand) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "small").lp;
  Solver solver(lp);
  using enum VariableStatus;
  solver.setBasis({{atUpper, basic}, {atUpper, basic}});
  Ranging const r = *ranging(solver, onHost());
  // At x = 3 (its bound), y = 1, capacity tight.
  BOOST_TEST(r.degenerate.empty() == false);  // labour, 3 + 3 = 6, is basic at its limit
  BOOST_TEST(r.indifferent.empty());
  BOOST_TEST(r.costs[0].low.at == -infinity);
  BOOST_TEST(r.costs[0].high.at == -2.0);  // then capacity alone decides
  BOOST_TEST(r.costs[1].low.at == -3.0);
  BOOST_TEST(r.costs[1].high.at == 0.0);
  BOOST_TEST(r.rowUpper[0].price == -2.0);
  BOOST_TEST(r.rowUpper[0].low.at == 3.0);
  BOOST_TEST(r.rowUpper[0].high.at == 4.0);
  BOOST_TEST(r.rowUpper[0].low.objective == -8.0);
  BOOST_TEST(r.rowLower[0].high.at == 4.0);
  BOOST_TEST((r.rowLower[0].high.beyond == Beyond::infeasible));
  BOOST_TEST(r.columnUpper[0].price == -1.0);
  BOOST_TEST(r.columnUpper[0].high.at == 4.0);
  BOOST_TEST(r.columnUpper[0].low.at == 3.0);  // labour does not let y take over
  BOOST_TEST(r.columnLower[1].present == 0.0);
  BOOST_TEST(r.columnLower[1].high.at == 1.0);
}

BOOST_AUTO_TEST_CASE(randomProblemsByTheTableau) {
  Options options = onHost();
  options.representation = Representation::tableau;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomLp const r = optimalLp(seed);
    checkAll(r.lp, r.description, options);
  }
}

BOOST_AUTO_TEST_CASE(randomProblemsByFactors) {
  Options options = onHost();
  options.representation = Representation::factors;
  for (std::uint64_t seed = 301; seed <= 400; ++seed) {
    RandomLp const r = optimalLp(seed);
    checkAll(r.lp, r.description, options);
  }
}

BOOST_AUTO_TEST_CASE(oneSidedPricesAreSlopes) {
  constexpr double step = 1.0 / 4096.0;
  int filled = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomLp const r = optimalLp(seed);
    Solver solver(r.lp);
    double const objective = solver.solve(onHost()).objective;
    Ranging found = *ranging(solver, onHost());
    Ranging const before = found;
    BOOST_TEST(addOneSidedPrices(found, r.lp, onHost()));
    std::vector<Range const*> old;
    forEachRange(r.lp, before,
                 [&](auto const&, Range const& range, int, auto const&) { old.push_back(&range); });
    std::size_t number = 0;
    forEachRange(
        r.lp, found, [&](std::string const& name, Range const& range, int, auto const& with) {
          Range const& basisTells = *old[number++];
          filled += std::isnan(basisTells.priceBelow) + std::isnan(basisTells.priceAbove);
          if (name.starts_with("price") || name.starts_with("cost") || std::isinf(range.present))
            return;
          BOOST_TEST_CONTEXT(r.description << ", " << name) {
            double const below = slope(r.lp, objective, with(range.present - step), -step);
            double const above = slope(r.lp, objective, with(range.present + step), step);
            BOOST_TEST(close(range.priceBelow, below), range.priceBelow << ' ' << below);
            BOOST_TEST(close(range.priceAbove, above), range.priceAbove << ' ' << above);
          }
        });
  }
  BOOST_TEST(filled > 100);  // there is something to fill in
}

BOOST_AUTO_TEST_CASE(whatHasNoOptimalBasisIsRefused) {
  LinearProgram const lp = readers::readText(testing::smallMps(), "small").lp;
  Solver unsolved(lp);
  BOOST_CHECK_THROW(ranging(unsolved, onHost()), std::invalid_argument);
  Solver stopped(lp);
  Options none = onHost();
  none.iterationLimit = 0;
  stopped.solve(none);
  BOOST_CHECK_THROW(ranging(stopped, none), std::invalid_argument);
  Ranging other;
  BOOST_CHECK_THROW(addOneSidedPrices(other, lp, onHost()), std::invalid_argument);
}

// x = 1 may rise until 1e-10 x fills r2.
BOOST_AUTO_TEST_CASE(smallEntriesEndAnInterval) {
  LinearProgram const lp =
      readers::readText(
          "Minimize\n obj: x + y\nSubject To\n r1: x + y >= 1\n r2: 1e-10 x + z + w <= 1\n"
          " r3: z + 2 w + y >= 0\nEnd\n",
          "t.lp")
          .lp;
  Solver solver(lp);
  using enum VariableStatus;
  solver.setBasis({{basic, atLower, atLower, atLower}, {atLower, basic, basic}});
  Ranging const r = *ranging(solver, onHost());
  BOOST_TEST(close(r.rowLower[0].high.at, 1e10), r.rowLower[0].high.at);
  BOOST_TEST((r.rowLower[0].high.beyond == Beyond::otherBasis));
}

// The other bound of x is within 1e-6 of 1 + |bound|, and 1000 better.
BOOST_AUTO_TEST_CASE(aBasisFarFromTheOptimumIsNotOptimal) {
  LinearProgram lp = readers::readText(
                         "Minimize\n obj: - x\nSubject To\n r1: x >= 0\n"
                         "Bounds\n 999999000 <= x <= 1000000000\nEnd\n",
                         "t.lp")
                         .lp;
  lp.objectiveOffset = 999999000.0;
  Solver solver(lp);
  using enum VariableStatus;
  solver.setBasis({{atLower}, {basic}});
  Solution const there = solver.evaluate(onHost());
  BOOST_TEST(there.objective == 0.0);
  BOOST_TEST((there.status != Status::optimal));
  BOOST_CHECK_THROW(ranging(solver, onHost()), std::invalid_argument);
  BOOST_TEST(solver.solve(onHost()).objective == -1000.0);
  BOOST_TEST((solver.evaluate(onHost()).status == Status::optimal));
}

/// A chain of factors down to 1e-7: at a cost of 2^50 for the first column another basis is
/// optimal.
BOOST_AUTO_TEST_CASE(tinyEntriesOfAChainEndAnInterval) {
  LinearProgram const lp = readers::readText(
                               "NAME chain\nROWS\n N obj\n G R1\n E R2\n E R3\n G R4\n G R5\n"
                               " L R6\nCOLUMNS\n C1 R1 1 R5 1\n C2 R1 -4 R2 1\n"
                               " C3 R2 -3.051757812500002e-05 R3 1\n C3 R5 9\n"
                               " C4 R3 -1.1920928955078128e-07 R4 1\n C4 R5 8 R6 9e-12\n"
                               " C5 R4 -1.5258789062500007e-05 R5 3\n C6 obj 8 R5 1\n"
                               "RHS\n RHS R5 8 R6 7\n"
                               "RANGES\n RNG R1 1.1920928955078125e-07 R4 1.1920928955078125e-07\n"
                               "ENDATA\n",
                               "t")
                               .lp;
  Solver solver(lp);
  BOOST_TEST_REQUIRE((solver.solve(onHost()).status == Status::optimal));
  Ranging const found = *ranging(solver, onHost());
  LinearProgram changed = lp;
  changed.objective[0] = 0x1p50;
  Options exact = onHost();
  exact.exact = Toggle::on;
  Solution const far = Solver(changed).solve(exact);
  Range const& cost = found.costs[0];
  bool const stays = std::fabs(far.objective - (found.point.objective + cost.price * 0x1p50)) <=
                     1e-6 * (1.0 + std::fabs(far.objective));
  BOOST_TEST((stays || cost.high.at < 0x1p50), "an interval to " << cost.high.at << ", price "
                                                                 << cost.price << ", there "
                                                                 << far.objective);
}

/// The end of an interval that is 8 + 1/3 from a side of 2^55, where doubles are 8 apart.
BOOST_AUTO_TEST_CASE(endsAreRoundedInwards) {
  LinearProgram const lp =
      readers::readText(
          "NAME ends\nROWS\n N obj\n G R1\nCOLUMNS\n X obj 1 R1 3\n Y R1 1\nRHS\n"
          " RHS R1 36028797018963976\nBOUNDS\n UP BND X 4.5\n FX BND Y 36028797018963968\nENDATA\n",
          "t")
          .lp;
  Solver solver(lp);
  BOOST_TEST_REQUIRE((solver.solve(onHost()).status == Status::optimal));
  Ranging const found = *ranging(solver, onHost());
  // R1 = 3 X + 2^55 with X up to 4.5: its side may rise to 2^55 + 13.5, which is no double.
  BOOST_TEST(found.rowLower[0].high.at == 36028797018963976.0);
}

/// The basis that is optimal exactly has a point that doubles miss, as 2^61 C1 moves by 5: the
/// optimum within the tolerances is that of another basis. C1 = 2 + 6/1536 (R4 - 2^53.6) has to be
/// 2 where R2 and R5 are to hold, so the side of R4 cannot move.
BOOST_AUTO_TEST_CASE(aProvedBasisHasAPointOfItsOwn) {
  LinearProgram const lp =
      readers::readText(
          "NAME two\nROWS\n N obj\n E R1\n L R2\n E R3\n E R4\n G R5\nCOLUMNS\n"
          " C1 obj 6 R1 1.1368683772161603e-13\n C1 R2 -2305843009213693952 R5 -9\n"
          " C2 obj -5 R1 6\n C2 R2 -5 R4 13510798882111488\n C2 R5 -9\n"
          " C3 obj 1 R1 -8\n C3 R2 54043195528445952 R3 -8\n"
          " C3 R4 -39582418599936 R5 -6\nRHS\n RHS R1 -25.999999999999773 R3 -32\n"
          " RHS R2 -4395513236313604096 R4 13352469207711744\n RHS R5 -51\n"
          "BOUNDS\n UP BND C1 3\nENDATA\n",
          "t")
          .lp;
  Solver solver(lp);
  BOOST_TEST_REQUIRE((solver.solve(onHost()).status == Status::optimal));
  Ranging const found = *ranging(solver, onHost());
  BOOST_TEST((found.point.basis == solver.basis()));
  BOOST_TEST(found.rowLower[3].low.at == lp.rowLower[3]);
  BOOST_TEST(found.rowUpper[3].high.at == lp.rowUpper[3]);
  BOOST_TEST(found.rowLower[0].price == 6.0 / 1.1368683772161603e-13);
}

BOOST_AUTO_TEST_CASE(interruptionGivesNothing) {
  RandomLp const r = optimalLp(7);
  Solver solver(r.lp);
  solver.solve(onHost());
  Callbacks callbacks;
  Ranging found = *ranging(solver, onHost());
  found.rowLower[0].priceBelow = std::numeric_limits<double>::quiet_NaN();
  bool asked = false;
  callbacks.interrupted = [&] { return asked = true; };
  BOOST_TEST(!addOneSidedPrices(found, r.lp, onHost(), callbacks));
  BOOST_TEST(asked);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace osi_cuda
