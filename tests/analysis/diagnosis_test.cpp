// SPDX-License-Identifier: EPL-2.0
// Twenty models with one planted fault each, which the diagnosis has to name with its row or
// column; and uniqueness beside problems of which it is known.
#include "osi_cuda/analysis/diagnosis.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/dense_family.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

constexpr int rows = 30, columns = 20;

/// A product mix without faults: max c'x, A x <= b, 0 <= x <= 1000, three of four entries there,
/// between 1 and 9; all of row 0 and of column 0. Dense arrays, to plant faults in.
struct Model {
  double a[rows][columns] = {};
  LinearProgram lp;

  explicit Model(unsigned seed) {
    testing::Random random(seed);
    auto const draw = [&] { return random.between(1.0, 9.0); };
    for (auto& row : a)
      for (double& entry : row) entry = draw();
    for (int i = 1; i < rows; ++i)
      for (int j = 1; j < columns; ++j)
        if (random.oneIn(4)) a[i][j] = 0.0;
    lp.sense = Sense::maximize;
    for (int j = 0; j < columns; ++j) lp.objective.push_back(draw());
    lp.columnLower.assign(columns, 0.0);
    lp.columnUpper.assign(columns, 1000.0);
    lp.rowLower.assign(rows, -infinity);
    for (int i = 0; i < rows; ++i) lp.rowUpper.push_back(100.0 * draw());
  }

  LinearProgram problem() const {
    LinearProgram result = lp;
    result.matrix.rows = rows;
    result.matrix.columns = columns;
    result.matrix.starts = {0};
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (a[i][j] == 0.0) continue;
        result.matrix.indices.push_back(i);
        result.matrix.values.push_back(a[i][j]);
      }
      result.matrix.starts.push_back(std::ssize(result.matrix.indices));
    }
    return result;
  }
};

struct Fault {
  char const* kind;
  int variable;  ///< one of those that the finding has to speak of
  std::function<void(Model&)> plant;
};

int row(int i) {
  return columns + i;
}

std::vector<Fault> const faults{
    {"big_m", row(3), [](Model& m) { m.a[3][5] = 1e7; }},
    {"big_m", 7, [](Model& m) { m.a[11][7] = -1e9; }},
    {"row_units", row(4),
     [](Model& m) {
       for (double& entry : m.a[4]) entry *= 1e6;
       m.lp.rowUpper[4] *= 1e6;
     }},
    {"row_units", row(9),
     [](Model& m) {
       for (double& entry : m.a[9]) entry *= 1e-6;
       m.lp.rowUpper[9] *= 1e-6;
     }},
    {"column_units", 6,
     [](Model& m) {
       for (auto& line : m.a) line[6] *= 1e-6;
       m.lp.objective[6] *= 1e-6;
     }},
    {"column_units", 14,
     [](Model& m) {
       for (auto& line : m.a) line[14] *= 1e5;
       m.lp.columnUpper[14] *= 1e-5;
     }},
    {"tiny_coefficient", 8, [](Model& m) { m.a[2][8] = 1e-11; }},
    {"near_duplicate_rows", row(12),
     [](Model& m) {
       for (int j = 0; j < columns; ++j) m.a[12][j] = 2.0 * m.a[13][j];
       m.a[12][0] *= 1.0 + 1e-8;
     }},
    {"near_duplicate_columns", 10,
     [](Model& m) {
       for (auto& line : m.a) line[10] = -line[11];
       m.a[0][10] *= 1.0 - 1e-9;
     }},
    {"free_column", 9,
     [](Model& m) {
       m.lp.columnLower[9] = -infinity;
       m.lp.columnUpper[9] = infinity;
     }},
    {"huge_bound", 2, [](Model& m) { m.lp.columnUpper[2] = 1e15; }},
    {"huge_bound", row(20), [](Model& m) { m.lp.rowLower[20] = -1e10; }},
    {"crossed_bounds", 3, [](Model& m) { m.lp.columnLower[3] = 2000.0; }},
    {"row_cannot_be_met", row(6),
     [](Model& m) {
       m.lp.rowLower[6] = 1e7;
       m.lp.rowUpper[6] = infinity;
     }},
    {"unbounded_column", 13,
     [](Model& m) {
       for (auto& line : m.a) line[13] = -line[13];
       m.lp.columnUpper[13] = infinity;
     }},
    {"large_cost", 1, [](Model& m) { m.lp.objective[1] = -1e9; }},
    {"tiny_cost", 4, [](Model& m) { m.lp.objective[4] = 1e-12; }},
    {"narrow_range", row(7), [](Model& m) { m.lp.rowLower[7] = m.lp.rowUpper[7] * (1 - 1e-9); }},
    {"narrow_range", 5,
     [](Model& m) {
       m.lp.columnLower[5] = 10.0;
       m.lp.columnUpper[5] = 10.0 + 1e-8;
     }},
    // Three equations, the last of which is the sum of the others but for 1e-8 of a column that has
    // to be 900 by that: no two are alike.
    {"ill_conditioned", row(2),
     [](Model& m) {
       double const entries[3][4] = {{2, -2, 1, 0}, {3, -3, 0, 1}, {5 + 1e-8, -5, 1, 1}};
       double const sides[3] = {5, 5, 10 + 9e-6};
       for (int i = 0; i < 3; ++i) {
         for (int j = 0; j < columns; ++j) m.a[i][j] = j < 4 ? entries[i][j] : 0.0;
         m.lp.rowLower[static_cast<std::size_t>(i)] = sides[i];
         m.lp.rowUpper[static_cast<std::size_t>(i)] = sides[i];
       }
       for (int i = 3; i < rows; ++i) m.lp.rowUpper[static_cast<std::size_t>(i)] = 1e5;
     }},
};

bool names(std::vector<Finding> const& findings, Fault const& fault) {
  return std::ranges::any_of(findings, [&](Finding const& found) {
    return found.kind == fault.kind &&
           std::ranges::find(found.variables, fault.variable) != found.variables.end() &&
           !found.text.empty() && !found.advice.empty();
  });
}

OptimumDiagnosis diagnosed(LinearProgram const& lp) {
  Options options;
  options.engine = EngineChoice::host;
  Solver solver(lp);
  Solution const solution = solver.solve(options);
  BOOST_TEST_REQUIRE(toString(solution.status) == "optimal");
  return diagnose(solver, solution, options);
}

/// max x + y, x + y <= 2, x <= 1, y <= 1 as rows: `slope` y in the objective, `third` the
/// right-hand side of the first row.
LinearProgram corner(double slope, double third, bool maximise) {
  LinearProgram lp;
  double const sign = maximise ? 1.0 : -1.0;
  lp.sense = maximise ? Sense::maximize : Sense::minimize;
  lp.matrix = {3, 2, {0, 2, 4}, {0, 1, 0, 2}, {1, 1, 1, 1}};
  lp.objective = {sign, sign * slope};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, infinity};
  lp.rowLower = {-infinity, -infinity, -infinity};
  lp.rowUpper = {third, 1, 1};
  return lp;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(diagnosis)

BOOST_AUTO_TEST_CASE(a_model_without_faults_has_no_findings) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    LinearProgram const lp = Model(seed).problem();
    for (Finding const& found : diagnose(lp).findings) BOOST_ERROR(found.kind + ": " + found.text);
    OptimumDiagnosis const optimum = diagnosed(lp);
    BOOST_TEST(optimum.findings.empty());
    BOOST_TEST(optimum.condition.estimate >= 1.0);
  }
}

BOOST_AUTO_TEST_CASE(planted_faults_are_named_with_their_place) {
  unsigned seed = 100;
  for (Fault const& fault : faults) {
    Model model(++seed);
    fault.plant(model);
    LinearProgram const lp = model.problem();
    std::vector<Finding> findings = diagnose(lp).findings;
    if (std::string(fault.kind) == "ill_conditioned") {
      BOOST_TEST(findings.empty());
      OptimumDiagnosis const optimum = diagnosed(lp);
      BOOST_TEST(optimum.condition.estimate >= 1e8);
      findings = optimum.findings;
    }
    std::string found;
    for (Finding const& finding : findings) found += "; " + finding.text;
    BOOST_TEST(names(findings, fault),
               fault.kind << " of variable " << fault.variable << " among " << found);
  }
}

BOOST_AUTO_TEST_CASE(ranges_name_their_places) {
  Model model(3);
  model.a[5][6] = 1e-3;
  model.a[7][8] = -4e4;
  ModelDiagnosis const found = diagnose(model.problem());
  BOOST_TEST(found.coefficients.least == 1e-3);
  BOOST_TEST(found.coefficients.leastRow == 5);
  BOOST_TEST(found.coefficients.leastColumn == 6);
  BOOST_TEST(found.coefficients.most == 4e4);
  BOOST_TEST(found.coefficients.mostRow == 7);
  BOOST_TEST(found.coefficients.mostColumn == 8);
  BOOST_TEST(found.worstRow.mostRow == 7);
  BOOST_TEST(found.worstColumn.mostColumn == 8);
  BOOST_TEST(diagnose(LinearProgram{}).findings.empty());
}

// At (1, 1) three rows meet where the first one's side is 2, at (1, 0.5) two where it is 1.5.
BOOST_AUTO_TEST_CASE(uniqueness_is_told_of_points_and_duals) {
  struct Case {
    double slope, third;
    bool point, duals;
  };
  for (bool const maximise : {true, false})
    for (Case const& c : {Case{1.0, 1.5, false, true}, Case{0.5, 1.5, true, true},
                          Case{0.5, 2.0, true, false}, Case{0.5, 3.0, true, true}}) {
      OptimumDiagnosis const found = diagnosed(corner(c.slope, c.third, maximise));
      BOOST_TEST((found.uniquePoint == c.point), c.slope << ", " << c.third);
      BOOST_TEST((found.uniqueDuals == c.duals), c.slope << ", " << c.third);
    }
  // All points of an unbounded edge are optimal.
  LinearProgram lp = corner(0.0, infinity, true);
  OptimumDiagnosis const edge = diagnosed(lp);
  BOOST_TEST((edge.uniquePoint == false));
  // Indifferent, but the rows leave no room: x + y <= 0 with costs of zero.
  lp = corner(0.0, 0.0, true);
  lp.objective = {0.0, 0.0};
  OptimumDiagnosis const point = diagnosed(lp);
  BOOST_TEST((point.uniquePoint == true));
  BOOST_TEST((point.uniqueDuals == false || !point.uniqueDuals));
}

// A generic vertex is unique in both senses, and so is that of its dual.
BOOST_AUTO_TEST_CASE(generic_problems_have_one_answer) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    OptimumDiagnosis const found = diagnosed(testing::denseLp(40, 25, seed, seed % 2 == 0));
    BOOST_TEST((found.uniquePoint == true));
    BOOST_TEST((found.uniqueDuals == true));
  }
}

BOOST_AUTO_TEST_SUITE_END()
