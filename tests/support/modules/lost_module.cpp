// SPDX-License-Identifier: EPL-2.0
// A module whose device is the host engine, and is lost at its third run of pivots: in every
// process, or in the one that makes the file which the variable OSI_CUDA_LOST_ONCE names. As CUDA
// does, it has no device for the rest of the process then.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/host/host_engine.hpp"

namespace {

class LostEngine : public osi_cuda::host::HostEngine {
 public:
  explicit LostEngine(osi_cuda::EngineOptions const& options) : HostEngine(options) {
    traits_.name = osi_cuda::SolveEngine::cuda;
  }
  void load(osi_cuda::StandardForm const& form) override {
    HostEngine::load(form);
    traits_.blockSize = 4;
  }
  static inline std::atomic<bool> gone = false;

  osi_cuda::PivotReport run(osi_cuda::PivotRequest const& request) override {
    gone = gone || (++runs_ == 3 && isLost());
    if (gone) throw osi_cuda::EngineUnavailable("engine cuda: the device fell off the bus");
    osi_cuda::PivotRequest shorter = request;
    shorter.budget = 2;
    return HostEngine::run(shorter);
  }

 private:
  static bool isLost() {
    char const* const once = std::getenv("OSI_CUDA_LOST_ONCE");
    if (!once) return true;
    std::FILE* const mark = std::fopen(once, "wx");  // of two processes one makes it
    if (mark) std::fclose(mark);
    return mark != nullptr;
  }

  int runs_ = 0;
};

std::unique_ptr<osi_cuda::Engine> makeEngine(osi_cuda::EngineOptions const& options) {
  if (LostEngine::gone) throw osi_cuda::EngineUnavailable("engine cuda: no device");
  return std::make_unique<LostEngine>(options);
}
std::vector<std::string> deviceNames() {
  return {"a device that is lost"};
}
/// A device that fails before it has solved anything.
class LostMany : public osi_cuda::batch::DeviceMany {
 public:
  std::string device() const override { return "a device that is lost"; }
  bool fits(int, int) const override { return true; }
  double solve(osi_cuda::batch::BatchJob const&) override { lose(); }
  void setBase(osi_cuda::LinearProgram const&, osi_cuda::Basis const&) override {}
  void setBase(osi_cuda::LinearProgram const&, osi_cuda::PlacedEngine const&, bool) override {}
  double solve(osi_cuda::batch::VariantJob const&) override { lose(); }
  void clear(osi_cuda::AnswerArrays const&, std::size_t, std::size_t, std::size_t) override {}

 private:
  [[noreturn]] static void lose() {
    throw osi_cuda::EngineUnavailable("engine cuda: the device fell off the bus");
  }
};
std::unique_ptr<osi_cuda::batch::DeviceMany> makeMany(int) {
  return std::make_unique<LostMany>();
}
osi_cuda::DeviceNumbers fetchNumbers(osi_cuda::DeviceNumbers const&, double*) {
  throw osi_cuda::EngineUnavailable("engine cuda: the device fell off the bus");
}
osi_cuda::DeviceProperties properties(int) {
  throw osi_cuda::EngineUnavailable("engine cuda: the device fell off the bus");
}
constexpr osi_cuda::CudaModule module{OSI_CUDA_INTERFACE, &makeEngine,   &deviceNames, nullptr,
                                      &makeMany,          &fetchNumbers, nullptr,      nullptr,
                                      &properties,        nullptr,       nullptr,      nullptr};

}  // namespace

extern "C" osi_cuda::CudaModule const* osiCudaModule() {
  return &module;
}
