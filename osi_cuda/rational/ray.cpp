// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/rational/certificates.hpp"
#include "osi_cuda/rational/dyadic.hpp"
#include "osi_cuda/rational/exact_point.hpp"
#include "osi_cuda/rational/proof_attempt.hpp"

namespace osi_cuda::rational {
namespace {

using std::size_t;

/// What stops a movement: the bound on its side.
bool mayMove(LinearProgram const& lp, int variable, int direction) {
  if (direction == 0) return true;
  return !std::isfinite(direction > 0 ? upperBound(lp, variable) : lowerBound(lp, variable));
}

/// Movements of the nonbasic variables as `ray` has them, without those that are rounding or that a
/// bound forbids; length n + m.
std::vector<double> nonbasicMoves(LinearProgram const& lp, Placement const& placement,
                                  std::span<double const> ray, double tolerance) {
  int const n = lp.columns();
  std::vector<double> moves(at(n + lp.rows()), 0.0);
  std::vector<long double> change(at(lp.rows()), 0.0L), terms(at(lp.rows()), 0.0L);
  double largest = 0.0;
  for (double const value : ray) largest = std::max(largest, std::fabs(value));
  std::vector<char> basic(at(n), 0);
  for (int const j : placement.columns) basic[at(j)] = 1;
  for (int j = 0; j < n; ++j) {
    for (auto const [row, entry] : lp.matrix.column(j)) {
      long double const term = static_cast<long double>(entry) * ray[at(j)];
      change[at(row)] += term;
      terms[at(row)] += std::fabs(term);
    }
    if (!basic[at(j)] && std::fabs(ray[at(j)]) > tolerance * largest) moves[at(j)] = ray[at(j)];
  }
  for (int const i : placement.rows)
    if (std::fabs(change[at(i)]) > static_cast<long double>(tolerance) * terms[at(i)])
      moves[at(n + i)] = static_cast<double>(change[at(i)]);
  for (int v = 0; v < n + lp.rows(); ++v) {
    double& move = moves[at(v)];
    if (!std::isfinite(move) || !mayMove(lp, v, (move > 0) - (move < 0))) move = 0.0;
  }
  return moves;
}

class RayProver {
 public:
  RayProver(LinearProgram const& lp, LinearSystem const& system, Watch& watch, bool fractions)
      : lp_(lp), system_(system), watch_(watch), fractions_(fractions) {
    result_.outcome = Outcome::refuted;
  }

  CertificateCheck& result() { return result_; }

  /// Is the basic solution within all bounds?
  bool judgePoint(std::vector<double> const& rest) {
    ExactPoint const x(lp_, system_, rest, watch_);
    for (int v = 0; v < lp_.columns() + lp_.rows(); ++v) {
      Integer const value = x.value(v);
      double const nearest = toDouble(value.get(), x.denominator());
      for (bool const upper : {false, true}) {
        double const bound = upper ? upperBound(lp_, v) : lowerBound(lp_, v);
        if (!std::isfinite(bound)) continue;
        Integer beyond = x.less(value, bound);
        if (!upper) fmpz_neg(beyond.get(), beyond.get());
        if (fmpz_sgn(beyond.get()) <= 0) continue;
        refuse(variableName(lp_, v) + " lies " + brief(toDouble(beyond.get(), x.denominator())) +
               " beyond a bound");
        return false;
      }
      if (v < lp_.columns()) point_.push_back(nearest);
      if (v < lp_.columns() && fractions_)
        pointFractions_.push_back(toFraction(value.get(), x.denominator()));
    }
    return true;
  }

  /// Do the movements of the nonbasic variables and what follows from them improve without end?
  bool judgeRay(std::vector<double> const& moves) {
    LinearProgram cone = lp_;  // the same matrix: only directions matter
    cone.objectiveOffset = 0.0;
    ExactPoint const ray(cone, system_, moves, watch_);
    for (int v = 0; v < lp_.columns() + lp_.rows(); ++v) {
      Integer const move = ray.value(v);
      if (mayMove(lp_, v, fmpz_sgn(move.get()))) continue;
      refuse(variableName(lp_, v) + " moves by " + brief(toDouble(move.get(), ray.denominator())) +
             " towards a bound");
      return false;
    }
    Fractions const slope = ray.objective();
    int const improving = lp_.sense == Sense::minimize ? -1 : 1;
    if (fmpz_sgn(slope.numerators[0]) != improving) {
      refuse("the objective changes by " +
             brief(toDouble(slope.numerators[0], slope.denominator.get())) + " along the ray");
      return false;
    }
    result_.outcome = Outcome::proved;
    result_.message = "The problem is unbounded, proved in exact arithmetic.";
    auto const step = [&](int j) { return ray.value(j); };
    handOut(lp_.columns(), step, 1.0, result_);
    result_.point = point_;
    if (!fractions_) return true;
    result_.certificateFractions =
        fractionsOf(lp_.columns(), step, contentOf(lp_.columns(), step).get());
    result_.pointFractions = pointFractions_;
    return true;
  }

 private:
  void refuse(std::string const& why) {
    result_.message = "The problem is not proved unbounded in exact arithmetic: " + why + ".";
  }

  LinearProgram const& lp_;
  LinearSystem const& system_;
  Watch& watch_;
  bool const fractions_;
  CertificateCheck result_;
  std::vector<double> point_;
  std::vector<std::string> pointFractions_;
};

/// movesOf(placement): what to try, one after the other.
CertificateCheck prove(LinearProgram const& lp, Basis const& basis, Limits limits, bool fractions,
                       auto const& movesOf) {
  return attempt(lp, basis, std::move(limits), [&](Watch& watch, CertificateCheck& result) {
    Placement const placement = placementOf(lp, basis);
    LinearSystem const system(lp.matrix, placement.rows, placement.columns, watch);
    if (refuseSingular(lp, system, result)) return;
    RayProver prover(lp, system, watch, fractions);
    if (prover.judgePoint(placement.rest))
      for (std::vector<double> const& moves : movesOf(placement))
        if (prover.judgeRay(moves)) break;
    result = std::move(prover.result());
  });
}

}  // namespace

CertificateCheck proveUnbounded(LinearProgram const& lp, Basis const& basis, int variable,
                                int direction, Limits limits, bool fractions) {
  return prove(lp, basis, std::move(limits), fractions, [&](Placement const&) {
    std::vector<double> moves(at(lp.columns() + lp.rows()), 0.0);
    moves[at(variable)] = direction;
    return std::vector<std::vector<double>>{std::move(moves)};
  });
}

CertificateCheck proveUnbounded(LinearProgram const& lp, Basis const& basis,
                                std::span<double const> ray, Limits limits, bool fractions) {
  return prove(lp, basis, std::move(limits), fractions, [&](Placement const& placement) {
    std::vector<std::vector<double>> all;
    bool const usable = ray.size() == at(lp.columns()) &&
                        std::ranges::all_of(ray, [](double r) { return std::isfinite(r); });
    for (double const tolerance : zeroTolerances) {
      if (!usable) break;
      std::vector<double> moves = nonbasicMoves(lp, placement, ray, tolerance);
      if (all.empty() || all.back() != moves) all.push_back(std::move(moves));
    }
    if (all.empty()) all.emplace_back(at(lp.columns() + lp.rows()), 0.0);
    return all;
  });
}

}  // namespace osi_cuda::rational
