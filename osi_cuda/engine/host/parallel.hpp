// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "osi_cuda/base/threads.hpp"

/// Loops over index ranges on a few threads. The range is cut into chunks that depend on its length
/// only, and partial results are combined in chunk order, so that results do not depend on the
/// number of threads.
namespace osi_cuda::host {

inline constexpr int chunkLength = 2048;

/// How many of `lines` a call of BLAS takes at once where each is so many operations: between two
/// calls there is a place to stop.
inline int stripLength(int lines, double operationsOfLine, double operationsAtOnce = 4e9) {
  return static_cast<int>(std::clamp(operationsAtOnce / std::max(1.0, operationsOfLine), 1.0,
                                     std::max(1.0, 1.0 * lines)));
}

/// Runs body(begin, end) over chunks of 0..length-1. `work` estimates the operations of the whole
/// loop: small loops stay on the calling thread (loopThreads).
void forChunks(int threads, int length, std::int64_t work, auto body) {
  if (loopThreads(work, threads) <= 1) {
    if (length > 0) body(0, length);
    return;
  }
  int const step = std::max(64, std::min(chunkLength, (length + threads - 1) / threads));
  int const parts = (length + step - 1) / step;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (int part = 0; part < parts; ++part) body(part * step, std::min(length, (part + 1) * step));
}

/// Combines f(partial, i) over i = 0..length-1, starting each chunk from zero.
template <class T, class F, class Combine>
T reduceChunks(int threads, int length, T const& zero, F f, Combine combine) {
  int const chunks = (length + chunkLength - 1) / chunkLength;
  auto runChunk = [&](int chunk) {
    T partial = zero;
    int const end = std::min(length, (chunk + 1) * chunkLength);
    for (int i = chunk * chunkLength; i < end; ++i) f(partial, i);
    return partial;
  };
  if (chunks <= 1) return chunks == 0 ? zero : runChunk(0);
  constexpr std::int64_t operations = 8;  // of an entry, some
  int const team = std::max(1, loopThreads(operations * length, threads));
  std::vector<T> partials(static_cast<std::size_t>(chunks), zero);
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
  for (int chunk = 0; chunk < chunks; ++chunk)
    partials[static_cast<std::size_t>(chunk)] = runChunk(chunk);
  T result = partials.front();
  for (int chunk = 1; chunk < chunks; ++chunk)
    result = combine(result, partials[static_cast<std::size_t>(chunk)]);
  return result;
}

}  // namespace osi_cuda::host
