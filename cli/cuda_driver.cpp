// SPDX-License-Identifier: EPL-2.0
#include "cli/cuda_driver.hpp"

#include <dlfcn.h>

namespace osi_cuda::cli {
namespace {

/// A function of the driver's interface (cuda.h); all that are used here return 0 for success.
template <class Function>
Function* find(void* driver, char const* name) {
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

void wake(void* driver, int device) {
  auto* const init = find<int(unsigned)>(driver, "cuInit");
  auto* const deviceGet = find<int(int*, int)>(driver, "cuDeviceGet");
  auto* const retain = find<int(void**, int)>(driver, "cuDevicePrimaryCtxRetain");
  int handle = 0;
  void* context = nullptr;
  if (init && deviceGet && retain && init(0) == 0 && deviceGet(&handle, device) == 0)
    retain(&context, handle);
}

}  // namespace

// Loaded by the caller: while a library is being loaded no other thread can load one.
std::future<void> wakeCudaDriver(int device) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!driver) return {};
  return std::async(std::launch::async, [driver, device] { wake(driver, device); });
}

}  // namespace osi_cuda::cli
