// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
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
  void keep(DeviceQueue const& queue, DeviceTableau const& tableau, TeamView const& team) {
    if (tableau.m() == 0 || tableau.n() == 0 || age_ == tableau.age()) return;
    if (!reserve(tableau.view(), team)) return;
    TableauView view = tableau.view();
    TeamView unused = team;
    placeShadow(view, unused, entries_.data(), shares_.data());
    takeShadow(queue.stream(), view);
    age_ = tableau.age();
  }
  /// Tells a launch of it, if it is one of the present D; pivots then keep it up.
  void place(DeviceTableau const& tableau, TableauView& view, TeamView& team) const {
    if (age_ == tableau.age()) placeShadow(view, team, entries_.data(), shares_.data());
  }
  void outdate() { age_.reset(); }
  void giveBack() {
    outdate();
    entries_ = {};
    shares_ = {};
  }

 private:
  bool reserve(TableauView const& t, TeamView const& team) {
    ShadowSizes const sizes(t, team);
    if (sizes.entries <= entries_.size() && sizes.shares() <= shares_.size()) return true;
    std::size_t const needed = sizeof(float) * sizes.entries + sizeof(double) * sizes.shares();
    if (needed + factorBytes(at(t.m), at(t.n)) > availableBytes()) return false;
    entries_.reserve(sizes.entries);
    shares_.reserve(sizes.shares());
    return true;
  }

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
                std::size_t sharedBytes)
      : queue_(queue),
        tableau_(tableau),
        multiprocessors_(multiprocessors),
        part_(multiprocessors),
        sharedBytes_(sharedBytes),
        report_(1) {
    allowShared(sharedBytes);
  }

  /// Deals the tableau's lines to blocks; nothing is allocated yet.
  void resize() {
    TableauView const& t = tableau_.view();
    team_ = dealLines(t, blocksFor(t, multiprocessors_));
    shadow_.outdate();
  }
  /// From the next run on blocks are so few that the launches of so many searches run side by side.
  // An eighth of the multiprocessors stays for what else is to be done in between. Powers of two:
  // who shares with one more or less need not be dealt anew.
  void share(int searches) {
    int const parts = static_cast<int>(std::bit_ceil(static_cast<unsigned>(searches)));
    part_ = parts == 1 ? multiprocessors_
                       : std::max((multiprocessors_ - multiprocessors_ / 8) / parts, 1);
  }
  /// So many multiprocessors are this search's then.
  int part() const { return part_; }
  std::size_t packetBytes() const {
    return sizeof(Packet) * MessageSizes(tableau_.view(), team_).total();
  }
  void allocate() {
    std::size_t const packets = MessageSizes(tableau_.view(), team_).total();
    zeros(queue_.stream(), packets_, packets);
    next_ = Counters();
    placeMessages(tableau_.view(), team_, packets_.data());
  }
  void giveBack() {
    packets_ = {};
    shadow_.giveBack();
  }

  /// Queues a run. The launch's report is there when the queue has come to its end; finish() then
  /// takes it over.
  void start(PivotRequest const& request) {
    deal(request.algorithm);
    if (request.pricing == Pricing::greatest) tableau_.fold();
    if (request.pricing == Pricing::steepest) shadow_.keep(queue_, tableau_, team_);
    TableauView tableau = tableau_.view();
    TeamView team = team_;
    shadow_.place(tableau_, tableau, team);
    if (request.pricing != Pricing::sketched) tableau.sketchSize = 0;
    PlacedTeam const placed = placeTeam(tableau, team, request.algorithm, sharedBytes_);
    launchPivots(tableau, placed.team, placed.bytes, request, tableau_.used(), next_,
                 report_.onDevice(), queue_.stream());
  }
  PivotReport finish() {
    LaunchReport const report = report_[0];
    next_ = report.next;
    tableau_.setUsed(report.used);
    return report.pivots;
  }
  /// What the last launch left, or the next one will leave, as the device sees it.
  LaunchReport const* report() const { return report_.onDevice(); }
  /// Whether verifyPoint() behind the last run found what to verify.
  bool verified() const { return verifiesAfter(report_[0]); }
  /// Whether the last run shifted costs.
  bool shifted() const { return report_[0].shifts > 0; }
  /// D has changed, but not by pivots.
  void outdateShadow() { shadow_.outdate(); }

 private:
  // Packets of other places may look like those to come: all begins anew.
  void deal(Algorithm algorithm) {
    TableauView const& t = tableau_.view();
    int blocks = blocksFor(t, multiprocessors_);
    if (part_ < blocks)
      blocks = std::min(blocks, std::max(part_, leastBlocks(t, algorithm, sharedBytes_)));
    if (blocks == team_.blocks) return;
    team_ = dealLines(t, blocks);
    shadow_.outdate();
    try {
      allocate();
    } catch (...) {
      team_.blocks = 0;  // not dealt
      throw;
    }
  }

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
