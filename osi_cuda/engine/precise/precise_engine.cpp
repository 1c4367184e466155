// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/precise/precise_engine.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "osi_cuda/engine/host/loop_team.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options) {
  return std::make_unique<precise::PreciseEngine>(options);
}

bool preciseEngineServes(StandardForm const& form) {
  return precise::preciseEngineServes(form);
}

namespace precise {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Exchanges until the basis is factored anew: solves with more of them take longer than that.
constexpr int exchangesAtMost = 48;

}  // namespace

/// The Team of team.hpp by solves with the basis.
class PreciseTeam : public host::LoopTeam {
 public:
  PreciseTeam(PreciseEngine& engine, std::atomic<bool> const& interrupt)
      : LoopTeam(engine.positions_, interrupt), engine_(engine) {}

  void column(int q) {
    entering_ = engine_.formColumn(q);
    for (std::size_t i = 0; i < entering_.size(); ++i) rows_.entry[i] = entering_[i].hi;
  }
  void row(int r) {
    Vector unit(at(p_.m));
    unit[at(r)] = 1.0;
    engine_.formRow(std::move(unit), columns_.entry);
  }
  void combineRows() { engine_.combineRows(rows_.change, columns_.change); }
  void combineColumns() { engine_.combineColumns(columns_.change, rows_.change); }
  void steepestProducts() { engine_.combineRows(rows_.entry, columns_.product); }
  void dualSteepestProducts() {
    for (int j = 0; j < p_.n; ++j)
      columns_.change[j] = slack(columns_.variable[j]) ? columns_.entry[j] : 0.0;
    engine_.combineColumns(columns_.change, rows_.product);
  }
  // The engine never asks its loops for these rules.
  template <class DirectionOf, class BoundOf>
  void shortestSteps(DirectionOf, BoundOf) {
    throw std::logic_error("the precise engine has no greatest improvement");
  }
  void updateColumnSketch(Exchange const&) {
    throw std::logic_error("the precise engine keeps no sketch");
  }
  void updateRowSketch(Exchange const&) {
    throw std::logic_error("the precise engine keeps no sketch");
  }
  void exchange(Exchange const& x) {
    engine_.basis_.exchange(x.row, entering_);
    p_.used = engine_.basis_.exchanges();
    swapVariables(x);
  }

 private:
  PreciseEngine& engine_;
  Vector entering_;  ///< the last column that was formed
};

// Many small loops: one thread is the fastest.
PreciseEngine::PreciseEngine(EngineOptions const&) : PositionEngine(positions_) {
  positions_.threads = 1;
}

void PreciseEngine::load(StandardForm const& form) {
  form_ = &form;
  form.transposed();
  positions_.resizePositions(form.rows(), form.columns(), exchangesAtMost);
  lower_ = form.lower;
  upper_ = form.upper;
  sums_.assign(at(form.columns()), {});
  std::iota(p_.basic.begin(), p_.basic.end(), p_.n);
  std::iota(p_.nonbasic.begin(), p_.nonbasic.end(), 0);
  p_.cost = form.cost;
  std::vector<char> slacks(lower_.size(), 0);
  std::fill(slacks.begin() + p_.n, slacks.end(), 1);
  refactor(slacks);
}

// Bounded by the factorisation that follows, not by time.
int PreciseEngine::mostPivots() const {
  return exchangesAtMost;
}

void PreciseEngine::setCosts(std::span<double const> cost) {
  p_.cost.assign(cost.begin(), cost.end());
  computeReducedCosts();
}

void PreciseEngine::setValues(std::span<double const> value) {
  for (int j = 0; j < p_.n; ++j) p_.columnValue[at(j)] = value[at(p_.nonbasic[at(j)])];
  computeBasicValues();
}

Refactorisation PreciseEngine::refactor(std::vector<char> const& basic) {
  std::vector<double> value(lower_.size(), 0.0);
  for (int i = 0; i < p_.m; ++i) value[at(p_.basic[at(i)])] = p_.rowValue[at(i)];
  for (int j = 0; j < p_.n; ++j) value[at(p_.nonbasic[at(j)])] = p_.columnValue[at(j)];
  std::vector<char> repaired = basic;
  bool const same =
      std::all_of(p_.basic.begin(), p_.basic.end(), [&](int v) { return repaired[at(v)] != 0; });
  std::vector<double> const weight = p_.columnWeight;
  Refactorisation const change = basis_.factor(*form_, repaired, stop_);
  p_.used = 0;
  // Who stays keeps weight and, of columns, position: launches go on where the last one ended.
  std::vector<double> rowWeight(lower_.size(), 1.0);
  for (int i = 0; i < p_.m; ++i) rowWeight[at(p_.basic[at(i)])] = p_.rowWeight[at(i)];
  p_.basic = basis_.basicVariables();
  for (int i = 0; i < p_.m; ++i) p_.rowWeight[at(i)] = rowWeight[at(p_.basic[at(i)])];
  if (!same || !change.dropped.empty()) {
    std::vector<char> present(lower_.size(), 0);
    for (int const v : p_.basic) present[at(v)] = 1;
    int j = 0;
    for (int v = 0; v < p_.n + p_.m; ++v)
      if (!present[at(v)]) p_.nonbasic[at(j++)] = v;
    std::fill(p_.columnWeight.begin(), p_.columnWeight.end(), 1.0);
    std::fill(p_.rowWeight.begin(), p_.rowWeight.end(), 1.0);
  }
  placeBounds();
  setValues(value);
  computeReducedCosts();
  return change;
}

void PreciseEngine::computeWeights(Algorithm, Pricing) {}

void PreciseEngine::computePhase1Costs(double tolerance) {
  for (int i = 0; i < p_.m; ++i)
    p_.rowChange[at(i)] =
        rules::phase1Cost(p_.rowValue[at(i)], p_.rowLower[at(i)], p_.rowUpper[at(i)], tolerance);
  combineRows(p_.rowChange.data(), p_.reducedCost.data());
  for (double& d : p_.reducedCost) d = -d;
}

PivotReport PreciseEngine::run(PivotRequest const& asked, std::atomic<bool> const& interrupt) {
  PivotRequest request = asked;
  if (request.pricing != Pricing::dantzig) request.pricing = Pricing::devex;
  PreciseTeam team(*this, interrupt);
  PivotReport const report = request.algorithm == Algorithm::primal ? primalPivots(team, request)
                                                                    : dualPivots(team, request);
  bool const full = p_.used == p_.capacity;
  if (report.iterations > 0 && !full) {
    computeBasicValues();
    if (request.phase != Phase::one) computeReducedCosts();
  }
  if (full) {
    std::vector<char> basic(lower_.size(), 0);
    for (int const v : p_.basic) basic[at(v)] = 1;
    refactor(basic);
  }
  return report;
}

Vector PreciseEngine::columnOf(int variable) const {
  Vector column(at(p_.m));
  if (variable >= p_.n) {
    column[at(variable - p_.n)] = 1.0;
    return column;
  }
  auto const indices = form_->matrix().columnIndices(variable);
  auto const values = form_->matrix().columnValues(variable);
  for (std::size_t e = 0; e < indices.size(); ++e) column[at(indices[e])] = values[e];
  return column;
}

Vector PreciseEngine::formColumn(int q) const {
  Vector column = columnOf(p_.nonbasic[at(q)]);
  basis_.solve(column);
  return column;
}

/// out = the row of multipliers' B^-1 N, by column position
void PreciseEngine::formRow(Vector multipliers, double* out) {
  basis_.solveTransposed(multipliers);
  std::fill(sums_.begin(), sums_.end(), DoubleDouble());
  for (int i = 0; i < p_.m; ++i) {
    DoubleDouble const& y = multipliers[at(i)];
    if (y.isZero()) continue;
    auto const indices = form_->transposed().columnIndices(i);
    auto const values = form_->transposed().columnValues(i);
    for (std::size_t e = 0; e < indices.size(); ++e) sums_[at(indices[e])] += y * values[e];
  }
  for (int j = 0; j < p_.n; ++j) {
    int const v = p_.nonbasic[at(j)];
    out[j] = v < p_.n ? sums_[at(v)].hi : multipliers[at(v - p_.n)].hi;
  }
}

void PreciseEngine::combineRows(double const* g, double* out) {
  formRow(Vector(g, g + p_.m), out);
}

void PreciseEngine::combineColumns(double const* g, double* out) {
  Vector sum(at(p_.m));
  for (int j = 0; j < p_.n; ++j) {
    if (g[j] == 0.0) continue;
    int const v = p_.nonbasic[at(j)];
    if (v >= p_.n) {
      sum[at(v - p_.n)] += g[j];
      continue;
    }
    auto const indices = form_->matrix().columnIndices(v);
    auto const values = form_->matrix().columnValues(v);
    for (std::size_t e = 0; e < indices.size(); ++e)
      sum[at(indices[e])] += exactProduct(values[e], g[j]);
  }
  basis_.solve(sum);
  for (int i = 0; i < p_.m; ++i) out[i] = sum[at(i)].hi;
}

// x_B = -T x_N
void PreciseEngine::computeBasicValues() {
  combineColumns(p_.columnValue.data(), p_.rowValue.data());
  for (double& x : p_.rowValue) x = -x;
}

// d = c - A'y with B'y = c_B, summed before it is rounded
void PreciseEngine::computeReducedCosts() {
  Vector y(at(p_.m));
  for (int i = 0; i < p_.m; ++i) y[at(i)] = p_.cost[at(p_.basic[at(i)])];
  basis_.solveTransposed(y);
  for (int j = 0; j < p_.n; ++j) sums_[at(j)] = p_.cost[at(j)];
  for (int i = 0; i < p_.m; ++i) {
    if (y[at(i)].isZero()) continue;
    auto const indices = form_->transposed().columnIndices(i);
    auto const values = form_->transposed().columnValues(i);
    for (std::size_t e = 0; e < indices.size(); ++e) sums_[at(indices[e])] -= y[at(i)] * values[e];
  }
  for (int j = 0; j < p_.n; ++j) {
    int const v = p_.nonbasic[at(j)];
    DoubleDouble const d = v < p_.n ? sums_[at(v)] : DoubleDouble(p_.cost[at(v)]) - y[at(v - p_.n)];
    p_.reducedCost[at(j)] = d.hi;
  }
}

std::vector<double> PreciseEngine::row(int i) {
  std::vector<double> out(at(p_.n));
  Vector unit(at(p_.m));
  unit[at(i)] = 1.0;
  formRow(std::move(unit), out.data());
  return out;
}

std::vector<double> PreciseEngine::column(int j) {
  std::vector<double> out(at(p_.m));
  Vector const column = formColumn(j);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = column[i].hi;
  return out;
}

std::vector<double> PreciseEngine::ftran(std::span<double const> b) {
  Vector x(b.begin(), b.end());
  basis_.solve(x);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i].hi;
  return out;
}

std::vector<double> PreciseEngine::btran(std::span<double const> c) {
  Vector x(c.begin(), c.end());
  basis_.solveTransposed(x);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i].hi;
  return out;
}

// A refactorisation of a dense basis costs some 20 p^3 operations, of a sparse one hardly more than
// its nonzeros; two seconds' worth of the former, and what a pivot's products cost, bound the use.
bool preciseEngineServes(StandardForm const& form) {
  double const nonzeros = static_cast<double>(form.matrix().nonzeros());
  double const side = std::min(form.rows(), form.columns());
  bool const sparse = form.matrix().density() < 0.1;
  return nonzeros <= 2e6 && (sparse || side <= 500.0);
}

}  // namespace precise
}  // namespace osi_cuda
