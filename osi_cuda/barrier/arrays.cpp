// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/arrays.hpp"

#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::barrier {
namespace {

/// Weights of the two proximal terms, far below what data of size 1 can tell. The primal one leaves
/// its share of every change of x in the dual equations, and points of real problems are far away:
/// of 1e-10 to 1e-16, less is better.
constexpr double regularPrimal = 1e-16, regularDual = 1e-10;
/// Of free variables, which nothing else holds: the least at which sums of the normal matrix keep
/// the digits of others. Of 1e-12, 1e-10, 1e-9 and 1e-8 the third took the fewest iterations.
constexpr double regularFree = 1e-9;

/// Gives out consecutive pieces.
class Places {
 public:
  explicit Places(double* memory) : next_(memory) {}
  double* take(std::size_t length) {
    double* const place = next_;
    if (next_) next_ += length;
    used_ += length;
    return place;
  }
  std::size_t used() const { return used_; }

 private:
  double* next_;
  std::size_t used_ = 0;
};

Direction placeDirection(Places& places, std::size_t m, std::size_t all) {
  Direction d;
  d.x = places.take(all);
  d.y = places.take(m);
  for (double** part : {&d.wl, &d.wu, &d.zl, &d.zu}) *part = places.take(all);
  return d;
}

View place(int m, int n, Places& places) {
  View v{};
  v.m = m;
  v.n = n;
  auto const rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
  std::size_t const all = rows + columns;
  for (double** part : {&v.x, &v.wl, &v.wu, &v.zl, &v.zu, &v.dualResidual, &v.lowerResidual,
                        &v.upperResidual, &v.flexibility, &v.targetLower, &v.targetUpper, &v.h})
    *part = places.take(all);
  for (double** part : {&v.y, &v.ax, &v.primalResidual, &v.rowTerm, &v.g, &v.rowWork})
    *part = places.take(rows);
  for (double** part : {&v.aty, &v.columnWork}) *part = places.take(columns);
  v.chosen = placeDirection(places, rows, all);
  v.trial = placeDirection(places, rows, all);
  v.regularPrimal = regularPrimal;
  v.regularFree = regularFree;
  v.regularDual = regularDual;
  return v;
}

}  // namespace

std::size_t numbersOfView(int m, int n) {
  Places places(nullptr);
  place(m, n, places);
  return places.used();
}

View placeView(int m, int n, double* numbers) {
  Places places(numbers);
  return place(m, n, places);
}

BarrierPoint pointOf(std::span<double const> x, std::span<double const> y,
                     std::span<double const> wl, std::span<double const> wu,
                     std::span<double const> zl, std::span<double const> zu,
                     std::vector<unsigned char> const& kinds) {
  BarrierPoint point;
  point.value.assign(x.begin(), x.end());
  point.multiplier.assign(y.begin(), y.end());
  point.stiffness.assign(x.size(), 0.0);
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (kinds[v] == isFixed) point.stiffness[v] = infinity;
    if (kinds[v] & hasLower) point.stiffness[v] += zl[v] / wl[v];
    if (kinds[v] & hasUpper) point.stiffness[v] += zu[v] / wu[v];
  }
  return point;
}

}  // namespace osi_cuda::barrier
