// SPDX-License-Identifier: EPL-2.0
// The engine of a session: which one it is, what it holds, and what happens when it is lost.
#include "osi_cuda/solve/session.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include "osi_cuda/base/stopwatch.hpp"

namespace osi_cuda {

namespace {

int coreCount() {
  static int const cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return cores;  // to ask takes microseconds
}

}  // namespace

bool isSlackBasis(Basis const& basis) {
  return std::ranges::all_of(basis.rows,
                             [](VariableStatus row) { return row == VariableStatus::basic; });
}

bool SessionProblem::refresh() {
  bool const stale = changedBounds.any() || costsChanged;
  refreshBounds(*form, lp, changedBounds);
  if (costsChanged) refreshCosts(*form, lp);
  changedBounds.clear();
  costsChanged = false;
  return !stale;
}

void Session::load(LinearProgram problem) {
  lp = std::move(problem);
  basis = {};
  start = {};
  deviceServed = deviceLost = noDevice = solvedBefore = false;
  devicesLeft.clear();
  resumed = {};
  unload();
}

Engine& Session::tableau() const {
  if (!placed || !engine || changedBounds.any() || costsChanged)
    throw std::logic_error("there is no tableau: prepareTableau was not called");
  return *engine;
}

History Session::history() const {
  History known;
  known.slackStart = isSlackBasis(basis);
  known.solvedBefore = solvedBefore;
  if (loaded && engine) known.holds = kind;
  known.resumed = resumed;
  known.deviceHeld = idleDevice || kind == EngineKind::device;
  known.deviceOpen = known.deviceHeld || makers.deviceWasOpened();
  known.deviceLost = deviceLost;
  known.noDevice = noDevice;
  known.hasFactors = static_cast<bool>(makers.factored);
  known.cores = coreCount();
  known.hasPresolve = static_cast<bool>(makers.presolve);
  return known;
}

bool Session::engineServes(Options const& options) const {
  return engine && engineOptionsOf(options) == engineOptionsOf(engineOptions);
}

bool Session::engineFits(Options const& options) const {
  if (!loaded || options.scaling != engineOptions.scaling || !engineServes(options)) return false;
  return suits(plan(options));
}

bool Session::suits(Plan const& next) const {
  return kind == (next.device ? EngineKind::device : next.onProcessor());
}

// One that is shared stays as it is.
void Session::makeForm(Options const& options) {
  if (!std::exchange(formGiven, false))
    form = std::make_shared<StandardForm>(makeStandardForm(lp, options.scaling));
}

Session::Session(Session const& other, SharesProblem shares)
    : SessionProblem(other, shares), SessionPlace(other), SessionAnswer(other) {
  cold = other.cold;
  formGiven = true;
  unload();
}

void Session::takeOver(Session& other) {
  engine = std::move(other.engine);
  barrier = std::move(other.barrier);
  barrierDevices = std::move(other.barrierDevices);
  placed = other.placed;
  form = std::move(other.form);
  static_cast<SessionPlace&>(*this) = other;
  static_cast<SessionAnswer&>(*this) = other;
}

void Session::unload() {
  loaded = placed = false;
  pivotsSinceRefactor = 0;
}

void Session::forgetEngine() {
  engine.reset();
  barrier.reset();
  unload();
}

void Session::prepare(Call const& call) {
  std::string const fault = findFault(call.options);
  if (!fault.empty()) throw std::invalid_argument(fault);
  if (!engineFits(call.options)) makeEngine(call);
  if (!refresh()) placed = false;
}

void Session::makeEngine(Call const& call) {
  Options const& options = call.options;
  Plan const next = plan(options);
  bool const decides = options.engine == EngineChoice::automatic && !deviceLost;
  std::string const cause = decides ? causeOfPlace(next, shapeOf(lp), history()) : "";
  if (!cause.empty()) call.notice((next.device ? "engine cuda: " : "engine host: ") + cause);
  unload();
  if (!engineServes(options) || onDevice() != next.device) engine.reset();
  if (next.device)
    loadOnDevice(call);
  else
    makeForm(options);
  if (!onDevice()) {
    EngineKind const asked = plan(options).onProcessor();
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

void Session::loadOnDevice(Call const& call) {
  EngineOptions wanted = engineOptionsOf(call.options);
  if (!devicesLeft.empty()) wanted.device = devicesLeft.front();
  if (!engine && idleDevice && idleOptions == wanted) engine = std::move(idleDevice);
  idleDevice.reset();
  std::future<std::unique_ptr<Engine>> opening;  // takes a while, on a thread of its own
  if (!engine)
    opening = std::async(std::launch::async, [this, wanted] { return makers.device(wanted); });
  makeForm(call.options);
  bool opened = engine != nullptr;
  try {
    if (!engine) engine = opening.get();
    opened = true;
    kind = EngineKind::device;
    engine->load(*form);
    deviceServed = true;
    if (call.options.engine == EngineChoice::automatic)
      call.notice("engine " + engine->traits().name + ": " + engine->traits().device);
  } catch (EngineUnavailable const& e) {
    engine.reset();
    // Where it still opens, it only had too little memory.
    if (deviceServed || (opened && !opens(firstDevice(call.options), call.options))) {
      loseDevice(e.what(), call);
      if (!deviceLost) loadOnDevice(call);
    } else if (isDevice(call.options.engine)) {
      throw;
    } else {
      noDevice = true;
      call.notice(std::string("engine host: ") + e.what());
    }
  }
}

bool Session::opens(int device, Options const& options) const {
  EngineOptions wanted = engineOptionsOf(options);
  wanted.device = device;
  try {
    return makers.device(wanted) != nullptr;
  } catch (EngineUnavailable const&) {
    return false;
  }
}

void Session::loseDevice(std::string const& reason, Call const& call) {
  std::vector<int> const had = devices(call.options);
  std::vector<int> left;
  forgetEngine();
  // A kernel that fails ends CUDA for the whole process; where memory ran out, say, one opens.
  for (int const device : had)
    if (had.size() > 1 && left.empty() && opens(device, call.options)) left = {device};
  if (left.empty() && call.options.deviceLoss == DeviceLoss::stop) throw DeviceLost(reason);
  deviceLost = left.empty();
  keepDevices(std::move(left), reason, call);
}

void Session::keepDevices(std::vector<int> left, std::string const& reason, Call const& call) {
  std::string text;
  for (int const device : left)
    text += (text.empty() ? "--devices " : ",") + std::to_string(device);
  devicesLeft = std::move(left);
  call.notice(reason + "; continuing with " + (text.empty() ? "engine host" : text));
}

void Session::lendDevice(Session& other) {
  if (onDevice()) {
    other.idleDevice = std::move(engine);
    other.idleOptions = engineOptionsOf(engineOptions);
    unload();
  } else if (idleDevice) {
    other.idleDevice = std::move(idleDevice);
    other.idleOptions = idleOptions;
  }
}

// The engine keeps its tableau where it can; where it can't, or where another kind of engine is
// the better one now, the next solve loads anew.
void Session::reshaped(Reshape const& change) {
  reshape(basis, change);
  start = {};
  placed = false;
  if (!engine || !loaded) return;
  auto* const edits = engine->as<TakesRowsAndColumns>();
  if (!edits || !suits(plan(engineOptions))) return unload();
  Stopwatch const watch;
  reshapeForm(*form, lp, change);
  changedBounds.clear();
  costsChanged = false;
  if (!edits->reshape(change, *form)) unload();
  ++resumed[onDevice()].reshapes;
  resumed[onDevice()].seconds += watch.seconds();
}

}  // namespace osi_cuda
