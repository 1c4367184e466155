// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/makers.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"

namespace osi_cuda::cuda {
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 21;
constexpr std::size_t pieces = 4;                    // on their way at a time
constexpr std::size_t share = std::size_t{1} << 17;  // of one thread
constexpr std::size_t pageBytes = 4096;              // or larger ones

/// target <- source, through page-locked memory, a few pieces on their way at a time. The first
/// touch of a page takes longer than its bytes take to come, so that all threads do that, and
/// beforehand.
void download(cudaStream_t stream, char* target, char const* source, std::size_t bytes) {
  PinnedArray<char> const landing(std::min(bytes, pieces * pieceBytes));
  int const threads = loopThreads(static_cast<std::int64_t>(bytes / sizeof(double)));
  Event arrived[pieces];
  for (Event& event : arrived) event = makeEvent();
  auto const lengthAt = [&](std::size_t begin) { return std::min(pieceBytes, bytes - begin); };
  auto const send = [&](std::size_t begin) {
    std::size_t const place = begin / pieceBytes % pieces;
    check(cudaMemcpyAsync(landing.data() + place * pieceBytes, source + begin, lengthAt(begin),
                          cudaMemcpyDeviceToHost, stream));
    check(cudaEventRecord(arrived[place], stream));
  };
  for (std::size_t begin = 0; begin < std::min(bytes, pieces * pieceBytes); begin += pieceBytes)
    send(begin);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t begin = 0; begin < bytes; begin += pieceBytes)
    for (std::size_t page = 0; page < lengthAt(begin); page += pageBytes) target[begin + page] = 0;
  for (std::size_t begin = 0; begin < bytes; begin += pieceBytes) {
    std::size_t const place = begin / pieceBytes % pieces, length = lengthAt(begin);
    char const* const here = landing.data() + place * pieceBytes;
    check(cudaEventSynchronize(arrived[place]));
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t part = 0; part < length; part += share)
      std::memcpy(target + begin + part, here + part, std::min(share, length - part));
    if (begin + pieces * pieceBytes < bytes) send(begin + pieces * pieceBytes);
  }
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
