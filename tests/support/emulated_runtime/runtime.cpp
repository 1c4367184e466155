// SPDX-License-Identifier: EPL-2.0
// The functions of CUDA's runtime that the engine calls, and the start of kernels.
#include "tests/support/emulated_device.hpp"
// the emulation comes first
#include <cstring>

#include "tests/support/emulated_runtime/device.hpp"

using emulated_runtime::device;
using emulated_runtime::Trouble;

namespace {

cudaError_t errorOf(Trouble trouble) {
  return trouble == Trouble::none       ? cudaSuccess
         : trouble == Trouble::noMemory ? cudaErrorMemoryAllocation
                                        : cudaErrorDevicesUnavailable;
}
/// For calls that may fail: the error, or cudaSuccess and go on.
cudaError_t trouble() {
  return errorOf(device().trouble());
}

emulated_runtime::Stream& streamOf(cudaStream_t stream) {
  return device().streamOf(stream);
}
emulated_runtime::Event& eventOf(cudaEvent_t event) {
  return *reinterpret_cast<emulated_runtime::Event*>(event);
}

/// A stream takes work and events of its own device only.
bool isOfCurrentDevice(cudaStream_t stream, char const* what) {
  bool const right = streamOf(stream).device == device().current;
  if (!right) device().fault(std::string(what) + " in a stream of another device");
  return right;
}

cudaError_t makeEvent(cudaEvent_t* event) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto& events = device().events;
  events.push_back(std::make_unique<emulated_runtime::Event>());
  *event = reinterpret_cast<cudaEvent_t>(events.back().get());
  return cudaSuccess;
}

template <class List, class Handle>
cudaError_t destroy(List& list, Handle handle, char const* who) {
  auto const found = std::find_if(list.begin(), list.end(), [&](auto const& each) {
    return reinterpret_cast<Handle>(each.get()) == handle;
  });
  if (found == list.end())
    device().fault(std::string(who) + ": there is none");
  else
    list.erase(found);
  return errorOf(device().lost ? Trouble::lost : Trouble::none);
}

}  // namespace

// ---- devices

cudaError_t cudaGetDeviceCount(int* count) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = errorOf(device().trouble(-1))) return error;
  if (device().driver < CUDART_VERSION / 1000 * 1000) return cudaErrorInsufficientDriver;
  *count = device().devices;
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = device().driver;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int number) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = errorOf(device().trouble(number))) return error;
  if (number < 0 || number >= device().devices) return cudaErrorInvalidDevice;
  device().current = number;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* number) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = errorOf(device().trouble(-1))) return error;
  *number = device().current;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int reader, int owner) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = errorOf(device().trouble(-1))) return error;
  *can = reader != owner && device().peers;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int owner, unsigned) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (owner == device().current || !device().peers) return cudaErrorPeerAccessUnsupported;
  return device().access.emplace(device().current, owner).second
             ? cudaSuccess
             : cudaErrorPeerAccessAlreadyEnabled;
}
cudaError_t cudaDeviceSynchronize() {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  device().doEverything();
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = errorOf(device().trouble(number))) return error;
  *properties = {};
  std::strcpy(properties->name, "emulated");
  properties->major = device().capability / 10;
  properties->minor = device().capability % 10;
  properties->multiProcessorCount = 8;
  properties->cooperativeLaunch = device().cooperative;
  properties->sharedMemPerBlockOptin = device().shared;
  properties->sharedMemPerMultiprocessor = device().shared;
  properties->totalGlobalMem = device().memory;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 0;  // clocks and the like: the host's would mislead
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
char const* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation        ? "out of memory"
         : error == cudaErrorUnsupportedPtxVersion ? "unsupported toolchain"
         : error == cudaErrorNoDevice              ? "no device"
         : error == cudaErrorInvalidValue          ? "invalid argument"
                                                   : "device lost";
}
cudaError_t cudaGetDriverEntryPointByVersion(char const*, void**, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  *found = cudaDriverEntryPointSymbolNotFound;  // there is no driver
  return cudaSuccess;
}

// ---- memory

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  *memory = device().take(device().onDevice, bytes);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void* memory) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  device().doEverything();  // as the runtime waits for what may use it
  if (memory) device().giveBack(device().onDevice, memory, "cudaFree");
  return errorOf(device().lost ? Trouble::lost : Trouble::none);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  *memory = device().take(device().pinned, bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  device().doEverything();
  if (memory) device().giveBack(device().pinned, memory, "cudaFreeHost");
  return errorOf(device().lost ? Trouble::lost : Trouble::none);
}
cudaError_t cudaHostGetDevicePointer(void** there, void* memory, unsigned) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  device().inside(device().pinned, memory, 1, "cudaHostGetDevicePointer");
  *there = memory;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* found, void const* place) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  *found = {};
  found->type = device().isOnDevice(place) ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  found->device = device().current;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  *total = device().memory;
  *available = device().memory - device().allocated;
  return cudaSuccess;
}

// What is not page-locked is copied at once: on its way to the device into memory of the runtime,
// on its way back when all before it is done.
cudaError_t cudaMemcpyAsync(void* target, void const* source, std::size_t bytes,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto& d = device();
  if (kind == cudaMemcpyDefault) {
    bool const from = d.isOnDevice(source), to = d.isOnDevice(target);
    if (!from && !to) return std::memcpy(target, source, bytes), cudaSuccess;
    kind = !from ? cudaMemcpyHostToDevice : to ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost;
  }
  bool const up = kind == cudaMemcpyHostToDevice, down = kind == cudaMemcpyDeviceToHost;
  bool right = down || d.inside(d.onDevice, target, bytes, "a copy's target");
  right = (up || d.inside(d.onDevice, source, bytes, "a copy's source")) && right;
  if (up && d.isPinned(source)) right = d.inside(d.pinned, source, bytes, "an upload") && right;
  if (down && d.isPinned(target)) right = d.inside(d.pinned, target, bytes, "a download") && right;
  if (!right) return cudaErrorInvalidValue;
  if (up) d.uploaded += bytes;
  if (down) d.downloaded += bytes;
  if (up && !d.isPinned(source)) {
    auto const* const begin = static_cast<char const*>(source);
    streamOf(stream).put([target, kept = std::vector<char>(begin, begin + bytes)] {
      std::memcpy(target, kept.data(), kept.size());
    });
    return cudaSuccess;
  }
  streamOf(stream).put([=] { std::memcpy(target, source, bytes); });
  if (down && !d.isPinned(target)) streamOf(stream).doAll();
  return cudaSuccess;
}
// Between devices and on one.
cudaError_t cudaMemcpy2DAsync(void* target, std::size_t targetPitch, void const* source,
                              std::size_t sourcePitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto& d = device();
  auto const length = [&](std::size_t pitch) {
    return height > 0 ? pitch * (height - 1) + width : 0;
  };
  if (kind != cudaMemcpyDefault || width > targetPitch || width > sourcePitch ||
      !d.inside(d.onDevice, target, length(targetPitch), "a copy's target") ||
      !d.inside(d.onDevice, source, length(sourcePitch), "a copy's source"))
    return cudaErrorInvalidValue;
  streamOf(stream).put([=] {
    for (std::size_t line = 0; line < height; ++line)
      std::memcpy(static_cast<char*>(target) + line * targetPitch,
                  static_cast<char const*>(source) + line * sourcePitch, width);
  });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* target, int value, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (!device().inside(device().onDevice, target, bytes, "cudaMemset"))
    return cudaErrorInvalidValue;
  streamOf(stream).put([=] { std::memset(target, value, bytes); });
  return cudaSuccess;
}

// ---- streams and events

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto& streams = device().streams;
  streams.push_back(std::make_unique<emulated_runtime::Stream>());
  streams.back()->device = device().current;
  *stream = reinterpret_cast<cudaStream_t>(streams.back().get());
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  streamOf(stream).doAll();
  return destroy(device().streams, stream, "cudaStreamDestroy");
}
// The default streams wait for all others.
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (!stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
    device().doEverything();
    return cudaSuccess;
  }
  device().waits += streamOf(stream).queue.empty() ? 0 : 1;
  streamOf(stream).doAll();
  return cudaSuccess;
}
// One thing is done at each look.
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (streamOf(stream).queue.empty()) return cudaSuccess;
  streamOf(stream).doOne();
  return cudaErrorNotReady;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return makeEvent(event);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return makeEvent(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  return destroy(device().events, event, "cudaEventDestroy");
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (!isOfCurrentDevice(stream, "an event")) return cudaErrorInvalidResourceHandle;
  eventOf(event) = {&streamOf(stream), streamOf(stream).queued};
  return cudaSuccess;
}
// What the event was when this was called is waited for, when the stream comes to it. A stream that
// is gone has done everything.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  streamOf(stream).put([e = eventOf(event)] {
    for (auto const& each : device().streams)
      if (each.get() == e.stream) e.stream->doUntil(e.place);
  });
  return cudaSuccess;
}
// One thing is done at each look.
cudaError_t cudaEventQuery(cudaEvent_t event) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto const& e = eventOf(event);
  if (!e.stream || e.stream->done >= e.place) return cudaSuccess;
  e.stream->doOne();
  device().waits += e.stream->done == e.place ? 1 : 0;
  return cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  auto const& e = eventOf(event);
  device().waits += e.stream && e.stream->done < e.place ? 1 : 0;
  if (e.stream) e.stream->doUntil(e.place);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  for (cudaEvent_t const event : {begin, end})
    if (!eventOf(event).stream || eventOf(event).stream->done < eventOf(event).place)
      return cudaErrorNotReady;
  *milliseconds = 1.0f;
  return cudaSuccess;
}

// ---- kernels

cudaError_t cudaFuncSetAttribute(void const*, cudaFuncAttribute, int bytes) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  return static_cast<std::size_t>(bytes) <= device().shared ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int,
                                                          std::size_t) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  *blocks = 1;
  return cudaSuccess;
}

cudaError_t emulated::start(cudaStream_t stream, dim3 blocks, dim3 threads, std::size_t sharedBytes,
                            Blocks how, std::function<void()> body) {
  std::lock_guard const lock(emulated_runtime::oneAtATime());
  if (cudaError_t const error = trouble()) return error;
  if (!isOfCurrentDevice(stream, "a kernel")) return cudaErrorInvalidResourceHandle;
  auto& d = device();
  bool const together = how == Blocks::together;
  unsigned const ofBlock = threads.x * threads.y * threads.z;
  if (blocks.x == 0 || blocks.y == 0 || blocks.y > 65535 || blocks.z != 1 || ofBlock == 0 ||
      ofBlock > 1024 || ofBlock % 32 != 0 || sharedBytes > d.shared ||
      (together && (blocks.x > 8 || blocks.y != 1))) {
    d.fault("a kernel that no device runs");
    return cudaErrorInvalidValue;
  }
  Shape shape;
  shape.blockCount = {blocks.x, blocks.y, 1};
  shape.threads = {threads.x, threads.y, 1};
  shape.sharedBytes = sharedBytes;
  shape.blocks = together ? blocks.x : 1;
  streamOf(stream).put([shape, run = std::move(body), seed = d.seed++]() mutable {
    for (shape.firstBlock = 0; shape.firstBlock < shape.blockCount.x * shape.blockCount.y;
         shape.firstBlock += shape.blocks)
      emulated::launch(shape, seed, run);
  });
  return cudaSuccess;
}
