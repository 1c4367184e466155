// SPDX-License-Identifier: EPL-2.0
//
// What it takes to have a device do the commands of one hot start and to hear of the end: as
// launches of a stream, as a CUDA graph, and by a kernel that stays and waits for its next task.
//
//     nvcc -std=c++17 -O2 -arch=sm_90 -o launch_costs lab/evidence/launch_costs.cu &&
//     ./launch_costs
//
// The commands are those of a hot start of 2,500 variables with nothing to do inside: three short
// kernels (restore, bounds), a cooperative one (pivots), one that collects the point, a copy of it
// to the host, a cooperative one with six grid barriers (verification). Medians of 2,000 rounds.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

namespace {

constexpr int variables = 2500, rounds = 2000, pivotBlocks = 55, pivotThreads = 256;
constexpr int verdictBlocks = 132, verdictThreads = 512, barriers = 6, sharedBytes = 160 << 10;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}
double now() {
  return 1e6 *
         std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

__global__ void shortKernel(double* x, int round) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < variables) x[i] = round;
}
__global__ void pivotKernel(double* x, int round) {
  extern __shared__ double shared[];
  shared[threadIdx.x] = round;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) x[0] += shared[0];
}
__global__ void verdictKernel(double* x, double* host, int round) {
  cg::grid_group const grid = cg::this_grid();
  for (int k = 0; k < barriers; ++k) grid.sync();
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < 2 * variables) host[i] = x[i % variables] + round;
}

/// Tasks are numbers that grow; 0 ends it. One thread looks at the host's memory.
__global__ void stayingKernel(int const volatile* task, int volatile* done, int volatile* given,
                              double* x, double* host) {
  cg::grid_group const grid = cg::this_grid();
  for (int round = 1;; ++round) {
    if (grid.thread_rank() == 0) {
      int found = *task;
      while (found != 0 && found < round) found = *task;
      *given = found;
    }
    grid.sync();
    if (*given == 0) return;
    int const i = static_cast<int>(grid.thread_rank());
    if (i < variables) x[i] = round;
    for (int k = 0; k < barriers; ++k) grid.sync();
    if (i < 2 * variables) host[i] = x[i % variables];
    __threadfence_system();
    grid.sync();
    if (i == 0) *done = round;
  }
}

struct Work {
  cudaStream_t stream;
  cudaEvent_t finished;
  double *x, *landing, *host;
  int round = 0;

  void queue() {
    ++round;
    unsigned const blocks = (variables + 255) / 256;
    for (int k = 0; k < 3; ++k) shortKernel<<<blocks, 256, 0, stream>>>(x, round);
    void* pivotArguments[] = {&x, &round};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&pivotKernel), pivotBlocks,
                                      pivotThreads, pivotArguments, sharedBytes, stream));
    shortKernel<<<blocks, 256, 0, stream>>>(x, round);
    check(cudaMemcpyAsync(landing, x, 20 * variables, cudaMemcpyDeviceToHost, stream));
    void* verdictArguments[] = {&x, &host, &round};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&verdictKernel), verdictBlocks,
                                      verdictThreads, verdictArguments, 0, stream));
  }
  void wait() const {
    check(cudaEventRecord(finished, stream));
    for (cudaError_t status; (status = cudaEventQuery(finished)) != cudaSuccess;)
      if (status != cudaErrorNotReady) check(status);
  }
};

/// `command` queues the work, `wait` waits for it: medians of the first and of both.
template <class Command, class Wait>
void report(char const* name, Command command, Wait wait) {
  std::vector<double> queued, all;
  for (int k = 0; k < rounds; ++k) {
    double const begin = now();
    command();
    queued.push_back(now() - begin);
    wait();
    all.push_back(now() - begin);
  }
  for (auto* times : {&queued, &all}) std::sort(times->begin(), times->end());
  std::printf("%-44s queued in %6.1f us, done after %6.1f us\n", name, queued[rounds / 2],
              all[rounds / 2]);
}

cudaGraph_t capture(Work& work) {
  cudaGraph_t graph;
  check(cudaStreamBeginCapture(work.stream, cudaStreamCaptureModeThreadLocal));
  work.queue();
  check(cudaStreamEndCapture(work.stream, &graph));
  return graph;
}

void reportGraphs(Work& work) {
  cudaGraph_t graph = capture(work);
  cudaGraphExec_t exec;
  check(cudaGraphInstantiate(&exec, graph, 0));
  auto const wait = [&] { work.wait(); };
  report(
      "graph, as it was captured", [&] { check(cudaGraphLaunch(exec, work.stream)); }, wait);
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count));
  auto const withNumbers = [&] {  // every kernel is told of this round
    ++work.round;
    for (cudaGraphNode_t const node : nodes) {
      cudaGraphNodeType type;
      check(cudaGraphNodeGetType(node, &type));
      if (type != cudaGraphNodeTypeKernel) continue;
      cudaKernelNodeParams parameters;
      check(cudaGraphKernelNodeGetParams(node, &parameters));
      bool const verdict = parameters.gridDim.x == verdictBlocks;
      void* three[] = {&work.x, &work.host, &work.round};
      void* two[] = {&work.x, &work.round};
      parameters.kernelParams = verdict ? three : two;
      check(cudaGraphExecKernelNodeSetParams(exec, node, &parameters));
    }
    check(cudaGraphLaunch(exec, work.stream));
  };
  report("graph, its six kernels with new arguments", withNumbers, wait);
  auto const anew = [&] {
    cudaGraph_t const next = capture(work);
    cudaGraphExecUpdateResultInfo info;
    check(cudaGraphExecUpdate(exec, next, &info));
    check(cudaGraphDestroy(next));
    check(cudaGraphLaunch(exec, work.stream));
  };
  report("graph, captured and updated each time", anew, wait);
}

void reportStaying(Work& work) {
  int *flags, *given;
  check(cudaHostAlloc(&flags, 2 * sizeof(int), cudaHostAllocMapped));
  check(cudaMalloc(&given, sizeof(int)));
  int volatile* const task = flags;
  int volatile* const done = flags + 1;
  *task = -1;
  *done = 0;
  int* deviceFlags;
  check(cudaHostGetDevicePointer(&deviceFlags, flags, 0));
  int const* taskThere = deviceFlags;
  int* doneThere = deviceFlags + 1;
  void* arguments[] = {&taskThere, &doneThere, &given, &work.x, &work.host};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(&stayingKernel), verdictBlocks,
                                    verdictThreads, arguments, 0, work.stream));
  int round = 0;
  report(
      "kernel that stays", [&] { *task = ++round; },
      [&] {
        while (*done < round) {
        }
      });
  *task = 0;
  check(cudaStreamSynchronize(work.stream));
}

}  // namespace

int main() {
  Work work;
  check(cudaStreamCreateWithFlags(&work.stream, cudaStreamNonBlocking));
  check(cudaEventCreateWithFlags(&work.finished, cudaEventDisableTiming));
  check(cudaMalloc(&work.x, 3 * variables * sizeof(double)));
  check(cudaHostAlloc(&work.landing, 3 * variables * sizeof(double), cudaHostAllocMapped));
  check(cudaHostAlloc(&work.host, 2 * variables * sizeof(double), cudaHostAllocMapped));
  check(
      cudaFuncSetAttribute(pivotKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes));
  for (int k = 0; k < 100; ++k) {
    work.queue();
    work.wait();
  }
  report(
      "one short kernel", [&] { shortKernel<<<1, 256, 0, work.stream>>>(work.x, 1); },
      [&] { work.wait(); });
  report(
      "launches", [&] { work.queue(); }, [&] { work.wait(); });
  reportGraphs(work);
  reportStaying(work);
  return 0;
}
