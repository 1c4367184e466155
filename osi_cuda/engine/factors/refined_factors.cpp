// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/factors/refined_factors.hpp"

#include <type_traits>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/engine/host/refined_solves.hpp"

namespace osi_cuda::factors {
namespace {

/// `place`, where there is one, takes a row position of the factors to that of the result.
template <class Number>
std::vector<double> solved(FactoredBasis<Number> const& basis, std::vector<int> const* place,
                           std::span<double const> b) {
  PatternVector<Number> x;
  x.resize(static_cast<int>(b.size()));
  for (int i = 0; i < x.size(); ++i)
    if (b[at(i)] != 0.0) x.set(basis.positionOf(i), Number(b[at(i)]));
  basis.solve(x);
  std::vector<double> z(b.size());
  for (int k = 0; k < x.size(); ++k) z[at(place ? (*place)[at(k)] : k)] = rounded(x[k]);
  return z;
}

template <class Number>
std::vector<double> solvedTransposed(FactoredBasis<Number> const& basis,
                                     std::vector<int> const* place, std::span<double const> c) {
  PatternVector<Number> x;
  x.resize(static_cast<int>(c.size()));
  for (int k = 0; k < x.size(); ++k) {
    double const own = c[at(place ? (*place)[at(k)] : k)];
    if (own != 0.0) x.set(k, Number(own));
  }
  basis.solveTransposed(x);
  std::vector<double> y(c.size());
  for (int k = 0; k < x.size(); ++k) y[at(basis.constraintAt(k))] = rounded(x[k]);
  return y;
}

}  // namespace

/// False: the basis turns out to be singular.
template <class Number>
bool RefinedFactors<Number>::factorAnew(Present const& present) {
  if (fresh_) return true;
  auto const variables = at(present.form.variables());
  std::vector<char> basic(variables, 0);
  for (int const v : present.basic) basic[at(v)] = 1;
  Fresh fresh;
  if (!fresh.basis.factor(present.form, basic, present.stop).dropped.empty()) return false;
  std::vector<int> position(variables, -1);
  for (std::size_t i = 0; i < present.basic.size(); ++i)
    position[at(present.basic[i])] = static_cast<int>(i);
  fresh.place = fresh.basis.basicVariables();
  for (int& v : fresh.place) v = position[at(v)];
  fresh_ = std::move(fresh);
  return true;
}

/// `solve(basis, place, right)` solves by the present factors, where the residuals stay too large
/// by fresh ones.
template <class Number>
template <class Solve, class ResidualOf>
std::vector<double> RefinedFactors<Number>::refined(Present const& present,
                                                    std::span<double const> right, Solve solve,
                                                    ResidualOf residual) {
  auto const byPresent = [&](std::span<double const> r) {
    return solve(present.basis, static_cast<std::vector<int> const*>(nullptr), r);
  };
  std::vector<double> x = byPresent(right);
  if constexpr (std::is_same_v<Number, double>) {
    if (host::refine(x, residual, byPresent) || !factorAnew(present)) return x;
    auto const byFresh = [&](std::span<double const> r) {
      return solve(fresh_->basis, &fresh_->place, r);
    };
    x = byFresh(right);
    host::refine(x, residual, byFresh);
  }
  return x;
}

template <class Number>
std::vector<double> RefinedFactors<Number>::ftran(Present const& present,
                                                  std::span<double const> b) {
  return refined(present, b, &solved<Number>, [&](auto const& x) {
    return host::columnResidual(present.form, present.basic, b, x);
  });
}

template <class Number>
std::vector<double> RefinedFactors<Number>::btran(Present const& present,
                                                  std::span<double const> c) {
  return refined(present, c, &solvedTransposed<Number>, [&](auto const& x) {
    return host::rowResidual(present.form, present.basic, c, x);
  });
}

template class RefinedFactors<double>;
template class RefinedFactors<DoubleDouble>;

}  // namespace osi_cuda::factors
