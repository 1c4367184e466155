// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/model/run.hpp"
#include "osi_cuda/model/standard_form.hpp"
#include "osi_cuda/simplex/limits.hpp"
#include "osi_cuda/solve/engine_makers.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/plan.hpp"

/// Which engine a problem has: opened, lent to another problem, lost with its device.
namespace osi_cuda {

/// The problem and its computational form, which is made for the first engine and kept: a change of
/// bounds or costs costs the next solve a few numbers, not a new tableau.
struct ProblemForm {
  ProblemForm() = default;
  ProblemForm(ProblemForm const& other)
      : given(std::make_shared<LinearProgram>(other.lp)),
        form(std::make_shared<StandardForm>(*other.form, lp)),
        changedBounds(other.changedBounds),
        costsChanged(other.costsChanged) {}

  std::shared_ptr<LinearProgram> given = std::make_shared<LinearProgram>();
  LinearProgram& lp = *given;
  /// Of lp. It stays where it is when an engine that has loaded it goes to another session.
  std::shared_ptr<StandardForm> form = std::make_shared<StandardForm>();
  ChangeSet changedBounds;  ///< variables whose bounds the form has not yet
  bool costsChanged = false;

  /// Makes the form agree with the problem's bounds and costs. False: it did.
  bool refresh();

 protected:
  /// Problem and form are the other's own, which nobody changes meanwhile.
  ProblemForm(std::shared_ptr<LinearProgram> problem, std::shared_ptr<StandardForm> itsForm)
      : given(std::move(problem)), form(std::move(itsForm)) {}
};

/// What is known of engines for the problem.
struct EngineFacts {
  EngineMakers makers;
  EngineKind kind = EngineKind::tableau;  ///< of the engine, or of the last one
  Options engineOptions;                  ///< those that the engine was made with
  bool loaded = false;                    ///< the engine has this problem
  bool deviceServed = false;     ///< a device has held this problem: it is there, or it was lost
  bool deviceLost = false;       ///< from then on the host serves, until another problem comes
  bool noDevice = false;         ///< that engine auto could have: not asked for again until then
  std::vector<int> devicesLeft;  ///< of several, since one was lost or had too little memory
};

/// A problem with its engine. A new problem of the same kind finds the engine with all it holds: a
/// device's context, handles of its libraries, memory.
struct EngineSlot : ProblemForm, EngineFacts {
  EngineSlot() = default;
  /// Without engines.
  EngineSlot(EngineSlot const& other) : ProblemForm(other), EngineFacts(other) {}

  std::unique_ptr<Engine> engine;
  std::unique_ptr<Barrier> barrier;  ///< made where it is first asked for
  std::vector<int> barrierDevices;   ///< where it is; empty: on the host
  /// The engine of a device that has nothing to do: the present problem's proof was made elsewhere.
  std::unique_ptr<Engine> idleDevice;
  EngineOptions idleOptions;  ///< those that it was made with
  bool placed = false;        ///< the engine holds the basis with the present bounds and costs
  std::int64_t pivotsSinceRefactor = 0;

  bool onDevice() const { return engine && kind == EngineKind::device; }
  /// The engine as one that keeps bases; null: there is none.
  BasisStore* store() const { return engine && loaded ? engine->as<BasisStore>() : nullptr; }
  /// Whether the engine has the problem in the form that the options ask for.
  bool serves(Options const& options) const;
  bool fits(Options const& options, Placement const& placement) const {
    return serves(options) && kind == placement.kind();
  }
  /// The placement by which the engine stays the one that it is, if there is one.
  Placement asIs(Placement placement) const;
  /// The CUDA devices of a solve by several.
  std::vector<int> devices(Options const& options) const {
    return devicesLeft.empty() ? devicesOf(options) : devicesLeft;
  }
  /// Makes an engine have the problem as it is now. Where there is no device, or none any more, the
  /// placement is on the processor afterwards.
  void prepare(Options const& options, Placement& placement, Run& run);
  /// Makes the form agree with the problem, for slots that share it. An engine that has the problem
  /// stays as it is.
  void shareForm(Options const& options);
  /// The result of `work`, which finds the engine prepared. Where a device is lost in the middle
  /// of it, it is begun again on one of the others, or on the host. After any other exception the
  /// engine is given up: whatever it holds, it is not what the next solve expects.
  template <class Work>
  auto withEngine(Options const& options, Placement& placement, Run& run, Work const& work);
  /// Does `work` while the engine polls the budget. False: it ended in the middle, and the engine
  /// is forgotten.
  template <class Work>
  bool watched(Budget const& budget, Work const& work);
  /// From now on the problem has these devices, or the host; `reason` is a message without its full
  /// stop.
  void keepDevices(std::vector<int> left, std::string const& reason, Run const& run);
  /// Gives the engine of a device, if there is one, to another problem.
  void lendDevice(EngineSlot& other);
  /// Takes the engine of the same problem, and what is known of it.
  void takeEngine(EngineSlot& other);
  /// The engine stays, but what it holds is not the problem any more.
  void unload();
  void forgetEngine();

 protected:
  /// A slot of its own for the problem of `other`, whose form is that of the problem already.
  struct Beside {};
  EngineSlot(EngineSlot const& other, Beside)
      : ProblemForm(other.given, other.form), EngineFacts(other), formMade_(true) {
    unload();
  }

 private:
  bool isMadeFor(Options const& options) const;
  void makeEngine(Options const& options, Placement& placement, Run& run);
  void makeForm(Options const& options);
  /// Has the engine of a device load the form, if there is a device.
  void loadOnDevice(Options const& options, Placement& placement, Run& run);
  bool opens(int device, Options const& options) const;
  /// Goes on with one of several devices that still opens, or without. Throws DeviceLost.
  void loseDevice(std::string const& reason, Options const& options, Run const& run);

  bool formMade_ = false;  ///< for the next engine
};

template <class Work>
bool EngineSlot::watched(Budget const& budget, Work const& work) {
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
auto EngineSlot::withEngine(Options const& options, Placement& placement, Run& run,
                            Work const& work) {
  for (;;) {
    prepare(options, placement, run);
    try {
      return work();
    } catch (EngineUnavailable const& e) {
      if (!onDevice()) throw;
      loseDevice(e.what(), options, run);
      placement.device = !deviceLost;
    } catch (...) {
      forgetEngine();
      throw;
    }
  }
}

}  // namespace osi_cuda
