// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "tests/support/engines.hpp"

namespace osi_cuda::testing {

/// A problem on an engine, with the slack basis and every nonbasic variable at a bound.
struct Bench {
  LinearProgram lp;
  StandardForm form;
  std::unique_ptr<Engine> engine;

  Bench(std::string const& name, LinearProgram problem, EngineOptions const& options = {})
      : Bench(std::move(problem), makeEngine(name, options)) {}
  /// On an engine that may have had another problem.
  Bench(LinearProgram problem, std::unique_ptr<Engine> made)
      : lp(std::move(problem)), form(makeStandardForm(lp, true)), engine(std::move(made)) {
    engine->load(form);
    engine->setValues(boundValues());
  }

  std::vector<double> boundValues() const {
    std::vector<double> value(form.lower.size(), 0.0);
    for (std::size_t v = 0; v < value.size(); ++v)
      value[v] = std::isfinite(form.lower[v])   ? form.lower[v]
                 : std::isfinite(form.upper[v]) ? form.upper[v]
                                                : 0.0;
    return value;
  }

  /// Runs up to `pivots` iterations; several launches where K is smaller.
  PivotReport run(Algorithm algorithm, Phase phase, Pricing pricing, int pivots,
                  double relativePivot = PivotRequest().relativePivot) {
    PivotReport total;
    engine->computeWeights(algorithm, pricing);
    while (total.iterations < pivots) {
      if (algorithm == Algorithm::primal && phase == Phase::one) engine->computePhase1Costs(1e-7);
      PivotRequest request;
      request.algorithm = algorithm;
      request.phase = phase;
      request.pricing = pricing;
      request.relativePivot = relativePivot;
      request.budget = pivots - total.iterations;
      request.firstPivot = total.iterations;
      PivotReport const report = engine->run(request);
      total.iterations += report.iterations;
      total.stop = report.stop;
      total.position = report.position;
      if (report.stop != Stop::full && report.stop != Stop::budget) break;
    }
    return total;
  }

  /// Column of (A I) of a variable, by constraint.
  std::vector<double> columnOf(int variable) const {
    std::vector<double> column(static_cast<std::size_t>(form.rows()), 0.0);
    if (variable >= form.columns()) {
      column[static_cast<std::size_t>(variable - form.columns())] = 1.0;
      return column;
    }
    auto const indices = form.matrix().columnIndices(variable);
    auto const values = form.matrix().columnValues(variable);
    for (std::size_t e = 0; e < indices.size(); ++e)
      column[static_cast<std::size_t>(indices[e])] = values[e];
    return column;
  }

  /// Largest entry of B T[:,j] - a_j over all columns j, relative to max |T[:,j]|.
  double tableauError() {
    Snapshot const s = engine->snapshot();
    double worst = 0.0;
    for (int j = 0; j < form.columns(); ++j) {
      std::vector<double> const t = engine->column(j);
      std::vector<double> r = columnOf(s.nonbasicVariable[static_cast<std::size_t>(j)]);
      double largest = 1.0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        std::vector<double> const b = columnOf(s.basicVariable[i]);
        for (std::size_t k = 0; k < b.size(); ++k) r[k] -= b[k] * t[i];
        largest = std::max(largest, std::fabs(t[i]));
      }
      for (double x : r) worst = std::max(worst, std::fabs(x) / largest);
    }
    return worst;
  }

  /// Largest distance of the engine's products with A and A' from plain sums.
  double productError() {
    auto const m = static_cast<std::size_t>(form.rows()),
               n = static_cast<std::size_t>(form.columns());
    std::vector<double> x(n), y(m), activity(m, 0.0), product(n, 0.0);
    for (std::size_t j = 0; j < n; ++j) x[j] = std::sin(static_cast<double>(j));
    for (std::size_t i = 0; i < m; ++i) y[i] = std::cos(static_cast<double>(i));
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> const column = columnOf(static_cast<int>(j));
      for (std::size_t i = 0; i < m; ++i) {
        activity[i] += column[i] * x[j];
        product[j] += column[i] * y[i];
      }
    }
    double worst = 0.0;
    std::vector<double> const ax = engine->solves().multiply(x),
                              ya = engine->solves().multiplyTransposed(y);
    for (std::size_t i = 0; i < m; ++i) worst = std::max(worst, std::fabs(activity[i] - ax[i]));
    for (std::size_t j = 0; j < n; ++j) worst = std::max(worst, std::fabs(product[j] - ya[j]));
    return worst;
  }

  /// Largest entry of B ftran(b) - b and of B'btran(b) - b.
  double solveError(std::vector<double> const& b) {
    Snapshot const s = engine->snapshot();
    std::vector<double> const z = engine->solves().ftran(b), y = engine->solves().btran(b);
    std::vector<double> r = b;
    double worst = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      std::vector<double> const column = columnOf(s.basicVariable[i]);
      double product = 0.0;
      for (std::size_t k = 0; k < b.size(); ++k) {
        r[k] -= column[k] * z[i];
        product += column[k] * y[k];
      }
      worst = std::max(worst, std::fabs(product - b[i]));
    }
    for (double x : r) worst = std::max(worst, std::fabs(x));
    return worst;
  }
};

}  // namespace osi_cuda::testing
