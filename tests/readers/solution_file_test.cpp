// SPDX-License-Identifier: EPL-2.0
#include <boost/test/unit_test.hpp>
#include <string>

#include <cmath>
#include <span>

#include "readers/npz_file.hpp"
#include "readers/solution_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/random_lp.hpp"

namespace osi_cuda::testing {
namespace {

using enum VariableStatus;
using readers::SolutionFormat;
using Numbers = std::vector<double>;

LinearProgram model() {
  LinearProgram lp;
  lp.matrix = {1, 2, {0, 1, 2}, {0, 0}, {1, 1}};
  lp.objective = {1, 2};
  lp.columnLower = {0, 0};
  lp.columnUpper = {infinity, 4};
  lp.rowLower = {2};
  lp.rowUpper = {infinity};
  lp.rowNames = {"a row"};
  lp.columnNames = {"x", "y"};
  return lp;
}

Solution optimum() {
  Solution solution;
  solution.status = Status::optimal;
  solution.objective = 1.0 / 3;
  solution.columnValues = {2, 0};
  solution.reducedCosts = {0, 0.1};
  solution.rowActivity = {2};
  solution.rowDuals = {1};
  solution.basis = {{basic, atLower}, {atLower}};
  return solution;
}

void sameContent(Solution const& a, Solution const& b) {
  BOOST_CHECK(a.status == b.status);
  BOOST_TEST(a.message == b.message);
  BOOST_TEST(a.objective == b.objective);
  BOOST_TEST(a.columnValues == b.columnValues);
  BOOST_TEST(a.reducedCosts == b.reducedCosts);
  BOOST_TEST(a.rowActivity == b.rowActivity);
  BOOST_TEST(a.rowDuals == b.rowDuals);
  BOOST_CHECK(a.basis == b.basis);
  BOOST_TEST(a.farkas == b.farkas);
  BOOST_TEST(a.ray == b.ray);
  BOOST_TEST(a.columnValuesLow == b.columnValuesLow);
  BOOST_TEST(a.rowDualsLow == b.rowDualsLow);
  BOOST_TEST(a.farkasLow == b.farkasLow);
  BOOST_TEST(a.rayLow == b.rayLow);
  BOOST_TEST(a.objectiveEnclosure.lower == b.objectiveEnclosure.lower);
  BOOST_TEST(a.objectiveEnclosure.upper == b.objectiveEnclosure.upper);
}

std::string errorOf(std::string const& text) {
  try {
    readers::readSolutionText(text, "f.sol", model());
  } catch (readers::ReadError const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(solution_file)

BOOST_AUTO_TEST_CASE(the_text_format) {
  std::string const text = readers::writeSolutionText(model(), optimum(), SolutionFormat::text);
  BOOST_TEST(text ==
             "osi-cuda solution 1\nstatus optimal\nobjective 0.3333333333333333\n"
             "columns 2\nbasic 2 0 x\nlower 0 0.1 y\nrows 1\nlower 2 1 a row\n");
  sameContent(readers::readSolutionText(text, "f", model()), optimum());
}

BOOST_AUTO_TEST_CASE(what_was_written_reads_back) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomLp const random = randomLp(seed);
    Solution solution;
    solution.status = random.expected;
    solution.message = seed % 3 == 0 ? "a message" : "";
    solution.objective = random.objective + 0.1;
    solution.columnValues = random.x;
    solution.rowDuals = random.y;
    solution.basis = random.basis;
    solution.farkas = random.farkas;
    solution.ray = random.ray;
    for (SolutionFormat format : {SolutionFormat::text, SolutionFormat::json}) {
      BOOST_TEST_CONTEXT(random.description) {
        std::string const text = readers::writeSolutionText(random.lp, solution, format);
        sameContent(readers::readSolutionText(text, "f", random.lp), solution);
      }
    }
  }
}

// A point that was verified in two parts can be checked by others only with both.
BOOST_AUTO_TEST_CASE(low_parts_and_bounds_of_the_optimum_come_along) {
  Solution solution = optimum();
  solution.columnValuesLow = {1e-17, -2e-20};
  solution.rowDualsLow = {3e-18};
  solution.objectiveEnclosure.lower = 0.25;
  Solution infeasible;
  infeasible.status = Status::infeasible;
  infeasible.farkas = {0.1};
  infeasible.farkasLow = {1e-18};
  Solution unbounded;
  unbounded.status = Status::unbounded;
  unbounded.ray = {1, 0.1};
  unbounded.rayLow = {0, 1e-19};
  for (SolutionFormat format : {SolutionFormat::text, SolutionFormat::json})
    for (Solution const& each : {solution, infeasible, unbounded})
      sameContent(readers::readSolutionText(readers::writeSolutionText(model(), each, format), "f",
                                            model()),
                  each);
  BOOST_TEST(
      readers::writeSolutionText(model(), solution, SolutionFormat::text)
          .ends_with("column_values_low 2\n1e-17 x\n-2e-20 y\nrow_duals_low 1\n3e-18 a row\n"));
  std::string const json = readers::writeSolutionText(model(), solution, SolutionFormat::json);
  BOOST_TEST(json.find("\"value_low\": 1e-17") != json.npos);
  BOOST_TEST(json.find("\"objective_lower\": 0.25") != json.npos);
  BOOST_TEST(json.find("\"objective_upper\": null") != json.npos);
  BOOST_TEST(json.find("\"objective_error\": null") != json.npos);
}

BOOST_AUTO_TEST_CASE(lines_in_another_order) {
  Solution const solution = readers::readSolutionText(
      "osi-cuda solution 1\n# comment\n\nstatus optimal\ncolumns 2\n- 3 - y\n- 1 - x\n", "f",
      model());
  BOOST_TEST(solution.columnValues == (Numbers{1, 3}));
  BOOST_TEST(solution.reducedCosts.empty());
  BOOST_TEST(solution.basis.empty());
}

BOOST_AUTO_TEST_CASE(glpsol_writes_and_reads) {
  std::string const text = readers::writeSolutionText(model(), optimum(), SolutionFormat::glpsol);
  BOOST_TEST(text ==
             "s bas 1 2 f f 0.3333333333333333\ni 1 l 2 1\nj 1 b 2 0\nj 2 l 0 0.1\ne o f\n");
  sameContent(readers::readSolutionText(text, "f", model()), optimum());
  auto const statusOf = [](std::string const& flags) {
    return readers::readSolutionText("s bas 1 2 " + flags + " 0\ne o f\n", "f", model()).status;
  };
  BOOST_CHECK(statusOf("n f") == Status::infeasible);
  BOOST_CHECK(statusOf("f n") == Status::unbounded);
  BOOST_CHECK(statusOf("u u") == Status::numerical);
  BOOST_CHECK_THROW(readers::writeSolutionText(model(), Solution{}, SolutionFormat::glpsol),
                    readers::WriteError);
}

BOOST_AUTO_TEST_CASE(files_by_their_ending) {
  TemporaryFolder const folder;
  for (char const* name : {"a.sol", "a.json", "a.glpsol", "a.txt"}) {
    readers::writeSolution(folder.file(name), model(), optimum());
    sameContent(readers::readSolution(folder.file(name), model()), optimum());
  }
  BOOST_TEST(readWholeFile(folder.file("a.sol")).starts_with("osi-cuda solution 1\n"));
  BOOST_TEST(readWholeFile(folder.file("a.json")).starts_with("{"));
  BOOST_TEST(readWholeFile(folder.file("a.glpsol")).starts_with("s bas "));
  BOOST_TEST(readWholeFile(folder.file("a.txt")) == readWholeFile(folder.file("a.sol")));
}

BOOST_AUTO_TEST_CASE(glpsol_letters) {
  LinearProgram lp = model();
  lp.columnLower = {-infinity, 3};
  lp.columnUpper = {infinity, 3};
  lp.rowUpper = {2};
  Solution solution;
  solution.status = Status::unbounded;
  solution.objective = 0;
  solution.basis = {{free, atUpper}, {atUpper}};
  std::string const text = readers::writeSolutionText(lp, solution, SolutionFormat::glpsol);
  BOOST_TEST(text == "s bas 1 2 f n 0\ni 1 s 0 0\nj 1 f 0 0\nj 2 s 0 0\ne o f\n");
  solution.status = Status::infeasible;
  BOOST_TEST(readers::writeSolutionText(lp, solution, SolutionFormat::glpsol)
                 .starts_with("s bas 1 2 n u 0\n"));
}

BOOST_AUTO_TEST_CASE(statuses_of_highs_and_clp) {
  auto const read = [](std::string const& text) {
    return readers::readSolutionText(text, "f", model());
  };
  BOOST_CHECK(read("Model status\nInfeasible\n").status == Status::infeasible);
  BOOST_CHECK(read("Model status\nUnbounded\n").status == Status::unbounded);
  BOOST_CHECK(read("Model status\nIteration limit reached\n").status == Status::iterationLimit);
  Solution const empty = read("Model status\nEmpty\n");
  BOOST_CHECK(empty.status == Status::numerical);
  BOOST_TEST(empty.message == "HiGHS: Empty");
  BOOST_CHECK(read("Infeasible - objective value 1\n").status == Status::infeasible);
  BOOST_CHECK(read("Unbounded - objective value 1\n").status == Status::unbounded);
  Solution const stopped = read("Stopped on time - objective value 1\n");
  BOOST_CHECK(stopped.status == Status::numerical);
  BOOST_TEST(stopped.message == "Clp: Stopped on time - objective value 1");
}

BOOST_AUTO_TEST_CASE(rows_of_clp) {
  LinearProgram lp = model();
  lp.rowNames = {"r"};
  Solution const solution =
      readers::readSolutionText("Optimal - objective value 2\n 0 r 2 1\n 0 x 2 0\n", "f", lp);
  BOOST_TEST(solution.rowActivity == Numbers{2});
  BOOST_TEST(solution.rowDuals == Numbers{1});
}

BOOST_AUTO_TEST_CASE(of_highs) {
  Solution solution = readers::readSolutionText(
      "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 2\n# Columns 2\n"
      "x 2\ny 0\n# Rows 1\na row 2\n\n# Dual solution values\nFeasible\n# Columns 2\nx 0\ny 0.1\n"
      "# Rows 1\na row 1\n\n# Basis\nHiGHS_basis_file v2\nValid\n# Columns 2\nx 1\ny 0\n# Rows 1\n"
      "a row 0\n",
      "f", model());
  BOOST_TEST(solution.objective == 2);
  solution.objective = optimum().objective;
  sameContent(solution, optimum());
  solution = readers::readSolutionText(
      "Model status\nTime limit reached\n\n# Primal solution values\nNone\n\n"
      "# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n",
      "f", model());
  BOOST_CHECK(solution.status == Status::timeLimit);
  BOOST_TEST(solution.basis.empty());
}

BOOST_AUTO_TEST_CASE(of_clp) {
  Solution const solution = readers::readSolutionText(
      "Optimal - objective value 2\n      0 x     2     0\n**    1 y     0     0.1\n", "f",
      model());
  BOOST_CHECK(solution.status == Status::optimal);
  BOOST_TEST(solution.objective == 2);
  BOOST_TEST(solution.columnValues == (Numbers{2, 0}));
  BOOST_TEST(solution.reducedCosts == (Numbers{0, 0.1}));
}

BOOST_AUTO_TEST_CASE(of_gurobi_and_scip) {
  for (char const* const text :
       {"# Solution for model a\n# Objective value = 2\nx 2\ny 0\n",
        "# Objective value = 2\n\nx 2e0\n",
        "solution status: optimal solution found\nobjective value:                 2\n"
        "x                 2 \t(obj:1)\n",
        "objective value:                 2\nx                 2 \t(obj:1)\n"}) {
    Solution const solution = readers::readSolutionText(text, "f", model());
    BOOST_TEST(solution.columnValues == (Numbers{2, 0}));
    BOOST_TEST(solution.rowDuals.empty());
  }
  BOOST_TEST(errorOf("# Objective value = 2\nz 2\n") ==
             "f.sol:2:1: expected the name of a column, found \"z\"");
  BOOST_TEST(errorOf("objective value: 2\nx two\n") ==
             "f.sol:2:3: expected a number, found \"two\"");
}

BOOST_AUTO_TEST_CASE(points_to_start_from) {
  TemporaryFolder const folder;
  Solution solution = optimum();
  readers::writeSolution(folder.file("a.sol"), model(), solution);
  StartPoint const whole = readers::readStart(folder.file("a.sol"), model());
  BOOST_TEST(whole.x == solution.columnValues);
  BOOST_TEST(whole.y == solution.rowDuals);
  auto const archived = [&](Numbers const& x, Numbers const& y) {
    readers::NpzFile file(folder.file("a.npz"));
    if (!x.empty()) file.add("x", {x.size()}, std::span<double const>(x));
    if (!y.empty()) file.add("y", {y.size()}, std::span<double const>(y));
    if (x.empty() && y.empty()) file.add("z", {2}, std::span<double const>(whole.x));
    file.close();
    return readers::readStart(folder.file("a.npz"), model());
  };
  BOOST_TEST(archived({2, 0}, {}).x == (Numbers{2, 0}));
  BOOST_TEST(archived({2, 0}, {}).y.empty());
  BOOST_TEST(archived({}, {3}).y == Numbers{3});
  auto const refused = [&](Numbers const& x, Numbers const& y) -> std::string {
    try {
      archived(x, y);
    } catch (readers::ReadError const& e) {
      return std::string(e.what()).substr(folder.file("a.npz").size());
    }
    return {};
  };
  BOOST_TEST(refused({}, {}) == ": archive: expected x.npy, y.npy or both, found z.npy");
  BOOST_TEST(refused({1}, {}) ==
             ": start: expected a point of the problem, found the start's x has "
             "length 1 instead of 2, the number of columns");
  BOOST_TEST(refused({1, NAN}, {}).ends_with("the start's x[1] is not finite"));
  BOOST_TEST(refused({}, {1, 2}).ends_with("instead of 1, the number of rows"));
}

BOOST_AUTO_TEST_CASE(errors) {
  std::string const head = "osi-cuda solution 1\n";
  BOOST_TEST(errorOf("") == "f.sol:1:1: expected a status, found the end of the file");
  BOOST_TEST(errorOf("nonsense\n") ==
             "f.sol:1:1: expected a solution file of osi-cuda, Clp, glpsol, Gurobi, HiGHS or SCIP, "
             "found "
             "\"nonsense\"");
  BOOST_TEST(errorOf(head + "status good\n") == "f.sol:2:8: expected a status, found \"good\"");
  BOOST_TEST(errorOf(head + "values 3\n") ==
             "f.sol:2:1: expected status, message, relaxed_integers, "
             "relaxed_semicontinuous, relaxed_sets, objective, objective_lower, objective_upper, "
             "columns, rows, column_values_low, row_duals_low, farkas, farkas_low, ray or ray_low, "
             "found "
             "\"values\"");
  BOOST_TEST(errorOf(head + "objective much\n") == "f.sol:2:11: expected a number, found \"much\"");
  BOOST_TEST(errorOf(head + "columns 3\n") ==
             "f.sol:2:9: expected the number of columns, 2, found \"3\"");
  BOOST_TEST(errorOf(head + "columns 2\nbasic 1 0 x\n") ==
             "f.sol:3:12: expected a line for each row and column, found the end of the file");
  BOOST_TEST(errorOf(head + "columns 2\nbasic 1 0 z\n") ==
             "f.sol:3:11: expected the name of a column, found \"z\"");
  BOOST_TEST(errorOf(head + "rows 1\nfixed 1 0 a row\n") ==
             "f.sol:3:1: expected lower, upper, free or basic, found \"fixed\"");
  BOOST_TEST(errorOf("s bas 2 2 f f 0\n") ==
             "f.sol:1:7: expected the number of rows, 1, found \"2\"");
  BOOST_TEST(errorOf("s mip 1 2 o 0\n") ==
             "f.sol:1:3: expected bas, a basic solution, found \"mip\"");
  BOOST_TEST(errorOf("c x\ns bas 1 2 f f 0\nj 3 b 0 0\n") ==
             "f.sol:3:3: expected an index from 1 on, found \"3\"");
  BOOST_TEST(errorOf("s bas 1 2 f f 0\nj 1 x 0 0\n") ==
             "f.sol:2:5: expected b, l, u, f or s, found \"x\"");
  BOOST_TEST(errorOf("s bas 1 2 f f 0\n") ==
             "f.sol:1:16: expected e o f, found the end of the file");
  BOOST_TEST(errorOf("HiGHS_basis_file v2\nValid\n# Columns 2\nx 7\n") ==
             "f.sol:4:3: expected a status from 0 to 4, found \"7\"");
  BOOST_TEST(errorOf("Optimal\n 0 x 1\n") ==
             "f.sol:2:7: expected an index, a name, a value and a dual value, found the end of the "
             "line");
  BOOST_TEST(errorOf("{\"status\": \"optimal\",\n \"objective\": }\n") ==
             "f.sol:2:15: expected valid JSON, found \"}\"");
  BOOST_TEST(errorOf("{\"status\": \"optimal\"") ==
             "f.sol:2:1: expected valid JSON, found the end of the file");
  BOOST_TEST(errorOf("{}\n") == "f.sol:1:3: expected a text for the key status, found none");
  BOOST_TEST(errorOf("{\"status\": \"optimal\", \"columns\": [{\"name\": \"z\"}]}\n")
                 .ends_with("expected the name of a column, found \"z\""));
}

struct Broken {
  std::string text;
  std::string message;  // behind the name of the file
};

BOOST_AUTO_TEST_CASE(errors_in_files_of_others) {
  std::string const glpsol = "s bas 1 2 f f 0\n";
  std::string const highs = "Model status\nOptimal\n\n";
  std::string const basis = "HiGHS v1\nValid\n";
  Broken const files[] = {
      {"c x\ni 1 b 0 0\n", "2:1: expected s, the line of the status, found \"i\""},
      {"s bas 1 2 f f\n", "1:14: expected more fields, found the end of the line"},
      {"s bas 1 3 f f 0\n", "1:9: expected the number of columns, 2, found \"3\""},
      {"s bas 1 2 f f many\n", "1:15: expected a number, found \"many\""},
      {glpsol + "k 1 b 0 0\n", "2:1: expected i, j or e, found \"k\""},
      {glpsol + "i 0 b 0 0\n", "2:3: expected an index from 1 on, found \"0\""},
      {glpsol + "i 1 b 0\n", "2:8: expected more fields, found the end of the line"},
      {glpsol + "i 1 b 0 0 0\n", "2:11: expected the end of the line, found \"0\""},
      {"Model status\n", "1:13: expected a model status, found the end of the file"},
      {highs + "# Columns 2\n", "4:11: expected a heading before the values, found \"2\""},
      {highs + "# Primal solution values\n# Columns 3\n",
       "5:11: expected the number of columns, 2, found \"3\""},
      {highs + "# Primal solution values\n# Rows 2\n",
       "5:8: expected the number of rows, 1, found \"2\""},
      {highs + "# Primal solution values\n# Columns 2\nx 1\n",
       "6:4: expected a name and a number, found the end of the file"},
      {highs + "# Primal solution values\n# Columns 2\nx\n",
       "6:1: expected a name and a number, found \"x\""},
      {highs + "# Primal solution values\n# Columns 2\nz 1\n",
       "6:1: expected the name of a column, found \"z\""},
      {highs + "# Primal solution values\n# Rows 1\nz 1\n",
       "6:1: expected the name of a row, found \"z\""},
      {highs + "# Primal solution values\n# Rows 1\na row one\n",
       "6:7: expected a number, found \"one\""},
      {highs + "Objective much\n", "4:11: expected a number, found \"much\""},
      {"HiGHS v2\n# Columns 2\n",
       "2:1: expected Valid, before the statuses of a basis, found \"# Columns 2\""},
      {"HiGHS v2\n# Rows 1\n",
       "2:1: expected Valid, before the statuses of a basis, found \"# Rows 1\""},
      {basis + "# Columns 2\n", "3:12: expected a line of statuses, found the end of the file"},
      {basis + "# Columns 2\n1\n", "4:2: expected a status from 0 to 4, found the end of the line"},
      {basis + "# Columns 2\n1 0 1\n", "4:5: expected the end of the line, found \"1\""},
      {"Optimal - objective value high\n", "1:27: expected a number, found \"high\""},
      {"Optimal\n 0 x one 0\n", "2:6: expected a number, found \"one\""},
      {"Optimal\n 0 w 1 0\n", "2:4: expected the name of a column or row, found \"w\""},
  };
  for (Broken const& broken : files) BOOST_TEST(errorOf(broken.text) == "f.sol:" + broken.message);
}

BOOST_AUTO_TEST_CASE(errors_in_json) {
  std::string const start = "{\"status\": \"optimal\", ";
  Broken const files[] = {
      {"{\"status\": \"fine\"}\n", "1:19: expected a status, found another word"},
      {start + "\"message\": 1}\n", "1:36: expected a text for the key message, found none"},
      {start + "\"objective\": \"1\"}\n", "1:40: expected a number, found another value"},
      {start + "\"objective\": 1e999}\n",
       "1:42: expected JSON with numbers that fit a double, found the end of the file"},
      {start + "\"columns\": 3}\n",
       "1:36: expected a list for the key columns, found another value"},
      {start + "\"columns\": [3]}\n",
       "1:38: expected an object for each row and column, found another value"},
      {start + "\"rows\": [{\"name\": \"z\"}]}\n", "1:47: expected the name of a row, found \"z\""},
      {start + "\"rows\": [{\"name\": \"a row\", \"status\": \"high\"}]}\n",
       "1:69: expected a status lower, upper, free or basic, found another word"},
  };
  for (Broken const& broken : files) BOOST_TEST(errorOf(broken.text) == "f.sol:" + broken.message);
  BOOST_TEST(errorOf(" []\n") != "no error");
}

BOOST_AUTO_TEST_CASE(lengths_have_to_fit) {
  Solution wrong = optimum();
  wrong.ray = {1};
  BOOST_CHECK_THROW(readers::writeSolutionText(model(), wrong, SolutionFormat::text),
                    readers::WriteError);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace osi_cuda::testing
