// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/barrier/view.hpp"

/// Conjugate gradients with the normal matrix, and numbers that begin anew.
namespace osi_cuda::barrier {

/// What a scalar product is for; see InteriorPoint::solveNormal.
enum class Dot { right, residual, rho, curvature };

struct DotProduct {
  struct Result {
    double sum = 0.0;
    OSI_CUDA_HD void add(Result const& other) { sum += other.sum; }
  };
  double const* a;
  double const* b;
  Scalars* s;
  Dot what;
  OSI_CUDA_HD Result operator()(int k) const { return {a[k] * b[k]}; }
  OSI_CUDA_HD void finish(Result const& r) const {
    if (what == Dot::right) {
      s->rightNorm = r.sum;
    } else if (what == Dot::residual) {
      s->residualNorm = r.sum;
    } else if (what == Dot::rho) {
      s->beta = s->rho > 0.0 ? r.sum / s->rho : 0.0;
      s->rho = r.sum;
    } else {
      s->alpha = r.sum > 0.0 ? s->rho / r.sum : 0.0;
    }
  }
};

/// p <- z + beta p
struct NextSearch {
  Scalars const* s;
  double const* z;
  double* p;
  OSI_CUDA_HD void operator()(int k) const { p[k] = z[k] + s->beta * p[k]; }
};
/// x <- x + alpha p, r <- r - alpha q
struct FollowSearch {
  Scalars const* s;
  double const* p;
  double const* q;
  double* x;
  double* r;
  OSI_CUDA_HD void operator()(int k) const {
    x[k] += s->alpha * p[k];
    r[k] -= s->alpha * q[k];
  }
};

/// Numbers of one place that have to begin anew.
struct ResetScalars {
  Scalars* s;
  OSI_CUDA_HD void operator()(int) const { s->failed = 0.0; }
};
struct ResetSearch {
  Scalars* s;
  OSI_CUDA_HD void operator()(int) const { s->rho = 0.0; }
};

}  // namespace osi_cuda::barrier
