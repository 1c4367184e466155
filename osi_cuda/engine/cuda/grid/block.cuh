// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/arena.hpp"
#include "osi_cuda/engine/cuda/shared_memory.cuh"
#include "osi_cuda/engine/cuda/views.hpp"

/// The parts of the device's Team (grid_team.cuh): each does one thing of a pivot and works on what
/// a thread knows of its block. They live for a call, in registers.
namespace osi_cuda::cuda {

/// What a team is compiled for.
template <Algorithm algorithm_, bool inShared_, bool wide_>
struct TeamKind {
  static constexpr Algorithm algorithm = algorithm_;
  static constexpr bool inShared = inShared_;  ///< state and sketch are, for sure
  /// Blocks may have more lines than groups, and more factors than there is shared memory for.
  static constexpr bool wide = wide_;
};

namespace grid {

/// Whether a line of the tableau is one of its columns or of its rows.
enum class Lines { columns, rows };

/// What a block owns of the rows or of the columns: successive positions from `first` on.
///
/// Eight threads of a warp form one entry of u or v together: a group. Group g has the positions
/// first + g, first + g + groups, ...; of these, each thread owns every eighth. So all that happens
/// to a line happens within one warp, and warps need not wait for each other between meetings.
struct Side {
  int first = 0, count = 0, tile = 1, total = 0;
};

inline constexpr int lanes = 8;  ///< threads of a group
inline constexpr int groups = teamGroups;
inline constexpr int warps = teamThreads / 32;

__device__ inline int thread() {
  return static_cast<int>(threadIdx.x);
}
__device__ inline int block() {
  return static_cast<int>(blockIdx.x);
}
__device__ inline int group() {
  return thread() / lanes;
}
__device__ inline int lane() {
  return thread() % lanes;
}
/// The first position (from the side's first on) that the thread owns.
__device__ inline int ownFirst() {
  return group() + groups * lane();
}
__device__ inline bool owns(Side const& side, int position) {
  int const i = position - side.first;
  return i >= 0 && i < side.count && i % teamThreads == ownFirst();
}

/// f(position) for the thread's own lines. Loops are not unrolled: most threads pass once, and the
/// loop of pivots has to stay in the instruction cache.
template <class Kind, class F>
__device__ void forOwn(Side const& side, F f) {
  if constexpr (Kind::wide) {
#pragma unroll 1
    for (int i = ownFirst(); i < side.count; i += teamThreads) f(side.first + i);
  } else {  // one line a group at most
    if (lane() == 0 && group() < side.count) f(side.first + group());
  }
}

/// What every thread knows of its block: what it owns, how many factors there are, which messages
/// come next. All threads of the grid count alike.
template <class Kind_>
struct Block {
  using Kind = Kind_;

  __device__ Block(TableauView const& tableau, TeamView const& view, int usedBefore, Counters first)
      : t(tableau),
        team(view),
        used(usedBefore),
        older(Kind::wide ? used / team.sharedLines * team.sharedLines : 0),
        next(first) {
    auto place = [](Side& side, int tile, int total) {
      side.tile = tile;
      side.total = total;
      side.first = min(block() * tile, total);
      side.count = min(tile, total - side.first);
    };
    place(rowSide, team.rowTile, t.m);
    place(columnSide, team.columnTile, t.n);
  }

  TableauView const& t;
  TeamView const& team;
  Side rowSide, columnSide;
  int used;   ///< k
  int older;  ///< of those, so many are not in shared memory; a multiple of sharedLines
  Counters next;
};

/// How many of the factors are in device memory: none, where shared memory has room for all.
template <class Kind>
__device__ int olderFactors(Block<Kind> const& b) {
  return Kind::wide ? b.older : 0;
}

template <Lines kind, class Kind>
__device__ Side const& side(Block<Kind> const& b) {
  if constexpr (kind == Lines::columns)
    return b.columnSide;
  else
    return b.rowSide;
}

// ---- shared memory

template <class T>
__device__ T* piece(int place) {
  return reinterpret_cast<T*>(dynamicShared() + place);
}

template <Lines kind, class Kind>
__device__ LinePlaces const& line(Block<Kind> const& b) {
  if constexpr (kind == Lines::columns)
    return b.team.places.column;
  else
    return b.team.places.row;
}
/// What is known of the entering column or the leaving row, once its line is here.
template <Lines kind, class Kind>
__device__ LineHeader& header(Block<Kind> const& b) {
  return *piece<LineHeader>(line<kind>(b).header);
}
template <class Kind>
__device__ Ballot& ballot(Block<Kind> const& b) {
  return *piece<Ballot>(b.team.places.ballot);
}
/// Whether an own line of D was zeroed in this launch.
template <Lines kind, class Kind>
__device__ char* zeroed(Block<Kind> const& b) {
  return piece<char>(kind == Lines::columns ? b.team.places.columnZeroed : b.team.places.rowZeroed);
}

// ---- the state by position, the sketch: in shared memory where they fit

// Arrays in shared memory are addressed by position like those in device memory: their addresses
// are moved back by the block's first position.
template <class Kind>
__device__ RowState rowsOf(Block<Kind> const& b) {
  if (!Kind::inShared && !b.team.stateInShared) return b.t.rows;
  SharedPlaces const& places = b.team.places;
  auto const array = [&](int k) { return piece<double>(places.rowNumbers[k]) - b.rowSide.first; };
  return {piece<int>(places.rowVariable) - b.rowSide.first,
          array(0),
          array(1),
          array(2),
          array(3),
          array(4),
          array(5),
          array(6)};
}
template <class Kind>
__device__ ColumnState columnsOf(Block<Kind> const& b) {
  if (!Kind::inShared && !b.team.stateInShared) return b.t.columns;
  SharedPlaces const& places = b.team.places;
  auto const array = [&](int k) {
    return piece<double>(places.columnNumbers[k]) - b.columnSide.first;
  };
  return {piece<int>(places.columnVariable) - b.columnSide.first,
          array(0),
          array(1),
          array(2),
          array(3),
          array(4),
          array(5),
          array(6),
          array(7)};
}
template <Lines kind, class Kind>
__device__ auto stateOf(Block<Kind> const& b) {
  if constexpr (kind == Lines::columns)
    return columnsOf(b);
  else
    return rowsOf(b);
}

/// The kind of line that the sketch belongs to: columns of Z (primal), rows of W (dual).
template <class Kind>
inline constexpr Lines sketched =
    Kind::algorithm == Algorithm::primal ? Lines::columns : Lines::rows;
template <class Kind>
__device__ float* sketchInMemory(Block<Kind> const& b) {
  constexpr Lines kind = sketched<Kind>;
  return (kind == Lines::columns ? b.t.columnSketch : b.t.rowSketch) +
         at(side<kind>(b).first) * at(b.t.sketchSize);
}
/// Own lines of Z' or W.
template <class Kind>
__device__ float* sketch(Block<Kind> const& b) {
  if (Kind::inShared || b.team.sketchInShared) return piece<float>(b.team.places.sketch);
  return sketchInMemory(b);
}

// ---- from launch to launch

/// Applies f(shared array, global array) to the arrays that a launch changes.
template <class State, class F>
__device__ inline void forStateArrays(State const& own, State const& all, F f) {
  f(own.variable, all.variable);
  f(own.value, all.value);
  f(own.lower, all.lower);
  f(own.upper, all.upper);
  f(own.weight, all.weight);
  if constexpr (requires { own.reducedCost; }) f(own.reducedCost, all.reducedCost);
}

/// Copies the state and the sketch, where they have a place in shared memory: from there to where
/// the host expects them, or there.
template <bool store, class Kind>
__device__ void moveState(Block<Kind> const& b) {
  auto const move = [](auto* own, auto* all, int k) { store ? all[k] = own[k] : own[k] = all[k]; };
  if (Kind::inShared || b.team.stateInShared) {
    RowState const row = rowsOf(b);
    ColumnState const column = columnsOf(b);
    forOwn<Kind>(b.rowSide, [&](int i) {
      forStateArrays(row, b.t.rows, [&](auto* own, auto* all) { move(own, all, i); });
    });
    forOwn<Kind>(b.columnSide, [&](int j) {
      forStateArrays(column, b.t.columns, [&](auto* own, auto* all) { move(own, all, j); });
    });
  }
  if (!Kind::inShared && !b.team.sketchInShared) return;
#pragma unroll 1
  for (int z = thread(); z < side<sketched<Kind>>(b).count * b.t.sketchSize; z += teamThreads)
    move(sketch(b), sketchInMemory(b), z);
}

}  // namespace grid
}  // namespace osi_cuda::cuda
