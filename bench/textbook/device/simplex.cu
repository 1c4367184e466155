// SPDX-License-Identifier: EPL-2.0
// The tableau simplex on the device. A pivot is a few steps, each a function for a grid of any
// size; a step is a kernel of its own, or they all stand in one kernel whose blocks wait for each
// other between them. Compiled without fused multiply-add, as the processor's loops are.
#include <cooperative_groups.h>

#include <algorithm>

#include "bench/textbook/device_module.hpp"
#include "examples/shortest_path/device/device_array.cuh"

namespace osi_cuda::textbook::device {
namespace {

using shortest_path::device::check;
using shortest_path::device::DeviceArray;

constexpr int warp = 32;
constexpr int threads = 512;  // of every block: 16 warps
constexpr int warps = threads / warp;
constexpr int linesAtOnce = 8;  // entries of a thread in an update, all on their way together
constexpr int partRows = 512;   // of the rule greatestParts

/// Numbers the threads of the grid from 0, warp by warp; warps are dealt to the blocks in turn, so
/// that a few items keep many multiprocessors busy.
__device__ int numberInGrid() {
  return int((threadIdx.x / warp * gridDim.x + blockIdx.x) * warp + threadIdx.x % warp);
}
__device__ int threadsOfGrid() {
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
  __shared__ Real leasts[warps];
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
  __shared__ Real leasts[warps][warp];
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
  __shared__ Candidate<Real> bests[warps];
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
  __shared__ State shared;
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

// ---- steps as kernels, and as one kernel ----

/// A step as a kernel. Those that were queued before the host knew of the end do nothing.
template <class T, void step(Plan<T> const&, State)>
__global__ void __launch_bounds__(threads) kernel(Plan<T> plan) {
  State const s = *plan.t.state;
  if (s.ending == Ending::running) step(plan, s);
}
/// The end of a turn of the graph's WHILE node.
__global__ void goOnKernel(State const* state, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, state->ending == Ending::running);
}

template <class T>
__global__ void __launch_bounds__(threads) persistentKernel(Plan<T> plan) {
  auto const grid = cooperative_groups::this_grid();
  T const& t = plan.t;
  // Read where block 0 can't be at its next choice yet: all blocks must see the same.
  State s = *t.state;
  grid.sync();
  for (;;) {
    if (t.settings.greatest) {
      improve(plan, s);
      grid.sync();
    }
    if (plan.parts > 1) {
      joinParts(plan, s);
      grid.sync();
    }
    if (blockIdx.x == 0) choose(plan, s);
    grid.sync();
    s = *t.state;
    if (s.ending != Ending::running) return;
    if (!t.settings.twoBuffers) {
      saveLines(plan, s);
      grid.sync();
    }
    update(plan, s);
    grid.sync();
  }
}

/// A tableau in device memory and the loop around the kernels.
template <class T>
class DeviceRun {
  using Real = typename T::Real;
  static constexpr bool byRows = T::byRows;

 public:
  DeviceRun(FirstTableau const& first, Variant const& variant, Limits const& limits)
      : first_(first), variant_(variant) {
    T& t = plan_.t;
    t.m = first.m;
    t.settings = settingsOf(first, variant, limits);
    constexpr int unit = 128 / int(sizeof(Real));  // lines begin at a cache line
    int const length = byRows ? first.columns + 1 : first.m + 2;
    int const count = byRows ? first.m + 2 : first.columns + 1;
    t.stride = (length + unit - 1) / unit * unit;
    std::vector<Real> entries(std::size_t(count) * std::size_t(t.stride));
    fill<Real, byRows>(first, entries.data(), t.stride);
    memory_[0] = DeviceArray<Real>(entries);
    if (t.settings.twoBuffers) memory_[1] = DeviceArray<Real>(entries.size());
    t.even = memory_[0].data();
    t.odd = memory_[t.settings.twoBuffers ? 1 : 0].data();
    plan_.rule = variant.rule;
    plan_.rowsOfPart = variant.rule == Rule::greatestParts ? partRows : std::max(1, first.m);
    plan_.parts = std::max(1, (first.m + plan_.rowsOfPart - 1) / plan_.rowsOfPart);
    plan_.pitch = first.columns + 1;
    row_ = DeviceArray<Real>(std::size_t(first.columns) + 1);
    column_ = DeviceArray<Real>(std::size_t(first.m) + 2);
    improvements_ = DeviceArray<Real>(std::size_t(first.columns) + 1);
    leasts_ = DeviceArray<Real>(std::size_t(plan_.parts) * std::size_t(plan_.pitch));
    basic_ = DeviceArray<int>(first.basic);
    nonbasic_ = DeviceArray<int>(first.nonbasic);
    state_ = DeviceArray<State>(std::vector<State>{stateOf(first)});
    t.savedRow = row_.data();
    t.savedColumn = column_.data();
    t.improvements = improvements_.data();
    plan_.leasts = leasts_.data();
    t.basic = basic_.data();
    t.nonbasic = nonbasic_.data();
    t.state = state_.data();
    int const tiles =
        ((length + threads - 1) / threads) * ((count + linesAtOnce - 1) / linesAtOnce);
    blocks_ = unsigned(std::max(1, tiles));
    check(cudaDeviceSynchronize());
  }

  void pivotUntilTheEnd() {
    if (variant_.drive == Drive::hostFlag) byHostFlag();
    if (variant_.drive == Drive::queue) byQueue();
    if (variant_.drive == Drive::graph) byGraph();
    if (variant_.drive == Drive::persistent) byPersistentKernel();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }

  State state() const {
    State s;
    check(cudaMemcpyAsync(&s, state_.data(), sizeof s, cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return s;
  }
  std::vector<double> values() const {
    T const& t = plan_.t;
    std::vector<Real> value(std::size_t(t.m) + 1);
    // Column 0: neighbours in memory, or one number of every row.
    std::size_t const pitch = (byRows ? std::size_t(t.stride) : 1) * sizeof(Real);
    check(cudaMemcpy2D(value.data(), sizeof(Real), t.after(state().pivots), pitch, sizeof(Real),
                       value.size(), cudaMemcpyDeviceToHost));
    return valuesOf(first_, basic_.download(), std::vector<double>(value.begin(), value.end()));
  }

 private:
  /// The kernels of one pivot.
  void launchPivot() const {
    if (plan_.t.settings.greatest) {
      unsigned const each = plan_.rule == Rule::greatestThread ? 2 * warp : threads;
      kernel<T, improve><<<blocksOfRule(), each, 0, stream_>>>(plan_);
    }
    if (plan_.parts > 1)
      kernel<T, joinParts><<<blocksFor(first_.columns, threads), threads, 0, stream_>>>(plan_);
    kernel<T, choose><<<1, threads, 0, stream_>>>(plan_);
    int const longest = std::max(first_.columns + 1, first_.m + 2);
    if (!plan_.t.settings.twoBuffers)
      kernel<T, saveLines><<<blocksFor(longest, threads), threads, 0, stream_>>>(plan_);
    kernel<T, update><<<blocks_, threads, 0, stream_>>>(plan_);
  }

  static unsigned blocksFor(int items, int each) {
    return unsigned(std::max(1, (items + each - 1) / each));
  }
  unsigned blocksOfRule() const {
    if (plan_.rule == Rule::greatestThread) return blocksFor(first_.columns, 2 * warp);
    if (plan_.rule == Rule::greatestBlock) return blocksFor(first_.columns, 1);
    return blocksFor(first_.columns, warp) * unsigned(plan_.parts);
  }

  void byHostFlag() {
    do launchPivot();
    while (state().ending == Ending::running);
  }

  /// The flag that is looked at is that of the batch before: the device never waits.
  void byQueue() {
    constexpr int batch = 32;
    struct Look {
      State* state = nullptr;
      cudaEvent_t ready = nullptr;
      Look() {
        check(cudaMallocHost(&state, sizeof(State)));
        check(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
      }
      ~Look() {
        cudaEventDestroy(ready);
        cudaFreeHost(state);
      }
    } looks[2];
    for (int turn = 0;; ++turn) {
      for (int k = 0; k < batch; ++k) launchPivot();
      Look const& here = looks[turn & 1];
      check(cudaMemcpyAsync(here.state, state_.data(), sizeof(State), cudaMemcpyDeviceToHost,
                            stream_));
      check(cudaEventRecord(here.ready, stream_));
      if (turn == 0) continue;
      Look const& before = looks[(turn - 1) & 1];
      check(cudaEventSynchronize(before.ready));
      if (before.state->ending != Ending::running) break;
    }
    check(cudaStreamSynchronize(stream_));  // before the flags go
  }

  /// while (running) { kernels of one pivot }, all of it on the device.
  void byGraph() {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t program = nullptr;
    check(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle{};
    check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    cudaGraph_t const body = loop.conditional.phGraph_out[0];
    check(cudaStreamBeginCaptureToGraph(stream_, body, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal));
    launchPivot();
    goOnKernel<<<1, 1, 0, stream_>>>(state_.data(), handle);
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(stream_, &captured));
    check(cudaGraphInstantiate(&program, graph, 0));
    check(cudaGraphLaunch(program, stream_));
    check(cudaStreamSynchronize(stream_));
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
  }

  void byPersistentKernel() {
    int device = 0, processors = 0, perProcessor = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, persistentKernel<T>, threads,
                                                        0));
    // No more blocks than there are tiles: each one more makes the meetings longer.
    unsigned const blocks = std::min(blocks_, unsigned(processors * perProcessor));
    void* arguments[] = {&plan_};
    check(cudaLaunchCooperativeKernel(persistentKernel<T>, dim3(blocks), dim3(threads), arguments,
                                      0, stream_));
  }

  /// A stream of its own: the default one can't be captured.
  struct Stream {
    cudaStream_t stream = nullptr;
    Stream() { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(stream); }
    operator cudaStream_t() const { return stream; }
  };

  FirstTableau const& first_;
  Variant variant_;
  Plan<T> plan_{};
  DeviceArray<Real> memory_[2], row_, column_, improvements_, leasts_;
  DeviceArray<int> basic_, nonbasic_;
  DeviceArray<State> state_;
  Stream stream_;
  unsigned blocks_ = 1;
};

}  // namespace

Outcome simplex(FirstTableau const& first, Variant const& variant, Limits const& limits) {
  return solveWith<DeviceRun>(first, variant, limits);
}

}  // namespace osi_cuda::textbook::device
