// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/simplex/limits.hpp"

#include <stdexcept>

namespace osi_cuda {

Status statusOf(Limit limit) {
  switch (limit) {
    case Limit::stop:
      return Status::interrupted;
    case Limit::time:
      return Status::timeLimit;
    case Limit::iterations:
      return Status::iterationLimit;
    case Limit::none:
      break;
  }
  throw std::invalid_argument("no limit was reached");
}

double Limits::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

bool Limits::outOfTime() {
  return take(budget_.interruption());
}

bool Limits::reached() {
  return take(budget_.reached());
}

bool Limits::take(Limit limit) {
  if (limit == Limit::none) return false;
  which_ = statusOf(limit);
  return true;
}

}  // namespace osi_cuda
