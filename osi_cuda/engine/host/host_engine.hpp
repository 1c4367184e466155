// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <utility>

#include "osi_cuda/engine/host/basis_factor.hpp"
#include "osi_cuda/engine/host/position_engine.hpp"
#include "osi_cuda/engine/host/tableau.hpp"

namespace osi_cuda::host {

/// The engine on the processor: OpenMP for the loops, OpenBLAS for the block update and the LU.
class HostEngine : public PositionEngine, public Exchanges, public TakesRowsAndColumns {
 public:
  explicit HostEngine(EngineOptions const& options);

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
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;

 private:
  void requireMemory(StandardForm const& form, int blockSize, int sketchSize) const;
  void suit();
  void placeSlackBasis();
  void fillTableau(BasisFactor const& factor);
  void computeBasicValues();
  void computeReducedCosts();
  void computeColumnSketch();
  void computeRowSketch();
  bool releaseLost(std::vector<char> const& lost);
  void appendRow(int constraint);
  std::vector<double> tableauColumnOf(int variable);
  std::vector<double> applyInverse(std::span<double const> b);
  std::vector<double> applyInverseTransposed(std::span<double const> c);
  std::vector<double> refined(std::span<double const> right, auto residual, auto byTableau,
                              auto byFactors);
  BasisFactor const& factor();
  std::vector<double> solve(std::span<double const> b, BasisFactor const& f) const;
  std::vector<double> solveTransposed(std::span<double const> c, BasisFactor const& f) const;
  std::vector<int> rowPositions(BasisFactor const& f) const;

  EngineOptions options_;
  Tableau t_;
  /// The run that the weights fit; nothing after a refactorisation.
  std::optional<std::pair<Algorithm, Pricing>> weightsFor_;
  std::vector<float> signs_;           ///< of the row sketch, by constraint
  std::optional<BasisFactor> factor_;  ///< of the present basis, formed when asked for
};

}  // namespace osi_cuda::host
