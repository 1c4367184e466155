// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/shadow.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"
#include "osi_cuda/engine/cuda/verdict.hpp"

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
  /// From the next run on blocks are so few that the launches of so many searches run side by side.
  void share(int searches);
  /// So many multiprocessors are this search's then.
  int part() const { return part_; }
  std::size_t packetBytes() const;
  void allocate();
  void giveBack();

  /// Queues a run. The launch's report is there when the queue has come to its end; finish() then
  /// takes it over.
  void start(PivotRequest const& request);
  PivotReport finish();
  /// What the last launch left, or the next one will leave, as the device sees it.
  LaunchReport const* report() const { return report_.onDevice(); }
  /// Whether verifyPoint() behind the last run found what to verify.
  bool verified() const { return verifiesAfter(report_[0]); }
  /// Whether the last run shifted costs.
  bool shifted() const { return report_[0].shifts > 0; }
  /// D has changed, but not by pivots.
  void outdateShadow() { shadow_.outdate(); }

 private:
  void deal(Algorithm algorithm);

  DeviceQueue& queue_;
  DeviceTableau& tableau_;
  int multiprocessors_, part_;
  std::size_t sharedBytes_;
  TeamView team_;
  Counters next_;  ///< of messages between blocks
  DeviceArray<Packet> packets_;
  Shadow shadow_;
  PinnedArray<LaunchReport> report_;
};

}  // namespace osi_cuda::cuda
