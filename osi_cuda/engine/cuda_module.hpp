// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/cost/machine.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/device_numbers.hpp"

namespace osi_cuda {

/// Which solves many problems on a device, for the module of batches (batch/device_many.hpp).
namespace batch {
class DeviceMany;
}

/// What the shared library OsiCudaEngine offers, by its one exported function osiCudaModule.
struct CudaModule {
  /// Version of the project and a hash of the headers that both sides are made from
  /// (cmake/OsiCudaInterface.cmake): a module that says anything else is refused. Stays first, so
  /// that it can be read whatever else changes.
  char const* interface;
  std::unique_ptr<Engine> (*makeEngine)(EngineOptions const&);
  std::vector<std::string> (*deviceNames)();  ///< by device number; throws EngineUnavailable
  std::unique_ptr<Barrier> (*makeBarrier)(BarrierOptions const&);
  std::unique_ptr<batch::DeviceMany> (*makeMany)(int device);
  /// What osi_cuda/solve/engines.hpp has
  DeviceNumbers (*fetchNumbers)(DeviceNumbers const& source, double* target);
  int (*deviceOf)(void const* address, void* stream);
  void (*copyAcross)(int device, void* target, void const* source, std::size_t bytes);
  DeviceProperties (*properties)(int device);     ///< throws EngineUnavailable
  DeviceRates (*measure)(int device, int order);  ///< all but the opening; likewise
  void (*useMachine)(Machine machine);            ///< the record for the module's choices
  std::string (*translation)(int device);         ///< what translationNotice says; throws likewise
};

/// The module, opened at the first call and never closed. It is looked for as the file or in the
/// folder that OSI_CUDA_ENGINE_PATH names, beside this library or program, in osi-cuda/ and
/// ../lib/osi-cuda/ from there, and where the system looks. Throws EngineUnavailable with one
/// message when there is none or when it misses a library. Libraries are loaded while the driver
/// makes ready the device that is asked for next, if that is known.
CudaModule const& cudaModule(std::optional<int> device = {});

/// An engine on a CUDA device. Throws EngineUnavailable when module, driver or device is missing.
std::unique_ptr<Engine> makeCudaEngine(EngineOptions const& options);
/// Whether this process has made one, which opened the device.
bool deviceWasOpened();
/// How the sentence below begins: programs show it that keep other notices to themselves.
inline constexpr char const* translationWords = "engine cuda: the driver translates";
/// A sentence, once in a process, to be shown before the device is opened where the driver has to
/// translate the module for it; empty otherwise, or where there is no such device.
std::string translationNotice(int device);
/// The interior point method there, likewise.
std::unique_ptr<Barrier> makeCudaBarrier(BarrierOptions const& options);

}  // namespace osi_cuda
