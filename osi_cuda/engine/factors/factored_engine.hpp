// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>

#include "osi_cuda/engine/factors/factored_basis.hpp"
#include "osi_cuda/engine/host/position_engine.hpp"

namespace osi_cuda::factors {

/// The engine on the processor for sparse problems: no tableau at all, but rows and columns of it
/// by solves with a factored basis, as in a revised simplex method. A pivot costs about as much as
/// the factors and the matrix have entries, so one thread is the fastest.
///
/// In double-double arithmetic it is the engine for problems whose tableau double precision does
/// not hold: what it hands on is rounded at last, so each entry is right to a rounding whatever the
/// condition of the basis, up to some 1e25. Pivots take some ten times as long: it is meant for the
/// last ones and for small problems.
///
/// Weights: steepest edge where asked for, exactly; Devex (Forrest and Goldfarb 1992) where a rule
/// asks for sketches or greatest improvement, and for every rule but Dantzig's in double-double.
template <class Number>
class FactoredEngine final : public host::PositionEngine {
 public:
  explicit FactoredEngine(EngineOptions const& options);

  std::string name() const override { return "host"; }
  void load(StandardForm const& form) override;
  void setCosts(std::span<double const> cost) override;
  void setValues(std::span<double const> value) override;
  Refactorisation refactor(std::vector<char> const& basic) override;
  void exchange(int r, int q, double leavingValue) override;
  bool reach(std::vector<char> const& basic) override;
  bool reshape(Reshape const& change, StandardForm const& form) override;
  void computeWeights(Algorithm algorithm, Pricing pricing) override;
  void computePhase1Costs(double tolerance) override;
  PivotReport run(PivotRequest const& request) override;
  int mostPivots() const override;
  double smallestPivot() const override { return Precision<Number>::smallestPivot; }
  Pricing usualPricing(Algorithm algorithm) const override;
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;

 private:
  using Vector = std::vector<Number>;
  class Team;

  Pricing pricingOf(Pricing asked) const;
  void takeOver(StandardForm const& form);
  void replacePositions(Refactorisation const& change, bool same);
  void refactorFull();
  void forgetWeightsOfExchanged(Algorithm algorithm, std::vector<int> const& before);
  void computeBasicValues();
  void computeReducedCosts();
  void formColumn(int q);
  void formRow(double* out);
  void formMultipliers(int r);
  void addRow(int constraint, Number const& factor);
  void combineRows(double const* g, double* out);
  void combineColumns(double const* g, double* out);
  double rowNorm(int i);
  double columnNorm(int q);
  std::vector<double> values() const;
  std::vector<double> solved(FactoredBasis<Number> const& basis, std::span<double const> b);
  std::vector<double> solvedTransposed(FactoredBasis<Number> const& basis,
                                       std::span<double const> c);
  void factorPresent();

  host::Positions positions_;
  FactoredBasis<Number> basis_;
  // Factors of the present basis without exchanges, formed where those with them are not exact
  // enough, and the row position of each of their positions.
  std::optional<FactoredBasis<Number>> present_;
  std::vector<int> presentPlace_;
  // What the weights by row and by column position fit; negative ones are not known.
  std::optional<Pricing> rowWeightsFor_, columnWeightsFor_;
  // Work
  Vector column_;       ///< the column formed last, by row position
  Vector multipliers_;  ///< the row of B^-1 formed last, by constraint
  Vector sums_;         ///< by structural
  Vector product_;      ///< by row position or constraint
  std::vector<int> rowPattern_,
      columnPattern_;  ///< where the column and row formed last are not zero
};

}  // namespace osi_cuda::factors
