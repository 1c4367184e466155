// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/simplex/refinement.hpp"

namespace osi_cuda::testing {

inline double distance(std::vector<double> const& a, std::vector<double> const& b) {
  double worst = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k)
    worst = std::max(worst, std::fabs(a[k] - b[k]) / (1.0 + std::fabs(b[k])));
  return worst;
}

/// An engine's own verdict is the one of the verifier: of the doubles that it hands out, and of
/// the refined point that they are rounded from. Returns it; nothing where the engine has none.
inline std::optional<VerifiedPoint> checkVerifiedPoint(LinearProgram const& lp,
                                                       StandardForm const& form, Engine& engine,
                                                       std::string const& where) {
  auto* const verifier = engine.as<VerifiesPoints>();
  if (verifier == nullptr) return std::nullopt;
  std::optional<VerifiedPoint> const point = verifier->verifiedPoint(lp);
  BOOST_TEST_REQUIRE(point.has_value(), where);
  Solution rounded;
  rounded.columnValues = point->columnValues;
  rounded.rowDuals = point->rowDuals;
  Solution const refined = refinedSolution(lp, form, engine, engine.snapshot(), form.cost);
  BOOST_TEST(distance(point->columnValues, refined.columnValues) < 1e-14, where);
  BOOST_TEST(distance(point->rowDuals, refined.rowDuals) < 1e-14, where);
  BOOST_TEST(distance(point->rowActivity, refined.rowActivity) < 1e-14, where);
  BOOST_TEST(distance(point->reducedCosts, refined.reducedCosts) < 1e-14, where);
  for (auto const& [told, solution] :
       {std::pair<proof::Worth const*, Solution const*>(&point->rounded, &rounded),
        std::pair<proof::Worth const*, Solution const*>(&point->exact, &refined)}) {
    proof::Assessment const own = proof::assessmentOf(lp.sense, *told),
                            known = proof::assess(lp, *solution);
    // The rounding of single doubles shows in residuals of that size only.
    auto const alike = [](double a, double b) {
      return a == b || std::fabs(a - b) <= 1e-6 * std::fabs(b) + 1e-14;
    };
    BOOST_TEST(alike(own.residuals.primal, known.residuals.primal),
               where << ": " << own.residuals.primal << " " << known.residuals.primal);
    BOOST_TEST(alike(own.residuals.dual, known.residuals.dual),
               where << ": " << own.residuals.dual << " " << known.residuals.dual);
    BOOST_TEST(
        alike(own.residuals.complementarity, known.residuals.complementarity),
        where << ": " << own.residuals.complementarity << " " << known.residuals.complementarity);
    BOOST_TEST(alike(own.enclosure.lower, known.enclosure.lower), where);
    BOOST_TEST(alike(own.enclosure.upper, known.enclosure.upper), where);
  }
  return point;
}

}  // namespace osi_cuda::testing
