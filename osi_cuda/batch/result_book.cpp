// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/result_book.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "osi_cuda/proof/residuals.hpp"
#include "osi_cuda/simplex/judge.hpp"
#include "osi_cuda/solver.hpp"

namespace osi_cuda::batch {
namespace {

SmallEnd endOf(Status status) {
  switch (status) {
    case Status::optimal:
      return SmallEnd::optimal;
    case Status::infeasible:
      return SmallEnd::infeasible;
    case Status::unbounded:
      return SmallEnd::unbounded;
    case Status::iterationLimit:
      return SmallEnd::iterationLimit;
    case Status::timeLimit:
    case Status::interrupted:
      return SmallEnd::interrupted;
    default:
      return SmallEnd::unsettled;
  }
}

/// Verifies what a batch hands out of a solution in two parts: its high parts alone. Where they do
/// not prove the status, there is none.
void proveInDoubles(LinearProgram const& lp, Options const& options, Solution& solution) {
  if (solution.columnValuesLow.empty() && solution.rowDualsLow.empty()) return;
  solution.columnValuesLow.clear();
  solution.rowDualsLow.clear();
  Judge const verifier(lp, options);
  if (solution.status == Status::optimal) {
    solution.objective = objectiveOf(lp, solution.columnValues);
    if (verifier.claimOptimal(solution)) return;
    solution.message = "doubles miss the optimal point by " +
                       Judge::text(solution.residuals.largest()) +
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

}  // namespace

ResultBook::ResultBook(BatchOptions const& options, BatchResults& results,
                       BatchCallbacks const& callbacks, std::atomic<bool>& stop, Stopped stopped)
    : options_(options),
      results_(results),
      callbacks_(callbacks),
      stop_(stop),
      stopped_(stopped),
      threads_(options.threads > 0 ? options.threads : allThreads()) {
  if (std::string const fault = findFault(options); !fault.empty())
    throw std::invalid_argument(fault);
  stop_ = false;
}

void ResultBook::open(std::size_t count) {
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
  SmallReport nothing;
  nothing.end = SmallEnd::interrupted;
  reports_.assign(count, nothing);
}

SmallSettings ResultBook::settings(Pricing automatic) const {
  SmallSettings settings;
  bool const exact = automatic == Pricing::sketched && options_.pricing == Pricing::steepest;
  settings.primal = settings.dual =
      exact || options_.pricing == Pricing::automatic ? automatic : options_.pricing;
  settings.seed = options_.seed;
  constexpr std::int64_t most = 1 << 30;
  settings.iterationLimit = static_cast<int>(std::min(options_.iterationLimit, most));
  return settings;
}

double ResultBook::secondsSoFar() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

AnswerTarget ResultBook::targetOf(std::size_t k) {
  std::size_t const column = results_.columnStart[k], row = results_.rowStart[k];
  bool const wanted = results_.columnStart[k + 1] > column || results_.rowStart[k + 1] > row;
  if (!wanted) return {};
  return {true, results_.x.data() + column, results_.y.data() + row,
          results_.columnStatus.data() + column, results_.rowStatus.data() + row};
}

bool ResultBook::watch(std::size_t done) noexcept {
  if (!fault_)
    guard([&] {
      if (callbacks_.progress) callbacks_.progress(done, reports_.size());
      if (callbacks_.interrupted && callbacks_.interrupted()) wasInterrupted_ = true;
    });
  if (wasInterrupted_ || secondsSoFar() > options_.timeLimit) stop_ = true;
  return stop_;
}

// Called by the thread that called the batch.
void ResultBook::carry(std::exception_ptr fault) noexcept {
  if (!fault_) fault_ = std::move(fault);
  wasInterrupted_ = stop_ = true;
}

void ResultBook::addCertificate(std::size_t k, BatchCertificate certificate) {
  certificate.problem = k;
  std::lock_guard const lock(mutex_);
  results_.certificates.push_back(std::move(certificate));
}

void ResultBook::addCertificate(std::size_t k, std::span<double const> farkas,
                                std::span<double const> farkasLow, std::span<double const> ray,
                                std::span<double const> rayLow) {
  auto const copy = [](std::span<double const> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  addCertificate(k, {k, copy(farkas), copy(farkasLow), copy(ray), copy(rayLow), 0.0});
}

void ResultBook::reopenUncertified(std::span<std::size_t const> chosen) {
  std::vector<char> certified(reports_.size(), 0);
  for (BatchCertificate const& certificate : results_.certificates)
    certified[certificate.problem] = 1;
  for (std::size_t const k : chosen) {
    SmallReport& report = reports_[k];
    bool const claims = report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded;
    if (!claims || certified[k]) continue;
    report = {};
    report.end = SmallEnd::interrupted;
  }
}

void ResultBook::addNote(std::size_t k, std::string sentence) {
  std::lock_guard const lock(mutex_);
  results_.notes.push_back({k, std::move(sentence)});
}

void ResultBook::solveSingle(std::size_t k, LinearProgram const& lp, Basis const& basis,
                             EngineChoice engine) {
  if (std::string fault = findFault(lp); !fault.empty()) {
    reports_[k].end = SmallEnd::invalid;
    addNote(k, std::move(fault));
    return;
  }
  Options options = options_;
  options.engine = engine;
  options.threads = 1;
  options.pricing = Pricing::automatic;
  options.timeLimit =
      std::min(std::max(0.0, options_.timeLimit - secondsSoFar()), options_.problemTimeLimit);
  if (options.iterationLimit != Options{}.iterationLimit)
    options.iterationLimit =
        std::max<std::int64_t>(0, options.iterationLimit - reports_[k].iterations);
  Callbacks callbacks;
  callbacks.interrupted = [this] { return stop_.load(std::memory_order_relaxed); };
  Solver solver(lp);
  if (!basis.empty()) solver.setBasis(basis);
  Solution solution = solver.solve(options, callbacks);
  proveInDoubles(lp, options, solution);
  addSingle(k, solution);
}

void ResultBook::addSingle(std::size_t k, Solution const& s) {
  SmallReport& report = reports_[k];
  report.iterations = static_cast<std::int32_t>(
      std::min<std::int64_t>(report.iterations + s.iterations, std::numeric_limits<int>::max()));
  report.end = endOf(s.status);
  report.objective = s.objective;
  report.residual = s.residuals.largest();
  report.margin = s.margin;
  AnswerTarget const target = targetOf(k);
  bool const point = report.end == SmallEnd::optimal || report.end == SmallEnd::unbounded;
  bool const stopped =
      report.end == SmallEnd::iterationLimit && stopped_ == Stopped::keepBasis && !s.basis.empty();
  if (target.wanted && point) std::ranges::copy(s.columnValues, target.x);
  if (target.wanted && (point || stopped)) {
    std::ranges::copy(s.basis.columns, target.columnStatus);
    std::ranges::copy(s.basis.rows, target.rowStatus);
  }
  if (target.wanted && report.end == SmallEnd::optimal) std::ranges::copy(s.rowDuals, target.y);
  std::lock_guard const lock(mutex_);
  ++results_.again;
  if (s.status == Status::timeLimit) late_.push_back(k);
  if (!s.message.empty()) results_.notes.push_back({k, s.message});
  if (target.wanted && (report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded))
    results_.certificates.push_back({k, s.farkas, s.farkasLow, s.ray, s.rayLow, s.margin});
}

void ResultBook::close() {
  std::sort(late_.begin(), late_.end());
  constexpr std::size_t piece = 10000;  // of problems, worth a thread
  std::size_t const count = reports_.size();
  auto const translateAll = [&](std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) translate(k);
  };
  guard([&] {
    if (count <= piece) return translateAll(0, count);
    runWorkers(threads_, (count + piece - 1) / piece, [&](std::size_t p, int) {
      translateAll(p * piece, std::min(count, (p + 1) * piece));
    });
  });
  auto const byProblem = [](auto const& a, auto const& b) { return a.problem < b.problem; };
  for (BatchCertificate& certificate : results_.certificates)
    if (certificate.margin == 0.0) certificate.margin = reports_[certificate.problem].margin;
  std::sort(results_.certificates.begin(), results_.certificates.end(), byProblem);
  std::sort(results_.notes.begin(), results_.notes.end(), byProblem);
  if (results_.device.empty()) results_.device = "host";
  results_.seconds = secondsSoFar();
  if (fault_) std::rethrow_exception(fault_);
  if (callbacks_.progress) callbacks_.progress(reports_.size(), reports_.size());
}

/// The report in the terms of the results; what has no answer gets zeros.
void ResultBook::translate(std::size_t k) {
  SmallReport const& report = reports_[k];
  bool const optimal = report.end == SmallEnd::optimal;
  bool const proved =
      optimal || report.end == SmallEnd::infeasible || report.end == SmallEnd::unbounded;
  bool const stopped = report.end == SmallEnd::iterationLimit && stopped_ == Stopped::keepBasis;
  results_.status[k] = statusOf(k, report.end);
  results_.objective[k] = optimal || stopped ? report.objective : 0.0;
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
  if (stopped) return;
  zero(results_.columnStatus, column, columnEnd, VariableStatus::atLower);
  zero(results_.rowStatus, row, rowEnd, VariableStatus::basic);
}

BatchStatus ResultBook::statusOf(std::size_t k, SmallEnd end) const {
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

}  // namespace osi_cuda::batch
