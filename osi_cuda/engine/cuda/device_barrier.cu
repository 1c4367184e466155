// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/makers.hpp"

#include <optional>
#include <string>

#include "osi_cuda/barrier/interior_point.hpp"
#include "osi_cuda/engine/cuda/cuda_engine.hpp"
#include "osi_cuda/engine/cuda/device_algebra.cuh"
#include "osi_cuda/engine/cuda/open_device.hpp"

namespace osi_cuda::cuda {
namespace {

class DeviceBarrier final : public Barrier {
 public:
  explicit DeviceBarrier(BarrierOptions const& options) : device_(options.devices.front()) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device_));
    std::size_t const count = options.devices.size();
    deviceName_ = (count > 1 ? std::to_string(count) + " x " : "") + properties.name;
    DeviceScope const scope(device_);
    split_ = std::make_shared<SplitMatrix>(options.devices, options.panelWidth);
    solver_ = makeSolver(split_->stream());
  }
  ~DeviceBarrier() override {
    CallersContext const caller;
    cudaSetDevice(device_);  // arrays and handles go with the device they belong to
    algebra_.reset();
    memory_ = {};
    own_.reset();
    solver_ = {};
    split_.reset();
  }

  SolveEngine name() const override { return SolveEngine::cuda; }
  std::string device() const override { return deviceName_; }

  void load(StandardForm const& form, Engine* beside, std::function<bool()> const&) override {
    DeviceScope const scope(device_);
    form_ = &form;
    algebra_.reset();
    engine_ = dynamic_cast<CudaEngine*>(beside);
    if (!engine_ || !engine_->holds(form, device_)) {
      EngineOptions options;
      options.device = device_;
      own_ = std::make_unique<CudaEngine>(options);
      own_->load(form);
      engine_ = own_.get();
    }
    algebra_.emplace(form, *engine_, *split_, solver_, memory_);
  }

  double iterationSeconds() const override { return algebra_->iterationSeconds(); }

  BarrierPoint run(BarrierRequest const& request) override {
    DeviceScope const scope(device_);
    barrier::InteriorPoint<DeviceAlgebra> method(*algebra_, request, *form_);
    return method.run(algebra_->iterationSeconds());
  }

  void unload() override {
    DeviceScope const scope(device_);
    algebra_.reset();
    split_->giveBack();
    if (engine_ && !own_) engine_->takeBack(split_);
    engine_ = nullptr;
    own_.reset();
    // A small part of the device's memory is kept for the next problem: to take and to give back
    // costs milliseconds. A large one may be wanted by the engine.
    constexpr std::uint64_t share = 16;
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total));
    if (share * memory_.bytes() > total) memory_ = {};
  }

 private:
  int const device_;
  std::string deviceName_;
  std::shared_ptr<SplitMatrix> split_;
  SolverHandle solver_;
  StandardForm const* form_ = nullptr;
  CudaEngine* engine_ = nullptr;     ///< whose matrix and memory serve
  std::unique_ptr<CudaEngine> own_;  ///< where the caller has none
  BarrierMemory memory_;
  std::optional<DeviceAlgebra> algebra_;
};

}  // namespace

std::unique_ptr<Barrier> makeDeviceBarrier(BarrierOptions const& options) {
  return std::make_unique<DeviceBarrier>(options);
}

}  // namespace osi_cuda::cuda
