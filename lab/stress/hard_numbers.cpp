// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/hard_numbers.hpp"

#include <cmath>
#include <random>

#include "lab/stress/dense_problem.hpp"

namespace osi_cuda::stress {
namespace {

class Maker {
 public:
  Maker(HardNumbers kind, std::uint64_t seed)
      : kind_(kind), random_(seed * 31 + static_cast<std::uint64_t>(kind)) {}

  LinearProgram make() {
    if (kind_ == HardNumbers::degenerate) return assignment();
    DenseProblem problem(2 + pick(kind_ == HardNumbers::singletons ? 14 : 7), 2 + pick(8));
    for (int i = 0; i < problem.rows; ++i)
      for (int j = 0; j < problem.columns; ++j)
        if (pick(4) != 0) problem.at(i, j) = coefficient();
    if (kind_ == HardNumbers::nearDuplicates) duplicate(problem);
    if (kind_ == HardNumbers::singletons) thin(problem);
    for (int j = 0; j < problem.columns; ++j) {
      problem.lp.objective[at(j)] = cost();
      setColumn(problem.lp, j);
    }
    setRows(problem);
    if (pick(3) == 0) problem.lp.sense = Sense::maximize;
    return problem.finished();
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int pick(int count) { return static_cast<int>(random_() % static_cast<std::uint64_t>(count)); }
  double small() {
    double const value = 1.0 + pick(9);
    return pick(2) == 0 ? value : -value;
  }

  double coefficient() {
    switch (kind_) {
      case HardNumbers::magnitudes:
        return std::ldexp(small() / (1.0 + pick(3)), pick(3) == 0 ? 50 : pick(2) == 0 ? -50 : 0);
      case HardNumbers::integers:
        return pick(2) == 0 ? small() : (pick(2) == 0 ? 0x1p53 : -0x1p53) + pick(5);
      default:
        return pick(3) == 0 ? small() / 3.0 : small();
    }
  }

  double cost() {
    switch (kind_) {
      case HardNumbers::integers:
        return pick(2) == 0 ? small() : 0x1p53 - pick(4);
      case HardNumbers::costs:
        return small() * (everyCost_ || pick(2) == 0 ? 1e30 : 1.0);
      default:
        return small();
    }
  }

  /// The last row and column are those before, but for the last bits of some coefficients.
  void duplicate(DenseProblem& problem) {
    auto const nearly = [&](double value) {
      return pick(3) == 0 ? std::nextafter(value, infinity) : value;
    };
    int const m = problem.rows, n = problem.columns;
    for (int j = 0; j < n; ++j) problem.at(m - 1, j) = nearly(problem.at(m - 2, j));
    for (int i = 0; i < m; ++i) problem.at(i, n - 1) = nearly(problem.at(i, n - 2));
  }

  /// Rows of one tiny coefficient.
  void thin(DenseProblem& problem) {
    for (int i = 0; i < problem.rows; ++i) {
      if (pick(2) == 0) continue;
      for (int j = 0; j < problem.columns; ++j) problem.at(i, j) = 0.0;
      problem.at(i, pick(problem.columns)) = small() * 1e-12;
    }
  }

  void setColumn(LinearProgram& lp, int j) {
    double const far = std::pow(10.0, 20 + pick(21));
    double const top = kind_ == HardNumbers::farBounds && pick(2) == 0  ? far
                       : kind_ == HardNumbers::integers && pick(2) == 0 ? 0x1p53
                                                                        : 1.0 + pick(20);
    switch (pick(5)) {
      case 0:
        lp.columnUpper[at(j)] = top;
        break;
      case 1:
        lp.columnLower[at(j)] = -top;
        lp.columnUpper[at(j)] = top;
        break;
      case 2:
        lp.columnLower[at(j)] = -infinity;
        if (pick(2) == 0) lp.columnUpper[at(j)] = top;
        break;
      default:
        break;
    }
  }

  /// Mostly sides that a point within the columns' bounds satisfies.
  void setRows(DenseProblem& problem) {
    std::vector<double> x;
    for (int j = 0; j < problem.columns; ++j)
      x.push_back(std::max(problem.lp.columnLower[at(j)],
                           std::min(problem.lp.columnUpper[at(j)], static_cast<double>(pick(4)))));
    std::vector<double> const activity = problem.times(x);
    for (int i = 0; i < problem.rows; ++i) {
      double side = activity[at(i)];
      if (pick(8) == 0) side = std::nextafter(side, pick(2) == 0 ? infinity : -infinity);
      if (pick(30) == 0) side = coefficient();
      int const kind = pick(4);
      if (kind != 0) problem.lp.rowLower[at(i)] = side;
      if (kind <= 1) problem.lp.rowUpper[at(i)] = side;
      if (kind == 1 && pick(3) == 0) problem.lp.rowUpper[at(i)] += 1.0;
    }
  }

  /// k x k with equal rows and columns of ones and costs that repeat, and a few cuts through
  /// vertices.
  LinearProgram assignment() {
    int const k = 5 + pick(6), cuts = pick(10);
    DenseProblem problem(2 * k + cuts, k * k);
    for (int j = 0; j < k * k; ++j) {
      problem.at(j / k, j) = problem.at(k + j % k, j) = 1.0;
      problem.lp.objective[at(j)] = pick(4);
    }
    for (int i = 0; i < 2 * k; ++i) problem.lp.rowLower[at(i)] = problem.lp.rowUpper[at(i)] = 1.0;
    for (int i = 2 * k; i < problem.rows; ++i) {
      for (int j = 0; j < k * k; ++j)
        if (pick(3) == 0) problem.at(i, j) = pick(3) - 1.0;
      double activity = 0.0;  // of the diagonal
      for (int j = 0; j < k; ++j) activity += problem.at(i, j * k + j);
      problem.lp.rowUpper[at(i)] = activity;
    }
    return problem.finished();
  }

  HardNumbers kind_;
  std::mt19937_64 random_;
  bool const everyCost_ = random_() % 2 == 0;
};

}  // namespace

char const* toString(HardNumbers kind) {
  constexpr char const* names[] = {"magnitudes", "near_duplicates", "far_bounds", "integers",
                                   "singletons", "costs",           "degenerate"};
  return names[static_cast<int>(kind)];
}

LinearProgram cyclingProblem(std::uint64_t seed) {
  constexpr double entries[6][5] = {{-1, 1, -1, 1, 1},
                                    {-2, -1, 1, 2, 1},
                                    {0.25, -60, -0.04, 9, 0.5},
                                    {1. / 3, -2. / 3, 1, -1, 0.1},
                                    {1, 1, 1, 1, 1},
                                    {1e-3, 1, 1e3, -1, -30}};
  std::mt19937_64 random(seed);
  auto const pick = [&](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  int const m = 20 + pick(21), n = m + pick(60);
  DenseProblem problem(m, n);
  int const style = pick(6), sparsity = 2 + pick(8);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      if (pick(sparsity) == 0) problem.at(i, j) = entries[style][pick(5)];
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] = pick(4) == 0 ? 1.0 : 0.0;
    problem.lp.objective[j] = pick(2) != 0 ? pick(7) - 3 : (pick(100) - 50) / 7.0;
    int const bounds = pick(4);
    if (bounds == 0) problem.lp.columnUpper[j] = 1.0;
    if (bounds == 1) problem.lp.columnUpper[j] = 2.0 + pick(50);
  }
  if (pick(2) != 0) x.assign(x.size(), 0.0);
  std::vector<double> const activity = problem.times(x);
  for (std::size_t i = 0; i < activity.size(); ++i) {
    int const kind = pick(5);
    if (kind <= 2) problem.lp.rowLower[i] = activity[i];
    if (kind != 2) problem.lp.rowUpper[i] = activity[i];
  }
  return problem.finished();
}

LinearProgram hardNumbers(HardNumbers kind, std::uint64_t seed) {
  return Maker(kind, seed).make();
}

}  // namespace osi_cuda::stress
