// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace osi_cuda {

/// Calls work(piece, thread) for piece = 0..count-1, in their order as threads get free. The
/// calling thread is thread 0; at most threads - 1 others, 1.. as they come, are of a pool of the
/// process, which sleep between calls. Returns when all pieces are done: unlike an OpenMP region it
/// does not wait for a thread that has not come yet, as its core is busy with other work. Several
/// threads may call at a time. What a piece throws first ends the call, and is thrown when the
/// pieces that had begun are done. After a fork the child's calling thread does all.
void runPieces(int threads, std::size_t count,
               std::function<void(std::size_t piece, int thread)> const& work);

}  // namespace osi_cuda
