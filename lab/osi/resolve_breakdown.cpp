// SPDX-License-Identifier: EPL-2.0
//
// Where a re-solve's time goes, and whether its answer is right.
//
//     osi_resolve_breakdown [--engine cuda|host|factors] [--option NAME VALUE]... [--steps N]
//                           [--compare] [--shares] PROBLEM...
//
// A PROBLEM is a file or a dense MIP (dense_mips.hpp). After a first solve, N rounds of what branch
// and cut does: eight hot starts on branches of fractional columns, one branch that stays, a cut (a
// tight sum of rows, rounded) or the loss of rows that are not tight, a jump to the basis of some
// rounds ago. For each kind of solve: wall time, pivots, and the engine's calls. With --compare the
// host solves each problem again, and other statuses or optima fail.
//
// With --shares five shares follow: the host; what is queued for the bus (restore, bounds, the
// problem to verify on); pivots; verification; waiting. The last two are measured by runs without a
// pivot, before and behind those with pivots, which count as no part of the solve.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <initializer_list>
#include <random>
#include <stdexcept>

#include "lab/osi/timed_engine.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/solver.hpp"
#include "readers/read.hpp"
#include "tests/support/dense_mips.hpp"

using namespace osi_cuda;
using namespace osi_cuda::testing;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Settings {
  Options options;
  int steps = 12;
  bool compare = false, shares = false;
  std::vector<std::string> problems;
};

struct Kind {
  CallTimes calls;
  double seconds = 0.0;
  std::vector<double> each;

  double of(std::initializer_list<char const*> names) const {
    double sum = 0.0;
    for (char const* const name : names)
      if (auto const found = calls.byName.find(name); found != calls.byName.end())
        sum += found->second.seconds;
    return sum;
  }
  /// Means in milliseconds.
  void printShares() const {
    double const bus = of({"restore", "bounds", "verify on"}),
                 verification = calls.verification + of({"verified point"}),
                 runs = of({"pivots", "drift", "refine", "refactor", "reach", "weights"}),
                 pivots = runs - calls.waiting - calls.verification,
                 host = seconds - bus - verification - pivots - calls.waiting,
                 mean = 1e3 / static_cast<double>(each.size());
    std::printf("    host %.4f, bus %.4f, pivots %.4f, verification %.4f, waiting %.4f ms\n",
                mean * host, mean * bus, mean * pivots, mean * verification, mean * calls.waiting);
  }
};

class Rounds {
 public:
  Rounds(LinearProgram lp, Settings const& settings)
      : compare_(settings.compare), apart_(settings.shares), options_(settings.options) {
    EngineMakers makers;
    auto const timed = [this](auto make) {
      return [this, make](EngineOptions const& options) -> std::unique_ptr<Engine> {
        return std::make_unique<TimedEngine>(make(options), present_);
      };
    };
    makers.device = timed(makers.device);
    makers.host = timed(makers.host);
    makers.factored = timed(makers.factored);
    solver_ = std::make_unique<Solver>(solverWith(makers));
    integer_ = lp.integer;
    integer_.resize(static_cast<std::size_t>(lp.columns()), 0);
    solver_->load(std::move(lp));
    ownRows_ = solver_->problem().rows();
  }

  Solution solve(std::string const& kind) {
    present_ = fresh();
    double const begin = now();
    Solution solution = solver_->solve(options_);
    finish(kind, begin);
    if (compare_) compare(kind, solution);
    return solution;
  }

  void run(int steps) {
    Solution solution = solve("first");
    std::deque<std::pair<Basis, std::vector<double>>> nodes;
    for (int step = 0; step < steps && solution.status == Status::optimal; ++step) {
      nodes.emplace_back(solver_->basis(), solver_->problem().columnUpper);
      if (nodes.size() > 6) nodes.pop_front();
      std::vector<int> const fractional = fractionalOf(solution);
      hotStarts(fractional, solution);
      if (fractional.empty() || step % 5 == 4) {  // to another node
        auto const& [basis, upper] = nodes[random_() % nodes.size()];
        std::vector<double> const lower = solver_->problem().columnLower, bounds = upper;
        solver_->setColumnBounds(lower, bounds);
        solver_->setBasis(fitted(basis));
        solution = solve("jump");
        continue;
      }
      int const j = fractional[random_() % fractional.size()];
      double const x = solution.columnValues[static_cast<std::size_t>(j)];
      auto const k = static_cast<std::size_t>(j);
      double const before = solver_->problem().columnUpper[k];
      solver_->setColumnBounds(j, solver_->problem().columnLower[k], std::floor(x));
      solution = solve("branch");
      if (solution.status != Status::optimal) {
        solver_->setColumnBounds(j, solver_->problem().columnLower[k], before);
        solution = solve("branch back");
        continue;
      }
      if (step % 3 == 2)
        solution = dropCuts(std::move(solution));
      else
        solution = addCuts(solution);
    }
  }

  bool right() const { return faults_ == 0; }
  void print(std::string const& name) const {
    for (auto const& [kind, k] : kinds_) {
      std::vector<double> each = k.each;
      std::sort(each.begin(), each.end());
      auto const solves = static_cast<double>(each.size());
      std::printf("%s %s: %zu solves, median %.3f ms, mean %.3f ms, %.1f pivots, %.1f flips\n",
                  name.c_str(), kind.c_str(), each.size(), 1e3 * each[each.size() / 2],
                  1e3 * k.seconds / solves, static_cast<double>(k.calls.pivots) / solves,
                  static_cast<double>(k.calls.flips) / solves);
      double inEngine = 0.0;
      for (auto const& [call, entry] : k.calls.byName) {
        inEngine += entry.seconds;
        std::printf("    %-14s %8.4f ms, %5.2f calls\n", call.c_str(), 1e3 * entry.seconds / solves,
                    static_cast<double>(entry.calls) / solves);
      }
      std::printf("    %-14s %8.4f ms\n", "control, proof", 1e3 * (k.seconds - inEngine) / solves);
      if (apart_) k.printShares();
    }
    std::fflush(stdout);
  }

 private:
  CallTimes fresh() const {
    CallTimes times;
    times.apart = apart_;
    return times;
  }
  void finish(std::string const& name, double begin) {
    double const seconds = now() - begin - present_.measuring;
    Kind& kind = kinds_[name];
    kind.seconds += seconds;
    kind.each.push_back(seconds);
    kind.calls.pivots += present_.pivots;
    kind.calls.flips += present_.flips;
    kind.calls.waiting += present_.waiting;
    kind.calls.verification += present_.verification;
    for (auto const& [call, entry] : present_.byName) {
      kind.calls.byName[call].seconds += entry.seconds;
      kind.calls.byName[call].calls += entry.calls;
    }
  }

  void compare(std::string const& kind, Solution const& solution) {
    Options options;
    options.engine = EngineChoice::host;
    Solution const other = Solver(solver_->problem()).solve(options);
    bool const same =
        solution.status == other.status &&
        (solution.status != Status::optimal || std::fabs(solution.objective - other.objective) <=
                                                   1e-7 * (1.0 + std::fabs(other.objective)));
    if (same) return;
    ++faults_;
    std::printf("FAULT in a %s: %s %.12g, the host says %s %.12g\n", kind.c_str(),
                toString(solution.status), solution.objective, toString(other.status),
                other.objective);
  }

  std::vector<int> fractionalOf(Solution const& solution) const {
    std::vector<int> found;
    for (std::size_t j = 0; j < integer_.size(); ++j) {
      double const x = solution.columnValues[j];
      if (integer_[j] && std::fabs(x - std::round(x)) > 1e-6) found.push_back(static_cast<int>(j));
    }
    return found;
  }

  void hotStarts(std::vector<int> const& fractional, Solution const& solution) {
    double const begin = now();
    present_ = fresh();
    solver_->keepBasis();
    finish("mark", begin);
    for (std::size_t c = 0; c < std::min<std::size_t>(4, fractional.size()); ++c) {
      int const j = fractional[c];
      auto const k = static_cast<std::size_t>(j);
      double const lower = solver_->problem().columnLower[k],
                   upper = solver_->problem().columnUpper[k], x = solution.columnValues[k];
      for (bool const up : {false, true}) {
        solver_->setColumnBounds(j, up ? std::ceil(x) : lower, up ? upper : std::floor(x));
        double const start = now();
        present_ = fresh();
        solver_->goBack();
        Solution const branch = solver_->solve(options_);
        finish("hot start", start);
        if (compare_) compare("hot start", branch);
        solver_->setColumnBounds(j, lower, upper);
      }
    }
    solver_->goBack();
    solver_->forgetKeptBasis();
    solver_->setBasis(solution.basis);
  }

  /// A sum of tight rows, cut off by a little at the present point.
  Solution addCuts(Solution const& solution) {
    LinearProgram const& lp = solver_->problem();
    constexpr int count = 3;
    SparseMatrix cuts{lp.columns(), 0, {0}, {}, {}};
    std::vector<double> lower, upper;
    for (int c = 0; c < count; ++c) {
      double activity = 0.0;
      for (int j = 0; j < lp.columns(); ++j) {
        if (random_() % 4 != 0) continue;
        double const entry = 1.0 + static_cast<double>(random_() % 100);
        cuts.indices.push_back(j);
        cuts.values.push_back(entry);
        activity += entry * solution.columnValues[static_cast<std::size_t>(j)];
      }
      cuts.starts.push_back(static_cast<std::int64_t>(cuts.indices.size()));
      ++cuts.columns;
      lower.push_back(-infinity);
      upper.push_back(activity * (1.0 - 1e-4));
    }
    double const begin = now();
    present_ = fresh();
    solver_->addRows(cuts, lower, upper);
    finish("adding 3 rows", begin);
    return solve("after cuts");
  }

  Solution dropCuts(Solution solution) {
    std::vector<int> gone;
    for (int i = ownRows_; i < solver_->problem().rows(); ++i)
      if (solution.basis.rows[static_cast<std::size_t>(i)] == VariableStatus::basic ||
          random_() % 3 == 0)
        gone.push_back(i);
    if (gone.empty()) return solution;
    double const begin = now();
    present_ = fresh();
    solver_->deleteRows(gone);
    finish("losing rows", begin);
    return solve("after losing rows");
  }

  /// A basis of some rows ago.
  Basis fitted(Basis basis) const {
    basis.rows.resize(static_cast<std::size_t>(solver_->problem().rows()), VariableStatus::basic);
    return basis;
  }

  bool compare_, apart_;
  int faults_ = 0, ownRows_ = 0;
  Options options_;
  CallTimes present_;
  std::unique_ptr<Solver> solver_;
  std::vector<char> integer_;
  std::map<std::string, Kind> kinds_;
  std::mt19937 random_{1};
};

/// Throws std::invalid_argument for an option that there is not, or a value that it does not take.
Settings settingsOf(int argc, char** argv) {
  Settings settings;
  settings.options.engine = EngineChoice::cuda;
  settings.options.presolve = Toggle::off;
  auto const set = [&](char const* name, char const* value) {
    std::string const fault = setOption(settings.options, name, value);
    if (!fault.empty()) throw std::invalid_argument(fault);
  };
  for (int k = 1; k < argc; ++k) {
    auto const is = [&](char const* name, int values) {
      if (std::strcmp(argv[k], name) != 0) return false;
      if (k + values >= argc)
        throw std::invalid_argument(std::string(name) + ": a value is missing");
      return true;
    };
    if (is("--engine", 1)) {
      bool const factors = !std::strcmp(argv[++k], "factors");
      set("engine", factors ? "host" : argv[k]);
      if (settings.options.engine == EngineChoice::host)
        set("representation", factors ? "factors" : "tableau");
    } else if (is("--option", 2)) {
      set(argv[k + 1], argv[k + 2]);
      k += 2;
    } else if (is("--steps", 1)) {
      settings.steps = std::atoi(argv[++k]);
    } else if (is("--compare", 0)) {
      settings.compare = true;
    } else if (is("--shares", 0)) {
      settings.shares = true;
    } else if (argv[k][0] == '-') {
      throw std::invalid_argument(std::string("unknown option ") + argv[k]);
    } else {
      settings.problems.emplace_back(argv[k]);
    }
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) try {
  Settings const settings = settingsOf(argc, argv);
  bool right = true;
  for (std::string const& name : settings.problems) {
    Rounds rounds(isDenseMip(name) ? denseMip(name) : readers::read(name).lp, settings);
    rounds.run(settings.steps);
    rounds.print(name.substr(name.find_last_of('/') + 1));
    right = right && rounds.right();
  }
  return right ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "osi_resolve_breakdown: %s\n", e.what());
  return 2;
}
