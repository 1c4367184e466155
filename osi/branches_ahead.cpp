// SPDX-License-Identifier: EPL-2.0
#include "osi/branches_ahead.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::osi {
namespace {

/// The answer of variant v; nothing where none was proved.
std::optional<Solution> solutionOf(LinearProgram const& lp, BatchResults const& results,
                                   std::size_t v) {
  BatchStatus const end = results.status[v];
  bool const infeasible = end == BatchStatus::infeasible;
  if (!infeasible && end != BatchStatus::optimal && end != BatchStatus::iterationLimit) return {};
  auto const x = results.xOf(v), y = results.yOf(v);
  Solution s;
  s.status = static_cast<Status>(end);
  s.objective = results.objective[v];
  s.columnValues.assign(x.begin(), x.end());
  s.rowDuals.assign(y.begin(), y.end());
  s.rowActivity.assign(s.rowDuals.size(), 0.0);
  s.reducedCosts = lp.objective;
  for (int j = 0; j < lp.columns(); ++j)
    for (auto const [i, a] : lp.matrix.column(j)) {
      s.rowActivity[at(i)] += a * s.columnValues[at(j)];
      s.reducedCosts[at(j)] -= a * s.rowDuals[at(i)];
    }
  if (infeasible) s.farkas.resize(s.rowDuals.size());  // none where bounds cross
  if (!infeasible) s.basis = results.basisOf(v);
  for (BatchCertificate const& certificate : results.certificates)
    if (certificate.problem == v) s.farkas = certificate.farkas;
  s.proof = results.proof[v];
  s.residuals = {results.residual[v], results.residual[v], results.residual[v]};
  s.iterations = results.iterations[v];
  s.engine = osi_cuda::SolveEngine::cuda;
  return s;
}

}  // namespace

BranchesAhead::BranchesAhead(std::vector<NewBound> bounds, Options const& options,
                             Solver const& solver, std::function<void(Solver&)> const& prepare)
    : bounds_(std::move(bounds)), options_(options), answers_(bounds_.size()) {
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

BranchesAhead::BranchesAhead(std::vector<NewBound> bounds, Options const& options,
                             VariantSolver& variants, std::function<bool()> interrupted)
    : bounds_(std::move(bounds)),
      options_(options),
      variants_(&variants),
      callbacks_{std::move(interrupted), {}},
      answers_(bounds_.size()) {}

std::size_t BranchesAhead::solveWith(std::size_t first) {
  constexpr std::size_t blocks = 128;  // a large device has about so many at work at a time
  std::size_t const most = variants_ ? blocks : copies_.size();
  std::vector<std::size_t> chosen{first};
  auto const choose = [&](std::size_t k) {
    if (chosen.size() < most && !tried(k) && k != first) chosen.push_back(k);
  };
  choose(first % 2 == 0 ? first + 1 : first - 1);
  std::size_t const other = chosen.back();
  for (std::size_t k = 0; k < bounds_.size(); ++k)
    if (k != other) choose(k);
  if (variants_)
    solveVariants(chosen);
  else
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
  answers_[k] = [solution = solver.solve(options_)] { return solution; };
  solver.setColumnBounds(bound.column, lower, upper);
}

void BranchesAhead::solveVariants(std::vector<std::size_t> const& chosen) {
  using What = VariantChange::What;
  auto const results = std::make_shared<BatchResults>();
  PackedVariants variants;
  for (std::size_t const k : chosen) {
    answers_[k] = [this, results, v = variants.view().count()] {
      return solutionOf(variants_->problem(), *results, v);
    };
    auto const& [column, up, value] = bounds_[k];
    variants.add(
        std::vector<VariantChange>{{up ? What::columnLower : What::columnUpper, column, value}});
  }
  VariantOptions options(options_);
  options.finish = false;
  variants_->solve(variants.view(), options, *results, callbacks_);
}

}  // namespace osi_cuda::osi
