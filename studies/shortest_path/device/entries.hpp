// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "studies/shortest_path/device_module.hpp"

/// What the files of this folder give to the module's table.
namespace osi_cuda::shortest_path::device {

std::unique_ptr<RelaxationRounds> makeRelaxation(Graph const& incoming, Vertex source);
WaveField wave(Grid const& grid, Vertex source);

}  // namespace osi_cuda::shortest_path::device
