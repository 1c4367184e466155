// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/batch.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <stdexcept>

#include "osi_cuda/batch/device_batch.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/result_book.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/errors.hpp"
#include "osi_cuda/index.hpp"

namespace osi_cuda {
namespace {

using namespace batch;

/// Seconds that threads of the processor will take, roughly: half a pivot for each row and column,
/// each a microsecond and half a nanosecond an entry (one core, 10 x 10 to 200 x 200,
/// docs/guide/batch.md).
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
        book_(options, results, callbacks, stop),
        // Weights that are called sketched are formed exactly, with the tableau itself.
        settings_(book_.settings(Pricing::sketched)) {
    std::size_t const count = problems.count();
    book_.open(
        count, [&](std::size_t k) { return at(problems.columns[k]); },
        [&](std::size_t k) { return at(problems.rows[k]); });
    matrixStart_.resize(count + 1);
    matrixStart_[0] = 0;
    left_.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      matrixStart_[k + 1] = matrixStart_[k] + at(problems.rows[k]) * at(problems.columns[k]);
      left_[k] = k;
    }
  }

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
    job.targets = {book_.reports(), results_.x, results_.y, results_.columnStatus,
                   results_.rowStatus};
    job.threads = book_.threads();
    job.blockThreads = options_.blockThreads;
    std::vector<std::size_t> const lost = book_.solveOnDevice(device, job, 0, true);
    std::vector<std::size_t> rest;
    std::ranges::set_difference(left_, chosen, std::back_inserter(rest));
    done_ = chosen.size() - lost.size();
    auto const middle = static_cast<std::ptrdiff_t>(rest.size());
    rest.insert(rest.end(), lost.begin(), lost.end());
    std::inplace_merge(rest.begin(), rest.begin() + middle, rest.end());
    left_ = std::move(rest);
  }

  /// What is left, a thread each; then, by the ordinary solver, what has no proof yet.
  void solveOnHost(std::vector<std::unique_ptr<HostSolver>>& solvers) {
    while (solvers.size() < at(book_.threads()))
      solvers.push_back(std::make_unique<HostSolver>(book_.stop()));
    std::size_t const before = done_;
    auto const watching = [&](std::size_t done) { return book_.watch(before + done); };
    runWorkers(
        book_.threads(), left_.size(),
        [&](std::size_t item, int worker) {
          std::size_t const k = left_[item];
          HostSolver& solver = *solvers[at(worker)];
          if (!HostSolver::fits(problems_.rows[k], problems_.columns[k])) {
            book_.report(k).end = SmallEnd::unsettled;
            return;
          }
          SmallReport const report = solver.solve(problem(k), settings_, book_.targetOf(k));
          book_.report(k) = report;
          if (report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded)
            book_.addCertificate(k, solver.certificate(report));
        },
        watching);
    done_ += left_.size();

    std::vector<std::size_t> again;
    for (std::size_t k = 0; k < problems_.count(); ++k)
      if (book_.report(k).end == SmallEnd::unsettled || book_.report(k).end == SmallEnd::invalid)
        again.push_back(k);
    book_.solveSingly(
        again, EngineChoice::host, [&](std::size_t k) { return toLinearProgram(problem(k)); },
        [](std::size_t) { return Basis(); });
  }

  ResultBook& book() { return book_; }

 private:
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

  BatchProblems const& problems_;
  BatchOptions const& options_;
  BatchResults& results_;
  ResultBook book_;
  SmallSettings const settings_;
  std::vector<std::size_t> matrixStart_;
  std::vector<std::size_t> left_;  ///< numbers of problems that nobody has solved yet
  std::size_t done_ = 0;
};

}  // namespace

BatchSolver::BatchSolver() : state_(std::make_unique<State>()) {}
BatchSolver::~BatchSolver() = default;
BatchSolver::BatchSolver(BatchSolver&&) noexcept = default;
BatchSolver& BatchSolver::operator=(BatchSolver&&) noexcept = default;

void BatchSolver::solve(BatchProblems const& problems, BatchOptions const& options,
                        BatchResults& results, BatchCallbacks const& callbacks) {
  for (std::string const& fault : {findFault(problems), findFault(options)})
    if (!fault.empty()) throw std::invalid_argument(fault);
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
  run.book().guard([&] {
    if (device) run.solveOnDevice(*device);
    if (results.deviceLost) state_->device.reset();
    run.solveOnHost(state_->solvers);
  });
  run.book().close();
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
