// SPDX-License-Identifier: EPL-2.0
//
// Microseconds of a cold small LP through each interface, beside Clp's C++ interface.
//
//     osi_small_report [--size M] [--density D] [--problems N] [--rounds R] [--only WAY]
//                      [--raw] [--files FOLDER]
//
// N random problems with M rows and M columns and a share D of nonzero entries: a third of the rows
// equations, the others inequalities, nonnegative columns of which a third have upper bounds, both
// primal and dual with points inside. A run makes an object, gives it the arrays, solves, reads
// objective and columns, and deletes the object. Processor time of all threads, least of R rounds
// for each problem, mean over the problems; "first" is the first run of the process, in elapsed
// time. Objectives have to agree to 1e-7. --files writes the problems as MPS for other programs;
// --only takes one way.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "ClpSimplex.hpp"
#include "OsiClpSolverInterface.hpp"
#include "c/osi_cuda.h"
#include "osi/OsiCudaSolverInterface.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "tests/support/random.hpp"

using namespace osi_cuda;

namespace {

/// Of the process, or elapsed.
double microseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// By columns, in the types of all interfaces.
struct Arrays {
  int size = 0;
  std::vector<CoinBigIndex> starts;
  std::vector<std::int64_t> wideStarts;
  LinearProgram lp;
};

Arrays randomProblem(int size, double density, std::uint64_t seed) {
  testing::Random random(seed);
  auto const draw = [&] { return random.unit(); };
  auto const n = static_cast<std::size_t>(size);
  Arrays made;
  made.size = size;
  LinearProgram& lp = made.lp;
  lp.matrix.rows = lp.matrix.columns = size;
  lp.matrix.starts = {0};
  std::vector<double> y(n), activity(n, 0.0), x(n);
  std::vector<char> equation(n);
  for (std::size_t i = 0; i < n; ++i) {
    equation[i] = draw() < 1.0 / 3.0;
    y[i] = equation[i] ? 2.0 * draw() - 1.0 : draw();
  }
  for (std::size_t j = 0; j < n; ++j) {
    x[j] = draw();
    double cost = draw();
    for (std::size_t i = 0; i < n; ++i) {
      if (draw() >= density) continue;
      double const value = 2.0 * draw() - 1.0;
      lp.matrix.indices.push_back(static_cast<int>(i));
      lp.matrix.values.push_back(value);
      cost += value * y[i];
      activity[i] += value * x[j];
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.values.size()));
    lp.objective.push_back(cost);
    lp.columnLower.push_back(0.0);
    lp.columnUpper.push_back(draw() < 1.0 / 3.0 ? x[j] + draw() : infinity);
  }
  for (std::size_t i = 0; i < n; ++i) {
    lp.rowLower.push_back(activity[i] - (equation[i] ? 0.0 : draw()));
    lp.rowUpper.push_back(equation[i] ? activity[i] : infinity);
  }
  made.starts.assign(lp.matrix.starts.begin(), lp.matrix.starts.end());
  made.wideStarts.assign(lp.matrix.starts.begin(), lp.matrix.starts.end());
  return made;
}

/// What a run returns: the objective, and x in `point`.
using Way = std::function<double(Arrays const&, std::vector<double>& point)>;

double byClp(Arrays const& p, std::vector<double>& point, int method) {
  ClpSimplex clp;
  clp.setLogLevel(0);
  clp.loadProblem(p.size, p.size, p.starts.data(), p.lp.matrix.indices.data(),
                  p.lp.matrix.values.data(), p.lp.columnLower.data(), p.lp.columnUpper.data(),
                  p.lp.objective.data(), p.lp.rowLower.data(), p.lp.rowUpper.data());
  if (method == 0) clp.initialSolve();
  if (method == 1) clp.dual();
  if (method == 2) clp.primal();
  std::copy_n(clp.primalColumnSolution(), p.size, point.begin());
  return clp.objectiveValue();
}

double bySolver(Arrays const& p, std::vector<double>& point) {
  Solver solver(p.lp);
  Solution const solution = solver.solve();
  point = solution.columnValues;
  return solution.objective;
}

double byC(Arrays const& p, std::vector<double>& point) {
  osi_cuda_problem* const problem = osi_cuda_create();
  osi_cuda_load_columns(problem, p.size, p.size, p.wideStarts.data(), p.lp.matrix.indices.data(),
                        p.lp.matrix.values.data(), p.lp.columnLower.data(), p.lp.columnUpper.data(),
                        p.lp.rowLower.data(), p.lp.rowUpper.data(), p.lp.objective.data());
  osi_cuda_solve(problem);
  double objective = NAN;
  osi_cuda_get_number(problem, OSI_CUDA_OBJECTIVE, &objective);
  osi_cuda_get_values(problem, OSI_CUDA_COLUMN_VALUES, p.size, point.data());
  osi_cuda_free(problem);
  return objective;
}

template <class Interface>
double byOsi(Arrays const& p, std::vector<double>& point) {
  Interface solver;
  solver.messageHandler()->setLogLevel(0);
  solver.loadProblem(p.size, p.size, p.starts.data(), p.lp.matrix.indices.data(),
                     p.lp.matrix.values.data(), p.lp.columnLower.data(), p.lp.columnUpper.data(),
                     p.lp.objective.data(), p.lp.rowLower.data(), p.lp.rowUpper.data());
  solver.initialSolve();
  std::copy_n(solver.getColSolution(), p.size, point.begin());
  return solver.getObjValue();
}

struct Named {
  char const* name;
  Way run;
};

std::vector<Named> const& ways() {
  static std::vector<Named> const all{
      {"Clp, dual", [](auto const& p, auto& x) { return byClp(p, x, 1); }},
      {"Clp, primal", [](auto const& p, auto& x) { return byClp(p, x, 2); }},
      {"Clp, initialSolve", [](auto const& p, auto& x) { return byClp(p, x, 0); }},
      {"OsiClp", byOsi<OsiClpSolverInterface>},
      {"osi_cuda, C++", bySolver},
      {"osi_cuda, C", byC},
      {"osi_cuda, OSI", byOsi<OsiCudaSolverInterface>}};
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  double density = 0.6;
  int size = 30, problems = 200, rounds = 7;
  bool raw = false;
  std::string only, folder;
  for (int k = 1; k < argc; ++k) {
    auto const is = [&](char const* word) { return !std::strcmp(argv[k], word) && k + 1 < argc; };
    if (!std::strcmp(argv[k], "--raw"))
      raw = true;
    else if (is("--size"))
      size = std::atoi(argv[++k]);
    else if (is("--density"))
      density = std::atof(argv[++k]);
    else if (is("--problems"))
      problems = std::atoi(argv[++k]);
    else if (is("--rounds"))
      rounds = std::atoi(argv[++k]);
    else if (is("--only"))
      only = argv[++k];
    else if (is("--files"))
      folder = argv[++k];
  }
  auto const count = static_cast<std::size_t>(problems);
  std::vector<Arrays> made;
  for (std::size_t k = 0; k < count; ++k) {
    made.push_back(randomProblem(size, density, 1000 + k));
    if (folder.empty()) continue;
    OsiCudaSolverInterface writer;
    Arrays const& p = made.back();
    writer.loadProblem(size, size, p.starts.data(), p.lp.matrix.indices.data(),
                       p.lp.matrix.values.data(), p.lp.columnLower.data(), p.lp.columnUpper.data(),
                       p.lp.objective.data(), p.lp.rowLower.data(), p.lp.rowUpper.data());
    writer.writeMps((folder + "/small-" + std::to_string(k)).c_str(), "mps");
  }
  std::vector<std::vector<double>> least(ways().size(), std::vector<double>(count, 1e300));
  std::vector<double> first(ways().size(), 0.0);
  std::vector<double> expected(count, NAN);
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t w = 0; w < ways().size(); ++w) {
      if (!only.empty() && only != ways()[w].name) continue;
      std::vector<double> point(static_cast<std::size_t>(size));
      for (std::size_t k = 0; k < count; ++k) {
        double const elapsed = microseconds(CLOCK_MONOTONIC);
        double const begin = microseconds(CLOCK_PROCESS_CPUTIME_ID);
        double const objective = ways()[w].run(made[k], point);
        least[w][k] = std::min(least[w][k], microseconds(CLOCK_PROCESS_CPUTIME_ID) - begin);
        if (first[w] == 0.0) first[w] = microseconds(CLOCK_MONOTONIC) - elapsed;
        if (std::isnan(expected[k])) expected[k] = objective;
        if (!(std::fabs(objective - expected[k]) <= 1e-7 * (1.0 + std::fabs(expected[k])))) {
          if (++wrong <= 5)
            std::printf("problem %zu, %s: %.12g, expected %.12g\n", k, ways()[w].name, objective,
                        expected[k]);
        }
      }
    }
  }
  double clp = 0.0;
  std::printf("%-18s %10s %10s %10s %8s\n", "way", "first", "mean us", "median", "to Clp");
  for (std::size_t w = 0; w < ways().size(); ++w) {
    std::vector<double> sorted = least[w];
    if (sorted.empty() || sorted.front() > 1e200) continue;
    if (raw)
      for (std::size_t k = 0; k < count; ++k)
        std::printf("%s;%zu;%.1f\n", ways()[w].name, k, least[w][k]);
    std::sort(sorted.begin(), sorted.end());
    double sum = 0.0;
    for (double const each : sorted) sum += each;
    sum /= static_cast<double>(count);
    if (w == 0) clp = sum;
    std::printf("%-18s %10.1f %10.1f %10.1f %8.2f\n", ways()[w].name, first[w], sum,
                sorted[count / 2], clp > 0.0 ? sum / clp : NAN);
  }
  if (wrong > 0) std::printf("%d wrong objectives\n", wrong);
  return wrong > 0 ? 1 : 0;
}
