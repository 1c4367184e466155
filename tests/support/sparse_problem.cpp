// SPDX-License-Identifier: EPL-2.0
#include "tests/support/sparse_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

class Builder {
 public:
  explicit Builder(std::uint64_t seed)
      : draw_(seed, 1),
        rough_(draw_.oneIn(3)),
        infeasible_(draw_.oneIn(8)),
        open_(draw_.oneIn(8)),
        rows_(2 + draw_.below(59)),
        columns_(2 + draw_.below(79)) {
    problem_.description = "sparseProblem(" + std::to_string(seed) + ")" +
                           (rough_ ? ", all digits" : "") + (infeasible_ ? ", infeasible" : "") +
                           (open_ ? ", open" : "");
  }

  SparseProblem build() {
    makeColumns();
    for (int i = 0; i < rows_; ++i) makeRow();
    repeatColumns();
    makeCosts();
    fill();
    return std::move(problem_);
  }

 private:
  using Entries = std::vector<std::pair<int, double>>;

  double number(int most) {
    double const value = 1 + draw_.below(8 * most);
    double const sign = draw_.oneIn(2) ? 1.0 : -1.0;
    return sign * (rough_ ? value * (0.5 + draw_.unit()) : value) / 8.0;
  }

  // A point in the bounds that all rows will hold.
  void makeColumns() {
    for (int j = 0; j < columns_; ++j) {
      double const x = draw_.oneIn(3) ? 0.0 : number(4);
      double lower = x - (draw_.oneIn(2) ? 0.0 : std::fabs(number(3)));
      double upper = x + (draw_.oneIn(3) ? 0.0 : std::fabs(number(5)));
      int const kind = draw_.below(10);
      if (kind < 4) upper = infinity;
      if (kind == 4) lower = -infinity;
      if (kind == 5) lower = -infinity, upper = infinity;
      if (kind == 6) lower = upper = x;
      point_.push_back(std::clamp(x, lower, upper));
      problem_.lp.columnLower.push_back(lower);
      problem_.lp.columnUpper.push_back(upper);
    }
  }

  void makeRow() {
    Entries row;
    if (!rowsMade_.empty() && draw_.oneIn(10)) {
      double const factor = draw_.oneIn(2) ? 1.0 : number(2);
      for (auto const& [j, a] : rowsMade_[at(draw_.below(static_cast<int>(rowsMade_.size())))])
        row.emplace_back(j, factor * a);
    } else {
      static constexpr int lengths[] = {0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 12};
      int const length = std::min(columns_, lengths[at(draw_.below(12))]);
      while (static_cast<int>(row.size()) < length) {
        int const j = draw_.below(columns_);
        bool const taken =
            std::any_of(row.begin(), row.end(), [j](auto const& e) { return e.first == j; });
        if (!taken) row.emplace_back(j, draw_.oneIn(2) ? 1.0 : number(4));
      }
    }
    double activity = 0.0, least = 0.0, most = 0.0;
    for (auto const& [j, a] : row) {
      activity += a * point_[at(j)];
      double const l = problem_.lp.columnLower[at(j)], u = problem_.lp.columnUpper[at(j)];
      least += a > 0 ? a * l : a * u;
      most += a > 0 ? a * u : a * l;
    }
    double lower = activity - (draw_.oneIn(2) ? 0.0 : std::fabs(number(4)));
    double upper = activity + (draw_.oneIn(2) ? 0.0 : std::fabs(number(4)));
    switch (draw_.below(8)) {
      case 0:
      case 1:
        lower = upper = activity;
        break;
      case 2:
      case 3:
        lower = -infinity;
        break;
      case 4:
      case 5:
        upper = infinity;
        break;
      case 6:
        // A forcing row, or one that says nothing.
        if (std::isfinite(least) && draw_.oneIn(2)) lower = -infinity, upper = least;
        if (std::isfinite(most) && draw_.oneIn(2)) lower = -infinity, upper = most;
        break;
      default:
        break;
    }
    if (infeasible_ && draw_.oneIn(6)) {
      double const shift = std::fabs(number(6));
      lower += shift;
      upper += shift;
    }
    rowsMade_.push_back(std::move(row));
    problem_.lp.rowLower.push_back(lower);
    problem_.lp.rowUpper.push_back(upper);
  }

  // What a new column would change of the rows' activities is zero: its point is 0.
  void repeatColumns() {
    int const before = columns_;
    for (int j = 0; j < before; ++j) {
      if (!draw_.oneIn(15)) continue;
      double const factor = draw_.oneIn(2) ? 1.0 : number(2);
      for (auto& row : rowsMade_)
        for (std::size_t e = 0, end = row.size(); e < end; ++e)
          if (row[e].first == j) row.emplace_back(columns_, factor * row[e].second);
      ++columns_;
      problem_.lp.columnLower.push_back(draw_.oneIn(4) ? -std::fabs(number(2)) : 0.0);
      problem_.lp.columnUpper.push_back(draw_.oneIn(2) ? infinity : std::fabs(number(4)));
    }
  }

  // c = A'y + d with the signs of an optimal basis, unless the problem is to be open.
  void makeCosts() {
    LinearProgram& lp = problem_.lp;
    std::vector<double> costs(at(columns_), 0.0);
    for (std::size_t i = 0; i < rowsMade_.size(); ++i) {
      double y = draw_.oneIn(2) ? 0.0 : number(3);
      if (lp.rowLower[i] == -infinity) y = -std::fabs(y);
      if (lp.rowUpper[i] == infinity) y = std::fabs(y);
      for (auto const& [j, a] : rowsMade_[i]) costs[at(j)] += a * y;
    }
    for (int j = 0; j < columns_; ++j) {
      double d = draw_.oneIn(3) ? 0.0 : number(3);
      double const l = lp.columnLower[at(j)], u = lp.columnUpper[at(j)];
      if (l == -infinity) d = -std::fabs(d);
      if (u == infinity) d = l == -infinity ? 0.0 : std::fabs(d);
      if (open_ && draw_.oneIn(10)) d = -d;
      costs[at(j)] += d;
    }
    bool const maximize = draw_.oneIn(3);
    lp.sense = maximize ? Sense::maximize : Sense::minimize;
    if (maximize)
      for (double& c : costs) c = -c;
    lp.objective = std::move(costs);
    lp.objectiveOffset = draw_.oneIn(2) ? 0.0 : number(9);
  }

  void fill() {
    SparseMatrix byRows;
    byRows.rows = columns_;
    byRows.columns = rows_;
    for (auto const& row : rowsMade_) {
      for (auto const& [j, a] : row) {
        byRows.indices.push_back(j);
        byRows.values.push_back(a);
      }
      byRows.starts.push_back(static_cast<std::int64_t>(byRows.indices.size()));
    }
    problem_.lp.matrix = byRows.transposed();
  }

  Random draw_;
  bool rough_, infeasible_, open_;
  int rows_, columns_;
  std::vector<double> point_;
  std::vector<Entries> rowsMade_;
  SparseProblem problem_;
};

}  // namespace

SparseProblem sparseProblem(std::uint64_t seed) {
  return Builder(seed).build();
}

}  // namespace osi_cuda::testing
