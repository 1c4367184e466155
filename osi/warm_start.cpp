// SPDX-License-Identifier: EPL-2.0
// Bases in Osi's terms. The slack of a row has coefficient +1: it is at its lower bound where the
// row's activity is at its upper.
#include <algorithm>
#include <memory>

#include "osi/state.hpp"
#include "osi_cuda/model/status_codes.hpp"

using osi_cuda::at;
using osi_cuda::VariableStatus;
using osi_cuda::osi::fromCoin;
using osi_cuda::osi::toCoin;

namespace osi_cuda::osi {

constexpr StatusCodes<CoinWarmStartBasis::Status> codes{
    CoinWarmStartBasis::atLowerBound, CoinWarmStartBasis::atUpperBound, CoinWarmStartBasis::isFree,
    CoinWarmStartBasis::basic};

CoinWarmStartBasis::Status toCoin(VariableStatus status) {
  return codes.of(status);
}

VariableStatus fromCoin(CoinWarmStartBasis::Status status) {
  return codes.statusOf(status, VariableStatus::free);
}

VariableStatus otherBound(VariableStatus status) {
  if (status == VariableStatus::atLower) return VariableStatus::atUpper;
  if (status == VariableStatus::atUpper) return VariableStatus::atLower;
  return status;
}

}  // namespace osi_cuda::osi

namespace {

/// Statuses as CoinWarmStartBasis stores them: four in a byte, the first in its lowest bits. Branch
/// and bound asks for a basis at every node.
void packStatuses(int count, char* bytes, auto statusOf) {
  for (int first = 0; first < count; first += 4) {
    int byte = 0;
    for (int k = 0; k < std::min(4, count - first); ++k)
      byte |= static_cast<int>(statusOf(first + k)) << (2 * k);
    bytes[first / 4] = static_cast<char>(byte);
  }
}

}  // namespace

// An equality rests on either bound: its slack is said to be at the lower one.
VariableStatus OsiCudaSolverInterface::State::slackStatus(int row) const {
  auto const i = at(row);
  VariableStatus const activity = basis.rows[i];
  if (activity == VariableStatus::atLower && rowLower[i] == rowUpper[i])
    return VariableStatus::atLower;
  return osi_cuda::osi::otherBound(activity);
}

CoinWarmStart* OsiCudaSolverInterface::getEmptyWarmStart() const {
  return new CoinWarmStartBasis();
}

CoinWarmStart* OsiCudaSolverInterface::getWarmStart() const {
  auto warmStart = std::make_unique<CoinWarmStartBasis>();
  warmStart->setSize(state_->columns(), state_->rows());
  packStatuses(state_->columns(), warmStart->getStructuralStatus(),
               [this](int j) { return toCoin(state_->basis.columns[at(j)]); });
  packStatuses(state_->rows(), warmStart->getArtificialStatus(),
               [this](int i) { return toCoin(state_->slackStatus(i)); });
  return warmStart.release();
}

// A basis that is too short is filled up as if the rest had just been added; of one that is too
// long the rest is left out. Null asks to refresh from the solver, which is always done.
bool OsiCudaSolverInterface::setWarmStart(CoinWarmStart const* warmStart) {
  if (!warmStart) return true;
  auto const* const given = dynamic_cast<CoinWarmStartBasis const*>(warmStart);
  if (!given) return false;
  auto& basis = state_->basis;
  state_->tableauReady = false;
  for (int j = 0; j < state_->columns(); ++j) {
    auto const k = at(j);
    basis.columns[k] =
        j < given->getNumStructural()
            ? fromCoin(given->getStructStatus(j))
            : osi_cuda::osi::restingStatus(state_->columnLower[k], state_->columnUpper[k]);
  }
  for (int i = 0; i < state_->rows(); ++i)
    basis.rows[at(i)] = i < given->getNumArtificial()
                            ? osi_cuda::osi::otherBound(fromCoin(given->getArtifStatus(i)))
                            : VariableStatus::basic;
  return true;
}
