// SPDX-License-Identifier: EPL-2.0
#include "tests/support/hard_problems.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

class Maker {
 public:
  Maker(PackedBatch& batch, std::uint64_t seed) : batch_(batch), random_(seed, 501) {}

  void add() {
    int const m = 1 + below(6), n = 1 + below(6);
    spread_ = below(4) == 0 ? 25 : below(3) == 0 ? 8 : 0;
    std::vector<double> x(at(n)), row(at(n)), before;
    batch_.rows.push_back(m);
    batch_.columns.push_back(n);
    batch_.offset.push_back(below(4) == 0 ? quarters(40) : 0.0);
    batch_.sense.push_back(below(2) == 0 ? Sense::minimize : Sense::maximize);
    for (int j = 0; j < n; ++j) addColumn(x[at(j)]);
    for (int i = 0; i < m; ++i) {
      bool const repeats = i > 0 && below(8) == 0;
      for (int j = 0; j < n; ++j) {
        double const entry = below(3) == 0 ? 0.0 : scaled(quarters(12));
        row[at(j)] = repeats ? before[at(j)] * (1.0 + below(3) * 0x1p-40) : entry;
      }
      batch_.matrix.insert(batch_.matrix.end(), row.begin(), row.end());
      addRow(std::inner_product(row.begin(), row.end(), x.begin(), 0.0));
      before = row;
    }
    if (below(60) == 0) spoil(at(m), at(n));
  }

 private:
  int below(int count) { return random_.below(count); }
  double quarters(int most) { return random_.quarters(most); }
  double scaled(double number) {
    return spread_ == 0 || below(2) == 0 ? number
                                         : std::ldexp(number, below(2 * spread_ + 1) - spread_);
  }
  /// The number, or one that differs from it by little.
  double near(double number) {
    constexpr double steps[] = {0.0, 0.0, 0.0, 1e-14, 1e-10, 3e-9, 1e-7};
    double const step = steps[below(7)] * (below(2) == 0 ? 1.0 : -1.0);
    return number + step * (1.0 + std::fabs(number));
  }

  void addColumn(double& x) {
    double const cost = quarters(8);
    batch_.objective.push_back(below(6) == 0 ? cost * 1e-10 : scaled(cost));
    double lower = quarters(8), upper = infinity;
    switch (below(6)) {
      case 0:
        upper = lower + 1e12;
        break;
      case 1:
        upper = lower + 0.25 * below(20);
        break;
      case 2:
        lower = -infinity;
        upper = below(2) == 0 ? infinity : quarters(8);
        break;
      case 3:
        upper = near(lower);
        break;
      default:
        lower = 0.0;
    }
    batch_.columnLower.push_back(lower);
    batch_.columnUpper.push_back(upper);
    double const from = std::isfinite(lower) ? lower : std::isfinite(upper) ? upper : 0.0;
    x = below(2) == 0 ? from : from + 0.25 * below(8);
  }

  void addRow(double activity) {
    double lower = -infinity, upper = near(activity);
    if (below(3) == 0) lower = near(upper);
    if (below(4) == 0) {
      std::swap(lower, upper);
      if (!std::isfinite(upper)) upper = infinity;
    }
    if (!std::isfinite(lower)) lower = -infinity;
    batch_.rowLower.push_back(lower);
    batch_.rowUpper.push_back(upper);
  }

  /// A number that no problem can have, or one that overflows.
  void spoil(std::size_t m, std::size_t n) {
    constexpr double numbers[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity,
                                  1e300, 1e-300};
    double const number = numbers[below(5)];
    switch (below(4)) {
      case 0:
        batch_.matrix[batch_.matrix.size() - 1 - at(below(static_cast<int>(m * n)))] = number;
        break;
      case 1:
        batch_.objective.back() = number;
        break;
      case 2:
        batch_.columnUpper.back() = number;
        break;
      default:
        batch_.rowLower.back() = number;
    }
  }

  PackedBatch& batch_;
  Random random_;
  int spread_ = 0;
};

}  // namespace

void addHardProblems(PackedBatch& batch, int count, std::uint64_t seed) {
  Maker maker(batch, seed);
  for (int k = 0; k < count; ++k) maker.add();
}

LinearProgram problemOf(PackedBatch const& batch, std::size_t k) {
  PackedPlace place;
  while (place.k < k) place.skip(batch);
  return problemAt(batch, place);
}

void PackedPlace::skip(PackedBatch const& batch) {
  cell += at(batch.rows[k]) * at(batch.columns[k]);
  column += at(batch.columns[k]);
  row += at(batch.rows[k]);
  ++k;
}

LinearProgram problemAt(PackedBatch const& batch, PackedPlace const& place) {
  auto const& [k, cell, column, row] = place;
  std::size_t const m = at(batch.rows[k]), n = at(batch.columns[k]);
  LinearProgram lp;
  lp.sense = batch.sense[k];
  lp.objectiveOffset = batch.offset[k];
  lp.matrix.rows = batch.rows[k];
  lp.matrix.columns = batch.columns[k];
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) {
      double const entry = batch.matrix[cell + i * n + j];
      if (entry == 0.0) continue;
      lp.matrix.indices.push_back(static_cast<int>(i));
      lp.matrix.values.push_back(entry);
    }
    lp.matrix.starts.push_back(static_cast<std::int64_t>(lp.matrix.indices.size()));
  }
  auto const piece = [](std::vector<double> const& array, std::size_t from, std::size_t length) {
    auto const begin = array.begin() + static_cast<std::ptrdiff_t>(from);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(length));
  };
  lp.objective = piece(batch.objective, column, n);
  lp.columnLower = piece(batch.columnLower, column, n);
  lp.columnUpper = piece(batch.columnUpper, column, n);
  lp.rowLower = piece(batch.rowLower, row, m);
  lp.rowUpper = piece(batch.rowUpper, row, m);
  return lp;
}

}  // namespace osi_cuda::testing
