// SPDX-License-Identifier: EPL-2.0
#pragma once

namespace osi_cuda::rational {

/// FLINT keeps integers that are not used any more, a few hundred kilobytes in each thread, and
/// leaves it to the thread to release them. After this call the calling thread does when it ends.
void releaseCachesAtThreadEnd();

}  // namespace osi_cuda::rational
