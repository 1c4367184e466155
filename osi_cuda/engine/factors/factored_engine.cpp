// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/factors/column_pushes.hpp"
#include "osi_cuda/engine/factors/factored_tableau.hpp"
#include "osi_cuda/engine/factors/factored_team.hpp"
#include "osi_cuda/engine/factors/refined_factors.hpp"
#include "osi_cuda/engine/host/basis_moves.hpp"
#include "osi_cuda/engine/host/position_engine.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"

namespace osi_cuda {
namespace factors {
namespace {

/// The bound that is nearest to x, or x where both are infinite.
double nearestBound(double x, double lower, double upper) {
  x = std::max(lower, std::min(x, upper));
  double const bound = upper - x < x - lower ? upper : lower;
  return std::isfinite(bound) ? bound : std::isfinite(x) ? x : 0.0;
}

/// The engine on the processor for sparse problems: no tableau at all, but rows and columns of it
/// by solves with a factored basis, as in a revised simplex method. A pivot costs about as much as
/// the vectors that it forms have entries, so one thread is the fastest.
///
/// In double-double arithmetic it is the engine for problems whose tableau double precision does
/// not hold: what it hands on is rounded at last, so each entry is right to a rounding whatever the
/// condition of the basis, up to some 1e25. Pivots take some ten times as long: it is meant for the
/// last ones and for small problems.
///
/// Weights: steepest edge where asked for, exactly; Devex (Forrest and Goldfarb 1992) where a rule
/// asks for sketches or greatest improvement, and for every rule but Dantzig's in double-double.
///
/// Factors, values of basic variables and reduced costs that a call puts out of date are formed by
/// the first call that looks at them: between two solves several such calls follow each other. The
/// dual passes over fixed variables, so that their reduced costs are out of date after it; hardly
/// anybody looks at those.
template <class Number>
class FactoredEngine final : public host::PositionEngine,
                             public BasisStore,
                             public Copyable,
                             public Exchanges,
                             public PushesColumns,
                             public TakesRowsAndColumns {
 public:
  explicit FactoredEngine(EngineOptions const&) : PositionEngine(positions_) {
    positions_.threads = 1;
    traits_.smallestPivot = Precision<Number>::smallestPivot;
    // The dual has its norms nearly for nothing, the primal would need another row for each pivot.
    traits_.primalPricing = Pricing::devex;
    traits_.dualPricing = pricingOf(Pricing::steepest);
  }

  void load(StandardForm const& form) override {
    takeOver(form);
    std::iota(p_.basic.begin(), p_.basic.end(), p_.n);
    std::iota(p_.nonbasic.begin(), p_.nonbasic.end(), 0);
    rowWeightsFor_.reset();
    columnWeightsFor_.reset();
    placeBounds();
  }
  // What is fixed no more may enter, and needs its reduced cost.
  void setBounds(std::span<double const> lower, std::span<double const> upper) override {
    if (fixedStale_)
      for (std::size_t v = 0; v < lower_.size() && !costsStale_; ++v)
        costsStale_ = lower_[v] == upper_[v] && lower[v] != upper[v];
    PositionEngine::setBounds(lower, upper);
  }
  void setCosts(std::span<double const> cost) override {
    if (!costsStale_ && !ofPhase1_ && std::equal(cost.begin(), cost.end(), p_.cost.begin())) return;
    p_.cost.assign(cost.begin(), cost.end());
    costsStale_ = true;
  }
  void setValues(std::span<double const> value) override {
    for (int j = 0; j < p_.n; ++j) p_.columnValue[at(j)] = value[at(p_.nonbasic[at(j)])];
    valuesStale_ = true;
  }
  Refactorisation refactor(std::vector<char> const& basic) override {
    if (valuesStale_ && !factorsStale_) settle();  // a basic variable that leaves keeps its value
    return factor(basic);
  }
  void exchange(int r, int q, double leavingValue) override {
    settleFixed();
    FactoredTeam<Number> team(tableau_, p_, Algorithm::dual);
    host::exchangeOnce(team, p_, r, q, leavingValue);
    refined_.forget();
    p_.rowWeight[at(r)] = p_.columnWeight[at(q)] = unknownWeight;
    if (p_.used == p_.capacity) refactorFull();  // as at the end of a run
  }
  // An exchange takes two solves and a half, a refactorisation some thirty.
  bool reach(std::vector<char> const& basic) override {
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
  PivotReport push(int& next, PivotRequest const& request) override {
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
  void keepBasis() override {
    constexpr int mostExchanges = 16;
    if (factored().basis().exchanges() > mostExchanges) refactorFull();
    kept_ = Kept{tableau_.basis(), p_, rowWeightsFor_, columnWeightsFor_};
  }
  bool restoreBasis() override {
    if (!kept_) return false;
    std::vector<double> const value = nonbasicValues();
    static_cast<host::BasisPlaces&>(p_) = kept_->placement;
    rowWeightsFor_ = kept_->rowWeightsFor;
    columnWeightsFor_ = kept_->columnWeightsFor;
    tableau_.restore(kept_->basis);
    tableau_.placeVariables();
    refined_.forget();
    factorsStale_ = false;
    costsStale_ = true;
    setValues(value);
    placeBounds();
    return true;
  }
  void forgetBasis() override { kept_.reset(); }
  std::unique_ptr<Engine> copyOfKept(StandardForm const& form) const override {
    if (!kept_) return nullptr;
    auto copy = std::make_unique<FactoredEngine<Number>>(EngineOptions{});
    copy->load(form);
    copy->kept_ = kept_;
    return copy;
  }
  // Rows that come have a basic slack, as those that go should have: the norms of the others' rows
  // of the inverse stay what they were. Where the basis has lost variables, that of the slacks
  // stands in for it until another one is asked for.
  bool reshape(Reshape const& change, StandardForm const& form) override {
    int const oldColumns = p_.n;
    std::vector<double> const weight = p_.byVariable(p_.rowWeight, p_.columnWeight);
    std::vector<char> const wasBasic = p_.basicMarks();
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
  // Weights that no run has kept are formed: Devex' begin at 1, those of steepest edge are norms.
  void computeWeights(Algorithm algorithm, Pricing asked) override {
    // Beyond so many operations, in hundreds, all weights begin at 1 as Devex' do: norms of a whole
    // basis would take longer than the pivots that they save.
    constexpr double mostWork = 2e9;
    // A norm takes about a sixteenth of a pivot; a dual that has few rows to repair makes few. What
    // takes less than a millisecond is not worth the question.
    constexpr double pivotsOfNorm = 32.0, littleWork = 1e7;
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
    double const work =
        missing * (static_cast<double>(form_->nonzeros()) + p_.m + (dual ? 0 : p_.n));
    auto const rowsOutside = [this] {
      settle();
      return static_cast<double>(PositionEngine::measure(1e-9, 1.0).primalCount);
    };
    bool const norms = ruleOf(pricing).weights == Weights::exact && work <= mostWork &&
                       (!dual || work <= littleWork || missing <= pivotsOfNorm * rowsOutside());
    for (int k = 0; k < static_cast<int>(weights.size()); ++k) {
      if (!(weights[at(k)] < 0.0)) continue;
      if (k % 16 == 0) pollStop();  // a norm may take less than to look at the clock
      weights[at(k)] = !norms ? 1.0
                       : dual ? std::max(factored().rowNorm(k), rules::leastRowWeight)
                              : columnNorm(k);
    }
  }
  void computePhase1Costs(double tolerance) override {
    settle();
    for (int i = 0; i < p_.m; ++i)
      p_.rowChange[at(i)] =
          rules::phase1Cost(p_.rowValue[at(i)], p_.rowLower[at(i)], p_.rowUpper[at(i)], tolerance);
    tableau_.combineRows(p_.rowChange.data(), p_.reducedCost.data());
    for (double& d : p_.reducedCost) d = -d;
    ofPhase1_ = true;
    fixedStale_ = false;
  }
  PivotReport run(PivotRequest const& asked) override {
    PivotRequest request = asked;
    request.pricing = pricingOf(asked.pricing);
    settle();
    bool const dual = request.algorithm == Algorithm::dual;
    tableau_.passOverFixed(dual);
    FactoredTeam<Number> team(tableau_, p_, request.algorithm,
                              ruleOf(request.pricing).weights == Weights::exact);
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
  double countedWork() override {
    double const passed = tableau_.passedEntries();
    double const news =
        std::max(0.0, passed - told_);  // factors that were kept have an older count
    told_ = passed;
    return entrySeconds_ * news;
  }
  Measure measure(double primalTolerance, double dualTolerance) override {
    settle();
    Measure result = PositionEngine::measure(primalTolerance, dualTolerance);
    if (fixedStale_) result.objective = costOfPoint();
    return result;
  }
  Drift drift() override {
    settleFixed();
    return PositionEngine::drift();
  }
  Snapshot snapshotOf(SnapshotContent content) override {
    if (content == SnapshotContent::all) settleFixed();
    if (content == SnapshotContent::point) settle();
    return PositionEngine::snapshotOf(content);
  }
  std::vector<double> row(int i) override {
    factored().placeRow(i);
    return p_.columnEntry;
  }
  std::vector<double> column(int j) override {
    auto const& entries = factored().formColumn(j);
    std::vector<double> out(at(p_.m));
    for (int i = 0; i < p_.m; ++i) out[at(i)] = rounded(entries[i]);
    return out;
  }
  std::vector<double> ftran(std::span<double const> b) override {
    pollStop();
    return refined_.ftran({*form_, factored().basis(), p_.basic, stop_}, b);
  }
  std::vector<double> btran(std::span<double const> c) override {
    pollStop();
    return refined_.btran({*form_, factored().basis(), p_.basic, stop_}, c);
  }

 private:
  /// What a basis is to come back with.
  struct Kept {
    FactoredBasis<Number> basis;
    host::BasisPlaces placement;
    std::optional<Pricing> rowWeightsFor, columnWeightsFor;
  };

  Pricing pricingOf(Pricing asked) const {
    PricingRule const& rule = ruleOf(asked);
    bool const tooDear = rule.weights == Weights::exact && !std::is_same_v<Number, double>;
    return rule.ofTableau || tooDear ? Pricing::devex : asked;
  }
  /// Sizes and data of a form; which variable stands where is left to the caller.
  void takeOver(StandardForm const& form) {
    hold(form);
    double const cells = static_cast<double>(form.rows()) * form.columns();
    traits_.pivotSeconds = factoredVectorsSeconds(machineFor(cells));
    entrySeconds_ = passedEntrySeconds(machineFor(cells), sizeof(Number) > sizeof(double));
    kept_.reset();
    // Bounded by the factorisation that follows, not by time.
    traits_.blockSize = traits_.mostPivots = Precision<Number>::exchangesAtMost(form.rows());
    positions_.resizePositions(form.rows(), form.columns(), traits_.blockSize);
    lower_ = form.lower;
    upper_ = form.upper;
    p_.cost = form.cost;
    tableau_.takeOver(form);
    factorsStale_ = valuesStale_ = costsStale_ = true;
    fixedStale_ = false;
  }
  /// The tableau of the present basis. A variable that turns out to depend on the others goes to
  /// its nearest bound.
  FactoredTableau<Number>& factored() {
    if (factorsStale_) refactorFull();
    return tableau_;
  }
  /// Forms what is out of date: x_B = -T x_N and d.
  void settle() {
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
  void settleFixed() {
    costsStale_ = costsStale_ || fixedStale_;
    settle();
  }
  /// c'x from costs and values alone.
  double costOfPoint() const {
    double sum = 0.0;
    for (int i = 0; i < p_.m; ++i) sum += p_.cost[at(p_.basic[at(i)])] * p_.rowValue[at(i)];
    for (int j = 0; j < p_.n; ++j) sum += p_.cost[at(p_.nonbasic[at(j)])] * p_.columnValue[at(j)];
    return sum;
  }
  Refactorisation factor(std::vector<char> const& basic) {
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
  void replacePositions(Refactorisation const& change, bool same) {
    p_.used = 0;
    std::vector<double> const weight = p_.byVariable(p_.rowWeight, p_.columnWeight);
    std::vector<char> const wasBasic = p_.basicMarks();
    p_.basic = tableau_.basis().basicVariables();
    std::vector<char> const present = p_.basicMarks();
    int fresh = 0;
    for (int i = 0; i < p_.m; ++i) {
      int const v = p_.basic[at(i)];
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
  void refactorFull() {
    Refactorisation const change = factor(p_.basicMarks());
    if (change.dropped.empty()) return;
    std::vector<double> value = nonbasicValues();
    for (int const v : change.dropped)
      value[at(v)] = nearestBound(value[at(v)], lower_[at(v)], upper_[at(v)]);
    setValues(value);
  }
  /// By variable: of the nonbasic ones where they are, of the basic ones as they were last formed.
  std::vector<double> nonbasicValues() const { return p_.byVariable(p_.rowValue, p_.columnValue); }
  /// One more than the square of the norm of column q of the tableau.
  double columnNorm(int q) {
    auto const& column = factored().formColumn(q);
    double sum = 1.0;
    column.marks().sweepUp([&](int i) { sum += rounded(column[i]) * rounded(column[i]); });
    return sum;
  }

  host::Positions positions_;
  FactoredTableau<Number> tableau_{positions_};
  RefinedFactors<Number> refined_;
  bool factorsStale_ = false;  ///< the positions' basis is not that of the factors
  bool valuesStale_ = false;   ///< nor are the basic variables' values
  bool costsStale_ = false;    ///< nor the reduced costs
  bool fixedStale_ = false;    ///< of these, those of fixed variables only
  bool ofPhase1_ = false;      ///< the reduced costs are of phase 1
  // What the weights by row and by column position fit; negative ones are not known.
  std::optional<Pricing> rowWeightsFor_, columnWeightsFor_;
  std::optional<Kept> kept_;
  double told_ = 0.0;          ///< passed entries that countedWork() has told of
  double entrySeconds_ = 0.0;  ///< of one that was passed
};

}  // namespace
}  // namespace factors

std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<double>>(options);
}

std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options) {
  return std::make_unique<factors::FactoredEngine<DoubleDouble>>(options);
}

}  // namespace osi_cuda
