// SPDX-License-Identifier: EPL-2.0
#include <optional>
#include <thread>

#include "osi_cuda/barrier/interior_point.hpp"
#include "osi_cuda/barrier/problem.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/host_algebra.hpp"

namespace osi_cuda {
namespace host {
namespace {

class HostBarrier final : public Barrier {
 public:
  explicit HostBarrier(BarrierOptions const& options)
      : threads_(options.threads > 0
                     ? options.threads
                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))),
        device_(makeHostEngine({})->traits().device) {}

  SolveEngine name() const override { return SolveEngine::host; }
  std::string device() const override { return device_; }

  void load(StandardForm const& form, Engine*, std::function<bool()> const& stop) override {
    form_ = &form;
    algebra_.emplace(form, threads_, stop);
  }

  double iterationSeconds() const override { return algebra_->iterationSeconds(); }

  BarrierPoint run(BarrierRequest const& request) override {
    algebra_->watch(request.stop);
    BarrierState last;
    BarrierRequest watched = request;
    watched.report = [&](BarrierState const& state) {
      last = state;
      if (request.report) request.report(state);
    };
    barrier::InteriorPoint<HostAlgebra> method(*algebra_, watched, *form_);
    try {
      algebra_->allocate();
      return method.run(algebra_->iterationSeconds());
    } catch (Interrupted const&) {  // on the way to a direction: the iterate is whole
      BarrierPoint point = algebra_->point();
      point.state = last;
      return point;
    }
  }

  void unload() override { algebra_.reset(); }

 private:
  int const threads_;
  std::string const device_;
  StandardForm const* form_ = nullptr;
  std::optional<HostAlgebra> algebra_;
};

}  // namespace
}  // namespace host

std::unique_ptr<Barrier> makeHostBarrier(BarrierOptions const& options) {
  return std::make_unique<host::HostBarrier>(options);
}

}  // namespace osi_cuda
