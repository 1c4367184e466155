// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/base/blas.hpp"

#include <algorithm>
#include <mutex>
#include <thread>

namespace osi_cuda {
namespace {

/// The setting of the process. (openblas_set_num_threads_local, of later versions, changes it as
/// well where OpenBLAS has threads of its own.)
class Setting {
 public:
  void enter(int wanted) {
    std::lock_guard const lock(mutex_);
    int const present = blas::threads();
    if (users_++ == 0)
      before_ = present;
    else
      wanted = std::min(wanted, present);
    if (wanted != present) blas::setThreads(wanted);
    ours_ = wanted;
  }

  void leave() {
    std::lock_guard const lock(mutex_);
    if (--users_ > 0 || ours_ == before_) return;
    if (blas::threads() == ours_) blas::setThreads(before_);
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

}  // namespace osi_cuda
