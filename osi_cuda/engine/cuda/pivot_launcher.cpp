// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/pivot_launcher.hpp"

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/pivot_kernel.hpp"
#include "osi_cuda/engine/cuda/team_layout.hpp"

namespace osi_cuda::cuda {

PivotLauncher::PivotLauncher(DeviceQueue& queue, DeviceTableau& tableau, int multiprocessors,
                             std::size_t sharedBytes)
    : queue_(queue),
      tableau_(tableau),
      multiprocessors_(multiprocessors),
      sharedBytes_(sharedBytes),
      report_(1) {
  allowShared(sharedBytes);
}

void PivotLauncher::resize() {
  TableauView const& t = tableau_.view();
  team_ = dealLines(t, blocksFor(t, multiprocessors_));
  shadow_.outdate();
}

std::size_t PivotLauncher::packetBytes() const {
  return sizeof(Packet) * MessageSizes(tableau_.view(), team_).total();
}

void PivotLauncher::allocate() {
  std::size_t const packets = MessageSizes(tableau_.view(), team_).total();
  packets_.reserve(packets);
  clear(queue_.stream(), packets_, packets);
  next_ = Counters();
  placeMessages(tableau_.view(), team_, packets_.data());
}

void PivotLauncher::giveBack() {
  packets_ = {};
  roles_ = {};
  shadow_.giveBack();
}

void PivotLauncher::start(PivotRequest const& request) {
  if (request.pricing == Pricing::greatest) tableau_.fold();
  if (request.pricing == Pricing::steepest) shadow_.keep(queue_, tableau_, team_);
  TableauView tableau = tableau_.view();
  PlacedTeam const placed = place(tableau, request.pricing, request.algorithm);
  launchPivots(tableau, placed.team, placed.bytes, request, tableau_.used(), next_,
               report_.onDevice(), queue_.stream());
  if (request.algorithm == Algorithm::dual) applyShifts(queue_.stream(), tableau);
}

void PivotLauncher::start(ExchangeRequest const& request) {
  if (tableau_.used() == tableau_.view().capacity) tableau_.fold();
  TableauView tableau = tableau_.view();
  PlacedTeam const placed = place(tableau, Pricing::dantzig, Algorithm::dual);
  launchExchanges(tableau, placed.team, placed.bytes, request, tableau_.used(), next_,
                  report_.onDevice(), queue_.stream());
}

// What a launch is told of the tableau, and its team.
PlacedTeam PivotLauncher::place(TableauView& tableau, Pricing pricing, Algorithm algorithm) const {
  TeamView team = team_;
  shadow_.place(tableau_, tableau, team);
  if (pricing != Pricing::sketched) tableau.sketchSize = 0;
  return placeTeam(tableau, team, algorithm, sharedBytes_);
}

Role const* PivotLauncher::putRoles(std::span<Role const> roles) {
  roles_.reserve(roles.size());
  queue_.uploader().upload(queue_.stream(), roles_.data(), roles.data(), roles.size());
  return roles_.data();
}

PivotReport PivotLauncher::finish() {
  LaunchReport const report = report_[0];
  next_ = report.next;
  tableau_.setUsed(report.used);
  return report.pivots;
}

}  // namespace osi_cuda::cuda
