// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <vector>

#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/verdict.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Refines the tableau's point to double-double arithmetic and verifies it, both on the device in
/// one launch, which can be queued behind the pivots that lead to the point. The host gets the
/// point in the problem's own numbers with its verdict.
class PointVerifier {
 public:
  PointVerifier(DeviceQueue& queue, DeviceTableau const& tableau, DeviceMatrix const& matrix,
                VariableVectors const& vectors, int multiprocessors)
      : queue_(queue),
        tableau_(tableau),
        matrix_(matrix),
        vectors_(vectors),
        multiprocessors_(multiprocessors) {}

  void allocate(StandardForm const& form);
  void giveBack();
  /// Takes the problem that the form is of. False: the device has it already.
  bool take(LinearProgram const& lp);
  /// Whether a problem was taken, with numbers so near to 1 that scaling is exact.
  bool ready() const;
  /// Queues the verification of the point that `vectors.value` and `other` hold, in `most`
  /// blocks or fewer; see verifyPoint().
  void queue(LaunchReport const* after, int most);
  /// What the queue has come to; nothing where the numbers of the point are too far from 1.
  std::optional<VerifiedPoint> landed() const;

 private:
  DeviceQueue& queue_;
  DeviceTableau const& tableau_;
  DeviceMatrix const& matrix_;
  VariableVectors const& vectors_;
  int multiprocessors_;
  StandardForm const* form_ = nullptr;
  bool exact_ = false;  ///< the scale factors are near enough to 1
  bool taken_ = false;
  DeviceArray<double> memory_;
  PinnedArray<double> landing_;
  GivenView given_;
  PointView point_;
  /// What the device has of the problem.
  std::vector<double> columnLower_, columnUpper_, rowLower_, rowUpper_, objective_;
};

}  // namespace osi_cuda::cuda
