// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/device_queue.hpp"

namespace osi_cuda::cuda {

/// Vectors by variable in device memory, of length n + m each, in this order: what the caller gave,
/// and room to work in. What lies in the latter is nobody's after a call of the engine.
class VariableVectors {
 public:
  double* cost = nullptr;
  double* lower = nullptr;  ///< working bounds
  double* upper = nullptr;
  double* value = nullptr;  ///< work
  double* other = nullptr;  ///< work; follows `value` in memory
  double* work = nullptr;   ///< work, twice the length and two numbers more; follows `other`

  void allocate(DeviceQueue const& queue, std::size_t variables) {
    std::size_t const numbers = 7 * variables + 2;
    makeRoom(queue.stream(), memory_, numbers);
    double* next = memory_.data();
    for (double** vector : {&cost, &lower, &upper, &value, &other, &work}) {
      *vector = next;
      next += variables;
    }
  }
  void giveBack() { memory_ = {}; }

 private:
  DeviceArray<double> memory_;
};

}  // namespace osi_cuda::cuda
