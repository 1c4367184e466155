// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/block.cuh"

namespace osi_cuda::cuda::grid {

/// A block's own lines of U' and V': the newest factors in shared memory, `sharedLines` apart, the
/// older ones, if there are any, in device memory, `stride` apart.
template <class Kind>
class FactorLines {
 public:
  __device__ explicit FactorLines(Block<Kind>& block) : b_(block) {}

  template <Lines kind>
  __device__ double* older() const {
    return (kind == Lines::columns ? b_.t.v : b_.t.u) + at(side<kind>(b_).first) * b_.t.stride;
  }
  template <Lines kind>
  __device__ double* newest() const {
    return piece<double>(kind == Lines::columns ? b_.team.places.vTile : b_.team.places.uTile);
  }
  /// Factor l of an own line, wherever it is.
  template <Lines kind>
  __device__ double entry(int line, int l) const {
    if (l < olderFactors(b_)) return __ldcg(older<kind>() + at(line) * b_.t.stride + l);
    return newest<kind>()[line * b_.team.sharedLines + l - olderFactors(b_)];
  }

  // What is beyond the factors in use is read as well, times zero: it has to be a number.
  template <Lines kind>
  __device__ void take() const {
    int const width = b_.team.sharedLines, before = olderFactors(b_);
    if (thread() < tileEnd) newest<kind>()[side<kind>(b_).count * width + thread()] = 0.0;
#pragma unroll 1
    for (int i = group(); i < side<kind>(b_).count; i += groups)
#pragma unroll 1
      for (int l = lane(); l < width; l += lanes) {
        double const* const old = older<kind>() + at(i) * b_.t.stride + before;
        newest<kind>()[i * width + l] = before + l < b_.used ? old[l] : 0.0;
      }
  }

  /// Copies the newest `count` factors of the own lines to the older ones.
  template <Lines kind>
  __device__ void flush(int count) const {
#pragma unroll 1
    for (int i = group(); i < side<kind>(b_).count; i += groups)
#pragma unroll 1
      for (int l = lane(); l < count; l += lanes)
        __stcg(older<kind>() + at(i) * b_.t.stride + olderFactors(b_) + l,
               newest<kind>()[i * b_.team.sharedLines + l]);
  }

  /// The factors of an own line become zero; by its group.
  template <Lines kind>
  __device__ void zero(int line) const {
    if (line < 0 || line >= side<kind>(b_).count || line % groups != group()) return;
#pragma unroll 1
    for (int l = lane(); l < olderFactors(b_); l += lanes)
      __stcg(older<kind>() + at(line) * b_.t.stride + l, 0.0);
#pragma unroll 1
    for (int l = lane(); l < b_.used - olderFactors(b_); l += lanes)
      newest<kind>()[line * b_.team.sharedLines + l] = 0.0;
  }

  /// Factor k of an own line; finish() then counts it.
  template <Lines kind>
  __device__ void append(int line, double factor) const {
    newest<kind>()[line * b_.team.sharedLines + b_.used - olderFactors(b_)] = factor;
  }
  /// One factor more is in use. Where shared memory is full, its factors are older ones from now
  /// on.
  __device__ void finish() const {
    ++b_.used;
    if constexpr (Kind::wide) {
      if (b_.used - olderFactors(b_) < b_.team.sharedLines) return;
      __syncwarp();
      flush<Lines::rows>(b_.team.sharedLines);
      flush<Lines::columns>(b_.team.sharedLines);
      b_.older = b_.used;
    }
  }

  /// The sum of the own lines' factor l of U (or V), each times its g.
  template <Lines kind>
  __device__ double weightedSum(double const* g, int l) const {
    Side const own = side<kind>(b_);
    double sum = 0.0;
    if (l < olderFactors(b_)) {
#pragma unroll 4
      for (int i = 0; i < own.count; ++i)
        sum = fma(g[own.first + i], __ldcg(older<kind>() + at(i) * b_.t.stride + l), sum);
    } else {
      double const* const factor = newest<kind>() + l - olderFactors(b_);
#pragma unroll 4
      for (int i = 0; i < own.count; ++i)
        sum = fma(g[own.first + i], factor[i * b_.team.sharedLines], sum);
    }
    return sum;
  }

  /// take(i, sum over l of factor l of own line i times coefficient l), by the owner of line i.
  /// Behind the `used` coefficients there are zeros, see padFactors.
  template <Lines kind, class Take>
  __device__ void products(double const* coefficients, Take take) const {
    int const count = side<kind>(b_).count;
    if (count == 0) return;
    if (!Kind::wide || count <= groups) {
      double sum[1];
      dots<kind>(0, coefficients, sum);
      if (lane() == 0 && group() < count) take(group(), sum[0]);
    } else {
      constexpr int rounds = 4;
#pragma unroll 1
      for (int first = 0; first * groups < count; first += rounds) {
        double sum[rounds];
        dots<kind>(first * groups, coefficients, sum);
        double own = sum[0];
        int const r = (lane() - first % lanes + lanes) % lanes;  // the round that this thread takes
#pragma unroll
        for (int s = 1; s < rounds; ++s) own = r == s ? sum[s] : own;
        int const i = (first + r) * groups + group();
        if (r < rounds && i < count) take(i, own);
      }
    }
    __syncwarp();
  }

 private:
  // Sums of a thread's share, for the own lines begin + group, begin + group + groups, ... at once;
  // where there are none the group's first one is repeated. The order of a sum is that of the
  // factors, wherever they are.
  template <Lines kind, int rounds>
  __device__ void dots(int begin, double const* coefficients, double (&sum)[rounds]) const {
    double2 part[rounds];
    int place[rounds];
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      part[r] = make_double2(0.0, 0.0);
      int const line = begin + r * groups + group();
      place[r] = line < side<kind>(b_).count ? line : begin + group();
    }
    bool const any = begin + group() < side<kind>(b_).count;  // groups without a line read nothing
    auto const add = [&](double2 f, double2 c, double2& to) {
      to.x = fma(f.x, c.x, to.x);
      to.y = fma(f.y, c.y, to.y);
    };
    constexpr int step = 2 * lanes;
    if constexpr (Kind::wide) {
      double const* const old = older<kind>();
#pragma unroll 2
      for (int l = 2 * lane(); l < (any ? olderFactors(b_) : 0); l += step) {
        double2 const c = *reinterpret_cast<double2 const*>(coefficients + l);
#pragma unroll
        for (int r = 0; r < rounds; ++r)
          add(__ldcg(reinterpret_cast<double2 const*>(old + at(place[r]) * b_.t.stride + l)), c,
              part[r]);
      }
    }
    // Two steps at a time: behind the factors in use there are zeros (see padFactors).
    auto const* near = reinterpret_cast<double2 const*>(newest<kind>()) + lane();
    auto const* factor = reinterpret_cast<double2 const*>(coefficients + olderFactors(b_)) + lane();
#pragma unroll 1
    for (int l = 0; l < (any ? b_.used - olderFactors(b_) : 0);
         l += 2 * step, factor += step, near += step) {
      double2 const first = factor[0], second = factor[lanes];
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        double2 const* const own = near + place[r] * (b_.team.sharedLines / 2);
        add(own[0], first, part[r]);
        add(own[lanes], second, part[r]);
      }
    }
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      sum[r] = part[r].x + part[r].y;
#pragma unroll
      for (int distance = lanes / 2; distance > 0; distance /= 2)
        sum[r] += __shfl_xor_sync(~0u, sum[r], distance);
    }
  }

  Block<Kind>& b_;
};

/// Zeros behind the coefficients of a product: products() takes two steps of 2 x `lanes` at a time.
__device__ inline void padFactors(double* coefficients, int used) {
  if (thread() < 4 * lanes) coefficients[used + thread()] = 0.0;
}

}  // namespace osi_cuda::cuda::grid
