// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/factored_engine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/factors/column_pushes.hpp"
#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda::factors {
namespace {

/// The bound that is nearest to x, or x where both are infinite.
double nearestBound(double x, double lower, double upper) {
  x = std::max(lower, std::min(x, upper));
  double const bound = upper - x < x - lower ? upper : lower;
  return std::isfinite(bound) ? bound : std::isfinite(x) ? x : 0.0;
}

}  // namespace

template <class Number>
FactoredEngine<Number>::FactoredEngine(EngineOptions const&) : PositionEngine(positions_) {
  positions_.threads = 1;
  // Bounded by the factorisation that follows, not by time.
  traits_.blockSize = traits_.mostPivots = Precision<Number>::exchangesAtMost;
  traits_.smallestPivot = Precision<Number>::smallestPivot;
  // The dual has its norms nearly for nothing, the primal would need another row for each pivot.
  traits_.primalPricing = Pricing::devex;
  traits_.dualPricing = pricingOf(Pricing::steepest);
}

template <class Number>
void FactoredEngine<Number>::load(StandardForm const& form) {
  takeOver(form);
  std::iota(p_.basic.begin(), p_.basic.end(), p_.n);
  std::iota(p_.nonbasic.begin(), p_.nonbasic.end(), 0);
  rowWeightsFor_.reset();
  columnWeightsFor_.reset();
  placeBounds();
}

/// Sizes and data of a form; which variable stands where is left to the caller.
template <class Number>
void FactoredEngine<Number>::takeOver(StandardForm const& form) {
  hold(form);
  double const cells = static_cast<double>(form.rows()) * form.columns();
  traits_.pivotSeconds = factoredVectorsSeconds(machineFor(cells), form.variables());
  entrySeconds_ = passedEntrySeconds(machineFor(cells), sizeof(Number) > sizeof(double));
  kept_.reset();
  positions_.resizePositions(form.rows(), form.columns(), Precision<Number>::exchangesAtMost);
  lower_ = form.lower;
  upper_ = form.upper;
  p_.cost = form.cost;
  tableau_.takeOver(form);
  factorsStale_ = valuesStale_ = costsStale_ = true;
  fixedStale_ = false;
}

// Rows that come have a basic slack, as those that go should have: the norms of the others' rows of
// the inverse stay what they were. Where the basis has lost variables, that of the slacks stands in
// for it until another one is asked for.
template <class Number>
bool FactoredEngine<Number>::reshape(Reshape const& change, StandardForm const& form) {
  int const oldColumns = p_.n;
  std::vector<double> weight(lower_.size(), unknownWeight);
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
    (isBasic ? rowWeight : columnWeight).push_back(old < 0 ? unknownWeight : weight[at(old)]);
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
  if (static_cast<int>(basic.size()) != rows) {
    load(form);
    return true;
  }
  takeOver(form);
  p_.basic = std::move(basic);
  p_.nonbasic = std::move(nonbasic);
  p_.rowWeight = std::move(rowWeight);
  p_.columnWeight = std::move(columnWeight);
  placeBounds();
  return true;
}

// What is fixed no more may enter, and needs its reduced cost.
template <class Number>
void FactoredEngine<Number>::setBounds(std::span<double const> lower,
                                       std::span<double const> upper) {
  if (fixedStale_)
    for (std::size_t v = 0; v < lower_.size() && !costsStale_; ++v)
      costsStale_ = lower_[v] == upper_[v] && lower[v] != upper[v];
  PositionEngine::setBounds(lower, upper);
}

template <class Number>
void FactoredEngine<Number>::setCosts(std::span<double const> cost) {
  if (!costsStale_ && !ofPhase1_ && std::equal(cost.begin(), cost.end(), p_.cost.begin())) return;
  p_.cost.assign(cost.begin(), cost.end());
  costsStale_ = true;
}

template <class Number>
void FactoredEngine<Number>::setValues(std::span<double const> value) {
  for (int j = 0; j < p_.n; ++j) p_.columnValue[at(j)] = value[at(p_.nonbasic[at(j)])];
  valuesStale_ = true;
}

/// The tableau of the present basis. A variable that turns out to depend on the others goes to its
/// nearest bound.
template <class Number>
FactoredTableau<Number>& FactoredEngine<Number>::factored() {
  if (factorsStale_) refactorFull();
  return tableau_;
}

/// Forms what is out of date: x_B = -T x_N and d.
template <class Number>
void FactoredEngine<Number>::settle() {
  factored();
  if (valuesStale_) {
    tableau_.combineColumns(p_.columnValue.data(), p_.rowValue.data());
    for (double& x : p_.rowValue) x = -x;
    valuesStale_ = false;
  }
  if (costsStale_) {
    tableau_.reducedCosts(p_.reducedCost);
    costsStale_ = fixedStale_ = ofPhase1_ = false;
  }
}

/// The same with the reduced costs of fixed variables.
template <class Number>
void FactoredEngine<Number>::settleFixed() {
  costsStale_ = costsStale_ || fixedStale_;
  settle();
}

/// c'x from costs and values alone.
template <class Number>
double FactoredEngine<Number>::costOfPoint() const {
  double sum = 0.0;
  for (int i = 0; i < p_.m; ++i) sum += p_.cost[at(p_.basic[at(i)])] * p_.rowValue[at(i)];
  for (int j = 0; j < p_.n; ++j) sum += p_.cost[at(p_.nonbasic[at(j)])] * p_.columnValue[at(j)];
  return sum;
}

template <class Number>
Measure FactoredEngine<Number>::measure(double primalTolerance, double dualTolerance) {
  settle();
  Measure result = PositionEngine::measure(primalTolerance, dualTolerance);
  if (fixedStale_) result.objective = costOfPoint();
  return result;
}
template <class Number>
Drift FactoredEngine<Number>::drift() {
  settleFixed();
  return PositionEngine::drift();
}
template <class Number>
Snapshot FactoredEngine<Number>::snapshotOf(SnapshotContent content) {
  if (content == SnapshotContent::all) settleFixed();
  if (content == SnapshotContent::point) settle();
  return PositionEngine::snapshotOf(content);
}

template <class Number>
std::vector<char> FactoredEngine<Number>::presentBasis() const {
  std::vector<char> basic(lower_.size(), 0);
  for (int const v : p_.basic) basic[at(v)] = 1;
  return basic;
}

/// By variable: of the nonbasic ones where they are, of the basic ones as they were last formed.
template <class Number>
std::vector<double> FactoredEngine<Number>::nonbasicValues() const {
  std::vector<double> value(lower_.size(), 0.0);
  for (int i = 0; i < p_.m; ++i) value[at(p_.basic[at(i)])] = p_.rowValue[at(i)];
  for (int j = 0; j < p_.n; ++j) value[at(p_.nonbasic[at(j)])] = p_.columnValue[at(j)];
  return value;
}

template <class Number>
Refactorisation FactoredEngine<Number>::refactor(std::vector<char> const& basic) {
  if (valuesStale_ && !factorsStale_) settle();  // a basic variable that leaves keeps its value
  return factor(basic);
}

template <class Number>
Refactorisation FactoredEngine<Number>::factor(std::vector<char> const& basic) {
  std::vector<double> const value = nonbasicValues();
  std::vector<char> repaired = basic;
  bool const same =
      std::all_of(p_.basic.begin(), p_.basic.end(), [&](int v) { return repaired[at(v)] != 0; });
  Refactorisation const change = tableau_.factor(repaired, stop_);
  refined_.forget();
  replacePositions(change, same);
  factorsStale_ = false;
  costsStale_ = true;
  setValues(value);
  return change;
}

// Who stays keeps its weight and, of columns, its position: launches go on where the last one
// ended. Where much of the basis is another, the weights of those who stay say nothing any more.
template <class Number>
void FactoredEngine<Number>::replacePositions(Refactorisation const& change, bool same) {
  p_.used = 0;
  std::vector<double> weight(lower_.size(), unknownWeight);
  for (int i = 0; i < p_.m; ++i) weight[at(p_.basic[at(i)])] = p_.rowWeight[at(i)];
  for (int j = 0; j < p_.n; ++j) weight[at(p_.nonbasic[at(j)])] = p_.columnWeight[at(j)];
  std::vector<char> wasBasic(lower_.size(), 0), present(lower_.size(), 0);
  for (int const v : p_.basic) wasBasic[at(v)] = 1;
  p_.basic = tableau_.basis().basicVariables();
  int fresh = 0;
  for (int i = 0; i < p_.m; ++i) {
    int const v = p_.basic[at(i)];
    present[at(v)] = 1;
    p_.rowWeight[at(i)] = wasBasic[at(v)] ? weight[at(v)] : unknownWeight;
    fresh += wasBasic[at(v)] ? 0 : 1;
  }
  if (!same || !change.dropped.empty()) {
    int j = 0;
    for (int v = 0; v < p_.n + p_.m; ++v) {
      if (present[at(v)]) continue;
      p_.columnWeight[at(j)] = wasBasic[at(v)] ? unknownWeight : weight[at(v)];
      p_.nonbasic[at(j++)] = v;
    }
  }
  if (10 * fresh > p_.m) {
    rowWeightsFor_.reset();
    columnWeightsFor_.reset();
  }
  tableau_.placeVariables();
  placeBounds();
}

template <class Number>
void FactoredEngine<Number>::refactorFull() {
  Refactorisation const change = factor(presentBasis());
  if (change.dropped.empty()) return;
  std::vector<double> value = nonbasicValues();
  for (int const v : change.dropped)
    value[at(v)] = nearestBound(value[at(v)], lower_[at(v)], upper_[at(v)]);
  setValues(value);
}

template <class Number>
void FactoredEngine<Number>::exchange(int r, int q, double leavingValue) {
  settleFixed();
  FactoredTeam<Number> team(tableau_, p_, Algorithm::dual);
  host::exchangeOnce(team, p_, r, q, leavingValue);
  refined_.forget();
  p_.rowWeight[at(r)] = p_.columnWeight[at(q)] = unknownWeight;
  if (p_.used == p_.capacity) refactorFull();  // as at the end of a run
}

// An exchange takes two solves and a half, a refactorisation some thirty.
template <class Number>
bool FactoredEngine<Number>::reach(std::vector<char> const& basic) {
  constexpr std::size_t mostExchanges = 12;
  if (factorsStale_) return false;
  host::BasisDifference const difference = host::basisDifference(p_, basic);
  std::size_t const exchanges = difference.rows.size();
  if (exchanges != difference.columns.size()) return false;
  if (exchanges > mostExchanges || at(p_.used) + exchanges > at(p_.capacity)) return false;
  if (valuesStale_) settle();  // a basic variable that leaves keeps its value
  auto const column = [&](int q) -> std::vector<double> const& {
    tableau_.formColumn(q);
    tableau_.placeColumn();
    return p_.rowEntry;
  };
  FactoredTeam<Number> team(tableau_, p_, Algorithm::dual);
  bool const reached = host::exchangeTowards(difference, column,
                                             [&](int r, int q) { team.exchangeVariables(r, q); });
  for (std::size_t k = 0; k < exchanges; ++k) {
    p_.rowWeight[at(difference.rows[k])] = unknownWeight;
    p_.columnWeight[at(difference.columns[k])] = unknownWeight;
  }
  refined_.forget();
  costsStale_ = true;
  return reached;
}

template <class Number>
PivotReport FactoredEngine<Number>::push(int& next, PivotRequest const& request) {
  settle();
  PivotReport const report = pushColumns(tableau_, p_, stop_, next, request);
  rowWeightsFor_.reset();
  columnWeightsFor_.reset();
  refined_.forget();
  costsStale_ = true;
  if (report.stop == Stop::full) refactorFull();
  return report;
}

// Solves from there on pass all exchanges since the last factorisation, each of many times.
template <class Number>
void FactoredEngine<Number>::keepBasis() {
  constexpr int mostExchanges = 16;
  if (factored().basis().exchanges() > mostExchanges) refactorFull();
  kept_ = Kept{tableau_.basis(), p_.basic,       p_.nonbasic,       p_.rowWeight,
               p_.columnWeight,  rowWeightsFor_, columnWeightsFor_, p_.used};
}

template <class Number>
std::unique_ptr<Engine> FactoredEngine<Number>::copyOfKept(StandardForm const& form) const {
  if (!kept_) return nullptr;
  auto copy = std::make_unique<FactoredEngine<Number>>(EngineOptions{});
  copy->load(form);
  copy->kept_ = kept_;
  return copy;
}

template <class Number>
bool FactoredEngine<Number>::restoreBasis() {
  if (!kept_) return false;
  std::vector<double> const value = nonbasicValues();
  p_.basic = kept_->basic;
  p_.nonbasic = kept_->nonbasic;
  p_.rowWeight = kept_->rowWeight;
  p_.columnWeight = kept_->columnWeight;
  rowWeightsFor_ = kept_->rowWeightsFor;
  columnWeightsFor_ = kept_->columnWeightsFor;
  p_.used = kept_->used;
  tableau_.restore(kept_->basis);
  tableau_.placeVariables();
  refined_.forget();
  factorsStale_ = false;
  costsStale_ = true;
  setValues(value);
  placeBounds();
  return true;
}

// Weights that no run has kept are formed: Devex' begin at 1, those of steepest edge are norms.
template <class Number>
void FactoredEngine<Number>::computeWeights(Algorithm algorithm, Pricing asked) {
  // Beyond so many operations, in hundreds, all weights begin at 1 as Devex' do: norms of a whole
  // basis would take longer than the pivots that they save.
  constexpr double mostWork = 2e9;
  // A norm takes about a sixteenth of a pivot; a dual that has few rows to repair makes few pivots.
  constexpr double pivotsOfNorm = 32.0;
  Pricing const pricing = pricingOf(asked);
  factored();  // may change positions
  bool const dual = algorithm == Algorithm::dual;
  auto& fitting = dual ? rowWeightsFor_ : columnWeightsFor_;
  auto& weights = dual ? p_.rowWeight : p_.columnWeight;
  if (fitting != pricing) std::fill(weights.begin(), weights.end(), unknownWeight);
  fitting = pricing;
  if (ruleOf(pricing).weights == Weights::none) return;
  auto const missing = static_cast<double>(
      std::count_if(weights.begin(), weights.end(), [](double w) { return w < 0.0; }));
  if (missing == 0.0) return;
  double const work = missing * (static_cast<double>(form_->nonzeros()) + p_.m + (dual ? 0 : p_.n));
  auto const rowsOutside = [this] {
    settle();
    return static_cast<double>(PositionEngine::measure(1e-9, 1.0).primalCount);
  };
  bool const norms = ruleOf(pricing).weights == Weights::exact && work <= mostWork &&
                     (!dual || missing <= pivotsOfNorm * rowsOutside());
  for (int k = 0; k < static_cast<int>(weights.size()); ++k) {
    if (!(weights[at(k)] < 0.0)) continue;
    if (k % 16 == 0) pollStop();  // a norm may take less than to look at the clock
    weights[at(k)] = !norms ? 1.0
                     : dual ? std::max(factored().rowNorm(k), rules::leastRowWeight)
                            : columnNorm(k);
  }
}

/// One more than the square of the norm of column q of the tableau.
template <class Number>
double FactoredEngine<Number>::columnNorm(int q) {
  auto const& column = factored().formColumn(q);
  double sum = 1.0;
  column.marks().sweepUp([&](int i) { sum += rounded(column[i]) * rounded(column[i]); });
  return sum;
}

template <class Number>
Pricing FactoredEngine<Number>::pricingOf(Pricing asked) const {
  PricingRule const& rule = ruleOf(asked);
  bool const tooDear = rule.weights == Weights::exact && !std::is_same_v<Number, double>;
  return rule.ofTableau || tooDear ? Pricing::devex : asked;
}

template <class Number>
void FactoredEngine<Number>::computePhase1Costs(double tolerance) {
  settle();
  for (int i = 0; i < p_.m; ++i)
    p_.rowChange[at(i)] =
        rules::phase1Cost(p_.rowValue[at(i)], p_.rowLower[at(i)], p_.rowUpper[at(i)], tolerance);
  tableau_.combineRows(p_.rowChange.data(), p_.reducedCost.data());
  for (double& d : p_.reducedCost) d = -d;
  ofPhase1_ = true;
  fixedStale_ = false;
}

template <class Number>
PivotReport FactoredEngine<Number>::run(PivotRequest const& asked) {
  PivotRequest request = asked;
  request.pricing = pricingOf(asked.pricing);
  settle();
  bool const dual = request.algorithm == Algorithm::dual;
  tableau_.passOverFixed(dual);
  FactoredTeam<Number> team(tableau_, p_, request.algorithm);
  team.watch(stop_);
  PivotReport const report = dual ? dualPivots(team, request) : primalPivots(team, request);
  tableau_.passOverFixed(false);
  if (report.iterations > 0) refined_.forget();
  if (report.iterations > 0 && dual) fixedStale_ = true;
  if (p_.used == p_.capacity) {
    refactorFull();
    if (request.phase == Phase::one) computePhase1Costs(request.primalTolerance);
  } else if (report.iterations > 0 && !std::is_same_v<Number, double>) {
    valuesStale_ = true;
    costsStale_ = dual || request.phase != Phase::one;
  }
  return report;
}

template <class Number>
double FactoredEngine<Number>::countedWork() {
  double const passed = tableau_.passedEntries();
  double const news = std::max(0.0, passed - told_);  // factors that were kept have an older count
  told_ = passed;
  return entrySeconds_ * news;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::row(int i) {
  factored().placeRow(i);
  return p_.columnEntry;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::column(int j) {
  auto const& entries = factored().formColumn(j);
  std::vector<double> out(at(p_.m));
  for (int i = 0; i < p_.m; ++i) out[at(i)] = rounded(entries[i]);
  return out;
}

template <class Number>
std::vector<double> FactoredEngine<Number>::ftran(std::span<double const> b) {
  pollStop();
  return refined_.ftran({*form_, factored().basis(), p_.basic, stop_}, b);
}
template <class Number>
std::vector<double> FactoredEngine<Number>::btran(std::span<double const> c) {
  pollStop();
  return refined_.btran({*form_, factored().basis(), p_.basic, stop_}, c);
}

template class FactoredEngine<double>;
template class FactoredEngine<DoubleDouble>;

}  // namespace osi_cuda::factors
