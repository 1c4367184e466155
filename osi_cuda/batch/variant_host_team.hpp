// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <vector>

#include "osi_cuda/batch/line_sums.hpp"
#include "osi_cuda/batch/one_thread.hpp"
#include "osi_cuda/batch/variant_start.hpp"

namespace osi_cuda::batch {

/// The Team of variant_solve.hpp on the processor: one thread, with factors U and V in memory of
/// its own, which stays for the next variant.
class VariantHostTeam : public OneThread<VariantHostTeam> {
 public:
  /// `base` and what it points to must outlive the team's use of it.
  VariantHostTeam(VariantBase const& base, int capacity, std::atomic<bool> const& interrupt);

  /// Another base, of the same problem.
  void use(VariantBase const& base) { base_ = base; }
  /// The variant that the next solve is about.
  void take(VariantChanges const& changes) { changes_ = changes; }

  SmallProblem const& problem() const { return problem_; }
  VariantBase const& base() const { return base_; }
  VariantChanges const& changes() const { return changes_; }
  VariantPlaces const& places() const { return places_; }
  RowState rows() const { return places_.rows; }
  ColumnState columns() const { return places_.columns; }
  int used() const { return used_; }
  int capacity() const { return capacity_; }
  int pivotsAtOnce() const { return 16; }  // between two looks for a wish to stop

  void forNumbers(auto f) {
    for (int c = 0; c < changes_.numberCount; ++c) f(changes_.numbers[c]);
  }
  void shortestSteps(auto directionOf, auto boundOf) {
    RowState const rows = places_.rows;
    std::vector<double> const kept(rows.entry, rows.entry + base_.rows);
    for (int j = 0; j < base_.columns; ++j) {
      double step = rules::unlimited;
      if (int const direction = directionOf(j); direction != 0) {
        column(j);
        for (int i = 0; i < base_.rows; ++i)
          step = std::fmin(step, boundOf(rows.value[i], rows.lower[i], rows.upper[i],
                                         direction * rows.entry[i]));
      }
      places_.columns.product[j] = step;
    }
    std::copy(kept.begin(), kept.end(), rows.entry);
  }

  double entryOf(int i, int j) const {
    double entry = rowLives(i) && columnLives(j) ? rowOfD(i)[j] : 0.0;
    for (int l = 0; l < used_; ++l) entry -= lineOfU(l)[i] * lineOfV(l)[j];
    return entry;
  }
  void startLines(StartWork const& work, int pairs);
  void append(int lines) { used_ += lines; }

  void loadBase();
  void appendLine();
  void startWeights(PivotRequest const& request);
  void column(int q);
  void row(int r);
  void combineRows() { combineRows(places_.rows.change, places_.columns.change); }
  void combineColumns();
  void steepestProducts() { combineRows(places_.rows.entry, places_.columns.product); }
  void exchange(Exchange const& x);

  double activities(double const* x, double const* xLow, double* hi, double* lo, double* terms);
  double products(double const* y, double const* yLow, double* hi, double* lo, double* terms);

 private:
  double* lineOfU(int l) const { return places_.u + std::ptrdiff_t(l) * base_.rows; }
  double* lineOfV(int l) const { return places_.v + std::ptrdiff_t(l) * base_.columns; }
  double const* rowOfD(int i) const { return base_.tableau + std::ptrdiff_t(i) * base_.columns; }
  /// Whether all entries of the matrix are stored.
  bool full() const {
    return base_.byRow.starts[base_.rows] == std::int64_t{base_.rows} * base_.columns;
  }
  bool rowLives(int i) const { return places_.live[i] != 0; }
  bool columnLives(int j) const { return places_.live[base_.rows + j] != 0; }
  void combineRows(double const* factor, double* sum);

  VariantBase base_;
  int const capacity_;
  VariantChanges changes_;
  SmallProblem problem_;
  std::vector<double> memory_, terms_;
  VariantPlaces places_{};
  int used_ = 0;
};
}  // namespace osi_cuda::batch
