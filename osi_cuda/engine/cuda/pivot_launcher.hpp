// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/shadow.hpp"

namespace osi_cuda::cuda {

/// Runs of pivots: the blocks, the packets through which they speak, and the launches themselves.
class PivotLauncher {
 public:
  /// For blocks with `sharedBytes` of shared memory, as many at a time as there are
  /// multiprocessors.
  PivotLauncher(DeviceQueue& queue, DeviceTableau& tableau, int multiprocessors,
                std::size_t sharedBytes);

  /// Deals the tableau's lines to blocks; nothing is allocated yet.
  void resize();
  std::size_t packetBytes() const;
  void allocate();
  void giveBack();

  /// Queues a run. The launch's report is there when the queue has come to its end; finish() then
  /// takes it over.
  void start(PivotRequest const& request);
  PivotReport finish();

 private:
  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  int multiprocessors_;
  std::size_t sharedBytes_;
  TeamView team_;
  Counters next_;  ///< of messages between blocks
  DeviceArray<Packet> packets_;
  Shadow shadow_;
  PinnedArray<LaunchReport> report_;
};

}  // namespace osi_cuda::cuda
