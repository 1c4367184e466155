// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <vector>

#include "osi_cuda/cost/machine.hpp"

namespace osi_cuda::cuda {

/// What an engine wants to know of a device before it works on it.
struct DeviceFacts {
  std::string name;
  int multiprocessors = 1;
  std::size_t sharedPerBlock = 0;  ///< bytes for dynamic shared memory of a block
};

/// Their number, at least 1. Throws EngineUnavailable with the driver's reason where there is none.
int countDevices();
std::vector<std::string> deviceNames();
/// What the driver tells of it. Throws EngineUnavailable.
DeviceProperties deviceProperties(int device);
/// Makes `device` the thread's device. Throws EngineUnavailable where it is not there or can't run
/// the pivots.
DeviceFacts openDevice(int device);

/// Remembers which context the calling thread works with, and makes it work with that again at the
/// end. A thread that had none has none then: to set its device instead would give it one.
class CallersContext {
 public:
  CallersContext();
  ~CallersContext();
  CallersContext(CallersContext const&) = delete;
  CallersContext& operator=(CallersContext const&) = delete;

 private:
  void* context_ = nullptr;  ///< a CUcontext
  bool known_ = false;       ///< false: there is no driver that could be asked
};

/// Makes `device` the calling thread's device until the end. Throws EngineUnavailable.
class DeviceScope {
 public:
  explicit DeviceScope(int device);

 private:
  CallersContext before_;
};

}  // namespace osi_cuda::cuda
