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

__device__ int lane() {
  return static_cast<int>(threadIdx.x) % 32;
}
__device__ int warpOfBlock() {
  return static_cast<int>(threadIdx.x) / 32;
}
/// Threads of even number look at the doubles of a point alone, those of odd number at both parts.
__device__ int parts() {
  return lane() % 2;
}

/// x_k, without its second part unless this thread looks at it; no branch.
__device__ DoubleDouble numberAt(Pairs const& x, int k, double factor) {
  return {x.high[k] * factor, x.low[k] * (parts() > 0 ? factor : 0.0)};
}

/// The same by another power of two.
__device__ Bounded byPowerOfTwo(Bounded const& a, double factor) {
  return {{a.value.hi * factor, a.value.lo * factor}, a.error * factor};
}

/// A line's products and their absolute values, summed.
struct BoundedLine {
  Bounded sum;
  double terms = 0.0;
};
__device__ BoundedLine operator+(BoundedLine const& a, BoundedLine const& b) {
  return {a.sum + b.sum, a.terms + b.terms};
}
__device__ VerdictSums operator+(VerdictSums const& a, VerdictSums const& b) {
  return {a.objective + b.objective, proof::combine(a.charges, b.charges),
          proof::worse(a.largest, b.largest)};
}

/// The sum over threads whose numbers differ in these bits, for all of them; or look at the same.
template <class T>
__device__ T sumLanes(T value, int highest = 16, int lowest = 2) {
  for (int distance = highest; distance >= lowest; distance /= 2)
    value = value + fromLane(value, lane() ^ distance);
  return value;
}

/// f(first) + f(first + step) + ... up to `end`, with the loads of `ahead` terms under way.
template <int ahead, class F>
__device__ double sumOf(int first, int end, int step, F f) {
  double sum = 0.0;
  for (; first < end; first += ahead * step)
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      double const term = f(min(first + k * step, end - 1));
      sum += first + k * step < end ? term : 0.0;
    }
  return sum;
}

constexpr int longLine = 256, shortLine = 32;  // entries: shared by warps; all are loaded at once

struct Workspace {  // a block's shared memory
  LaunchReport report;
  BoundedLine sums[2][2 * (32 + verdictWarps)];  ///< of lines or their pieces, in turn
  VerdictSums ofWarps[2 * verdictWarps], whole[2];
};

/// The steps of a verification, all blocks together with a barrier between each two. h are the
/// residuals of B'y = c_B, g those of A x + s = 0 at the nonbasic slacks: x_B lacks T g; y lacks
/// T'h where slacks are nonbasic and h itself where they are basic. T = D - U'V.
struct Verification {
  TableauView const& t;
  int used;
  GivenView const& given;
  PointView const& p;
  Workspace& work;

  __device__ int warps() const { return p.blocks * verdictWarps; }
  __device__ int block() const { return static_cast<int>(blockIdx.x); }
  // Neighbours in different blocks, so that few tasks use all multiprocessors.
  __device__ int warp() const { return warpOfBlock() * p.blocks + block(); }
  __device__ int variableAt(int k) const {
    return k < t.m ? t.rows.variable[k] : t.columns.variable[k - t.m];
  }
  __device__ int tilesOf(int width) const {
    return max(1, min(128, warps() / ((width + 31) / 32 + 1)));
  }
  __device__ int piecesOfRow() const { return max(1, min(warps() / t.m, (t.n + 255) / 256)); }
  __device__ LinesView const& linesOf(int v) const { return v < t.n ? given.columns : given.rows; }
  /// Entries `first`, first + step, ... times the point; no branch keeps `ahead` loads apart.
  template <bool refined, int ahead>
  __device__ BoundedLine partOf(int v, int length, int first, int step) const {
    LinesView const& matrix = linesOf(v);
    int const line = v < t.n ? v : v - t.n;
    std::int64_t const begin = matrix.begin(line);
    proof::Sum sum;
    for (; first < length; first += ahead * step) {
      int place[ahead];
      double entry[ahead];
      DoubleDouble factor[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        place[k] = min(first + k * step, length - 1);
        entry[k] = matrix.value(line, begin + place[k]);
      }
      if (!matrix.full())
#pragma unroll
        for (int k = 0; k < ahead; ++k) place[k] = matrix.indices[begin + place[k]];
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        factor[k] = refined ? numberAt(v < t.n ? p.y : p.x, place[k], 1.0)
                            : DoubleDouble((v < t.n ? p.reducedCost + t.n : p.value)[place[k]]);
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        if (first + k * step < length) sum.add(factor[k], entry[k]);
    }
    return {sum.value(), sum.terms()};
  }
  /// take(k, variable, sum) on two threads, of every line times the refined point; before that, of
  /// every position. A block sums 32 lines at a time, a warp each, and all warps share long ones.
  template <bool refined, class Take>
  __device__ void sumEach(Take const& take) const {
    for (int first = block(); first < t.m + t.n; first += 32 * p.blocks) {
      int const own = first + p.blocks * lane(), position = min(own, t.m + t.n - 1),
                variable = refined ? position : variableAt(position);
      bool const empty = own > position || (!refined && (own < t.m) != (variable < t.n));
      LinesView const& matrix = linesOf(variable);
      int const line = variable < t.n ? variable : variable - t.n,
                length = empty ? 0 : static_cast<int>(matrix.end(line) - matrix.begin(line));
      unsigned const longs = __ballot_sync(~0u, length > longLine);
      int const each = max(1, verdictWarps / max(1, __popc(longs))),
                place = lane() + __popc(longs & ((1u << lane()) - 1)) * (each - 1);
      BoundedLine* const sums = work.sums[first / (32 * p.blocks) % 2];
      for (int task = warpOfBlock(); task < 32 + __popc(longs) * (each - 1); task += verdictWarps) {
        int const source = __popc(__ballot_sync(~0u, place <= task)) - 1,
                  v = fromLane(variable, source), size = fromLane(length, source),
                  start = 16 * (task - fromLane(place, source)) + lane() / 2,
                  step = 16 * (size > longLine ? each : 1);
        BoundedLine sum;
        if (size > 0)
          sum = sumLanes(size > shortLine ? partOf<refined, 8>(v, size, start, step)
                                          : partOf<refined, shortLine / 16>(v, size, start, step));
        if (lane() < 2) sums[2 * task + lane()] = sum;
      }
      if (refined && first == block() && warpOfBlock() == verdictWarps - 1) {
        VerdictSums whole = overGrid(p.sums);
        whole.objective = whole.objective + Bounded(given.offset);
        if (lane() < 2) work.whole[lane()] = whole;
      }
      __syncthreads();
      if (warpOfBlock() < verdictWarps - 2) continue;  // the others have more lines
      int const source = 16 * (warpOfBlock() % 2) + lane() / 2, k = fromLane(own, source),
                v = fromLane(variable, source), begin = 2 * fromLane(place, source) + parts(),
                end = begin + 2 * (longs >> source & 1 ? each : 1);
      BoundedLine sum = sums[begin];
      for (int piece = begin + 2; piece < end; piece += 2) sum = sum + sums[piece];
      if (k < t.m + t.n) take(k, v, sum);
    }
  }

  // By position. Of a slack, y is -d, so that -(a'y) is a'd; a basic one has d = 0.
  __device__ void formResiduals() const {
    sumEach<false>([&](int k, int v, BoundedLine const& product) {
      double const own = k < t.m ? p.cost[v] : p.value[v], rest = k < t.m || v >= t.n ? own : 0.0;
      double const sum = (product.sum + Bounded(rest)).value.hi;
      if (parts() == 0) p.residual[k] = k < t.m ? sum : -sum;
    });
  }

  // D g where structurals are basic, and shares of D'h, U h and V g.
  __device__ void multiply() const {
    double const *const h = p.residual, *const g = h + t.m;
    int const pieces = piecesOfRow();
    for (int task = warp(); task < t.m * pieces; task += warps()) {
      int const i = task / pieces;
      if (t.rows.variable[i] >= t.n) continue;
      double const sum = warpSum(sumOf<16>(32 * (task % pieces) + lane(), t.n, 32 * pieces,
                                           [&](int j) { return t.base[at(i) * t.n + j] * g[j]; }));
      if (lane() == 0) p.rowProduct[task] = sum;
    }
    double* const folds = p.shares + at(tilesOf(t.n)) * t.n;
    multiplyAcross(t.base, t.n, t.m, t.n, h, p.shares);
    multiplyAcross(t.u, t.stride, t.m, used, h, folds);
    multiplyAcross(t.v, t.stride, t.n, used, g, folds + at(tilesOf(used)) * used);
  }
  /// Lines of `width` numbers times factors: a warp takes 32 places in a tile of lines.
  __device__ void multiplyAcross(double const* line, int stride, int lines, int width,
                                 double const* factor, double* shares) const {
    int const chunks = (width + 31) / 32, tiles = tilesOf(width);
    auto const from = [&](int tile) {
      return static_cast<int>(std::int64_t{lines} * tile / tiles);
    };
    for (int unit = warp(); unit < chunks * tiles; unit += warps()) {
      int const tile = unit / chunks, place = 32 * (unit % chunks) + lane(), first = from(tile);
      double const* const entry = line + min(place, width - 1);
      double const sum = sumOf<16>(first, from(tile + 1), 1, [&](int i) {
        return factor[i] * entry[at(factor[i] != 0.0 ? i : first) * stride];  // reads few lines
      });
      if (place < width) shares[at(tile) * width + place] = sum;
    }
  }

  // U h and V g, eight threads for each sum.
  __device__ void sumShares() const {
    double const* const folds = p.shares + at(tilesOf(t.n)) * t.n;
    int const tiles = tilesOf(used), own = lane() % 8;
    for (int first = 4 * warp(); first < 2 * used; first += 4 * warps()) {
      int const k = min(first + lane() / 8, 2 * used - 1);
      double const* const share = folds + at(k / used * tiles) * used + k % used;
      double const sum = sumOf<8>(own, tiles, 8, [&](int l) { return share[at(l) * used]; }),
                   whole = sumLanes(sum, 4, 1);
      if (own == 0) p.products[k] = whole;
    }
  }

  // x of structurals and y of slacks, wherever they are; eight threads each, two for the objective.
  __device__ void correct() const {
    proof::Sum objective;
    VerdictSums found;
    int const pieces = piecesOfRow(), own = lane() % 8;
    for (int first = 4 * warp(); first < t.m + t.n; first += 4 * warps()) {
      int const place = first + lane() / 8, k = min(place, t.m + t.n - 1), v = variableAt(k);
      bool const row = k < t.m, structural = v < t.n;
      int const i = row ? k : k - t.m, to = structural ? v : v - t.n;
      double const present = (structural ? p.value : p.reducedCost)[v],
                   cost = given.objective[structural ? v : 0];
      double const scale = structural ? given.columnScale[v] : given.rowScale[to] / given.costScale;
      double change = 0.0;
      if (row == structural) {
        double const* const factors = (row ? t.u : t.v) + at(i) * t.stride;
        double const* const folded = p.products + (row ? used : 0);
        double const* const shares = row ? p.rowProduct + i * pieces : p.shares + i;
        change = sumOf<8>(own, row ? pieces : tilesOf(t.n), 8,
                          [&](int l) { return shares[row ? l : at(l) * t.n]; }) -
                 sumOf<8>(own, used, 8, [&](int l) { return factors[l] * folded[l]; });
      }
      change = sumLanes(change, 4, 1);
      if (row != structural) change = row ? p.residual[i] : 0.0;
      if (own > 1 || place > k) continue;
      DoubleDouble const z = DoubleDouble(structural ? present : -present) + DoubleDouble(change);
      if (structural) objective.add({z.hi * scale, own > 0 ? z.lo * scale : 0.0}, cost);
      if (structural == (own == 0)) found.largest = proof::worse(found.largest, fabs(z.hi * scale));
      Pairs const& corrected = structural ? p.x : p.y;
      (own == 0 ? corrected.high : corrected.low)[to] = own == 0 ? z.hi : z.lo;
    }
    found.objective = objective.value();
    sumUp(p.sums, found);
  }

  /// Adds up what the block's threads have, for sums by block.
  __device__ void sumUp(VerdictSums* sums, VerdictSums const& ofThread) const {
    static_assert(verdictWarps == 16);
    VerdictSums const ofWarp = sumLanes(ofThread);
    if (lane() < 2) work.ofWarps[2 * warpOfBlock() + lane()] = ofWarp;
    __syncthreads();
    if (warpOfBlock() > 0) return;
    VerdictSums const sum = sumLanes(work.ofWarps[lane()]);
    if (lane() < 2) sums[2 * block() + lane()] = sum;
  }
  /// All blocks' sums, for every thread of a warp.
  __device__ VerdictSums overGrid(VerdictSums const* sums) const {
    VerdictSums sum;
    for (int k = lane(); k < 2 * p.blocks; k += 32) sum = sum + sums[k];
    return sumLanes(sum);
  }

  // By column, then by row.
  __device__ void sumLines() const {
    int const n = given.n;
    double const share = parts() > 0 ? proof::multiplierRoundingOfParts : proof::multiplierRounding;
    VerdictSums own;
    sumEach<true>([&](int k, int, BoundedLine const& sum) {
      bool const column = k < n;
      int const i = column ? k : k - n;
      double const unit = 1.0 + fabs(work.whole[parts()].objective.value.hi),
                   most = work.whole[1].largest;
      double const back =
          1.0 / (column ? given.columnScale[i] * given.costScale : given.rowScale[i]);
      Bounded const product = byPowerOfTwo(sum.sum, back);
      double const cost = column ? given.objective[i] : 0.0,
                   factor = column ? given.columnScale[i] : given.rowScale[i] / given.costScale;
      Bounded const number = numberAt(column ? p.x : p.y, i, factor);
      Bounded const value = column ? number : product,
                    price = column ? Bounded(cost) - product : number;
      double const rounding = share * (column ? fabs(cost) + sum.terms * fabs(back) : most);
      own.charges.primal = proof::worse(own.charges.primal,
                                        proof::violationOf(value, given.lower[k], given.upper[k]));
      proof::charge(own.charges, given.sign < 0.0 ? -price : price, value, given.lower[k],
                    given.upper[k], cost, unit, [&] { return rounding; });
      if (parts() == 0) return;
      p.results[k] = number.value.hi;
      p.results[column ? n + 2 * given.m + i : n + given.m + i] =
          column ? price.value.hi : product.value.hi;
    });
    sumUp(p.sums + 2 * p.blocks, own);
  }

  __device__ void conclude() const {
    auto* const found = reinterpret_cast<VerdictNumbers*>(p.landing);
    auto* const results = reinterpret_cast<double*>(found + 1);
    for (int k = 32 * warp() + lane(); k < 2 * (given.n + given.m); k += 32 * warps())
      results[k] = p.results[k];
    if (warp() > 0) return;
    VerdictSums const lines = overGrid(p.sums + 2 * p.blocks);
    if (lane() > 1) return;
    VerdictSums const& whole = work.whole[lane()];
    double const unit = 1.0 + fabs(whole.objective.value.hi);
    found->worth[lane()] = {proof::verdictFrom(lines.charges, unit), whole.objective};
    found->largest[lane()] = whole.largest;
  }
};

__global__ void __launch_bounds__(verdictThreads, 1)
    verdictKernel(TableauView const __grid_constant__ tableau, int used, LaunchReport const* after,
                  GivenView const __grid_constant__ given,
                  PointView const __grid_constant__ point) {
  Workspace& work = *reinterpret_cast<Workspace*>(dynamicShared());
  if (after) {  // in the host's memory: a block reads it at once, not a number after the other
    static_assert(sizeof(LaunchReport) <= verdictThreads);
    if (threadIdx.x < sizeof(LaunchReport))
      reinterpret_cast<char*>(&work.report)[threadIdx.x] =
          reinterpret_cast<char const*>(after)[threadIdx.x];
    __syncthreads();
    if (!verifiesAfter(work.report)) return;
    used = work.report.used;
  }
  Verification const verification{tableau, used, given, point, work};
  auto const grid = cooperative_groups::this_grid();
  verification.formResiduals();
  grid.sync();
  verification.multiply();
  grid.sync();
  verification.sumShares();
  grid.sync();
  verification.correct();
  grid.sync();
  verification.sumLines();
  grid.sync();
  verification.conclude();
}

}  // namespace

void verifyPoint(cudaStream_t stream, TableauView const& tableau, int used,
                 LaunchReport const* after, GivenView const& given, PointView const& point) {
  launchCooperative(
      {stream, static_cast<unsigned>(point.blocks), verdictThreads, sizeof(Workspace)},
      &verdictKernel, tableau, used, after, given, point);
}

}  // namespace osi_cuda::cuda
