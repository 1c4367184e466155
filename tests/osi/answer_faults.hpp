// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "OsiSolverInterface.hpp"
#include "tests/osi/exact_faults.hpp"

/// Judges an answer by its own certificate, by sums over the problem as the interface hands it out:
/// nothing of the library's judges is used.
namespace osi_cuda::testing {

inline constexpr double tolerance = 1e-6;  // beside the largest number of a sum

enum class Answer { optimal, infeasible, unbounded, limit, abandoned };

inline char const* toString(Answer answer) {
  constexpr std::array names{"optimal", "infeasible", "unbounded", "limit", "abandoned"};
  return names[static_cast<std::size_t>(answer)];
}

inline Answer answerOf(OsiSolverInterface const& s) {
  if (s.isAbandoned()) return Answer::abandoned;
  if (s.isProvenOptimal()) return Answer::optimal;
  if (s.isProvenPrimalInfeasible()) return Answer::infeasible;
  if (s.isProvenDualInfeasible()) return Answer::unbounded;
  return Answer::limit;
}

/// A number between two bounds, and how large the numbers were that it was made of.
struct Sum {
  long double value = 0.0L;
  double size = 1.0;

  void add(double a, double b) {
    long double const term = static_cast<long double>(a) * b;
    value += term;
    size = std::max(size, static_cast<double>(std::fabs(term)));
  }
  bool isWithin(double lower, double upper) const {
    double const x = static_cast<double>(value);
    return x >= lower - tolerance * std::max(size, std::fabs(lower)) &&
           x <= upper + tolerance * std::max(size, std::fabs(upper));
  }
};

/// Rows times x and columns times y, from the matrix as it is handed out.
struct Products {
  std::vector<Sum> ofRows, ofColumns;

  Products(OsiSolverInterface const& s, double const* x, double const* y)
      : ofRows(static_cast<std::size_t>(s.getNumRows())),
        ofColumns(static_cast<std::size_t>(s.getNumCols())) {
    CoinPackedMatrix const& matrix = *s.getMatrixByCol();
    for (int j = 0; j < s.getNumCols(); ++j) {
      CoinBigIndex const begin = matrix.getVectorFirst(j);
      for (CoinBigIndex e = begin; e < begin + matrix.getVectorSize(j); ++e) {
        int const i = matrix.getIndices()[e];
        double const a = matrix.getElements()[e];
        if (x) ofRows[static_cast<std::size_t>(i)].add(a, x[j]);
        if (y) ofColumns[static_cast<std::size_t>(j)].add(a, y[i]);
      }
    }
  }
};

inline bool isInfinite(double bound) {
  return std::fabs(bound) >= COIN_DBL_MAX;
}

/// The fault of an optimum, or "": x within all bounds, and no multiplier that asks for a bound
/// that x does not rest on.
inline std::string faultOfOptimum(OsiSolverInterface const& s) {
  double const *x = s.getColSolution(), *y = s.getRowPrice();
  Products const products(s, x, y);
  long double objective = 0.0L;
  double offset = 0.0;
  s.getDblParam(OsiObjOffset, offset);
  objective -= offset;
  // The multiplier pulls `value` down where it is positive: a share of the objective is lost by
  // what is left to the bound.
  long double lost = 0.0L;
  double size = 1.0;
  auto const complementary = [&](double pull, Sum const& at, double lower, double upper) {
    double const bound = pull > 0.0 ? lower : upper, small = 1e-7 * (1.0 + std::fabs(pull));
    if (isInfinite(bound)) return std::fabs(pull) <= 10.0 * small;
    lost += std::fabs(static_cast<long double>(pull) * (at.value - bound));
    size = std::max(size, std::fabs(pull * bound));
    return true;
  };
  for (int i = 0; i < s.getNumRows(); ++i) {
    Sum const& activity = products.ofRows[static_cast<std::size_t>(i)];
    double const lower = s.getRowLower()[i], upper = s.getRowUpper()[i];
    if (!activity.isWithin(lower, upper)) return "row " + std::to_string(i) + " is violated";
    if (std::fabs(static_cast<double>(activity.value) - s.getRowActivity()[i]) >
        tolerance * activity.size)
      return "the activity of row " + std::to_string(i) + " is another one";
    if (!complementary(s.getObjSense() * y[i], activity, lower, upper))
      return "the price of row " + std::to_string(i) + " has the wrong sign";
  }
  for (int j = 0; j < s.getNumCols(); ++j) {
    double const lower = s.getColLower()[j], upper = s.getColUpper()[j];
    Sum value;
    value.add(1.0, x[j]);
    if (!value.isWithin(lower, upper)) return "column " + std::to_string(j) + " is violated";
    objective += static_cast<long double>(s.getObjCoefficients()[j]) * x[j];
    size = std::max(size, std::fabs(s.getObjCoefficients()[j] * x[j]));
    Sum d = products.ofColumns[static_cast<std::size_t>(j)];
    d.value = -d.value;
    d.add(s.getObjCoefficients()[j], 1.0);
    double const reduced = static_cast<double>(d.value);
    if (std::fabs(reduced - s.getReducedCost()[j]) > tolerance * d.size)
      return "the reduced cost of column " + std::to_string(j) + " is another one";
    double const pull = s.getObjSense() * reduced;
    // Rounding of the sum, no more.
    if (std::fabs(pull) > tolerance * d.size && !complementary(pull, value, lower, upper))
      return "the reduced cost of column " + std::to_string(j) + " has the wrong sign";
  }
  if (lost > tolerance * size) return "the multipliers lose " + std::to_string(double(lost));
  if (std::fabs(static_cast<double>(objective) - s.getObjValue()) > tolerance * size)
    return "the objective is another one";
  std::vector<int> columns(static_cast<std::size_t>(s.getNumCols())),
      rows(static_cast<std::size_t>(s.getNumRows()));
  s.getBasisStatus(columns.data(), rows.data());
  auto const basics =
      std::count(columns.begin(), columns.end(), 1) + std::count(rows.begin(), rows.end(), 1);
  if (basics != s.getNumRows()) return "the basis has " + std::to_string(basics) + " variables";
  return "";
}

/// The fault of a proof that there is no feasible point: r'A x over all x within the columns'
/// bounds stays above what the rows' bounds allow, in sums of doubles with room for their rounding
/// or exactly. Bounds that cross need no proof.
inline std::string faultOfInfeasibility(OsiSolverInterface const& s) {
  for (int j = 0; j < s.getNumCols(); ++j)
    if (s.getColLower()[j] > s.getColUpper()[j]) return "";
  for (int i = 0; i < s.getNumRows(); ++i)
    if (s.getRowLower()[i] > s.getRowUpper()[i]) return "";
  auto const rays = s.getDualRays(1);
  if (rays.empty() || !rays[0])  // doubles hold none
    return exact::BasicSolution(s).provesInfeasible() ? "" : "there is no dual ray";
  std::unique_ptr<double[]> const ray(rays[0]);
  Products const products(s, nullptr, ray.get());
  double largest = 0.0;
  for (int i = 0; i < s.getNumRows(); ++i) largest = std::max(largest, std::fabs(ray[i]));
  // max of ray'(A x) over the rows' bounds less min over the columns', and the same the other way.
  for (double const sign : {1.0, -1.0}) {
    long double room = 0.0L;
    double size = 0.0;
    bool finite = true;
    auto const add = [&](double factor, double bound) {
      if (isInfinite(bound)) {
        finite = false;
        return;
      }
      room += static_cast<long double>(factor) * bound;
      size = std::max(size, std::fabs(factor * bound));
    };
    for (int i = 0; i < s.getNumRows(); ++i)
      if (double const r = sign * ray[i]; r != 0.0)
        add(r, r > 0.0 ? s.getRowUpper()[i] : s.getRowLower()[i]);
    for (int j = 0; j < s.getNumCols(); ++j) {
      Sum const& sum = products.ofColumns[static_cast<std::size_t>(j)];
      double const c = -sign * static_cast<double>(sum.value);
      if (std::fabs(c) <= 1e-11 * std::max(largest, sum.size)) continue;  // cancels
      add(c, c > 0.0 ? s.getColUpper()[j] : s.getColLower()[j]);
    }
    if (finite && room < -1e-12 * size) return "";
  }
  return exact::provesInfeasible(s, {ray.get(), ray.get() + s.getNumRows()})
             ? ""
             : "the dual ray proves nothing";
}

/// The fault of a ray on which the objective has no end, or "".
inline std::string faultOfRay(OsiSolverInterface const& s) {
  auto const rays = s.getPrimalRays(1);
  if (rays.empty() || !rays[0]) return "there is no primal ray";
  std::unique_ptr<double[]> const ray(rays[0]);
  double const* const x = s.getColSolution();
  Products const point(s, x, nullptr), direction(s, ray.get(), nullptr);
  auto const stays = [](Sum const& along, double lower, double upper) {
    double const small = 1e-8 * along.size, step = static_cast<double>(along.value);
    return (step >= -small || isInfinite(lower)) && (step <= small || isInfinite(upper));
  };
  long double gain = 0.0L;
  double size = 0.0;
  for (int j = 0; j < s.getNumCols(); ++j) {
    Sum value, along;
    value.add(1.0, x[j]);
    along.add(1.0, ray[j]);
    along.size = std::fabs(ray[j]);
    if (!value.isWithin(s.getColLower()[j], s.getColUpper()[j])) return "its point is infeasible";
    if (ray[j] != 0.0 && !stays(along, s.getColLower()[j], s.getColUpper()[j]))
      return "the ray leaves a column's bounds";
    gain += static_cast<long double>(s.getObjSense() * s.getObjCoefficients()[j]) * ray[j];
    size = std::max(size, std::fabs(s.getObjCoefficients()[j] * ray[j]));
  }
  for (int i = 0; i < s.getNumRows(); ++i) {
    auto const k = static_cast<std::size_t>(i);
    if (!point.ofRows[k].isWithin(s.getRowLower()[i], s.getRowUpper()[i]))
      return "its point is infeasible in row " + std::to_string(i);
    if (!stays(direction.ofRows[k], s.getRowLower()[i], s.getRowUpper()[i]))
      return "the ray leaves the bounds of row " + std::to_string(i);
  }
  return gain < -1e-9 * size ? "" : "the objective gains nothing on the ray";
}

/// By how much the objective of the point of `a` may lie beyond the optimum as far as the
/// multipliers of `b` tell: weak duality, with the bounds that the point violates.
inline double objectiveOfViolations(OsiSolverInterface const& a, OsiSolverInterface const& b) {
  Products const products(a, a.getColSolution(), nullptr);
  long double sum = 0.0L;
  auto const add = [&](double multiplier, long double value, double lower, double upper) {
    long double const beyond = std::max({0.0L, lower - value, value - upper});
    sum += std::fabs(multiplier) * beyond;
  };
  for (int j = 0; j < a.getNumCols(); ++j)
    add(b.getReducedCost()[j], a.getColSolution()[j], a.getColLower()[j], a.getColUpper()[j]);
  for (int i = 0; i < a.getNumRows(); ++i)
    add(b.getRowPrice()[i], products.ofRows[static_cast<std::size_t>(i)].value, a.getRowLower()[i],
        a.getRowUpper()[i]);
  return static_cast<double>(sum);
}

inline std::string faultOf(OsiSolverInterface const& s) {
  switch (answerOf(s)) {
    case Answer::optimal:
      return faultOfOptimum(s);
    case Answer::infeasible:
      return faultOfInfeasibility(s);
    case Answer::unbounded:
      return faultOfRay(s);
    case Answer::limit:
      return "";
    case Answer::abandoned:
      return exact::faultOfAbandonment(s);
  }
  return "";
}

}  // namespace osi_cuda::testing
