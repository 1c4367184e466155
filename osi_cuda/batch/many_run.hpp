// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/device_many.hpp"
#include "osi_cuda/batch/host_solver.hpp"

namespace osi_cuda::batch {

/// A device's number, and how often it was named before: it works on so many more shares at a time.
using DeviceName = std::pair<int, int>;
/// Devices that stay open from call to call.
using KeptDevices = std::map<DeviceName, std::unique_ptr<DeviceMany>>;

/// One call that solves many problems: devices solve those that they take, threads of the
/// processor what is left, the ordinary solver what has no proof then. What becomes of each problem
/// is kept here until close() turns it into the caller's results. Kinds of problems derive from it.
class ManyRun {
 public:
  ManyRun(BatchOptions const& options, BatchResults& results, BatchCallbacks const& callbacks,
          std::atomic<bool>& stop);
  virtual ~ManyRun() = default;
  ManyRun(ManyRun const&) = delete;
  ManyRun& operator=(ManyRun const&) = delete;

  /// Solves all of left(), brings the results into their final form, and throws what a callback or
  /// the work threw. `kept`: the devices of earlier calls, if any; null: a device is of no use.
  /// `worth`: one is taken without being asked for.
  void solve(KeptDevices* kept, bool worth);

  int threads() const { return threads_; }
  /// Where the answers of all are, unless they stay on a device.
  BatchTargets const& targets() const { return targets_; }

 protected:
  /// Makes room for problems of these lengths; none has an answer yet. `columnsOf(k)` and
  /// `rowsOf(k)` are how many numbers of each the results have of problem k.
  void open(std::size_t count, auto columnsOf, auto rowsOf) {
    results_.columnStart.resize(count + 1);
    results_.rowStart.resize(count + 1);
    results_.columnStart[0] = results_.rowStart[0] = 0;
    for (std::size_t k = 0; k < count; ++k) {
      results_.columnStart[k + 1] = results_.columnStart[k] + columnsOf(k);
      results_.rowStart[k + 1] = results_.rowStart[k] + rowsOf(k);
    }
    open(count);
  }

  /// Those with settled(k) have got their reports: nobody is to solve them.
  void settle(auto settled) { done_ += std::erase_if(left_, settled); }

  // ---- what kinds of problems say ---------------------------------------------------------------

  /// A device that has just been opened. With several devices, this and solveOn() are called from
  /// a thread for each.
  virtual void prepare(DeviceMany&) {}
  virtual bool fits(DeviceMany const&, std::size_t) const { return true; }
  /// Lets the device do the job, to which it adds the problems; returns the device's seconds.
  virtual double solveOn(DeviceMany& device, DeviceJob job) = 0;
  /// Memory for the threads. False: they don't solve what is left().
  virtual bool makeSolvers() = 0;
  /// Solves problem k on a thread, into targetOf(k); what that lacks is in the memory.
  virtual std::pair<SmallReport, AnswerMemory const*> solve(std::size_t k, int worker) = 0;
  /// For the ordinary solver: the engine, the problem, and where it begins.
  virtual EngineChoice engineOfRest(bool /*deviceServed*/) const { return EngineChoice::host; }
  virtual LinearProgram problemOf(std::size_t k) const = 0;
  virtual Basis basisOf(std::size_t) const { return {}; }

  // ---- what they use ----------------------------------------------------------------------------

  /// What the pivot loops are told.
  SmallSettings settings(Pricing automatic) const;
  SmallReport& report(std::size_t k) { return reports_[k]; }
  std::vector<std::size_t>& left() { return left_; }  ///< numbers that nobody has solved, ascending
  /// Where the answer of problem k belongs; nowhere where points are not wanted. Among those that
  /// go to the device in the end, where answers stay there.
  AnswerTarget targetOf(std::size_t k);
  void addCertificate(std::size_t k, BatchCertificate certificate);
  /// Polls for a wish to stop, as watch.
  bool wantsToStop() noexcept { return watch(done_); }
  /// Whether the answers stay on a device.
  bool stays() const { return options_.there.objective != nullptr; }
  /// A device was lost: what it reported as infeasible or unbounded without handing on the
  /// certificate is open again. `chosen`: the problems that it had.
  void reopenUncertified(std::span<std::size_t const> chosen);

  BatchOptions const& options_;
  BatchResults& results_;
  std::atomic<bool>& stop_;
  bool finishes_ = true;      ///< problems without a proof go to the ordinary solver
  bool keepStopped_ = false;  ///< point and basis of problems that the limit of pivots stopped

 private:
  void open(std::size_t count);
  void open(KeptDevices& kept, std::vector<DeviceName> const& names);
  void solveOnDevices(KeptDevices& kept, std::vector<DeviceName> const& names);
  /// Calls work(d) for each of `count` devices in a thread of its own, or for one in this one, and
  /// throws what was thrown first; watches meanwhile, with through() problems done by them.
  void onEach(std::size_t count, std::function<void(std::size_t)> const& work,
              std::function<std::size_t()> const& through);
  void solveOnThreads();
  void solveRest(std::vector<std::size_t> const& asked, EngineChoice engine);
  void solveSingle(std::size_t k, EngineChoice engine);
  void addSingle(std::size_t k, Solution const& solution);
  /// Tells the caller how many problems are through, and polls for a wish to stop; true: stop. What
  /// a callback throws is a wish to stop, and is thrown by close().
  bool watch(std::size_t done) noexcept;
  /// Calls work(), of which close() throws what it throws.
  void guard(auto work) noexcept;
  void close();
  void translate(std::size_t k);
  void sendLate();
  BatchStatus statusOf(std::size_t k) const;

  BatchCallbacks const& callbacks_;
  int const threads_;
  Stopwatch const watch_;
  std::vector<SmallReport> reports_;
  BatchTargets targets_;
  std::vector<std::size_t> left_;
  std::size_t done_ = 0;           ///< problems that are through, but for the ordinary solver
  std::vector<std::size_t> late_;  ///< problems that ran into their own time limit
  bool wasInterrupted_ = false;
  std::exception_ptr fault_;  ///< what close() throws
  std::mutex mutex_;
  /// Answers that the host has found where they belong on a device.
  struct Late {
    std::vector<double> x, y;
    std::vector<VariableStatus> columnStatus, rowStatus;
  };
  std::map<std::size_t, Late> sent_;
};

}  // namespace osi_cuda::batch
