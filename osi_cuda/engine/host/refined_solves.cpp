// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/refined_solves.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::host {
namespace {

void finish(Residual& r, std::vector<long double> const& exact) {
  r.value.resize(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    r.value[i] = static_cast<double>(exact[i]);
    r.largest = std::max(r.largest, std::fabs(r.value[i]));
  }
}

}  // namespace

Residual columnResidual(StandardForm const& form, std::vector<int> const& basic,
                        std::span<double const> b, std::vector<double> const& z) {
  int const n = form.columns();
  Residual r;
  std::vector<long double> exact(b.begin(), b.end());
  for (double const x : b) r.scale = std::max(r.scale, std::fabs(x));
  for (std::size_t i = 0; i < basic.size(); ++i) {
    long double const x = z[i];
    if (x == 0.0L) continue;
    if (basic[i] >= n) {
      exact[at(basic[i] - n)] -= x;
      r.scale = std::max(r.scale, std::fabs(z[i]));
      continue;
    }
    for (auto const [row, a] : form.matrix().column(basic[i])) {
      long double const term = a * x;
      exact[at(row)] -= term;
      r.scale = std::max(r.scale, static_cast<double>(std::fabs(term)));
    }
  }
  finish(r, exact);
  return r;
}

Residual rowResidual(StandardForm const& form, std::vector<int> const& basic,
                     std::span<double const> c, std::vector<double> const& y) {
  int const n = form.columns();
  Residual r;
  std::vector<long double> exact(c.begin(), c.end());
  for (std::size_t i = 0; i < basic.size(); ++i) {
    r.scale = std::max(r.scale, std::fabs(c[i]));
    if (basic[i] >= n) {
      exact[i] -= y[at(basic[i] - n)];
      continue;
    }
    for (auto const [row, a] : form.matrix().column(basic[i])) {
      long double const term = static_cast<long double>(a) * y[at(row)];
      exact[i] -= term;
      r.scale = std::max(r.scale, static_cast<double>(std::fabs(term)));
    }
  }
  finish(r, exact);
  return r;
}

}  // namespace osi_cuda::host
