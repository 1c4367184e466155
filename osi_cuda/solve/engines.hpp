// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/options.hpp"

namespace osi_cuda {

/// What this program can run on.
struct EngineReport {
  std::string name;                  ///< "host" or "cuda", as the option `engine` takes it
  std::vector<std::string> devices;  ///< names, by device number; empty: the engine is not usable
  std::string reason;                ///< a message when there are no devices; else empty
};

/// Every engine that there is, usable or not. Never throws for what the machine lacks.
std::vector<EngineReport> findEngines();

/// The numbers of the CUDA devices that options name, `device` alone among them. Throws
/// EngineUnavailable where `devices` is "all" and there are none.
std::vector<int> devicesOf(Options const& options);

}  // namespace osi_cuda
