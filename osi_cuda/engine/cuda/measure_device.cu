// SPDX-License-Identifier: EPL-2.0
// The rates of a device, by what the engine does most: passes over memory, products, launches,
// grid barriers, copies.
#include <algorithm>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/makers.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/engine/cuda/packet.cuh"

namespace osi_cuda::cuda {
namespace {

constexpr int chains = 8, links = 4096, fmaThreads = 256, meetings = 500;

/// Independent chains of multiplications and additions; what comes out is stored, so that nothing
/// is left out.
__global__ void multiplyAndAdd(double factor, double* out) {
  double value[chains];
  for (int c = 0; c < chains; ++c) value[c] = static_cast<double>(threadIdx.x + blockIdx.x) + c;
  for (int l = 0; l < links; ++l)
    for (int c = 0; c < chains; ++c) value[c] = fma(value[c], factor, 1.0);
  double sum = 0.0;
  for (int c = 0; c < chains; ++c) sum += value[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// All blocks meet again and again.
__global__ void meet(unsigned* arrived) {
  for (unsigned round = 1; round <= meetings; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*static_cast<unsigned volatile*>(arrived) < round * gridDim.x) pause(20);
    }
    __syncthreads();
  }
}

/// Seconds of a call of `queue`, from calls that take `enough` together; the first one only warms.
template <class Queue>
double secondsOf(cudaStream_t stream, double enough, Queue const& queue) {
  constexpr int most = 1 << 16;
  queue();
  check(cudaStreamSynchronize(stream));
  for (int calls = 1;; calls *= 2) {
    Stopwatch const watch;
    for (int k = 0; k < calls; ++k) queue();
    check(cudaStreamSynchronize(stream));
    double const seconds = watch.seconds();
    if (seconds >= enough || calls >= most) return std::max(seconds, 1e-9) / calls;
  }
}

}  // namespace

DeviceRates measureDevice(int device, int order) {
  DeviceScope const scope(device);
  DeviceProperties const is = deviceProperties(device);
  Stream const stream = makeStream();
  BlasHandle const blas = makeBlas(stream);
  double const enough = order >= 1024 ? 0.1 : 1e-4, side = order;
  std::size_t const size = at(order) * at(order);
  double const bytes = sizeof(double) * side * side;
  DeviceArray<double> a, b, c;
  for (auto* const array : {&a, &b, &c}) zeros(stream, *array, size);
  auto const timed = [&](auto const& queue) { return secondsOf(stream, enough, queue); };

  DeviceRates rates = referenceMachine().device;
  auto const blocks = static_cast<unsigned>(std::max(1.0, is.multiprocessors));
  DeviceArray<double> out(at(static_cast<int>(8 * blocks) * fmaThreads));
  rates.fp64 = 2.0 * chains * links * 8.0 * blocks * fmaThreads / timed([&] {
                 launch({stream, 8 * blocks, fmaThreads}, &multiplyAndAdd, 0.999, out.data());
               });
  double const one = 1.0, zero = 0.0;
  rates.matrix = 2.0 * side * side * side / timed([&] {
                   check(cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, order, order, order, &one,
                                     a.data(), order, b.data(), order, &zero, c.data(), order));
                 });
  int const whole = 1, none = 0;
  auto const* const x = reinterpret_cast<signed char const*>(a.data());
  auto const* const y = reinterpret_cast<signed char const*>(b.data());
  auto* const sums = reinterpret_cast<int*>(c.data());
  rates.bytes = 2.0 * side * side * side / timed([&] {
                  check(cublasGemmEx(blas, CUBLAS_OP_T, CUBLAS_OP_N, order, order, order, &whole, x,
                                     CUDA_R_8I, order, y, CUDA_R_8I, order, &none, sums, CUDA_R_32I,
                                     order, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
                });
  rates.bandwidth = 2.0 * bytes / timed([&] {
                      double const* const from = a.data();
                      double* const to = b.data();
                      forEach(stream, order * order, [=] __device__(int i) { to[i] = from[i]; });
                    });
  rates.launch = timed([&] { forEach(stream, 1, [] __device__(int) {}); });
  DeviceArray<unsigned> arrived(1);
  rates.barrier = timed([&] {
                    check(cudaMemsetAsync(arrived.data(), 0, sizeof(unsigned), stream));
                    launchCooperative({stream, blocks, 32}, &meet, arrived.data());
                  }) /
                  meetings;
  PinnedArray<double> host(size);
  rates.wait = timed([&] { download(stream, host.data(), a.data(), 8); });
  rates.copy = bytes / timed([&] { upload(stream, a.data(), host.data(), size); });
  if (countDevices() > 1) {
    int const other = device == 0 ? 1 : 0;
    DeviceArray<double> there;
    {
      DeviceScope const away(other);
      there = DeviceArray<double>(size);
    }
    rates.link = bytes / timed([&] {
                   check(cudaMemcpyAsync(there.data(), a.data(), size * sizeof(double),
                                         cudaMemcpyDefault, stream));
                 });
  }
  rates.memory = is.memory;
  return rates;
}

}  // namespace osi_cuda::cuda
