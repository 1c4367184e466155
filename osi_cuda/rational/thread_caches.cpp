// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/rational/thread_caches.hpp"

#include <flint/flint.h>

namespace osi_cuda::rational {
namespace {

struct Release {
  bool wanted = false;
  ~Release() {
    if (wanted) flint_cleanup();
  }
};

}  // namespace

void releaseCachesAtThreadEnd() {
  thread_local Release release;
  release.wanted = true;
}

}  // namespace osi_cuda::rational
