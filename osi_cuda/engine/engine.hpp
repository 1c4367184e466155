// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/proof/reductions.hpp"
#include "osi_cuda/simplex/pivoting.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda {

/// Thrown by an engine's long operations when the caller wants to stop.
struct Interrupted {};

struct EngineOptions {
  EngineChoice engine = EngineChoice::automatic;  ///< what was asked for by name
  int threads = 0;                                ///< host: 0 = all cores
  int device = 0;                                 ///< CUDA device number
  int blockSize = 0;                              ///< K; 0 = by size
  int sketchSize = 0;                             ///< k; 0 = by size
  std::shared_ptr<std::atomic<int>> atWork;       ///< Options::atWork

  bool operator==(EngineOptions const&) const = default;
};

/// What a refactorisation found: variables that had to leave the basis because their columns
/// depend on others, and the slacks that took their places.
struct Refactorisation {
  std::vector<int> dropped;
  std::vector<int> added;
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
/// multipliers from the original data. Scaled numbers.
struct BasicPoint {
  std::vector<double> x;  ///< structurals, length n
  std::vector<double> y;  ///< B^-T c_B by constraint, length m
};

/// What an engine is, and what suits it best.
struct EngineTraits {
  SolveEngine name = SolveEngine::host;  ///< as answers tell it
  std::string device;                    ///< name of the processor
  int blockSize = 1;                     ///< K, of the problem that is loaded
  /// Pivots and flips of a run at most, so that it takes hardly more than a quarter of a second:
  /// nobody hears of a wish to stop before it ends. By sizes, not by time, for solves have to be
  /// repeatable.
  int mostPivots = 4096;
  /// The least tableau entry, beside entries near 1, that is told from rounding and makes a pivot.
  double smallestPivot = 1e-7;
  /// Seconds that a pivot takes, about, beside what countedWork() tells.
  double pivotSeconds = 0.0;
  bool dearMessages = false;  ///< a message of all workers takes longer than a pass over a line
  /// The rules of pricing that mostly take least time for the problem that is loaded.
  Pricing primalPricing = Pricing::sketched, dualPricing = Pricing::sketched;
};

class SolvesWithBasis;

/// Executes pivots on the tableau T = B^-1 N of one StandardForm. The control above it (phases,
/// perturbation, when to refactor, proofs, limits) knows no device. Vectors "by variable" have
/// length n + m. Every call may throw EngineUnavailable (device lost, out of memory) or
/// std::bad_alloc.
///
/// What only some engines can do is an interface of its own, from which such an engine derives as
/// well (BasisStore, Copyable, TakesRowsAndColumns, Exchanges, PushesColumns, SolvesWithBasis,
/// VerifiesPoints): see as().
class Engine {
 public:
  Engine();
  virtual ~Engine();
  EngineTraits const& traits() const { return traits_; }

  /// This engine as an `Ability`; null: it has no such ability.
  template <class Ability>
  Ability* as() {
    return dynamic_cast<Ability*>(this);
  }
  /// Solves with the present basis: the engine's own, or those of sparse factors on the processor.
  SolvesWithBasis& solves();

  /// Seconds that the operations counted since the last call take on some processor: alike in every
  /// run. Of an engine that does not count, nothing.
  virtual double countedWork() { return 0.0; }

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
  /// Whether they are these; an engine need not fetch shifted ones to say no.
  virtual bool costsAre(std::vector<double> const& cost) const { return costs() == cost; }

  /// Values of the nonbasic variables, by variable (others are ignored); recomputes x_B.
  virtual void setValues(std::span<double const> value) = 0;

  /// Makes `basic` (by variable, m of them set) the basis: LU of its p structural columns, a fresh
  /// tableau, x_B and d recomputed. The nonbasic keep their values; a dropped one keeps its own.
  virtual Refactorisation refactor(std::vector<char> const& basic) = 0;

  /// Makes the pricing weights fit the present basis for a coming run: nothing to do where the last
  /// run used the same algorithm and rule and no refactorisation came between.
  virtual void computeWeights(Algorithm algorithm, Pricing pricing) = 0;

  /// Reduced costs of the phase-1 objective of the present point.
  virtual void computePhase1Costs(double tolerance) = 0;

  /// Runs one pivot loop until it stops; applies the block update when K is reached. Nothing ends
  /// it earlier: see EngineTraits::mostPivots.
  virtual PivotReport run(PivotRequest const& request) = 0;

  virtual Measure measure(double primalTolerance, double dualTolerance) = 0;
  virtual Drift drift() = 0;
  virtual Snapshot snapshotOf(SnapshotContent content) = 0;
  Snapshot snapshot() { return snapshotOf(SnapshotContent::all); }

  /// Row position i of T over the column positions (length n), column position j (length m).
  virtual std::vector<double> row(int i) = 0;
  virtual std::vector<double> column(int j) = 0;

 protected:
  /// To be called by load, and wherever the form changes.
  void hold(StandardForm const& form);

  StandardForm const* form_ = nullptr;  ///< the one to hold
  EngineTraits traits_;

 private:
  std::unique_ptr<SolvesWithBasis> standIn_;  ///< where the engine has no solves of its own
};

/// An engine on a CUDA device that is at a basis, with the form that it has loaded; null: none.
struct PlacedEngine {
  Engine* engine = nullptr;
  StandardForm const* form = nullptr;
  int device = 0;
};

/// Keeps a basis and goes back to it.
class BasisStore {
 public:
  virtual ~BasisStore() = default;
  /// Keeps the present basis with all that belongs to it for restoreBasis(): until another call,
  /// load() or reshape().
  virtual void keepBasis() = 0;
  /// Goes back to the basis that was kept, with its positions, weights and factors, to the bit;
  /// nonbasic variables are to be placed anew by setValues. False: nothing is kept.
  virtual bool restoreBasis() = 0;
  virtual void forgetBasis() = 0;
};

class Copyable {
 public:
  virtual ~Copyable() = default;
  /// Another engine that has loaded `form`, which equals this one's, and holds what keepBasis()
  /// kept, so that both go on from restoreBasis() alike, to the bit; factors are shared. Null where
  /// nothing is kept.
  virtual std::unique_ptr<Engine> copyOfKept(StandardForm const& form) const = 0;
};

class TakesRowsAndColumns {
 public:
  virtual ~TakesRowsAndColumns() = default;
  /// The form has rows and columns that it had not, or lost some: `change` tells which (a lost row
  /// has a basic slack, a lost column is nonbasic). Where the engine can keep its tableau it takes
  /// over bounds and costs of the form, gives new columns the value 0 and answers true; where it
  /// answers false it needs a new load. Values and reduced costs are not brought up to date.
  virtual bool reshape(Reshape const& change, StandardForm const& form) = 0;
};

/// Makes single exchanges that no pivot loop chose.
class Exchanges {
 public:
  virtual ~Exchanges() = default;
  /// Exchanges the basic variable at row position r for the nonbasic one at column position q,
  /// which keeps its value; the leaving one goes to `leavingValue`, and x_B and d follow. Positions
  /// after it are the engine's choice.
  virtual void exchange(int r, int q, double leavingValue) = 0;
  /// Reaches the basis by exchanges where that is cheaper than to refactor; false: it is not, or
  /// did not succeed; refactor then. Values and reduced costs are those of before.
  virtual bool reach(std::vector<char> const& basic) = 0;
};

/// Moves nonbasic variables by columns of the tableau alone.
class PushesColumns {
 public:
  virtual ~PushesColumns() = default;
  /// Draws the nonbasic variables that are strictly between their bounds to the nearer one (free
  /// ones to zero), one after the other from column position `next` on. A basic variable that gets
  /// to a bound on the way leaves for the drawn one. Entries are judged as in a run of primal
  /// pivots; a variable without a good pivot stays where it is. Reduced costs and weights are not
  /// kept up to date. Stop::optimal: it came to the last position.
  virtual PivotReport push(int& next, PivotRequest const& request) = 0;
};

/// Exchanges as Exchanges::exchange does, by a refactorisation where the engine has no such thing.
void exchange(Engine& engine, int r, int q, double leavingValue);
/// Exchanges::reach; false where the engine has no such thing.
bool reach(Engine& engine, std::vector<char> const& basic);

/// The engine's basic point, refined, in the problem's own numbers (not scaled), and what it is
/// worth there. Activities and reduced costs are those of the point before it was rounded.
struct VerifiedPoint {
  std::vector<double> columnValues, rowDuals, rowActivity, reducedCosts;
  proof::Worth rounded;  ///< of the doubles above
  proof::Worth exact;    ///< of the point in double-double arithmetic
};

/// Verifies its point itself, by the formulas of osi_cuda/proof/. `lp` is the problem of the form
/// that is loaded.
class VerifiesPoints {
 public:
  virtual ~VerifiesPoints() = default;
  /// Runs that end at an optimum may verify their point on `lp` at once, until the form changes.
  virtual void verifyOn(LinearProgram const& lp) = 0;
  /// Nothing where the engine cannot, or does not work with the form's costs.
  virtual std::optional<VerifiedPoint> verifiedPoint(LinearProgram const& lp) = 0;
  /// Forms reduced costs and basic values anew, the latter with a round of refinement by the
  /// original data. False: it did not.
  virtual bool refinePoint() = 0;
};

/// Solves and products beside the tableau, from the original data.
class SolvesWithBasis {
 public:
  virtual ~SolvesWithBasis() = default;
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
};

std::unique_ptr<Engine> makeHostEngine(EngineOptions const& options);

/// The engine on the processor for sparse problems: factors of the basis instead of a tableau.
std::unique_ptr<Engine> makeFactoredEngine(EngineOptions const& options);

/// An engine that works in double-double arithmetic, for what double precision does not hold.
std::unique_ptr<Engine> makePreciseEngine(EngineOptions const& options);

}  // namespace osi_cuda
