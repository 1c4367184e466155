// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/relaxation.hpp"

namespace osi_cuda::shortest_path {

/// What the shared library StudyShortestPathDevice offers, by its one exported function. It is
/// opened at run time, so that the program starts where there is no driver, no device, or no such
/// library. All functions throw EngineUnavailable with one sentence when CUDA can't do what they
/// ask.
struct DeviceModule {
  char const* version;  ///< of the project; another version's module is refused
  std::string (*deviceName)();
  /// `incoming`: the graph turned round.
  std::unique_ptr<RelaxationRounds> (*makeRelaxation)(Graph const& incoming, Vertex source);
  WaveField (*wave)(Grid const&, Vertex source);
};

/// The module, opened at the first call and never closed; looked for as OSI_CUDA_ENGINE_PATH says
/// (a folder) or beside the program. Throws EngineUnavailable.
DeviceModule const& deviceModule();

/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

}  // namespace osi_cuda::shortest_path
