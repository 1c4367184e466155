// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "osi_cuda/base/host_device.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda {

/// A bound or a side of a row as its writer meant it: infinite from the size `from` on.
OSI_CUDA_HD inline double withInfinity(double number, double from) {
  return number >= from ? infinity : number <= -from ? -infinity : number;
}

/// Takes large bounds and sides for infinite ones, and counts those that were finite.
class LargeBounds {
 public:
  /// `from`: Options::infiniteFrom. Numbers of at least `silent` are not counted: some formats have
  /// no other way to say infinity.
  explicit LargeBounds(double from, double silent = infinity) : from_(from), silent_(silent) {}

  double operator()(double number) {
    count_ += areInfinite(number) && std::fabs(number) < silent_;
    return withInfinity(number, from_);
  }
  /// All of them, in place.
  void take(std::span<double> numbers) {
    for (double& number : numbers) number = (*this)(number);
  }
  bool areInfinite(double number) const { return std::fabs(number) >= from_; }
  /// The size from which they are, for messages: "1e+20 and more is infinity".
  std::string meaning() const;
  /// What was taken, as a sentence; empty where nothing was.
  std::string notice() const;

 private:
  double from_, silent_;
  int count_ = 0;
};

}  // namespace osi_cuda
