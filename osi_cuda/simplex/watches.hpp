// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/pivoting.hpp"

namespace osi_cuda {

/// Whether the pivots of a phase get anywhere. Degenerate: run after run, most steps have length
/// zero. Fruitless: what the algorithm descends on has not fallen for long, as in a cycle of tiny
/// steps.
class StallWatch {
 public:
  explicit StallWatch(StandardForm const& form)
      : mostWithoutGain_(500 + (form.rows() + form.columns()) / 4) {}

  /// A phase begins, or another perturbation has been made.
  void reset();
  /// A run came back; `merit` is what the algorithm descends on, after it.
  void observe(PivotReport const& report, double merit);

  bool degenerate() const { return degenerateRun_ >= mostDegenerate; }
  bool fruitless() const { return withoutGain_ >= mostWithoutGain_; }
  /// Iterations since the merit fell last.
  std::int64_t withoutGain() const { return withoutGain_; }

 private:
  static constexpr std::int64_t mostDegenerate = 32;

  std::int64_t mostWithoutGain_;    ///< so many iterations without gain are too many
  std::int64_t degenerateRun_ = 0;  ///< iterations of successive runs that were mostly degenerate
  std::int64_t withoutGain_ = 0;
  double bestMerit_ = infinity;
};

}  // namespace osi_cuda
