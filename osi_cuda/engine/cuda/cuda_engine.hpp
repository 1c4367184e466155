// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <future>
#include <optional>

#include "osi_cuda/engine/cuda/basis_solves.hpp"
#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_queue.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/fresh_tableau.hpp"
#include "osi_cuda/engine/cuda/kept_basis.hpp"
#include "osi_cuda/engine/cuda/open_device.hpp"
#include "osi_cuda/engine/cuda/pivot_launcher.hpp"
#include "osi_cuda/engine/cuda/pivot_weights.hpp"
#include "osi_cuda/engine/cuda/point_reports.hpp"
#include "osi_cuda/engine/cuda/point_verifier.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// Counts a search among those at work on a device for as long as it lives.
class AtWork {
 public:
  explicit AtWork(std::atomic<int>* counter)
      : counter_(counter), searches_(counter ? ++*counter : 1) {}
  ~AtWork() {
    if (counter_) --*counter_;
  }
  AtWork(AtWork const&) = delete;
  AtWork& operator=(AtWork const&) = delete;
  int searches() const { return searches_; }  ///< when it came, with itself

 private:
  std::atomic<int>* counter_;
  int searches_;
};

/// The engine on a CUDA device. It puts the parts together: each call makes the device the thread's
/// own for its time, hands the work to the parts, and tells those whose results it outdates.
class CudaEngine final : public Engine,
                         public SolvesWithBasis,
                         public BasisStore,
                         public Exchanges,
                         public TakesRowsAndColumns,
                         public VerifiesPoints {
 public:
  explicit CudaEngine(EngineOptions const& options);
  ~CudaEngine() override;

  void watch(std::function<bool()> stop) override { queue_.watch(std::move(stop)); }
  void load(StandardForm const& form) override;
  void setBounds(std::span<double const> lower, std::span<double const> upper) override;
  void setCosts(std::span<double const> cost) override;
  std::vector<double> costs() const override;
  bool costsAre(std::vector<double> const& cost) const override {
    return !mirror_.costsShifted && mirror_.cost == cost;
  }
  void setValues(std::span<double const> value) override;
  Refactorisation refactor(std::vector<char> const& basic) override;
  void exchange(int r, int q, double leavingValue) override;
  bool reach(std::vector<char> const& basic) override;
  void keepBasis() override;
  bool restoreBasis() override;
  void forgetBasis() override {
    kept_.forget();
    marked_ = false;
  }
  bool reshape(Reshape const& change, StandardForm const& form) override;
  void computeWeights(Algorithm algorithm, Pricing pricing) override;
  void computePhase1Costs(double tolerance) override;
  PivotReport run(PivotRequest const& request) override;
  Measure measure(double primalTolerance, double dualTolerance) override;
  Drift drift() override;
  Snapshot snapshotOf(SnapshotContent content) override;
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;
  std::vector<double> multiply(std::span<double const> x) override {
    return product(matrix_.rows(), x);
  }
  std::vector<double> multiplyTransposed(std::span<double const> y) override {
    return product(matrix_.columns(), y);
  }
  void verifyOn(LinearProgram const& lp) override;
  std::optional<VerifiedPoint> verifiedPoint(LinearProgram const& lp) override;
  bool refinePoint() override;
  bool holds(StandardForm const& form, int device) const {
    return form_ == &form && options_.device == device;
  }
  DeviceMatrix const& matrix() const { return matrix_; }
  /// The memory of D, m x n numbers, and of at least so many numbers that of factors, for whoever
  /// uses the device while no call is made; then takeBack() is the next one.
  double* lendTableau() const { return tableau_.view().base; }
  double* lendFactors(std::size_t numbers) { return solves_.lend(numbers); }
  std::size_t roomOfFactors() const { return solves_.room(); }
  /// The engine is as after load(), but FreshTableau::shareWith is called.
  void takeBack(std::weak_ptr<SplitMatrix> devices);
  /// D on the device, m x n by rows: the tableau itself after refactor(), until the next run.
  double const* tableau() const { return tableau_.view().base; }
  /// Copies T of the problem's own, unscaled numbers to `target` on the device, m x n by rows.
  void copyTableau(double* target);

 private:
  /// To be held by whatever a caller calls.
  [[nodiscard]] DeviceScope useDevice() const { return DeviceScope(options_.device); }
  bool requireMemory(StandardForm const& form);
  void allocate(StandardForm const& form);
  void giveBack();
  bool makeExchanges(std::vector<int> const& columns, std::vector<int> const& rows,
                     double smallestEntry = 1e-5);
  bool releaseLost(std::vector<int> const& number);
  bool reshapeTableau(Reshape const& change, StandardForm const& form);
  /// Loads what a refactorisation calls, once for each device of the process.
  void loadLibraries();
  void beginAtSlacks();
  void takeBoundsAndCosts(StandardForm const& form);
  std::vector<double> product(LinesView const& lines, std::span<double const> x);
  void placeBounds();
  void queueVerification();
  void placeValues();
  void computeBasicValues();
  void computeReducedCosts();

  /// While the engine comes and while it goes; the first member, as it has to outlive the others.
  std::optional<CallersContext> caller_{std::in_place};
  EngineOptions const options_;
  DeviceFacts const facts_;
  DeviceQueue queue_;
  DeviceMatrix matrix_;
  VariableVectors vectors_;
  DeviceTableau tableau_;
  FreshTableau fresh_;
  PivotWeights weights_;
  KeptBasis kept_;
  PivotLauncher launcher_;
  BasisSolves solves_;
  PointVerifier verifier_;
  PointReports reports_;
  std::uint64_t verified_ = 0;         ///< the age of the point whose verdict has landed
  std::vector<double> lower_, upper_;  ///< the working bounds
  bool marked_ = false;                ///< between keepBasis() and forgetBasis()
  bool boundsPlaced_ = false;          ///< the device has them by position, too
  bool optimal_ = false;               ///< the basis was, when last looked at, and may still be
  /// What the device has: the working costs; whether x_B and d are computed from x_N and c, without
  /// pivots since.
  struct Mirror {
    std::vector<double> cost;
    bool costsShifted = false;  ///< by dual pivots
    bool valuesFresh = false, reducedCostsFresh = false;

    void pivotsMade() { valuesFresh = reducedCostsFresh = false; }
  };
  Mirror mirror_;
  /// And what it had when a basis was kept.
  struct {
    Snapshot point;
    Mirror mirror;
  } keptMirror_;
  std::future<void> loading_;  ///< see loadLibraries()
};

}  // namespace osi_cuda::cuda
