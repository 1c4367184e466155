// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/residuals.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "osi_cuda/model/double_double.hpp"
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
  DoubleDouble value;
  double scale = 0.0;

  void add(DoubleDouble const& term) {
    value += term;
    scale += std::fabs(term.hi);
  }
};

/// A vector in two parts, of which the second may be missing.
class Parts {
 public:
  Parts(std::span<double const> high, std::span<double const> low) : high_(high), low_(low) {}
  bool fits(std::size_t length) const {
    return high_.size() == length && (low_.empty() || low_.size() == length) && allFinite(high_) &&
           allFinite(low_);
  }
  bool isZero(std::size_t i) const { return high_[i] == 0.0; }
  DoubleDouble operator[](std::size_t i) const {
    return low_.empty() ? DoubleDouble(high_[i]) : double_double::twoSum(high_[i], low_[i]);
  }
  double zero(double asked) const {
    return asked >= 0.0 ? asked : low_.empty() ? roundedZero : extendedZero;
  }

 private:
  std::span<double const> high_, low_;
};

/// (A'y)_j
Sum columnTimes(SparseMatrix const& matrix, int j, Parts const& y) {
  Sum product;
  auto const rows = matrix.columnIndices(j);
  auto const values = matrix.columnValues(j);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    auto const i = static_cast<std::size_t>(rows[k]);
    if (!y.isZero(i)) product.add(y[i] * values[k]);
  }
  return product;
}

/// A x and, if asked for, A'y of vectors in two parts: numbers that cancel to their last bits.
Products productsOfParts(SparseMatrix const& matrix, Parts const& x, Parts const& y,
                         bool transposed) {
  std::vector<DoubleDouble> activity(static_cast<std::size_t>(matrix.rows));
  Products result;
  for (int j = 0; j < matrix.columns; ++j) {
    auto const rows = matrix.columnIndices(j);
    auto const values = matrix.columnValues(j);
    if (!x.isZero(j))
      for (std::size_t k = 0; k < rows.size(); ++k) activity[rows[k]] += x[j] * values[k];
    if (!transposed) continue;
    DoubleDouble const product = columnTimes(matrix, j, y).value;
    result.product.push_back(Extended(product.hi) + product.lo);
  }
  for (DoubleDouble const& sum : activity) result.activity.push_back(Extended(sum.hi) + sum.lo);
  return result;
}

double boundViolation(Extended value, double lower, double upper) {
  if (lower == infinity || upper == -infinity) return infinity;  // no number satisfies these
  Extended violation = 0.0L;
  if (value < lower) violation = (lower - value) / (1.0L + std::fabs(lower));
  if (value > upper) violation = std::max(violation, (value - upper) / (1.0L + std::fabs(upper)));
  return static_cast<double>(violation);
}

double primalResidual(LinearProgram const& lp, std::span<double const> x,
                      std::span<double const> low, std::vector<Extended> const& activity) {
  double largest = 0.0;
  for (int j = 0; j < lp.columns(); ++j)
    largest =
        std::max(largest, boundViolation(low.empty() ? Extended(x[j]) : Extended(x[j]) + low[j],
                                         lp.columnLower[j], lp.columnUpper[j]));
  for (int i = 0; i < lp.rows(); ++i)
    largest = std::max(largest, boundViolation(activity[i], lp.rowLower[i], lp.rowUpper[i]));
  return largest;
}

Extended extendedObjective(LinearProgram const& lp, std::span<double const> x,
                           std::span<double const> low = {}) {
  Extended sum = lp.objectiveOffset;
  for (int j = 0; j < lp.columns(); ++j) sum += Extended(lp.objective[j]) * x[j];
  if (!low.empty())
    for (int j = 0; j < lp.columns(); ++j) sum += Extended(lp.objective[j]) * low[j];
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

/// The part of a column's or row's step along a ray that goes towards a finite bound.
double stepTowardsBound(double step, double lower, double upper) {
  if (step > 0.0 && std::isfinite(upper)) return step;
  if (step < 0.0 && std::isfinite(lower)) return -step;
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

double objectiveOf(LinearProgram const& lp, std::span<double const> x,
                   std::span<double const> low) {
  return static_cast<double>(extendedObjective(lp, x, low));
}

Residuals residualsOf(LinearProgram const& lp, Solution const& solution) {
  auto const& x = solution.columnValues;
  auto const& y = solution.rowDuals;
  auto const& xLow = solution.columnValuesLow;
  auto const& yLow = solution.rowDualsLow;
  auto const n = static_cast<std::size_t>(lp.columns()), m = static_cast<std::size_t>(lp.rows());
  Residuals residuals{infinity, infinity, infinity};
  if (!Parts(x, xLow).fits(n)) return residuals;
  bool const multipliers = Parts(y, yLow).fits(m);
  auto const [activity, product] =
      xLow.empty() && yLow.empty()
          ? productsOf(lp.matrix, x,
                       multipliers ? std::span<double const>(y) : std::span<double const>())
          : productsOfParts(lp.matrix, Parts(x, xLow), Parts(y, yLow), multipliers);
  residuals.primal = primalResidual(lp, x, xLow, activity);
  if (!multipliers) return residuals;

  auto const whole = [](std::vector<double> const& high, std::vector<double> const& low, int i) {
    return low.empty() ? Extended(high[i]) : Extended(high[i]) + low[i];
  };
  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  DualLedger ledger(extendedObjective(lp, x, xLow));
  for (int j = 0; j < lp.columns(); ++j) {
    Extended const reducedCost = lp.objective[j] - (y.empty() ? 0.0L : product[j]);
    ledger.charge(sign * reducedCost, whole(x, xLow, j), lp.columnLower[j], lp.columnUpper[j],
                  lp.objective[j]);
  }
  for (int i = 0; i < lp.rows(); ++i)
    ledger.charge(sign * whole(y, yLow, i), activity[i], lp.rowLower[i], lp.rowUpper[i], 0.0);
  residuals.dual = static_cast<double>(ledger.dual());
  residuals.complementarity = static_cast<double>(ledger.complementarity());
  return residuals;
}

FarkasProof verifyFarkas(LinearProgram const& lp, std::span<double const> y,
                         std::span<double const> yLow, double zero) {
  FarkasProof proof;
  if (proveByCrossedBounds(lp, proof)) return proof;
  proof.gap = -infinity;
  Parts const multipliers(y, yLow);
  if (!multipliers.fits(static_cast<std::size_t>(lp.rows()))) return proof;

  zero = multipliers.zero(zero);
  Sum gap;
  double reach = 0.0;  // by so much the gap falls if every bound b gives way by 1 + |b|
  for (int i = 0; i < lp.rows(); ++i) {
    if (multipliers.isZero(i)) continue;
    DoubleDouble const own = multipliers[i];
    double const bound = own.hi > 0.0 ? lp.rowLower[i] : lp.rowUpper[i];
    if (!std::isfinite(bound)) return proof;
    gap.add(own * bound);
    reach += std::fabs(own.hi) * (1.0 + std::fabs(bound));
  }
  for (int j = 0; j < lp.columns(); ++j) {
    Sum const z = columnTimes(lp.matrix, j, multipliers);
    if (z.value.isZero()) continue;
    double const bound = z.value.hi > 0.0 ? lp.columnUpper[j] : lp.columnLower[j];
    if (std::isfinite(bound)) {
      gap.add(-(z.value * bound));
      reach += std::fabs(z.value.hi) * (1.0 + std::fabs(bound));
    } else if (!(std::fabs(z.value.hi) <= zero * z.scale)) {
      return proof;
    }
  }
  proof.gap = gap.value.hi;
  proof.scale = gap.scale;
  proof.proved = gap.value.hi > zero * gap.scale;
  if (proof.proved) proof.margin = reach > 0.0 ? proof.gap / reach : infinity;
  return proof;
}

RayProof verifyRay(LinearProgram const& lp, std::span<double const> x, std::span<double const> ray,
                   double feasibility, std::span<double const> rayLow, double zero,
                   std::span<double const> xLow) {
  RayProof proof;
  proof.pointViolation = proof.rayViolation = infinity;
  auto const n = static_cast<std::size_t>(lp.columns());
  Parts const direction(ray, rayLow);
  if (!Parts(x, xLow).fits(n) || !direction.fits(n)) return proof;
  auto const activity =
      xLow.empty() ? productsOf(lp.matrix, x, {}).activity
                   : productsOfParts(lp.matrix, Parts(x, xLow), Parts({}, {}), false).activity;
  proof.pointViolation = primalResidual(lp, x, xLow, activity);
  double largest = 0.0;
  for (double const a : ray) largest = std::max(largest, std::fabs(a));
  if (largest == 0.0) return proof;

  zero = direction.zero(zero);
  std::vector<Sum> rowSteps(lp.rows());
  Sum slope;
  double reach = 0.0;
  proof.rayViolation = 0.0;
  for (int j = 0; j < lp.columns(); ++j) {
    if (direction.isZero(j)) continue;
    DoubleDouble const step = direction[j];
    proof.rayViolation =
        std::max(proof.rayViolation,
                 stepTowardsBound(step.hi, lp.columnLower[j], lp.columnUpper[j]) / largest);
    slope.add(step * lp.objective[j]);
    reach += std::fabs(step.hi) * (1.0 + std::fabs(lp.objective[j]));
    auto const rows = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t k = 0; k < rows.size(); ++k) rowSteps[rows[k]].add(step * values[k]);
  }
  for (int i = 0; i < lp.rows(); ++i) {
    if (rowSteps[i].scale == 0.0) continue;
    double const relative = rowSteps[i].value.hi / rowSteps[i].scale;
    proof.rayViolation =
        std::max(proof.rayViolation, stepTowardsBound(relative, lp.rowLower[i], lp.rowUpper[i]));
  }
  proof.slope = slope.value.hi / largest;
  double const gain = lp.sense == Sense::maximize ? slope.value.hi : -slope.value.hi;
  proof.proved = gain > zero * slope.scale && proof.rayViolation <= zero &&
                 proof.pointViolation <= feasibility;
  if (proof.proved) proof.margin = gain / reach;
  return proof;
}

BoundProof verifyBound(LinearProgram const& lp, std::span<double const> y, double limit,
                       double tolerance) {
  BoundProof proof;
  if (!Parts(y, {}).fits(static_cast<std::size_t>(lp.rows()))) return proof;
  Extended const sign = lp.sense == Sense::maximize ? -1.0L : 1.0L;
  Extended bound = sign * lp.objectiveOffset, scale = std::fabs(bound), rounding = 0.0L;
  bool finite = true;
  auto const add = [&](Extended d, double lower, double upper, double cost) {
    double const at = d > 0.0L ? lower : upper;
    if (d == 0.0L) return;
    if (std::isfinite(at)) {
      bound += d * at;
      scale += std::fabs(d * at);
    } else if (!(std::fabs(d) <= tolerance * (1.0L + std::fabs(cost)))) {
      finite = false;
    }
  };
  for (int j = 0; j < lp.columns(); ++j) {
    auto const rows = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    Extended d = lp.objective[j], terms = std::fabs(d);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      Extended const term = Extended(values[k]) * y[rows[k]];
      d -= term;
      terms += std::fabs(term);
    }
    double const at = sign * d > 0.0L ? lp.columnLower[j] : lp.columnUpper[j];
    if (std::isfinite(at)) rounding += terms * std::fabs(at);
    add(sign * d, lp.columnLower[j], lp.columnUpper[j], lp.objective[j]);
  }
  for (int i = 0; i < lp.rows(); ++i) add(sign * y[i], lp.rowLower[i], lp.rowUpper[i], 0.0);
  // 2^-64 for each of the additions that went into it.
  Extended const noise = 0x1p-60L * (rounding + scale);
  proof.bound = static_cast<double>(sign * bound);
  proof.scale = static_cast<double>(scale);
  proof.proved = finite && std::isfinite(proof.bound) && bound - noise > sign * Extended(limit);
  return proof;
}

}  // namespace osi_cuda
