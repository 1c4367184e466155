// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

namespace osi_cuda {

/// What this program can run on.
struct EngineReport {
  std::string name;                  ///< "host" or "cuda", as the option `engine` takes it
  std::vector<std::string> devices;  ///< names, by device number; empty: the engine is not usable
  std::string reason;                ///< a message when there are no devices; else empty
};

/// Every engine that there is, usable or not. Never throws for what the machine lacks.
std::vector<EngineReport> findEngines();

}  // namespace osi_cuda
