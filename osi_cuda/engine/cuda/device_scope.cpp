// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/device_scope.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>

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
    cudaError_t const status =
        cudaGetDriverEntryPointByVersion(name, &address, since, cudaEnableDefault, &found);
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

}  // namespace osi_cuda::cuda
