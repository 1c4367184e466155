// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <utility>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/simplex/task.hpp"

namespace osi_cuda {

/// Has the engine poll `stop` as long as the object lives; the engine may outlive what `stop`
/// refers to.
class EngineWatch {
 public:
  EngineWatch(Engine& engine, std::function<bool()> stop) : engine_(engine) {
    engine.watch(std::move(stop));
  }
  ~EngineWatch() { engine_.watch({}); }
  EngineWatch(EngineWatch const&) = delete;
  EngineWatch& operator=(EngineWatch const&) = delete;

 private:
  Engine& engine_;
};

/// The limit of its budget that ended a solve.
class Limits {
 public:
  explicit Limits(Task const& task) : budget_(task.run.budget()) {}

  /// By the clock of the budget.
  double seconds() const { return budget_.seconds(); }

  /// Whether the caller wants to stop or the time is over; polled several times a second.
  bool outOfTime() { return take(budget_.interruption()); }
  /// The same, or that no iterations are left.
  bool reached() { return take(budget_.reached()); }

  /// A solve ends as if it had this limit reached.
  void declare(Status limit) { which_ = limit; }
  /// The limit that was reached last.
  Status which() const { return which_; }

 private:
  bool take(Limit limit) {
    if (limit != Limit::none) which_ = statusOf(limit);
    return limit != Limit::none;
  }

  Budget const& budget_;
  Status which_ = Status::interrupted;
};

}  // namespace osi_cuda
