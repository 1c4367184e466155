// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/pivot_launcher.hpp"

#include <algorithm>
#include <bit>

#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {

void Shadow::keep(DeviceQueue const& queue, DeviceTableau const& tableau, TeamView const& team) {
  if (tableau.m() == 0 || tableau.n() == 0 || age_ == tableau.age()) return;
  if (!reserve(tableau.view(), team)) return;
  TableauView view = tableau.view();
  TeamView unused = team;
  placeShadow(view, unused, entries_.data(), shares_.data());
  takeShadow(queue.stream(), view);
  age_ = tableau.age();
}

bool Shadow::reserve(TableauView const& t, TeamView const& team) {
  ShadowSizes const sizes(t, team);
  if (sizes.entries <= entries_.size() && sizes.shares() <= shares_.size()) return true;
  std::size_t const needed = sizeof(float) * sizes.entries + sizeof(double) * sizes.shares();
  if (needed + factorBytes(at(t.m), at(t.n)) > availableBytes()) return false;
  entries_.reserve(sizes.entries);
  shares_.reserve(sizes.shares());
  return true;
}

void Shadow::place(DeviceTableau const& tableau, TableauView& view, TeamView& team) const {
  if (age_ == tableau.age()) placeShadow(view, team, entries_.data(), shares_.data());
}

void Shadow::giveBack() {
  outdate();
  entries_ = {};
  shares_ = {};
}

PivotLauncher::PivotLauncher(DeviceQueue& queue, DeviceTableau& tableau, int multiprocessors,
                             std::size_t sharedBytes)
    : queue_(queue),
      tableau_(tableau),
      multiprocessors_(multiprocessors),
      part_(multiprocessors),
      sharedBytes_(sharedBytes),
      report_(1) {
  allowShared(sharedBytes);
}

void PivotLauncher::resize() {
  TableauView const& t = tableau_.view();
  team_ = dealLines(t, blocksFor(t, multiprocessors_));
  shadow_.outdate();
}

// An eighth of the multiprocessors stays for what else is to be done in between. Powers of two: who
// shares with one more or less need not be dealt anew.
void PivotLauncher::share(int searches) {
  int const parts = static_cast<int>(std::bit_ceil(static_cast<unsigned>(searches)));
  part_ = parts == 1 ? multiprocessors_
                     : std::max((multiprocessors_ - multiprocessors_ / 8) / parts, 1);
}

// Packets of other places may look like those to come: all begins anew.
void PivotLauncher::deal(Algorithm algorithm) {
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

std::size_t PivotLauncher::packetBytes() const {
  return sizeof(Packet) * MessageSizes(tableau_.view(), team_).total();
}

void PivotLauncher::allocate() {
  std::size_t const packets = MessageSizes(tableau_.view(), team_).total();
  zeros(queue_.stream(), packets_, packets);
  next_ = Counters();
  placeMessages(tableau_.view(), team_, packets_.data());
}

void PivotLauncher::giveBack() {
  packets_ = {};
  shadow_.giveBack();
}

void PivotLauncher::start(PivotRequest const& request) {
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

PivotReport PivotLauncher::finish() {
  LaunchReport const report = report_[0];
  next_ = report.next;
  tableau_.setUsed(report.used);
  return report.pivots;
}

}  // namespace osi_cuda::cuda
