// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/batch.hpp"

#include <atomic>
#include <stdexcept>

#include "osi_cuda/batch/many_run.hpp"
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

using HostSolvers = std::vector<std::unique_ptr<HostSolver>>;  // by worker

/// One call of BatchSolver::solve.
class BatchRun final : public ManyRun {
 public:
  BatchRun(BatchProblems const& problems, BatchOptions const& options, BatchResults& results,
           BatchCallbacks const& callbacks, std::atomic<bool>& stop, HostSolvers& solvers)
      : ManyRun(options, results, callbacks, stop),
        problems_(problems),
        // Weights that are called sketched are formed exactly, with the tableau itself.
        settings_(settings(Pricing::sketched)),
        solvers_(solvers),
        matrixStart_(problems.count() + 1) {
    open(
        problems.count(), [&](std::size_t k) { return at(problems.columns[k]); },
        [&](std::size_t k) { return at(problems.rows[k]); });
    for (std::size_t k = 0; k < problems.count(); ++k)
      matrixStart_[k + 1] = matrixStart_[k] + at(problems.rows[k]) * at(problems.columns[k]);
  }

 private:
  bool fits(DeviceMany const& device, std::size_t k) const override {
    return device.fits(problems_.rows[k], problems_.columns[k]);
  }
  double solveOn(DeviceMany& device, DeviceJob job) override {
    job.settings = {settings_};
    return device.solve(BatchJob{std::move(job), problems_, matrixStart_});
  }
  /// What a device has not solved needs its numbers here.
  bool makeSolvers() override {
    if (problems_.device >= 0) fetched_ = fetched(0, problems_.count(), problems_);
    while (solvers_.size() < at(threads())) solvers_.push_back(std::make_unique<HostSolver>(stop_));
    return true;
  }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t k, int worker) override {
    if (!HostSolver::fits(problems_.rows[k], problems_.columns[k])) return {};
    HostSolver& solver = *solvers_[at(worker)];
    SmallReport const report = solver.solve(problem(k), settings_, targetOf(k));
    return {report, &solver.memory()};
  }
  LinearProgram problemOf(std::size_t k) const override {
    if (problems_.device < 0) return toLinearProgram(problem(k));
    BatchProblems here = problems_;
    auto const numbers = fetched(k, k + 1, here);
    return toLinearProgram(problem(k, here, true));
  }

  /// The numbers of the problems from `first` to `last` - 1, copied to the host, to which `problems`
  /// points then.
  std::vector<std::vector<double>> fetched(std::size_t first, std::size_t last,
                                           BatchProblems& problems) const {
    std::vector<std::vector<double>> numbers;
    auto const fetch = [&](std::span<double const>& array, std::vector<std::size_t> const& starts) {
      if (array.empty()) return;
      array = array.subspan(starts[first], starts[last] - starts[first]);
      std::vector<double>& own = numbers.emplace_back(array.size());
      copyAcross(problems.device, own.data(), array.data(), array.size_bytes());
      array = own;
    };
    fetch(problems.matrix, matrixStart_);
    for (auto* const array : {&problems.objective, &problems.columnLower, &problems.columnUpper})
      fetch(*array, results_.columnStart);
    for (auto* const array : {&problems.rowLower, &problems.rowUpper})
      fetch(*array, results_.rowStart);
    problems.device = -1;
    return numbers;
  }

  SmallProblem problem(std::size_t k) const { return problem(k, problems_, false); }
  /// `alone`: the arrays have its numbers only.
  SmallProblem problem(std::size_t k, BatchProblems const& problems, bool alone) const {
    auto const from = [alone](std::span<double const> array, std::size_t start) {
      return array.empty() ? nullptr : array.data() + (alone ? 0 : start);
    };
    SmallProblem p;
    p.rows = problems_.rows[k];
    p.columns = problems_.columns[k];
    p.matrix = from(problems.matrix, matrixStart_[k]);
    std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
    p.objective = from(problems.objective, column);
    p.columnLower = from(problems.columnLower, column);
    p.columnUpper = from(problems.columnUpper, column);
    p.rowLower = from(problems.rowLower, row);
    p.rowUpper = from(problems.rowUpper, row);
    p.sign = !problems_.sense.empty() && problems_.sense[k] == Sense::maximize ? -1.0 : 1.0;
    p.offset = problems_.offset.empty() ? 0.0 : problems_.offset[k];
    return p;
  }

  BatchProblems problems_;
  std::vector<std::vector<double>> fetched_;
  SmallSettings const settings_;
  HostSolvers& solvers_;
  std::vector<std::size_t> matrixStart_;
};

}  // namespace

struct BatchSolver::State {
  KeptDevices devices;
  HostSolvers solvers;
  std::atomic<bool> stop{false};
};

BatchSolver::BatchSolver() : state_(std::make_unique<State>()) {}
BatchSolver::~BatchSolver() = default;
BatchSolver::BatchSolver(BatchSolver&&) noexcept = default;
BatchSolver& BatchSolver::operator=(BatchSolver&&) noexcept = default;

void BatchSolver::solve(BatchProblems const& problems, BatchOptions const& options,
                        BatchResults& results, BatchCallbacks const& callbacks) {
  for (std::string const& fault : {findFault(problems), findFault(options)})
    if (!fault.empty()) throw std::invalid_argument(fault);
  BatchRun run(problems, options, results, callbacks, state_->stop, state_->solvers);
  double const seconds = hostSeconds(problems, run.threads());
  run.ManyRun::solve(&state_->devices,
                     problems.device >= 0 || options.answersThere ||
                         seconds > (state_->devices.empty() ? worthOpening : worthDevice));
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
