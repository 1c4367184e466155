// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// When to look how far the engine's numbers have drifted from the data, and how far is too far.
class DriftWatch {
 public:
  /// `task` must outlive the object.
  explicit DriftWatch(Task const& task) : task_(task) {}

  /// Whether a look is due by that number of iterations.
  bool dueBy(std::int64_t iterations) const { return iterations - lastLook_ >= interval(); }
  /// The same; where it is, it counts as made.
  bool look(std::int64_t iterations);

  /// `costsOfPhase1`: the reduced costs are not those of the costs, and say nothing.
  bool tooFar(Drift const& drift, bool costsOfPhase1) const;
  /// What a tableau has right after a refactorisation that was due to drift.
  void takeFresh(Drift const& drift) { fresh_ = drift; }

 private:
  std::int64_t interval() const;

  Task const& task_;
  Drift fresh_;
  std::int64_t lastLook_ = 0;  ///< iterations then
};

}  // namespace osi_cuda
