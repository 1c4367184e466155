// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: the proofs tell the rounding errors of products.
#include "osi_cuda/batch/variant_host_solver.hpp"

#include <algorithm>

#include "osi_cuda/batch/variant_solve.hpp"

namespace osi_cuda::batch {
namespace {

static_assert(sizeof(VariableStatus) == sizeof(std::uint8_t));
std::uint8_t* bytesOf(VariableStatus* statuses) {
  return reinterpret_cast<std::uint8_t*>(statuses);
}

}  // namespace

VariantHostSolver::VariantHostSolver(VariantBase const& base, int factors,
                                     std::atomic<bool> const& interrupt)
    : team_(base, factors, interrupt) {
  auto const m = static_cast<std::size_t>(base.rows), n = static_cast<std::size_t>(base.columns);
  for (auto* array : {&x_, &ray_, &rayLow_}) array->resize(n);
  for (auto* array : {&y_, &yLow_}) array->resize(m);
  columnStatus_.resize(n);
  rowStatus_.resize(m);
}

SmallReport VariantHostSolver::solve(VariantChanges const& changes, VariantSettings const& settings,
                                     VariantTarget const& target) {
  team_.take(changes);
  SmallReport const report =
      solveVariant(team_, settings,
                   {x_.data(), y_.data(), yLow_.data(), ray_.data(), rayLow_.data(),
                    bytesOf(columnStatus_.data()), bytesOf(rowStatus_.data())});
  if (!target.x) return report;
  // What an end does not write is left behind by an earlier variant, and nobody reads it.
  std::copy(x_.begin(), x_.end(), target.x);
  std::copy(y_.begin(), y_.end(), target.y);
  std::copy(columnStatus_.begin(), columnStatus_.end(), target.columnStatus);
  std::copy(rowStatus_.begin(), rowStatus_.end(), target.rowStatus);
  return report;
}

BatchCertificate VariantHostSolver::certificate(SmallReport const& report) const {
  BatchCertificate certificate;
  certificate.margin = report.margin;
  if (report.end == SmallEnd::infeasible) {
    certificate.farkas = y_;
    certificate.farkasLow = yLow_;
  } else {
    certificate.ray = ray_;
    certificate.rayLow = rayLow_;
  }
  return certificate;
}

}  // namespace osi_cuda::batch
