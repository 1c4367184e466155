// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda {

// The form and the engine are made by the first solve and kept: a change of bounds or costs costs
// the next solve a few vectors, not a new tableau; rows and columns that come or go cost as many
// rows and columns of it. A new problem of the same kind finds the engine with all it holds: a
// device's context, handles of its libraries, memory.
struct Solver::State {
  LinearProgram lp;
  Basis basis;
  StandardForm form;
  std::unique_ptr<Engine> engine;
  Options engineOptions;      ///< those that the engine was made with
  bool loaded = false;        ///< the engine has this problem
  bool wantedDevice = false;  ///< a device was the better place for it
  bool boundsChanged = false;
  bool costsChanged = false;
  bool placed = false;  ///< the engine holds the basis with the present bounds and costs
  std::int64_t pivotsSinceRefactor = 0;

  bool engineServes(Options const& options) const;
  bool engineFits(Options const& options) const;
  void makeEngine(Options const& options, Callbacks const& callbacks);
  /// After rows or columns came or went; `lp` has the change already.
  void reshaped(Reshape const& change);
  /// Makes the form agree with the problem's bounds and costs.
  void refresh();
  /// Makes the engine hold the present basis, with the present bounds and costs.
  void place(Options const& options, Callbacks const& callbacks);
  /// The engine stays, but what it holds is not the problem any more.
  void unload();
  void forgetEngine();
  /// The engine with the present basis. Throws std::logic_error where it holds another.
  Engine& tableau() const;
};

}  // namespace osi_cuda
