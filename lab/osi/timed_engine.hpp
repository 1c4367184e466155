// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::testing {

/// Wall time of an engine's calls, by name.
struct CallTimes {
  struct Entry {
    double seconds = 0.0;
    long calls = 0;
  };
  std::map<std::string, Entry> byName;
  long pivots = 0, flips = 0;
  /// Of the calls that make pivots: the launch and the wait for it, the verification behind them.
  double waiting = 0.0, verification = 0.0;
  /// What measuring these took: it is no part of the solve.
  double measuring = 0.0;
  bool apart = false;  ///< measure them
};

/// An engine that times each call of another one. It has all abilities: where the other has none,
/// the call does what the caller would do without.
class TimedEngine final : public Engine,
                          public BasisStore,
                          public Exchanges,
                          public TakesRowsAndColumns,
                          public SolvesWithBasis,
                          public VerifiesPoints {
 public:
  TimedEngine(std::unique_ptr<Engine> engine, CallTimes& times)
      : engine_(std::move(engine)), times_(times) {
    traits_ = engine_->traits();
  }

  void watch(std::function<bool()> stop) override { engine_->watch(std::move(stop)); }
  void load(StandardForm const& form) override {
    timed("load", [&] { engine_->load(form); });
    hold(form);
    traits_ = engine_->traits();
  }
  void setBounds(std::span<double const> lower, std::span<double const> upper) override {
    timed("bounds", [&] { engine_->setBounds(lower, upper); });
  }
  void setCosts(std::span<double const> cost) override {
    timed("costs", [&] { engine_->setCosts(cost); });
  }
  std::vector<double> costs() const override {
    return timed("shifted costs", [&] { return engine_->costs(); });
  }
  bool costsAre(std::vector<double> const& cost) const override {
    return timed("shifted costs", [&] { return engine_->costsAre(cost); });
  }
  void setValues(std::span<double const> value) override {
    timed("values", [&] { engine_->setValues(value); });
  }
  Refactorisation refactor(std::vector<char> const& basic) override {
    return timed("refactor", [&] { return engine_->refactor(basic); });
  }
  void computeWeights(Algorithm algorithm, Pricing pricing) override {
    timed("weights", [&] { engine_->computeWeights(algorithm, pricing); });
  }
  void computePhase1Costs(double tolerance) override {
    timed("phase-1 costs", [&] { engine_->computePhase1Costs(tolerance); });
  }
  PivotReport run(PivotRequest const& request) override {
    double const idle = times_.apart ? secondsOfIdleRun(request, Stop::budget) : 0.0;
    PivotReport const report = timed("pivots", [&] { return engine_->run(request); });
    times_.pivots += report.iterations;
    times_.flips += report.flips;
    times_.waiting += idle;
    if (times_.apart && report.stop == Stop::optimal)
      times_.verification += std::max(0.0, secondsOfIdleRun(request, Stop::optimal) - idle);
    return report;
  }
  Measure measure(double primalTolerance, double dualTolerance) override {
    return timed("measure", [&] { return engine_->measure(primalTolerance, dualTolerance); });
  }
  Drift drift() override {
    return timed("drift", [&] { return engine_->drift(); });
  }
  Snapshot snapshotOf(SnapshotContent content) override {
    return timed("snapshot", [&] { return engine_->snapshotOf(content); });
  }
  std::vector<double> row(int i) override { return engine_->row(i); }
  std::vector<double> column(int j) override { return engine_->column(j); }

  void keepBasis() override {
    if (auto* const store = engine_->as<BasisStore>()) timed("keep", [&] { store->keepBasis(); });
  }
  bool restoreBasis() override {
    auto* const store = engine_->as<BasisStore>();
    return store && timed("restore", [&] { return store->restoreBasis(); });
  }
  void forgetBasis() override {
    if (auto* const store = engine_->as<BasisStore>()) store->forgetBasis();
  }
  void exchange(int r, int q, double leavingValue) override {
    timed("exchange", [&] { osi_cuda::exchange(*engine_, r, q, leavingValue); });
  }
  bool reach(std::vector<char> const& basic) override {
    return timed("reach", [&] { return osi_cuda::reach(*engine_, basic); });
  }
  bool reshape(Reshape const& change, StandardForm const& form) override {
    auto* const taker = engine_->as<TakesRowsAndColumns>();
    if (!taker || !timed("reshape", [&] { return taker->reshape(change, form); })) return false;
    hold(form);
    traits_ = engine_->traits();
    return true;
  }
  std::vector<double> ftran(std::span<double const> b) override {
    return timed("solves", [&] { return engine_->solves().ftran(b); });
  }
  std::vector<double> btran(std::span<double const> c) override {
    return timed("solves", [&] { return engine_->solves().btran(c); });
  }
  std::vector<double> multiply(std::span<double const> x) override {
    return timed("products", [&] { return engine_->solves().multiply(x); });
  }
  std::vector<double> multiplyTransposed(std::span<double const> y) override {
    return timed("products", [&] { return engine_->solves().multiplyTransposed(y); });
  }
  BasicPoint basicPoint(Snapshot const& point, std::span<double const> cost) override {
    return timed("point", [&] { return engine_->solves().basicPoint(point, cost); });
  }
  void verifyOn(LinearProgram const& lp) override {
    auto* const verifier = engine_->as<VerifiesPoints>();
    if (verifier) timed("verify on", [&] { verifier->verifyOn(lp); });
  }
  bool refinePoint() override {
    auto* const verifier = engine_->as<VerifiesPoints>();
    return verifier && timed("refine", [&] { return verifier->refinePoint(); });
  }
  std::optional<VerifiedPoint> verifiedPoint(LinearProgram const& lp) override {
    auto* const verifier = engine_->as<VerifiesPoints>();
    if (!verifier) return std::nullopt;
    return timed("verified point", [&] { return verifier->verifiedPoint(lp); });
  }

 private:
  /// Of a run that makes no pivot, and leaves the point as it is; none where it ends otherwise.
  double secondsOfIdleRun(PivotRequest request, Stop expected) {
    using Clock = std::chrono::steady_clock;
    request.budget = 0;
    auto const begin = Clock::now();
    bool const asExpected = engine_->run(request).stop == expected;
    double const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    times_.measuring += seconds;
    return asExpected ? seconds : 0.0;
  }

  template <class Call>
  std::invoke_result_t<Call> timed(char const* name, Call call) const {
    struct Clock {
      CallTimes::Entry& entry;
      std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
      ~Clock() {
        entry.seconds +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        ++entry.calls;
      }
    } const clock{times_.byName[name]};
    return call();
  }

  std::unique_ptr<Engine> engine_;
  CallTimes& times_;
};

}  // namespace osi_cuda::testing
