// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "osi_cuda/batch/variant_list.hpp"
#include "osi_cuda/batch/variant_problem.hpp"
#include "osi_cuda/model/basis.hpp"
#include "osi_cuda/model/linear_program.hpp"

namespace osi_cuda::batch {

/// What a device is asked to do.
struct VariantJob {
  VariantList const* list = nullptr;
  std::span<std::size_t const> chosen;  ///< ascending numbers of variants
  VariantSettings settings;
  int factors = 0;       ///< K
  int blockThreads = 0;  ///< threads of a block; 0: by size
  int threads = 1;       ///< of the processor, that answers may be copied by
  /// Where answers go, arrays of all variants: variant k's pieces begin at k n and k m. All but
  /// `report` are empty where points are not wanted.
  std::span<SmallReport> report;
  std::span<double> x, y;
  std::span<VariableStatus> columnStatus, rowStatus;
  /// Called with the certificate of each infeasible or unbounded variant where points are wanted,
  /// from the calling thread. Spans of lengths m, m, n, n; those that the end does not have are
  /// empty.
  std::function<void(std::size_t variant, std::span<double const> farkas,
                     std::span<double const> farkasLow, std::span<double const> ray,
                     std::span<double const> rayLow)>
      certificate;
  /// Called some times a second with the number of variants that are through; true: stop.
  std::function<bool(std::size_t done)> goneBy;
};

/// A device that solves variants of one problem. Every call may throw EngineUnavailable or
/// std::bad_alloc.
class DeviceVariants {
 public:
  virtual ~DeviceVariants() = default;
  virtual std::string device() const = 0;
  /// Forms the common tableau of that basis; lp must outlive the use of it.
  virtual void setBase(LinearProgram const& lp, Basis const& basis) = 0;
  /// Solves the chosen variants; returns the seconds that its kernels took. Variants it did not
  /// come to have the end SmallEnd::interrupted.
  virtual double solve(VariantJob const& job) = 0;
};

}  // namespace osi_cuda::batch
