// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/shadow.hpp"

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

}  // namespace osi_cuda::cuda
