// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "examples/common/module.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/relaxation.hpp"

namespace osi_cuda::shortest_path {

/// What the shared library StudyShortestPathDevice offers, by its one exported function.
struct DeviceTable {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  /// `incoming`: the graph turned round.
  std::unique_ptr<RelaxationRounds> (*makeRelaxation)(Graph const& incoming, Vertex source);
  WaveField (*wave)(Grid const&, Vertex source);
};
inline constexpr examples::DeviceModule<DeviceTable> deviceModule{"StudyShortestPathDevice.so",
                                                                  "studyShortestPathDevice"};

}  // namespace osi_cuda::shortest_path
