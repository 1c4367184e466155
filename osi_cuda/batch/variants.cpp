// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variants.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "osi_cuda/batch/device_variants.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/result_book.hpp"
#include "osi_cuda/batch/variant_base.hpp"
#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/engine/pivot_seconds.hpp"
#include "osi_cuda/errors.hpp"
#include "osi_cuda/index.hpp"

namespace osi_cuda {
namespace {

using namespace batch;

constexpr int usualFactors = 128, mostFactors = 1 << 16;

/// Tableaus of so many cells are kept whatever the problem looks like: they lie in a cache.
constexpr std::int64_t alwaysTableau = 2'000'000;
/// Larger ones than this (4 GB) are nobody's: each variant goes to the ordinary solver.
constexpr std::int64_t neverTableau = 500'000'000;
/// Variants of problems with so many cells that outgrow their factors on a device go on there.
constexpr std::int64_t worthWholeDevice = 300'000;

/// Seconds that a thread of the processor takes for a variant, roughly: some passes over the
/// tableau for the proof, and some tens of pivots.
double hostSeconds(LinearProgram const& lp) {
  double const m = lp.rows(), n = lp.columns();
  return 3e-9 * m * n + 30 * (2e-6 + 1e-8 * (m + n));
}
/// From so many seconds on a device is taken without being asked for; less where it has been
/// opened, and holds the common tableau already.
constexpr double worthOpeningDevice = 1.0, worthOpenDevice = 5e-3;

}  // namespace

struct VariantSolver::State {
  LinearProgram lp;
  Basis basis;
  std::unique_ptr<HostVariantBase> host;
  int factors = 0;                                          ///< of those solvers
  std::vector<std::unique_ptr<VariantHostSolver>> solvers;  ///< by worker
  std::unique_ptr<DeviceVariants> device;
  int deviceNumber = -1;
  std::atomic<bool> stop{false};

  std::int64_t cells() const { return std::int64_t{lp.rows()} * lp.columns(); }
  /// Whether variants can share a tableau. Sums that the verifier bounds have 2^20 terms at most.
  bool canShare() const {
    return cells() > 0 && std::int64_t{lp.rows()} + lp.columns() <= std::int64_t{1} << 20;
  }

  /// Whether the processor does well to keep the tableau.
  bool tableauServes() const {
    if (!canShare() || cells() > neverTableau) return false;
    return cells() <= alwaysTableau ||
           !factorsAreFaster(lp.rows(), lp.columns(), static_cast<double>(lp.matrix.nonzeros()));
  }

  DeviceVariants& openDevice(int number) {
    if (!device || deviceNumber != number) {
      device.reset();
      std::unique_ptr<DeviceVariants> opened = makeCudaVariants(number);
      opened->setBase(lp, basis);
      device = std::move(opened);
      deviceNumber = number;
    }
    return *device;
  }

  /// A solver for each worker, all with K = `wanted`. False: wantsToStop,
  /// polled meanwhile, answered true.
  bool makeSolvers(int threads, int wanted, std::function<bool()> const& wantsToStop) {
    try {
      if (!host) host = std::make_unique<HostVariantBase>(lp, basis, threads, wantsToStop);
    } catch (Interrupted const&) {
      return false;
    }
    if (factors != wanted) solvers.clear();
    factors = wanted;
    while (solvers.size() < at(threads))
      solvers.push_back(std::make_unique<VariantHostSolver>(host->view(), wanted, stop));
    return true;
  }
};

namespace {

/// One call of VariantSolver::solve.
class VariantRun {
 public:
  VariantRun(LinearProgram const& lp, Basis const& basis, BatchVariants const& variants,
             VariantOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
             std::atomic<bool>& stop)
      : lp_(lp),
        basis_(basis),
        variants_(variants),
        options_(options),
        results_(results),
        list_(listVariants(lp, variants)),
        book_(options, results, callbacks, stop, ResultBook::Stopped::keepBasis),
        settings_(settingsOf(book_, options)) {
    std::size_t const n = options.points ? at(lp.columns()) : 0;
    std::size_t const m = options.points ? at(lp.rows()) : 0;
    book_.open(
        variants.count(), [&](std::size_t) { return n; }, [&](std::size_t) { return m; });
    for (std::size_t k = 0; k < variants.count(); ++k) {
      SmallEnd const end = list_.end[k];
      if (end == SmallEnd::unsettled) {
        left_.push_back(k);
        continue;
      }
      book_.report(k).end = end;
      ++done_;
      if (end == SmallEnd::infeasible && options.points) {  // bounds that cross are the proof
        book_.addCertificate(k, {});
      }
    }
    results_.notes = list_.notes;
  }

  int threads() const { return book_.threads(); }

  void solveOnDevice(DeviceVariants& device, int factors) {
    VariantJob job;
    job.list = &list_;
    job.chosen = left_;
    job.settings = settings_;
    job.factors = factors;
    job.blockThreads = options_.blockThreads;
    job.threads = book_.threads();
    job.report = book_.reports();
    job.x = results_.x;
    job.y = results_.y;
    job.columnStatus = results_.columnStatus;
    job.rowStatus = results_.rowStatus;
    std::size_t const asked = left_.size();
    left_ = book_.solveOnDevice(device, job, done_, options_.points);
    done_ += asked - left_.size();
  }

  bool anyLeft() const { return !left_.empty(); }
  bool watch() { return book_.watch(done_); }

  /// What is left, a thread each.
  void solveOnHost(std::vector<std::unique_ptr<VariantHostSolver>>& solvers) {
    std::size_t const before = done_;
    runWorkers(
        threads(), left_.size(),
        [&](std::size_t item, int worker) {
          std::size_t const k = left_[item];
          VariantHostSolver& solver = *solvers[at(worker)];
          SmallReport const report = solver.solve(list_.changes(k), settings_, book_.targetOf(k));
          book_.report(k) = report;
          bool const proof =
              report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded;
          if (options_.points && proof) book_.addCertificate(k, solver.certificate(report));
        },
        [&](std::size_t done) { return book_.watch(before + done); });
    done_ += left_.size();
    left_.clear();
  }

  /// Leaves all that is left to the ordinary solver.
  void leaveToSolver() {
    for (std::size_t k : left_) {
      book_.report(k).end = SmallEnd::unsettled;
      untouched_.push_back(k);
    }
    left_.clear();
  }

  /// By the ordinary solver, what has no proof yet: a thread each, or, where a device has the
  /// problem, one after the other there.
  void solveAgain(EngineChoice engine) {
    std::vector<std::size_t> again;
    for (std::size_t k = 0; k < variants_.count(); ++k)
      if (book_.report(k).end == SmallEnd::unsettled) again.push_back(k);
    book_.solveSingly(
        again, engine,
        [&](std::size_t k) {
          std::size_t const first = variants_.starts[k], end = variants_.starts[k + 1];
          return applied(lp_, variants_.changes.subspan(first, end - first));
        },
        [&](std::size_t k) { return basisOf(k); });
  }

  ResultBook& book() { return book_; }

 private:
  static VariantSettings settingsOf(ResultBook const& book, VariantOptions const& options) {
    VariantSettings settings{book.settings(Pricing::devex)};
    settings.tolerated =
        std::max(settings.accepted, std::min(options.primalTolerance, options.dualTolerance));
    return settings;
  }

  Basis basisOf(std::size_t k) const {
    bool const untouched = std::binary_search(untouched_.begin(), untouched_.end(), k);
    if (!options_.points || untouched) return basis_;
    auto const piece = [](auto const& array, std::size_t from, std::size_t to) {
      return std::vector<VariableStatus>(array.begin() + std::ptrdiff_t(from),
                                         array.begin() + std::ptrdiff_t(to));
    };
    return {piece(results_.columnStatus, results_.columnStart[k], results_.columnStart[k + 1]),
            piece(results_.rowStatus, results_.rowStart[k], results_.rowStart[k + 1])};
  }

  LinearProgram const& lp_;
  Basis const& basis_;
  BatchVariants const& variants_;
  VariantOptions const& options_;
  BatchResults& results_;
  VariantList const list_;
  ResultBook book_;
  VariantSettings const settings_;
  std::vector<std::size_t> left_;       ///< numbers of variants that nobody has solved yet
  std::vector<std::size_t> untouched_;  ///< that no team has seen, ascending
  std::size_t done_ = 0;
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

void VariantSolver::solve(BatchVariants const& variants, VariantOptions const& options,
                          BatchResults& results, BatchCallbacks const& callbacks) {
  if (std::string const fault = findFault(variants); !fault.empty())
    throw std::invalid_argument(fault);
  State& state = *state_;
  VariantRun run(state.lp, state.basis, variants, options, results, callbacks, state.stop);
  int const factors = options.factors > 0 ? std::min(options.factors, mostFactors) : usualFactors;
  bool const asked = options.engine == BatchEngine::cuda;
  double const seconds =
      static_cast<double>(variants.count()) * hostSeconds(state.lp) / run.threads();
  bool const worth = seconds > (state.device ? worthOpenDevice : worthOpeningDevice);
  run.book().guard([&] {
    bool onDevice = false;
    if (state.canShare() && (asked || (options.engine == BatchEngine::automatic && worth))) {
      try {
        run.solveOnDevice(state.openDevice(options.device), factors);
        onDevice = !results.deviceLost;
      } catch (EngineUnavailable const&) {
        if (asked) throw;
      }
    }
    if (results.deviceLost) state.device.reset();
    if (run.anyLeft() && !state.stop) {
      if (!state.tableauServes())
        run.leaveToSolver();
      else if (state.makeSolvers(run.threads(), factors, [&] { return run.watch(); }))
        run.solveOnHost(state.solvers);
    }
    bool const whole = onDevice && state.cells() >= worthWholeDevice;
    run.solveAgain(whole ? EngineChoice::cuda : EngineChoice::host);
  });
  run.book().close();
}

BatchResults solveVariants(LinearProgram const& problem, Basis const& basis,
                           BatchVariants const& variants, VariantOptions const& options,
                           BatchCallbacks const& callbacks) {
  BatchResults results;
  VariantSolver(problem, basis).solve(variants, options, results, callbacks);
  return results;
}

}  // namespace osi_cuda
