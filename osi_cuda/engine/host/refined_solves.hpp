// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/standard_form.hpp"

/// Solves with the basis matrix that an approximate inverse begins and residuals of the original
/// data in extended precision finish.
namespace osi_cuda::host {

/// b - B z or c - B'y, rounded, and the largest number that went into it.
struct Residual {
  std::vector<double> value;
  double largest = 0.0;
  double scale = 0.0;
};

/// b - B z for the basis of these variables, by row position: b by constraint, z by row position.
Residual columnResidual(StandardForm const& form, std::vector<int> const& basic,
                        std::span<double const> b, std::vector<double> const& z);
/// c - B'y: c by row position, y by constraint.
Residual rowResidual(StandardForm const& form, std::vector<int> const& basic,
                     std::span<double const> c, std::vector<double> const& y);

/// Iterative refinement of `x` by an approximate inverse. False: it did not get there.
bool refine(std::vector<double>& x, auto residualOf, auto inverse) {
  constexpr double full = 4e-16, enough = 1e-14;
  double before = infinity;
  for (int round = 0; round < 5; ++round) {
    Residual const r = residualOf(x);
    if (!(r.largest <= 0.1 * before)) return r.largest <= enough * r.scale;
    if (r.largest <= full * r.scale) return true;
    before = r.largest;
    std::vector<double> const correction = inverse(r.value);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
  }
  return false;
}

}  // namespace osi_cuda::host
