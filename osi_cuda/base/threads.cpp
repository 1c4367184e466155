// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/threads.hpp"

#include <cblas.h>

#include <algorithm>
#include <mutex>
#include <thread>

/// What OpenBLAS does itself before a process forks. Its headers do not have it.
extern "C" [[gnu::weak]] int blas_thread_shutdown_();

namespace osi_cuda {
namespace {

/// The setting of the process. (openblas_set_num_threads_local, of later versions, changes it as
/// well where OpenBLAS has threads of its own.)
class Setting {
 public:
  void enter(int wanted) {
    std::lock_guard const lock(mutex_);
    int const present = openblas_get_num_threads();
    if (users_++ == 0)
      before_ = present;
    else
      wanted = std::min(wanted, present);
    if (wanted != present) openblas_set_num_threads(wanted);
    ours_ = wanted;
  }

  void rest() {
    std::lock_guard const lock(mutex_);
    if (users_ == 0 && openblas_get_num_threads() == 1 && blas_thread_shutdown_)
      blas_thread_shutdown_();
  }

  void leave() {
    std::lock_guard const lock(mutex_);
    if (--users_ > 0 || ours_ == before_) return;
    if (openblas_get_num_threads() == ours_) openblas_set_num_threads(before_);
  }

 private:
  std::mutex mutex_;
  int users_ = 0;
  int before_ = 1;  ///< what the first user found
  int ours_ = 1;    ///< what the last one to come left
};

Setting& setting() {
  static Setting shared;
  return shared;
}

}  // namespace

BlasThreads::BlasThreads(int threads, double flops) {
  auto const all = [] {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  };
  setting().enter(flops < 2e7 ? 1 : threads > 0 ? threads : all());
}

BlasThreads::~BlasThreads() {
  setting().leave();
}

void BlasThreads::owned() {
  openblas_set_num_threads(1);
  rest();
}

void BlasThreads::rest() {
  setting().rest();
}

}  // namespace osi_cuda
