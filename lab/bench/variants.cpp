// SPDX-License-Identifier: EPL-2.0
// Branches of a problem side by side, on one common tableau, and one after the other:
// bench_variants.
// Branches are those of the basic columns with a fractional value at the optimum (of a model's
// integer columns), down and up. One line a problem:
//
//     together   all of them by VariantSolver, the best of the repeats after a first call, in which
//                the common tableau and the buffers are made (`first`); `device` is the kernel's
//                part
//     single     this solver, one after the other from the same basis, on the same engine; as many
//                as take some seconds, and how many of them have another status or objective
//     Clp        its dual simplex through the bridge from the same basis, one after the other on
//                one core, as many as take some seconds. What the same call takes without a change
//                of bounds is subtracted: it is the model's way there. No limit of pivots.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bridges/bridge.hpp"
#include "lab/bench/dense_arguments.hpp"
#include "lab/bench/dense_model.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "shell/command.hpp"

using namespace osi_cuda;

namespace {

struct Settings {
  bench::DenseArguments dense;
  std::vector<std::string> models;
  std::size_t branches = 256, copies = 1;
  int repeats = 3;
  double single = 2.0, clp = 0.0;
  std::vector<std::string> solver;  ///< its options
  VariantOptions options;
};

/// One branch: a new bound of a column.
struct Branch {
  int column = 0;
  bool up = false;
  double bound = 0.0;
};

std::vector<Branch> branchesOf(LinearProgram const& lp, Solution const& optimum, std::size_t most) {
  std::vector<Branch> branches;
  for (int j = 0; j < lp.columns() && branches.size() + 2 <= most; ++j) {
    if (!lp.integer.empty() && lp.integer[at(j)] == 0) continue;
    double const x = optimum.columnValues[at(j)];
    constexpr double whole = 1e-6;
    if (optimum.basis.columns[at(j)] != VariableStatus::basic ||
        std::fabs(x - std::round(x)) <= whole)
      continue;
    branches.push_back({j, false, std::floor(x)});
    branches.push_back({j, true, std::ceil(x)});
  }
  return branches;
}

PackedVariants packed(std::vector<Branch> const& branches) {
  using What = VariantChange::What;
  PackedVariants variants;
  for (Branch const& b : branches)
    variants.add(std::vector<VariantChange>{
        {b.up ? What::columnLower : What::columnUpper, b.column, b.bound}});
  return variants;
}

Options singleOptions(Settings const& s) {
  Options options;
  bool const device = s.options.engine == BatchEngine::cuda;
  options.engine = device ? EngineChoice::cuda : EngineChoice::host;
  options.threads = device ? 0 : 1;
  options.algorithm = AlgorithmChoice::automatic;
  return options;
}

struct Counted {
  double seconds = 0.0;  ///< a branch
  std::size_t solved = 0, different = 0;
  double pivots = 0.0;  ///< a branch
};

/// One after the other by the ordinary solver, as many as take so many seconds.
Counted singly(Settings const& s, Solver& solver, std::vector<Branch> const& branches,
               BatchResults const& together) {
  LinearProgram const lp = solver.problem();
  Basis const basis = solver.basis();
  Options options = singleOptions(s);
  options.iterationLimit = s.options.iterationLimit;
  solver.keepBasis();
  Counted counted;
  Stopwatch const watch;
  for (std::size_t k = 0; k < branches.size() && watch.seconds() < s.single; ++k) {
    Branch const& b = branches[k];
    auto const j = at(b.column);
    double const lower = lp.columnLower[j], upper = lp.columnUpper[j];
    solver.setColumnBounds(b.column, b.up ? b.bound : lower, b.up ? upper : b.bound);
    solver.goBack();
    solver.setBasis(basis);
    Solution const answer = solver.solve(options);
    solver.setColumnBounds(b.column, lower, upper);
    ++counted.solved;
    counted.pivots += static_cast<double>(answer.iterations);
    bool const limited = answer.status == Status::iterationLimit ||
                         together.status[k] == BatchStatus::iterationLimit;
    bool const same =
        std::string(toString(answer.status)) == toString(together.status[k]) &&
        (answer.status != Status::optimal || std::fabs(answer.objective - together.objective[k]) <=
                                                 1e-9 * (1.0 + std::fabs(answer.objective)));
    if (!limited && !same) ++counted.different;
  }
  counted.seconds = watch.seconds() / static_cast<double>(counted.solved);
  counted.pivots /= static_cast<double>(counted.solved);
  return counted;
}

Counted byClp(Settings const& s, LinearProgram lp, Basis const& basis,
              std::vector<Branch> const& branches) {
  Counted counted;
  auto const clp = findBridge(bridges(), "clp");
  if (!clp) return counted;
  BridgeOptions options;
  options.algorithm = "dual";
  options.startBasis = basis;
  double way = infinity;
  for (int repeat = 0; repeat < 3; ++repeat) {
    Stopwatch const watch;
    clp->solve(lp, options);
    way = std::min(way, watch.seconds());
  }
  Stopwatch const watch;
  for (std::size_t k = 0; k < branches.size() && watch.seconds() < s.clp; ++k) {
    Branch const& b = branches[k];
    double& bound = b.up ? lp.columnLower[at(b.column)] : lp.columnUpper[at(b.column)];
    double const before = std::exchange(bound, b.bound);
    Stopwatch const single;
    Solution const answer = clp->solve(lp, options);
    counted.seconds += std::max(0.0, single.seconds() - way);
    counted.pivots += static_cast<double>(answer.iterations);
    bound = before;
    ++counted.solved;
  }
  counted.seconds /= static_cast<double>(counted.solved);
  counted.pivots /= static_cast<double>(counted.solved);
  return counted;
}

void measure(Settings const& s, std::string const& name, LinearProgram const& lp) {
  Solver solver(lp);
  Solution const optimum = solver.solve(singleOptions(s));
  if (optimum.status != Status::optimal) {
    std::printf("| %s | %s |\n", name.c_str(), toString(optimum.status));
    return;
  }
  std::vector<Branch> branches = branchesOf(lp, optimum, s.branches);
  for (std::size_t k = 0, more = branches.size() * (s.copies - 1); k < more; ++k)
    branches.push_back(Branch(branches[k]));
  PackedVariants const variants = packed(branches);
  if (branches.empty()) return;
  VariantSolver batch(lp, solver.basis());
  BatchResults results;
  double first = 0.0, best = infinity, device = 0.0;
  for (int repeat = 0; repeat <= s.repeats; ++repeat) {
    batch.solve(variants.view(), s.options, results);
    if (repeat == 0) first = results.seconds;
    if (repeat > 0 && results.seconds < best) {
      best = results.seconds;
      device = results.deviceSeconds;
    }
  }
  double pivots = 0.0, residual = 0.0;
  std::size_t optimal = 0, infeasible = 0, limited = 0;
  for (std::size_t k = 0; k < branches.size(); ++k) {
    pivots += results.iterations[k];
    residual = std::max(residual, results.residual[k]);
    optimal += results.status[k] == BatchStatus::optimal;
    infeasible += results.status[k] == BatchStatus::infeasible;
    limited += results.status[k] == BatchStatus::iterationLimit;
  }
  auto const count = static_cast<double>(branches.size());
  std::printf(
      "| %s | %d x %d | %zu | %zu optimal, %zu infeasible, %zu at the limit, %zu again | "
      "%.1f | %.0e | %.1f | %.2f | %.2f | ",
      name.c_str(), lp.rows(), lp.columns(), branches.size(), optimal, infeasible, limited,
      results.again, pivots / count, residual, 1e3 * first, 1e3 * best, 1e3 * device);
  if (s.single > 0.0) {
    Counted const single = singly(s, solver, branches, results);
    std::printf("%.2f (%zu, %.1f pivots, %zu different) | %.1f | ", 1e3 * single.seconds,
                single.solved, single.pivots, single.different, single.seconds * count / best);
  } else {
    std::printf(" | | ");
  }
  if (s.clp > 0.0) {
    Counted const clp = byClp(s, lp, optimum.basis, branches);
    std::printf("%.2f (%zu, %.1f pivots) | %.1f |\n", 1e3 * clp.seconds, clp.solved, clp.pivots,
                clp.seconds * count / best);
  } else {
    std::printf(" | |\n");
  }
  std::fflush(stdout);
}

shell::ExitStatus run(Settings const& s) {
  std::vector<bench::DenseSize> const sizes = s.dense.sizes("--dense");
  std::printf(
      "| problem | size | branches | answers | pivots each | residual | first, ms | together, ms "
      "| device, ms | single, ms each | times single | Clp, ms each | times Clp |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (auto const [rows, columns] : sizes)
    measure(s, bench::problemName(bench::DenseFamily::uniform, rows, columns),
            bench::denseModel(bench::DenseFamily::uniform, rows, columns, 1));
  for (std::string const& model : s.models) {
    std::string const file = model.substr(model.find_last_of('/') + 1);
    measure(s, file.substr(0, file.find('.')), readers::read(model).lp);
  }
  return shell::ExitStatus::optimal;
}

shell::Run setUp(CLI::App& app) {
  auto const s = std::make_shared<Settings>();
  s->dense.sizeTexts.clear();
  s->options.iterationLimit = 50;  // unless it is given: pivots of a branch
  app.add_option("--dense", s->dense.sizeTexts,
                 "a uniform problem of ROWSxCOLUMNS, any number of times")
      ->allow_extra_args(false);
  app.add_option("--model", s->models, "files of models");
  app.add_option("--branches", s->branches, "at most [256]");
  app.add_option("--copies", s->copies, "of each branch in a call [1]")->check(CLI::PositiveNumber);
  app.add_option("--factors", s->options.factors, "pivots and changed columns that are kept [128]")
      ->check(CLI::Range(0, 100000));
  app.add_option("--block-threads", s->options.blockThreads,
                 "threads of a block on the device, 256, 512 or 1024; 0: by size [0]")
      ->check(CLI::Range(0, 1024));
  app.add_option("--repeats", s->repeats, "calls that are counted [3]")->check(CLI::Range(1, 1000));
  app.add_option("--single", s->single, "seconds for this solver one after the other; 0: none [2]")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--clp", s->clp, "seconds for Clp; 0: none [0]")->check(CLI::NonNegativeNumber);
  shell::addSolverOptions(app, s->solver);
  return [s] {
    static_cast<Options&>(s->options) = shell::solverOptions(s->solver, s->options);
    return run(*s);
  };
}

}  // namespace

int main(int count, char** words) {
  return shell::runTool(
      {"bench_variants", "Times branches of a problem, side by side and one after the other.",
       setUp},
      count, words);
}
