// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "bridges/bridge.hpp"

namespace osi_cuda {

/// What the shared library OsiCudaBridge-NAME offers, by its one exported function osiCudaBridge:
/// one other solver. Each is a file of its own, opened at run time, so that the program starts
/// without any of them, and none is linked with it.
///
/// `run` solves a sound problem without crossed bounds by an algorithm of the list. Certificates
/// are what the solver said, in either sign; the caller checks them. Throws BridgeLimit.
struct BridgeModule {
  /// Version of the project and a hash of the headers that both sides are made from
  /// (cmake/OsiCudaInterface.cmake): a module that says anything else is refused. Stays first, so
  /// that it can be read whatever else changes.
  char const* interface;
  /// Of the library found at run time. Throws std::runtime_error with the reason where the module
  /// has to open it and can't.
  std::string (*version)();
  char const* algorithms;  ///< separated by blanks, the default first
  bool (*startsFromBasis)(std::string const& algorithm);
  Solution (*run)(LinearProgram const& lp, BridgeOptions const& options);
  /// The file of the library that the module has opened; null where the loader found it.
  std::string (*library)() = nullptr;
};

}  // namespace osi_cuda

/// Defines a module's exported function, of the members behind `interface`; once in each module,
/// outside of any namespace.
#define OSI_CUDA_BRIDGE_MODULE(...)                                                        \
  extern "C" __attribute__((visibility("default"))) osi_cuda::BridgeModule const*          \
  osiCudaBridge() {                                                                        \
    static constexpr osi_cuda::BridgeModule module{.interface = OSI_CUDA_BRIDGE_INTERFACE, \
                                                   __VA_ARGS__};                           \
    return &module;                                                                        \
  }
