// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/interior_start.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/plan.hpp"
#include "osi_cuda/solve/solver.hpp"

/// What a Solver keeps from call to call, and the stages of a solve: functions over it.
namespace osi_cuda {

/// What one call asks for. The limits are those of `budget`, not of `options`.
struct Call {
  Options const& options;
  Callbacks const& callbacks;
  Budget& budget;

  void notice(std::string const& sentence) const {
    if (callbacks.notice) callbacks.notice(sentence);
  }
};

/// Says of a copy that problem and form are the other's own, which nobody changes meanwhile.
struct SharesProblem {};

/// The problem and its computational form, which is made for the first engine and kept: a change of
/// bounds or costs costs the next solve a few numbers, not a new tableau.
struct SessionProblem {
  SessionProblem() = default;
  SessionProblem(SessionProblem const& other)
      : given(std::make_shared<LinearProgram>(other.lp)),
        form(std::make_shared<StandardForm>(*other.form, lp)),
        changedBounds(other.changedBounds),
        costsChanged(other.costsChanged) {}
  SessionProblem(SessionProblem const& other, SharesProblem)
      : given(other.given), form(other.form) {}

  std::shared_ptr<LinearProgram> given = std::make_shared<LinearProgram>();
  LinearProgram& lp = *given;
  /// Of lp. It stays where it is when an engine that has loaded it goes to another session.
  std::shared_ptr<StandardForm> form = std::make_shared<StandardForm>();
  ChangeSet changedBounds;  ///< variables whose bounds the form has not yet
  bool costsChanged = false;

  /// Makes the form agree with the problem's bounds and costs. False: it did.
  bool refresh();
};

/// What is known of engines for the problem.
struct SessionPlace {
  EngineMakers makers;
  EngineKind kind = EngineKind::tableau;  ///< of the engine, or of the last one
  Options engineOptions;                  ///< those that the engine was made with
  bool loaded = false;                    ///< the engine has this problem
  bool deviceServed = false;     ///< a device has held this problem: it is there, or it was lost
  bool deviceLost = false;       ///< from then on the host serves, until another problem comes
  bool noDevice = false;         ///< that engine auto could have: not asked for again until then
  std::vector<int> devicesLeft;  ///< of several, since one was lost or had too little memory
};

/// What the last solve left behind.
struct SessionAnswer {
  Basis basis;                     ///< the next solve begins there
  StartPoint start;                ///< or at this point, where there is one
  bool solvedBefore = false;       ///< this problem, so that a solve of it is no first one
  std::array<Resumed, 2> resumed;  ///< on the processor and on a device
  std::int64_t pivotsSinceRefactor = 0;
  std::optional<Basis> keptBasis;  ///< what the engine may have kept, in the problem's terms
  std::int64_t keptPivots = 0;     ///< since the refactorisation before it
};

/// Rows and columns that come or go cost as many rows and columns of the tableau. A new problem of
/// the same kind finds the engine with all it holds: a device's context, handles of its libraries,
/// memory.
struct Session : SessionProblem, SessionPlace, SessionAnswer {
  Session() = default;
  /// Without engines.
  Session(Session const& other)
      : SessionProblem(other), SessionPlace(other), SessionAnswer(other) {}
  /// For a solve on a thread of its own, beside `other`, whose form is that of its problem.
  Session(Session const& other, SharesProblem shares);

  std::unique_ptr<Engine> engine;
  std::unique_ptr<Barrier> barrier;  ///< made where it is first asked for
  std::vector<int> barrierDevices;   ///< where it is; empty: on the host
  /// The engine of a device that has nothing to do: the present problem's proof was made elsewhere.
  std::unique_ptr<Engine> idleDevice;
  EngineOptions idleOptions;    ///< those that it was made with
  bool placed = false;          ///< the engine holds the basis with the present bounds and costs
  bool cold = false;            ///< the solve at work began at slacks
  bool formGiven = false;       ///< for the next engine: form is that of the problem already
  double unrounded = infinity;  ///< Origin::unrounded of what the solve at work has come to

  /// Replaces the problem; the engine stays for it.
  void load(LinearProgram problem);
  bool onDevice() const { return engine && kind == EngineKind::device; }
  /// The engine as one that keeps bases; null: there is none.
  BasisStore* store() const { return engine && loaded ? engine->as<BasisStore>() : nullptr; }
  /// The engine with the present basis. Throws std::logic_error where it holds another.
  Engine& tableau() const;
  History history() const;
  /// How the next solve goes.
  Plan plan(Options const& options) const { return planFor(shapeOf(lp), options, history()); }
  bool engineFits(Options const& options) const;
  /// Makes an engine have the problem as it is now.
  void prepare(Call const& call);
  /// The CUDA devices of a solve by several.
  std::vector<int> devices(Options const& options) const {
    return devicesLeft.empty() ? devicesOf(options) : devicesLeft;
  }
  /// The result of `work`, which finds the engine prepared. Where a device is lost in the middle
  /// of it, it is begun again on one of the others, or on the host. After any other exception the
  /// engine is given up: whatever it holds, it is not what the next solve expects.
  template <class Work>
  auto withEngine(Call const& call, Work const& work);
  /// Does `work` while the engine polls the budget. False: it ended in the middle, and the engine
  /// is forgotten.
  template <class Work>
  bool watched(Budget const& budget, Work const& work);
  /// From now on the problem has these devices, or the host; `reason` is a message without its full
  /// stop.
  void keepDevices(std::vector<int> left, std::string const& reason, Call const& call);
  /// Gives the engine of a device, if there is one, to another problem.
  void lendDevice(Session& other);
  /// Takes what a session of the same problem has come to, with its engine.
  void takeOver(Session& other);
  /// After rows or columns came or went; `lp` has the change already.
  void reshaped(Reshape const& change);
  /// The engine stays, but what it holds is not the problem any more.
  void unload();
  void forgetEngine();

 private:
  bool engineServes(Options const& options) const;
  bool suits(Plan const& next) const;
  void makeEngine(Call const& call);
  void makeForm(Options const& options);
  /// Has the engine of a device load the form, if there is a device.
  void loadOnDevice(Call const& call);
  bool opens(int device, Options const& options) const;
  /// Goes on with one of several devices that still opens, or without. Throws DeviceLost.
  void loseDevice(std::string const& reason, Call const& call);
};

/// closeEnclosure (enclosure.hpp) for an optimum of the session's problem.
void close(Session& session, Budget const& budget, Solution& solution);
/// A solve, by way of a smaller problem where that pays or is asked for; see Solver::solve.
Solution solve(Session& session, Call const& call);
/// Attempts until a status is proved or a limit is reached, in the problem itself.
Solution solveDirectly(Session& session, Call const& call);
/// One run of the simplex method or of the interior point method, from the present basis; the
/// engine is prepared.
Solution attempt(Session& session, Call const& call);
/// The same by several algorithms at once, each a session of its own; the first to prove a status
/// is the session's (race.cpp). The engine is prepared.
Solution race(Session& session, Call const& call);
/// The run by the interior point method, pivots behind it; nothing where there are only pivots to
/// be made.
std::optional<Solution> attemptWithBarrier(Session& session, Call const& call);
/// Drops the caller's point where its residuals say that it is of no use, with a notice.
void judgeStart(Session& session, Call const& call);
/// The run from the caller's point, which is used up; nothing where there is none.
std::optional<Solution> attemptFromPoint(Session& session, Call const& call);
/// Pivots from the present basis; `inside` may be a point inside to begin at.
Solution pivot(Session& session, Call const& call, InteriorStart const& inside);
/// Makes the engine hold the present basis, with the present bounds and costs. Where the budget
/// ends before, there is no tableau.
void place(Session& session, Call const& call);
/// The same without asking whether it does already; the engine is prepared. In `watched`.
void placeBasis(Session& session, Call const& call);

/// Goes on from a solve that ended without a status, with the engine that has more digits. Counts
/// are those of both together.
Solution finishPrecisely(Session& session, Solution&& before, Call const& call);
/// The solution of the present basis where it is optimal as it stands, without a pivot: an engine
/// in double precision may not be able to hold it. Nothing where it is that of the slacks or is not
/// optimal.
std::optional<Solution> confirmStart(Session& session, Call const& call);

/// What the parts of a solve before the present one took.
struct Spent {
  double seconds = 0.0;
  std::int64_t iterations = 0, phase1 = 0;

  void add(Solution const& part);
  /// Makes the last part's solution tell of all.
  void addTo(Solution& last) const;
};
/// Callbacks for a later part, which hear of the solve as a whole: seconds and pivots count from
/// its beginning. `callbacks` are copied.
Callbacks callbacksAfter(Spent const& spent, Callbacks const& callbacks);

bool isSlackBasis(Basis const& basis);

template <class Work>
bool Session::watched(Budget const& budget, Work const& work) {
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
auto Session::withEngine(Call const& call, Work const& work) {
  for (;;) {
    prepare(call);
    try {
      return work();
    } catch (EngineUnavailable const& e) {
      if (!onDevice()) throw;
      loseDevice(e.what(), call);
    } catch (...) {
      forgetEngine();
      throw;
    }
  }
}

}  // namespace osi_cuda
