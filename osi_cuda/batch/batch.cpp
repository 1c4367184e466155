// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/batch.hpp"

#include <atomic>
#include <stdexcept>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/many_run.hpp"
#include "osi_cuda/cost/cost_model.hpp"
#include "osi_cuda/solve/engines.hpp"

namespace osi_cuda {
namespace {

using namespace batch;

/// Whether a device is taken without being asked for: its context has to be made at the first call,
/// later ones begin there in a millisecond.
bool worthDevice(BatchProblems const& problems, int threads, bool open) {
  double cells = 0.0, seconds = 0.0;
  for (std::size_t k = 0; k < problems.count(); ++k)
    cells += static_cast<double>(problems.rows[k]) * problems.columns[k];
  Machine const& machine = machineFor(cells);
  for (std::size_t k = 0; k < problems.count(); ++k)
    seconds += smallSolveSeconds(machine, problems.rows[k], problems.columns[k]);
  return seconds / threads > batchWorthDevice(machine, open);
}

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
  bool makeSolvers() override {
    while (solvers_.size() < at(threads())) solvers_.push_back(std::make_unique<HostSolver>(stop_));
    return true;
  }
  std::pair<SmallReport, AnswerMemory const*> solve(std::size_t k, int worker) override {
    if (!HostSolver::fits(problems_.rows[k], problems_.columns[k])) return {};
    HostSolver& solver = *solvers_[at(worker)];
    Fetched numbers;
    SmallReport const report = solver.solve(problem(k, numbers), settings_, targetOf(k));
    return {report, &solver.memory()};
  }
  LinearProgram problemOf(std::size_t k) const override {
    Fetched numbers;
    return toLinearProgram(problem(k, numbers));
  }

  using Fetched = std::vector<std::vector<double>>;
  /// Numbers that lie on a device are copied to `numbers`.
  SmallProblem problem(std::size_t k, Fetched& numbers) const {
    auto const from = [&](std::span<double const> array, std::size_t start, std::size_t length) {
      if (array.empty() || problems_.device < 0) return array.empty() ? nullptr : &array[start];
      std::vector<double>& own = numbers.emplace_back(length);
      copyAcross(problems_.device, own.data(), &array[start], length * sizeof(double));
      return static_cast<double const*>(own.data());
    };
    SmallProblem p;
    p.rows = problems_.rows[k];
    p.columns = problems_.columns[k];
    std::size_t const m = at(p.rows), n = at(p.columns);
    p.matrix = from(problems_.matrix, matrixStart_[k], m * n);
    std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
    p.objective = from(problems_.objective, column, n);
    p.columnLower = from(problems_.columnLower, column, n);
    p.columnUpper = from(problems_.columnUpper, column, n);
    p.rowLower = from(problems_.rowLower, row, m);
    p.rowUpper = from(problems_.rowUpper, row, m);
    p.sign = !problems_.sense.empty() && problems_.sense[k] == Sense::maximize ? -1.0 : 1.0;
    p.offset = problems_.offset.empty() ? 0.0 : problems_.offset[k];
    p.infiniteFrom = problems_.infiniteFrom;
    return p;
  }

  BatchProblems const& problems_;
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
  run.ManyRun::solve(&state_->devices,
                     problems.device >= 0 || options.there.objective ||
                         worthDevice(problems, run.threads(), !state_->devices.empty()));
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
  BatchResults results = solveBatch(packed.view(), options, callbacks);
  for (LinearProgram const& lp : problems) {
    auto const [integers, semicontinuous, sets] = relaxedIn(lp);
    results.relaxed.integers += integers;
    results.relaxed.semicontinuous += semicontinuous;
    results.relaxed.sets += sets;
  }
  return results;
}

}  // namespace osi_cuda
