// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "tests/support/dense_family.hpp"

// What tests on the emulated device let an engine do.
namespace osi_cuda::testing {

/// Problems that an engine takes one after the other: the second takes more of everything.
struct Forms {
  LinearProgram small, large;
  StandardForm first, second;

  explicit Forms(bool sparse)
      : small(sparse ? sparseLp(9, 40, 1, 2) : denseLp(5, 3, 1, false)),
        large(sparse ? sparseLp(16, 70, 1, 3) : denseLp(8, 6, 2, false)),
        first(makeStandardForm(small, true)),
        second(makeStandardForm(large, true)) {}
};

inline std::vector<double> boundValues(StandardForm const& form) {
  std::vector<double> value(form.lower.size(), 0.0);
  for (std::size_t v = 0; v < value.size(); ++v)
    value[v] = std::isfinite(form.lower[v])   ? form.lower[v]
               : std::isfinite(form.upper[v]) ? form.upper[v]
                                              : 0.0;
  return value;
}

inline PivotReport pivots(Engine& engine, Algorithm algorithm, Phase phase, Pricing pricing,
                          int budget) {
  engine.computeWeights(algorithm, pricing);
  if (algorithm == Algorithm::primal && phase == Phase::one) engine.computePhase1Costs(1e-7);
  PivotRequest request;
  request.algorithm = algorithm;
  request.phase = phase;
  request.pricing = pricing;
  request.budget = budget;
  request.checkDrift = true;
  return engine.run(request);
}

/// As many structurals as possible basic, slacks for the rest.
inline std::vector<char> structuralBasis(StandardForm const& form, int structurals) {
  auto const m = static_cast<std::size_t>(form.rows()),
             n = static_cast<std::size_t>(form.columns());
  std::vector<char> basic(m + n, 0);
  std::size_t left = m;
  for (std::size_t j = 0; j < n && j < static_cast<std::size_t>(structurals); ++j, --left)
    basic[j] = 1;
  for (std::size_t i = m - left; i < m; ++i) basic[n + i] = 1;
  return basic;
}

/// One of each call, with every way through it that a small problem has; a pivot each, as more take
/// no other calls of the runtime.
inline void everythingWith(Engine& engine, StandardForm const& form) {
  std::size_t const variables = form.lower.size();
  auto const m = static_cast<std::size_t>(form.rows());
  engine.load(form);
  engine.setValues(boundValues(form));
  std::vector<double> upper = form.upper;
  for (double& bound : upper) bound += 1.0;
  engine.setBounds(form.lower, upper);
  engine.costs();
  pivots(engine, Algorithm::primal, Phase::one, Pricing::sketched, 1);
  engine.measure(1e-7, 1e-7);
  engine.measure(1e-6, 1e-7);
  Snapshot const snapshot = engine.snapshot();
  engine.row(0);
  engine.column(0);
  engine.solves().ftran(std::vector<double>(m, 1.0));
  engine.solves().btran(std::vector<double>(m, 1.0));
  pivots(engine, Algorithm::dual, Phase::two, Pricing::steepest, 1);
  pivots(engine, Algorithm::dual, Phase::two, Pricing::sketched, 1);
  int const structurals = std::min(form.rows(), form.columns());
  engine.refactor(structuralBasis(form, std::max(1, structurals / 2)));
  engine.setCosts(std::vector<double>(variables, 1.0));
  engine.drift();
  engine.solves().basicPoint(snapshot, form.cost);
  pivots(engine, Algorithm::primal, Phase::two, Pricing::steepest, 1);
  pivots(engine, Algorithm::primal, Phase::two, Pricing::greatest, 1);
  engine.solves().multiply(std::vector<double>(variables - m, 1.0));
  engine.solves().multiplyTransposed(std::vector<double>(m, 1.0));
}

inline void everything(Engine& engine, Forms const& forms) {
  everythingWith(engine, forms.first);
  everythingWith(engine, forms.second);
}

}  // namespace osi_cuda::testing
