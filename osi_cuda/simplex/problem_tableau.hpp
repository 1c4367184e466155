// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {

/// The tableau that an engine holds, in the problem's own terms; solver.hpp says what each call
/// returns.
class ProblemTableau {
 public:
  using RateVisitor = std::function<bool(int position, std::span<double const> rates)>;

  /// All must outlive the object; `form` is that of lp, and the engine has it loaded.
  ProblemTableau(LinearProgram const& lp, StandardForm const& form, Engine& engine)
      : lp_(lp), form_(form), engine_(engine) {}

  bool visitRates(RateVisitor const& visit) const;
  std::vector<double> inverseRow(int position) const;
  std::vector<double> inverseColumn(int row) const;
  std::vector<double> column(int column) const;
  std::vector<double> dualsFor(std::span<double const> costs) const;

 private:
  std::vector<double> solved(std::span<double const> right) const;

  LinearProgram const& lp_;
  StandardForm const& form_;
  Engine& engine_;
};

/// Row of B^-1 A, length n, from that row of B^-1.
std::vector<double> rowOfTableau(LinearProgram const& lp, std::span<double const> inverse);

}  // namespace osi_cuda
