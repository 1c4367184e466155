// SPDX-License-Identifier: EPL-2.0
#include "examples/traffic_matrix/priors.hpp"

#include <algorithm>
#include <cmath>

namespace osi_cuda::examples::traffic {
namespace {

/// What the entries of a row or column are to be multiplied by.
std::vector<double> factors(std::vector<double> const& wanted, std::vector<double> const& present) {
  std::vector<double> result(wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k)
    result[k] = present[k] > 0.0 ? wanted[k] / present[k] : 0.0;
  return result;
}

double largestGap(std::vector<double> const& a, std::vector<double> const& b) {
  double gap = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) gap = std::max(gap, std::abs(a[k] - b[k]));
  return gap;
}

}  // namespace

std::vector<double> gravity(Totals const& totals, Pairs const& pairs,
                            std::vector<double> const& friction) {
  double const total = sum(totals.out);
  std::vector<double> estimate(pairs.count());
  if (total <= 0.0) return estimate;
  for (int j = 0; j < pairs.count(); ++j)
    estimate[j] = totals.out[pairs.source(j)] * totals.in[pairs.target(j)] / total;
  if (friction.empty()) return estimate;
  double const before = sum(estimate);
  for (int j = 0; j < pairs.count(); ++j) estimate[j] /= friction[j];
  double const scale = before / sum(estimate);
  for (double& value : estimate) value *= scale;
  return estimate;
}

void balance(std::vector<double>& matrix, Totals totals, Pairs const& pairs) {
  double const total = sum(totals.out);
  if (total <= 0.0 || sum(totals.in) <= 0.0) return;
  double const scale = total / sum(totals.in);
  for (double& value : totals.in) value *= scale;
  constexpr int rounds = 1000;
  for (int round = 0; round < rounds; ++round) {
    Totals const present = totalsOf(matrix, pairs);
    constexpr double met = 1e-9;
    if (std::max(largestGap(present.out, totals.out), largestGap(present.in, totals.in)) <=
        met * total)
      return;
    std::vector<double> const byRow = factors(totals.out, present.out);
    for (int j = 0; j < pairs.count(); ++j) matrix[j] *= byRow[pairs.source(j)];
    std::vector<double> const byColumn = factors(totals.in, totalsOf(matrix, pairs).in);
    for (int j = 0; j < pairs.count(); ++j) matrix[j] *= byColumn[pairs.target(j)];
  }
}

}  // namespace osi_cuda::examples::traffic
