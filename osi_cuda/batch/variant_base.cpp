// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_base.hpp"

#include <algorithm>
#include <chrono>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/tableau_kernels.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda::batch {
HostVariantBase::HostVariantBase(LinearProgram const& lp, Basis const& basis, int threads,
                                 std::function<bool()> const& stop, HostVariantBase const* other)
    : lp_(lp) {
  StandardForm const form = makeStandardForm(lp, false);
  EngineOptions options;
  options.threads = threads;
  std::unique_ptr<Engine> const engine = makeHostEngine(options);
  engine->watch(stop);
  common_ = settleBasis(*engine, form, lp, basis);
  formTableau(*engine, stop);
  formWeights();
  view_ = baseOf(lp, common_);
  if (other) {
    view_.byRow = other->view_.byRow;
    view_.byColumn = other->view_.byColumn;
  } else {
    transposed_ = lp.matrix.transposed();
    longRows_ = longLinesOf(transposed_);
    longColumns_ = longLinesOf(lp.matrix);
    view_.byRow = linesOf(transposed_, longRows_);
    view_.byColumn = linesOf(lp.matrix, longColumns_);
  }
  view_.tableau = tableau_.data();
  view_.rowWeight = rowWeight_.data();
  view_.columnWeight = columnWeight_.data();
}

void HostVariantBase::formTableau(Engine& engine, std::function<bool()> const& stop) {
  std::size_t const n = at(lp_.columns());
  tableau_.resize(at(lp_.rows()) * n);
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds interval(50);
  Clock::time_point asked = Clock::now();
  for (int i = 0; i < lp_.rows(); ++i) {
    if (stop && Clock::now() - asked > interval) {
      asked = Clock::now();
      if (stop()) throw Interrupted();
    }
    std::vector<double> const row = engine.row(i);
    std::copy(row.begin(), row.end(), tableau_.begin() + std::ptrdiff_t(at(i) * n));
  }
}

void HostVariantBase::formWeights() {
  int const m = lp_.rows(), n = lp_.columns();
  std::vector<double> mask(at(n));
  for (int j = 0; j < n; ++j) mask[at(j)] = common_.columnVariable[at(j)] >= n ? 1.0 : 0.0;
  rowWeight_.resize(at(m));
  columnWeight_.resize(at(n));
  rowNorms(m, n, n, tableau_.data(), mask.data(), rowWeight_.data());
  for (int i = 0; i < m; ++i) {
    double const unit = common_.rowVariable[at(i)] >= n ? 1.0 : 0.0;
    rowWeight_[at(i)] = std::max(rowWeight_[at(i)] + unit, rules::leastRowWeight);
  }
  columnNorms(m, n, n, tableau_.data(), columnWeight_.data());
}

}  // namespace osi_cuda::batch
