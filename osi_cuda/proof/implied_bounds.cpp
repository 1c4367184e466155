// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/implied_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/proof/bounded.hpp"

namespace osi_cuda::proof {
namespace {

/// More than what any sum here is off, as a share of the absolute values of its terms.
constexpr double slack = 1e-9;
/// And more than what underflow takes from one.
constexpr double least = 0x1p-1000;

/// The least value of a sum of terms of which some may be infinite.
struct LeastSum {
  double sum = 0.0, terms = 0.0;  ///< of those that are finite, and their absolute values
  int infinite = 0;

  void add(double term) {
    if (!isNumber(term)) {
      ++infinite;
      return;
    }
    sum += term;
    terms += std::fabs(term);
  }
  /// Not above the true one without that term.
  double without(double term) const {
    bool const own = !isNumber(term);
    if (infinite != (own ? 1 : 0)) return -infinity;
    double const rest = (own ? sum : sum - term) - (slack * terms + least);
    return isNumber(rest) ? rest : -infinity;
  }
};

/// The least terms of a line are those of the bound that the coefficient's sign names.
double leastTerm(double a, double lower, double upper) {
  return a > 0.0 ? a * lower : a * upper;
}

class Propagation {
 public:
  Propagation(LinearProgram const& lp, ImpliedBounds& bounds)
      : lp_(lp), bounds_(bounds), least_(at(lp.rows())), greatest_(at(lp.rows())) {}

  /// Whether a bound of a column was found.
  bool round() {
    sumRows();
    bool found = false;
#pragma omp parallel for reduction(| : found) num_threads(loopThreads(lp_.matrix.nonzeros()))
    for (int j = 0; j < lp_.columns(); ++j) {
      double& lower = bounds_.columnLower[at(j)];
      double& upper = bounds_.columnUpper[at(j)];
      if (isNumber(lower) && isNumber(upper)) continue;
      double const ownLower = lower, ownUpper = upper;
      double above = infinity, below = -infinity;
      for (auto const [row, a] : lp_.matrix.column(j)) {
        if (a == 0.0) continue;
        std::size_t const i = at(row);
        // a x <= rowUpper - least of the others, a x >= rowLower - greatest of the others
        if (lp_.rowUpper[i] < infinity && least_[i].infinite <= 1) {
          double const most =
              difference(lp_.rowUpper[i], least_[i].without(leastTerm(a, ownLower, ownUpper)));
          (a > 0.0 ? above : below) =
              a > 0.0 ? std::min(above, most / a) : std::max(below, most / a);
        }
        if (lp_.rowLower[i] > -infinity && greatest_[i].infinite <= 1) {
          double const fewest = -difference(
              -lp_.rowLower[i], greatest_[i].without(leastTerm(-a, ownLower, ownUpper)));
          (a > 0.0 ? below : above) =
              a > 0.0 ? std::max(below, fewest / a) : std::min(above, fewest / a);
        }
      }
      if (!isNumber(upper) && isNumber(above) && upper > 0.0) {
        upper = above + (slack * std::fabs(above) + least);
        found = true;
      }
      if (!isNumber(lower) && isNumber(below) && lower < 0.0) {
        lower = below - (slack * std::fabs(below) + least);
        found = true;
      }
    }
    return found;
  }

  void boundRows() {
    sumRows();
    for (std::size_t i = 0; i < least_.size(); ++i) {
      if (bounds_.rowLower[i] == -infinity) bounds_.rowLower[i] = least_[i].without(0.0);
      if (bounds_.rowUpper[i] == infinity) bounds_.rowUpper[i] = -greatest_[i].without(0.0);
    }
  }

 private:
  /// Not below bound - sum; `sum` is -infinity where there is none.
  static double difference(double bound, double sum) {
    double const d = bound - sum;
    return d + (slack * (std::fabs(bound) + std::fabs(sum)) + least);
  }

  /// Least values of the rows, and of their negatives; of a full array each thread has some rows.
  void sumRows() {
    std::ranges::fill(least_, LeastSum{});
    std::ranges::fill(greatest_, LeastSum{});
    int const threads = lp_.matrix.isDense() ? loopThreads(lp_.matrix.nonzeros()) : 1;
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < threads; ++t)
      for (int j = 0; j < lp_.columns(); ++j) {
        double const lower = bounds_.columnLower[at(j)], upper = bounds_.columnUpper[at(j)];
        auto const rows = lp_.matrix.columnIndices(j);
        auto const values = lp_.matrix.columnValues(j);
        std::size_t const end = rows.size() * at(t + 1) / at(threads);
        for (std::size_t k = rows.size() * at(t) / at(threads); k < end; ++k) {
          double const a = values[k];
          if (a == 0.0) continue;
          least_[at(rows[k])].add(leastTerm(a, lower, upper));
          greatest_[at(rows[k])].add(leastTerm(-a, lower, upper));
        }
      }
  }

  LinearProgram const& lp_;
  ImpliedBounds& bounds_;
  std::vector<LeastSum> least_, greatest_;
};

}  // namespace

ImpliedBounds impliedBounds(LinearProgram const& lp, int rounds) {
  ImpliedBounds bounds{lp.columnLower, lp.columnUpper, lp.rowLower, lp.rowUpper};
  Propagation propagation(lp, bounds);
  for (int round = 0; round < rounds; ++round)
    if (!propagation.round()) break;
  propagation.boundRows();
  return bounds;
}

}  // namespace osi_cuda::proof
