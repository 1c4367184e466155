// SPDX-License-Identifier: EPL-2.0
#include "examples/response/heat_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "examples/common/failure.hpp"
#include "examples/response/fem_problem.hpp"
#include "examples/response/saved_state.hpp"

namespace osi_cuda::response {
namespace {

enum StageNumber { isDone, loading, isSolved, turning, multiplying, advancing, updating };

double dot(std::vector<double> const& a, std::vector<double> const& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

HeatRun::HeatRun(Space const& space, std::vector<Functional> const& loads,
                 HeatSettings const& settings)
    : settings_(settings),
      stiffness_(csrOf(fieldMatrix(space, 0.0))),
      matrix_(csrOf(fieldMatrix(space, 1.0 / settings.step))),
      inverse_(space.dofs),
      loads_(loads) {
  for (int i = 0; i < space.dofs; ++i) inverse_[i] = 1.0 / matrix_.value[matrix_.find(i, i)];
  for (auto* vector : {&u_, &peak_, &change_, &r_, &z_, &p_, &q_}) vector->assign(space.dofs, 0.0);
  addStages();
}

void HeatRun::addStages() {
  int const u = loop_.add("field", u_), peak = loop_.add("peak", peak_),
            change = loop_.add("change", change_), r = loop_.add("residual", r_),
            z = loop_.add("preconditioned", z_), p = loop_.add("direction", p_),
            q = loop_.add("product", q_), step = loop_.addNumber("step", step_),
            iterations = loop_.addNumber("iterations", iterations_),
            rho = loop_.addNumber("rho", rho_),
            curvature = loop_.addNumber("curvature", curvature_),
            left = loop_.addNumber("residual squared", residual_),
            enough = loop_.addNumber("enough", enough_);
  loop_.add({"is it done", {step}, {}, {loading, Loop::end}, [this] {
               return step_ < lastStep_ ? int(loading) : Loop::end;
             }});
  loop_.add({"load", {u, step}, {change, r, p, q, rho, left, enough}, {isSolved}, [this] {
               return load();
             }});
  loop_.add({"is it solved", {left, enough}, {}, {turning, updating}, [this] {
               return residual_ <= enough_ ? int(updating) : int(turning);
             }});
  loop_.add({"turn", {r, p, rho}, {z}, {multiplying}, [this] { return turn(); }});
  loop_.add({"multiply", {p}, {q, curvature}, {advancing}, [this] { return multiply(); }});
  loop_.add({"advance", {change, r, p, q, rho, curvature, iterations}, {left}, {isSolved}, [this] {
               return advance();
             }});
  loop_.add({"update", {u, peak, change, step}, {}, {isDone}, [this] { return update(); }});
  loop_.setResults({u, peak, step, iterations});
}

/// (M / step + K) change = load - K u at the end of the step.
int HeatRun::load() {
  stiffness_.multiply(u_.data(), q_.data());
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] = -q_[i];
  double const time = double(step_ + 1) * settings_.step;
  for (std::size_t j = 0; j < loads_.size(); ++j) {
    double const strength =
        1.0 + std::sin(2.0 * std::numbers::pi * time / settings_.period + double(j));
    for (auto const& [dof, weight] : loads_[j]) r_[dof] += strength * weight;
  }
  std::fill(change_.begin(), change_.end(), 0.0);
  std::fill(p_.begin(), p_.end(), 0.0);
  rho_ = 0.0;
  residual_ = dot(r_, r_);
  enough_ = settings_.tolerance * settings_.tolerance * residual_;
  return isSolved;
}

int HeatRun::turn() {
  for (std::size_t i = 0; i < z_.size(); ++i) z_[i] = inverse_[i] * r_[i];
  double const next = dot(r_, z_), beta = rho_ > 0.0 ? next / rho_ : 0.0;
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = z_[i] + beta * p_[i];
  rho_ = next;
  return multiplying;
}

int HeatRun::multiply() {
  matrix_.multiply(p_.data(), q_.data());
  curvature_ = dot(p_, q_);
  return advancing;
}

int HeatRun::advance() {
  if (!(curvature_ > 0.0))
    throw examples::Failure(examples::ExitStatus::numerical,
                            "the step's linear system is not positive definite to rounding");
  double const alpha = rho_ / curvature_;
  for (std::size_t i = 0; i < r_.size(); ++i) {
    change_[i] += alpha * p_[i];
    r_[i] -= alpha * q_[i];
  }
  residual_ = dot(r_, r_);
  ++iterations_;
  return isSolved;
}

int HeatRun::update() {
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_[i] += change_[i];
    peak_[i] = std::max(peak_[i], u_[i]);
  }
  ++step_;
  return isDone;
}

std::uint64_t HeatRun::identity() const {
  Checksum sum;
  for (auto const* matrix : {&stiffness_, &matrix_}) {
    sum.add(matrix->start);
    sum.add(matrix->column);
    sum.add(matrix->value);
  }
  for (auto const& load : loads_) {
    sum.addNumber(load.size());
    for (auto const& [dof, weight] : load) {
      sum.addNumber(dof);
      sum.addNumber(weight);
    }
  }
  for (double const number : {settings_.step, settings_.period, settings_.tolerance})
    sum.addNumber(number);
  return sum.value();
}

}  // namespace osi_cuda::response
