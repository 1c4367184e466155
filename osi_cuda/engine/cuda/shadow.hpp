// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>

#include "osi_cuda/engine/cuda/device_tableau.hpp"

namespace osi_cuda::cuda {

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

}  // namespace osi_cuda::cuda
