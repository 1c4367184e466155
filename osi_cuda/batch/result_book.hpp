// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/host_solver.hpp"
#include "osi_cuda/batch/small_problem.hpp"

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
  BatchResults& results() { return results_; }
  int threads() const { return threads_; }
  std::atomic<bool>& stop() { return stop_; }
  /// What the pivot loops of a batch are told.
  SmallSettings settings(Pricing automatic) const;

  double secondsSoFar() const;
  double secondsLeft() const;
  /// Tells the caller how many problems are through, and asks for a wish to stop; true: stop.
  bool watch(std::size_t done);

  void addCertificate(BatchCertificate certificate);
  /// A device was lost: what it reported as infeasible or unbounded without handing on the
  /// certificate is open again. `chosen`: the problems that it had.
  void reopenUncertified(std::span<std::size_t const> chosen);
  /// The same from arrays that somebody else owns.
  void addCertificate(std::size_t k, std::span<double const> farkas,
                      std::span<double const> farkasLow, std::span<double const> ray,
                      std::span<double const> rayLow);
  void addNote(std::size_t k, std::string sentence);
  /// Takes over what the ordinary solver found of problem k.
  void addSingle(std::size_t k, SingleAnswer const& answer);

  /// Brings the results into their final form.
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  void open(std::size_t count);
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
  std::mutex mutex_;
};

}  // namespace osi_cuda::batch
