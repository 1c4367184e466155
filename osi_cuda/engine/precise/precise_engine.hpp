// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/host/position_engine.hpp"
#include "osi_cuda/engine/precise/precise_basis.hpp"

namespace osi_cuda::precise {

/// The engine for problems whose tableau double precision does not hold: no tableau at all, but
/// rows and columns of it by solves with the basis in double-double arithmetic, rounded at last. So
/// each entry is right to a rounding whatever the condition of the basis, up to some 1e25. Pivots
/// cost some ten times those of a sparse revised simplex: it is meant for the last pivots and for
/// small problems. Weights are Devex' where a rule asks for steepest edge or greatest improvement.
class PreciseEngine final : public host::PositionEngine {
 public:
  explicit PreciseEngine(EngineOptions const& options);

  std::string name() const override { return "host"; }
  void load(StandardForm const& form) override;
  void setCosts(std::span<double const> cost) override;
  void setValues(std::span<double const> value) override;
  Refactorisation refactor(std::vector<char> const& basic) override;
  void computeWeights(Algorithm algorithm, Pricing pricing) override;
  void computePhase1Costs(double tolerance) override;
  PivotReport run(PivotRequest const& request, std::atomic<bool> const& interrupt) override;
  int mostPivots() const override;
  double smallestPivot() const override { return 1e-13; }
  Pricing usualPricing() const override { return Pricing::devex; }
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;

 private:
  friend class PreciseTeam;

  void computeBasicValues();
  void computeReducedCosts();
  Vector columnOf(int variable) const;
  Vector formColumn(int q) const;
  void formRow(Vector multipliers, double* out);
  void combineRows(double const* g, double* out);
  void combineColumns(double const* g, double* out);

  host::Positions positions_;
  PreciseBasis basis_;
  Vector sums_;  ///< work, by structural
};

/// Whether its pivots cost little enough for a problem of this form: nonzeros and, where the matrix
/// is dense, the cube of the smaller side.
bool preciseEngineServes(StandardForm const& form);

}  // namespace osi_cuda::precise
