// SPDX-License-Identifier: EPL-2.0
// Kernels of cuBLAS, cuSOLVER and cuSPARSE come into a process when they are first called.
#include <atomic>

#include "osi_cuda/engine/cuda/cuda_engine.hpp"

namespace osi_cuda::cuda {
namespace {

/// order x order, with entries in every row of a column or in two.
LinearProgram smallProblem(int order, bool full) {
  LinearProgram lp;
  lp.matrix = {order, 0, {0}, {}, {}};
  for (int j = 0; j < order; ++j) {
    for (int i = 0; i < order; ++i)
      if (i == j || full || i == (j + 1) % order) lp.matrix.add(i, i == j ? order : 1.0);
    lp.matrix.endColumn();
  }
  lp.objective.assign(at(order), 0.0);
  lp.columnLower = lp.rowLower = lp.objective;
  lp.columnUpper = lp.rowUpper = std::vector<double>(at(order), 1.0);
  return lp;
}

}  // namespace

// Who re-solves will refactor. What that loads takes 0.1 to 0.25 s, on a thread hardly anything of
// others' time.
void CudaEngine::loadLibraries() {
  static std::atomic<std::uint64_t> done = 0;  // a bit for each device
  std::uint64_t const own = std::uint64_t{1} << (options_.device % 64);
  if (done.fetch_or(own) & own) return;
  EngineOptions alone = options_;
  alone.atWork.reset();
  loading_ = std::async(std::launch::async, [alone] {
    constexpr int order = 64;
    try {
      for (bool const full : {false, true}) {
        LinearProgram const lp = smallProblem(order, full);
        StandardForm const form = makeStandardForm(lp, false);
        CudaEngine engine(alone);
        engine.load(form);
        std::vector<char> basic(2 * order, 0);
        for (int i = 0; i < order; ++i) basic[at(i % 2 == 0 ? i : order + i)] = 1;
        engine.refactor(basic);
        for (int const exchanges : {1, 2}) {
          for (int k = 0; k < exchanges; ++k) engine.exchange(k, k, 0.0);
          DeviceScope const scope = engine.useDevice();
          engine.tableau_.fold();
          engine.queue_.wait();
        }
        engine.ftran(lp.columnUpper);
        engine.btran(lp.columnUpper);
      }
    } catch (std::exception const&) {  // whoever refactors next finds out, and says so
    }
  });
}

}  // namespace osi_cuda::cuda
