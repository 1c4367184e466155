// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_base.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/tableau_kernels.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda::batch {

namespace {

/// Where a nonbasic variable rests; a row's status speaks of its activity, its slack is the
/// negative of that.
double restOf(VariableStatus status, bool row, double lower, double upper) {
  bool const wantsUpper = (status == VariableStatus::atUpper) != row;
  double const wanted = wantsUpper ? upper : lower, other = wantsUpper ? lower : upper;
  return std::isfinite(wanted) ? wanted : std::isfinite(other) ? other : 0.0;
}

}  // namespace

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

std::vector<VariableStatus> statusesOf(LinearProgram const& lp, Basis const& basis) {
  std::vector<VariableStatus> statuses;
  if (basis.columns.size() == at(lp.columns()) && basis.rows.size() == at(lp.rows())) {
    statuses = basis.columns;
    statuses.insert(statuses.end(), basis.rows.begin(), basis.rows.end());
    if (std::count(statuses.begin(), statuses.end(), VariableStatus::basic) == lp.rows())
      return statuses;
  }
  statuses.assign(at(lp.columns()), VariableStatus::atLower);
  statuses.resize(at(lp.columns() + lp.rows()), VariableStatus::basic);
  return statuses;
}

CommonBasis readBasis(Engine& engine, StandardForm const& form) {
  Snapshot const point = engine.snapshot();
  CommonBasis common;
  common.rowVariable = point.basicVariable;
  common.columnVariable = point.nonbasicVariable;
  common.position.resize(point.value.size());
  auto const unit = [&form](int v) { return std::fabs(form.factor(v)); };
  for (std::size_t i = 0; i < common.rowVariable.size(); ++i) {
    int const v = common.rowVariable[i];
    common.position[at(v)] = static_cast<int>(i);
    common.rowValue.push_back(point.value[at(v)] * unit(v));
  }
  for (std::size_t j = 0; j < common.columnVariable.size(); ++j) {
    int const v = common.columnVariable[j];
    common.position[at(v)] = ~static_cast<int>(j);
    common.columnValue.push_back(point.value[at(v)] * unit(v));
    common.reducedCost.push_back(point.reducedCost[at(v)] / (unit(v) * std::fabs(form.costScale)));
  }
  return common;
}

CommonBasis settleBasis(Engine& engine, StandardForm const& form, LinearProgram const& lp,
                        Basis const& basis) {
  int const m = lp.rows(), n = lp.columns();
  std::vector<VariableStatus> const statuses = statusesOf(lp, basis);
  std::vector<char> basic(at(m + n));
  std::vector<double> value(at(m + n), 0.0);
  for (std::size_t v = 0; v < basic.size(); ++v) {
    basic[v] = statuses[v] == VariableStatus::basic ? 1 : 0;
    value[v] = restOf(statuses[v], v >= at(n), form.lower[v], form.upper[v]);
  }
  engine.load(form);
  engine.refactor(basic);
  engine.setValues(value);
  return readBasis(engine, form);
}

}  // namespace osi_cuda::batch
