// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/common_basis.hpp"
#include "osi_cuda/batch/many_run.hpp"
#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/batch/variant_pool.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/proof/assessment.hpp"
#include "osi_cuda/proof/formulas.hpp"
#include "osi_cuda/solve/extras.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda {
namespace {

using namespace batch;

constexpr int mostFactors = 1 << 16;

/// Tableaus of so many cells are kept whatever the problem looks like: they lie in a cache.
constexpr std::int64_t alwaysTableau = 2'000'000;
/// Larger ones than this (4 GB) are nobody's: each variant goes to the ordinary solver.
constexpr std::int64_t neverTableau = 500'000'000;
/// Variants of problems with so many times the cells of a first solve on a device that outgrow
/// their factors there go on there.
constexpr double worthWholeDevice = 1.2;

/// Seconds that a proof of a variant in rational arithmetic is expected to take at most, and may.
constexpr double worthExact = 0.05, mostExact = 2.0;

}  // namespace

struct VariantSolver::State {
  LinearProgram lp;
  Basis basis;
  std::unique_ptr<HostVariantBase> host;
  std::unique_ptr<VariantPool> pool;
  std::size_t poolBytes = 0;                                ///< of that pool
  int factors = 0;                                          ///< of those solvers
  std::vector<std::unique_ptr<VariantHostSolver>> solvers;  ///< by worker
  KeptDevices devices;
  std::optional<int> copiedOn;  ///< the device with the copy that variants begin at
  std::atomic<bool> stop{false};

  std::int64_t cells() const { return std::int64_t{lp.rows()} * lp.columns(); }
  Machine const& machine() const { return machineFor(static_cast<double>(cells())); }
  /// Whether arrays of these variants may stay on their device. Bounds that cross in the problem
  /// itself are what the host knows to look for.
  bool stayThere(BatchVariants const& variants, VariantOptions const& options) const {
    bool const simple = std::ranges::all_of(variants.changes, [](VariantChange const& change) {
      return change.what == VariantChange::What::coefficient;
    });
    auto const fit = [](std::vector<double> const& lower, std::vector<double> const& upper) {
      return std::ranges::equal(lower, upper,
                                [](double a, double b) { return !proof::boundsCross(a, b); });
    };
    return variants.device >= 0 && simple && canShare() && !options.enclosures &&
           options.engine != EngineChoice::host && fit(lp.columnLower, lp.columnUpper) &&
           fit(lp.rowLower, lp.rowUpper);
  }
  /// Whether variants can share a tableau. Sums that the verifier bounds have 2^20 terms at most.
  bool canShare() const {
    return cells() > 0 && std::int64_t{lp.rows()} + lp.columns() <= std::int64_t{1} << 20;
  }
  /// Whether the processor does well to keep the tableau.
  bool tableauServes() const {
    if (!canShare() || cells() > neverTableau) return false;
    return cells() <= alwaysTableau || !factorsServe();
  }
  bool mayGoOnThere() const {
    return static_cast<double>(cells()) >= worthWholeDevice * deviceCells(machine());
  }
  bool factorsServe() const {
    return factorsAreFaster(machine(), lp.rows(), lp.columns(),
                            static_cast<double>(lp.matrix.nonzeros()));
  }
};

namespace {

/// One call of VariantSolver::solve.
template <class State>
class VariantRun final : public ManyRun {
 public:
  VariantRun(State& state, BatchVariants const& variants, VariantOptions const& options,
             BatchResults& results, BatchCallbacks const& callbacks)
      : ManyRun(options, results, callbacks, state.stop),
        state_(state),
        variants_(variants),
        list_(listVariants(state.lp, variants)),
        factors_(options.factors > 0 ? std::min(options.factors, mostFactors) : usualFactors),
        points_(options.points || options.enclosures),
        poolBytes_(options.poolBytes),
        settings_{settings(Pricing::devex)} {
    keepStopped_ = true;
    finishes_ = options.finish;
    settings_.tolerated =
        std::max(settings_.accepted, std::min(options.primalTolerance, options.dualTolerance));
    std::size_t const n = points_ ? at(state.lp.columns()) : 0;
    std::size_t const m = points_ ? at(state.lp.rows()) : 0;
    open(
        variants.count(), [&](std::size_t) { return n; }, [&](std::size_t) { return m; });
    for (std::size_t k = 0; k < variants.count(); ++k) {
      if (list_.end[k] == BatchStatus::numerical) continue;
      report(k).end = list_.end[k];
      if (list_.end[k] == BatchStatus::infeasible && points_)
        addCertificate(k, {});  // bounds that cross are the proof
    }
    settle([&](std::size_t k) { return list_.end[k] != BatchStatus::numerical; });
    results.notes = list_.notes;
  }

  std::size_t pooled() const { return pool_ ? pool_->hits() : 0; }

 private:
  void prepare(DeviceMany& device) override { device.setBase(state_.lp, state_.basis); }
  double solveOn(DeviceMany& device, DeviceJob job) override {
    job.settings = settings_;
    auto const jobOf = [this](DeviceJob part, int factors) {
      return VariantJob{std::move(part), &list_, factors, variants_.arrays, variants_.infiniteFrom};
    };
    double const seconds = device.solve(jobOf(job, factors_));
    std::vector<std::size_t> outgrown;  // begin again, which the ordinary solver does far slower
    for (std::size_t const k : job.chosen)
      if (report(k).end == BatchStatus::numerical && 2 * report(k).iterations > factors_)
        outgrown.push_back(k);
    if (outgrown.empty() || factors_ != usualFactors) return seconds;
    std::size_t const before = job.chosen.size() - outgrown.size();
    job.chosen = outgrown;
    job.goneBy = [gone = std::move(job.goneBy), before](std::size_t done) {
      return gone(before + done);
    };
    return seconds + device.solve(jobOf(std::move(job), moreFactors));
  }

  bool makeSolvers() override {
    if (!variants_.arrays.empty())
      throw EngineUnavailable("the device that arrays lie on does not solve their variants");
    if (!state_.tableauServes()) {  // all that is left is for the ordinary solver
      untouched_ = left();
      for (std::size_t const k : untouched_) report(k).end = BatchStatus::numerical;
      return false;
    }
    try {
      if (!state_.host)
        state_.host = std::make_unique<HostVariantBase>(state_.lp, state_.basis, threads(),
                                                        [&] { return wantsToStop(); });
    } catch (Interrupted const&) {
      return false;
    }
    if (state_.factors != factors_) state_.solvers.clear();
    state_.factors = factors_;
    while (state_.solvers.size() < at(threads()))
      state_.solvers.push_back(
          std::make_unique<VariantHostSolver>(stop_, state_.host->view(), factors_));
    if (poolBytes_ == 0) return true;
    if (!state_.pool || state_.poolBytes != poolBytes_)
      state_.pool = std::make_unique<VariantPool>(state_.lp, *state_.host, poolBytes_);
    state_.poolBytes = poolBytes_;
    pool_ = state_.pool.get();
    pool_->begin(left(), threads(), stop_);
    return true;
  }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t k, int worker) override {
    VariantHostSolver& solver = *state_.solvers[at(worker)];
    VariantChanges const changes = list_.changes(k);
    if (!pool_) {
      solver.use(state_.host->view());  // a call with a pool may have left another basis
      return {solver.solve(changes, settings_, targetOf(k)), &solver.memory()};
    }
    VariantPool::Turn const turn = pool_->turn(k, worker);
    return {pool_->solve(turn, k, solver, changes, settings_, targetOf(k)), &solver.memory()};
  }

  /// Where a device has the problem, one after the other there; sparse ones side by side on
  /// threads.
  EngineChoice engineOfRest(bool deviceServed) const override {
    bool const whole = deviceServed && state_.mayGoOnThere() && !state_.factorsServe();
    return whole ? EngineChoice::cuda : EngineChoice::host;
  }
  LinearProgram problemOf(std::size_t k) const override {
    if (variants_.arrays.empty()) return applied(state_.lp, changesOf(variants_, k));
    return applied(state_.lp, PackedVariants(state_.lp, variants_, k, k + 1).changes);
  }
  Basis basisOf(std::size_t k) const override {
    bool const untouched = std::binary_search(untouched_.begin(), untouched_.end(), k);
    bool const known = points_ && !untouched && !stays();
    return known ? basisIn(targets(), k) : state_.basis;
  }

  State& state_;
  BatchVariants const& variants_;
  VariantList list_;
  int const factors_;
  bool const points_;
  std::size_t const poolBytes_;
  VariantPool* pool_ = nullptr;  ///< where threads use it
  VariantSettings settings_;
  std::vector<std::size_t> untouched_;  ///< that no team has seen, ascending
};

/// Closes an end that the solution's multipliers leave infinite: by bounds that rows imply, and for
/// unbounded basic variables, whose reduced costs are rounding, by factors of an optimal basis.
void close(LinearProgram const& lp, Basis const* optimal, std::atomic<bool> const& stop,
           Solution& solution) {
  StandardForm const form = makeStandardForm(lp, false);
  std::unique_ptr<Engine> engine;
  if (optimal) {
    EngineOptions options;
    options.threads = 1;
    engine = makeFactoredEngine(options);
    settleBasis(*engine, form, lp, *optimal);
  }
  Budget const budget(infinity, Budget::unlimitedIterations, [&] { return stop.load(); });
  closeEnclosure(lp, form, engine.get(), budget, solution);
}

/// Fills results.enclosure of `answers`, by several threads, until `stop`.
void enclose(LinearProgram const& lp, BatchVariants const& variants, int threads,
             std::atomic<bool> const& stop, BatchTargets const& answers, BatchResults& results) {
  std::vector<std::optional<LinearProgram>> own(at(threads));  // by worker
  results.enclosure.assign(variants.count(), {});
  runWorkers(threads, variants.count(), [&](std::size_t k, int worker) {
    ObjectiveEnclosure& enclosure = results.enclosure[k];
    BatchStatus const status = results.status[k];
    bool const isMax = lp.sense == Sense::maximize;
    double const none = isMax ? -infinity : infinity;  // of no point
    if (status == BatchStatus::infeasible) return void(enclosure = {none, none});
    if (status == BatchStatus::unbounded) return void(enclosure = {-none, -none});
    if (status == BatchStatus::invalid) return;
    std::span<VariantChange const> const changes = changesOf(variants, k);
    bool const numbersOnly = std::ranges::none_of(
        changes, [](VariantChange const& c) { return c.what == VariantChange::What::coefficient; });
    std::optional<LinearProgram>& mine = own[at(worker)];
    mine = applied(mine ? std::move(*mine) : lp, changes);
    auto const x = pieceOf<double>(answers.x, answers.columnStart, k),
               y = pieceOf<double>(answers.y, answers.rowStart, k);
    Solution solution;
    solution.columnValues.assign(x.begin(), x.end());
    solution.rowDuals.assign(y.begin(), y.end());
    ObjectiveEnclosure& found = solution.objectiveEnclosure;
    double const& end = isMax ? found.upper : found.lower;
    found = proof::assess(*mine, solution).enclosure;
    if (std::isinf(end)) close(*mine, nullptr, stop, solution);
    if (std::isinf(end) && status == BatchStatus::optimal) {
      Basis const basis = basisIn(answers, k);
      close(*mine, &basis, stop, solution);
      // Free columns that no row bounds by itself want reduced costs of exactly 0.
      if (std::isinf(end) && exactShapeOf(*mine, basis, worthExact).seconds <= worthExact) {
        Options options;
        options.engine = EngineChoice::host;
        options.threads = 1;
        options.exact = Toggle::on;
        options.timeLimit = mostExact;
        Callbacks callbacks;
        callbacks.interrupted = [&] { return stop.load(); };
        solution.status = Status::optimal;
        solution.basis = basis;
        proveExactly(*mine, options, callbacks, solution);  // with its enclosure
      }
    }
    enclosure = found;
    if (!numbersOnly) return mine.reset();
    std::vector<VariantChange> back(changes.begin(), changes.end());
    for (VariantChange& change : back) change.value = numberOf(lp, change.what, at(change.index));
    mine = applied(std::move(*mine), back);
  });
}

}  // namespace

VariantSolver::VariantSolver(LinearProgram problem, Basis basis)
    : state_(std::make_unique<State>()) {
  if (std::string const fault = findFault(problem); !fault.empty())
    throw std::invalid_argument(fault);
  state_->lp = std::move(problem);
  state_->lp.matrix.makeSparse();  // teams go by lines of entries
  state_->basis = std::move(basis);
}
VariantSolver::~VariantSolver() = default;
VariantSolver::VariantSolver(VariantSolver&&) noexcept = default;
VariantSolver& VariantSolver::operator=(VariantSolver&&) noexcept = default;

LinearProgram const& VariantSolver::problem() const {
  return state_->lp;
}

bool VariantSolver::beginAt(Solver const& solver) {
  PlacedEngine const from = solver.deviceEngine();
  if (!from.engine) return false;
  auto next = std::make_unique<State>();
  next->lp = solver.problem();
  next->lp.matrix.makeSparse();
  if (!next->canShare()) return false;
  next->basis = solver.basis();
  next->copiedOn = from.device;
  bool const known = state_->devices.contains({from.device, 0});
  if (known) next->devices = std::move(state_->devices);
  std::unique_ptr<DeviceMany>& device = next->devices[{from.device, 0}];
  if (!known) device = makeCudaMany(from.device);
  device->setBase(next->lp, from, known && next->lp.matrix == state_->lp.matrix);
  state_ = std::move(next);
  return true;
}

void VariantSolver::solve(BatchVariants const& variants, VariantOptions const& options,
                          BatchResults& results, BatchCallbacks const& callbacks) {
  if (std::string const fault = findFault(variants); !fault.empty())
    throw std::invalid_argument(fault);
  State& state = *state_;
  if (options.enclosures && options.there.objective)
    throw std::invalid_argument("enclosures are formed on the host, where the answers have to be");
  if (!variants.arrays.empty() && !state.stayThere(variants, options)) {
    PackedVariants const here(state.lp, variants, 0, variants.count());
    return solve(here.view(), options, results, callbacks);
  }
  VariantOptions there = options;
  if (state.copiedOn) {
    there.engine = EngineChoice::cuda;
    there.device = *state.copiedOn;
    there.devices.clear();
  }
  VariantRun run(state, variants, there, results, callbacks);
  results.relaxed = relaxedIn(state.lp);
  Machine const& machine =
      machineFor(static_cast<double>(state.cells()) * static_cast<double>(variants.count()));
  double const seconds = static_cast<double>(variants.count()) *
                         variantSeconds(machine, state.lp.rows(), state.lp.columns()) /
                         run.threads();
  run.ManyRun::solve(state.canShare() ? &state.devices : nullptr,
                     variants.device >= 0 || options.there.objective ||
                         seconds > variantsWorthDevice(machine, !state.devices.empty()));
  results.pooled = run.pooled();
  if (options.enclosures)
    enclose(state.lp, variants, run.threads(), state.stop, run.targets(), results);
}

BatchResults solveVariants(LinearProgram const& problem, Basis const& basis,
                           BatchVariants const& variants, VariantOptions const& options,
                           BatchCallbacks const& callbacks) {
  BatchResults results;
  VariantSolver(problem, basis).solve(variants, options, results, callbacks);
  return results;
}

}  // namespace osi_cuda
