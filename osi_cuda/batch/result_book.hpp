// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::batch {

/// What a call that solves many problems keeps of each of them, its limits, and how all that
/// becomes the caller's results.
class ResultBook {
 public:
  /// What becomes of a problem that the limit of iterations stopped.
  enum class Stopped { forget, keepBasis };

  ResultBook(BatchOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
             std::atomic<bool>& stop, Stopped stopped = Stopped::forget);

  /// Makes room for problems of these lengths; none has an answer yet. `columnsOf(k)` and
  /// `rowsOf(k)` are how many numbers of each the results have of problem k.
  template <class ColumnsOf, class RowsOf>
  void open(std::size_t count, ColumnsOf columnsOf, RowsOf rowsOf) {
    results_.columnStart.resize(count + 1);
    results_.rowStart.resize(count + 1);
    results_.columnStart[0] = results_.rowStart[0] = 0;
    for (std::size_t k = 0; k < count; ++k) {
      results_.columnStart[k + 1] = results_.columnStart[k] + columnsOf(k);
      results_.rowStart[k + 1] = results_.rowStart[k] + rowsOf(k);
    }
    open(count);
  }

  std::vector<SmallReport>& reports() { return reports_; }
  SmallReport& report(std::size_t k) { return reports_[k]; }
  int threads() const { return threads_; }
  std::atomic<bool>& stop() { return stop_; }
  /// What the pivot loops of a batch are told.
  SmallSettings settings(Pricing automatic) const;

  /// Where the answer of problem k belongs; nowhere where points are not wanted.
  AnswerTarget targetOf(std::size_t k);

  /// Tells the caller how many problems are through, and polls for a wish to stop; true: stop. What
  /// a callback throws is a wish to stop, and is thrown by close().
  bool watch(std::size_t done) noexcept;
  /// Calls work(), of which close() throws what it throws.
  template <class Work>
  void guard(Work work) noexcept {
    try {
      work();
    } catch (...) {
      carry(std::current_exception());
    }
  }

  /// Lets `device` solve job.chosen. Returns the problems of it that a lost device has left over;
  /// `certified`: certificates are wanted, so that a claim without one is left over as well.
  template <class Device, class Job>
  std::vector<std::size_t> solveOnDevice(Device& device, Job& job, std::size_t doneBefore,
                                         bool certified) {
    job.certificate = [this](auto const&... parts) { addCertificate(parts...); };
    job.goneBy = [=, this](std::size_t done) { return watch(doneBefore + done); };
    try {
      results_.deviceSeconds = device.solve(job);
    } catch (EngineUnavailable const&) {
      results_.deviceLost = true;
      if (certified) reopenUncertified(job.chosen);
    }
    std::vector<std::size_t> left;
    for (std::size_t k : job.chosen) {
      bool const open = reports_[k].end == SmallEnd::interrupted;
      if (!open) ++results_.onDevice;
      if (open && results_.deviceLost) left.push_back(k);
    }
    if (results_.onDevice > 0) results_.device = device.device();
    return left;
  }

  void addCertificate(std::size_t k, BatchCertificate certificate);
  /// The same from arrays that somebody else owns.
  void addCertificate(std::size_t k, std::span<double const> farkas,
                      std::span<double const> farkasLow, std::span<double const> ray,
                      std::span<double const> rayLow);
  void addNote(std::size_t k, std::string sentence);
  /// A device was lost: what it reported as infeasible or unbounded without handing on the
  /// certificate is open again. `chosen`: the problems that it had.
  void reopenUncertified(std::span<std::size_t const> chosen);

  /// Solves those problems by the ordinary solver, what is left of the limits theirs: a thread
  /// each, or one after the other where `engine` is the device. problemOf(k) is the LinearProgram,
  /// basisOf(k) where to begin. What findFault refuses is `invalid`.
  template <class ProblemOf, class BasisOf>
  void solveSingly(std::vector<std::size_t> const& chosen, EngineChoice engine, ProblemOf problemOf,
                   BasisOf basisOf) {
    runWorkers(
        engine == EngineChoice::cuda ? 1 : threads_, chosen.size(),
        [&](std::size_t item, int) {
          std::size_t const k = chosen[item];
          solveSingle(k, problemOf(k), basisOf(k), engine);
        },
        [&](std::size_t done) { return watch(reports_.size() - chosen.size() + done); });
  }

  /// Brings the results into their final form, and throws what was carried here.
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  void open(std::size_t count);
  void carry(std::exception_ptr fault) noexcept;
  double secondsSoFar() const;
  void solveSingle(std::size_t k, LinearProgram const& lp, Basis const& basis, EngineChoice engine);
  void addSingle(std::size_t k, Solution const& solution);
  void translate(std::size_t k);
  BatchStatus statusOf(std::size_t k, SmallEnd end) const;

  BatchOptions const& options_;
  BatchResults& results_;
  BatchCallbacks const& callbacks_;
  std::atomic<bool>& stop_;
  Stopped const stopped_;
  int const threads_;
  Clock::time_point const begin_ = Clock::now();
  std::vector<SmallReport> reports_;
  std::vector<std::size_t> late_;  ///< problems that ran into their own time limit
  bool wasInterrupted_ = false;
  std::exception_ptr fault_;  ///< what close() throws
  std::mutex mutex_;
};

}  // namespace osi_cuda::batch
