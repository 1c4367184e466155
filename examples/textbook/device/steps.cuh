// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "examples/common/device.cuh"
#include "examples/textbook/tableau.hpp"

/// The steps of a pivot on the device, each a function for a grid of any size, which all threads of
/// the grid call. A step is a kernel of its own, or all of them stand in one kernel whose blocks
/// wait for each other between them (simplex.cu).
namespace osi_cuda::textbook::device {

using examples::device::blockShared;

constexpr int warp = 32;
constexpr int threads = 512;  // of every block: 16 warps
constexpr int warps = threads / warp;
constexpr int linesAtOnce = 8;  // entries of a thread in an update, all on their way together
constexpr int partRows = 512;   // of the rule greatestParts

/// Numbers the threads of the grid from 0, warp by warp; warps are dealt to the blocks in turn, so
/// that a few items keep many multiprocessors busy.
__device__ inline int numberInGrid() {
  return int((threadIdx.x / warp * gridDim.x + blockIdx.x) * warp + threadIdx.x % warp);
}
__device__ inline int threadsOfGrid() {
  return int(gridDim.x * blockDim.x);
}

// ---- greatest improvement: the least ratio of every column that is attractive ----

/// A thread a column. By rows, the threads of a warp read neighbours; by columns, each its own
/// line.
template <class T>
__device__ void improvementsByThreads(T t, State const& s) {
  for (int j = 1 + numberInGrid(); j <= s.columns; j += threadsOfGrid()) {
    auto const cost = t.attraction(s, j);
    if (cost == 0) continue;
    auto least = typename T::Real(unlimited);
    for (int i = 1; i <= t.m; ++i) least = min(least, t.ratio(s, i, t.after(s.pivots)[t.at(i, j)]));
    t.improvements[j] = -cost * least;
  }
}

/// The least value of a warp, in all its threads.
template <class Real>
__device__ Real warpLeast(Real value) {
  for (int distance = warp / 2; distance > 0; distance /= 2)
    value = min(value, __shfl_xor_sync(~0u, value, distance));
  return value;
}

/// A block a column. By columns, the threads of a warp read neighbours; by rows, each its own line.
template <class T>
__device__ void improvementsByBlocks(T t, State const& s) {
  using Real = typename T::Real;
  auto& leasts = blockShared<Real[warps], struct ColumnLeasts>();
  for (int j = 1 + int(blockIdx.x); j <= s.columns; j += int(gridDim.x)) {
    Real const cost = t.attraction(s, j);
    if (cost == 0) continue;  // the same for the whole block
    Real least = Real(unlimited);
    for (int i = 1 + int(threadIdx.x); i <= t.m; i += threads)
      least = min(least, t.ratio(s, i, t.after(s.pivots)[t.at(i, j)]));
    least = warpLeast(least);
    if (threadIdx.x % warp == 0) leasts[threadIdx.x / warp] = least;
    __syncthreads();
    if (threadIdx.x < warp) {
      least = warpLeast(threadIdx.x < warps ? leasts[threadIdx.x] : Real(unlimited));
      if (threadIdx.x == 0) t.improvements[j] = -cost * least;
    }
    __syncthreads();
  }
}

/// What a run needs besides the tableau: rules with tiles cut its rows into parts.
template <class T>
struct Plan {
  T t;
  Rule rule;
  int parts, rowsOfPart;
  int pitch;                 ///< of leasts: columns at first, and one
  typename T::Real* leasts;  ///< parts x pitch: the least ratio of a column in a part
};

/// A block has 32 columns and a part of the rows (rule greatestTile: all of them). By rows, a
/// thread of each warp has a column, and the warps share the rows; by columns, a warp has two
/// columns.
template <class T>
__device__ void improvementsByTiles(Plan<T> const& plan, State const& s) {
  using Real = typename T::Real;
  auto& leasts = blockShared<Real[warps][warp], struct TileLeasts>();
  T const& t = plan.t;
  auto const store = [&](int part, int j, Real least) {
    if (plan.parts == 1)
      t.improvements[j] = -t.attraction(s, j) * least;
    else
      plan.leasts[std::int64_t(part) * plan.pitch + j] = least;
  };
  int const lane = threadIdx.x % warp, w = threadIdx.x / warp;
  int const tiles = (s.columns + warp - 1) / warp;
  for (int tile = int(blockIdx.x); tile < tiles * plan.parts; tile += int(gridDim.x)) {
    int const begin = 1 + tile % tiles * warp, part = tile / tiles;
    int const firstRow = 1 + part * plan.rowsOfPart;
    int const lastRow = min(t.m, firstRow + plan.rowsOfPart - 1);
    auto const leastOf = [&](int j, int first, int step) {
      Real least = Real(unlimited);
      if (j <= s.columns && t.attraction(s, j) != 0)
        for (int i = firstRow + first; i <= lastRow; i += step)
          least = min(least, t.ratio(s, i, t.after(s.pivots)[t.at(i, j)]));
      return least;
    };
    if constexpr (T::byRows) {
      leasts[w][lane] = leastOf(begin + lane, w, warps);
      __syncthreads();
      if (w == 0 && begin + lane <= s.columns) {
        Real least = leasts[0][lane];
        for (int other = 1; other < warps; ++other) least = min(least, leasts[other][lane]);
        store(part, begin + lane, least);
      }
      __syncthreads();
    } else {
      for (int j = begin + w; j < begin + warp && j <= s.columns; j += warps) {
        Real const least = warpLeast(leastOf(j, lane, warp));
        if (lane == 0) store(part, j, least);
      }
    }
  }
}

/// The least of the parts' ratios becomes an improvement.
template <class T>
__device__ void joinParts(Plan<T> const& plan, State s) {
  for (int j = 1 + numberInGrid(); j <= s.columns; j += threadsOfGrid()) {
    auto least = plan.leasts[j];
    for (int p = 1; p < plan.parts; ++p)
      least = min(least, plan.leasts[std::int64_t(p) * plan.pitch + j]);
    plan.t.improvements[j] = -plan.t.attraction(s, j) * least;
  }
}

template <class T>
__device__ void improve(Plan<T> const& plan, State s) {
  if (plan.rule == Rule::greatestThread) improvementsByThreads(plan.t, s);
  if (plan.rule == Rule::greatestBlock) improvementsByBlocks(plan.t, s);
  if (plan.rule == Rule::greatestTile || plan.rule == Rule::greatestParts)
    improvementsByTiles(plan, s);
}

// ---- the choice of a pivot: one block ----

/// The best candidate of all threads of a block, for all of them.
template <class Real>
__device__ Candidate<Real> bestOfBlock(Candidate<Real> mine) {
  __shared__ Candidate<Real> bests[warps];  // of block 0 only
  auto const bestOfWarp = [](Candidate<Real> c) {
    for (int distance = warp / 2; distance > 0; distance /= 2)
      c = better(c, Candidate<Real>{__shfl_xor_sync(~0u, c.key, distance),
                                    __shfl_xor_sync(~0u, c.tie, distance),
                                    __shfl_xor_sync(~0u, c.place, distance)});
    return c;
  };
  mine = bestOfWarp(mine);
  __syncthreads();  // whoever still reads the last call's result
  if (threadIdx.x % warp == 0) bests[threadIdx.x / warp] = mine;
  __syncthreads();
  return bestOfWarp(bests[threadIdx.x % warps]);
}

template <class T>
__device__ void choose(Plan<T> const& plan, State s) {
  T const& t = plan.t;
  using Real = typename T::Real;
  auto& shared = blockShared<State, struct ChosenPivot>();
  if (threadIdx.x == 0) {
    t.begin(s);
    shared = s;
  }
  __syncthreads();
  s = shared;
  if (s.ending == Ending::running) {
    Candidate<Real> q, r;
    for (int j = 1 + int(threadIdx.x); j <= s.columns; j += threads)
      q = better(q, t.entering(s, j));
    q = bestOfBlock(q);
    if (q.place > 0) {
      for (int i = 1 + int(threadIdx.x); i <= t.m; i += threads)
        r = better(r, t.leaving(s, i, q.place));
      r = bestOfBlock(r);
    }
    if (q.place == 0)
      t.endPhase(s);
    else if (r.place == 0)
      s.ending = Ending::unbounded;
    else if (threadIdx.x == 0)
      t.exchange(s, r.place, q.place);
  }
  if (threadIdx.x == 0) *t.state = s;
}

// ---- the pivot ----

/// For one buffer: what the update would overwrite while others still need it.
template <class T>
__device__ void saveLines(Plan<T> const& plan, State s) {
  T const& t = plan.t;
  using Real = typename T::Real;
  if (s.row == 0) return;
  Real const* const from = t.after(s.pivots - 1);
  for (int j = numberInGrid(); j <= s.columns; j += threadsOfGrid())
    t.savedRow[j] = from[t.at(s.row, t.sourceOf(s, j))] / Real(s.element);
  for (int i = numberInGrid(); i < t.rows(s); i += threadsOfGrid())
    t.savedColumn[i] = from[t.at(i, s.column)];
}

/// Every entry of the new tableau. A block takes 512 places along the lines by 8 lines at a time; a
/// thread one place in those lines: neighbours in a warp are neighbours in memory, and 8 loads are
/// under way before the first result is stored.
template <class T>
__device__ void update(Plan<T> const& plan, State s) {
  T const& t = plan.t;
  using Real = typename T::Real;
  if (s.row == 0) return;
  Real const* const from = t.after(s.pivots - 1);
  Real* const to = t.after(s.pivots);
  // With two buffers nobody overwrites the old row and column.
  bool const saved = !t.settings.twoBuffers;
  auto const rowEntry = [&](int j) {
    return saved ? t.savedRow[j] : from[t.at(s.row, t.sourceOf(s, j))] / Real(s.element);
  };
  auto const columnEntry = [&](int i) {
    return saved ? t.savedColumn[i] : from[t.at(i, s.column)];
  };
  int const rows = t.rows(s), columns = s.columns + 1;
  int const length = T::byRows ? columns : rows, lines = T::byRows ? rows : columns;
  int const across = (length + threads - 1) / threads;
  int const down = (lines + linesAtOnce - 1) / linesAtOnce;
  for (int tile = int(blockIdx.x); tile < across * down; tile += int(gridDim.x)) {
    int const place = tile % across * threads + int(threadIdx.x);
    int const first = tile / across * linesAtOnce;
    if (place >= length) continue;
    Real const own = T::byRows ? rowEntry(place) : columnEntry(place);
    Real old[linesAtOnce];
#pragma unroll
    for (int k = 0; k < linesAtOnce; ++k) {
      int const line = first + k, i = T::byRows ? line : place, j = T::byRows ? place : line;
      if (line < lines) old[k] = from[t.at(i, t.sourceOf(s, j))];
    }
#pragma unroll
    for (int k = 0; k < linesAtOnce; ++k) {
      int const line = first + k, i = T::byRows ? line : place, j = T::byRows ? place : line;
      if (line >= lines) break;
      Real const c = T::byRows ? columnEntry(i) : own, v = T::byRows ? own : rowEntry(j);
      to[t.at(i, j)] = t.pivoted(s, i, j, old[k], c, v);
    }
  }
}

}  // namespace osi_cuda::textbook::device
