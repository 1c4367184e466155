// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "osi_cuda/barrier/barrier.hpp"
#include "osi_cuda/budget.hpp"
#include "osi_cuda/engine/engine.hpp"
#include "osi_cuda/engine_makers.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/plan.hpp"
#include "osi_cuda/simplex/interior_start.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda {

/// A solver without a problem whose engines come from `makers`.
Solver solverWith(EngineMakers makers);

// The form and the engine are made by the first solve and kept: a change of bounds or costs costs
// the next solve a few vectors, not a new tableau; rows and columns that come or go cost as many
// rows and columns of it. A new problem of the same kind finds the engine with all it holds: a
// device's context, handles of its libraries, memory.
struct Solver::State {
  EngineMakers makers;
  LinearProgram lp;
  Basis basis;
  StandardForm form;
  std::unique_ptr<Engine> engine;
  EngineKind kind = EngineKind::tableau;  ///< of the engine, or of the last one
  std::unique_ptr<Barrier> barrier;       ///< made where it is first asked for
  bool barrierOnDevice = false;           ///< where it is
  /// The engine of a device that has nothing to do: the present problem's proof was made elsewhere.
  std::unique_ptr<Engine> idleDevice;
  Options idleOptions;        ///< those that it was made with
  Options engineOptions;      ///< those that the engine was made with
  bool loaded = false;        ///< the engine has this problem
  bool wantedDevice = false;  ///< a device was the better place for it
  ChangeSet changedBounds;    ///< variables whose bounds the form has not yet
  bool costsChanged = false;
  bool solvedBefore = false;  ///< this problem, so that a solve of it is no first one
  bool placed = false;        ///< the engine holds the basis with the present bounds and costs
  std::int64_t pivotsSinceRefactor = 0;
  std::int64_t resumedPivots = 0;  ///< of the last solve that did not begin at slacks
  std::optional<Basis> keptBasis;  ///< what the engine may have kept, in the problem's terms
  std::int64_t keptPivots = 0;     ///< since the refactorisation before it
  bool deviceServed = false;       ///< a device has held this problem: it is there, or it was lost
  bool deviceLost = false;         ///< from then on the host serves, until another problem comes
  bool enclosing = false;          ///< the solve at work is to enclose the optimum

  bool engineServes(Options const& options) const;
  bool onDevice() const { return engine && kind == EngineKind::device; }
  /// The engine as one that keeps bases; null: there is none.
  BasisStore* store() const { return engine ? engine->as<BasisStore>() : nullptr; }
  History history() const;
  /// How the next solve goes.
  Plan plan(Options const& options) const { return planFor(shapeOf(lp), options, history()); }
  bool engineFits(Options const& options) const;
  void makeEngine(Options const& options, Callbacks const& callbacks);
  /// Makes an engine have the problem as it is now.
  void prepare(Options const& options, Callbacks const& callbacks);
  /// The result of `work`, which finds the engine prepared. Where the device is lost in the middle
  /// of it, it is begun again on the host. After any other exception the engine is given up:
  /// whatever it holds, it is not what the next solve expects.
  template <class Work>
  auto withEngine(Options const& options, Callbacks const& callbacks, Work const& work);
  // Below, the limits are those of `budget`, not of `options`.
  /// One run of the simplex method from the present basis.
  Solution attempt(Options const& options, Callbacks const& callbacks, Budget& budget);
  /// Whether a solve begins with the interior point method.
  bool wantsBarrier(Options const& options) const;
  /// The same attempt, with the interior point method before it.
  Solution attemptWithBarrier(Options const& options, Callbacks const& callbacks, Budget& budget);
  /// Pivots from the present basis; `inside` may be a point inside to begin at.
  Solution pivot(Options const& options, Callbacks const& callbacks, Budget& budget,
                 InteriorStart const& inside);
  /// Makes the basis of a solution the present one; of an optimum, that of the engine, too.
  void takeBasis(Solution const& solution, Callbacks const& callbacks, Budget& budget);
  /// By way of a smaller problem where that pays or is asked for; see Solver::solve.
  Solution solve(Options const& options, Callbacks const& callbacks, Budget& budget);
  /// Attempts until a status is proved or a limit is reached, in the problem itself.
  Solution solveDirectly(Options const& options, Callbacks const& callbacks, Budget& budget);
  class PresolvedSolve;
  /// Gives the engine of a device, if there is one, to another problem.
  void lendDevice(State& other);
  /// Takes the idle device for the engine, if it was made with these options.
  void recallDevice(Options const& options);
  /// After rows or columns came or went; `lp` has the change already.
  void reshaped(Reshape const& change);
  /// Makes the form agree with the problem's bounds and costs.
  void refresh();
  /// Makes the engine hold the present basis, with the present bounds and costs. Where the budget
  /// ends before, there is no tableau.
  void place(Options const& options, Callbacks const& callbacks, Budget& budget);
  /// The same without asking whether it does already; the engine is prepared. In `watched`.
  void placeBasis(Options const& options, Callbacks const& callbacks, Budget& budget);
  /// Does `work` while the engine polls the budget. False: it ended in the middle, and the engine
  /// is forgotten.
  template <class Work>
  bool watched(Budget const& budget, Work const& work);
  /// The engine stays, but what it holds is not the problem any more.
  void unload();
  void forgetEngine();
  /// Gives up the device for good; `reason` is a sentence without its full stop.
  void loseDevice(std::string const& reason, Callbacks const& callbacks);
  /// The engine with the present basis. Throws std::logic_error where it holds another.
  Engine& tableau() const;
};

template <class Work>
bool Solver::State::watched(Budget const& budget, Work const& work) {
  try {
    EngineWatch const watch(*engine, [&budget] { return budget.interrupted(); });
    work();
    return true;
  } catch (Interrupted const&) {
    forgetEngine();
    return false;
  }
}

template <class Work>
auto Solver::State::withEngine(Options const& options, Callbacks const& callbacks,
                               Work const& work) {
  prepare(options, callbacks);
  try {
    return work();
  } catch (EngineUnavailable const& e) {
    if (!onDevice()) throw;
    loseDevice(e.what(), callbacks);
  } catch (...) {
    forgetEngine();
    throw;
  }
  prepare(options, callbacks);
  try {
    return work();
  } catch (...) {
    forgetEngine();
    throw;
  }
}

}  // namespace osi_cuda
