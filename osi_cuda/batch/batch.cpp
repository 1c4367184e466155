// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/batch.hpp"

#include <atomic>
#include <stdexcept>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/spelling.hpp"
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
    SmallProblem p{.rows = problems_.rows[k], .columns = problems_.columns[k]};
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

void append(std::vector<double>& target, std::vector<double> const& source) {
  target.insert(target.end(), source.begin(), source.end());
}

constexpr char const* problemTimeLimit = "problem-time-limit";

/// Sketches are not for small problems, nor is a tableau without delayed changes for variants.
bool hasRule(Pricing rule) {
  return rule != Pricing::sketched && rule != Pricing::greatest;
}

void copyHonoured(Options const& from, Options& to) {
  for (OptionRecord const& record : optionTable())
    if (record.ofBatches) record.copy(from, to);
}

std::string unknownOption(std::string_view name) {
  std::vector<std::string> known{problemTimeLimit};
  for (OptionRecord const& record : optionTable())
    if (record.ofBatches) known.push_back(record.name);
  std::string hint = suggestion(name, known);
  if (hint.empty())
    for (std::string const& other : known) hint += (hint.empty() ? "; it has " : ", ") + other;
  return "a batch has no option '" + std::string(name) + "'" + hint;
}

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

char const* toString(BatchStatus status) {
  return status == BatchStatus::invalid ? "invalid" : toString(static_cast<Status>(status));
}

std::string findFault(BatchProblems const& problems) {
  if (problems.columns.size() != problems.count())
    return "a batch has as many numbers of columns as numbers of rows: " +
           std::to_string(problems.columns.size()) + " and " + std::to_string(problems.count());
  constexpr std::size_t mostCells = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  std::size_t cells = 0, columns = 0, rows = 0;
  for (std::size_t k = 0; k < problems.count(); ++k) {
    int const m = problems.rows[k], n = problems.columns[k];
    auto const where = [&] { return "problem " + std::to_string(k) + " of the batch has "; };
    if (m < 0 || n < 0) return where() + "a negative number of rows or columns";
    if (m > std::numeric_limits<int>::max() - n)
      return where() + std::to_string(m) + " rows and " + std::to_string(n) +
             " columns; together they can be " + std::to_string(std::numeric_limits<int>::max()) +
             " at most";
    if (at(m) * at(n) > mostCells - cells)
      return "the batch has more coefficients up to problem " + std::to_string(k) +
             " than any memory holds";
    cells += at(m) * at(n);
    rows += at(m);
    columns += at(n);
  }
  auto const fault = [](char const* name, std::size_t found, std::size_t expected, bool optional) {
    if (found == expected || (optional && found == 0)) return std::string();
    return std::string("the batch's array ") + name + " has " + std::to_string(found) +
           " elements instead of " + std::to_string(expected);
  };
  for (std::string const& sentence :
       {fault("matrix", problems.matrix.size(), cells, false),
        fault("objective", problems.objective.size(), columns, false),
        fault("columnLower", problems.columnLower.size(), columns, true),
        fault("columnUpper", problems.columnUpper.size(), columns, true),
        fault("rowLower", problems.rowLower.size(), rows, true),
        fault("rowUpper", problems.rowUpper.size(), rows, true),
        fault("offset", problems.offset.size(), problems.count(), true),
        fault("sense", problems.sense.size(), problems.count(), true)})
    if (!sentence.empty()) return sentence;
  return {};
}

void PackedBatch::add(LinearProgram const& lp) {
  auto const m = at(lp.rows()), n = at(lp.columns());
  if (lp.objective.size() != n || lp.columnLower.size() != n || lp.columnUpper.size() != n ||
      lp.rowLower.size() != m || lp.rowUpper.size() != m)
    throw std::invalid_argument("problem " + std::to_string(rows.size()) +
                                " of the batch has a vector of a wrong length");
  rows.push_back(lp.rows());
  columns.push_back(lp.columns());
  std::size_t const begin = matrix.size();
  matrix.resize(begin + m * n, 0.0);
  for (int j = 0; j < lp.columns(); ++j) {
    auto const indices = lp.matrix.columnIndices(j);
    auto const values = lp.matrix.columnValues(j);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      if (indices[e] < 0 || indices[e] >= lp.rows())
        throw std::invalid_argument("problem " + std::to_string(rows.size() - 1) +
                                    " of the batch has an entry in a row that it has not");
      matrix[begin + at(indices[e]) * n + at(j)] += values[e];
    }
  }
  append(objective, lp.objective);
  append(columnLower, lp.columnLower);
  append(columnUpper, lp.columnUpper);
  append(rowLower, lp.rowLower);
  append(rowUpper, lp.rowUpper);
  offset.push_back(lp.objectiveOffset);
  sense.push_back(lp.sense);
}

BatchProblems PackedBatch::view() const {
  return {rows,        columns,  matrix,   objective, columnLower,
          columnUpper, rowLower, rowUpper, offset,    sense};
}

BatchOptions::BatchOptions(Options const& options) {
  copyHonoured(options, *this);
  if (!hasRule(pricing)) pricing = Pricing::automatic;
}

std::string setOption(BatchOptions& options, std::string_view name, std::string_view text) {
  BatchOptions changed = options;
  if (name == problemTimeLimit) {
    Options limit;
    OptionRecord const& record = *findOption("time-limit");
    std::string const fault = record.set(limit, text);
    if (!fault.empty()) return "option " + std::string(name) + ": " + fault;
    changed.problemTimeLimit = limit.timeLimit;
  } else if (OptionRecord const* const record = findOption(name); !record || !record->ofBatches) {
    return unknownOption(name);
  } else {
    std::string fault = setOption(static_cast<Options&>(changed), name, text);
    if (fault.empty()) fault = findFault(changed);
    if (!fault.empty()) return fault;
  }
  options = changed;
  return {};
}

std::string findFault(BatchOptions const& options) {
  if (std::string fault = findFault(static_cast<Options const&>(options)); !fault.empty())
    return fault;
  Options honoured;
  copyHonoured(options, honoured);
  honoured.atWork = options.atWork;
  honoured.oneOfMany = options.oneOfMany;
  if (!(static_cast<Options const&>(options) == honoured))
    for (OptionRecord const& record : optionTable())
      if (!record.ofBatches && record.get(options) != record.defaultText)
        return unknownOption(record.name);
  if (!hasRule(options.pricing))
    return "option pricing: expected auto, steepest, devex or dantzig, found '" +
           findOption("pricing")->get(options) + "'";
  if (options.iterationLimit < 1)
    return "option iteration-limit: expected none or an integer >= 1, found '" +
           std::to_string(options.iterationLimit) + "'";
  if (!(options.problemTimeLimit >= 0.0))
    return "option problem-time-limit: expected none or a number >= 0, found '" +
           std::to_string(options.problemTimeLimit) + "'";
  return {};
}

}  // namespace osi_cuda
