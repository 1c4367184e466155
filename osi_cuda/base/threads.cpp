// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/base/threads.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "osi_cuda/base/blas.hpp"

namespace osi_cuda {
namespace {

#ifdef OSI_CUDA_LINKED_BLAS
constexpr bool linked = true;
#else
constexpr bool linked = false;
#endif

void* opened(char const* library, int flags = 0) {
  return dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE | flags);
}

void* openblas(int flags = 0) {
  return opened("libopenblas.so.0", flags);
}

/// OpenBLAS's name for the kernels of processors that can do what this one can; null: none is
/// known.
char const* kernelsByFeatures() {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

/// The setting of the process. (openblas_set_num_threads_local, of later versions, changes it as
/// well where OpenBLAS has threads of its own.) Where nothing has loaded OpenBLAS, the setting
/// waits for the first function that is called.
class Setting {
 public:
  void enter(int wanted) {
    std::lock_guard const lock(mutex_);
    bool const first = users_++ == 0;
    if (!loaded_) load(openblas(RTLD_NOLOAD));
    int const present = loaded_ ? blas::threads() : ours_;
    if (first)
      before_ = present;
    else
      wanted = std::min(wanted, present);
    if (loaded_ && wanted != present) blas::setThreads(wanted);
    ours_ = wanted;
  }

  void leave() {
    std::lock_guard const lock(mutex_);
    if (--users_ > 0 || !loaded_ || ours_ == before_) return;
    if (blas::threads() == ours_) blas::setThreads(before_);
  }

  /// Loads OpenBLAS, with what present users wish; null if it is not to be had.
  void* find() {
    std::lock_guard const lock(mutex_);
    BlasKernels const kernels;
    void* const library = openblas();
    if (loaded_ || !library) return library;
    load(library);
    before_ = blas::threads();
    if (users_ > 0) blas::setThreads(ours_);
    return library;
  }

 private:
  void load(void* library) {
    if (!library) return;
    blas::threads.bind(dlsym(library, "openblas_get_num_threads"));
    blas::setThreads.bind(dlsym(library, "openblas_set_num_threads"));
    loaded_ = true;
  }

  std::mutex mutex_;
  bool loaded_ = linked;
  int users_ = 0;
  int before_ = 1;  ///< what the first user found
  int ours_ = 1;    ///< what the last one to come left
};

Setting& setting() {
  static Setting shared;
  return shared;
}

std::mutex environment;  // held while the variable is ours
constexpr char const* kernelsVariable = "OPENBLAS_CORETYPE";

}  // namespace

BlasKernels::BlasKernels() : lock_(environment) {
  char const* const kernels = getenv(kernelsVariable) ? nullptr : kernelsByFeatures();
  set_ = kernels && setenv(kernelsVariable, kernels, 1) == 0;
}

BlasKernels::~BlasKernels() {
  if (set_) unsetenv(kernelsVariable);
}

void* findInBlas(char const* name) {
  void* const library = setting().find();
  void* found = library ? dlsym(library, name) : nullptr;
  if (!found && library)  // OpenBLAS may have LAPACKE inside
    if (void* const lapacke = opened("liblapacke.so.3")) found = dlsym(lapacke, name);
  if (found) return found;
  char const* const fault = dlerror();
  throw std::runtime_error(std::string(name) + " is missing: " + (fault ? fault : "no library"));
}

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
