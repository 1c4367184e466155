// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "osi_cuda/engine/host/kernels.hpp"
#include "osi_cuda/engine/host/loop_team.hpp"
#include "osi_cuda/engine/host/tableau.hpp"
#include "osi_cuda/simplex/sketch_rules.hpp"

namespace osi_cuda::host {

/// The Team of team.hpp on the delayed tableau.
class HostTeam : public LoopTeam {
 public:
  explicit HostTeam(Tableau& tableau) : LoopTeam(tableau), t_(tableau) {}

  void column(int q) {
    pollStop();
    t_.formColumn(q, rows_.entry);
  }
  void row(int r) { t_.formRow(r, columns_.entry); }
  void combineRows() { t_.combineRows(rows_.change, columns_.change); }
  void combineColumns() { t_.combineColumns(columns_.change, rows_.change); }

  void steepestProducts() { t_.combineRows(rows_.entry, columns_.product); }
  void dualSteepestProducts() {
    for (int j = 0; j < t_.n; ++j)
      columns_.change[j] = slack(columns_.variable[j]) ? columns_.entry[j] : 0.0;
    t_.combineColumns(columns_.change, rows_.product);
  }
  // By rows of D, of which only the columns that have a direction count.
  void shortestSteps(auto directionOf, auto boundOf) {
    double* const steps = columns_.product;
    auto const work = static_cast<std::int64_t>(t_.m) * t_.n;
    forChunks(t_.threads, t_.n, work, [&](int begin, int end) {
      std::vector<std::pair<int, double>> directions;
      for (int j = begin; j < end; ++j) {
        steps[j] = rules::unlimited;
        if (int const direction = directionOf(j); direction != 0)
          directions.emplace_back(j, direction);
      }
      for (int i = 0; i < t_.m; ++i) {
        double const* const row = t_.baseRow(i);
        double const x = rows_.value[i], lower = rows_.lower[i], upper = rows_.upper[i];
        for (auto const& [j, direction] : directions)
          steps[j] = std::fmin(steps[j], boundOf(x, lower, upper, direction * row[j]));
      }
    });
  }

  // Z_j <- Z_j - (S u - S_r) v_j / alpha,  Z_q <- -(S u - (alpha + 1) S_r) / alpha,  S u = Z_q
  void updateColumnSketch(Exchange const& x) {
    int const k = t_.sketchSize;
    auto const n = at(t_.n);
    auto const alpha = static_cast<float>(x.alpha);
    std::vector<float> sums(at(k));  // S u
    for (int l = 0; l < k; ++l) sums[at(l)] = t_.columnSketch[at(l) * n + at(x.column)];
    std::vector<float> ratio(n);
    for (std::size_t j = 0; j < n; ++j)
      ratio[j] = static_cast<float>(columns_.entry[j] * x.inverse);
    forChunks(t_.threads, t_.n, static_cast<std::int64_t>(t_.n) * k, [&](int begin, int end) {
      auto const length = at(end - begin);
      double* weight = columns_.weight + begin;
      std::fill(weight, weight + length, 0.0);
      for (int l = 0; l < k; ++l) {
        float* z = t_.columnSketch.data() + at(l) * n + begin;
        float const sum = sums[at(l)];
        float const sign = rules::sketchSign(l, x.row);
        axpy(length, rules::columnSketchStep(sum, sign), ratio.data() + begin, z);
        if (x.column >= begin && x.column < end)
          z[x.column - begin] = rules::enteringSketch(sum, sign, alpha) / alpha;
        addSquares(length, z, weight);
      }
      for (std::size_t j = 0; j < length; ++j)
        weight[j] = rules::sketchedColumnWeight(weight[j] / k);
    });
  }
  // W_r <- W_r / alpha,  W_i <- W_i - u_i W_r
  void updateRowSketch(Exchange const& x) {
    int const k = t_.sketchSize;
    auto const m = at(t_.m);
    std::vector<float> u(m);
    for (std::size_t i = 0; i < m; ++i) u[i] = static_cast<float>(rows_.entry[i]);
    u[at(x.row)] = 0.0f;
    std::vector<float> pivotRow(at(k));
    for (int l = 0; l < k; ++l)
      pivotRow[at(l)] = t_.rowSketch[at(l) * m + at(x.row)] / static_cast<float>(x.alpha);
    forChunks(t_.threads, t_.m, static_cast<std::int64_t>(t_.m) * k, [&](int begin, int end) {
      auto const length = at(end - begin);
      double* weight = rows_.weight + begin;
      std::fill(weight, weight + length, 0.0);
      for (int l = 0; l < k; ++l) {
        float* w = t_.rowSketch.data() + at(l) * m + begin;
        axpy(length, -pivotRow[at(l)], u.data() + begin, w);
        if (x.row >= begin && x.row < end) w[x.row - begin] = pivotRow[at(l)];
        addSquares(length, w, weight);
      }
      for (std::size_t i = 0; i < length; ++i) weight[i] = rules::sketchedRowWeight(weight[i] / k);
    });
  }
  // Zero first, then append: D - U'V is then the tableau after the exchange to full accuracy.
  void exchange(Exchange const& x) {
    int const k = t_.used;
    int const r = x.row, q = x.column;
    for (int i = 0; i < t_.m; ++i) t_.baseRow(i)[q] = 0.0;
    std::fill(t_.baseRow(r), t_.baseRow(r) + t_.n, 0.0);
    for (int l = 0; l < k; ++l) {
      t_.vRow(l)[q] = 0.0;
      t_.uRow(l)[r] = 0.0;
    }
    double* u = t_.uRow(k);
    double* v = t_.vRow(k);
    std::copy(rows_.entry, rows_.entry + t_.m, u);
    u[r] = -1.0;
    for (int j = 0; j < t_.n; ++j) v[j] = columns_.entry[j] * x.inverse;
    v[q] = x.inverse;
    t_.used = k + 1;

    swapVariables(x);
  }

 private:
  Tableau& t_;
};

}  // namespace osi_cuda::host
