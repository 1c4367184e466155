// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <vector>

#include "osi_cuda/engine/host/positions.hpp"

/// Changes of the basis that no pivot loop makes, for every engine on the processor.
namespace osi_cuda::host {

/// Exchanges the basic variable at row position r for the nonbasic one at column position q; the
/// leaving one goes to `leavingValue`, values and reduced costs follow.
void exchangeOnce(Team auto& team, Positions& p, int r, int q, double leavingValue) {
  auto const row = static_cast<std::size_t>(r), column = static_cast<std::size_t>(q);
  team.column(q);
  team.row(r);
  Exchange x = Exchange::on(r, q, p.rowEntry[row]);
  double const step = (p.rowValue[row] - leavingValue) / x.alpha;
  x.enteringValue = p.columnValue[column] + step;
  x.leavingValue = leavingValue;
  for (std::size_t i = 0; i < p.rowValue.size(); ++i) p.rowValue[i] -= step * p.rowEntry[i];
  double const ratio = p.reducedCost[column] / x.alpha;
  for (std::size_t j = 0; j < p.reducedCost.size(); ++j)
    p.reducedCost[j] -= ratio * p.columnEntry[j];
  p.reducedCost[column] = -ratio;
  team.exchange(x);
}

/// Where the present basis differs from another: row positions whose variables are to leave, and
/// column positions whose variables are to enter.
struct BasisDifference {
  std::vector<int> rows, columns;
};
BasisDifference basisDifference(Positions const& p, std::vector<char> const& basic);

/// Makes the exchanges of a difference, where `column` forms a column of the tableau by column
/// position and `exchange` exchanges at a row and a column position. Each entering column takes, of
/// the rows that are to leave, the one with its largest entry; a column without a good one waits
/// for the others. False: there is none for some; what was reached is a basis all the same.
bool exchangeTowards(BasisDifference difference,
                     std::function<std::vector<double> const&(int)> const& column,
                     std::function<void(int, int)> const& exchange);

}  // namespace osi_cuda::host
