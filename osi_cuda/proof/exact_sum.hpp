// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <vector>

#include "osi_cuda/proof/bounded.hpp"

namespace osi_cuda::proof {

/// A sum of products of doubles without any rounding, but for underflow: an expansion of doubles
/// that do not overlap, smallest first (Shewchuk, "Adaptive precision floating-point arithmetic",
/// 1997). For the few lines of a matrix whose terms cancel beyond a pair of doubles.
class ExactSum {
 public:
  void add(double a, double b) {
    DoubleDouble const p = double_double::twoProduct(a, b);
    if (std::fabs(p.hi) < 0x1p-960 && a != 0.0 && b != 0.0) lost_ += 0x1p-1070;
    add(p.lo);
    add(p.hi);
  }
  void add(DoubleDouble const& a, double b) {
    add(a.hi, b);
    if (a.lo != 0.0) add(a.lo, b);
  }

  Bounded value() const {
    Bounded sum;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) sum = sum + Bounded(*part);
    sum.error += lost_;
    return sum;
  }

 private:
  void add(double b) {
    if (b == 0.0) return;
    std::size_t kept = 0;
    for (double const part : parts_) {
      DoubleDouble const s = double_double::twoSum(b, part);
      if (s.lo != 0.0) parts_[kept++] = s.lo;
      b = s.hi;
    }
    parts_.resize(kept);
    if (b != 0.0) parts_.push_back(b);
  }

  std::vector<double> parts_;
  double lost_ = 0.0;
};

}  // namespace osi_cuda::proof
