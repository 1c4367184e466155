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
  shadow_.giveBack();
}

void PivotLauncher::start(PivotRequest const& request) {
  if (request.pricing == Pricing::greatest) tableau_.fold();
  if (request.pricing == Pricing::steepest) shadow_.keep(queue_, tableau_, team_);
  TableauView tableau = tableau_.view();
  TeamView team = team_;
  shadow_.place(tableau_, tableau, team);
  if (request.pricing != Pricing::sketched) tableau.sketchSize = 0;
  PlacedTeam const placed = placeTeam(tableau, team, request.algorithm, sharedBytes_);
  launchPivots(tableau, placed.team, placed.bytes, request, tableau_.used(), next_,
               report_.onDevice(), queue_.stream());
  if (request.algorithm == Algorithm::dual) applyShifts(queue_.stream(), tableau);
}

PivotReport PivotLauncher::finish() {
  LaunchReport const report = report_[0];
  next_ = report.next;
  tableau_.setUsed(report.used);
  return report.pivots;
}

}  // namespace osi_cuda::cuda
