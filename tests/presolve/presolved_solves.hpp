// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/presolve/tiny_problems.hpp"

/// Solves on the host with and without a presolve, what they say, and problems that lose half of
/// their rows and columns by one.
namespace osi_cuda::testing {

inline Options withPresolve(Toggle presolve) {
  Options options;
  options.engine = EngineChoice::host;
  options.threads = 1;
  options.presolve = presolve;
  return options;
}

/// Keeps what a solve says.
struct Heard {
  std::vector<std::string> notices;
  std::vector<Checkpoint> checkpoints;
  std::vector<TraceEvent> trace;

  bool said(std::string const& part) const {
    for (std::string const& sentence : notices)
      if (sentence.find(part) != std::string::npos) return true;
    return false;
  }
  Callbacks callbacks() {
    Callbacks c;
    c.notice = [this](std::string const& sentence) { notices.push_back(sentence); };
    c.checkpoint = [this](Checkpoint const& checkpoint) { checkpoints.push_back(checkpoint); };
    c.trace = [this](TraceEvent const& event) { trace.push_back(event); };
    return c;
  }
};

/// min sum of c_j x_j, x_j + x_(j+1) >= 1 + (j mod 3), 0 <= x <= 5, and rows of one entry: 2 links
/// rows and links + 1 columns, of which a presolve leaves about half.
inline LinearProgram chain(int links) {
  std::vector<TinyColumn> columns;
  std::vector<TinyRow> rows;
  for (int j = 0; j <= links; ++j) columns.push_back({1.0 + (j * 7) % 5, 0.0, 5.0});
  for (int j = 0; j < links; ++j) {
    std::vector<double> entries(static_cast<std::size_t>(links) + 1, 0.0);
    entries[static_cast<std::size_t>(j)] = 1.0;
    rows.push_back({entries, -infinity, 4.0});
    entries[static_cast<std::size_t>(j) + 1] = 1.0 + j % 2;
    rows.push_back({entries, 1.0 + j % 3, infinity});
  }
  return tinyProblem(columns, rows);
}

inline LinearProgram reducible() {
  return chain(30);
}

inline double optimumOf(LinearProgram const& lp) {
  Solution const solution = Solver(lp).solve(withPresolve(Toggle::off));
  BOOST_REQUIRE(solution.status == Status::optimal);
  return solution.objective;
}

inline void checkOptimal(LinearProgram const& lp, Solution const& solution) {
  BOOST_TEST((solution.status == Status::optimal), toString(solution.status));
  double const wanted = optimumOf(lp);
  BOOST_TEST(std::fabs(solution.objective - wanted) <= 1e-8 * (1.0 + std::fabs(wanted)));
  BOOST_TEST(residualsOf(lp, solution).largest() <= 1e-7);
}

}  // namespace osi_cuda::testing
