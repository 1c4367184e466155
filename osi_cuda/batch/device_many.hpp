// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/engine/engine.hpp"

namespace osi_cuda::batch {

/// Problems of a batch that travel together: so many bytes of numbers and problems at most, large
/// beside what a launch takes, small beside the memory of a device and of the processor.
inline constexpr std::size_t partBytes = std::size_t{96} << 20, partProblems = std::size_t{1} << 17;
/// Variants that do, with answers of so many rows and columns; a part ends where they have so many
/// changed numbers, 16 bytes each.
std::size_t variantPart(std::size_t lines);
inline constexpr std::size_t partNumbers = std::size_t{1} << 24;

/// K of VariantOptions, and what those begin again with on a device that outgrow it.
inline constexpr int usualFactors = 128, moreFactors = 512;

/// Bytes of a device's memory beside its context, as in DeviceNeeds: of `count` problems of rows x
/// columns with all their bounds, and of as many variants of such a dense problem with points, each
/// with `changes` changed numbers, where some want so many factors. 132 multiprocessors are an
/// H100's, and an H200's.
std::pair<std::uint64_t, std::uint64_t> manyNeeds(int rows, int columns, std::uint64_t count,
                                                  std::uint64_t changes = 0,
                                                  int factors = moreFactors,
                                                  int multiprocessors = 132);

/// Where answers go, arrays of the whole call: problem k's pieces begin at columnStart[k] and
/// rowStart[k], both of length K + 1, and are empty where points are not wanted. What an end does
/// not write stays as it was.
struct BatchTargets {
  std::span<SmallReport> report;
  std::span<double> x, y;
  std::span<VariableStatus> columnStatus, rowStatus;
  std::span<std::size_t const> columnStart, rowStart;
  AnswerArrays there = {};    ///< on a device, in place of x, y and the bases
  bool keepsStopped = false;  ///< those have a basis of what the limit of pivots stopped
};

/// What a device is asked to do, whatever the kind of problems.
struct DeviceJob {
  std::span<std::size_t const> chosen;  ///< ascending numbers of problems
  VariantSettings settings;
  BatchTargets targets;
  int threads = 1;       ///< of the processor, for copying
  int blockThreads = 0;  ///< as in BatchOptions
  /// Called with the certificate of each infeasible or unbounded problem where points are wanted,
  /// in no certain order, from the calling thread. Spans of lengths m, m, n, n; those that the end
  /// does not have are empty.
  std::function<void(std::size_t problem, std::span<double const> farkas,
                     std::span<double const> farkasLow, std::span<double const> ray,
                     std::span<double const> rayLow)>
      certificate;
  /// Called some times a second with the number of problems that are through; true: stop.
  std::function<bool(std::size_t done)> goneBy;
};

struct BatchJob : DeviceJob {
  BatchProblems problems;  ///< the chosen ones fit
  std::span<std::size_t const> matrixStart;
};

struct VariantJob : DeviceJob {
  VariantList* list = nullptr;
  int factors = 0;  ///< K
  /// Numbers instead of those of the list, whose tasks then count them; some lie on the device.
  std::span<VariantArray const> arrays = {};
  double infiniteFrom = std::numeric_limits<double>::infinity();  ///< as in BatchVariants
};

/// A device that solves many problems. Every call may throw EngineUnavailable or std::bad_alloc.
/// To solve returns the seconds that the kernels took; problems that the device did not come to
/// have the end BatchStatus::interrupted.
class DeviceMany {
 public:
  virtual ~DeviceMany() = default;
  virtual std::string device() const = 0;

  /// Whether it takes problems of this size into a batch.
  virtual bool fits(int rows, int columns) const = 0;
  virtual double solve(BatchJob const& job) = 0;
  /// Makes answers of these lengths what they are where none has been found.
  virtual void clear(AnswerArrays const& answers, std::size_t count, std::size_t columns,
                     std::size_t rows) = 0;

  /// Forms the common tableau that variants start from; lp must outlive the use of it.
  virtual void setBase(LinearProgram const& lp, Basis const& basis) = 0;
  /// Copies it from an engine on this device. `sameMatrix`: lp and its matrix are those of the last
  /// call.
  virtual void setBase(LinearProgram const& lp, PlacedEngine const& from, bool sameMatrix) = 0;
  virtual double solve(VariantJob const& job) = 0;
};

/// What solves many problems on a CUDA device. Throws EngineUnavailable when module, driver or
/// device is missing.
std::unique_ptr<DeviceMany> makeCudaMany(int device);

}  // namespace osi_cuda::batch
