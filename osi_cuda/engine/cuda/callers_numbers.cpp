// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/makers.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "osi_cuda/base/thread_pool.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {
namespace {

/// target <- source, through page-locked memory, each thread a piece at a time. The first touch of
/// a page takes longer than its bytes take to come: that is done while they do.
void download(cudaStream_t stream, char* target, char const* source, std::size_t bytes) {
  constexpr std::size_t pieceBytes = std::size_t{1} << 20, pageBytes = 4096;  // or larger ones
  int const threads = std::min(Uploader::mostThreads,
                               loopThreads(static_cast<std::int64_t>(bytes / sizeof(double))));
  PinnedArray<char> const landing(std::min(bytes, at(threads) * pieceBytes));
  std::vector<Event> arrived(at(threads));
  for (Event& event : arrived) event = makeEvent();
  int device = 0;
  check(cudaGetDevice(&device));
  runPieces(threads, (bytes + pieceBytes - 1) / pieceBytes, [&](std::size_t piece, int thread) {
    check(cudaSetDevice(device));
    std::size_t const begin = piece * pieceBytes, length = std::min(pieceBytes, bytes - begin);
    char* const here = landing.data() + at(thread) * pieceBytes;
    check(cudaMemcpyAsync(here, source + begin, length, cudaMemcpyDeviceToHost, stream));
    check(cudaEventRecord(arrived[at(thread)], stream));
    for (std::size_t page = 0; page < length; page += pageBytes) target[begin + page] = 0;
    check(cudaEventSynchronize(arrived[at(thread)]));
    std::memcpy(target + begin, here, length);
  });
}

}  // namespace

int deviceOf(void const* address, void* stream) {
  CallersContext const before;
  countDevices();  // which says why there is none
  cudaPointerAttributes where{};
  check(cudaPointerGetAttributes(&where, address));
  if (where.type != cudaMemoryTypeDevice && where.type != cudaMemoryTypeManaged) return -1;
  DeviceScope const scope(where.device);
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
  return where.device;
}

void copyAcross(int device, void* target, void const* source, std::size_t bytes) {
  DeviceScope const scope(device);
  Stream const stream = makeStream();
  check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream));
  check(cudaStreamSynchronize(stream));
}

DeviceNumbers fetchNumbers(DeviceNumbers const& source, double* target) {
  DeviceNumbers known = source;
  known.device = deviceOf(source.numbers, source.stream);
  if (known.device < 0)
    throw std::invalid_argument("the numbers do not lie in the memory of a CUDA device");
  DeviceScope const scope(known.device);
  Stream const stream = makeStream();
  download(stream, reinterpret_cast<char*>(target), reinterpret_cast<char const*>(source.numbers),
           source.count * sizeof(double));
  return known;
}

}  // namespace osi_cuda::cuda
