// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/verdict.hpp"

#ifndef OSI_CUDA_EMULATED
#include <cooperative_groups.h>
#endif

#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/shared_memory.cuh"
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
    return {a.objective + b.objective, proof::worse(a.primal, b.primal),
            proof::combine(a.charges, b.charges), proof::worse(a.largest, b.largest)};
  }
};

/// Line i of the matrix times x in the matrix's numbers, with the absolute values of its terms, by
/// half a warp.
struct BoundedLine {
  Bounded sum;
  double terms = 0.0;
};
__device__ BoundedLine boundedLine(LinesView const& matrix, int i, int lane, Pairs const& x,
                                   bool parts) {
  constexpr int ahead = 8;  // loads under way, which the branches of a sum would keep apart
  proof::Sum sum;
  std::int64_t const end = matrix.end(i);
  for (std::int64_t e = matrix.begin(i) + lane % 16; e < end; e += 16 * ahead) {
    double entry[ahead];
    DoubleDouble factor[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      std::int64_t const place = min(e + 16 * k, end - 1);
      entry[k] = matrix.value(i, place);
      factor[k] = numberAt(x, matrix.index(place), 1.0, parts);
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k)
      if (e + 16 * k < end) sum.add(factor[k], entry[k]);
  }
  return combineThreads(BoundedLine{sum.value(), sum.terms()}, 16,
                        [](BoundedLine const& a, BoundedLine const& b) {
                          return BoundedLine{a.sum + b.sum, a.terms + b.terms};
                        });
}

__device__ int lane() {
  return static_cast<int>(threadIdx.x) % 32;
}
__device__ int warpOfBlock() {
  return static_cast<int>(threadIdx.x) / 32;
}

/// The steps of a verification, all blocks together with a barrier between each two. h are the
/// residuals of B'y = c_B, g those of A x + s = 0 at the nonbasic slacks: x_B lacks T g; y lacks
/// T'h where slacks are nonbasic and h itself where they are basic. T = D - U'V.
struct Verification {
  TableauView const& t;
  int used;
  GivenView const& given;
  PointView const& p;

  __device__ int warps() const { return p.blocks * verdictWarps; }
  __device__ int warp() const {
    return static_cast<int>(blockIdx.x) * verdictWarps + warpOfBlock();
  }
  __device__ int variableAt(int k) const {
    return k < t.m ? t.rows.variable[k] : t.columns.variable[k - t.m];
  }
  __device__ int tilesOf(int width) const {
    return max(1, min(128, warps() / ((width + 31) / 32 + 1)));
  }

  // A warp for each position. Of a slack, y is -d, so that -(a'y) is a'd; a basic one has d = 0.
  __device__ void formResiduals() const {
    for (int k = warp(); k < t.m + t.n; k += warps()) {
      int const v = variableAt(k);
      Line line;
      if (k < t.m) {
        if (v < t.n) line = lineTimes(given.columns, v, lane(), p.reducedCost + t.n, 1.0);
        line.add(p.cost[v]);
      } else if (v >= t.n) {
        line = lineTimes(given.rows, v - t.n, lane(), p.value, -1.0);
        line.add(-p.value[v]);
      }
      if (lane() == 0) p.residual[k] = line.sum.hi + line.sum.lo;
    }
  }

  // D g, a warp for each row, and shares of D'h, U h and V g.
  __device__ void multiply() const {
    double const *const h = p.residual, *const g = h + t.m;
    for (int i = warp(); i < t.m; i += warps()) {
      double sum = 0.0;
#pragma unroll 8
      for (int j = lane(); j < t.n; j += 32) sum += t.base[index(i) * t.n + j] * g[j];
      sum = warpSum(sum);
      if (lane() == 0) p.rowProduct[i] = sum;
    }
    double* const folds = p.shares + index(tilesOf(t.n)) * t.n;
    multiplyAcross(t.base, t.n, t.m, t.n, h, p.shares);
    multiplyAcross(t.u, t.stride, t.m, used, h, folds);
    multiplyAcross(t.v, t.stride, t.n, used, g, folds + index(tilesOf(used)) * used);
  }
  /// Lines of `width` numbers times factors: a warp takes 32 places in a tile of lines.
  __device__ void multiplyAcross(double const* line, int stride, int lines, int width,
                                 double const* factor, double* shares) const {
    int const chunks = (width + 31) / 32, tiles = tilesOf(width);
    auto const begin = [&](int tile) {
      return static_cast<int>(static_cast<std::int64_t>(lines) * tile / tiles);
    };
    for (int unit = warp(); unit < chunks * tiles; unit += warps()) {
      int const tile = unit / chunks, place = 32 * (unit % chunks) + lane(), last = begin(tile + 1);
      double const* const entry = line + min(place, width - 1);
      double sum = 0.0;
#pragma unroll 8
      for (int i = begin(tile); i < last; ++i) sum += factor[i] * entry[index(i) * stride];
      if (place < width) shares[index(tile) * width + place] = sum;
    }
  }

  // Eight threads for each sum.
  __device__ void sumShares() const {
    int const length = t.n + 2 * used;
    for (int first = 4 * warp(); first < length; first += 4 * warps()) {
      int const k = min(first + lane() / 8, length - 1), width = k < t.n ? t.n : used;
      int const part = k < t.n ? 0 : (k - t.n) / used, place = k < t.n ? k : (k - t.n) % used;
      double const* const shares =
          p.shares + (k < t.n ? 0 : index(tilesOf(t.n)) * t.n + index(part * tilesOf(used)) * used);
      double sum = 0.0;
      for (int tile = lane() % 8; tile < tilesOf(width); tile += 8)
        sum += shares[index(tile) * width + place];
      sum = combineThreads(sum, 8, [](double a, double b) { return a + b; });
      if (lane() % 8 == 0) p.products[k] = sum;
    }
  }

  // x of structurals and y of slacks, wherever they are; eight threads for each.
  __device__ void correct() const {
    for (int first = 4 * warp(); first < t.m + t.n; first += 4 * warps()) {
      int const k = min(first + lane() / 8, t.m + t.n - 1), v = variableAt(k);
      bool const row = k < t.m, structural = v < t.n;
      int const i = row ? k : k - t.m, own = lane() % 8;
      double const* const factors = (row ? t.u : t.v) + index(i) * t.stride;
      double const* const folded = p.products + t.n + (row ? used : 0);
      double sum = own > 0 ? 0.0 : row ? p.rowProduct[i] : p.products[i];
#pragma unroll 4
      for (int l = own; l < used; l += 8) sum -= factors[l] * folded[l];
      sum = combineThreads(sum, 8, [](double a, double b) { return a + b; });
      if (own != 0) continue;
      if (row != structural) sum = row ? p.residual[i] : 0.0;
      DoubleDouble const corrected =
          DoubleDouble(structural ? p.value[v] : -p.reducedCost[v]) + DoubleDouble(sum);
      Pairs const& z = structural ? p.x : p.y;
      z.high[structural ? v : v - t.n] = corrected.hi;
      z.low[structural ? v : v - t.n] = corrected.lo;
    }
  }

  // From here on half a warp looks at the doubles alone, the other half at both parts.
  __device__ static int parts() {
    return lane() / 16;
  }

  /// Sums by block, the first or the second of each.
  __device__ VerdictSums& sumsOf(int which, int block) const {
    return p.sums[2 * (which * p.blocks + block) + parts()];
  }
  /// Adds up those of the block's warps, told by the first thread of each half.
  __device__ void sumUp(int which, VerdictSums const& ofWarp) const {
    static_assert(verdictWarps == 16);
    auto* const shared = reinterpret_cast<VerdictSums*>(dynamicShared()) + verdictWarps * parts();
    if (lane() % 16 == 0) shared[warpOfBlock()] = ofWarp;
    __syncthreads();
    if (warpOfBlock() > 0) return;
    VerdictSums const sum = combineThreads(shared[lane() % 16], 16, CombineSums{});
    if (lane() % 16 == 0) sumsOf(which, static_cast<int>(blockIdx.x)) = sum;
  }
  /// All blocks' sums, for every thread.
  __device__ VerdictSums overGrid(int which) const {
    VerdictSums sum;
    for (int block = lane() % 16; block < p.blocks; block += 16)
      sum = CombineSums{}(sum, sumsOf(which, block));
    return combineThreads(sum, 16, CombineSums{});
  }

  __device__ void sumObjective() const {
    proof::Sum sum;
    VerdictSums own;
    for (int k = 16 * warp() + lane() % 16; k < max(given.n, given.m); k += 16 * warps()) {
      double const x = k < given.n ? p.x.high[k] * given.columnScale[k] : 0.0,
                   y = k < given.m ? p.y.high[k] * given.rowScale[k] / given.costScale : 0.0;
      own.largest = proof::worse(own.largest, fabs(parts() ? y : x));
      if (k < given.n)
        sum.add(numberAt(p.x, k, given.columnScale[k], parts() != 0), given.objective[k]);
    }
    own.objective = sum.value();
    sumUp(0, combineThreads(own, 16, CombineSums{}));
  }

  // A warp for each column and row. Every charge is measured by the objective. Returns what
  // sumObjective() came to.
  __device__ VerdictSums sumLines() const {
    int const n = given.n;
    VerdictSums const whole = overGrid(0);
    Bounded const objective = whole.objective + Bounded(given.offset);
    double const unit = 1.0 + fabs(objective.value.hi), most = fromLane(whole.largest, 16);
    double const share = parts() ? proof::multiplierRoundingOfParts : proof::multiplierRounding;
    VerdictSums own;
    for (int k = warp(); k < n + given.m; k += warps()) {
      bool const column = k < n;
      int const i = column ? k : k - n;
      double const back =
          1.0 / (column ? given.columnScale[i] * given.costScale : given.rowScale[i]);
      BoundedLine const sum = boundedLine(column ? given.columns : given.rows, i, lane(),
                                          column ? p.y : p.x, parts() != 0);
      if (lane() % 16 != 0) continue;
      Bounded const product = byPowerOfTwo(sum.sum, back);
      double const cost = column ? given.objective[i] : 0.0,
                   factor = column ? given.columnScale[i] : given.rowScale[i] / given.costScale;
      Bounded const number = numberAt(column ? p.x : p.y, i, factor, parts() != 0);
      Bounded const value = column ? number : product,
                    price = column ? Bounded(cost) - product : number;
      double const rounding = share * (column ? fabs(cost) + sum.terms * fabs(back) : most);
      own.primal =
          proof::worse(own.primal, proof::violationOf(value, given.lower[k], given.upper[k]));
      proof::charge(own.charges, given.sign < 0.0 ? -price : price, value, given.lower[k],
                    given.upper[k], cost, unit, [&] { return rounding; });
      if (parts() == 0) continue;
      p.results[k] = number.value.hi;
      p.results[column ? n + 2 * given.m + i : n + given.m + i] =
          column ? price.value.hi : product.value.hi;
    }
    sumUp(1, own);
    return whole;
  }

  __device__ void conclude(VerdictSums const& whole) const {
    auto* const found = reinterpret_cast<VerdictNumbers*>(p.landing);
    auto* const results = reinterpret_cast<double*>(found + 1);
    for (int k = 32 * warp() + lane(); k < 2 * (given.n + given.m); k += 32 * warps())
      results[k] = p.results[k];
    if (warp() > 0) return;
    VerdictSums const lines = overGrid(1);
    if (lane() % 16 > 0) return;
    Bounded const objective = whole.objective + Bounded(given.offset);
    found->worth[parts()] = {
        proof::verdictFrom(lines.primal, lines.charges, 1.0 + fabs(objective.value.hi)), objective};
    found->largest[parts()] = whole.largest;
  }
};

__global__ void __launch_bounds__(verdictThreads, 1)
    verdictKernel(TableauView const __grid_constant__ tableau, int used, LaunchReport const* after,
                  GivenView const __grid_constant__ given,
                  PointView const __grid_constant__ point) {
  if (after) {  // in the host's memory: a block reads it at once, not a number after the other
    auto* const report = reinterpret_cast<LaunchReport*>(dynamicShared());
    static_assert(sizeof(LaunchReport) <= verdictThreads);
    if (threadIdx.x < sizeof(LaunchReport))
      reinterpret_cast<char*>(report)[threadIdx.x] =
          reinterpret_cast<char const*>(after)[threadIdx.x];
    __syncthreads();
    if (!verifiesAfter(*report)) return;
    used = report->used;
  }
  Verification const verification{tableau, used, given, point};
  auto const grid = cooperative_groups::this_grid();
  verification.formResiduals();
  grid.sync();
  verification.multiply();
  grid.sync();
  verification.sumShares();
  grid.sync();
  verification.correct();
  grid.sync();
  verification.sumObjective();
  grid.sync();
  VerdictSums const whole = verification.sumLines();
  grid.sync();
  verification.conclude(whole);
}

}  // namespace

void verifyPoint(cudaStream_t stream, TableauView const& tableau, int used,
                 LaunchReport const* after, GivenView const& given, PointView const& point) {
  launchCooperative({stream, static_cast<unsigned>(point.blocks), verdictThreads,
                     2 * verdictWarps * sizeof(VerdictSums)},
                    &verdictKernel, tableau, used, after, given, point);
}

}  // namespace osi_cuda::cuda
