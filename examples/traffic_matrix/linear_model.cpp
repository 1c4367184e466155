// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/linear_model.hpp"

#include <CoinPackedMatrix.hpp>
#include <OsiSolverInterface.hpp>

namespace osi_cuda::examples::traffic {

Expression Expression::column(int index) {
  Expression expression;
  expression.columns_.push_back(index);
  expression.coefficients_.push_back(1.0);
  return expression;
}

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
  lower_.push_back(lower);
  upper_.push_back(upper);
  cost_.push_back(cost);
  place_.push_back(-1);
  return Expression::column(columns() - 1);
}

void LinearModel::add(Constraint const& constraint) {
  Expression const& difference = constraint.difference;
  std::size_t const begin = indices_.size();
  for (std::size_t k = 0; k < difference.columns_.size(); ++k) {
    int const column = difference.columns_[k];
    if (place_[column] < 0) {
      place_[column] = static_cast<int>(indices_.size());
      indices_.push_back(column);
      coefficients_.push_back(0.0);
    }
    coefficients_[place_[column]] += difference.coefficients_[k];
  }
  for (std::size_t k = begin; k < indices_.size(); ++k) place_[indices_[k]] = -1;
  starts_.push_back(static_cast<int>(indices_.size()));
  rowLower_.push_back(-difference.constant_);
  rowUpper_.push_back(constraint.isEquation ? -difference.constant_ : infinity);
}

void LinearModel::loadInto(OsiSolverInterface& solver) const {
  auto const bound = [&](double value) { return value == infinity ? solver.getInfinity() : value; };
  std::vector<double> upper = upper_, rowUpper = rowUpper_;
  for (double& value : upper) value = bound(value);
  for (double& value : rowUpper) value = bound(value);
  CoinPackedMatrix matrix(false, columns(), rows(), nonzeros(), coefficients_.data(),
                          indices_.data(), starts_.data(), nullptr);
  solver.setObjSense(1.0);
  solver.loadProblem(matrix, lower_.data(), upper.data(), cost_.data(), rowLower_.data(),
                     rowUpper.data());
}

}  // namespace osi_cuda::examples::traffic
