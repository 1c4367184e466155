// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {

/// Infeasibilities of a point, and its objective.
struct Measure {
  double primalSum = 0.0, primalMax = 0.0;
  double dualSum = 0.0, dualMax = 0.0;
  int primalCount = 0, dualCount = 0;
  double objective = 0.0;  ///< sum over nonbasic variables d_j x_j = c'x

  OSI_CUDA_HD void addBasic(double x, double lower, double upper, double tolerance) {
    double const gap = fabs(rules::violation(x, lower, upper, tolerance));
    if (gap == 0.0) return;
    primalSum += gap;
    primalMax = fmax(primalMax, gap);
    ++primalCount;
  }
  OSI_CUDA_HD void addNonbasic(double d, double x, double lower, double upper, double tolerance) {
    double const pull = fabs(rules::attraction(d, x, lower, upper));
    objective += d * x;
    if (pull <= tolerance) return;
    dualSum += pull;
    dualMax = fmax(dualMax, pull);
    ++dualCount;
  }
  OSI_CUDA_HD void add(Measure const& o) {
    *this = {primalSum + o.primalSum,  fmax(primalMax, o.primalMax), dualSum + o.dualSum,
             fmax(dualMax, o.dualMax), primalCount + o.primalCount,  dualCount + o.dualCount,
             objective + o.objective};
  }
};

}  // namespace osi_cuda
