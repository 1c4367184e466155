// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "osi_cuda/errors.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/pivoting.hpp"

namespace osi_cuda {

/// Thrown by an engine's long operations when the caller wants to stop.
struct Interrupted {};

struct EngineOptions {
  int threads = 0;     ///< host: 0 = all cores
  int device = 0;      ///< CUDA device number
  int blockSize = 0;   ///< K; 0 = by size
  int sketchSize = 0;  ///< k; 0 = by size
};

/// What a refactorisation found: variables that had to leave the basis because their columns
/// depend on others, and the slacks that took their places.
struct Refactorisation {
  std::vector<int> dropped;
  std::vector<int> added;
};

/// Infeasibilities of the engine's present point, and its objective.
struct Measure {
  double primalSum = 0.0, primalMax = 0.0;
  double dualSum = 0.0, dualMax = 0.0;
  int primalCount = 0, dualCount = 0;
  double objective = 0.0;  ///< sum over nonbasic variables d_j x_j = c'x
};

/// Distance of the engine's numbers from the original data; relative to the terms of each row.
struct Drift {
  double primal = 0.0;  ///< A x + s
  double dual = 0.0;    ///< d - (c - A'y)
};

/// The present point, by variable (length n + m), and the positions.
struct Snapshot {
  std::vector<double> value;
  std::vector<double> reducedCost;    ///< 0 for basic variables
  std::vector<int> basicVariable;     ///< by row position, length m
  std::vector<int> nonbasicVariable;  ///< by column position, length n
};

/// How much of a snapshot is asked for.
enum class SnapshotContent {
  basis,  ///< the positions: values and reduced costs may be missing or out of date
  point,  ///< values as well; reduced costs of fixed variables may be out of date
  all
};

/// The point of a basis, solved anew: nonbasic variables where they are, basic variables and
/// multipliers from the original data. Scaled numbers. Who judges the point multiplies it with the
/// matrix again: engines for which these products are not nearly for nothing leave them empty.
struct BasicPoint {
  std::vector<double> x;         ///< structurals, length n
  std::vector<double> activity;  ///< A x, length m, or empty
  std::vector<double> y;         ///< B^-T c_B by constraint, length m
  std::vector<double> product;   ///< A'y, length n, or empty
};

/// Executes pivots on the tableau T = B^-1 N of one StandardForm. The control above it (phases,
/// perturbation, when to refactor, proofs, limits) knows no device. Vectors "by variable" have
/// length n + m. Every call may throw EngineUnavailable (device lost, out of memory) or
/// std::bad_alloc.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;    ///< "host" or "cuda"
  virtual std::string device() const = 0;  ///< name of the processor

  /// `stop` is asked several times a second during refactor, ftran and btran; when it answers true
  /// they throw Interrupted, and the engine needs a new load.
  virtual void watch(std::function<bool()> stop) = 0;

  /// Takes over a problem; the form must outlive the engine's use of it, and its matrix must not
  /// change. The basis is the slack basis, bounds and costs are the form's, nonbasic variables 0.
  virtual void load(StandardForm const& form) = 0;

  /// Working bounds and costs, by variable. New costs recompute the reduced costs.
  virtual void setBounds(std::span<double const> lower, std::span<double const> upper) = 0;
  virtual void setCosts(std::span<double const> cost) = 0;
  /// The working costs with the shifts that dual pivots made, by variable.
  virtual std::vector<double> costs() const = 0;

  /// Values of the nonbasic variables, by variable (others are ignored); recomputes x_B.
  virtual void setValues(std::span<double const> value) = 0;

  /// Makes `basic` (by variable, m of them set) the basis: LU of its p structural columns, a fresh
  /// tableau, x_B and d recomputed. The nonbasic keep their values; a dropped one keeps its own.
  virtual Refactorisation refactor(std::vector<char> const& basic) = 0;

  /// Exchanges the basic variable at row position r for the nonbasic one at column position q,
  /// which keeps its value; the leaving one goes to `leavingValue`, and x_B and d follow. Positions
  /// after it are the engine's choice.
  virtual void exchange(int r, int q, double leavingValue);

  /// Reaches the basis by exchanges where that is cheaper than to refactor; false: it is not, or
  /// did not succeed; refactor then. Values and reduced costs are those of before.
  virtual bool reach(std::vector<char> const& basic);

  /// Keeps the present basis with all that belongs to it for restoreBasis(): until another call,
  /// load() or reshape(). Engines that can't do so do nothing.
  virtual void keepBasis() {}
  /// Goes back to the basis that was kept, with its positions, weights and factors, to the bit;
  /// nonbasic variables are to be placed anew by setValues. False: nothing is kept.
  virtual bool restoreBasis() { return false; }
  virtual void forgetBasis() {}

  /// The form has rows and columns that it had not, or lost some: `change` tells which (a lost row
  /// has a basic slack, a lost column is nonbasic). Where the engine can keep its tableau it takes
  /// over bounds and costs of the form, gives new columns the value 0 and answers true; where it
  /// answers false it needs a new load. Values and reduced costs are not brought up to date.
  virtual bool reshape(Reshape const& change, StandardForm const& form);

  /// Makes the pricing weights fit the present basis for a coming run: nothing to do where the last
  /// run used the same algorithm and rule and no refactorisation came between.
  virtual void computeWeights(Algorithm algorithm, Pricing pricing) = 0;

  /// Reduced costs of the phase-1 objective of the present point.
  virtual void computePhase1Costs(double tolerance) = 0;

  /// Runs one pivot loop until it stops; folds when K is reached. Nothing ends it earlier: see
  /// mostPivots.
  virtual PivotReport run(PivotRequest const& request) = 0;

  virtual Measure measure(double primalTolerance, double dualTolerance) = 0;
  virtual Drift drift() = 0;
  virtual Snapshot snapshot() = 0;
  /// The same where a part of it will do, which may take less time.
  virtual Snapshot snapshotOf(SnapshotContent) { return snapshot(); }
  virtual int blockSize() const = 0;  ///< K
  /// Pivots and flips of a run at most, so that it takes hardly more than a quarter of a second:
  /// nobody hears of a wish to stop before it ends. By sizes, not by time, for solves have to be
  /// repeatable.
  virtual int mostPivots() const { return 4096; }
  /// The least tableau entry, beside entries near 1, that is told from rounding and makes a pivot.
  virtual double smallestPivot() const { return 1e-7; }
  /// The rule of pricing that mostly takes least time here, for the form that is loaded.
  virtual Pricing usualPricing(Algorithm) const { return Pricing::sketched; }

  /// Row position i of T over the column positions (length n), column position j (length m).
  virtual std::vector<double> row(int i) = 0;
  virtual std::vector<double> column(int j) = 0;

  /// Solves B z = b (ftran) and B'z = c (btran), refined against the original data with residuals
  /// in extended precision. What it starts from is the tableau, or, where that has drifted too far
  /// for the refinement to get there, an LU of the present basis.
  /// b is by constraint (length m) and z by row position; btran the other way round.
  virtual std::vector<double> ftran(std::span<double const> b) = 0;
  virtual std::vector<double> btran(std::span<double const> c) = 0;
  /// A x (length m) and A'y (length n) with the scaled matrix, sums in extended precision.
  virtual std::vector<double> multiply(std::span<double const> x) = 0;
  virtual std::vector<double> multiplyTransposed(std::span<double const> y) = 0;

  /// The basic point by such solves and products; `point` is what snapshot() says, `cost` by
  /// variable.
  virtual BasicPoint basicPoint(Snapshot const& point, std::span<double const> cost);

  /// Another engine that has loaded `form`, which equals this one's, and holds what keepBasis()
  /// kept, so that both go on from restoreBasis() alike, to the bit; factors are shared. Null where
  /// nothing is kept, or the engine can't do so.
  virtual std::unique_ptr<Engine> copyOfKept(StandardForm const& form) const;
};

std::unique_ptr<Engine> makeHostEngine(EngineOptions const& options);

/// The engine on the processor for sparse problems: factors of the basis instead of a tableau.
std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options);
/// Whether its pivots take less time than those of the tableau for a problem of this form.
bool factoredEngineServes(StandardForm const& form);
/// The same of a problem that has changed a little and has an engine: to change the engine costs as
/// much as many pivots, so that the other one has to be much faster.
bool factoredEngineServes(StandardForm const& form, bool factored);

/// An engine that works in double-double arithmetic, for what double precision does not hold.
std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options);
/// Whether that engine is fast enough for a problem of this form to be of use.
bool preciseEngineServes(StandardForm const& form);

}  // namespace osi_cuda
