// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace osi_cuda::batch {

/// Runs work(item, worker) for item = 0..count-1 on a few threads, the items in their order as
/// threads get free; worker, 0..threads-1, tells the threads apart. Meanwhile the calling thread
/// calls watch(done) some times a second and at the end; when it answers true no more items are
/// begun. What work or watch throws first ends the run, and is thrown after all threads have ended.
void runWorkers(int threads, std::size_t count,
                std::function<void(std::size_t item, int worker)> const& work,
                std::function<bool(std::size_t done)> const& watch = {});

/// Processor cores, at least 1.
int allThreads();

}  // namespace osi_cuda::batch
