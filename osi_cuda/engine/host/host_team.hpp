// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "osi_cuda/engine/host/parallel.hpp"
#include "osi_cuda/engine/host/tableau.hpp"

namespace osi_cuda::host {

/// A kink with its rise in units; see rules::turnUnits.
struct UnitKink {
  double ratio;
  std::uint64_t units;
};
/// Where the units come to rules::turnNeeds, in the order of the ratios; changes the order.
rules::Turn turnOf(std::vector<UnitKink>& kinks);

/// The Team of team.hpp on the host: the loop runs on one thread, each call spreads over a few.
class HostTeam {
 public:
  HostTeam(Tableau& tableau, std::atomic<bool> const& interrupt)
      : t_(tableau), interrupt_(interrupt), rows_(t_.rowState()), columns_(t_.columnState()) {}

  RowState rows() const { return rows_; }
  ColumnState columns() const { return columns_; }
  int used() const { return t_.used; }
  int capacity() const { return t_.capacity; }
  bool slack(int variable) const { return variable >= t_.structurals; }
  bool interrupted() const { return interrupt_.load(std::memory_order_relaxed); }

  template <class F>
  void forRows(F f) {
    for (int i = 0; i < t_.m; ++i) f(i);
  }
  template <class F>
  void forColumns(F f) {
    for (int j = 0; j < t_.n; ++j) f(j);
  }
  template <class T, class F, class Combine>
  T reduceRows(T const& zero, F f, Combine combine) {
    return reduceChunks(t_.threads, t_.m, zero, f, combine);
  }
  template <class T, class F, class Combine>
  T reduceColumns(T const& zero, F f, Combine combine) {
    return reduceChunks(t_.threads, t_.n, zero, f, combine);
  }

  template <class Breakpoint, class CandidateOf>
  rules::Blocking harrisRows(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris(t_.m, rows_.entry, breakpoint, candidateOf);
  }
  template <class Breakpoint, class CandidateOf>
  rules::Blocking harrisColumns(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris(t_.n, columns_.entry, breakpoint, candidateOf);
  }

  template <class KinksOf>
  rules::Turn turnRows(KinksOf kinksOf, double slope) {
    return turn(t_.m, kinksOf, slope);
  }
  template <class KinksOf>
  rules::Turn turnColumns(KinksOf kinksOf, double slope) {
    return turn(t_.n, kinksOf, slope);
  }

  void column(int q) { t_.formColumn(q, rows_.entry); }
  void row(int r) { t_.formRow(r, columns_.entry); }
  void combineRows() { t_.combineRows(rows_.change, columns_.change); }
  void combineColumns() { t_.combineColumns(columns_.change, rows_.change); }

  double columnWeight(int q) const { return columns_.weight[q]; }
  double rowWeight(int r) const { return rows_.weight[r]; }
  void setColumnValue(int q, double x) { columns_.value[q] = x; }
  void shiftCost(int q, double delta) {
    t_.cost[static_cast<std::size_t>(columns_.variable[q])] += delta;
    columns_.reducedCost[q] += delta;
  }

  void steepestProducts() { t_.combineRows(rows_.entry, columns_.product); }
  void dualSteepestProducts();
  template <class DirectionOf, class BoundOf>
  void shortestSteps(DirectionOf directionOf, BoundOf boundOf);
  void updateColumnSketch(Exchange const& x);
  void updateRowSketch(Exchange const& x);
  void exchange(Exchange const& x);

 private:
  template <class Breakpoint, class CandidateOf>
  rules::Blocking harris(int count, double const* entry, Breakpoint breakpoint,
                         CandidateOf candidateOf) {
    auto const pass1 = [&](rules::HarrisBound& bound, int i) {
      double const relaxed = breakpoint(i).relaxed, size = std::fabs(entry[i]);
      if (relaxed < bound.relaxed) bound.relaxed = relaxed;
      if (size > bound.largest) bound.largest = size;
    };
    auto const bound =
        reduceChunks(t_.threads, count, rules::HarrisBound{}, pass1, rules::combineBounds);
    rules::Blocking result;
    result.relaxed = bound.relaxed;
    result.largest = rules::fromCoarseBits(rules::coarseBits(bound.largest));
    if (!(bound.relaxed < rules::unlimited)) return result;
    auto const pass2 = [&](rules::Candidate& best, int i) {
      auto const b = breakpoint(i);
      if (b.ratio <= bound.relaxed && b.ratio < rules::unlimited)
        best = rules::better(best, candidateOf(i, b));
    };
    result.best = reduceChunks(t_.threads, count, rules::Candidate{}, pass2, rules::better);
    return result;
  }

  template <class KinksOf>
  rules::Turn turn(int count, KinksOf kinksOf, double slope) {
    double const perRise = rules::turnUnits * rules::reciprocal(std::fabs(slope));
    double largest = 0.0;
    kinks_.clear();
    for (int i = 0; i < count; ++i) {
      rules::Kinks const own = kinksOf(i);
      largest = std::max(largest, own.entry);
      for (rules::Kink const& kink : {own.first, own.second})
        if (kink.ratio < rules::unlimited)
          kinks_.push_back({kink.ratio, rules::riseUnits(kink.rise, perRise)});
    }
    rules::Turn result = turnOf(kinks_);
    result.largest = rules::fromCoarseBits(rules::coarseBits(largest));
    return result;
  }

  Tableau& t_;
  std::atomic<bool> const& interrupt_;
  RowState rows_;
  ColumnState columns_;
  std::vector<UnitKink> kinks_;
};

// By rows of D, of which only the columns that have a direction count.
template <class DirectionOf, class BoundOf>
void HostTeam::shortestSteps(DirectionOf directionOf, BoundOf boundOf) {
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

}  // namespace osi_cuda::host
