// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off: the proofs tell the rounding errors of products.
#include "osi_cuda/batch/host_solver.hpp"

#include <algorithm>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/variant_solve.hpp"

namespace osi_cuda::batch {
namespace {

static_assert(sizeof(VariableStatus) == sizeof(std::uint8_t));
std::uint8_t* bytesOf(VariableStatus* statuses) {
  return reinterpret_cast<std::uint8_t*>(statuses);
}

}  // namespace

SmallAnswer AnswerMemory::place(int m, int n, AnswerTarget const& target) {
  rows_ = at(m);
  columns_ = at(n);
  auto const room = [](auto& array, std::size_t length) {
    if (array.size() < length) array.resize(length);
    return array.data();
  };
  answer_.x = target.wanted ? target.x : room(x_, columns_);
  answer_.y = target.wanted ? target.y : room(y_, rows_);
  answer_.yLow = room(yLow_, rows_);
  answer_.ray = room(ray_, columns_);
  answer_.rayLow = room(rayLow_, columns_);
  answer_.columnStatus =
      target.wanted ? bytesOf(target.columnStatus) : room(columnStatus_, columns_);
  answer_.rowStatus = target.wanted ? bytesOf(target.rowStatus) : room(rowStatus_, rows_);
  return answer_;
}

std::vector<VariableStatus> AnswerMemory::statuses() const {
  std::vector<VariableStatus> all(columns_ + rows_);
  std::uint8_t* const bytes = bytesOf(all.data());
  std::copy_n(answer_.columnStatus, columns_, bytes);
  std::copy_n(answer_.rowStatus, rows_, bytes + columns_);
  return all;
}

BatchCertificate AnswerMemory::certificate(SmallReport const& report) const {
  BatchCertificate certificate;
  certificate.margin = report.margin;
  bool const crossed = report.margin == 0.0;  // the bounds are the proof
  if (report.end == BatchStatus::infeasible && !crossed) {
    certificate.farkas.assign(answer_.y, answer_.y + rows_);
    certificate.farkasLow.assign(answer_.yLow, answer_.yLow + rows_);
  } else if (report.end == BatchStatus::unbounded) {
    certificate.ray.assign(answer_.ray, answer_.ray + columns_);
    certificate.rayLow.assign(answer_.rayLow, answer_.rayLow + columns_);
  }
  return certificate;
}

template <class Team, class Problem, class Settings>
SmallReport ThreadSolver<Team, Problem, Settings>::solve(Problem const& problem,
                                                         Settings const& settings,
                                                         AnswerTarget const& target) {
  team_.take(problem);
  SmallAnswer const answer = memory_.place(team_.problem().rows, team_.problem().columns, target);
  if constexpr (std::is_same_v<Team, HostTeam>)
    return solveSmall(team_, settings, answer);
  else
    return solveVariant(team_, settings, answer);
}
template class ThreadSolver<HostTeam, SmallProblem, SmallSettings>;
template class ThreadSolver<VariantHostTeam, VariantChanges, VariantSettings>;

int VariantHostSolver::enter(VariantBase const& base, VariantChanges const& changes,
                             VariantSettings const& settings) {
  team_.use(base);
  team_.take(changes);
  entered_ = enterVariant(team_, settings);
  return entered_ ? countViolations(team_, settings.tolerance) +
                        countAttractions(team_, settings.tolerance)
                  : std::numeric_limits<int>::max();
}

SmallReport VariantHostSolver::solveEntered(VariantSettings const& settings,
                                            AnswerTarget const& target) {
  SmallProblem const& problem = team_.problem();
  SmallAnswer const answer = memory_.place(problem.rows, problem.columns, target);
  return batch::solveEntered(team_, settings, answer, entered_);
}

bool VariantHostSolver::seemsRefutedBy(std::vector<double> const& y,
                                       std::vector<double> const& product) const {
  SmallProblem const& p = team_.problem();
  double least = 0.0;  // of y's activities minus product'x, which is 0 at every feasible point
  auto const add = [&](double factor, double lower, double upper) {
    if (factor != 0.0) least += factor * (factor > 0.0 ? lower : upper);
  };
  for (int i = 0; i < p.rows; ++i) add(y[at(i)], p.lowerOfRow(i), p.upperOfRow(i));
  for (int j = 0; j < p.columns; ++j) add(-product[at(j)], p.lowerOfColumn(j), p.upperOfColumn(j));
  return least > 0.0;
}

SmallReport VariantHostSolver::refute(std::vector<double> const& y, std::vector<double> const& yLow,
                                      VariantSettings const& settings, AnswerTarget const& target) {
  SmallProblem const& p = team_.problem();
  std::copy(y.begin(), y.end(), team_.rows().entry);
  std::copy(yLow.begin(), yLow.end(), team_.rows().weight);
  SmallReport report;
  verifyFarkas(team_, settings, memory_.place(p.rows, p.columns, target), report);
  return report;
}

LinearProgram toLinearProgram(SmallProblem const& problem) {
  LinearProgram lp;
  int const m = problem.rows, n = problem.columns;
  lp.sense = problem.sign < 0.0 ? Sense::maximize : Sense::minimize;
  lp.objectiveOffset = problem.offset;
  for (int i = 0; i < m; ++i) lp.addRow(problem.lowerOfRow(i), problem.upperOfRow(i));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i)
      if (double const entry = problem.matrix[at(i) * at(n) + at(j)]; entry != 0.0)
        lp.matrix.add(i, entry);
    lp.endColumn(problem.objective[j], problem.lowerOfColumn(j), problem.upperOfColumn(j));
  }
  return lp;
}

}  // namespace osi_cuda::batch
