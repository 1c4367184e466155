// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/verdict.hpp"

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {
namespace {

using proof::Bounded;

/// x_k, without its second part unless `parts`.
__device__ DoubleDouble numberAt(Pairs const& x, int k, double factor, bool parts) {
  return {x.high[k] * factor, parts ? x.low[k] * factor : 0.0};
}

/// The same by another power of two.
__device__ Bounded byPowerOfTwo(Bounded const& a, double factor) {
  return {{a.value.hi * factor, a.value.lo * factor}, a.error * factor};
}

/// f(a, b) over the values of `threads` successive threads of a warp, for all of them.
template <class T, class F>
__device__ T combineThreads(T value, int threads, F f) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  for (int distance = threads / 2; distance > 0; distance /= 2)
    value = f(value, fromLane(value, lane ^ distance));
  return value;
}

struct CombineSums {
  __device__ VerdictSums operator()(VerdictSums const& a, VerdictSums const& b) const {
    VerdictSums both;
    for (int k = 0; k < 2; ++k) {
      both.objective[k] = a.objective[k] + b.objective[k];
      both.share[k] = {proof::worse(a.share[k].primal, b.share[k].primal),
                       proof::combine(a.share[k].charges, b.share[k].charges)};
      both.largest[k] = proof::worse(a.largest[k], b.largest[k]);
    }
    return both;
  }
};

/// to[k] <- the sum of from[32 k] to from[32 k + 31]; k < count
void sumUp(cudaStream_t stream, int count, VerdictSums const* from, VerdictSums* to) {
  forWarps(stream, count, [=] __device__(int k, int lane) {
    VerdictSums const sum = combineThreads(from[32 * k + lane], 32, CombineSums{});
    if (lane == 0) to[k] = sum;
  });
}

/// Line i of the matrix times x in the matrix's numbers, with the absolute values of its terms, by
/// half a warp.
struct BoundedLine {
  Bounded sum;
  double terms = 0.0;
};
__device__ BoundedLine boundedLine(LinesView const& matrix, int i, int lane, Pairs const& x,
                                   bool parts) {
  proof::Sum sum;
  for (std::int64_t e = matrix.begin(i) + lane % 16; e < matrix.end(i); e += 16)
    sum.add(numberAt(x, matrix.index(e), 1.0, parts), matrix.value(i, e));
  return combineThreads(BoundedLine{sum.value(), sum.terms()}, 16,
                        [](BoundedLine const& a, BoundedLine const& b) {
                          return BoundedLine{a.sum + b.sum, a.terms + b.terms};
                        });
}

/// What a column or row adds to the verdict.
struct VerdictLine {
  Bounded reducedCost, value;  ///< of a row, its multiplier and activity
  double lower, upper, cost, rounding;
};
__device__ void addToShare(VerdictSums::Share& share, VerdictLine const& line, double sign,
                           double gapUnit) {
  share.primal = proof::worse(share.primal, proof::violationOf(line.value, line.lower, line.upper));
  proof::charge(share.charges, sign < 0.0 ? -line.reducedCost : line.reducedCost, line.value,
                line.lower, line.upper, line.cost, gapUnit, [&] { return line.rounding; });
}

}  // namespace

// The objective first, by which every charge is measured; then the lines, a warp each: its halves
// look at the doubles alone and at both parts.
void verifyPoint(cudaStream_t stream, GivenView const& g, Pairs const& x, Pairs const& y,
                 VerdictResults const& results) {
  VerdictSums *const partial = results.partial, *const groups = partial + verdictWarps,
                     *const whole = groups + 32;
  forWarps(stream, 32, [=] __device__(int warp, int lane) {
    proof::Sum sums[2];
    VerdictSums own;
    for (int k = 32 * warp + lane; k < max(g.n, g.m); k += 1024) {
      for (int parts = 0; parts < 2 && k < g.n; ++parts)
        sums[parts].add(numberAt(x, k, g.columnScale[k], parts != 0), g.objective[k]);
      double const a = k < g.n ? x.high[k] * g.columnScale[k] : 0.0,
                   b = k < g.m ? y.high[k] * g.rowScale[k] / g.costScale : 0.0;
      own.largest[0] = proof::worse(own.largest[0], fabs(a));
      own.largest[1] = proof::worse(own.largest[1], fabs(b));
    }
    for (int parts = 0; parts < 2; ++parts) own.objective[parts] = sums[parts].value();
    own = combineThreads(own, 32, CombineSums{});
    if (lane == 0) groups[warp] = own;
  });
  sumUp(stream, 1, groups, whole);
  forWarps(stream, verdictWarps, [=] __device__(int warp, int lane) {
    int const parts = lane / 16;
    Bounded const objective = whole->objective[parts] + Bounded(g.offset);
    double const unit = 1.0 + fabs(objective.value.hi);
    double const share = parts ? proof::multiplierRoundingOfParts : proof::multiplierRounding;
    VerdictSums own;
    for (int k = warp; k < g.n + g.m; k += verdictWarps) {
      bool const column = k < g.n;
      int const i = column ? k : k - g.n;
      double const back = 1.0 / (column ? g.columnScale[i] * g.costScale : g.rowScale[i]);
      BoundedLine const sum =
          boundedLine(column ? g.columns : g.rows, i, lane, column ? y : x, parts != 0);
      if (lane % 16 != 0) continue;
      Bounded const product = byPowerOfTwo(sum.sum, back);
      VerdictLine line{{}, {}, g.lower[k], g.upper[k], 0.0, share * whole->largest[1]};
      if (column) {
        line.cost = g.objective[i];
        line.reducedCost = Bounded(line.cost) - product;
        line.value = numberAt(x, i, g.columnScale[i], parts != 0);
        line.rounding = share * (fabs(line.cost) + sum.terms * fabs(back));
        if (parts) results.x[i] = x.high[i] * g.columnScale[i];
        if (parts) results.reducedCost[i] = line.reducedCost.value.hi;
      } else {
        line.reducedCost = numberAt(y, i, g.rowScale[i] / g.costScale, parts != 0);
        line.value = product;
        if (parts) results.y[i] = y.high[i] * (g.rowScale[i] / g.costScale);
        if (parts) results.activity[i] = product.value.hi;
      }
      addToShare(own.share[parts], line, g.sign, unit);
    }
    own = combineThreads(own, 32, CombineSums{});
    if (lane == 0) partial[warp] = own;
  });
  sumUp(stream, 32, partial, groups);
  sumUp(stream, 1, groups, partial);
  forEach(stream, 2, [=] __device__(int parts) {
    VerdictSums::Share const& share = partial->share[parts];
    Bounded const objective = whole->objective[parts] + Bounded(g.offset);
    double const unit = 1.0 + fabs(objective.value.hi);
    results.found->worth[parts] = {proof::verdictFrom(share.primal, share.charges, unit),
                                   objective};
    results.found->largest[parts] = whole->largest[parts];
  });
}

}  // namespace osi_cuda::cuda
