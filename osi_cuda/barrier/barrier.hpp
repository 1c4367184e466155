// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/model/standard_form.hpp"

namespace osi_cuda {

class Engine;

/// How far an interior point method has come, after an iteration. Scaled numbers.
struct BarrierState {
  int iteration = 0;
  double work = 0.0;            ///< seconds that the iterations take, by their operations alone
  double mu = 0.0;              ///< mean product of a distance to a bound and its multiplier
  double primalResidual = 0.0;  ///< largest |A x + s| and bound residual, beside 1 + |bounds|
  double dualResidual = 0.0;    ///< largest |c - A'y - z|, beside 1 + |costs|
  double gap = 0.0;             ///< |primal - dual objective| / (1 + |primal objective|)
  double primalObjective = 0.0, dualObjective = 0.0;
  double primalStep = 0.0, dualStep = 0.0;  ///< of the last iteration
  double sigma = 0.0;                       ///< of the last iteration: centring
  /// Of the last solve with the normal matrix: |residual| / |right-hand side|, before and after
  /// conjugate gradients.
  double solveResidual = 0.0;
  int undecided = 0;  ///< variables that the last step doesn't tell to be basic or at a bound
  double largestPoint = 0.0, largestMultiplier = 0.0;  ///< largest |(x, s)| and |y|
};

/// Why an interior point method stopped.
enum class BarrierEnd {
  converged,  ///< residuals and gap are within the tolerance
  handover,   ///< pivots are expected to finish sooner than further iterations
  diverged,   ///< the iterates grow as those of an infeasible or unbounded problem do
  stalled,    ///< no progress any more: rounding, or a problem without an interior
  stopped     ///< by the caller
};

/// The name of it, for messages and traces.
char const* toString(BarrierEnd end);

/// What an interior point method is told.
struct BarrierRequest {
  double tolerance = 1e-8;     ///< of both residuals and the gap
  int iterationLimit = 200;    ///< at most
  bool handover = true;        ///< stop where pivots finish sooner
  double pivotSeconds = 0.0;   ///< what a pivot of the simplex method takes, about
  std::function<bool()> stop;  ///< asked at every iteration and during long factorisations
  std::function<void(BarrierState const&)> report;  ///< after every iteration; may be empty
};

/// Where it stopped: scaled numbers, by variable (length n + m) unless said otherwise.
struct BarrierPoint {
  BarrierEnd end = BarrierEnd::stopped;
  BarrierState state;
  std::vector<double> value;       ///< (x, s)
  std::vector<double> multiplier;  ///< y by constraint, length m
  /// What a step of the variable costs: multipliers beside distances to bounds, summed over both;
  /// small for basic variables, 0 for free ones, infinite for fixed ones.
  std::vector<double> stiffness;
};

/// A primal-dual interior point method for a StandardForm on dense normal equations, of the order
/// of its rows or of its columns, whichever is less work. Mehrotra (1992), with the correctors of
/// Gondzio (1996) and the regularisation of Friedlander and Orban (2012).
class Barrier {
 public:
  virtual ~Barrier() = default;
  virtual SolveEngine name() const = 0;
  virtual std::string device() const = 0;  ///< name of the processor

  /// Takes over a problem, which must outlive its use. Throws NotEnoughMemory or EngineUnavailable
  /// before any memory is taken where there is too little. `beside`: an engine that has the same
  /// form loaded and is not called until unload(), whose memory may serve; or null. `stop` (may be
  /// empty) is polled where counting takes long; Interrupted is thrown where it answers true.
  virtual void load(StandardForm const& form, Engine* beside,
                    std::function<bool()> const& stop) = 0;
  void load(StandardForm const& form) { load(form, nullptr, {}); }

  /// What an iteration takes, about, counted from the problem alone.
  virtual double iterationSeconds() const = 0;
  /// What it takes to open the libraries that the problem needs, if they are not there yet.
  virtual double openingSeconds() const { return 0.0; }

  /// Iterates from the usual start. Throws as Engine's calls do.
  virtual BarrierPoint run(BarrierRequest const& request) = 0;

  /// Gives back what it took for the problem.
  virtual void unload() = 0;
};

struct BarrierOptions {
  int threads = 0;  ///< host: 0 = all cores
  /// CUDA devices that share the products with a dense matrix, the factor of its normal matrix and
  /// the tableau of the crossover; the first does the rest. One that is named twice has two shares.
  std::vector<int> devices{0};
  int panelWidth = 0;  ///< columns factored, rows refactored at a time: 32, 64, ...; 0 = by size
  bool operator==(BarrierOptions const&) const = default;
};

std::unique_ptr<Barrier> makeHostBarrier(BarrierOptions const& options);

/// The work of a problem, counted in operations: what decides whether normal equations are formed
/// by rows or by columns, and whether an iteration pays.
struct BarrierWork {
  bool byColumns = false;  ///< order n, not m
  bool dense = false;      ///< A is kept as a dense matrix
  int order = 0;
  double product = 0.0;  ///< multiplications and additions of the normal matrix
  double factor = 0.0;   ///< of its Cholesky factor
  double solve = 0.0;    ///< of a solve with it, and of the products with A around it
  double iteration() const { return product + factor + 5.0 * solve; }
};
/// `scattered`: how many times as long an addition to a scattered place takes as an operation of a
/// dense product.
BarrierWork barrierWork(StandardForm const& form, double scattered);

/// Bytes that it takes on an engine: vectors, A by columns and by rows where it is not dense, and,
/// where the normal matrix is `formed` without gaps, that with a dense A and a scaled piece of it.
std::uint64_t barrierBytes(StandardForm const& form, BarrierWork const& work, bool formed = true);

}  // namespace osi_cuda
