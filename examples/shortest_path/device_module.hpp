// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/ant_colony.hpp"
#include "examples/shortest_path/relaxation.hpp"

namespace osi_cuda::shortest_path {

/// What the shared library ShortestPathDevice offers, by its one exported function. It is opened at
/// run time, so that the program starts where there is no driver, no device, or no such library.
/// All functions throw EngineUnavailable with one sentence when CUDA can't do what they ask.
struct DeviceModule {
  char const* interface;  ///< a hash of this header and those below; another one is refused
  std::string (*deviceName)();
  /// `incoming`: the graph turned round.
  std::unique_ptr<RelaxationRounds> (*makeRelaxation)(Graph const& incoming, Vertex source);
  WaveField (*wave)(Grid const&, Vertex source);
  ants::Run (*ants)(std::vector<ants::Colony> const&, ants::Parameters const&, int iterations);
};

/// What the files of device/ give to the module's table.
namespace device {
std::unique_ptr<RelaxationRounds> makeRelaxation(Graph const& incoming, Vertex source);
WaveField wave(Grid const& grid, Vertex source);
ants::Run runAnts(std::vector<ants::Colony> const& colonies, ants::Parameters const& parameters,
                  int iterations);
}  // namespace device

/// The module, opened at the first call (examples/common/kernels.hpp). Throws EngineUnavailable.
DeviceModule const& deviceModule();

/// "host", or the name of the device. Throws EngineUnavailable where it can't be used.
std::string executorOf(Place place);

/// Empty if a device can be used, otherwise the reason.
std::string whyNoDevice();

}  // namespace osi_cuda::shortest_path
