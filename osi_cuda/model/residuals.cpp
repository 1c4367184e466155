// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/residuals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "osi_cuda/model/exact_sums.hpp"

namespace osi_cuda {
namespace {

// 64 bits of mantissa where the hardware has them: products of doubles are then rounded at 5e-20.
using Extended = long double;

constexpr double relativeNoise = 1e-9;

bool allFinite(std::span<double const> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double a) { return std::isfinite(a); });
}

constexpr std::size_t worthThreads = 200000;  ///< entries from which threads are worth waking

constexpr std::size_t worthVectors = 32;  ///< length of a column from which vectors pay

/// A x, and A'y where y is given.
struct Products {
  std::vector<Extended> activity, product;
};

/// A x of some columns: pairs of doubles from columns without gaps, long doubles from the others.
struct Strip {
  std::unique_ptr<double[]> hi, lo;
  std::unique_ptr<Extended[]> rest;

  void addTimes(std::size_t m, std::size_t first, std::span<double const> values, double x) {
    if (!hi) {
      hi = std::make_unique<double[]>(m);
      lo = std::make_unique<double[]>(m);
    }
    exact::addTimes(values.size(), values.data(), x, hi.get() + first, lo.get() + first);
  }
  void addTimes(std::size_t m, std::span<int const> rows, std::span<double const> values,
                double x) {
    if (!rest) rest = std::make_unique<Extended[]>(m);
    for (std::size_t k = 0; k < rows.size(); ++k) rest[rows[k]] += Extended(values[k]) * x;
  }
};

/// The sum of the strips, in their order; the pairs in that of the first strip that has some.
std::vector<Extended> sumOf(std::vector<Strip> const& strips, std::size_t m) {
  constexpr std::size_t piece = 1024;  // stays in the cache from strip to strip
  std::vector<Extended> sum(m, 0.0L);
#pragma omp parallel for schedule(static) if (strips.size() * m >= 5 * worthThreads)
  for (std::size_t begin = 0; begin < m; begin += piece) {
    std::size_t const end = std::min(begin + piece, m);
    Strip const* pairs = nullptr;
    for (Strip const& strip : strips) {
      if (strip.rest)
        for (std::size_t i = begin; i < end; ++i) sum[i] += strip.rest[i];
      if (!strip.hi) continue;
      if (!pairs)
        pairs = &strip;
      else
        exact::add(end - begin, strip.hi.get() + begin, strip.lo.get() + begin,
                   pairs->hi.get() + begin, pairs->lo.get() + begin);
    }
    if (!pairs) continue;
    for (std::size_t i = begin; i < end; ++i) sum[i] += Extended(pairs->hi[i]) + pairs->lo[i];
  }
  return sum;
}

/// Whether the indices are successive numbers.
bool successive(std::span<int const> rows) {
  int scattered = 0;
  int const first = rows.empty() ? 0 : rows.front();
  for (std::size_t k = 0; k < rows.size(); ++k)
    scattered |= rows[k] ^ (first + static_cast<int>(k));
  return scattered == 0;
}

/// (A'y)_j: four sums that wait for each other less than one would.
Extended columnProduct(std::span<int const> rows, std::span<double const> values,
                       std::span<double const> y) {
  Extended sum[4] = {0.0L, 0.0L, 0.0L, 0.0L};
  std::size_t k = 0;
  for (; k + 4 <= rows.size(); k += 4)
    for (std::size_t l = 0; l < 4; ++l) sum[l] += Extended(values[k + l]) * y[rows[k + l]];
  for (; k < rows.size(); ++k) sum[0] += Extended(values[k]) * y[rows[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// One pass over the matrix. Strips of columns are summed by themselves and then in their order:
// their number depends on sizes only, so that the sums don't depend on the number of threads.
Products productsOf(SparseMatrix const& matrix, std::span<double const> x,
                    std::span<double const> y, bool vectors = exact::available()) {
  auto const m = static_cast<std::size_t>(matrix.rows);
  std::int64_t const lines = std::int64_t{matrix.rows} + matrix.columns + 1024;
  std::size_t const strips = std::bit_floor(
      static_cast<std::size_t>(std::clamp<std::int64_t>(matrix.nonzeros() / (8 * lines), 1, 32)));
  Products result;
  std::vector<Strip> strip(strips);
  result.product.assign(y.empty() ? 0 : x.size(), 0.0L);
#pragma omp parallel for schedule(static) if (matrix.values.size() >= worthThreads)
  for (std::size_t s = 0; s < strips; ++s) {
    auto const columns = static_cast<std::size_t>(matrix.columns);
    auto const last = static_cast<int>(columns * (s + 1) / strips);
    for (auto j = static_cast<int>(columns * s / strips); j < last; ++j) {
      auto const rows = matrix.columnIndices(j);
      auto const values = matrix.columnValues(j);
      if (vectors && rows.size() >= worthVectors && successive(rows)) {
        auto const first = static_cast<std::size_t>(rows.front());
        if (!y.empty())
          result.product[j] = exact::product(rows.size(), values.data(), y.data() + first);
        if (x[j] != 0.0) strip[s].addTimes(m, first, values, x[j]);
        continue;
      }
      if (!y.empty()) result.product[j] = columnProduct(rows, values, y);
      if (x[j] != 0.0) strip[s].addTimes(m, rows, values, x[j]);
    }
  }
  result.activity = sumOf(strip, m);
  auto const finite = [](Extended a) { return std::isfinite(a); };
  // What is out of the range of doubles need not be out of that of long doubles.
  if (vectors && !(std::all_of(result.activity.begin(), result.activity.end(), finite) &&
                   std::all_of(result.product.begin(), result.product.end(), finite)))
    return productsOf(matrix, x, y, false);
  return result;
}

/// A sum together with the sum of the absolute values of its terms, which bounds its rounding.
struct Sum {
  Extended value = 0.0L;
  Extended scale = 0.0L;

  void add(Extended term) {
    value += term;
    scale += std::fabs(term);
  }
};

/// (A'y)_j
Sum columnTimes(SparseMatrix const& matrix, int j, std::span<double const> y) {
  Sum product;
  auto const rows = matrix.columnIndices(j);
  auto const values = matrix.columnValues(j);
  for (std::size_t k = 0; k < rows.size(); ++k) product.add(Extended(values[k]) * y[rows[k]]);
  return product;
}

double boundViolation(Extended value, double lower, double upper) {
  if (lower == infinity || upper == -infinity) return infinity;  // no number satisfies these
  Extended violation = 0.0L;
  if (value < lower) violation = (lower - value) / (1.0L + std::fabs(lower));
  if (value > upper) violation = std::max(violation, (value - upper) / (1.0L + std::fabs(upper)));
  return static_cast<double>(violation);
}

double primalResidual(LinearProgram const& lp, std::span<double const> x,
                      std::vector<Extended> const& activity) {
  double largest = 0.0;
  for (int j = 0; j < lp.columns(); ++j)
    largest = std::max(largest, boundViolation(x[j], lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    largest = std::max(largest, boundViolation(activity[i], lp.rowLower[i], lp.rowUpper[i]));
  return largest;
}

Extended extendedObjective(LinearProgram const& lp, std::span<double const> x) {
  Extended sum = lp.objectiveOffset;
  for (int j = 0; j < lp.columns(); ++j) sum += Extended(lp.objective[j]) * x[j];
  return sum;
}

bool restsOn(double bound, Extended value) {
  return std::isfinite(bound) &&
         std::fabs(value - bound) <= atBoundTolerance * (1.0L + std::fabs(bound));
}

/// Charges each reduced cost to the dual residual or to the gap between the objectives. Works on
/// the minimisation problem: the caller changes signs.
class DualLedger {
 public:
  explicit DualLedger(Extended objective) : gapUnit_(1.0L + std::fabs(objective)) {}

  void charge(Extended reducedCost, Extended value, double lower, double upper, double cost) {
    if (reducedCost == 0.0L) return;
    double const wanted = reducedCost > 0.0L ? lower : upper;
    double const other = reducedCost > 0.0L ? upper : lower;
    // A violated bound is charged as primal residual; here it counts as rested on, so that a fixed
    // variable, for which every sign is right, stays right when it is missed by a little.
    Extended const inside = std::clamp<Extended>(value, lower, std::max(lower, upper));
    Extended const gap = reducedCost * (value - wanted);  // infinite where the bound is
    Extended const unit = 1.0L + std::fabs(cost);
    bool const atWanted = restsOn(wanted, inside);
    bool const atOther = restsOn(other, inside);
    // The smaller charge, without divisions: gap / gapUnit_ or reduced cost / unit.
    if (atWanted || (!atOther && std::fabs(gap) * unit <= std::fabs(reducedCost) * gapUnit_)) {
      gap_ += gap;
    } else {
      dual_ = std::max(dual_, std::fabs(reducedCost) / unit);
    }
  }
  Extended dual() const { return dual_; }
  Extended complementarity() const { return std::fabs(gap_) / gapUnit_; }

 private:
  Extended gapUnit_;
  Extended dual_ = 0.0L;
  Extended gap_ = 0.0L;
};

/// The bound-violating part of a column's or row's step along a ray.
double stepTowardsBound(Extended step, double lower, double upper) {
  if (step > 0.0L && std::isfinite(upper)) return static_cast<double>(step);
  if (step < 0.0L && std::isfinite(lower)) return static_cast<double>(-step);
  return 0.0;
}

bool crossed(double lower, double upper) {
  if (lower == infinity || upper == -infinity) return true;
  if (!std::isfinite(lower) || !std::isfinite(upper)) return false;
  return Extended(lower) - upper > relativeNoise * (std::fabs(lower) + std::fabs(upper));
}

/// A proof that needs no multipliers: bounds that leave no room. Returns false when there is none.
bool proveByCrossedBounds(LinearProgram const& lp, FarkasProof& proof) {
  for (int j = 0; j < lp.columns() && proof.crossedColumn < 0; ++j)
    if (crossed(lp.columnLower[j], lp.columnUpper[j])) {
      proof.crossedColumn = j;
      proof.gap = lp.columnLower[j] - lp.columnUpper[j];
      proof.scale = std::fabs(lp.columnLower[j]) + std::fabs(lp.columnUpper[j]);
    }
  for (int i = 0; i < lp.rows() && proof.crossedColumn < 0 && proof.crossedRow < 0; ++i)
    if (crossed(lp.rowLower[i], lp.rowUpper[i])) {
      proof.crossedRow = i;
      proof.gap = lp.rowLower[i] - lp.rowUpper[i];
      proof.scale = std::fabs(lp.rowLower[i]) + std::fabs(lp.rowUpper[i]);
    }
  proof.proved = proof.crossedColumn >= 0 || proof.crossedRow >= 0;
  return proof.proved;
}

}  // namespace

double objectiveOf(LinearProgram const& lp, std::span<double const> x) {
  return static_cast<double>(extendedObjective(lp, x));
}

Residuals residualsOf(LinearProgram const& lp, Solution const& solution) {
  auto const& x = solution.columnValues;
  auto const& y = solution.rowDuals;
  Residuals residuals{infinity, infinity, infinity};
  if (x.size() != static_cast<std::size_t>(lp.columns()) || !allFinite(x)) return residuals;
  bool const multipliers = y.size() == static_cast<std::size_t>(lp.rows()) && allFinite(y);
  auto const [activity, product] = productsOf(
      lp.matrix, x, multipliers ? std::span<double const>(y) : std::span<double const>());
  residuals.primal = primalResidual(lp, x, activity);
  if (!multipliers) return residuals;

  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  DualLedger ledger(extendedObjective(lp, x));
  for (int j = 0; j < lp.columns(); ++j) {
    Extended const reducedCost = lp.objective[j] - (y.empty() ? 0.0L : product[j]);
    ledger.charge(sign * reducedCost, x[j], lp.columnLower[j], lp.columnUpper[j], lp.objective[j]);
  }
  for (int i = 0; i < lp.rows(); ++i)
    ledger.charge(sign * y[i], activity[i], lp.rowLower[i], lp.rowUpper[i], 0.0);
  residuals.dual = static_cast<double>(ledger.dual());
  residuals.complementarity = static_cast<double>(ledger.complementarity());
  return residuals;
}

FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y) {
  FarkasProof proof;
  if (proveByCrossedBounds(lp, proof)) return proof;
  proof.gap = -infinity;
  if (y.size() != static_cast<std::size_t>(lp.rows()) || !allFinite(y)) return proof;

  double largest = 0.0;
  for (double const a : y) largest = std::max(largest, std::fabs(a));
  std::vector<double> multipliers(y.begin(), y.end());
  Sum gap;
  for (int i = 0; i < lp.rows(); ++i) {
    if (multipliers[i] == 0.0) continue;
    double const bound = multipliers[i] > 0.0 ? lp.rowLower[i] : lp.rowUpper[i];
    if (std::isfinite(bound)) {
      gap.add(Extended(multipliers[i]) * bound);
    } else if (std::fabs(multipliers[i]) <= relativeNoise * largest) {
      multipliers[i] = 0.0;
    } else {
      return proof;
    }
  }
  for (int j = 0; j < lp.columns(); ++j) {
    Sum const z = columnTimes(lp.matrix, j, multipliers);
    if (z.value == 0.0L) continue;
    double const bound = z.value > 0.0L ? lp.columnUpper[j] : lp.columnLower[j];
    if (std::isfinite(bound)) {
      gap.add(-z.value * bound);
    } else if (std::fabs(z.value) > relativeNoise * z.scale) {
      return proof;
    }
  }
  proof.gap = static_cast<double>(gap.value);
  proof.scale = static_cast<double>(gap.scale);
  proof.proved = gap.value > relativeNoise * gap.scale;
  return proof;
}

RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility) {
  RayProof proof;
  proof.pointViolation = proof.rayViolation = infinity;
  auto const n = static_cast<std::size_t>(lp.columns());
  if (x.size() != n || ray.size() != n || !allFinite(x) || !allFinite(ray)) return proof;
  proof.pointViolation = primalResidual(lp, x, productsOf(lp.matrix, x, {}).activity);
  double largest = 0.0;
  for (double const a : ray) largest = std::max(largest, std::fabs(a));
  if (largest == 0.0) return proof;

  std::vector<Sum> rowSteps(lp.rows());
  Sum slope;
  proof.rayViolation = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    Extended const step = Extended(ray[j]) / largest;
    proof.rayViolation =
        std::max(proof.rayViolation, stepTowardsBound(step, lp.columnLower[j], lp.columnUpper[j]));
    slope.add(lp.objective[j] * step);
    auto const rows = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t k = 0; k < rows.size(); ++k) rowSteps[rows[k]].add(values[k] * step);
  }
  for (int i = 0; i < lp.rows(); ++i) {
    if (rowSteps[i].scale == 0.0L) continue;
    Extended const relative = rowSteps[i].value / rowSteps[i].scale;
    proof.rayViolation =
        std::max(proof.rayViolation, stepTowardsBound(relative, lp.rowLower[i], lp.rowUpper[i]));
  }
  proof.slope = static_cast<double>(slope.value);
  Extended const gain = lp.sense == Sense::maximize ? slope.value : -slope.value;
  proof.proved = gain > relativeNoise * slope.scale && proof.rayViolation <= relativeNoise &&
                 proof.pointViolation <= feasibility;
  return proof;
}

}  // namespace osi_cuda
