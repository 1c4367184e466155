// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/limits.hpp"

namespace osi_cuda {

double Limits::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Limits::outOfTime() {
  if (task_.callbacks.interrupted && task_.callbacks.interrupted()) {
    which_ = Status::interrupted;
    return true;
  }
  which_ = Status::timeLimit;
  return seconds() > task_.options.timeLimit;
}

bool Limits::reached(std::int64_t iterations) {
  if (outOfTime()) return true;
  which_ = Status::iterationLimit;
  return iterations >= task_.options.iterationLimit;
}

}  // namespace osi_cuda
