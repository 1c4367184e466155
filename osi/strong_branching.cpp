// SPDX-License-Identifier: EPL-2.0
// Strong branching: all branches of the candidates as variants of the present problem, side by
// side.
#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

#include "osi/state.hpp"
#include "osi_cuda/batch/variants.hpp"
#include "osi_cuda/errors.hpp"

namespace osi = osi_cuda::osi;
using osi_cuda::BatchResults;
using osi_cuda::BatchStatus;
using osi_cuda::VariableStatus;
using osi_cuda::VariantChange;

namespace {

/// Nearer to a whole number than this, a value is one.
constexpr double whole = 1e-9;

[[noreturn]] void fail(std::string const& why) {
  throw CoinError(why, "strongBranch", "OsiCudaSolverInterface");
}

/// The basis of variant k in Osi's terms, in which a slack is where its row's activity is not.
std::shared_ptr<CoinWarmStartBasis> basisOf(BatchResults const& results, std::size_t k) {
  auto basis = std::make_shared<CoinWarmStartBasis>();
  std::size_t const column = results.columnStart[k], row = results.rowStart[k];
  std::size_t const n = results.columnStart[k + 1] - column, m = results.rowStart[k + 1] - row;
  basis->setSize(static_cast<int>(n), static_cast<int>(m));
  for (std::size_t j = 0; j < n; ++j)
    basis->setStructStatus(static_cast<int>(j), osi::toCoin(results.columnStatus[column + j]));
  for (std::size_t i = 0; i < m; ++i)
    basis->setArtifStatus(static_cast<int>(i),
                          osi::toCoin(osi::otherBound(results.rowStatus[row + i])));
  return basis;
}

OsiCudaSolverInterface::BranchSide sideOf(BatchResults const& results, std::size_t k, double sense,
                                          double objective) {
  using End = OsiCudaSolverInterface::BranchEnd;
  OsiCudaSolverInterface::BranchSide side;
  side.iterations = results.iterations[k];
  BatchStatus const status = results.status[k];
  if (status == BatchStatus::infeasible) {
    side.end = End::infeasible;
    side.degradation = COIN_DBL_MAX;
  } else if (status == BatchStatus::optimal || status == BatchStatus::iterationLimit) {
    side.end = status == BatchStatus::optimal ? End::optimal : End::stopped;
    side.degradation = std::max(0.0, sense * (results.objective[k] - objective));
    side.basis = basisOf(results, k);
  }
  return side;
}

}  // namespace

std::vector<OsiCudaSolverInterface::Branch> OsiCudaSolverInterface::strongBranch(
    std::vector<int> const& columns, int pivotLimit) const {
  auto const& s = *state_;
  if (s.status != osi_cuda::Status::optimal) fail("there is no optimal solution to branch from");
  std::vector<Branch> branches;
  osi_cuda::PackedVariants variants;
  for (int const j : columns) {
    osi::checkIndex(j, s.columns(), "strongBranch");
    double const value = s.columnValue[static_cast<std::size_t>(j)];
    bool const isWhole = std::fabs(value - std::round(value)) <= whole;
    double const down = isWhole ? std::round(value) - 1.0 : std::floor(value);
    double const up = isWhole ? std::round(value) + 1.0 : std::ceil(value);
    branches.push_back({j, value, {}, {}});
    using What = VariantChange::What;
    variants.add(std::vector<VariantChange>{{What::columnUpper, j, down}});
    variants.add(std::vector<VariantChange>{{What::columnLower, j, up}});
  }
  if (branches.empty()) return branches;
  osi_cuda::VariantOptions options(optionsOfSolve(false, pivotLimit));
  options.iterationLimit = pivotLimit > 0 ? pivotLimit : std::numeric_limits<std::int64_t>::max();
  BatchResults results;
  double offset = 0.0;
  getDblParam(OsiObjOffset, offset);
  try {
    results = osi_cuda::solveVariants(s.model(offset), s.basis, variants.view(), options);
  } catch (std::invalid_argument const& e) {
    fail(e.what());
  } catch (osi_cuda::EngineUnavailable const& e) {
    fail(e.what());
  } catch (osi_cuda::NotEnoughMemory const& e) {
    fail(std::string("not enough memory: ") + e.what());
  } catch (std::bad_alloc const&) {
    fail("not enough memory");
  }
  double const objective = getObjValue();
  for (std::size_t k = 0; k < branches.size(); ++k) {
    branches[k].down = sideOf(results, 2 * k, s.sense, objective);
    branches[k].up = sideOf(results, 2 * k + 1, s.sense, objective);
  }
  return branches;
}
