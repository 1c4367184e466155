// SPDX-License-Identifier: EPL-2.0
#include "examples/response/placement.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "examples/common/solver_factory.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda::response {
namespace {

constexpr double none = 1e30;
constexpr double on = 1e-7;       // a source is on from this share of the strongest one
constexpr double nothing = 1e-9;  // multipliers below this share of the largest are rounding

/// Which rows of the LP belong to whom.
struct Rows {
  int below = 0, above = 0;  ///< first rows that keep the field from being too high, too low
  int guards = 0, budget = -1;
};

class Formulation {
 public:
  Formulation(Plant const& plant, Goal goal, Limits const& limits, double within)
      : plant_(plant), goal_(goal), limits_(limits), within_(within) {
    addRows();
    addSources();
    addDeviations();
  }
  LinearProgram lp;
  Rows rows;
  /// Sources that may be negative are two columns each, strength and its negative, where their
  /// size counts.
  bool isSplit() const {
    return limits_.lower < 0.0 && (goal_ == Goal::few || limits_.budget.has_value());
  }
  std::vector<double> strengths(double const* x) const {
    int const n = int(plant_.sources.size());
    std::vector<double> q(x, x + n);
    if (isSplit())
      for (int j = 0; j < n; ++j) q[j] -= x[n + j];
    return q;
  }

 private:
  int addRow(double low, double high) {
    lp.addRow(low > -none ? low : -infinity, high < none ? high : infinity);
    return lp.rows() - 1;
  }
  void endColumn(double low, double high, double price) {
    lp.endColumn(price, low > -none ? low : -infinity, high < none ? high : infinity);
  }
  void addRows() {
    int const m = int(plant_.observations.size());
    if (goal_ == Goal::minimax) {
      for (double const target : plant_.target) addRow(-none, target);
      for (double const target : plant_.target) addRow(target, none);
      rows.above = m;
    } else {
      double const d = goal_ == Goal::few ? within_ : 0.0;
      for (double const target : plant_.target) addRow(target - d, target + d);
    }
    rows.guards = int(lp.rowLower.size());
    if (limits_.guard)
      for (std::size_t g = 0; g < plant_.guards.size(); ++g) addRow(-none, *limits_.guard);
    if (limits_.budget) rows.budget = addRow(-none, *limits_.budget);
  }
  void addSource(int j, double sign) {
    int const m = int(plant_.observations.size()), n = int(plant_.sources.size());
    for (int const first : {rows.below, rows.above}) {
      for (int i = 0; i < m; ++i)
        lp.matrix.add(first + i, sign * plant_.response[std::size_t(i) * n + j]);
      if (rows.below == rows.above) break;
    }
    if (limits_.guard)
      for (int g = 0; g < int(plant_.guards.size()); ++g)
        lp.matrix.add(rows.guards + g, sign * plant_.guardResponse[std::size_t(g) * n + j]);
    if (limits_.budget) lp.matrix.add(rows.budget, 1.0);
  }
  void addSources() {
    int const n = int(plant_.sources.size());
    double const price = goal_ == Goal::few ? 1.0 : 0.0;
    // At full size these are gigabytes, and growing would take them twice.
    std::size_t const entries = (lp.rowLower.size() + 2) * std::size_t(isSplit() ? 2 * n : n);
    lp.matrix.indices.reserve(entries + 2 * lp.rowLower.size());
    lp.matrix.values.reserve(entries + 2 * lp.rowLower.size());
    for (int j = 0; j < n; ++j) {
      addSource(j, 1.0);
      endColumn(isSplit() ? 0.0 : limits_.lower,
                isSplit() ? std::max(0.0, limits_.upper) : limits_.upper, price);
    }
    for (int j = 0; j < n && isSplit(); ++j) {
      addSource(j, -1.0);
      endColumn(std::max(0.0, -limits_.upper), -limits_.lower, price);
    }
  }
  void addDeviations() {
    int const m = int(plant_.observations.size());
    double const most = limits_.within.value_or(none);
    if (goal_ == Goal::minimax) {
      for (int i = 0; i < m; ++i) lp.matrix.add(i, -1.0);
      for (int i = 0; i < m; ++i) lp.matrix.add(m + i, 1.0);
      endColumn(0.0, most, 1.0);
    } else if (goal_ == Goal::sum) {
      for (double const sign : {-1.0, 1.0})  // above the target, below it
        for (int i = 0; i < m; ++i) {
          lp.matrix.add(i, sign);
          endColumn(0.0, most, 1.0);
        }
    }
  }

  Plant const& plant_;
  Goal goal_;
  Limits const& limits_;
  double within_;
};

Outcome outcomeOf(OsiSolverInterface const& solver) {
  if (solver.isProvenOptimal()) return Outcome::optimal;
  if (solver.isProvenPrimalInfeasible()) return Outcome::infeasible;
  return solver.isIterationLimitReached() ? Outcome::stopped : Outcome::unsolved;
}

void readPrices(Plant const& plant, Goal goal, Formulation const& formulation, double const* dual,
                Placement& placement) {
  int const m = int(plant.observations.size());
  Rows const& rows = formulation.rows;
  double largest = 0.0;
  std::vector<Limiting> all;
  for (int i = 0; i < m; ++i)
    for (int const first : {rows.below, rows.above}) {
      double const y = dual[first + i];
      largest = std::max(largest, std::abs(y));
      // A price above 0: a larger right-hand side, a higher target, costs.
      all.push_back({i, y > 0.0, std::abs(y)});
      if (rows.below == rows.above) break;
    }
  // In a sum an observation with a deviation has the price 1, that of its own deviation; those that
  // are met at a cost to others are the ones that limit.
  double const own = goal == Goal::sum ? 1.0 - nothing : none;
  std::erase_if(
      all, [&](Limiting const& one) { return one.price <= nothing * largest || one.price >= own; });
  std::ranges::stable_sort(all,
                           [](Limiting const& a, Limiting const& b) { return a.price > b.price; });
  placement.limiting = all;
  if (rows.budget >= 0) placement.budgetPrice = std::abs(dual[rows.budget]);
}

void readPoint(Plant const& plant, Formulation const& formulation, double const* x,
               Placement& placement) {
  int const m = int(plant.observations.size()), n = int(plant.sources.size());
  placement.strength = formulation.strengths(x);
  placement.deviation.assign(m, 0.0);
  placement.worst = placement.total = placement.spent = 0.0;
  for (int i = 0; i < m; ++i) {
    double const* const row = &plant.response[std::size_t(i) * n];
    double const field = std::inner_product(row, row + n, placement.strength.begin(), 0.0);
    placement.deviation[i] = field - plant.target[i];
    placement.worst = std::max(placement.worst, std::abs(placement.deviation[i]));
    placement.total += std::abs(placement.deviation[i]);
  }
  double strongest = 0.0;
  for (double const q : placement.strength) strongest = std::max(strongest, std::abs(q));
  placement.sourcesOn = 0;
  for (double const q : placement.strength) {
    placement.spent += std::abs(q);
    placement.sourcesOn += std::abs(q) > on * strongest;
  }
}

std::string at(Point p) {
  return fmt::format("({:.3g}, {:.3g})", p.x, p.y);
}

/// From the multipliers of the ranges' LP to words, if they prove anything.
Contradiction explain(Plant const& plant, Limits const& limits, std::vector<double> y) {
  double largest = 0.0;
  for (double const one : y) largest = std::max(largest, std::abs(one));
  for (double& one : y) one = std::abs(one) <= nothing * largest ? 0.0 : one / largest;
  Contradiction result;
  if (largest == 0.0 || !holds(plant, limits, y, result.needed, result.possible)) return {};
  int const m = int(plant.observations.size()), guards = int(plant.guards.size());
  for (int i = 0; i < int(y.size()); ++i) {
    if (y[i] == 0.0) continue;
    std::string what = "what the sources spend";
    if (i < m)
      what = fmt::format("field at observation {} {}", i + 1, at(plant.observations[i]));
    else if (i < m + guards)
      what = fmt::format("field at guard {} {}", i - m + 1, at(plant.guards[i - m]));
    result.parts.push_back({what, y[i]});
  }
  std::ranges::stable_sort(result.parts, [](auto const& a, auto const& b) {
    return std::abs(a.multiplier) > std::abs(b.multiplier);
  });
  return result;
}

Contradiction findContradiction(Plant const& plant, Limits const& limits,
                                SolverFactory const& make) {
  double const within = limits.within.value_or(none);
  Formulation formulation(plant, Goal::few, limits, within);
  std::ranges::fill(formulation.lp.objective, 0.0);
  auto const solver = make();
  examples::load(*solver, formulation.lp);
  solver->initialSolve();
  if (!solver->isProvenPrimalInfeasible()) return {};
  std::vector<double> const ray =
      examples::firstRay(solver->getDualRays(1), formulation.lp.rowLower.size());
  if (ray.empty()) return {};
  Contradiction result;
  for (double const sign : {1.0, -1.0}) {
    // Of |R q - target| <= within, of the guards and of the budget; the bounds of q are left.
    std::vector<double> y(plant.observations.size() + plant.guards.size() + 1, 0.0);
    int const m = int(plant.observations.size());
    for (int i = 0; i < m; ++i) y[i] = sign * ray[i];
    if (limits.guard)
      for (int g = 0; g < int(plant.guards.size()); ++g)
        y[m + g] = sign * ray[formulation.rows.guards + g];
    if (limits.budget) y.back() = sign * ray[formulation.rows.budget];
    result = explain(plant, limits, y);
    if (result.exists()) break;
  }
  return result;
}

}  // namespace

bool holds(Plant const& plant, Limits const& limits, std::vector<double> const& y, double& needed,
           double& possible) {
  int const m = int(plant.observations.size()), n = int(plant.sources.size());
  int const guards = int(plant.guards.size());
  double const within = limits.within.value_or(none);
  // A multiplier above 0 asks for at least the lower end, one below 0 for at most the upper end.
  needed = possible = 0.0;
  double size = 0.0;
  for (int i = 0; i < m; ++i) {
    if (y[i] != 0.0 && within >= none) return false;
    double const end = y[i] > 0.0 ? plant.target[i] - within : plant.target[i] + within;
    if (y[i] != 0.0) needed += y[i] * end;
    size += std::abs(y[i] * plant.target[i]);
  }
  for (int g = 0; g < guards; ++g) {
    if (y[m + g] == 0.0) continue;
    if (y[m + g] > 0.0 || !limits.guard) return false;
    needed += y[m + g] * *limits.guard;
  }
  if (y.back() != 0.0) {
    if (y.back() > 0.0 || !limits.budget) return false;
    needed += y.back() * *limits.budget;
  }
  for (int j = 0; j < n; ++j) {
    double gain = 0.0;
    for (int i = 0; i < m; ++i) gain += y[i] * plant.response[std::size_t(i) * n + j];
    for (int g = 0; g < guards; ++g) gain += y[m + g] * plant.guardResponse[std::size_t(g) * n + j];
    // The best that strength j can do: gain q + (multiplier of the budget) |q|, at an end of its
    // range or at 0.
    constexpr double rounding = 1e-9;
    double best = limits.lower <= 0.0 && limits.upper >= 0.0 ? 0.0 : -1e300;
    for (double const q : {limits.lower, limits.upper}) {
      double const rate = gain * (q < 0.0 ? -1.0 : 1.0) + y.back();  // by |q|
      if (std::abs(q) < none)
        best = std::max(best, rate * std::abs(q));
      else if (rate > rounding)
        return false;
    }
    possible += best;
  }
  constexpr double margin = 1e-9;
  return needed > possible + margin * (1.0 + size);
}

std::string Contradiction::sentence() const {
  constexpr std::size_t most = 6;
  std::string sum;
  for (std::size_t k = 0; k < std::min(most, parts.size()); ++k)
    sum += fmt::format("{}{:.3g} x {}",
                       parts[k].multiplier < 0.0 ? (k ? " - " : "-") : (k ? " + " : ""),
                       std::abs(parts[k].multiplier), parts[k].what);
  if (parts.size() > most) sum += fmt::format(" and {} more terms", parts.size() - most);
  return fmt::format(
      "with strengths in their bounds, {} can be {:.5g} at most, but the demands "
      "together ask for {:.5g}",
      sum, possible, needed);
}

Placement place(Plant const& plant, Goal goal, Limits const& limits, SolverFactory const& make,
                std::string const& mpsPath) {
  Placement placement;
  double within = limits.within.value_or(0.0);
  if (goal == Goal::few && !limits.within) {
    // A quarter more than the least possible.
    Placement const least = place(plant, Goal::minimax, limits, make);
    if (least.outcome != Outcome::optimal) return least;
    constexpr double slack = 1.25;
    within = slack * least.worst;
    placement.iterations = least.iterations;
    placement.solveSeconds = least.solveSeconds;
  }
  Stopwatch const formulating;
  Formulation formulation(plant, goal, limits, within);
  auto const solver = make();
  examples::load(*solver, formulation.lp);
  formulation.lp.matrix = {};  // the solver has its own
  placement.formulateSeconds = formulating.seconds();
  placement.tolerance = goal == Goal::few ? within : 0.0;
  placement.rows = solver->getNumRows();
  placement.columns = solver->getNumCols();
  if (!mpsPath.empty())
    solver->writeMps(mpsPath.substr(0, mpsPath.rfind(".mps")).c_str(), "mps", 1.0);
  Stopwatch const solving;
  constexpr int mostRounds = 6;
  int const rounds = goal == Goal::few ? mostRounds : 1;
  for (int round = 0; round < rounds; ++round) {
    if (round == 0)
      solver->initialSolve();
    else
      solver->resolve();
    placement.iterations += solver->getIterationCount();
    placement.outcome = outcomeOf(*solver);
    if (placement.outcome != Outcome::optimal) break;
    ++placement.rounds;
    int const before = placement.sourcesOn;
    readPoint(plant, formulation, solver->getColSolution(), placement);
    if (round + 1 == rounds || (round > 1 && placement.sourcesOn == before)) break;
    // A hundredth of the strongest source is what counts as "a little".
    double strongest = 0.0;
    for (double const q : placement.strength) strongest = std::max(strongest, std::abs(q));
    constexpr double little = 0.01;
    double const* const x = solver->getColSolution();
    std::vector<double> cost(solver->getNumCols());
    for (std::size_t j = 0; j < cost.size(); ++j)
      cost[j] = strongest > 0.0 ? strongest / (x[j] + little * strongest) : 1.0;
    solver->setObjective(cost.data());
  }
  placement.solveSeconds += solving.seconds();
  if (auto const* const own = dynamic_cast<OsiCudaSolverInterface const*>(solver.get()))
    placement.engine = own->getEngineName();
  if (placement.outcome == Outcome::optimal)
    readPrices(plant, goal, formulation, solver->getRowPrice(), placement);
  if (placement.outcome == Outcome::infeasible)
    placement.contradiction = findContradiction(plant, limits, make);
  return placement;
}

}  // namespace osi_cuda::response
