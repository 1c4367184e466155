// SPDX-License-Identifier: EPL-2.0
#include "osi/branches_ahead.hpp"

#include <algorithm>
#include <utility>

#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::osi {

BranchesAhead::BranchesAhead(Solver const& solver, std::function<void(Solver&)> const& prepare,
                             std::vector<NewBound> bounds, Options const& options)
    : bounds_(std::move(bounds)), options_(options), solutions_(bounds_.size()) {
  int const asked = options.threads > 0 ? options.threads : batch::allThreads();
  int const threads = std::min(asked, static_cast<int>(bounds_.size()));
  if (threads < 2) return;
  std::vector<Solver> copies;
  while (static_cast<int>(copies.size()) < threads) {
    std::optional<Solver> copy = solver.copyAtKeptBasis();
    if (!copy) return;
    prepare(*copy);
    copies.push_back(std::move(*copy));
  }
  copies_ = std::move(copies);
}

std::size_t BranchesAhead::placeOf(NewBound const& bound) const {
  return at(std::ranges::find(bounds_, bound) - bounds_.begin());
}

Solution const* BranchesAhead::find(NewBound const& bound) const {
  std::size_t const k = placeOf(bound);
  return k < solutions_.size() && solutions_[k] ? &*solutions_[k] : nullptr;
}

std::size_t BranchesAhead::solveWith(NewBound const& bound) {
  std::size_t const first = placeOf(bound);
  std::vector<std::size_t> chosen{first};
  auto const choose = [&](std::size_t k) {
    if (chosen.size() < copies_.size() && !solutions_[k] && k != first) chosen.push_back(k);
  };
  choose(first % 2 == 0 ? first + 1 : first - 1);
  std::size_t const other = chosen.back();
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    if (k != other) choose(k);
  batch::runWorkers(
      static_cast<int>(chosen.size()), chosen.size(),
      [&](std::size_t item, int worker) { solve(chosen[item], copies_[at(worker)]); });
  return chosen.size() - 1;
}

void BranchesAhead::solve(std::size_t k, Solver& solver) {
  NewBound const& bound = bounds_[k];
  auto const j = at(bound.column);
  double const lower = solver.problem().columnLower[j], upper = solver.problem().columnUpper[j];
  solver.setColumnBounds(bound.column, bound.up ? bound.value : lower,
                         bound.up ? upper : bound.value);
  solver.goBack();
  solutions_[k] = solver.solve(options_);
  solver.setColumnBounds(bound.column, lower, upper);
}

}  // namespace osi_cuda::osi
