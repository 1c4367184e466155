// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/many_run.hpp"
#include "osi_cuda/batch/start_pool.hpp"
#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/batch/variant_enclosures.hpp"
#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/batch/variant_pool.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/proof/formulas.hpp"
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

/// How often a variant goes on that outgrows its factors.
constexpr int mostTurns = 12;

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
  StartPool starts;
  std::size_t startBytes = 0;  ///< of that pool; 0: there is none yet
  std::atomic<bool> stop{false};

  /// The bits of the common basis.
  std::vector<StartPool::Word> commonBits() const {
    std::vector<VariableStatus> const all = statusesOf(lp, basis);
    std::vector<StartPool::Word> bits(2 * StartPool::wordsOf(all.size()));
    auto const columns = std::span(all).first(at(lp.columns()));
    StartPool::write(columns, std::span(all).subspan(columns.size()), bits);
    return bits;
  }
  void keepStarts(BatchVariants const& variants, int threads, std::size_t bytes,
                  BatchTargets const& answers, BatchResults& results);

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

/// Keeps the bases of the answers, in the order of the variants.
void VariantSolver::State::keepStarts(BatchVariants const& variants, int threads, std::size_t bytes,
                                      BatchTargets const& answers, BatchResults& results) {
  if (startBytes != bytes)
    starts = StartPool(at(lp.columns()) + at(lp.rows()), bytes, starts.next());
  startBytes = bytes;
  std::size_t const count = variants.count(), each = 2 * starts.words();
  results.start.resize(count);
  std::vector<StartPool::Word> bits(count * each);
  auto const kept = [&](std::size_t k) {
    return results.status[k] == BatchStatus::optimal ||
           results.status[k] == BatchStatus::iterationLimit;
  };
  constexpr std::size_t piece = 256;
  runWorkers(threads, (count + piece - 1) / piece, [&](std::size_t p, int) {
    for (std::size_t k = p * piece; k < std::min(count, (p + 1) * piece); ++k)
      if (kept(k))
        StartPool::write(pieceOf<VariableStatus>(answers.columnStatus, answers.columnStart, k),
                         pieceOf<VariableStatus>(answers.rowStatus, answers.rowStart, k),
                         std::span(bits).subspan(k * each, each));
  });
  for (std::size_t k = 0; k < count; ++k) {
    std::int64_t const from = variants.start.empty() ? -1 : variants.start[k];
    results.start[k] = kept(k) ? starts.keep(from, std::span(bits).subspan(k * each, each)) : from;
  }
}

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
        list_(listed(state, variants, threads())),
        factors_(options.factors > 0 ? std::min(options.factors, mostFactors) : usualFactors),
        givenFactors_(options.factors > 0),
        points_(options.points || options.enclosures),
        poolBytes_(options.poolBytes),
        settings_{settings(Pricing::devex)} {
    keepStopped_ = true;
    constexpr double rounding = 1e-9;
    double const beyond = rounding * (1.0 + std::fabs(options.cutoff));
    settings_.cutoff = options.cutoff + (state.lp.sense == Sense::maximize ? -beyond : beyond);
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
    if (!givenFactors_ && (list_.entering > 0 || pivots() > usualFactors))
      factors_ = std::max(state.factors, roomyFactors(list_.entering));
  }

  std::size_t pooled() const { return pool_ ? pool_->hits() : 0; }

 private:
  void prepare(DeviceMany& device) override { device.setBase(state_.lp, state_.basis); }
  double solveOn(DeviceMany& device, DeviceJob job) override {
    job.settings = settings_;
    // What has outgrown its factors goes on from where it came to, or, where that is not known,
    // begins again with more of them; the ordinary solver would be far slower.
    bool const limited = options_.iterationLimit != Options().iterationLimit;
    bool const goesOn = points_ && !stays() && !limited;
    int const turns = givenFactors_ ? 1 : goesOn ? mostTurns : 2;
    int const shorter = std::min(state_.lp.rows(), state_.lp.columns());
    auto const gone = std::move(job.goneBy);
    std::size_t const all = job.chosen.size();
    std::vector<std::size_t> outgrown;
    std::vector<std::int32_t> spent(all, 0);  // by outgrown
    VariantList own, *list = &list_;
    int factors = factors_, entering = list_.entering;
    double seconds = 0.0;
    for (int turn = 1;; ++turn) {
      std::size_t const before = all - job.chosen.size();
      job.goneBy = [&](std::size_t done) { return gone(before + done); };
      seconds +=
          device.solve(VariantJob{job, list, factors, variants_.arrays, variants_.infiniteFrom});
      std::vector<std::size_t> left;
      std::vector<std::int32_t> iterations;
      for (std::size_t t = 0; t < job.chosen.size(); ++t) {
        SmallReport& its = report(job.chosen[t]);
        bool const many = 2 * its.iterations > factors - entering;
        its.iterations += spent[t];
        if (its.end != BatchStatus::numerical || !many || turn == turns) continue;
        left.push_back(job.chosen[t]);
        iterations.push_back(its.iterations);
      }
      if (left.empty() || stop_) return seconds;
      outgrown = std::move(left);
      job.chosen = outgrown;
      spent.assign(outgrown.size(), 0);
      if (!goesOn) {
        factors = moreFactors;
        continue;
      }
      spent = std::move(iterations);
      entering = std::min(shorter, entering + factors);
      factors = roomyFactors(entering);
      own = continued(outgrown);
      list = &own;
    }
  }
  static VariantList listed(State const& state, BatchVariants const& variants, int threads) {
    if (variants.start.empty()) return listVariants(state.lp, variants, threads);
    std::vector<StartPool::Word> const common = state.commonBits();
    return listVariants(state.lp, variants, threads, &state.starts,
                        std::span(common).first(common.size() / 2));
  }
  /// The same variants, from where their pivots have ended.
  VariantList continued(std::vector<std::size_t> const& chosen) {
    VariantList own;
    own.tasks.resize(list_.tasks.size());
    std::vector<StartPool::Word> const common = state_.commonBits();
    for (std::size_t const k : chosen) {
      VariantChanges const changes = list_.changes(k);
      VariantTask& task = own.tasks[k] = list_.tasks[k];
      task.firstCoefficient = static_cast<std::int64_t>(own.coefficients.size());
      own.coefficients.insert(own.coefficients.end(), changes.coefficients,
                              changes.coefficients + 2 * changes.coefficientCount);
      if (variants_.arrays.empty()) {
        task.firstNumber = static_cast<std::int64_t>(own.numbers.size());
        own.numbers.insert(own.numbers.end(), changes.numbers,
                           changes.numbers + changes.numberCount);
      }
      AnswerTarget const target = targetOf(k);
      std::vector<StartPool::Word> bits(common.size());
      StartPool::write({target.columnStatus, at(state_.lp.columns())},
                       {target.rowStatus, at(state_.lp.rows())}, bits);
      own.begin(k, bits, std::span(common).first(common.size() / 2));
    }
    return own;
  }
  /// As many as each may make, as far as there is always room for them.
  int pivots() const {
    return static_cast<int>(std::min<std::int64_t>(
        options_.iterationLimit != Options().iterationLimit ? options_.iterationLimit : 0,
        2 * usualFactors));
  }
  /// Room for starts and their work, and for as many pivots from there as from the common basis.
  int roomyFactors(int entering) const {
    constexpr int work = 3 * startPivots;
    int const wanted = entering + std::max({usualFactors, entering + work, pivots()});
    return std::min(mostFactors, (wanted + 31) / 32 * 32);
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
    if (pool_) {
      VariantPool::Turn const turn = pool_->turn(k, worker);
      if (!changes.start)
        return {pool_->solve(turn, k, solver, changes, settings_, targetOf(k)), &solver.memory()};
    }
    solver.use(state_.host->view());  // a call with a pool may have left another basis
    return {solver.solve(changes, settings_, targetOf(k)), &solver.memory()};
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
  int factors_;
  bool const givenFactors_;
  bool const points_;
  std::size_t const poolBytes_;
  VariantPool* pool_ = nullptr;  ///< where threads use it
  VariantSettings settings_;
  std::vector<std::size_t> untouched_;  ///< that no team has seen, ascending
};

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

void VariantSolver::takeStarts(VariantSolver& other, std::span<int const> columns) {
  state_->startBytes = other.state_->startBytes;
  state_->starts = std::move(other.state_->starts);
  if (state_->startBytes > 0)
    state_->starts.renumber(columns, at(other.problem().columns()), at(problem().rows()));
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
  next->starts = StartPool(0, 0, state_->starts.next());  // handles of another problem stay dead
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
  if (options.keepStarts && (options.there.objective || !options.points))
    throw std::invalid_argument("starts are kept of bases on the host, where points are wanted");
  if (options.enclosures && options.there.objective)
    throw std::invalid_argument("enclosures are formed on the host, where the answers have to be");
  if (!variants.arrays.empty() && !state.stayThere(variants, options)) {
    PackedVariants const here(state.lp, variants, 0, variants.count());
    BatchVariants view = here.view();
    view.start = variants.start;
    return solve(view, options, results, callbacks);
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
  if (options.keepStarts)
    state.keepStarts(variants, run.threads(), options.startBytes, run.targets(), results);
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
