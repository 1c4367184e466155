// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <stdexcept>

namespace osi_cuda {

/// The engine that was asked for can't be had: no device, no module, too little memory.
class EngineUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace osi_cuda
