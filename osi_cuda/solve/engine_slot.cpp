// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/solve/engine_slot.hpp"

#include <future>
#include <stdexcept>
#include <utility>

namespace osi_cuda {

bool ProblemForm::refresh() {
  bool const stale = changedBounds.any() || costsChanged;
  refreshBounds(*form, lp, changedBounds);
  if (costsChanged) refreshCosts(*form, lp);
  changedBounds.clear();
  costsChanged = false;
  return !stale;
}

bool EngineSlot::isMadeFor(Options const& options) const {
  return engine && engineOptionsOf(options) == engineOptionsOf(engineOptions);
}

bool EngineSlot::serves(Options const& options) const {
  return loaded && options.scaling == engineOptions.scaling && isMadeFor(options);
}

Placement EngineSlot::asIs(Placement placement) const {
  if (!loaded) return placement;
  placement.device = kind == EngineKind::device;
  if (!placement.device) placement.factors = kind == EngineKind::factors;
  return placement;
}

// One that is shared stays as it is.
void EngineSlot::makeForm(Options const& options) {
  if (!std::exchange(formMade_, false))
    form = std::make_shared<StandardForm>(makeStandardForm(lp, options.scaling));
}

void EngineSlot::shareForm(Options const& options) {
  if (!loaded)
    makeForm(options);
  else if (!refresh())
    placed = false;
  changedBounds.clear();
  costsChanged = false;
}

void EngineSlot::takeEngine(EngineSlot& other) {
  engine = std::move(other.engine);
  barrier = std::move(other.barrier);
  barrierDevices = std::move(other.barrierDevices);
  placed = other.placed;
  pivotsSinceRefactor = other.pivotsSinceRefactor;
  form = std::move(other.form);
  static_cast<EngineFacts&>(*this) = other;
}

void EngineSlot::unload() {
  loaded = placed = false;
  pivotsSinceRefactor = 0;
}

void EngineSlot::forgetEngine() {
  engine.reset();
  barrier.reset();
  unload();
}

void EngineSlot::prepare(Options const& options, Placement& placement, Run& run) {
  std::string const fault = findFault(options);
  if (!fault.empty()) throw std::invalid_argument(fault);
  if (!fits(options, placement)) makeEngine(options, placement, run);
  if (!refresh()) placed = false;
}

void EngineSlot::makeEngine(Options const& options, Placement& placement, Run& run) {
  Run::Scope const scope(run, SolveStage::load);
  bool const decides = options.engine == EngineChoice::automatic && !deviceLost;
  std::string const cause = decides ? causeOfPlace(placement, shapeOf(lp)) : "";
  if (!cause.empty()) run.notice((placement.device ? "engine cuda: " : "engine host: ") + cause);
  unload();
  if (!isMadeFor(options) || onDevice() != placement.device) engine.reset();
  if (placement.device)
    loadOnDevice(options, placement, run);
  else
    makeForm(options);
  if (!onDevice()) {
    EngineKind const asked = placement.onProcessor();
    if (!engine || kind != asked)
      engine =
          (asked == EngineKind::factors ? makers.factored : makers.host)(engineOptionsOf(options));
    kind = asked;
    engine->load(*form);
  }
  engineOptions = options;
  loaded = true;
  changedBounds.clear();
  costsChanged = false;
}

void EngineSlot::loadOnDevice(Options const& options, Placement& placement, Run& run) {
  EngineOptions wanted = engineOptionsOf(options);
  if (!devicesLeft.empty()) wanted.device = devicesLeft.front();
  if (!engine && idleDevice && idleOptions == wanted) engine = std::move(idleDevice);
  idleDevice.reset();
  std::future<std::unique_ptr<Engine>> opening;  // takes a while, on a thread of its own
  std::shared_future<std::string> said;
  if (!engine) {
    said = std::async(std::launch::async, makers.translation, wanted.device).share();
    opening = std::async(std::launch::async, [this, wanted, said] {
      said.wait();
      return makers.device(wanted);
    });
  }
  makeForm(options);
  if (said.valid() && !said.get().empty()) run.notice(said.get());
  bool opened = engine != nullptr;
  try {
    if (!engine) engine = opening.get();
    opened = true;
    kind = EngineKind::device;
    engine->load(*form);
    deviceServed = true;
    if (options.engine == EngineChoice::automatic)
      run.notice(std::string("engine ") + toString(engine->traits().name) + ": " +
                 engine->traits().device);
  } catch (EngineUnavailable const& e) {
    engine.reset();
    // Where it still opens, it only had too little memory.
    if (deviceServed || (opened && !opens(firstDevice(options), options))) {
      loseDevice(e.what(), options, run);
      if (!deviceLost) return loadOnDevice(options, placement, run);
    } else if (isDevice(options.engine)) {
      throw;
    } else {
      noDevice = true;
      run.notice(std::string("engine host: ") + e.what());
    }
    placement.device = false;
  }
}

bool EngineSlot::opens(int device, Options const& options) const {
  EngineOptions wanted = engineOptionsOf(options);
  wanted.device = device;
  try {
    return makers.device(wanted) != nullptr;
  } catch (EngineUnavailable const&) {
    return false;
  }
}

void EngineSlot::loseDevice(std::string const& reason, Options const& options, Run const& run) {
  std::vector<int> const had = devices(options);
  std::vector<int> left;
  forgetEngine();
  // A kernel that fails ends CUDA for the whole process; where memory ran out, say, one opens.
  for (int const device : had)
    if (had.size() > 1 && left.empty() && opens(device, options)) left = {device};
  if (left.empty() && options.deviceLoss == DeviceLoss::stop) throw DeviceLost(reason);
  deviceLost = left.empty();
  keepDevices(std::move(left), reason, run);
}

void EngineSlot::keepDevices(std::vector<int> left, std::string const& reason, Run const& run) {
  std::string text;
  for (int const device : left)
    text += (text.empty() ? "--devices " : ",") + std::to_string(device);
  devicesLeft = std::move(left);
  run.notice(reason + "; continuing with " + (text.empty() ? "engine host" : text));
}

void EngineSlot::lendDevice(EngineSlot& other) {
  if (onDevice()) {
    other.idleDevice = std::move(engine);
    other.idleOptions = engineOptionsOf(engineOptions);
    unload();
  } else if (idleDevice) {
    other.idleDevice = std::move(idleDevice);
    other.idleOptions = idleOptions;
  }
}

}  // namespace osi_cuda
