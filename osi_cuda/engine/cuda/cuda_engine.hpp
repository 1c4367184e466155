// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "osi_cuda/engine/cuda/device_factor.hpp"
#include "osi_cuda/engine/cuda/device_matrix.hpp"
#include "osi_cuda/engine/cuda/device_scope.hpp"
#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/engine/cuda/owners.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::cuda {

/// The engine on a CUDA device: pivots in cooperative kernels (pivot_kernel.hpp), cuBLAS for the
/// fold, cuSOLVER for the LU, cuSPARSE for products of sparse and dense.
class CudaEngine final : public Engine {
 public:
  explicit CudaEngine(EngineOptions const& options);
  ~CudaEngine() override;

  std::string name() const override { return "cuda"; }
  std::string device() const override { return deviceName_; }
  void watch(std::function<bool()> stop) override { stop_ = std::move(stop); }
  void load(StandardForm const& form) override;
  void setBounds(std::span<double const> lower, std::span<double const> upper) override;
  void setCosts(std::span<double const> cost) override;
  std::vector<double> costs() const override;
  void setValues(std::span<double const> value) override;
  Refactorisation refactor(std::vector<char> const& basic) override;
  void computeWeights(Algorithm algorithm, Pricing pricing) override;
  void computePhase1Costs(double tolerance) override;
  PivotReport run(PivotRequest const& request) override;
  Measure measure(double primalTolerance, double dualTolerance) override;
  Drift drift() override;
  Snapshot snapshot() override;
  int blockSize() const override { return t_.capacity; }
  std::vector<double> row(int i) override;
  std::vector<double> column(int j) override;
  std::vector<double> ftran(std::span<double const> b) override;
  std::vector<double> btran(std::span<double const> c) override;
  std::vector<double> multiply(std::span<double const> x) override;
  std::vector<double> multiplyTransposed(std::span<double const> y) override;
  BasicPoint basicPoint(Snapshot const& point, std::span<double const> cost) override;
  /// D on the device, m x n by rows: the tableau itself after refactor(), until the next run.
  double const* tableau() const { return t_.base; }

 private:
  /// To be held by whatever a caller calls.
  [[nodiscard]] DeviceScope useDevice() const { return DeviceScope(options_.device); }
  void sizeTableau(StandardForm const& form);
  void sizeTeam();
  TeamView teamFor(TableauView const& tableau, Algorithm algorithm) const;
  struct Messages {
    std::size_t gathers, choices, payload, lines, kinks, active, folds;
    std::size_t total() const {
      return gathers + 4 * choices + 2 * lines + kinks + 2 * active + folds;
    }
  };
  Messages messages() const;
  void placeMessages();
  void requireMemory(StandardForm const& form);
  void giveBack();
  void allocate();
  void placeSlackBasis();
  void takeBounds(std::span<double const> lower, std::span<double const> upper);
  void placeBounds();
  void placeTableau();
  void subtractSlackRows();
  void subtractSparse(int p, int rows);
  void subtractDense(int p, int rows);
  void collectValues();
  void computeBasicValues();
  void computeReducedCosts();
  void fold();
  void combineRows(double const* g, double* out);
  void combineColumns(double const* g, double* out);
  void wait() const;
  void waitWatching() const;
  DeviceFactor& factor();
  void applyInverse(double const* b, bool addTo, double* x);
  void applyInverseTransposed(double const* c, bool addTo, double* y);
  void solve(double const* b, double* x, int rounds, ResidualSize* size);
  void solveTransposed(double const* c, double* y, int rounds, ResidualSize* size);
  template <class Queue>
  void solveAndFetch(int length, Queue queue);
  std::vector<double> landed(int first, int length) const;
  void queueMeasure(double primalTolerance, double dualTolerance);
  void queueDrift();
  void pointMoved();
  void keepShadow();
  bool placeShadow();
  void queueFetch(double const* source, std::size_t length, std::size_t place) const;
  std::vector<double> fetch(double const* source, int count) const;
  void put(double* target, std::span<double const> source);

  /// While the engine comes and while it goes; the first member, as it has to outlive the others.
  std::optional<CallersContext> caller_{std::in_place};
  EngineOptions options_;
  std::function<bool()> stop_;  ///< asked during long operations
  std::string deviceName_;
  int multiprocessors_ = 1;
  std::size_t sharedPerBlock_ = 0;
  Stream stream_;
  Event finished_;
  BlasHandle blas_;
  SolverHandle solver_;
  SparseHandle sparse_;
  Uploader uploader_;

  StandardForm const* form_ = nullptr;
  DeviceMatrix matrix_;
  DeviceFactor factor_;
  bool factorFits_ = false;  ///< factor_ is of the present basis
  /// The run that the weights fit; nothing after a refactorisation.
  std::optional<std::pair<Algorithm, Pricing>> weightsFor_;

  std::vector<double> bounds_[2];  ///< the working bounds: lower, upper

  TableauView t_;
  TeamView team_;
  int used_ = 0;   ///< k
  Counters next_;  ///< of messages between blocks
  DeviceArray<double> base_, u_, v_, numbers_, byVariable_, folded_, sketchWork_, block_, solves_;
  DeviceArray<int> variables_, places_;
  DeviceArray<float> columnSketch_, rowSketch_, shadow_;
  DeviceArray<double> shares_;  ///< what blocks tell each other in products with the shadow
  bool shadowFits_ = false;     ///< shadow_ is of the present D
  DeviceArray<Packet> packets_;
  DeviceArray<CostShift> shifts_;
  double* lower_ = nullptr;  ///< working bounds by variable
  double* upper_ = nullptr;
  double* value_ = nullptr;      ///< work, by variable
  double* other_ = nullptr;      ///< work, by variable
  double* work_ = nullptr;       ///< work, twice the number of variables
  double* right_ = nullptr;      ///< of a solve: right-hand side, length m
  double* basicCost_ = nullptr;  ///< length m
  double* residual_ = nullptr;   ///< length m
  double* results_ = nullptr;    ///< of a solve: what the host gets, twice the number of variables
  ResidualSize* sizes_ = nullptr;  ///< two, of the last residuals
  PinnedArray<LaunchReport> report_;
  PinnedArray<Measure> measure_;
  PinnedArray<double> drift_;
  PinnedArray<double> landing_;  ///< where what comes from the device arrives
  /// What measure_ and drift_ hold is of the present point; of the measure, its tolerances.
  std::optional<std::pair<double, double>> measured_;
  bool driftKnown_ = false;
};

}  // namespace osi_cuda::cuda
