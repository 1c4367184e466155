// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/proof/implied_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

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
  /// Only one that is infinite changes.
  void replace(double before, double term) {
    if (isNumber(before)) return;
    --infinite;
    add(term);
  }
  /// Not above the true one without that term.
  double without(double term) const {
    bool const own = !isNumber(term);
    if (infinite != (own ? 1 : 0)) return -infinity;
    double const rest = (own ? sum : sum - term) - (slack * terms + least);
    return isNumber(rest) ? rest : -infinity;
  }
};

struct Box {
  double lower, upper;
};

class Propagation {
 public:
  /// The objective is one row more.
  Propagation(LinearProgram const& lp, double worst, ImpliedBounds& bounds)
      : lp_(lp), bounds_(bounds), open_(at(lp.columns())), sums_(at(lp.rows()) + 1) {
    bool const maximize = lp.sense == Sense::maximize;
    bounds_.rowLower.push_back(maximize ? -worst : -infinity);
    bounds_.rowUpper.push_back(maximize ? infinity : worst);
    std::iota(open_.begin(), open_.end(), 0);
    visitTerms(open_, [this](std::size_t i, double a, std::size_t j) {
      sums_[i].least.add(leastTerm(a, boxOf(j)));
      sums_[i].greatest.add(leastTerm(-a, boxOf(j)));
    });
  }

  /// Whether a bound of a column was found.
  bool round() {
    std::erase_if(open_, [this](int j) {
      Box const box = boxOf(at(j));
      return isNumber(box.lower) && isNumber(box.upper);
    });
    std::vector<Box> boxes(open_.size());
#pragma omp parallel for num_threads(loopThreads(entriesOf(open_)))
    for (std::size_t k = 0; k < open_.size(); ++k) boxes[k] = impliedBox(open_[k]);
    bounds_.entries += static_cast<double>(entriesOf(open_));
    std::vector<int> changed;
    for (std::size_t k = 0; k < open_.size(); ++k) {
      auto const j = at(open_[k]);
      Box const before = boxOf(j);
      if (boxes[k].lower == before.lower && boxes[k].upper == before.upper) continue;
      bounds_.columnLower[j] = boxes[k].lower;
      bounds_.columnUpper[j] = boxes[k].upper;
      boxes[changed.size()] = before;
      changed.push_back(open_[k]);
    }
    visitTerms(changed, [&](std::size_t i, double a, std::size_t k) {
      Box const now = boxOf(at(changed[k]));
      sums_[i].least.replace(leastTerm(a, boxes[k]), leastTerm(a, now));
      sums_[i].greatest.replace(leastTerm(-a, boxes[k]), leastTerm(-a, now));
    });
    return !changed.empty();
  }

  void boundRows() {
    bounds_.rowLower.pop_back();
    bounds_.rowUpper.pop_back();
    for (std::size_t i = 0; i < bounds_.rowLower.size(); ++i) {
      if (bounds_.rowLower[i] == -infinity) bounds_.rowLower[i] = sums_[i].least.without(0.0);
      if (bounds_.rowUpper[i] == infinity) bounds_.rowUpper[i] = -sums_[i].greatest.without(0.0);
    }
  }

 private:
  struct RowSums {
    LeastSum least, greatest;  ///< of the row, and of its negative
  };

  Box boxOf(std::size_t j) const {
    return {bounds_.columnLower[j], bounds_.columnUpper[j]};
  }

  /// The least terms of a line are those of the bound that the coefficient's sign names.
  static double leastTerm(double a, Box box) {
    return a * (a > 0.0 ? box.lower : box.upper);
  }

  /// Not below bound - sum; `sum` is -infinity where there is none.
  static double difference(double bound, double sum) {
    double const d = bound - sum;
    return d + (slack * (std::fabs(bound) + std::fabs(sum)) + least);
  }

  /// With finite bounds in place of infinite ones.
  Box impliedBox(int j) const {
    Box own = boxOf(at(j));
    double above = infinity, below = -infinity;
    auto const boundBy = [&](std::size_t i, double a) {
      if (a == 0.0) return;
      // a x <= rowUpper - least of the others, a x >= rowLower - greatest of the others
      if (bounds_.rowUpper[i] < infinity && sums_[i].least.infinite <= 1) {
        double const most =
            difference(bounds_.rowUpper[i], sums_[i].least.without(leastTerm(a, own)));
        (a > 0.0 ? above : below) = a > 0.0 ? std::min(above, most / a) : std::max(below, most / a);
      }
      if (bounds_.rowLower[i] > -infinity && sums_[i].greatest.infinite <= 1) {
        double const fewest =
            -difference(-bounds_.rowLower[i], sums_[i].greatest.without(leastTerm(-a, own)));
        (a > 0.0 ? below : above) =
            a > 0.0 ? std::max(below, fewest / a) : std::min(above, fewest / a);
      }
    };
    for (auto const [row, a] : lp_.matrix.column(j)) boundBy(at(row), a);
    boundBy(sums_.size() - 1, lp_.objective[at(j)]);
    if (!isNumber(own.upper) && isNumber(above) && own.upper > 0.0)
      own.upper = above + (slack * std::fabs(above) + least);
    if (!isNumber(own.lower) && isNumber(below) && own.lower < 0.0)
      own.lower = below - (slack * std::fabs(below) + least);
    return own;
  }

  std::int64_t entriesOf(std::vector<int> const& columns) const {
    std::int64_t entries = 0;
    for (int const j : columns) entries += lp_.matrix.starts[j + 1] - lp_.matrix.starts[j];
    return entries;
  }

  /// Each coefficient of the columns: its row and number, and the place of its column among these.
  /// Of a full array each thread has some rows.
  template <class Visit>
  void visitTerms(std::vector<int> const& columns, Visit const& visit) {
    std::int64_t const entries = entriesOf(columns);
    bounds_.entries += static_cast<double>(entries);
    int const threads = lp_.matrix.isDense() ? loopThreads(entries) : 1;
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < threads; ++t)
      for (std::size_t k = 0; k < columns.size(); ++k) {
        auto const rows = lp_.matrix.columnIndices(columns[k]);
        auto const values = lp_.matrix.columnValues(columns[k]);
        std::size_t const end = rows.size() * at(t + 1) / at(threads);
        for (std::size_t e = rows.size() * at(t) / at(threads); e < end; ++e)
          if (double const a = values[e]; a != 0.0) visit(at(rows[e]), a, k);
        if (double const c = lp_.objective[at(columns[k])]; t == 0 && c != 0.0)
          visit(sums_.size() - 1, c, k);
      }
  }

  LinearProgram const& lp_;
  ImpliedBounds& bounds_;
  std::vector<int> open_;  ///< columns of which a bound is infinite
  std::vector<RowSums> sums_;
};

}  // namespace

ImpliedBounds impliedBounds(LinearProgram const& lp, int rounds, double worst) {
  ImpliedBounds bounds{lp.columnLower, lp.columnUpper, lp.rowLower, lp.rowUpper};
  Propagation propagation(lp, worst, bounds);
  while (rounds-- > 0 && propagation.round()) continue;
  propagation.boundRows();
  return bounds;
}

}  // namespace osi_cuda::proof
