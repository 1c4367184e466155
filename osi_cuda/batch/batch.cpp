// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include "osi_cuda/batch/device_batch.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda {
namespace {

using namespace batch;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Seconds that threads of the processor will take, roughly: half a pivot for each row and column,
/// each a microsecond and half a nanosecond an entry (one core, 10 x 10 to 200 x 200,
/// docs/batch.md).
double hostSeconds(BatchProblems const& problems, int threads) {
  double sum = 0.0;
  for (std::size_t k = 0; k < problems.count(); ++k) {
    double const m = problems.rows[k], n = problems.columns[k];
    sum += 0.5 * (m + n) * (1e-6 + 5e-10 * m * n);
  }
  return sum / threads;
}
/// From so many of them on a device is taken without being asked for: its context has to be made at
/// the first call, later ones begin there in a millisecond.
constexpr double worthOpening = 0.5, worthDevice = 2e-3;

Pricing pricingOf(BatchPricing asked) {
  switch (asked) {
    case BatchPricing::devex:
      return Pricing::devex;
    case BatchPricing::dantzig:
      return Pricing::dantzig;
    case BatchPricing::automatic:
    case BatchPricing::steepest:
      break;
  }
  return Pricing::sketched;  // which the teams of a batch form exactly, with the tableau itself
}

}  // namespace

struct BatchSolver::State {
  std::unique_ptr<DeviceBatch> device;
  int deviceNumber = -1;
  std::vector<std::unique_ptr<HostSolver>> solvers;  ///< by worker
  std::atomic<bool> stop{false};

  DeviceBatch& openDevice(int number) {
    if (!device || deviceNumber != number) {
      device.reset();
      device = makeCudaBatch(number);
      deviceNumber = number;
    }
    return *device;
  }
};

namespace {

/// One call of BatchSolver::solve.
class BatchRun {
 public:
  BatchRun(BatchProblems const& problems, BatchOptions const& options, BatchResults& results,
           BatchCallbacks const& callbacks, std::atomic<bool>& stop)
      : problems_(problems),
        options_(options),
        results_(results),
        callbacks_(callbacks),
        stop_(stop),
        threads_(options.threads > 0 ? options.threads : allThreads()) {
    stop_ = false;
    settings_.primal = settings_.dual = pricingOf(options.pricing);
    settings_.seed = options.seed;
    constexpr std::int64_t most = 1 << 30;
    settings_.iterationLimit = static_cast<int>(std::min(options.iterationLimit, most));
    prepare();
  }

  int threads() const { return threads_; }

  /// Lets the device solve what it can; the numbers of the others are left for solveOnHost.
  void solveOnDevice(DeviceBatch& device) {
    std::vector<std::size_t> chosen;
    for (std::size_t k : left_)
      if (device.fits(problems_.rows[k], problems_.columns[k])) chosen.push_back(k);
    DeviceJob job;
    job.problems = problems_;
    job.starts = {matrixStart_, results_.columnStart, results_.rowStart};
    job.chosen = chosen;
    job.settings = settings_;
    job.targets = {reports_, results_.x, results_.y, results_.columnStatus, results_.rowStatus};
    job.threads = threads_;
    job.blockThreads = options_.blockThreads;
    job.certificate = [this](std::size_t k, std::span<double const> farkas,
                             std::span<double const> farkasLow, std::span<double const> ray,
                             std::span<double const> rayLow) {
      BatchCertificate certificate;
      certificate.problem = k;
      certificate.farkas.assign(farkas.begin(), farkas.end());
      certificate.farkasLow.assign(farkasLow.begin(), farkasLow.end());
      certificate.ray.assign(ray.begin(), ray.end());
      certificate.rayLow.assign(rayLow.begin(), rayLow.end());
      results_.certificates.push_back(std::move(certificate));
    };
    job.goneBy = [this](std::size_t done) { return watch(done); };
    try {
      results_.deviceSeconds = device.solve(job);
    } catch (EngineUnavailable const&) {
      results_.deviceLost = true;
    }
    std::vector<std::size_t> rest;
    auto next = chosen.begin();
    for (std::size_t k : left_) {
      bool const was = next != chosen.end() && *next == k;
      if (was) ++next;
      bool const open = reports_[k].end == SmallEnd::interrupted;
      if (!was || (open && results_.deviceLost)) {
        rest.push_back(k);
      } else if (!open) {
        ++results_.onDevice;
        ++done_;
      }
    }
    if (results_.onDevice > 0) results_.device = device.device();
    left_ = std::move(rest);
  }

  /// What is left, a thread each; then, by the ordinary solver, what has no proof yet.
  void solveOnHost(std::vector<std::unique_ptr<HostSolver>>& solvers) {
    while (solvers.size() < at(threads_)) solvers.push_back(std::make_unique<HostSolver>(stop_));
    std::size_t const before = done_;
    auto const watching = [&](std::size_t done) { return watch(before + done); };
    runWorkers(
        threads_, left_.size(),
        [&](std::size_t item, int worker) {
          std::size_t const k = left_[item];
          HostSolver& solver = *solvers[at(worker)];
          if (!HostSolver::fits(problems_.rows[k], problems_.columns[k])) {
            reports_[k].end = SmallEnd::unsettled;
            return;
          }
          reports_[k] = solver.solve(problem(k), settings_);
          keep(k, solver);
        },
        watching);
    done_ += left_.size();

    std::vector<std::size_t> again;
    for (std::size_t k = 0; k < problems_.count(); ++k)
      if (reports_[k].end == SmallEnd::unsettled || reports_[k].end == SmallEnd::invalid)
        again.push_back(k);
    std::mutex mutex;
    runWorkers(
        threads_, again.size(), [&](std::size_t item, int) { solveAgain(again[item], mutex); },
        [&](std::size_t) { return watch(done_); });
  }

  void finish() {
    std::sort(late_.begin(), late_.end());
    constexpr std::size_t worthThreads = 10000;
#pragma omp parallel for schedule(static) \
    num_threads(threads_) if (problems_.count() > worthThreads)
    for (std::size_t k = 0; k < problems_.count(); ++k) translate(k);
    auto const byProblem = [](auto const& a, auto const& b) { return a.problem < b.problem; };
    for (BatchCertificate& certificate : results_.certificates)
      if (certificate.margin == 0.0) certificate.margin = reports_[certificate.problem].margin;
    std::sort(results_.certificates.begin(), results_.certificates.end(), byProblem);
    std::sort(results_.notes.begin(), results_.notes.end(), byProblem);
    if (results_.device.empty()) results_.device = "host";
    results_.seconds = secondsSoFar();
    if (callbacks_.progress) callbacks_.progress(problems_.count(), problems_.count());
  }

 private:
  using Clock = std::chrono::steady_clock;

  double secondsSoFar() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  void prepare() {
    std::size_t const count = problems_.count();
    results_.columnStart.resize(count + 1);
    results_.rowStart.resize(count + 1);
    matrixStart_.resize(count + 1);
    results_.columnStart[0] = results_.rowStart[0] = matrixStart_[0] = 0;
    for (std::size_t k = 0; k < count; ++k) {
      std::size_t const m = at(problems_.rows[k]), n = at(problems_.columns[k]);
      matrixStart_[k + 1] = matrixStart_[k] + m * n;
      results_.columnStart[k + 1] = results_.columnStart[k] + n;
      results_.rowStart[k + 1] = results_.rowStart[k] + m;
    }
    // Every place is written once, by whoever solves the problem or by translate().
    results_.x.resize(results_.columnStart[count]);
    results_.y.resize(results_.rowStart[count]);
    results_.columnStatus.resize(results_.x.size());
    results_.rowStatus.resize(results_.y.size());
    results_.status.resize(count);
    results_.objective.resize(count);
    results_.iterations.resize(count);
    results_.proof.resize(count);
    results_.residual.resize(count);
    results_.certificates.clear();
    results_.notes.clear();
    results_.again = results_.onDevice = 0;
    results_.deviceSeconds = 0.0;
    results_.device.clear();
    results_.deviceLost = false;
    SmallReport open;
    open.end = SmallEnd::interrupted;
    reports_.assign(count, open);
    left_.resize(count);
    for (std::size_t k = 0; k < count; ++k) left_[k] = k;
  }

  SmallProblem problem(std::size_t k) const {
    auto const from = [](std::span<double const> array, std::size_t start) {
      return array.empty() ? nullptr : array.data() + start;
    };
    SmallProblem p;
    p.rows = problems_.rows[k];
    p.columns = problems_.columns[k];
    p.matrix = problems_.matrix.data() + matrixStart_[k];
    std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
    p.objective = problems_.objective.data() + column;
    p.columnLower = from(problems_.columnLower, column);
    p.columnUpper = from(problems_.columnUpper, column);
    p.rowLower = from(problems_.rowLower, row);
    p.rowUpper = from(problems_.rowUpper, row);
    p.sign = !problems_.sense.empty() && problems_.sense[k] == Sense::maximize ? -1.0 : 1.0;
    p.offset = problems_.offset.empty() ? 0.0 : problems_.offset[k];
    return p;
  }

  bool watch(std::size_t done) {
    if (callbacks_.progress) callbacks_.progress(done, problems_.count());
    if (callbacks_.interrupted && callbacks_.interrupted()) wasInterrupted_ = true;
    if (wasInterrupted_ || secondsSoFar() > options_.timeLimit) stop_ = true;
    return stop_;
  }

  /// Takes over what a solver on the processor found.
  void keep(std::size_t k, HostSolver const& solver) {
    SmallEnd const end = reports_[k].end;
    std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
    if (end == SmallEnd::optimal || end == SmallEnd::unbounded) {
      std::copy_n(solver.x(), problems_.columns[k], results_.x.begin() + std::ptrdiff_t(column));
      solver.copyBasis(results_.columnStatus.data() + column, results_.rowStatus.data() + row);
    }
    if (end == SmallEnd::optimal)
      std::copy_n(solver.y(), problems_.rows[k], results_.y.begin() + std::ptrdiff_t(row));
    if (end != SmallEnd::infeasible && end != SmallEnd::unbounded) return;
    BatchCertificate certificate = solver.certificate(reports_[k]);
    certificate.problem = k;
    std::lock_guard const lock(certificateMutex_);
    results_.certificates.push_back(std::move(certificate));
  }

  void solveAgain(std::size_t k, std::mutex& mutex) {
    LinearProgram const lp = toLinearProgram(problem(k));
    std::string const fault = findFault(lp);
    if (!fault.empty()) {
      std::lock_guard const lock(mutex);
      reports_[k].end = SmallEnd::invalid;
      results_.notes.push_back({k, fault});
      return;
    }
    double const remains = std::max(0.0, options_.timeLimit - secondsSoFar());
    SingleAnswer const answer = solveSingly(lp, options_, remains, stop_);
    Solution const& s = answer.solution;
    SmallReport& report = reports_[k];
    report.iterations += static_cast<std::int32_t>(s.iterations);
    report.end = answer.end;
    report.objective = s.objective;
    report.residual = s.residuals.largest();
    report.margin = s.margin;
    bool const point = answer.end == SmallEnd::optimal || answer.end == SmallEnd::unbounded;
    auto const column = std::ptrdiff_t(results_.columnStart[k]),
               row = std::ptrdiff_t(results_.rowStart[k]);
    if (point) {
      std::copy(s.columnValues.begin(), s.columnValues.end(), results_.x.begin() + column);
      std::copy(s.basis.columns.begin(), s.basis.columns.end(),
                results_.columnStatus.begin() + column);
      std::copy(s.basis.rows.begin(), s.basis.rows.end(), results_.rowStatus.begin() + row);
    }
    if (answer.end == SmallEnd::optimal)
      std::copy(s.rowDuals.begin(), s.rowDuals.end(), results_.y.begin() + row);
    std::lock_guard const lock(mutex);
    ++results_.again;
    if (s.status == Status::timeLimit) late_.push_back(k);
    if (!s.message.empty()) results_.notes.push_back({k, s.message});
    if (answer.end == SmallEnd::infeasible || answer.end == SmallEnd::unbounded) {
      BatchCertificate certificate;
      certificate.problem = k;
      certificate.farkas = s.farkas;
      certificate.farkasLow = s.farkasLow;
      certificate.ray = s.ray;
      certificate.rayLow = s.rayLow;
      certificate.margin = s.margin;
      results_.certificates.push_back(std::move(certificate));
    }
  }

  /// The report in the terms of the results; what has no answer gets zeros.
  void translate(std::size_t k) {
    SmallReport const& report = reports_[k];
    bool const optimal = report.end == SmallEnd::optimal;
    bool const proved =
        optimal || report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded;
    results_.status[k] = statusOf(k, report.end);
    results_.objective[k] = optimal ? report.objective : 0.0;
    results_.residual[k] = optimal ? report.residual : 0.0;
    results_.iterations[k] = report.iterations;
    results_.proof[k] = !proved   ? ProofGrade::none
                        : optimal ? ProofGrade::tolerance
                                  : ProofGrade::extended;
    auto const zero = [](auto& array, std::size_t begin, std::size_t end, auto value) {
      std::fill(array.begin() + std::ptrdiff_t(begin), array.begin() + std::ptrdiff_t(end), value);
    };
    std::size_t const column = results_.columnStart[k], columnEnd = results_.columnStart[k + 1];
    std::size_t const row = results_.rowStart[k], rowEnd = results_.rowStart[k + 1];
    if (!optimal) zero(results_.y, row, rowEnd, 0.0);
    if (optimal || report.end == SmallEnd::unbounded) return;
    zero(results_.x, column, columnEnd, 0.0);
    zero(results_.columnStatus, column, columnEnd, VariableStatus::atLower);
    zero(results_.rowStatus, row, rowEnd, VariableStatus::basic);
  }

  BatchStatus statusOf(std::size_t k, SmallEnd end) const {
    switch (end) {
      case SmallEnd::optimal:
        return BatchStatus::optimal;
      case SmallEnd::infeasible:
        return BatchStatus::infeasible;
      case SmallEnd::unbounded:
        return BatchStatus::unbounded;
      case SmallEnd::iterationLimit:
        return BatchStatus::iterationLimit;
      case SmallEnd::invalid:
        return BatchStatus::invalid;
      case SmallEnd::interrupted: {
        bool const late = std::binary_search(late_.begin(), late_.end(), k);
        return wasInterrupted_ && !late ? BatchStatus::interrupted : BatchStatus::timeLimit;
      }
      case SmallEnd::unsettled:
        break;
    }
    return stop_ ? (wasInterrupted_ ? BatchStatus::interrupted : BatchStatus::timeLimit)
                 : BatchStatus::numerical;
  }

  BatchProblems const& problems_;
  BatchOptions const& options_;
  BatchResults& results_;
  BatchCallbacks const& callbacks_;
  std::atomic<bool>& stop_;
  int const threads_;
  Clock::time_point const begin_ = Clock::now();
  SmallSettings settings_;
  std::vector<std::size_t> matrixStart_;
  std::vector<SmallReport> reports_;
  std::vector<std::size_t> left_;  ///< numbers of problems that nobody has solved yet
  std::vector<std::size_t> late_;  ///< problems that ran into their own time limit
  std::size_t done_ = 0;
  bool wasInterrupted_ = false;
  std::mutex certificateMutex_;
};

}  // namespace

BatchSolver::BatchSolver() : state_(std::make_unique<State>()) {}
BatchSolver::~BatchSolver() = default;
BatchSolver::BatchSolver(BatchSolver&&) noexcept = default;
BatchSolver& BatchSolver::operator=(BatchSolver&&) noexcept = default;

void BatchSolver::solve(BatchProblems const& problems, BatchOptions const& options,
                        BatchResults& results, BatchCallbacks const& callbacks) {
  if (std::string const fault = findFault(problems); !fault.empty())
    throw std::invalid_argument(fault);
  bool const asked = options.engine == BatchEngine::cuda;
  int const threads = options.threads > 0 ? options.threads : allThreads();
  bool const worth = hostSeconds(problems, threads) > (state_->device ? worthDevice : worthOpening);
  DeviceBatch* device = nullptr;
  if (asked || (options.engine == BatchEngine::automatic && worth)) {
    try {
      device = &state_->openDevice(options.device);
    } catch (EngineUnavailable const&) {
      if (asked) throw;
    }
  }
  BatchRun run(problems, options, results, callbacks, state_->stop);
  if (device) run.solveOnDevice(*device);
  if (results.deviceLost) state_->device.reset();
  run.solveOnHost(state_->solvers);
  run.finish();
}

BatchResults solveBatch(BatchProblems const& problems, BatchOptions const& options,
                        BatchCallbacks const& callbacks) {
  BatchResults results;
  BatchSolver().solve(problems, options, results, callbacks);
  return results;
}

BatchResults solveBatch(std::span<LinearProgram const> problems, BatchOptions const& options,
                        BatchCallbacks const& callbacks) {
  PackedBatch packed;
  for (LinearProgram const& lp : problems) packed.add(lp);
  return solveBatch(packed.view(), options, callbacks);
}

}  // namespace osi_cuda
