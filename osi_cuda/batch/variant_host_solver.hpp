// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <atomic>
#include <vector>

#include "osi_cuda/batch/batch.hpp"
#include "osi_cuda/batch/variant_host_team.hpp"

namespace osi_cuda::batch {

/// Where the answer of one variant goes; all null: nobody wants it.
struct VariantTarget {
  double* x = nullptr;
  double* y = nullptr;
  VariableStatus* columnStatus = nullptr;
  VariableStatus* rowStatus = nullptr;
};

/// Solves one variant after the other on the calling thread, in memory that it keeps.
class VariantHostSolver {
 public:
  VariantHostSolver(VariantBase const& base, int factors, std::atomic<bool> const& interrupt);

  SmallReport solve(VariantChanges const& changes, VariantSettings const& settings,
                    VariantTarget const& target);
  /// Of the last solve, which was infeasible or unbounded.
  BatchCertificate certificate(SmallReport const& report) const;

 private:
  VariantHostTeam team_;
  std::vector<double> x_, y_, yLow_, ray_, rayLow_;
  std::vector<VariableStatus> columnStatus_, rowStatus_;
};

}  // namespace osi_cuda::batch
