// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/model/pricing.hpp"
#include "osi_cuda/simplex/team.hpp"

/// The formulas of the rules of pricing: the keys that candidates are compared by, and how weights
/// follow a pivot. The pivot loops call these and know no rule by its name. See
/// docs/explanation/simplex.md for the symbols.
namespace osi_cuda {

/// The rules whose record says so, a bit each: numbers known to the compiler of device code, too,
/// which may not look into the table itself.
template <class Said>
constexpr unsigned rulesWhere(Said said) {
  unsigned set = 0;
  for (PricingRule const& record : pricingTable)
    if (said(record)) set |= 1u << static_cast<unsigned>(record.rule);
  return set;
}
template <Weights kind>
inline constexpr unsigned rulesThatKeep = rulesWhere([](PricingRule const& record) {
  return record.weights == kind;
});
inline constexpr unsigned rulesWithRandomTies =
    rulesWhere([](PricingRule const& record) { return record.randomTies; });
inline constexpr unsigned rulesOfWholeSteps =
    rulesWhere([](PricingRule const& record) { return record.wholeSteps; });

OSI_CUDA_HD constexpr bool contains(unsigned rules, Pricing pricing) {
  return (rules >> static_cast<unsigned>(pricing) & 1u) != 0;
}
template <Weights kind>
OSI_CUDA_HD constexpr bool keeps(Pricing pricing) {
  return contains(rulesThatKeep<kind>, pricing);
}

/// How a rule compares candidates.
struct PriceKey {
  bool weighted = true, randomTies = false;
  std::uint64_t seed = 0;
  std::int64_t pivot = 0;

  /// `gain`: the reduced cost or the violation of a candidate of that weight.
  OSI_CUDA_HD double key(double gain, double const& weight) const {
    return weighted ? gain * gain * rules::reciprocal(weight) : fabs(gain);
  }
  OSI_CUDA_HD std::uint32_t tie(int variable) const {
    return randomTies ? rules::randomTie(seed, pivot, variable)
                      : static_cast<std::uint32_t>(variable);
  }
};
/// `pivot`: the number of pivots made before, which random ties depend on.
OSI_CUDA_HD inline PriceKey priceKey(Pricing pricing, std::uint64_t seed, std::int64_t pivot) {
  return {!keeps<Weights::none>(pricing), contains(rulesWithRandomTies, pricing), seed, pivot};
}

// ---- the primal's weights, of columns ----------------------------------------------------------

/// The weight of the entering column q: exact where the rule keeps exact weights.
OSI_CUDA_LOOP double enteringWeight(Team auto& team, Pricing pricing, int q) {
  if (keeps<Weights::exact>(pricing)) {
    auto const rows = team.rows();
    auto square = [&](double& sum, int i) { sum += rows.entry[i] * rows.entry[i]; };
    return 1.0 + team.reduceColumnEntries(0.0, square, rules::sum);
  }
  if (keeps<Weights::reference>(pricing)) {
    double const weight = team.columnWeight(q);
    if (weight <= rules::largestDevexWeight) return weight;
    auto const columns = team.columns();
    team.forColumns([&](int j) { columns.weight[j] = 1.0; });
  }
  return 1.0;
}

/// What the weights of the other columns need of the tableau as it is before the exchange.
OSI_CUDA_LOOP void prepareColumnWeights(Team auto& team, Pricing pricing) {
  if (keeps<Weights::exact>(pricing)) team.steepestProducts();
}

/// The weight of the column that the exchange x leaves behind.
OSI_CUDA_HD inline void leaveColumnWeight(auto const& columns, Exchange const& x,
                                          double enteringWeight) {
  double const weight = enteringWeight * (x.inverse * x.inverse);
  columns.weight[x.column] = weight > 1.0 ? weight : 1.0;
}

/// The weight of another column j, `ratio` being its row entry over the pivot.
OSI_CUDA_HD inline void followColumnWeight(auto const& columns, Pricing pricing, int j,
                                           double ratio, double enteringWeight) {
  if (keeps<Weights::exact>(pricing))
    columns.weight[j] = rules::steepestWeight(columns.weight[j], ratio, columns.product[j],
                                              enteringWeight, 1.0 + ratio * ratio);
  else if (keeps<Weights::reference>(pricing))
    columns.weight[j] = rules::devexWeight(columns.weight[j], ratio, enteringWeight);
}

/// What follows when all columns have been visited.
OSI_CUDA_LOOP void finishColumnWeights(Team auto& team, Pricing pricing, Exchange const& x) {
  if (keeps<Weights::sketched>(pricing)) team.updateColumnSketch(x);
}

// ---- the dual's weights, of rows ---------------------------------------------------------------

/// The weight of the leaving row: exact where the rule keeps exact weights.
OSI_CUDA_LOOP double leavingWeight(Team auto& team, Pricing pricing,
                                   rules::Candidate const& leaving) {
  if (keeps<Weights::exact>(pricing)) return team.inverseRowSquare(team.slack(leaving.variable));
  if (keeps<Weights::reference>(pricing)) {
    double const weight = team.rowWeight(leaving.position);
    if (weight <= rules::largestDevexWeight) return weight;
    auto const rows = team.rows();
    team.forRows([&](int i) { rows.weight[i] = 1.0; });
  }
  return 1.0;
}

OSI_CUDA_LOOP void prepareRowWeights(Team auto& team, Pricing pricing) {
  if (keeps<Weights::exact>(pricing)) team.dualSteepestProducts();
}

OSI_CUDA_HD inline void leaveRowWeight(auto const& rows, Pricing pricing, Exchange const& x,
                                       double leavingWeight) {
  double const weight = leavingWeight * (x.inverse * x.inverse);
  double const floor = keeps<Weights::reference>(pricing) ? 1.0 : rules::leastRowWeight;
  rows.weight[x.row] = weight > floor ? weight : floor;
}

/// The weight of another row i, `ratio` being its column entry over the pivot.
OSI_CUDA_HD inline void followRowWeight(auto const& rows, Pricing pricing, int i, double ratio,
                                        double leavingWeight) {
  if (keeps<Weights::exact>(pricing))
    rows.weight[i] = rules::steepestWeight(rows.weight[i], ratio, rows.product[i], leavingWeight,
                                           rules::leastRowWeight);
  else if (keeps<Weights::reference>(pricing))
    rows.weight[i] = rules::devexWeight(rows.weight[i], ratio, leavingWeight);
}

OSI_CUDA_LOOP void finishRowWeights(Team auto& team, Pricing pricing, Exchange const& x) {
  if (keeps<Weights::sketched>(pricing)) team.updateRowSketch(x);
}

}  // namespace osi_cuda
