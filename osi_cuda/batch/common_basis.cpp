// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/common_basis.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

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
