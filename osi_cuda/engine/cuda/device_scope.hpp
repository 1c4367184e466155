// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::cuda {

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
