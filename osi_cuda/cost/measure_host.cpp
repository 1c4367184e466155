// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/cost/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/base/threads.hpp"

namespace osi_cuda {
namespace {

/// Work a second in the best of runs that take `seconds` together, three at least.
template <class Work>
double bestRate(double seconds, std::function<bool()> const& stop, double work, Work const& run) {
  constexpr int least = 3;
  double best = 0.0;
  Stopwatch const all;
  for (int k = 0; (k < least || all.seconds() < seconds) && !(stop && stop()); ++k) {
    Stopwatch const watch;
    run();
    best = std::max(best, work / std::max(watch.seconds(), 1e-9));
  }
  return best;
}

}  // namespace

HostRates measureHost(double seconds, std::function<bool()> const& stop) {
  constexpr int order = 384;
  constexpr std::size_t longest = std::size_t{1} << 23;  // 64 MB each: beyond most caches
  constexpr std::size_t places = std::size_t{1} << 14, additions = std::size_t{1} << 18;
  double const share = seconds / 3.0;
  HostRates rates;
  rates.cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<double> x(longest, 1.0), y(longest, 0.5);

  {
    BlasThreads const one(1, 1e9);
    rates.dense = bestRate(share, stop, 2.0 * order * order * order, [&] {
      blas::dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1e-6, x.data(),
                  order, y.data(), order, 0.5, y.data() + order * order, order);
    });
  }
  // Two are read and one is written, as where a tableau is updated.
  rates.stream = bestRate(share, stop, 3.0 * sizeof(double) * longest, [&] {
    for (std::size_t i = 0; i < longest; ++i) y[i] -= 1e-9 * x[i];
  });
  std::vector<std::uint32_t> place(additions);
  std::uint32_t state = 1;
  for (std::uint32_t& p : place) {
    state = 1664525U * state + 1013904223U;  // Numerical Recipes' generator: any will do
    p = (state >> 8) % places;
  }
  rates.sparse = bestRate(share, stop, static_cast<double>(additions), [&] {
    for (std::size_t k = 0; k < additions; ++k) y[place[k]] += 1e-9 * x[k];
  });
  return rates;
}

}  // namespace osi_cuda
