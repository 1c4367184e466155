// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>

#include "osi_cuda/errors.hpp"

namespace osi_cuda::examples {

/// Opens the shared library `file` (its kernels, beside the program or where OSI_CUDA_ENGINE_PATH
/// says), never to be closed, and calls its function `entry`, which returns the module's table.
/// Throws EngineUnavailable with a sentence if there is no such library, or if it belongs to
/// another version.
void const* openModule(std::string const& file, std::string const& entry);

/// The kernels of a program: a shared library that is opened at the first use, so that the program
/// starts where there is no driver, no device, or no such library. A Table's first member is the
/// project's version, and its functions throw EngineUnavailable with one sentence when CUDA can't
/// do what they ask; one of them is `deviceName`. One library for a Table.
template <class Table>
class DeviceModule {
 public:
  constexpr DeviceModule(char const* file, char const* entry) : file_(file), entry_(entry) {}

  /// Throws what openModule() throws; tried again at the next call then.
  Table const* operator->() const {
    static auto const* const table = static_cast<Table const*>(openModule(file_, entry_));
    return table;
  }
  /// Empty if a device can be used, otherwise the reason.
  std::string whyNot() const {
    try {
      (*this)->deviceName();
      return "";
    } catch (EngineUnavailable const& error) {
      return error.what();
    }
  }
  /// Whether to use the device, from auto, host or cuda. Throws EngineUnavailable for cuda where
  /// there is none.
  bool isWanted(std::string const& choice) const {
    if (choice == "host") return false;
    std::string const reason = whyNot();
    if (!reason.empty() && choice == "cuda") throw EngineUnavailable(reason);
    return reason.empty();
  }

 private:
  char const *file_, *entry_;
};

}  // namespace osi_cuda::examples
