// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/open_device.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/cuda/check.hpp"

namespace osi_cuda::cuda {

namespace {

/// The driver's own functions: the runtime has none that ask without giving the thread a context.
struct Driver {
  PFN_cuCtxGetCurrent_v4000 getCurrent = nullptr;
  PFN_cuCtxSetCurrent_v4000 setCurrent = nullptr;

  Driver() {
    constexpr unsigned since = 4000;  // the version of CUDA that they are there from
    find("cuCtxGetCurrent", since, getCurrent);
    find("cuCtxSetCurrent", since, setCurrent);
  }

 private:
  template <class Function>
  static void find(char const* name, unsigned since, Function& function) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
    cudaError_t const status =
        cudaGetDriverEntryPointByVersion(name, &address, since, cudaEnableDefault, &found);
#else  // the one of this CUDA's version, which is the same for what is so old
    (void)since;
    cudaError_t const status = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found);
#endif
    if (status != cudaSuccess)
      cudaGetLastError();
    else if (found == cudaDriverEntryPointSuccess)
      function = reinterpret_cast<Function>(address);
  }
};

Driver const& driver() {
  static Driver const found;
  return found;
}

}  // namespace

CallersContext::CallersContext() {
  CUcontext context = nullptr;
  if (!driver().getCurrent || !driver().setCurrent) return;
  known_ = driver().getCurrent(&context) == CUDA_SUCCESS;
  context_ = context;
}

CallersContext::~CallersContext() {
  if (known_) driver().setCurrent(static_cast<CUcontext>(context_));
}

// The runtime may take the device for set already, where it was so before the context was taken
// away; the libraries have a runtime of their own each, and would take device 0 then.
DeviceScope::DeviceScope(int device) {
  check(cudaSetDevice(device));
  CUcontext present = nullptr;
  if (driver().getCurrent && driver().getCurrent(&present) == CUDA_SUCCESS && !present)
    check(cudaFree(nullptr));
}

namespace {

cudaDeviceProp propertiesOf(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  return properties;
}

}  // namespace

int countDevices() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices));
  if (devices == 0) check(cudaErrorNoDevice);
  return devices;
}

std::vector<std::string> deviceNames() {
  std::vector<std::string> names;
  for (int device = 0, devices = countDevices(); device < devices; ++device)
    names.emplace_back(propertiesOf(device).name);
  return names;
}

DeviceProperties deviceProperties(int device) {
  cudaDeviceProp const is = propertiesOf(device);
  auto const attribute = [&](cudaDeviceAttr which) {
    int value = 0;  // where the driver does not know
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
  };
  // Kilohertz, and bits that memory takes or gives twice in a clock.
  double const memoryClock = 1e3 * attribute(cudaDevAttrMemoryClockRate);
  return {is.name,
          is.major,
          is.minor,
          static_cast<double>(is.multiProcessorCount),
          1e3 * attribute(cudaDevAttrClockRate),
          2.0 * memoryClock * attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0,
          static_cast<double>(std::min(is.totalGlobalMem, memoryLimit()))};
}

DeviceFacts openDevice(int device) {
  int const devices = countDevices();
  if (device < 0 || device >= devices)
    throw EngineUnavailable("engine cuda: there is no device " + std::to_string(device) +
                            ", only " + std::to_string(devices));
  check(cudaSetDevice(device));
  cudaDeviceProp const properties = propertiesOf(device);
  if (!properties.cooperativeLaunch)
    throw EngineUnavailable(std::string("engine cuda: ") + properties.name +
                            " has no cooperative launches");
  constexpr std::size_t staticPieces = 1024;  // of the kernels, beside the dynamic ones
  return {properties.name, properties.multiProcessorCount,
          properties.sharedMemPerBlockOptin - staticPieces};
}

}  // namespace osi_cuda::cuda
