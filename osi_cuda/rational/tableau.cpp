// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/tableau.hpp"

#include <cmath>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/integers.hpp"

namespace osi_cuda::rational {
namespace {

Vertex vertexOf(LinearProgram const& lp, LinearSystem const& system, Placement const& placement,
                std::vector<char> const& basic, Watch& watch) {
  Vertex vertex;
  int const n = lp.columns();
  std::vector<double> const zeros(at(lp.rows()), 0.0);
  ExactPoint const x(lp, system, placement.rest, watch);
  ExactDuals const y(lp, system, lp.objective, zeros, watch);
  for (int v = 0; v < n + lp.rows(); ++v) {
    Integer const value = x.value(v);
    vertex.value.push_back(toDouble(value.get(), x.denominator()));
    auto const beyond = [&](double bound) {
      return std::isfinite(bound) ? toDouble(x.less(value, bound).get(), x.denominator()) : -bound;
    };
    vertex.roomUp.push_back(-beyond(upperBound(lp, v)));
    vertex.roomDown.push_back(beyond(lowerBound(lp, v)));
    vertex.price.push_back(
        basic[at(v)]
            ? 0.0
            : toDouble((v < n ? y.reducedCost(v) : y.multiplier(v - n)).get(), y.denominator()));
  }
  return vertex;
}

}  // namespace

// A basic column is y'(r - A x), over the rows that are nonbasic and the columns that are, with y'
// its row of the inverse; a basic row the same less its own entries: its multiplier is -1.
bool visitTableau(LinearProgram const& lp, Basis const& basis, Limits limits,
                  std::function<void(Vertex const&, std::span<int const>)> const& begin,
                  std::function<void(int, std::span<double const>)> const& row) try {
  if (!faultOf(lp, basis).empty()) return false;
  releaseCachesAtThreadEnd();
  Watch watch(std::move(limits));
  Placement const placement = placementOf(lp, basis);
  LinearSystem const system(lp.matrix, placement.rows, placement.columns, watch);
  if (!system.regular()) return false;
  int const n = lp.columns();
  std::vector<char> basic(at(n), 0);
  basic.resize(at(n + lp.rows()), 1);
  for (int const j : placement.columns) basic[at(j)] = 1;
  for (int const i : placement.rows) basic[at(n + i)] = 0;
  std::vector<int> nonbasic;
  for (int v = 0; v < n + lp.rows(); ++v)
    if (!basic[at(v)]) nonbasic.push_back(v);
  begin(vertexOf(lp, system, placement, basic, watch), nonbasic);
  std::vector<double> wanted(at(n), 0.0), given(at(lp.rows()), 0.0), rates(nonbasic.size());
  for (int v = 0; v < n + lp.rows(); ++v) {
    if (!basic[at(v)]) continue;
    double& own = v < n ? wanted[at(v)] : given[at(v - n)];
    own = v < n ? 1.0 : -1.0;
    ExactDuals const y(lp, system, wanted, given, watch);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      int const other = nonbasic[k];
      rates[k] = other < n ? -toDouble(y.combination(other).get(), y.denominator())
                           : toDouble(y.multiplier(other - n).get(), y.denominator());
    }
    own = 0.0;
    row(v, rates);
  }
  return true;
} catch (Stopped const&) {
  return false;
} catch (TooLarge const&) {
  return false;
}

}  // namespace osi_cuda::rational
