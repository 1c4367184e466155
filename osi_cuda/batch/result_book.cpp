// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/result_book.hpp"

#include <algorithm>

#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::batch {

ResultBook::ResultBook(BatchOptions const& options, BatchResults& results,
                       BatchCallbacks const& callbacks, std::atomic<bool>& stop, Stopped stopped)
    : options_(options),
      results_(results),
      callbacks_(callbacks),
      stop_(stop),
      stopped_(stopped),
      threads_(options.threads > 0 ? options.threads : allThreads()) {
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
  Pricing const steepest = automatic == Pricing::sketched ? Pricing::sketched : Pricing::steepest;
  settings.primal = settings.dual = options_.pricing == BatchPricing::devex      ? Pricing::devex
                                    : options_.pricing == BatchPricing::dantzig  ? Pricing::dantzig
                                    : options_.pricing == BatchPricing::steepest ? steepest
                                                                                 : automatic;
  settings.seed = options_.seed;
  constexpr std::int64_t most = 1 << 30;
  settings.iterationLimit = static_cast<int>(std::min(options_.iterationLimit, most));
  return settings;
}

double ResultBook::secondsSoFar() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}
double ResultBook::secondsLeft() const {
  return std::max(0.0, options_.timeLimit - secondsSoFar());
}

bool ResultBook::watch(std::size_t done) {
  if (callbacks_.progress) callbacks_.progress(done, reports_.size());
  if (callbacks_.interrupted && callbacks_.interrupted()) wasInterrupted_ = true;
  if (wasInterrupted_ || secondsSoFar() > options_.timeLimit) stop_ = true;
  return stop_;
}

void ResultBook::addCertificate(BatchCertificate certificate) {
  std::lock_guard const lock(mutex_);
  results_.certificates.push_back(std::move(certificate));
}

void ResultBook::addCertificate(std::size_t k, std::span<double const> farkas,
                                std::span<double const> farkasLow, std::span<double const> ray,
                                std::span<double const> rayLow) {
  auto const copy = [](std::span<double const> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  addCertificate({k, copy(farkas), copy(farkasLow), copy(ray), copy(rayLow), 0.0});
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

void ResultBook::addSingle(std::size_t k, SingleAnswer const& answer) {
  Solution const& s = answer.solution;
  SmallReport& report = reports_[k];
  report.iterations += static_cast<std::int32_t>(s.iterations);
  report.end = answer.end;
  report.objective = s.objective;
  report.residual = s.residuals.largest();
  report.margin = s.margin;
  bool const wanted = results_.rowStart[k + 1] > results_.rowStart[k] ||
                      results_.columnStart[k + 1] > results_.columnStart[k];
  bool const point = answer.end == SmallEnd::optimal || answer.end == SmallEnd::unbounded;
  bool const stopped =
      answer.end == SmallEnd::iterationLimit && stopped_ == Stopped::keepBasis && !s.basis.empty();
  auto const column = std::ptrdiff_t(results_.columnStart[k]),
             row = std::ptrdiff_t(results_.rowStart[k]);
  if (wanted && point)
    std::copy(s.columnValues.begin(), s.columnValues.end(), results_.x.begin() + column);
  if (wanted && (point || stopped)) {
    std::copy(s.basis.columns.begin(), s.basis.columns.end(),
              results_.columnStatus.begin() + column);
    std::copy(s.basis.rows.begin(), s.basis.rows.end(), results_.rowStatus.begin() + row);
  }
  if (wanted && answer.end == SmallEnd::optimal)
    std::copy(s.rowDuals.begin(), s.rowDuals.end(), results_.y.begin() + row);
  std::lock_guard const lock(mutex_);
  ++results_.again;
  if (s.status == Status::timeLimit) late_.push_back(k);
  if (!s.message.empty()) results_.notes.push_back({k, s.message});
  if (wanted && (answer.end == SmallEnd::infeasible || answer.end == SmallEnd::unbounded))
    results_.certificates.push_back({k, s.farkas, s.farkasLow, s.ray, s.rayLow, s.margin});
}

void ResultBook::close() {
  std::sort(late_.begin(), late_.end());
  constexpr std::size_t worthThreads = 10000;
#pragma omp parallel for schedule(static) num_threads(threads_) if (reports_.size() > worthThreads)
  for (std::size_t k = 0; k < reports_.size(); ++k) translate(k);
  auto const byProblem = [](auto const& a, auto const& b) { return a.problem < b.problem; };
  for (BatchCertificate& certificate : results_.certificates)
    if (certificate.margin == 0.0) certificate.margin = reports_[certificate.problem].margin;
  std::sort(results_.certificates.begin(), results_.certificates.end(), byProblem);
  std::sort(results_.notes.begin(), results_.notes.end(), byProblem);
  if (results_.device.empty()) results_.device = "host";
  results_.seconds = secondsSoFar();
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
