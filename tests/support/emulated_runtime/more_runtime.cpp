// SPDX-License-Identifier: EPL-2.0
// What the examples call of CUDA's runtime beyond the engine: copies that wait, graphs with a WHILE
// node.
#include "tests/support/emulated_device.hpp"
// the emulation comes first
#include "tests/support/emulated_runtime/device.hpp"

using emulated_runtime::device;

namespace {

/// A graph of one WHILE node, or that node's body.
struct Graph {
  std::vector<std::function<void()>> work;
  std::unique_ptr<Graph> body;
  cudaGraphConditionalHandle handle = 0;
};
Graph& graphOf(void* graph) {
  return *static_cast<Graph*>(graph);
}

}  // namespace

cudaError_t cudaMemcpy(void* target, void const* source, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(target, source, bytes, kind, nullptr);
}
cudaError_t cudaMemcpy2D(void* target, std::size_t targetPitch, void const* source,
                         std::size_t sourcePitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  for (std::size_t line = 0; line < height; ++line)
    if (cudaError_t const error =
            cudaMemcpy(static_cast<char*>(target) + line * targetPitch,
                       static_cast<char const*>(source) + line * sourcePitch, width, kind))
      return error;
  return cudaSuccess;
}
cudaError_t cudaMemset(void* target, int value, std::size_t bytes) {
  return cudaMemsetAsync(target, value, bytes, nullptr);
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

// ---- graphs

unsigned& emulated::conditional(cudaGraphConditionalHandle handle) {
  static std::map<cudaGraphConditionalHandle, unsigned> values;
  return values[handle];
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  ++device().handles["graph"];
  *graph = reinterpret_cast<cudaGraph_t>(new Graph);
  return cudaSuccess;
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned initial, unsigned) {
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(graph);
  emulated::conditional(*handle) = initial;
  return cudaSuccess;
}
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t graph, cudaGraphNode_t const*,
                             cudaGraphEdgeData const*, std::size_t,
                             cudaGraphNodeParams* parameters) {
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t*, cudaGraph_t graph, cudaGraphNode_t const*,
                             std::size_t, cudaGraphNodeParams* parameters) {
#endif
  Graph& all = graphOf(graph);
  if (parameters->type != cudaGraphNodeTypeConditional || all.body) return cudaErrorNotSupported;
  all.body = std::make_unique<Graph>();
  all.handle = parameters->conditional.handle;
  static thread_local cudaGraph_t bodies[1];
  bodies[0] = reinterpret_cast<cudaGraph_t>(all.body.get());
  parameters->conditional.phGraph_out = bodies;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          cudaGraphNode_t const*, cudaGraphEdgeData const*,
                                          std::size_t, cudaStreamCaptureMode) {
  if (!stream) return cudaErrorStreamCaptureUnsupported;
  device().streamOf(stream).captured = &graphOf(graph).work;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t*) {
  device().streamOf(stream).captured = nullptr;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* program, cudaGraph_t graph, unsigned long long) {
  *program = reinterpret_cast<cudaGraphExec_t>(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t program, cudaStream_t stream) {
  Graph& all = graphOf(program);
  device().streamOf(stream).put([&all] {
    while (emulated::conditional(all.handle) != 0)
      for (auto const& each : all.body->work) each();
  });
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  --device().handles["graph"];
  delete &graphOf(graph);
  return cudaSuccess;
}
