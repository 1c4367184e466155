// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "CoinError.hpp"
#include "CoinMessageHandler.hpp"
#include "CoinPackedMatrix.hpp"
#include "CoinWarmStartBasis.hpp"
#include "osi/OsiCudaSolverInterface.hpp"
#include "osi/entries.hpp"
#include "osi_cuda/base/concat.hpp"
#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/model/change_set.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {
class VariantSolver;
}

namespace osi_cuda::osi {

struct AheadCounts;

/// Bounds and costs of n columns and m rows. Infinite bounds are +-COIN_DBL_MAX.
struct Numbers {
  std::vector<double> columnLower;  ///< length n
  std::vector<double> columnUpper;  ///< length n
  std::vector<double> objective;    ///< length n
  std::vector<double> rowLower;     ///< length m
  std::vector<double> rowUpper;     ///< length m
  double sense = 1.0;               ///< 1 minimise, -1 maximise
};

struct Problem : Numbers {
  CoinPackedMatrix matrix;    ///< by columns, with room behind each where rows were added
  int appendedFrom = 0;       ///< rows from this one on come last in every column
  std::vector<char> integer;  ///< length n, 1: integer
  Choices choices;            ///< of the file that was read
};

/// Coin's readers take 1e30 for infinity, its interfaces COIN_DBL_MAX.
inline osi_cuda::Options usualOptions() {
  osi_cuda::Options options;
  options.infiniteFrom = 1e30;
  return options;
}

struct Settings {
  osi_cuda::Options options = usualOptions();  ///< what setSolverOption set
  std::function<bool()> interrupted;           ///< what setInterrupt set
  std::array<void*, OsiLastHintParam> hintInformation{};
  std::array<double, OsiLastDblParam> senseOfLimit;  ///< the sense in which a limit was set
  std::array<bool, OsiLastHintParam> forced{};       ///< hints of strength OsiForceDo
  /// Whether markHotStart solves branches speculatively, and what that came to, counted for all
  /// copies.
  osi_cuda::Toggle branchesAhead = osi_cuda::Toggle::automatic;
  std::shared_ptr<AheadCounts> aheadCounts;
  bool pointsInTwoParts = false;  ///< what takePointsInTwoParts set
};

/// The last solution; arrays always of length n or m.
struct Answer {
  std::vector<double> columnValue, rowDual, reducedCost, rowActivity;
  osi_cuda::Basis basis;
  std::optional<osi_cuda::Status> status;  ///< nothing: not solved since the last load or edit
  bool primalLimitReached = false;         ///< the last solve stopped at the primal limit
  std::vector<double> farkas, ray;         ///< proofs, where the status has one
  osi_cuda::ObjectiveEnclosure enclosure;  ///< of the problem's exact optimum, where it is known
  int iterations = 0;
  double seconds = 0.0;
  osi_cuda::SolveEngine engine = osi_cuda::SolveEngine::none;
  bool deviceLost = false;  ///< while it held this problem: the host serves it, also in clones

  /// What the present solution is the optimum of, besides the problem; nothing where the problem or
  /// the solution has changed since. Copies have it as well: they need no solver to say it again.
  struct Settled {
    osi_cuda::Options options;
    osi_cuda::Basis basis;
  };
  std::optional<Settled> settled;
};

}  // namespace osi_cuda::osi

/// What an OsiCudaSolverInterface holds: the problem in Osi's terms, the last solution, and the
/// solver with its engine, made by the first solve. Copies leave out the solver, and what follows
/// from the problem.
struct OsiCudaSolverInterface::State : osi_cuda::osi::Problem,
                                       osi_cuda::osi::Settings,
                                       osi_cuda::osi::Answer {
  State();
  State(State const& other);
  State& operator=(State const&) = delete;

  // What follows from it, made when asked for.
  std::unique_ptr<CoinPackedMatrix> matrixByRow;
  bool sensesFit = false;  ///< whether the next three belong to the row bounds
  std::vector<char> rowSense;
  std::vector<double> rightHandSide, rowRange;
  bool columnTypesFit = false;  ///< whether the base class's array fits the columns
  int columnTypeLength = 0;
  std::vector<double> strictSolution;

  // The solver holds the same problem, less what the marks say: all, where there is none.
  std::unique_ptr<osi_cuda::Solver> solver;
  osi_cuda::osi::RowEdits rowEdits;
  int rowsBack = 0;  ///< of the last edits that the solver took: lost rows that came back
  /// Whose bounds are others.
  osi_cuda::ChangeSet changedColumns = osi_cuda::ChangeSet::all(), changedRows = changedColumns;
  bool costsChanged = true, costsSinceMark = true;  ///< since the hot start's mark

  /// Whether the solver's tableau is that of `basis`, with the present bounds and costs.
  bool tableauReady = false;
  /// Solves branches of the present solution on a device; made where it is first of use.
  std::shared_ptr<osi_cuda::VariantSolver> variants;
  std::vector<int> basics;  ///< of that tableau, by row position; empty: not asked yet
  bool tableauFits() const {
    return tableauReady && solver && !changedColumns.any() && !changedRows.any() && !costsChanged;
  }

  std::vector<OsiRowCut const*>* collectedCuts = nullptr;  ///< where applyCuts wants its rows

  bool isSettled(osi_cuda::Options const& options) const;

  struct HotStart;
  std::unique_ptr<HotStart> hotStart;

  int columns() const { return static_cast<int>(columnLower.size()); }
  int rows() const { return static_cast<int>(rowLower.size()); }

  /// Replaces the problem: bounds become Osi's, solution and basis those of an unsolved problem.
  void load(CoinPackedMatrix const& newMatrix, double const* columnLower, double const* columnUpper,
            double const* objective, double const* rowLower, double const* rowUpper);
  /// The same numbers of rows and columns; `newMatrix` may have fewer, the rest is empty.
  void replaceMatrix(CoinPackedMatrix const& newMatrix);
  void setMatrix(CoinPackedMatrix const& newMatrix, int m, int n);
  void forgetSolution();
  /// New rows given as the columns of `newRows`; bounds in Osi's terms, null as in a load.
  void appendRows(osi_cuda::SparseMatrix const& newRows, double const* lower, double const* upper);
  void appendColumns(osi_cuda::SparseMatrix const& newColumns, double const* lower,
                     double const* upper, double const* costs);
  /// Ascending, distinct numbers.
  void removeRows(std::vector<int> const& gone);
  void removeColumns(std::vector<int> const& gone);
  /// Makes the solver's rows the problem's; their bounds may be others.
  void sendRows();
  /// What a hot start has computed with the solver goes with it.
  void forgetSolver();

  /// Where the slack of a row (coefficient +1) stands in the present basis.
  osi_cuda::VariableStatus slackStatus(int row) const;

  // What was proved of a problem says nothing of the next; values, duals, status and counts are the
  // last solve's until there is another. A Farkas proof does not look at costs.
  void forgetOptimum() {
    settled.reset();
    enclosure = {};
    ray.clear();
  }
  void forgetProofs() {
    forgetOptimum();
    farkas.clear();
  }
  void columnBoundsChanged(int column);
  void rowBoundsChanged(int row);
  void costChanged() {
    costsChanged = costsSinceMark = true;
    forgetOptimum();
  }
  /// Looks at what the solver has not taken over yet. Throws CoinError where a cost or a bound is
  /// not a number. False: a lower bound is plus infinity, or an upper one minus infinity.
  bool checkNumbers() const;
  /// A ray in Osi's terms, made with new[]: length m, or m + n with the parts of the columns.
  double* newDualRay(std::vector<double> const& y, bool full) const;
  /// Makes a solver's answer the present solution. The arrays stay where they are. Returns by how
  /// much, at most, a row has moved since the answer was verified; infinite: not known.
  double take(osi_cuda::Solution&& solution);
  /// Puts on its bound what is there but for rounding, and at zero what is nothing but rounding.
  /// Returns what take does.
  double removeRounding();
  double cleanColumns();
  void cleanReducedCosts();
  void cleanActivities();
  /// After rows or columns were added or removed.
  void structureChanged();

  /// A'y and A x with the problem's matrix.
  void refreshActivity();
  void refreshReducedCosts();
  void fillSenses();

  /// The problem as the solver takes it; `offset` is Osi's, subtracted from c'x.
  osi_cuda::LinearProgram model(double offset) const;
  /// Makes `variants` begin at the solver's tableau, which has to fit. False: it is not on a
  /// device, or there is no room for a copy.
  bool variantsBegin(double offset);
  /// Makes the solver hold the present problem and basis.
  osi_cuda::Solver& upToDateSolver(double offset);
};

namespace osi_cuda::osi {

/// Within this a number is on its bound or zero, as for Osi's other interfaces.
inline constexpr double coinTolerance = 1e-7;

/// A bound as Osi's users see it: beyond 1e27 it is infinite, which is +-COIN_DBL_MAX.
double coinBound(double bound);
/// A bound as the solver sees it: infinite is IEEE's infinity.
double modelBound(double bound);
std::vector<double> modelBounds(std::vector<double> const& bounds);
/// `count` numbers; `otherwise` for each where `values` is null.
std::vector<double> copyOr(double const* values, int count, double otherwise);
/// The same of bounds, as Osi's users see them.
std::vector<double> boundsOr(double const* values, int count, double otherwise);

/// The value nearest to zero within the bounds.
double restingValue(double lower, double upper);
/// The status of a nonbasic column at that value.
VariableStatus restingStatus(double lower, double upper);

CoinWarmStartBasis::Status toCoin(VariableStatus status);
VariableStatus fromCoin(CoinWarmStartBasis::Status status);

/// Lower for upper and upper for lower: a slack moves against its row's activity.
VariableStatus otherBound(VariableStatus status);

/// Row bounds of sense, right-hand side and range. Throws CoinError for an unknown sense.
struct RowBounds {
  double lower;
  double upper;
};
RowBounds boundsOf(char sense, double rightHandSide, double range);
/// The same for `rows` rows; any array may be null: >=, 0, 0.
struct RowBoundArrays {
  RowBoundArrays(int rows, char const* sense, double const* rightHandSide, double const* range);
  std::vector<double> lower, upper;
};

template <class T>
T const* pointerOrNull(std::vector<T> const& values) {
  return values.empty() ? nullptr : values.data();
}

/// The sorted, distinct numbers of a list. Throws CoinError where one is not in 0..size-1.
std::vector<int> sortedIndices(int count, int const* indices, int size, char const* method);

/// Removes the elements at ascending positions.
template <class T>
void removeAt(std::vector<T>& values, std::vector<int> const& positions) {
  if (values.empty()) return;
  std::size_t kept = 0, next = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (next < positions.size() && static_cast<std::size_t>(positions[next]) == i)
      ++next;
    else
      values[kept++] = values[i];
  }
  values.resize(kept);
}

/// A message to the application's message handler, when its log level is at least `detail`:
/// 0 warnings, 1 the outcome of a solve, 2 progress.
inline void say(CoinMessageHandler& handler, int number, int detail, std::string const& sentence,
                char severity = 'I') {
  if (handler.logLevel() < detail) return;
  // The handler has room for 400 characters, and takes the text as it is.
  handler.message(number, "OsiCuda", sentence.substr(0, 380).c_str(), severity) << CoinMessageEol;
}

/// Throws the CoinError of `method` with a message of these parts.
[[noreturn]] void refuse(char const* method, auto const&... parts) {
  throw CoinError(concat(parts...), method, "OsiCudaSolverInterface");
}
/// Throws CoinError where `index` is not in 0..size-1.
void checkIndex(int index, int size, char const* method);
/// Throws CoinError where a coefficient is not a finite number.
void checkFinite(double value, char const* method);

/// What `work` returns. What it throws, memory that runs out included, becomes a CoinError of that
/// method.
auto orCoinError(char const* method, auto const& work) {
  try {
    return work();
  } catch (NotEnoughMemory const& e) {
    refuse(method, "not enough memory: ", e.what());
  } catch (std::bad_alloc const&) {
    refuse(method, "not enough memory");
  } catch (std::exception const& e) {
    refuse(method, e.what());
  } catch (char const* what) {  // as COIN-OR throws it, here and there
    refuse(method, what);
  }
}

}  // namespace osi_cuda::osi
