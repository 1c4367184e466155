// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <type_traits>

#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/engine/host/loop_team.hpp"
#include "osi_cuda/engine/host/refined_solves.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda {

std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<double>>(options);
}

std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<DoubleDouble>>(options);
}

// A refactorisation of a dense basis costs some 20 p^3 operations, of a sparse one hardly more than
// its nonzeros; two seconds' worth of the former, and what a pivot's products cost, bound the use.
bool preciseEngineServes(StandardForm const& form) {
  double const nonzeros = static_cast<double>(form.matrix().nonzeros());
  double const side = std::min(form.rows(), form.columns());
  bool const sparse = form.matrix().density() < 0.1;
  return nonzeros <= 2e6 && (sparse || side <= 500.0);
}

namespace factors {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

constexpr double unknown = -1.0;  ///< a weight that has to be formed anew

}  // namespace

/// The Team of team.hpp by solves with the basis.
template <class Number>
class FactoredEngine<Number>::Team : public host::LoopTeam {
 public:
  explicit Team(FactoredEngine& engine) : LoopTeam(engine.positions_), engine_(engine) {
    rowPattern_ = &engine_.rowPattern_;
    columnPattern_ = &engine_.columnPattern_;
  }

  void column(int q) {
    engine_.formColumn(q);
    engine_.rowPattern_.clear();
    for (int i = 0; i < p_.m; ++i) {
      rows_.entry[i] = rounded(engine_.column_[at(i)]);
      if (rows_.entry[i] != 0.0) engine_.rowPattern_.push_back(i);
    }
  }
  void row(int r) {
    engine_.formMultipliers(r);
    engine_.formRow(columns_.entry);
    engine_.columnPattern_.clear();
    for (int j = 0; j < p_.n; ++j)
      if (columns_.entry[j] != 0.0) engine_.columnPattern_.push_back(j);
  }
  void combineRows() { engine_.combineRows(rows_.change, columns_.change); }
  void combineColumns() { engine_.combineColumns(columns_.change, rows_.change); }
  void steepestProducts() { engine_.combineRows(rows_.entry, columns_.product); }
  // B^-1 of the row of B^-1 that was formed last. At the pivot's own row, which nobody looks at,
  // it differs from what the slack columns alone would make.
  void dualSteepestProducts() {
    Vector& z = engine_.product_;
    z = engine_.multipliers_;
    engine_.basis_.solve(z);
    for (int i = 0; i < p_.m; ++i) rows_.product[i] = rounded(z[at(i)]);
  }
  // The loops are never asked for the rules of the next three: see pricingOf.
  template <class DirectionOf, class BoundOf>
  void shortestSteps(DirectionOf, BoundOf) {
    throw std::logic_error("an engine without a tableau has no greatest improvement");
  }
  void updateColumnSketch(Exchange const&) {
    throw std::logic_error("an engine without a tableau keeps no sketch");
  }
  void updateRowSketch(Exchange const&) {
    throw std::logic_error("an engine without a tableau keeps no sketch");
  }
  void exchange(Exchange const& x) {
    engine_.basis_.exchange(x.row, engine_.column_);
    engine_.present_.reset();
    p_.used = std::min(engine_.basis_.exchanges(), p_.capacity);
    swapVariables(x);
  }

 private:
  FactoredEngine& engine_;
};

template <class Number>
FactoredEngine<Number>::FactoredEngine(EngineOptions const&) : PositionEngine(positions_) {
  positions_.threads = 1;
}

template <class Number>
void FactoredEngine<Number>::load(StandardForm const& form) {
  takeOver(form);
  std::iota(p_.basic.begin(), p_.basic.end(), p_.n);
  std::iota(p_.nonbasic.begin(), p_.nonbasic.end(), 0);
  rowWeightsFor_.reset();
  columnWeightsFor_.reset();
  std::vector<char> slacks(lower_.size(), 0);
  std::fill(slacks.begin() + p_.n, slacks.end(), 1);
  refactor(slacks);
}

/// Sizes and data of a form; what stands at the positions is left to the caller.
template <class Number>
void FactoredEngine<Number>::takeOver(StandardForm const& form) {
  form_ = &form;
  form.transposed();
  positions_.resizePositions(form.rows(), form.columns(), Precision<Number>::exchangesAtMost);
  lower_ = form.lower;
  upper_ = form.upper;
  p_.cost = form.cost;
  sums_.assign(at(form.columns()), Number{});
}

// Rows that come have a basic slack, as those that go should have: the norms of the others' rows of
// the inverse stay what they were. False: the basis has lost variables.
template <class Number>
bool FactoredEngine<Number>::reshape(Reshape const& change, StandardForm const& form) {
  int const oldColumns = p_.n;
  std::vector<double> weight(lower_.size(), unknown);
  std::vector<char> wasBasic(lower_.size(), 0);
  for (int i = 0; i < p_.m; ++i) {
    weight[at(p_.basic[at(i)])] = p_.rowWeight[at(i)];
    wasBasic[at(p_.basic[at(i)])] = 1;
  }
  for (int j = 0; j < p_.n; ++j) weight[at(p_.nonbasic[at(j)])] = p_.columnWeight[at(j)];
  std::vector<int> basic, nonbasic;
  std::vector<double> rowWeight, columnWeight;
  auto const place = [&](int variable, int old, bool isBasic) {
    (isBasic ? basic : nonbasic).push_back(variable);
    (isBasic ? rowWeight : columnWeight).push_back(old < 0 ? unknown : weight[at(old)]);
  };
  int const columns = form.columns(), rows = form.rows();
  for (int j = 0; j < columns; ++j) {
    int const old = change.columns[at(j)];
    place(j, old, old >= 0 && wasBasic[at(old)]);
  }
  for (int i = 0; i < rows; ++i) {
    int const old = change.rows[at(i)] < 0 ? -1 : oldColumns + change.rows[at(i)];
    place(columns + i, old, old < 0 || wasBasic[at(old)]);
  }
  if (static_cast<int>(basic.size()) != rows) return false;
  takeOver(form);
  p_.basic = std::move(basic);
  p_.nonbasic = std::move(nonbasic);
  p_.rowWeight = std::move(rowWeight);
  p_.columnWeight = std::move(columnWeight);
  std::vector<char> present(lower_.size(), 0);
  for (int const v : p_.basic) present[at(v)] = 1;
  refactor(present);
  return true;
}

// Bounded by the factorisation that follows, not by time.
template <class Number>
int FactoredEngine<Number>::mostPivots() const {
  return Precision<Number>::exchangesAtMost;
}

template <class Number>
void FactoredEngine<Number>::setCosts(std::span<double const> cost) {
  p_.cost.assign(cost.begin(), cost.end());
  computeReducedCosts();
}

template <class Number>
void FactoredEngine<Number>::setValues(std::span<double const> value) {
  for (int j = 0; j < p_.n; ++j) p_.columnValue[at(j)] = value[at(p_.nonbasic[at(j)])];
  computeBasicValues();
}

template <class Number>
std::vector<double> FactoredEngine<Number>::values() const {
  std::vector<double> value(lower_.size(), 0.0);
  for (int i = 0; i < p_.m; ++i) value[at(p_.basic[at(i)])] = p_.rowValue[at(i)];
  for (int j = 0; j < p_.n; ++j) value[at(p_.nonbasic[at(j)])] = p_.columnValue[at(j)];
  return value;
}

template <class Number>
Refactorisation FactoredEngine<Number>::refactor(std::vector<char> const& basic) {
  std::vector<double> const value = values();
  std::vector<char> repaired = basic;
  bool const same =
      std::all_of(p_.basic.begin(), p_.basic.end(), [&](int v) { return repaired[at(v)] != 0; });
  Refactorisation const change = basis_.factor(*form_, repaired, stop_);
  present_.reset();
  replacePositions(change, same);
  setValues(value);
  computeReducedCosts();
  return change;
}

// Who stays keeps its weight and, of columns, its position: launches go on where the last one
// ended. Where much of the basis is another, the weights of those who stay say nothing any more.
template <class Number>
void FactoredEngine<Number>::replacePositions(Refactorisation const& change, bool same) {
  p_.used = 0;
  std::vector<double> weight(lower_.size(), unknown);
  for (int i = 0; i < p_.m; ++i) weight[at(p_.basic[at(i)])] = p_.rowWeight[at(i)];
  for (int j = 0; j < p_.n; ++j) weight[at(p_.nonbasic[at(j)])] = p_.columnWeight[at(j)];
  std::vector<char> wasBasic(lower_.size(), 0), present(lower_.size(), 0);
  for (int const v : p_.basic) wasBasic[at(v)] = 1;
  p_.basic = basis_.basicVariables();
  int fresh = 0;
  for (int i = 0; i < p_.m; ++i) {
    int const v = p_.basic[at(i)];
    present[at(v)] = 1;
    p_.rowWeight[at(i)] = wasBasic[at(v)] ? weight[at(v)] : unknown;
    fresh += wasBasic[at(v)] ? 0 : 1;
  }
  if (!same || !change.dropped.empty()) {
    int j = 0;
    for (int v = 0; v < p_.n + p_.m; ++v) {
      if (present[at(v)]) continue;
      p_.columnWeight[at(j)] = wasBasic[at(v)] ? unknown : weight[at(v)];
      p_.nonbasic[at(j++)] = v;
    }
  }
  if (10 * fresh > p_.m) {
    rowWeightsFor_.reset();
    columnWeightsFor_.reset();
  }
  placeBounds();
}

template <class Number>
void FactoredEngine<Number>::exchange(int r, int q, double leavingValue) {
  Team team(*this);
  host::exchangeOnce(team, p_, r, q, leavingValue);
  p_.rowWeight[at(r)] = p_.columnWeight[at(q)] = unknown;
}

template <class Number>
bool FactoredEngine<Number>::reach(std::vector<char> const& basic) {
  host::BasisDifference const difference = host::basisDifference(p_, basic);
  std::size_t const exchanges = difference.rows.size();
  if (exchanges != difference.columns.size()) return false;
  // An exchange takes three solves, a refactorisation some thirty.
  if (exchanges > 10 || at(p_.used) + exchanges > at(p_.capacity)) return false;
  auto const column = [&](int q) -> std::vector<double> const& {
    formColumn(q);
    std::transform(column_.begin(), column_.end(), p_.rowEntry.begin(),
                   [](Number const& x) { return rounded(x); });
    return p_.rowEntry;
  };
  return host::exchangeTowards(difference, column,
                               [&](int r, int q) { exchange(r, q, p_.rowValue[at(r)]); });
}

// Weights that no run has kept are formed: Devex' begin at 1, those of steepest edge are norms.
template <class Number>
void FactoredEngine<Number>::computeWeights(Algorithm algorithm, Pricing asked) {
  // Beyond so many operations, in hundreds, all weights begin at 1 as Devex' do: norms of a whole
  // basis would take longer than the pivots that they save.
  constexpr double mostWork = 2e9;
  Pricing const pricing = pricingOf(asked);
  bool const dual = algorithm == Algorithm::dual;
  auto& fitting = dual ? rowWeightsFor_ : columnWeightsFor_;
  auto& weights = dual ? p_.rowWeight : p_.columnWeight;
  if (fitting != pricing) std::fill(weights.begin(), weights.end(), unknown);
  fitting = pricing;
  if (pricing == Pricing::dantzig) return;
  auto const missing = static_cast<double>(
      std::count_if(weights.begin(), weights.end(), [](double w) { return w < 0.0; }));
  if (missing == 0.0) return;
  double const work =
      missing * (static_cast<double>(form_->matrix().nonzeros()) + p_.m + (dual ? 0 : p_.n));
  bool const norms = pricing == Pricing::steepest && work <= mostWork;
  for (int k = 0; k < static_cast<int>(weights.size()); ++k)
    if (weights[at(k)] < 0.0) weights[at(k)] = !norms ? 1.0 : dual ? rowNorm(k) : columnNorm(k);
}

/// The square of the norm of row i of B^-1.
template <class Number>
double FactoredEngine<Number>::rowNorm(int i) {
  constexpr double smallest = 1e-4;  // as in updateRows
  product_.assign(at(p_.m), Number{});
  product_[at(i)] = 1.0;
  basis_.solveTransposed(product_);
  double sum = 0.0;
  for (Number const& y : product_) sum += rounded(y) * rounded(y);
  return std::max(sum, smallest);
}

/// One more than the square of the norm of column q of the tableau.
template <class Number>
double FactoredEngine<Number>::columnNorm(int q) {
  formColumn(q);
  double sum = 1.0;
  for (Number const& u : column_) sum += rounded(u) * rounded(u);
  return sum;
}

template <class Number>
Pricing FactoredEngine<Number>::pricingOf(Pricing asked) const {
  bool const exact = std::is_same_v<Number, double> && asked == Pricing::steepest;
  return exact || asked == Pricing::dantzig ? asked : Pricing::devex;
}

// The dual has its norms nearly for nothing, the primal would need another row for each pivot.
template <class Number>
Pricing FactoredEngine<Number>::usualPricing(Algorithm algorithm) const {
  return algorithm == Algorithm::dual ? pricingOf(Pricing::steepest) : Pricing::devex;
}

template <class Number>
void FactoredEngine<Number>::computePhase1Costs(double tolerance) {
  for (int i = 0; i < p_.m; ++i)
    p_.rowChange[at(i)] =
        rules::phase1Cost(p_.rowValue[at(i)], p_.rowLower[at(i)], p_.rowUpper[at(i)], tolerance);
  combineRows(p_.rowChange.data(), p_.reducedCost.data());
  for (double& d : p_.reducedCost) d = -d;
}

template <class Number>
PivotReport FactoredEngine<Number>::run(PivotRequest const& asked) {
  PivotRequest request = asked;
  request.pricing = pricingOf(asked.pricing);
  Team team(*this);
  bool const dual = request.algorithm == Algorithm::dual;
  std::vector<int> const before = dual ? p_.nonbasic : p_.basic;
  PivotReport const report = dual ? dualPivots(team, request) : primalPivots(team, request);
  forgetWeightsOfExchanged(request.algorithm, before);
  if (p_.used == p_.capacity) {
    refactorFull();
  } else if (report.iterations > 0 && !std::is_same_v<Number, double>) {
    computeBasicValues();
    if (request.phase != Phase::one) computeReducedCosts();
  }
  return report;
}

// A run keeps the weights of its own algorithm; the other's are not known where variables changed.
template <class Number>
void FactoredEngine<Number>::forgetWeightsOfExchanged(Algorithm algorithm,
                                                      std::vector<int> const& before) {
  bool const dual = algorithm == Algorithm::dual;
  auto const& now = dual ? p_.nonbasic : p_.basic;
  auto& weights = dual ? p_.columnWeight : p_.rowWeight;
  for (std::size_t k = 0; k < now.size(); ++k)
    if (now[k] != before[k]) weights[k] = unknown;
}

/// After as many exchanges as there may be. A variable that turns out to depend on the others goes
/// to its nearest bound.
template <class Number>
void FactoredEngine<Number>::refactorFull() {
  std::vector<char> basic(lower_.size(), 0);
  for (int const v : p_.basic) basic[at(v)] = 1;
  Refactorisation const change = refactor(basic);
  if (change.dropped.empty()) return;
  std::vector<double> value = values();
  for (int const variable : change.dropped) {
    auto const v = at(variable);
    value[v] = std::max(lower_[v], std::min(value[v], upper_[v]));
    bool const up = upper_[v] - value[v] < value[v] - lower_[v];
    double const bound = up ? upper_[v] : lower_[v];
    value[v] = std::isfinite(bound) ? bound : std::isfinite(value[v]) ? value[v] : 0.0;
  }
  setValues(value);
}

/// column_ = B^-1 a of the nonbasic variable at column position q
template <class Number>
void FactoredEngine<Number>::formColumn(int q) {
  column_.assign(at(p_.m), Number{});
  int const variable = p_.nonbasic[at(q)];
  if (variable >= p_.n) {
    column_[at(variable - p_.n)] = 1.0;
  } else {
    auto const indices = form_->matrix().columnIndices(variable);
    auto const values = form_->matrix().columnValues(variable);
    for (std::size_t e = 0; e < indices.size(); ++e) column_[at(indices[e])] = values[e];
  }
  basis_.solve(column_);
}

/// multipliers_ = row r of B^-1
template <class Number>
void FactoredEngine<Number>::formMultipliers(int r) {
  multipliers_.assign(at(p_.m), Number{});
  multipliers_[at(r)] = 1.0;
  basis_.solveTransposed(multipliers_);
}

/// sums_ += factor a_i, the row of a constraint
template <class Number>
void FactoredEngine<Number>::addRow(int constraint, Number const& factor) {
  auto const indices = form_->transposed().columnIndices(constraint);
  auto const values = form_->transposed().columnValues(constraint);
  for (std::size_t e = 0; e < indices.size(); ++e) sums_[at(indices[e])] += factor * values[e];
}

/// out = multipliers_' N, by column position
template <class Number>
void FactoredEngine<Number>::formRow(double* out) {
  std::fill(sums_.begin(), sums_.end(), Number{});
  for (int i = 0; i < p_.m; ++i)
    if (!isZero(multipliers_[at(i)])) addRow(i, multipliers_[at(i)]);
  for (int j = 0; j < p_.n; ++j) {
    int const v = p_.nonbasic[at(j)];
    out[j] = rounded(v < p_.n ? sums_[at(v)] : multipliers_[at(v - p_.n)]);
  }
}

template <class Number>
void FactoredEngine<Number>::combineRows(double const* g, double* out) {
  multipliers_.assign(g, g + p_.m);
  basis_.solveTransposed(multipliers_);
  formRow(out);
}

template <class Number>
void FactoredEngine<Number>::combineColumns(double const* g, double* out) {
  product_.assign(at(p_.m), Number{});
  for (int j = 0; j < p_.n; ++j) {
    if (g[j] == 0.0) continue;
    int const v = p_.nonbasic[at(j)];
    if (v >= p_.n) {
      product_[at(v - p_.n)] += g[j];
      continue;
    }
    auto const indices = form_->matrix().columnIndices(v);
    auto const values = form_->matrix().columnValues(v);
    for (std::size_t e = 0; e < indices.size(); ++e)
      product_[at(indices[e])] += Precision<Number>::product(values[e], g[j]);
  }
  basis_.solve(product_);
  for (int i = 0; i < p_.m; ++i) out[i] = rounded(product_[at(i)]);
}

// x_B = -T x_N
template <class Number>
void FactoredEngine<Number>::computeBasicValues() {
  combineColumns(p_.columnValue.data(), p_.rowValue.data());
  for (double& x : p_.rowValue) x = -x;
}

// d = c - A'y with B'y = c_B, summed before it is rounded
template <class Number>
void FactoredEngine<Number>::computeReducedCosts() {
  Vector& y = multipliers_;
  y.resize(at(p_.m));
  for (int i = 0; i < p_.m; ++i) y[at(i)] = p_.cost[at(p_.basic[at(i)])];
  basis_.solveTransposed(y);
  for (int j = 0; j < p_.n; ++j) sums_[at(j)] = p_.cost[at(j)];
  for (int i = 0; i < p_.m; ++i)
    if (!isZero(y[at(i)])) addRow(i, -y[at(i)]);
  for (int j = 0; j < p_.n; ++j) {
    int const v = p_.nonbasic[at(j)];
    p_.reducedCost[at(j)] =
        rounded(v < p_.n ? sums_[at(v)] : Number(p_.cost[at(v)]) - y[at(v - p_.n)]);
  }
}

template <class Number>
std::vector<double> FactoredEngine<Number>::row(int i) {
  formMultipliers(i);
  std::vector<double> out(at(p_.n));
  formRow(out.data());
  return out;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::column(int j) {
  formColumn(j);
  std::vector<double> out(at(p_.m));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rounded(column_[i]);
  return out;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::solved(FactoredBasis<Number> const& basis,
                                                   std::span<double const> b) {
  Vector x(b.begin(), b.end());
  basis.solve(x);
  bool const moved = present_ && &basis == &*present_;
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[moved ? at(presentPlace_[i]) : i] = rounded(x[i]);
  return out;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::solvedTransposed(FactoredBasis<Number> const& basis,
                                                             std::span<double const> c) {
  bool const moved = present_ && &basis == &*present_;
  Vector x(c.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = c[moved ? at(presentPlace_[i]) : i];
  basis.solveTransposed(x);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = rounded(x[i]);
  return out;
}

/// Forms present_, unless the basis turns out to be singular.
template <class Number>
void FactoredEngine<Number>::factorPresent() {
  if (present_) return;
  std::vector<char> basic(lower_.size(), 0);
  for (int const v : p_.basic) basic[at(v)] = 1;
  FactoredBasis<Number> fresh;
  if (!fresh.factor(*form_, basic, stop_).dropped.empty()) return;
  std::vector<int> place(lower_.size(), -1);
  for (int i = 0; i < p_.m; ++i) place[at(p_.basic[at(i)])] = i;
  presentPlace_ = fresh.basicVariables();
  for (int& v : presentPlace_) v = place[at(v)];
  present_ = std::move(fresh);
}

template <class Number>
std::vector<double> FactoredEngine<Number>::ftran(std::span<double const> b) {
  std::vector<double> z = solved(basis_, b);
  if constexpr (std::is_same_v<Number, double>) {
    auto const refined = [&](FactoredBasis<Number> const& basis) {
      auto const residual = [&](auto const& x) {
        return host::columnResidual(*form_, p_.basic, b, x);
      };
      return host::refine(z, residual, [&](auto const& r) { return solved(basis, r); });
    };
    if (refined(basis_)) return z;
    factorPresent();
    if (!present_) return z;
    z = solved(*present_, b);
    refined(*present_);
  }
  return z;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::btran(std::span<double const> c) {
  std::vector<double> y = solvedTransposed(basis_, c);
  if constexpr (std::is_same_v<Number, double>) {
    auto const refined = [&](FactoredBasis<Number> const& basis) {
      auto const residual = [&](auto const& x) {
        return host::rowResidual(*form_, p_.basic, c, x);
      };
      return host::refine(y, residual, [&](auto const& r) { return solvedTransposed(basis, r); });
    };
    if (refined(basis_)) return y;
    factorPresent();
    if (!present_) return y;
    y = solvedTransposed(*present_, c);
    refined(*present_);
  }
  return y;
}

template class FactoredEngine<double>;
template class FactoredEngine<DoubleDouble>;

}  // namespace factors
}  // namespace osi_cuda
