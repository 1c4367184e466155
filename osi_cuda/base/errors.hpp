// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace osi_cuda {

/// The engine that was asked for can't be had: no device, no module, too little memory there.
struct EngineUnavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A device failed in a solve that was to end then (Options::deviceLoss), and not to go on
/// elsewhere.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There is less memory than a problem needs, found before any was taken; the message says how
/// much is wanted and how much there is.
class NotEnoughMemory : public std::bad_alloc {
 public:
  explicit NotEnoughMemory(std::string const& sentence) : sentence_(sentence) {}
  char const* what() const noexcept override { return sentence_.what(); }

 private:
  std::runtime_error sentence_;  // whose copies don't throw
};

}  // namespace osi_cuda
