// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/small_problem.hpp"

namespace osi_cuda::batch {

/// Where the arrays of problem k begin; each of length K + 1.
struct BatchStarts {
  std::span<std::size_t const> matrix, column, row;
};

/// Where answers go, arrays of the whole batch. What an end does not write stays as it was, but for
/// x, y and statuses, which are zeros then.
struct BatchTargets {
  std::span<SmallReport> report;
  std::span<double> x, y;
  std::span<VariableStatus> columnStatus, rowStatus;
};

/// What a device is asked to do.
struct DeviceJob {
  BatchProblems problems;
  BatchStarts starts;
  std::span<std::size_t const> chosen;  ///< ascending numbers of problems, all of which fit
  SmallSettings settings;
  BatchTargets targets;
  int threads = 1;       ///< of the processor, for copying
  int blockThreads = 0;  ///< as in BatchOptions
  /// Called with the certificate of each infeasible or unbounded problem, in no certain order, from
  /// the calling thread. Spans of lengths m, m, n, n; those that the end does not have are empty.
  std::function<void(std::size_t problem, std::span<double const> farkas,
                     std::span<double const> farkasLow, std::span<double const> ray,
                     std::span<double const> rayLow)>
      certificate;
  /// Called after each part with the number of problems that are through; true: stop.
  std::function<bool(std::size_t done)> goneBy;
};

/// A device that solves small problems. Every call may throw EngineUnavailable.
class DeviceBatch {
 public:
  virtual ~DeviceBatch() = default;
  virtual std::string device() const = 0;
  /// Whether it takes problems of this size.
  virtual bool fits(int rows, int columns) const = 0;
  /// Solves the chosen problems; returns the seconds that its kernels took. Problems it did not
  /// come to have the end SmallEnd::interrupted.
  virtual double solve(DeviceJob const& job) = 0;
};

}  // namespace osi_cuda::batch
