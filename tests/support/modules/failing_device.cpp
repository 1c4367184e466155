// SPDX-License-Identifier: EPL-2.0
// Preloaded into a program (LD_PRELOAD), it launches a kernel that traps on a CUDA device, as a
// fault of the hardware would: OSI_CUDA_FAIL="DEVICE SECONDS", so many after the beginning, or
// once the program has opened the device. What takes the program's place (exec) is left alone.
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr char const* kernel = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry fail() { trap; }
)";

template <class Function>
Function* function(char const* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return driver ? reinterpret_cast<Function*>(dlsym(driver, name)) : nullptr;
}

bool isOpen(int device) {
  unsigned flags = 0;
  int active = 0;
  auto const state = function<int(int, unsigned*, int*)>("cuDevicePrimaryCtxGetState");
  return state && state(device, &flags, &active) == 0 && active != 0;
}

}  // namespace

extern "C" void osi_cuda_fail(int device) {
  void *context = nullptr, *module = nullptr, *entry = nullptr;
  function<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, device);
  function<int(void*)>("cuCtxSetCurrent")(context);
  function<int(void**, void const*)>("cuModuleLoadData")(&module, kernel);
  function<int(void**, void*, char const*)>("cuModuleGetFunction")(&entry, module, "fail");
  using Launch = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     void*, void**, void**);
  int const launched =
      function<Launch>("cuLaunchKernel")(entry, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
  std::fprintf(stderr, "a kernel that traps, on device %d: status %d\n", device, launched);
}

__attribute__((constructor)) static void begin() {
  char const* const text = std::getenv("OSI_CUDA_FAIL");
  int device = 0;
  double seconds = 0.0;
  if (!text || std::sscanf(text, "%d %lf", &device, &seconds) != 2) return;
  unsetenv("OSI_CUDA_FAIL");
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    while (!isOpen(device)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    osi_cuda_fail(device);
  }).detach();
}
