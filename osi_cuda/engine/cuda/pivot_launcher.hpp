// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <optional>

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"
#include "osi_cuda/engine/cuda/verdict.hpp"
#include "osi_cuda/engine/cuda/views.hpp"

namespace osi_cuda::cuda {

/// Allows pivot kernels `bytes` of shared memory on the present device.
void allowShared(std::size_t bytes);

/// Starts one launch of pivots: k of them may be in use already, messages are counted from `next`
/// on. `team` has its places in `shared` bytes of shared memory. The report is written to memory
/// that the device reaches.
void launchPivots(TableauView const& tableau, TeamView const& team, std::size_t shared,
                  PivotRequest const& request, int used, Counters next, LaunchReport* report,
                  cudaStream_t stream);

/// D in single precision, half the bytes, for the products that exact weights ask for. Without the
/// memory for it they take D itself.
class Shadow {
 public:
  /// Makes the shadow one of the present D, where it is not or there is none, if memory allows.
  void keep(DeviceQueue const& queue, DeviceTableau const& tableau, TeamView const& team);
  /// Tells a launch of it, if it is one of the present D; pivots then keep it up.
  void place(DeviceTableau const& tableau, TableauView& view, TeamView& team) const;
  void outdate() { age_.reset(); }
  void giveBack();

 private:
  bool reserve(TableauView const& t, TeamView const& team);

  DeviceArray<float> entries_;
  DeviceArray<double> shares_;        ///< what blocks tell each other
  std::optional<std::uint64_t> age_;  ///< DeviceTableau::age() of what it is made of
};

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
