// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <memory>
#include <span>

#include "osi_cuda/errors.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/options.hpp"
#include "osi_cuda/simplex/callbacks.hpp"

namespace osi_cuda {

/// A linear program and the state a re-solve starts from: its last basis, its engine with whatever
/// that holds on the device. Not copyable; separate objects may be used from separate threads.
class Solver {
 public:
  Solver();
  explicit Solver(LinearProgram lp);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Replaces the problem and forgets the basis. Throws std::invalid_argument with findFault's
  /// sentence.
  void load(LinearProgram lp);
  LinearProgram const& problem() const;

  /// Changes that keep the basis; columns and rows are counted from 0.
  void setColumnBounds(int j, double lower, double upper);
  void setRowBounds(int i, double lower, double upper);
  void setObjective(int j, double cost);
  void setSense(Sense sense);
  void setObjectiveOffset(double offset);
  /// All at once; lengths n or m, else std::invalid_argument.
  void setColumnBounds(std::span<double const> lower, std::span<double const> upper);
  void setRowBounds(std::span<double const> lower, std::span<double const> upper);
  void setObjective(std::span<double const> costs);

  /// New rows and columns come last. `rows` holds the new rows as its columns (n x count), with
  /// bounds of length count; `columns` is m x count and continuous. The names of all rows, or of
  /// all columns, are dropped.
  /// Throws std::invalid_argument with findFault's sentence; the problem is as it was then.
  void addRows(SparseMatrix const& rows, std::span<double const> lower,
               std::span<double const> upper);
  void addColumns(SparseMatrix const& columns, std::span<double const> lower,
                  std::span<double const> upper, std::span<double const> costs);
  /// Ascending, distinct numbers; the rest moves up. What the basis says of the others stays.
  void deleteRows(std::span<int const> rows);
  void deleteColumns(std::span<int const> columns);

  /// The basis the next solve starts from; an empty one means the slack basis. One of other sizes
  /// is cut or filled up: new rows basic, new columns nonbasic.
  void setBasis(Basis basis);
  Basis const& basis() const;

  /// Solves from the current basis. Never throws for what the problem is; throws std::bad_alloc or
  /// EngineUnavailable when the machine is too small or the asked engine is missing.
  Solution solve(Options const& options = {}, Callbacks const& callbacks = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace osi_cuda
