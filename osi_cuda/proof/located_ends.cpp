// SPDX-License-Identifier: EPL-2.0
// Ends of the enclosure of an optimum by points that provably exist.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/located_point.hpp"
#include "osi_cuda/proof/problem_view.hpp"

namespace osi_cuda::proof {

double endByPoint(LinearProgram const& lp, SparseMatrix const& transposed,
                  std::span<double const> x, SearchLimits& limits) {
  bool const maximize = lp.sense == Sense::maximize;
  auto const found = locate({transposed, lp.rowLower, lp.rowUpper, lp.columnLower, lp.columnUpper},
                            {x.begin(), x.end()}, limits);
  if (!found) return maximize ? -infinity : infinity;
  Bounded value = objectiveOf(lp, Parts(found->high, found->low));
  double off = 0.0;
  for (std::size_t j = 0; j < found->radius.size(); ++j)
    off += std::fabs(lp.objective[j]) * found->radius[j];
  value.error = upward(value.error + off);
  return maximize ? roundedDown(value) : roundedUp(value);
}

BoundedOptima::BoundedOptima(LinearProgram const& lp, double objective, SearchLimits& limits)
    : lp_(lp),  // any number will do for the next one
      worst_((lp.sense == Sense::maximize ? -1.0 : 1.0) * (objective - lp.objectiveOffset) +
             (1.0 + std::fabs(objective))) {
  constexpr double fewest = 3.0, most = 30.0;  // other rounds closed no enclosure of Netlib
  double const entries = 1.0 + static_cast<double>(lp.matrix.nonzeros());
  bounds_ =
      impliedBounds(lp, static_cast<int>(std::clamp(limits.work / entries, fewest, most)), worst_);
  // A search takes longer for an entry; the last term is that of endBy.
  limits.work -= 0.5 * bounds_.entries + entries;
}

double BoundedOptima::endBy(std::span<double const> y) const {
  return endOf(ProblemView{lp_}.sign * boundOf(lp_, y, bounds_));
}

double BoundedOptima::endOf(double least) const {
  ProblemView const problem{lp_};
  Bounded const worst = Bounded(worst_) + Bounded(problem.sign * lp_.objectiveOffset);
  return problem.sign * std::min(least, roundedDown(worst));
}

double BoundedOptima::endNear(std::span<double const> y, SearchLimits& limits) const {
  ProblemView const problem{lp_};
  auto const n = at(lp_.columns()), m = at(lp_.rows());
  // Of the minimisation: A_j'y beside c_j where only one bound of column j is finite.
  std::vector<double> least(n, -infinity), most(n, infinity), lower(m, -infinity),
      upper(m, infinity), start(m);
  for (std::size_t j = 0; j < n; ++j) {
    double const cost = problem.sign * lp_.objective[j];
    if (bounds_.columnLower[j] == -infinity) least[j] = cost;
    if (bounds_.columnUpper[j] == infinity) most[j] = cost;
  }
  for (std::size_t i = 0; i < m; ++i) {
    if (bounds_.rowUpper[i] == infinity) lower[i] = 0.0;
    if (bounds_.rowLower[i] == -infinity) upper[i] = 0.0;
    start[i] = std::clamp(problem.sign * y[i], lower[i], upper[i]);
  }
  auto const found = locate({lp_.matrix, least, most, lower, upper}, start, limits);
  if (!found) return -problem.sign * infinity;
  Bounded sum(problem.sign * lp_.objectiveOffset);
  auto const add = [&sum](Bounded const& factor, double low, double high) {
    if (isNumber(low) && isNumber(high)) {
      BoxSums box;
      addTerm(box, factor, low, high, [] { return 0.0; });
      sum = box.broken > 0.0 ? Bounded(0.0, infinity) + sum : sum + box.least;
    } else {  // the sign is the one that needs the finite bound
      sum = sum + factor * Bounded(isNumber(low) ? low : isNumber(high) ? high : 0.0);
    }
  };
  Parts const multipliers(found->high, found->low);
  BoundedVector const product = productsOf(lp_.matrix, nullptr, &multipliers).product;
  for (std::size_t j = 0; j < n; ++j) {
    Bounded reduced = Bounded(problem.sign * lp_.objective[j]) - product[j];
    double off = 0.0;
    for (auto const [i, a] : lp_.matrix.column(static_cast<int>(j)))
      off += std::fabs(a) * found->radius[at(i)];
    reduced.error = upward(reduced.error + off);
    add(reduced, bounds_.columnLower[j], bounds_.columnUpper[j]);
  }
  for (std::size_t i = 0; i < m; ++i)
    add({multipliers[i], found->radius[i]}, bounds_.rowLower[i], bounds_.rowUpper[i]);
  return endOf(roundedDown(sum));
}

}  // namespace osi_cuda::proof
