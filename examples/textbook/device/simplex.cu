// SPDX-License-Identifier: EPL-2.0
// The tableau simplex on the device: the steps of steps.cuh as kernels, and four ways to drive
// them. Compiled without fused multiply-add, as the processor's loops are.
#include <algorithm>

#include "examples/common/device.cuh"
#include "examples/textbook/device/steps.cuh"
#include "examples/textbook/device_module.hpp"

namespace osi_cuda::textbook::device {
namespace {

using examples::device::blocksFor;
using examples::device::check;
using examples::device::DeviceArray;
using examples::device::launch;
using examples::device::Stream;

/// A step as a kernel. Those that were queued before the host knew of the end do nothing.
template <class T, void step(Plan<T> const&, State)>
__global__ void __launch_bounds__(threads) kernel(Plan<T> plan) {
  State const s = *plan.t.state;
  if (s.ending == Ending::running) step(plan, s);
}
/// The end of a turn of the graph's WHILE node.
__global__ void goOnKernel(State const* state, cudaGraphConditionalHandle handle) {
  if (threadIdx.x == 0) cudaGraphSetConditional(handle, state->ending == Ending::running);
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
      launch(stream_, blocksOfRule(), each, kernel<T, improve<T>>, plan_);
    }
    if (plan_.parts > 1)
      launch(stream_, blocksFor(first_.columns, threads), threads, kernel<T, joinParts<T>>, plan_);
    launch(stream_, 1, threads, kernel<T, choose<T>>, plan_);
    int const longest = std::max(first_.columns + 1, first_.m + 2);
    if (!plan_.t.settings.twoBuffers)
      launch(stream_, blocksFor(longest, threads), threads, kernel<T, saveLines<T>>, plan_);
    launch(stream_, blocks_, threads, kernel<T, update<T>>, plan_);
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
#if CUDART_VERSION >= 13000  // which has a place for the kinds of edges
    check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
#else
    check(cudaGraphAddNode(&node, graph, nullptr, 0, &loop));
#endif
    cudaGraph_t const body = loop.conditional.phGraph_out[0];
    check(cudaStreamBeginCaptureToGraph(stream_, body, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal));
    launchPivot();
    launch(stream_, 1, warp, goOnKernel, static_cast<State const*>(state_.data()), handle);
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(stream_, &captured));
    check(cudaGraphInstantiate(&program, graph, 0));
    check(cudaGraphLaunch(program, stream_));
    check(cudaStreamSynchronize(stream_));
    cudaGraphExecDestroy(program);
    cudaGraphDestroy(graph);
  }

  /// No more blocks than there are tiles: each one more makes the grid barriers longer.
  void byPersistentKernel() {
    examples::device::launchTogether(stream_, blocks_, threads, persistentKernel<T>, plan_);
  }

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
