// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine/host/positions.hpp"

namespace osi_cuda::host {

/// The part of an engine on the processor that needs nothing but the present point and the original
/// data: bounds, measures, products with A.
class PositionEngine : public Engine, public SolvesWithBasis {
 public:
  void watch(std::function<bool()> stop) override {
    stop_ = std::move(stop);
    poll_.emplace(stop_);
  }
  void setBounds(std::span<double const> lower, std::span<double const> upper) override;
  std::vector<double> costs() const override { return p_.cost; }
  bool costsAre(std::vector<double> const& cost) const override { return p_.cost == cost; }
  Measure measure(double primalTolerance, double dualTolerance) override;
  Drift drift() override;
  Snapshot snapshotOf(SnapshotContent content) override;
  std::vector<double> multiply(std::span<double const> x) override;
  std::vector<double> multiplyTransposed(std::span<double const> y) override;

 protected:
  /// `positions` is a member of who derives.
  explicit PositionEngine(Positions& positions);

  /// The working bounds to the positions of their variables.
  void placeBounds();

  /// For steps of less than some 20 ms: throws Interrupted where the caller wants to stop.
  void pollStop() {
    if (poll_ && (*poll_)()) throw Interrupted{};
  }

  Positions& p_;
  std::function<bool()> stop_;
  std::optional<Poll> poll_;
  std::vector<double> lower_, upper_;  ///< working bounds by variable
};

}  // namespace osi_cuda::host
