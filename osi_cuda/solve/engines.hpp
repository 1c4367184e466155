// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/model/device_numbers.hpp"
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

/// Copies numbers from a device's memory to `target` on the host, once the stream has come to them.
/// Returns `source` with the number of its device, for DenseArray::there: an engine on that device
/// uses the numbers where they lie, without an upload and without a copy of them.
///
/// Throws EngineUnavailable where there is no module, driver or device, and std::invalid_argument
/// where `source` is no address of a device's memory.
DeviceNumbers fetchFromDevice(DeviceNumbers const& source, double* target);

/// The device that an address belongs to, once the cudaStream_t `stream` has come to what it has to
/// do; -1: an address of the host. Throws EngineUnavailable.
int deviceOf(void const* address, void* stream);
/// Copies bytes between the memories of the host and of a device, in either direction.
void copyAcross(int device, void* target, void const* source, std::size_t bytes);

}  // namespace osi_cuda
