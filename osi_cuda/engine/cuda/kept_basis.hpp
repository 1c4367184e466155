// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/pivot_weights.hpp"

namespace osi_cuda::cuda {

/// A basis that is kept with its tableau, to the bit: a copy of D, of the factors in use, of the
/// state by position and of the pricing weights with their sketch.
///
/// Pivots change the lines of D that they exchange and no others, so that as long as no block
/// update came between, to keep a basis or to restore it moves 16 (m + n) bytes a pivot, and 16 m n
/// otherwise. The memory is that of one more tableau; without it nothing is kept.
class KeptBasis {
 public:
  KeptBasis(DeviceQueue& queue, DeviceTableau& tableau, PivotWeights& weights)
      : queue_(queue), tableau_(tableau), weights_(weights) {}

  /// Does nothing where memory does not allow it.
  void keep();
  /// False: nothing is kept.
  bool restore();
  void forget() { kept_.reset(); }
  /// The tableau is another one.
  void outdate();
  void giveBack();

 private:
  bool reserve();
  void copyTableau(bool back);
  void copyState(int used, bool back);

  struct Kept {
    int used = 0;
    PivotWeights::Fit fit;
  };
  /// Where D was equal to the copy: its age, and how many factors were in use.
  struct Equal {
    std::uint64_t age = 0;
    int used = 0;
  };
  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  PivotWeights& weights_;
  std::optional<Kept> kept_;
  std::optional<Equal> equal_;
  DeviceArray<double> base_, state_;
};

}  // namespace osi_cuda::cuda
