// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <limits>
#include <vector>

#include "osi_cuda/batch/line_sums.hpp"
#include "osi_cuda/batch/one_thread.hpp"
#include "osi_cuda/batch/small_problem.hpp"

namespace osi_cuda::batch {

/// The Team of small_solve.hpp on the processor: one thread with an explicit tableau in memory of
/// its own, which stays for the next problem.
class HostTeam : public OneThread<HostTeam> {
 public:
  explicit HostTeam(std::atomic<bool> const& interrupt) : OneThread(interrupt) {}

  /// The problem that the next solve is about; its arrays must outlive that.
  void take(SmallProblem const& problem);

  SmallProblem const& problem() const { return problem_; }
  RowState rows() const { return places_.rows; }
  ColumnState columns() const { return places_.columns; }
  int used() const { return 0; }  // nothing is delayed
  int capacity() const { return std::numeric_limits<int>::max(); }
  int pivotsAtOnce() const {
    return 256;
  }  // some milliseconds, between two looks for a wish to stop

  void shortestSteps(auto directionOf, auto boundOf) {
    RowState const rows = places_.rows;
    double* const steps = places_.columns.product;
    for (int j = 0; j < problem_.columns; ++j) {
      steps[j] = rules::unlimited;
      int const direction = directionOf(j);
      if (direction == 0) continue;
      for (int i = 0; i < problem_.rows; ++i)
        steps[j] = std::fmin(steps[j], boundOf(rows.value[i], rows.lower[i], rows.upper[i],
                                               direction * tableauRow(i)[j]));
    }
  }

  bool load();
  void startWeights(PivotRequest const& request);
  void column(int q);
  void row(int r);
  void combineRows();
  void combineColumns();
  void steepestProducts();
  void exchange(Exchange const& x);

  double activities(double const* x, double const* xLow, double* hi, double* lo, double* terms);
  double products(double const* y, double const* yLow, double* hi, double* lo, double* terms);

 private:
  double* tableauRow(int i) const {
    return places_.tableau + static_cast<std::ptrdiff_t>(i) * places_.stride;
  }
  void formRowWeights();
  void markSlacks();
  void completeRowWeights();

  SmallProblem problem_;
  SmallPlaces places_;
  bool exactColumns_ = false, exactRows_ = false;  ///< weights that follow an exchange
  std::vector<double> memory_, ratios_, terms_;
  std::vector<double> mask_;  ///< by column position: 1 where it holds a slack
};
}  // namespace osi_cuda::batch
