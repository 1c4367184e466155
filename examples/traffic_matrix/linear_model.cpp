// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/linear_model.hpp"

#include "examples/common/solver_factory.hpp"

namespace osi_cuda::examples::traffic {

Expression& Expression::operator+=(Expression const& other) {
  columns_.insert(columns_.end(), other.columns_.begin(), other.columns_.end());
  coefficients_.insert(coefficients_.end(), other.coefficients_.begin(), other.coefficients_.end());
  constant_ += other.constant_;
  return *this;
}

Expression& Expression::operator*=(double factor) {
  for (double& coefficient : coefficients_) coefficient *= factor;
  constant_ *= factor;
  return *this;
}

double Expression::value(double const* x) const {
  double result = constant_;
  for (std::size_t k = 0; k < columns_.size(); ++k) result += coefficients_[k] * x[columns_[k]];
  return result;
}

Expression LinearModel::addColumn(double lower, double upper, double cost) {
  lp_.endColumn(cost, lower, upper);
  place_.push_back(-1);
  Expression column;
  column.columns_.push_back(byRows_.rows++);
  column.coefficients_.push_back(1.0);
  return column;
}

void LinearModel::add(Constraint const& constraint) {
  Expression const& difference = constraint.difference;
  std::size_t const begin = byRows_.indices.size();
  for (std::size_t k = 0; k < difference.columns_.size(); ++k) {
    int const column = difference.columns_[k];
    if (place_[column] < 0) {
      place_[column] = static_cast<int>(byRows_.indices.size());
      byRows_.add(column, 0.0);
    }
    byRows_.values[place_[column]] += difference.coefficients_[k];
  }
  for (std::size_t k = begin; k < byRows_.indices.size(); ++k) place_[byRows_.indices[k]] = -1;
  byRows_.endColumn();
  lp_.addRow(-difference.constant_, constraint.isEquation ? -difference.constant_ : infinity);
}

LinearProgram LinearModel::program() const {
  LinearProgram lp = lp_;
  lp.matrix = byRows_.transposed();
  return lp;
}

void LinearModel::loadInto(OsiSolverInterface& solver) const {
  load(solver, program());
}

}  // namespace osi_cuda::examples::traffic
