// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cblas.h>

#include <atomic>
#include <mutex>

extern "C" {
// Of LAPACK and LAPACKE, whose headers declare hundreds.
int LAPACKE_dgetrf(int layout, int rows, int columns, double* a, int stride, int* pivots);
void dpotrf_(char const* side, int const* order, double* a, int const* stride, int* fault);
}

namespace osi_cuda {

/// The address of a function of OpenBLAS or LAPACKE, which are opened for it (threads.cpp). Throws
/// std::runtime_error with the loader's words.
void* findInBlas(char const* name);

/// Has OpenBLAS take the kernels for what the processor can do if it is opened, by whatever
/// library, while this lives. It goes by model numbers, and where it does not know the one of a
/// younger processor it takes kernels of 2004, with a third of the speed. It looks at the
/// environment when it is opened; who sets the variable there has his way.
class BlasKernels {
 public:
  BlasKernels();
  ~BlasKernels();
  BlasKernels(BlasKernels const&) = delete;
  BlasKernels& operator=(BlasKernels const&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  bool set_;
};

template <class Signature>
class LateFunction;

/// A function whose library is opened with the first call: the loader takes milliseconds to bind
/// OpenBLAS, more than a small sparse problem takes, which needs nothing of it. Any number of
/// threads may call.
template <class Result, class... Arguments>
class LateFunction<Result(Arguments...)> {
 public:
  using Pointer = Result (*)(Arguments...);
  /// `linked` is null, or the function where its library is there from the start.
  constexpr LateFunction(char const* name, Pointer linked) : name_(name), found_(linked) {}

  Result operator()(Arguments... arguments) {
    if (!found_.load(std::memory_order_acquire)) bind(findInBlas(name_));
    return found_.load(std::memory_order_relaxed)(arguments...);
  }

  /// Calls go there from now on.
  void bind(void* address) {
    found_.store(reinterpret_cast<Pointer>(address), std::memory_order_release);
  }
  /// The same. Returns what was there, which may be null.
  Pointer replace(Pointer other) { return found_.exchange(other); }

 private:
  char const* name_;
  std::atomic<Pointer> found_;
};

namespace blas {

/// What it takes to open it, 3 to 8 ms, in counted seconds, which are half of those of a solve of
/// milliseconds. Whether it is open already is not asked, so that a solve is the same whatever came
/// before.
#ifdef OSI_CUDA_LINKED_BLAS  // a package that brings the libraries that its files name
inline constexpr double openingSeconds = 0.0;
#define OSI_CUDA_BLAS(function) \
  { #function, &::function }
#else
inline constexpr double openingSeconds = 2e-3;
#define OSI_CUDA_BLAS(function) \
  { #function, nullptr }
#endif
inline LateFunction<decltype(cblas_dgemm)> dgemm OSI_CUDA_BLAS(cblas_dgemm);
inline LateFunction<decltype(cblas_dgemv)> dgemv OSI_CUDA_BLAS(cblas_dgemv);
inline LateFunction<decltype(cblas_dswap)> dswap OSI_CUDA_BLAS(cblas_dswap);
inline LateFunction<decltype(cblas_dsyrk)> dsyrk OSI_CUDA_BLAS(cblas_dsyrk);
inline LateFunction<decltype(cblas_ssyrk)> ssyrk OSI_CUDA_BLAS(cblas_ssyrk);
inline LateFunction<decltype(cblas_dtrsm)> dtrsm OSI_CUDA_BLAS(cblas_dtrsm);
inline LateFunction<decltype(cblas_dtrsv)> dtrsv OSI_CUDA_BLAS(cblas_dtrsv);
inline LateFunction<decltype(LAPACKE_dgetrf)> dgetrf OSI_CUDA_BLAS(LAPACKE_dgetrf);
inline LateFunction<decltype(dpotrf_)> dpotrf OSI_CUDA_BLAS(dpotrf_);
inline LateFunction<decltype(openblas_get_config)> config OSI_CUDA_BLAS(openblas_get_config);
inline LateFunction<decltype(openblas_get_corename)> kernels OSI_CUDA_BLAS(openblas_get_corename);
inline LateFunction<decltype(openblas_get_num_threads)> threads
    OSI_CUDA_BLAS(openblas_get_num_threads);
inline LateFunction<decltype(openblas_set_num_threads)> setThreads
    OSI_CUDA_BLAS(openblas_set_num_threads);
#undef OSI_CUDA_BLAS

}  // namespace blas
}  // namespace osi_cuda
