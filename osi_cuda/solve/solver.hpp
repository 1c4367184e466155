// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/model/callbacks.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/options.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/start_point.hpp"

namespace osi_cuda {

/// One pivot that a caller requested. For a row, statuses and directions are those of its activity.
struct PivotStep {
  int variable = -1;     ///< the one that was found: leaving (primal; may be `entering` itself, at
                         ///< its other bound) or entering (dual)
  bool toUpper = false;  ///< the leaving variable rests on its upper bound
  int direction = 0;     ///< the way the entering variable moves
  double step = 0.0;  ///< >= 0: what it moves by (primal), what the leaving's dual becomes (dual)
};

/// How near the basis matrix is to a singular one.
struct BasisCondition {
  /// Of the scaled matrix, in the 1-norm, mostly within a factor of three below (Hager 1984).
  double estimate = 0.0;
  /// The columns of these basic variables nearly depend on each other, the first most; the
  /// combination is small but in the rows, as far as those take part. Largest shares first.
  std::vector<int> variables, rows;
};

struct EngineMakers;
struct PlacedEngine;
struct Session;

/// A linear program, min or max c'x subject to L <= A x <= U, l <= x <= u with m rows and n
/// columns, and the state of the last solve: its basis and its engine, which may hold a tableau on
/// a device. Primal and dual simplex or an interior point method with crossover find a vertex; the
/// verifier (proof/residuals.hpp) proves the status in the original problem. Not copyable;
/// different objects may be used from different threads.
class Solver {
 public:
  Solver();
  explicit Solver(LinearProgram lp);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Replaces the problem and forgets the basis. Throws std::invalid_argument with findFault's
  /// message.
  void load(LinearProgram lp);
  LinearProgram const& problem() const;

  /// Changes that keep the basis; columns j and rows i are counted from 0. They throw
  /// std::out_of_range for an index out of range, and std::invalid_argument with findFault's
  /// message for an invalid bound, cost or offset (NaN, a cost of infinity); the problem is
  /// unchanged then.
  void setColumnBounds(int j, double lower, double upper);
  void setRowBounds(int i, double lower, double upper);
  void setObjective(int j, double cost);
  void setSense(Sense sense);
  void setObjectiveOffset(double offset);
  /// All at once; lengths n or m, otherwise std::invalid_argument.
  void setColumnBounds(std::span<double const> lower, std::span<double const> upper);
  void setRowBounds(std::span<double const> lower, std::span<double const> upper);
  void setObjective(std::span<double const> costs);

  /// Makes the coefficient in row rows[k] and column columns[k] values[k]; zero takes it out. The
  /// spans have one length, else std::invalid_argument; so for a value that is not finite. The next
  /// solve starts from the same basis, but forms the tableau anew.
  void setCoefficients(std::span<int const> rows, std::span<int const> columns,
                       std::span<double const> values);

  /// New rows and columns come last. `rows` holds the new rows as its columns (n x count), with
  /// bounds of length count; `columns` is m x count and continuous. The names of all rows, or of
  /// all columns, are dropped.
  /// Throws std::invalid_argument with findFault's message; the problem is as it was then.
  void addRows(SparseMatrix const& rows, std::span<double const> lower,
               std::span<double const> upper) {
    replaceRows({}, rows, lower, upper);
  }
  void addColumns(SparseMatrix const& columns, std::span<double const> lower,
                  std::span<double const> upper, std::span<double const> costs);
  /// Ascending, distinct indices; the remainder moves up and keeps its statuses in the basis.
  void deleteRows(std::span<int const> rows) { replaceRows(rows, {}, {}, {}); }
  void deleteColumns(std::span<int const> columns);
  /// deleteRows(gone) and addRows in one pass.
  void replaceRows(std::span<int const> gone, SparseMatrix const& rows,
                   std::span<double const> lower, std::span<double const> upper);

  /// The basis the next solve starts from; an empty one means the slack basis. One of other sizes
  /// is cut or filled up: new rows basic, new columns nonbasic.
  void setBasis(Basis basis);
  Basis const& basis() const;

  /// The point that the next solve, and no other, starts from instead of a basis: by crossover to a
  /// vertex (Megiddo 1991; Bixby and Saltzman 1994) and pivots from there. Values beyond bounds are
  /// moved to them. A point whose residuals say that it is far from an optimum is not used; a
  /// notice says so, and the solve starts from the basis. The later call of setStart and setBasis
  /// counts; a change of rows or columns drops the point. Throws std::invalid_argument (findFault
  /// in model/start_point.hpp). An empty one takes it back.
  void setStart(StartPoint start);

  /// For many short solves from one basis: saves what the engine holds of the present one, so that
  /// goBack() restores it by a copy, and the next solve repeats the last one bit for bit. If the
  /// engine cannot, or has another basis, nothing is saved, and solves from that basis take their
  /// usual way. Adding or deleting rows and columns ends it.
  void keepBasis();
  void goBack();
  void forgetKeptBasis();
  /// Another solver of the present problem for parallel solves: after goBack(), both solve alike,
  /// bit for bit. Empty if nothing is saved. Sparse factors can be copied; tableaus and what a
  /// device holds cannot. This solver must stay in place, with its matrix unchanged, while the copy
  /// is used.
  std::optional<Solver> copyAtKeptBasis() const;

  /// Solves from the current basis. If no status can be proved, further attempts follow: from the
  /// slack basis; with the other scaling and perturbation; by the primal simplex with steepest
  /// edge, on the host if the engine is automatic and the problem fits. Limits, iterations and
  /// seconds count all attempts together, a notice announces each, and the best unproved point is
  /// returned.
  ///
  /// Never throws because of the problem. Throws std::invalid_argument for invalid options
  /// (findFault in options.hpp), std::bad_alloc if memory is missing, and EngineUnavailable if the
  /// requested engine is. A device failure is no error: a notice reports it, and the host solves
  /// this problem from the same basis from then on (Solution::deviceLost).
  Solution solve(Options const& options = {}, Callbacks const& callbacks = {});

  /// Closes an infinite end of the enclosure of an optimum that the last solve returned: by bounds
  /// that rows imply, slightly changed costs, or points near it that provably exist. With the
  /// option `enclose` on: for as long as it takes, by rational arithmetic at last. Else each way
  /// looks at 10,000 entries and some for each pivot: the same in every run.
  void enclose(Solution& solution, std::function<bool()> const& interrupted = {});

  // The tableau. Variable j < n is column j, variable n + i row i. The basis matrix B has the
  // matrix's columns for columns, and unit columns for the slacks of rows: A x + s = const. Row
  // positions 0..m-1 are those of basicVariables(). All but prepareTableau and evaluate need a
  // tableau prepared since the last change, or an optimal solve; else std::logic_error.

  /// Forms the tableau of the present basis, repairing it where it is none. Throws as solve does.
  /// Where a limit is reached before, there is none.
  void prepareTableau(Options const& options = {}, Callbacks const& callbacks = {});
  /// The basic solution of the present basis, without pivots: status optimal where it is that to
  /// the tolerances, else interrupted; without a point where a limit was reached before.
  Solution evaluate(Options const& options = {}, Callbacks const& callbacks = {});
  /// The point that the tableau is at, to the accuracy of the tableau.
  Solution presentPoint() const;

  std::vector<int> basicVariables() const;             ///< length m
  std::vector<double> inverseRow(int position) const;  ///< of B^-1, length m
  std::vector<double> inverseColumn(int row) const;    ///< of B^-1, by row position
  /// Row of B^-1 A, length n, from that row of B^-1.
  std::vector<double> tableauRow(std::span<double const> inverseRow) const;
  std::vector<double> tableauColumn(int column) const;  ///< of B^-1 A, by row position
  std::vector<double> dualsFor(std::span<double const> costs) const;  ///< B'y = c_B, length m

  /// The engine with its tableau where it is a CUDA device's, until the next call that changes
  /// anything; else without an engine.
  PlacedEngine deviceEngine() const;

  BasisCondition conditionOfBasis() const;

  /// One row of the tableau: by how much the basic variable at `position` moves when a nonbasic one
  /// moves by 1, length n in the order of nonbasicVariables(); rows speak of their activity. The
  /// visitor answers whether it wants the next row.
  using RateVisitor = std::function<bool(int position, std::span<double const> rates)>;
  /// Length n, in the order of the tableau's columns.
  std::vector<int> nonbasicVariables() const;
  /// Visits all rows as the engine holds them. Entries that rounding could explain are computed
  /// again from the matrix. False: the visitor ended it.
  bool visitRates(RateVisitor const& visit) const;

  /// Moves the nonbasic `entering` by +1 or -1 (a row: its activity) as far as the bounds of the
  /// basic variables or its own let it, and makes the exchange. Nothing: no bound is in the way.
  std::optional<PivotStep> primalPivot(int entering, int direction);
  /// Makes the basic `leaving` rest on its upper or lower bound, and the nonbasic variable enter
  /// that keeps reduced costs on their side. Nothing: no variable can make up for it.
  std::optional<PivotStep> dualPivot(int leaving, bool toUpper);
  /// Exchanges the two whatever becomes of feasibility. False: the basis would be singular.
  bool exchange(int entering, int leaving, VariableStatus leavingStatus);

 private:
  friend Solver solverWith(EngineMakers makers);
  std::unique_ptr<Session> session_;
};

}  // namespace osi_cuda
