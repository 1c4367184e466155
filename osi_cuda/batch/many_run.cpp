// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/many_run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/thread_pool.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/engine/cuda_module.hpp"
#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/proof/verifier.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::batch {
namespace {

BatchStatus endOf(Status status) {
  if (status == Status::timeLimit) return BatchStatus::interrupted;
  bool const known = status != Status::interior;
  return known ? static_cast<BatchStatus>(status) : BatchStatus::numerical;
}

/// Verifies what a batch hands out of a solution in two parts: its high parts alone. Where they do
/// not prove the status, there is none.
void proveInDoubles(LinearProgram const& lp, Options const& options, Solution& solution) {
  if (solution.columnValuesLow.empty() && solution.rowDualsLow.empty()) return;
  solution.columnValuesLow.clear();
  solution.rowDualsLow.clear();
  Verifier const verifier(lp, options);
  if (solution.status == Status::optimal) {
    solution.objective = objectiveOf(lp, solution.columnValues);
    if (verifier.claimOptimal(solution)) return;
    solution.message = "doubles miss the optimal point by " + brief(solution.residuals.largest()) +
                       "; solved by itself, the problem has an answer in two parts";
  } else if (solution.status == Status::unbounded) {
    if (verifier.claimUnbounded(solution)) return;
    solution.message = "doubles miss the feasible point of the ray";
  } else {
    return;
  }
  solution.status = Status::numerical;
  solution.proof = ProofGrade::none;
}

/// Whether a certificate belongs to it.
bool claims(BatchStatus end) {
  return end == BatchStatus::infeasible || end == BatchStatus::unbounded;
}

}  // namespace

ManyRun::ManyRun(BatchOptions const& options, BatchResults& results,
                 BatchCallbacks const& callbacks, std::atomic<bool>& stop)
    : options_(options),
      results_(results),
      stop_(stop),
      callbacks_(callbacks),
      threads_(options.threads > 0 ? options.threads : allThreads()) {
  if (std::string const fault = findFault(options); !fault.empty())
    throw std::invalid_argument(fault);
  stop_ = false;
}

void ManyRun::open(std::size_t count) {
  // Every place is written once, by whoever solves the problem or by translate().
  AnswerArrays const& to = options_.there;
  std::size_t const columns = results_.columnStart[count], rows = results_.rowStart[count];
  bool const given = to.x || to.y || to.columnStatus || to.rowStatus;
  if (given &&
      ((columns > 0 && !(to.x && to.columnStatus)) || (rows > 0 && !(to.y && to.rowStatus))))
    throw std::invalid_argument("of the arrays for points, duals and bases some are missing");
  results_.x.resize(stays() || given ? 0 : columns);
  results_.y.resize(stays() || given ? 0 : rows);
  results_.columnStatus.resize(results_.x.size());
  results_.rowStatus.resize(results_.y.size());
  results_.status.resize(count);
  results_.objective.resize(count);
  results_.iterations.resize(count);
  results_.proof.resize(count);
  results_.residual.resize(count);
  results_.certificates.clear();
  results_.start.clear();
  results_.notes.clear();
  results_.enclosure.clear();
  results_.again = results_.onDevice = results_.pooled = 0;
  results_.relaxed = {};
  results_.deviceSeconds = 0.0;
  results_.device.clear();
  results_.deviceLost = false;
  reports_.assign(count, {BatchStatus::interrupted});
  targets_ = {
      reports_,           results_.x,           results_.y,        results_.columnStatus,
      results_.rowStatus, results_.columnStart, results_.rowStart, stays() ? to : AnswerArrays(),
      keepStopped_};
  if (given && !stays()) {
    targets_.x = {to.x, columns};
    targets_.y = {to.y, rows};
    targets_.columnStatus = {to.columnStatus, columns};
    targets_.rowStatus = {to.rowStatus, rows};
  }
  left_.resize(count);
  std::iota(left_.begin(), left_.end(), std::size_t{0});
}

SmallSettings ManyRun::settings(Pricing automatic) const {
  SmallSettings settings;
  bool const exact = automatic == Pricing::sketched && options_.pricing == Pricing::steepest;
  settings.primal = settings.dual =
      exact || options_.pricing == Pricing::automatic ? automatic : options_.pricing;
  settings.seed = options_.seed;
  settings.certain = std::max(options_.primalTolerance, options_.dualTolerance);
  constexpr std::int64_t most = 1 << 30;
  settings.iterationLimit = static_cast<int>(std::min(options_.iterationLimit, most));
  return settings;
}

void ManyRun::solve(KeptDevices* kept, bool worth) {
  bool const asked = options_.engine == EngineChoice::cuda;
  guard([&] {
    std::vector<std::size_t> const all = left_;
    bool served = false, ready = false;
    if (kept && (asked || (options_.engine == EngineChoice::automatic && worth))) {
      try {
        std::map<int, int> named;
        std::vector<DeviceName> names;
        for (int const number : devicesOf(options_)) names.emplace_back(number, named[number]++);
        std::ranges::sort(names);
        open(*kept, names);
        ready = names.size() == 1;
        if (stays() && ready)
          kept->at(names.front())
              ->clear(options_.there, reports_.size(), results_.columnStart.back(),
                      results_.rowStart.back());
        solveOnDevices(*kept, names);
        served = !results_.deviceLost;
      } catch (EngineUnavailable const&) {
        if (asked) throw;
      }
    }
    if (stays() && !ready)
      throw EngineUnavailable("answers stay on a device with the engine cuda and one device only");
    if (!finishes_ && served) return;
    if (!left_.empty() && !stop_ && makeSolvers()) solveOnThreads();
    if (finishes_) solveRest(all, engineOfRest(served));
  });
  close();
}

void ManyRun::onEach(std::size_t count, std::function<void(std::size_t)> const& work,
                     std::function<std::size_t()> const& through) {
  if (count == 1) return work(0);
  auto const look = [&](std::size_t) {
    watch(done_ + through());  // callbacks belong to the calling thread
    return false;              // every device has its turn: it sees stop_ itself
  };
  runWorkers(
      static_cast<int>(count), count, [&](std::size_t d, int) { work(d); }, look);
}

/// Opens those of `names` that are not open, and closes all others.
void ManyRun::open(KeptDevices& kept, std::vector<DeviceName> const& names) {
  std::erase_if(kept, [&](auto const& one) { return std::ranges::count(names, one.first) == 0; });
  std::vector<DeviceName> missing;
  for (DeviceName const& name : names)
    if (!kept.contains(name)) missing.push_back(name);
  if (missing.empty()) return;
  std::vector<std::unique_ptr<DeviceMany>> opened(missing.size());
  auto const work = [&](std::size_t d) {
    std::unique_ptr<DeviceMany> device = makeCudaMany(missing[d].first);
    prepare(*device);
    opened[d] = std::move(device);
  };
  onEach(missing.size(), work, [] { return std::size_t{0}; });
  for (std::size_t d = 0; d < missing.size(); ++d) kept.emplace(missing[d], std::move(opened[d]));
}

/// Deals left() out to the devices. Where one fails, its share is the processor's: a kernel that
/// fails ends CUDA for the whole process.
void ManyRun::solveOnDevices(KeptDevices& kept, std::vector<DeviceName> const& names) {
  std::size_t const count = names.size();
  std::vector<std::size_t> rest;
  std::vector<std::vector<std::size_t>> shares(count);
  auto const taken = [&](std::size_t k) {
    return std::ranges::all_of(names, [&](DeviceName const& d) { return fits(*kept.at(d), k); });
  };
  // In runs, so that much of what a device gets lies together.
  std::size_t const run = std::clamp<std::size_t>(left_.size() / (64 * count), 1, 1024);
  std::size_t dealt = 0;
  for (std::size_t const k : left_) (taken(k) ? shares[dealt++ / run % count] : rest).push_back(k);
  std::vector<std::atomic<std::size_t>> through(count);
  std::vector<double> seconds(count);
  std::vector<std::string> lost(count);  ///< why; empty: it is not
  auto const work = [&](std::size_t d) {
    DeviceJob job;
    job.chosen = shares[d];
    job.targets = targets_;
    job.threads = std::max(1, threads_ / static_cast<int>(count));
    job.blockThreads = options_.blockThreads;
    job.certificate = [this](std::size_t k, auto... parts) {
      auto const copy = [](std::span<double const> part) {
        return std::vector<double>(part.begin(), part.end());
      };
      addCertificate(k, {k, copy(parts)..., 0.0});
    };
    job.goneBy = [&, d](std::size_t done) {
      through[d] = done;
      return count == 1 ? watch(done_ + done) : stop_.load();
    };
    try {
      seconds[d] = solveOn(*kept.at(names[d]), std::move(job));
    } catch (EngineUnavailable const& e) {
      if (stays() && options_.deviceLoss != DeviceLoss::stop) throw;  // its memory is lost, too
      lost[d] = e.what();
    }
  };
  onEach(count, work,
         [&] { return std::accumulate(through.begin(), through.end(), std::size_t{0}); });
  results_.deviceSeconds += std::ranges::max(seconds);
  std::size_t solved = 0;
  for (std::size_t d = 0; d < count; ++d) {
    if (!lost[d].empty()) reopenUncertified(shares[d]);
    for (std::size_t const k : shares[d]) {
      if (reports_[k].end != BatchStatus::interrupted)
        ++solved;
      else if (!lost[d].empty())
        rest.push_back(k);
    }
  }
  if (solved > 0) {
    std::string const name = kept.at(names.front())->device();
    results_.device = count == 1 ? name : std::to_string(count) + " x " + name;
  }
  results_.onDevice += solved;
  std::ranges::sort(rest);
  done_ += left_.size() - rest.size();
  left_ = std::move(rest);
  auto const reason = std::ranges::find_if_not(lost, &std::string::empty);
  results_.deviceLost = reason != lost.end();
  if (!results_.deviceLost) return;
  kept.clear();
  if (options_.deviceLoss == DeviceLoss::stop) throw DeviceLost(*reason);
}

void ManyRun::solveOnThreads() {
  auto const work = [&](std::size_t item, int worker) {
    std::size_t const k = left_[item];
    auto const [report, memory] = solve(k, worker);
    reports_[k] = report;
    if (memory && claims(report.end) && targetOf(k).wanted)
      addCertificate(k, memory->certificate(report));
  };
  runWorkers(threads_, left_.size(), work, [&](std::size_t done) { return watch(done_ + done); });
  done_ += left_.size();
}

/// What findFault refuses stays `invalid`, with a note.
void ManyRun::solveRest(std::vector<std::size_t> const& asked, EngineChoice engine) {
  std::vector<std::size_t> rest;
  for (std::size_t const k : asked)
    if (reports_[k].end == BatchStatus::numerical || reports_[k].end == BatchStatus::invalid)
      rest.push_back(k);
  runWorkers(
      engine == EngineChoice::cuda ? 1 : threads_, rest.size(),
      [&](std::size_t item, int) { solveSingle(rest[item], engine); },
      [&](std::size_t done) { return watch(reports_.size() - rest.size() + done); });
}

void ManyRun::guard(auto work) noexcept {
  try {
    work();
  } catch (...) {
    if (!fault_) fault_ = std::current_exception();
    wasInterrupted_ = stop_ = true;
  }
}

AnswerTarget ManyRun::targetOf(std::size_t k) {
  std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
  std::size_t const n = results_.columnStart[k + 1] - column, m = results_.rowStart[k + 1] - row;
  if (n + m == 0) return {};
  if (stays()) {
    std::lock_guard const lock(mutex_);
    Late& own = sent_[k];
    own.x.resize(n);
    own.y.resize(m);
    own.columnStatus.resize(n, VariableStatus::atLower);
    own.rowStatus.resize(m, VariableStatus::basic);
    return {true, own.x.data(), own.y.data(), own.columnStatus.data(), own.rowStatus.data()};
  }
  return {true, targets_.x.data() + column, targets_.y.data() + row,
          targets_.columnStatus.data() + column, targets_.rowStatus.data() + row};
}

bool ManyRun::watch(std::size_t done) noexcept {
  if (!fault_)
    guard([&] {
      if (callbacks_.progress) callbacks_.progress(done, reports_.size());
      if (callbacks_.interrupted && callbacks_.interrupted()) wasInterrupted_ = true;
    });
  if (wasInterrupted_ || watch_.seconds() > options_.timeLimit) stop_ = true;
  return stop_;
}

void ManyRun::addCertificate(std::size_t k, BatchCertificate certificate) {
  certificate.problem = k;
  std::lock_guard const lock(mutex_);
  results_.certificates.push_back(std::move(certificate));
}

void ManyRun::reopenUncertified(std::span<std::size_t const> chosen) {
  std::vector<char> certified(reports_.size(), 0);
  for (BatchCertificate const& certificate : results_.certificates)
    certified[certificate.problem] = 1;
  for (std::size_t const k : chosen)
    if (claims(reports_[k].end) && !certified[k] && targetOf(k).wanted)
      reports_[k] = {BatchStatus::interrupted};
}

void ManyRun::solveSingle(std::size_t k, EngineChoice engine) {
  LinearProgram const lp = problemOf(k);
  if (std::string fault = findFault(lp); !fault.empty()) {
    reports_[k].end = BatchStatus::invalid;
    std::lock_guard const lock(mutex_);
    results_.notes.push_back({k, std::move(fault)});
    return;
  }
  Options options = options_;
  options.engine = engine;
  options.threads = 1;
  options.pricing = Pricing::automatic;
  options.exact = Toggle::off;  // a batch honours no such option
  options.timeLimit =
      std::min(std::max(0.0, options_.timeLimit - watch_.seconds()), options_.problemTimeLimit);
  if (options.iterationLimit != Options{}.iterationLimit)
    options.iterationLimit =
        std::max<std::int64_t>(0, options.iterationLimit - reports_[k].iterations);
  Callbacks callbacks;
  callbacks.interrupted = [this] { return stop_.load(std::memory_order_relaxed); };
  Solver solver(lp);
  if (Basis const basis = basisOf(k); !basis.empty()) solver.setBasis(basis);
  Solution solution = solver.solve(options, callbacks);
  proveInDoubles(lp, options, solution);
  addSingle(k, solution);
}

void ManyRun::addSingle(std::size_t k, Solution const& s) {
  SmallReport& report = reports_[k];
  report.iterations = static_cast<std::int32_t>(
      std::min<std::int64_t>(report.iterations + s.iterations, std::numeric_limits<int>::max()));
  report.end = endOf(s.status);
  report.objective = s.objective;
  report.residual = s.residuals.largest();
  report.margin = s.margin;
  AnswerTarget const target = targetOf(k);
  bool const point = report.end == BatchStatus::optimal || report.end == BatchStatus::unbounded;
  bool const stopped =
      report.end == BatchStatus::iterationLimit && keepStopped_ && !s.basis.empty();
  if (target.wanted && (point || stopped)) {
    std::ranges::copy(s.columnValues, target.x);
    std::ranges::copy(s.basis.columns, target.columnStatus);
    std::ranges::copy(s.basis.rows, target.rowStatus);
  }
  if (target.wanted && (report.end == BatchStatus::optimal || stopped))
    std::ranges::copy(s.rowDuals, target.y);
  std::lock_guard const lock(mutex_);
  ++results_.again;
  if (s.status == Status::timeLimit) late_.push_back(k);
  if (!s.message.empty()) results_.notes.push_back({k, s.message});
  if (target.wanted && claims(report.end))
    results_.certificates.push_back({k, s.farkas, s.farkasLow, s.ray, s.rayLow, s.margin});
}

void ManyRun::close() {
  std::sort(late_.begin(), late_.end());
  constexpr std::size_t piece = 10000;  // of problems, worth a thread
  std::size_t const count = reports_.size();
  auto const translateAll = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) translate(k);
  };
  guard([&] {
    if (count <= piece) return translateAll(0, count);
    runPieces(threads_, (count + piece - 1) / piece, [&](std::size_t p, int) {
      translateAll(p * piece, std::min(count, (p + 1) * piece));
    });
  });
  if (stays()) guard([&] { sendLate(); });
  auto const byProblem = [](auto const& a, auto const& b) { return a.problem < b.problem; };
  for (BatchCertificate& certificate : results_.certificates)
    if (certificate.margin == 0.0) certificate.margin = reports_[certificate.problem].margin;
  std::sort(results_.certificates.begin(), results_.certificates.end(), byProblem);
  std::sort(results_.notes.begin(), results_.notes.end(), byProblem);
  if (results_.device.empty()) results_.device = "host";
  results_.seconds = watch_.seconds();
  if (fault_) std::rethrow_exception(fault_);
  if (callbacks_.progress) callbacks_.progress(reports_.size(), reports_.size());
}

/// The report in the terms of the results; what has no answer gets zeros.
void ManyRun::translate(std::size_t k) {
  SmallReport const& report = reports_[k];
  bool const optimal = report.end == BatchStatus::optimal;
  bool const stopped = hasBasis(report.end) && keepStopped_;
  results_.status[k] = statusOf(k);
  results_.objective[k] = optimal || stopped ? report.objective : 0.0;
  results_.residual[k] = optimal ? report.residual : 0.0;
  results_.iterations[k] = report.iterations;
  results_.proof[k] = optimal              ? ProofGrade::tolerance
                      : claims(report.end) ? ProofGrade::extended
                                           : ProofGrade::none;
  std::size_t const n = results_.columnStart[k + 1] - results_.columnStart[k];
  std::size_t const m = results_.rowStart[k + 1] - results_.rowStart[k];
  if (stays() && !sent_.contains(k)) return;  // no lock: nobody sends any more
  AnswerTarget const target = targetOf(k);
  if (!target.wanted) return;
  if (!optimal && !stopped) std::fill_n(target.y, m, 0.0);
  if (optimal || stopped || report.end == BatchStatus::unbounded) return;
  std::fill_n(target.x, n, 0.0);
  std::fill_n(target.columnStatus, n, VariableStatus::atLower);
  std::fill_n(target.rowStatus, m, VariableStatus::basic);
}

void ManyRun::sendLate() {
  AnswerArrays const& to = options_.there;
  auto const send = [&](auto* target, std::size_t start, auto const& source) {
    copyAcross(options_.device, target + start, source.data(), source.size() * sizeof(source[0]));
  };
  for (auto const& [k, late] : sent_) {
    std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
    send(to.x, column, late.x);
    send(to.y, row, late.y);
    send(to.columnStatus, column, late.columnStatus);
    send(to.rowStatus, row, late.rowStatus);
  }
  send(to.objective, 0, results_.objective);  // by the reports, which have come to the host
}

BatchStatus ManyRun::statusOf(std::size_t k) const {
  BatchStatus const end = reports_[k].end;
  bool const late = std::binary_search(late_.begin(), late_.end(), k);
  BatchStatus const stopped =
      wasInterrupted_ && !late ? BatchStatus::interrupted : BatchStatus::timeLimit;
  return end == BatchStatus::interrupted || (end == BatchStatus::numerical && stop_) ? stopped
                                                                                     : end;
}

}  // namespace osi_cuda::batch
