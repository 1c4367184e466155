// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda_module.hpp"

#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <future>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/module_file.hpp"

namespace osi_cuda {
namespace {

std::atomic<bool> opened = false;

/// A function of the driver's interface (cuda.h); all that are used here return 0 for success.
template <class Function>
Function* find(void* driver, char const* name) {
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

/// Begins, on a thread of its own, what takes NVIDIA's driver 0.2 s before a device can be used: it
/// is started and the device's context is made, the very one that the CUDA runtime will use. Where
/// there is no driver or no such device, nothing happens; who asks for an engine hears of it.
std::future<void> wakeDriver(int device) {
  // While a library is being loaded no other thread can load one: the caller loads the driver, and
  // lets it load its own, which it does in its first milliseconds, before others take 0.06 s.
  constexpr std::chrono::milliseconds headStart(5);
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!driver) return {};
  std::future<void> woken = std::async(std::launch::async, [driver, device] {
    auto* const init = find<int(unsigned)>(driver, "cuInit");
    auto* const deviceGet = find<int(int*, int)>(driver, "cuDeviceGet");
    auto* const retain = find<int(void**, int)>(driver, "cuDevicePrimaryCtxRetain");
    int handle = 0;
    void* context = nullptr;
    if (init && deviceGet && retain && init(0) == 0 && deviceGet(&handle, device) == 0)
      retain(&context, handle);
  });
  woken.wait_for(headStart);
  return woken;
}

CudaModule const& open(std::optional<int> device) {
  std::future<void> driver;
  ModuleSearch const search = openModule(
      {"OsiCudaEngine.so", "osiCudaModule", OSI_CUDA_INTERFACE, "OSI_CUDA_ENGINE_PATH"}, [&] {
        if (device && !driver.valid()) driver = wakeDriver(*device);
      });
  if (search.fault == ModuleFault::none) return *static_cast<CudaModule const*>(search.table);
  throw EngineUnavailable("engine cuda: the module OsiCudaEngine.so can't be used: " +
                          search.reason);
}

/// The record of this process becomes the one of the device that is about to be opened, here and in
/// the module, which has a copy of all this.
CudaModule const& moduleFor(int device) {
  static std::atomic<int> known = -1;
  CudaModule const& module = cudaModule(device);
  if (known == device || !module.properties) return module;
  try {
    deviceFound(module.properties(device));
    module.useMachine(machine());
    known = device;
  } catch (EngineUnavailable const&) {  // who makes something there tells why
  }
  return module;
}

}  // namespace

CudaModule const& cudaModule(std::optional<int> device) {
  static CudaModule const& module = open(device);  // tried again at the next call where this throws
  return module;
}

std::unique_ptr<Engine> makeCudaEngine(EngineOptions const& options) {
  std::unique_ptr<Engine> engine = moduleFor(options.device).makeEngine(options);
  opened = true;
  return engine;
}

bool deviceWasOpened() {
  return opened;
}

std::string translationNotice(int device) {
  static std::atomic<bool> said = false;
  try {
    CudaModule const& module = moduleFor(device);
    if (module.translation && !said.exchange(true)) return module.translation(device);
  } catch (EngineUnavailable const&) {  // who opens the device tells why
  }
  return {};
}

std::unique_ptr<Barrier> makeCudaBarrier(BarrierOptions const& options) {
  return moduleFor(options.devices.front()).makeBarrier(options);
}

}  // namespace osi_cuda
