// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "osi_cuda/engine/factors/factored_tableau.hpp"
#include "osi_cuda/engine/factors/refined_factors.hpp"
#include "osi_cuda/engine/host/position_engine.hpp"

namespace osi_cuda::factors {

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
  explicit FactoredEngine(EngineOptions const& options);

  void load(StandardForm const& form) override;
  void setBounds(std::span<double const> lower, std::span<double const> upper) override;
  void setCosts(std::span<double const> cost) override;
  void setValues(std::span<double const> value) override;
  Refactorisation refactor(std::vector<char> const& basic) override;
  void exchange(int r, int q, double leavingValue) override;
  bool reach(std::vector<char> const& basic) override;
  PivotReport push(int& next, PivotRequest const& request) override;
  void keepBasis() override;
  bool restoreBasis() override;
  void forgetBasis() override { kept_.reset(); }
  std::unique_ptr<Engine> copyOfKept(StandardForm const& form) const override;
  bool reshape(Reshape const& change, StandardForm const& form) override;
  void computeWeights(Algorithm algorithm, Pricing pricing) override;
  void computePhase1Costs(double tolerance) override;
  PivotReport run(PivotRequest const& request) override;
  double countedWork() override;
  Measure measure(double primalTolerance, double dualTolerance) override;
  Drift drift() override;
  Snapshot snapshotOf(SnapshotContent content) override;
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;

 private:
  /// What a basis is to come back with.
  struct Kept {
    FactoredBasis<Number> basis;
    std::vector<int> basic, nonbasic;
    std::vector<double> rowWeight, columnWeight;
    std::optional<Pricing> rowWeightsFor, columnWeightsFor;
    int used;
  };

  Pricing pricingOf(Pricing asked) const;
  void takeOver(StandardForm const& form);
  FactoredTableau<Number>& factored();
  void settle();
  void settleFixed();
  double costOfPoint() const;
  std::vector<char> presentBasis() const;
  Refactorisation factor(std::vector<char> const& basic);
  void replacePositions(Refactorisation const& change, bool same);
  void refactorFull();
  std::vector<double> nonbasicValues() const;
  double columnNorm(int q);

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

extern template class FactoredEngine<double>;
extern template class FactoredEngine<DoubleDouble>;

}  // namespace osi_cuda::factors
