// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/engines.hpp"

#include <algorithm>
#include <numeric>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/solve/engine_makers.hpp"

namespace osi_cuda {

namespace {

std::string wordOf(EngineChoice engine) {
  auto const found = std::find_if(std::begin(engineWords), std::end(engineWords),
                                  [&](auto const& word) { return word.value == engine; });
  return found->word;
}

}  // namespace

std::vector<EngineReport> findEngines() {
  std::vector<EngineReport> reports;
  for (NamedEngine const& named : namedEngines) {
    EngineReport report{wordOf(named.engine), {}, ""};
    try {
      report.devices = named.devices();
    } catch (EngineUnavailable const& e) {
      std::string const prefix = "engine " + report.name + ": ";  // the list says so already
      std::string const reason = e.what();
      report.reason = reason.rfind(prefix, 0) == 0 ? reason.substr(prefix.size()) : reason;
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<int> devicesOf(Options const& options) {
  if (options.devices.empty()) return {options.device};
  if (options.devices != "all") return numbersIn(options.devices);
  std::vector<int> all(cudaModule().deviceNames().size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

DeviceNumbers fetchFromDevice(DeviceNumbers const& source, double* target) {
  return cudaModule().fetchNumbers(source, target);
}

int deviceOf(void const* address, void* stream) {
  return cudaModule().deviceOf(address, stream);
}

void copyAcross(int device, void* target, void const* source, std::size_t bytes) {
  if (bytes > 0) cudaModule().copyAcross(device, target, source, bytes);
}

}  // namespace osi_cuda
