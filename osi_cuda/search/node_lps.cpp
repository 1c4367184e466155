// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/node_lps.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/solve/engines.hpp"
#include "osi_cuda/solve/solver.hpp"

namespace osi_cuda::search {
namespace {

/// At least so many columns for each row, and in all, are not left out at first.
constexpr std::size_t columnsOfRow = 4, leastColumns = 512;
/// One for so many is added where some are missing.
constexpr std::ptrdiff_t shareOfMore = 32;
/// Columns are left out if so large a share of them can be.
constexpr double worthLeaving = 0.25;
/// A reduced cost on the wrong side of zero beside the column's cost.
constexpr double wrongSide = 1e-7;

/// The problem with these columns alone, the others where they rest.
LinearProgram partOf(LinearProgram const& problem, std::vector<double> const& rest,
                     std::vector<double> const& lower, std::vector<double> const& upper,
                     std::vector<int> const& position) {
  LinearProgram part;
  part.matrix.rows = problem.rows();
  part.objectiveOffset = problem.objectiveOffset;
  std::vector<double> fixed(at(problem.rows()), 0.0);
  for (int j = 0; j < problem.columns(); ++j) {
    double const value = rest[at(j)];
    if (position[at(j)] >= 0) {
      for (auto const [row, a] : problem.matrix.column(j)) part.matrix.add(row, a);
      part.endColumn(problem.objective[at(j)], lower[at(j)], upper[at(j)]);
      continue;
    }
    part.objectiveOffset += problem.objective[at(j)] * value;
    for (auto const [row, a] : problem.matrix.column(j)) fixed[at(row)] += a * value;
  }
  for (int i = 0; i < problem.rows(); ++i) {
    part.rowLower.push_back(problem.rowLower[at(i)] - fixed[at(i)]);
    part.rowUpper.push_back(problem.rowUpper[at(i)] - fixed[at(i)]);
  }
  return part;
}

}  // namespace

NodeLps::NodeLps(LinearProgram const& problem, Basis basis, Options const& options, bool onDevice)
    : problem_(problem),
      options_(options),
      onDevice_(onDevice),
      basis_(std::move(basis)),
      fixedAt_(problem.columnLower),
      lower_(problem.columnLower),
      upper_(problem.columnUpper),
      position_(problem.columnLower.size(), 0) {}

bool NodeLps::begin(std::vector<double> const& lower, std::vector<double> const& upper,
                    std::function<bool()> const& interrupted) {
  std::vector<int> kept, position(lower.size(), -1);
  std::vector<double> rest = lower;
  for (std::size_t j = 0; j < lower.size(); ++j) {
    bool const last = j + 1 == lower.size() && kept.empty();  // at least one column is left
    bool const isUp = basis_.columns[j] == VariableStatus::atUpper;
    if (isUp) rest[j] = upper[j];
    bool const isFar = !distance_.empty() && distance_[j] > farthest_;
    if ((lower[j] == upper[j] || isFar) && !last) continue;
    position[j] = static_cast<int>(kept.size());
    kept.push_back(static_cast<int>(j));
  }
  Basis start;
  for (int const j : kept) start.columns.push_back(basis_.columns[at(j)]);
  start.rows = basis_.rows;
  Solver solver(partOf(problem_, rest, lower, upper, position));
  solver.setBasis(start);
  Options options = options_;
  options.exact = Toggle::off;
  options.presolve = Toggle::off;
  Callbacks callbacks;
  callbacks.interrupted = interrupted;
  Solution solution = solver.solve(options, callbacks);
  iterations += solution.iterations;
  if (solution.status != Status::optimal) {  // the whole problem had an optimum
    options.exact = Toggle::on;
    solution = solver.solve(options, callbacks);
    iterations += solution.iterations;
  }
  if (solution.status != Status::optimal) return false;
  Basis const& found = solver.basis();
  for (std::size_t k = 0; k < kept.size(); ++k) basis_.columns[at(kept[k])] = found.columns[k];
  basis_.rows = found.rows;
  if (leavesOut && distance_.empty()) {
    rank(kept, solution.reducedCosts);
    if (farthest_ < infinity) return begin(lower, upper, interrupted);
  }
  VariantSolver next(solver.problem(), found);
  if (onDevice_ && devicesOf(options_).size() == 1) next.beginAt(solver);  // else each has its own
  if (variants_) {
    std::vector<int> before;
    for (int const j : kept) {
      bool const isUp = basis_.columns[at(j)] == VariableStatus::atUpper;
      before.push_back(has(j) ? position_[at(j)] : isUp ? -2 : -1);
    }
    next.takeStarts(*variants_, before);
  }
  variants_ = std::move(next);
  kept_ = std::move(kept);
  position_ = std::move(position);
  fixedAt_ = std::move(rest);
  lower_ = lower;
  upper_ = upper;
  since_.clear();
  stale_ = false;
  return true;
}

/// Columns with a basis' reduced costs, by these beside their lengths; what has no bound to rest on
/// is not far.
void NodeLps::rank(std::vector<int> const& columns, std::vector<double> const& reducedCosts) {
  std::size_t const some = std::max(leastColumns, columnsOfRow * at(problem_.rows()));
  std::vector<double> order;
  distance_.assign(at(problem_.columns()), 0.0);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    VariableStatus const status = basis_.columns[at(columns[k])];
    bool const rests = status == VariableStatus::atLower || status == VariableStatus::atUpper;
    double square = 1.0;
    for (auto const [row, a] : problem_.matrix.column(columns[k])) square += a * a;
    order.push_back(rests ? std::fabs(reducedCosts[k]) / std::sqrt(square) : 0.0);
    distance_[at(columns[k])] = order.back();
  }
  if (static_cast<double>(some) > (1.0 - worthLeaving) * static_cast<double>(order.size())) return;
  auto const last = order.begin() + static_cast<std::ptrdiff_t>(some);
  std::ranges::nth_element(order, last);
  farthest_ = *last;
}

std::vector<int> NodeLps::missing(std::span<double const> y, std::span<BoundChange const> node,
                                  bool withCosts) const {
  std::vector<int> found;
  if (farthest_ == infinity) return found;
  for (BoundChange const& change : node)
    if (moves(change)) found.push_back(change.column);
  for (int j = 0; j < problem_.columns(); ++j) {
    if (has(j) || !(lower_[at(j)] < upper_[at(j)])) continue;
    double const cost = withCosts ? problem_.objective[at(j)] : 0.0;
    double d = cost;
    for (auto const [row, a] : problem_.matrix.column(j)) d -= a * y[at(row)];
    if (fixedAt_[at(j)] != lower_[at(j)]) d = -d;
    if (d < -wrongSide * (1.0 + std::fabs(cost))) found.push_back(j);
  }
  return found;
}

void NodeLps::add(std::span<int const> columns) {
  bool const isNew =
      std::ranges::any_of(columns, [&](int j) { return distance_[at(j)] > farthest_; });
  for (int const j : columns) distance_[at(j)] = 0.0;
  if (!isNew) return;  // of a round that was under way
  std::vector<double> order = distance_;
  std::ranges::sort(order);
  auto const known = std::ranges::upper_bound(order, farthest_) - order.begin();
  auto const more = static_cast<std::size_t>(known + known / shareOfMore);
  farthest_ = more < order.size() ? order[more] : infinity;
}

void NodeLps::tighten(BoundChange const& change) {
  (change.upper ? upper_ : lower_)[at(change.column)] = change.value;
  since_.push_back(change);
  stale_ = stale_ || moves(change);
}

/// Whether a column rests elsewhere.
bool NodeLps::moves(BoundChange const& change) const {
  double const rest = fixedAt_[at(change.column)];
  return !has(change.column) && (change.upper ? change.value < rest : change.value > rest);
}

void NodeLps::solve(NodeList const& nodes, double cutoff, std::int64_t iterationLimit,
                    std::function<bool()> const& interrupted, BatchResults& answers) {
  NodeCall call;
  list(nodes, cutoff, iterationLimit, call);
  run(call, interrupted, answers);
  count(answers);
}

void NodeLps::list(NodeList const& nodes, double cutoff, std::int64_t iterationLimit,
                   NodeCall& call) const {
  using What = VariantChange::What;
  PackedVariants& variants = call.variants;
  variants.starts.assign(1, 0);
  variants.changes.clear();
  auto const add = [&](BoundChange const& change) {
    int const j = position_[at(change.column)];
    // A column that is not there: bounds of any other one that cross stand for it, if it moves.
    if (j < 0 && !moves(change)) return;
    int const column = j >= 0 ? j : 0;
    double const beyond = variants_->problem().columnLower[at(column)] - 1.0;
    variants.changes.push_back({change.upper || j < 0 ? What::columnUpper : What::columnLower,
                                column, j >= 0 ? change.value : beyond, 0});
  };
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    for (BoundChange const& change : since_) add(change);
    for (BoundChange const& change : nodes[k]) {
      double const lower = lower_[at(change.column)], upper = upper_[at(change.column)];
      if (change.upper ? change.value < upper : change.value > lower) add(change);
    }
    variants.starts.push_back(variants.changes.size());
  }
  call.begins = nodes.begins;
  VariantOptions options{BatchOptions(options_)};
  options.engine = onDevice_ ? EngineChoice::cuda : EngineChoice::host;
  options.timeLimit = Options().timeLimit;
  if (iterationLimit > 0 || onDevice_)
    options.iterationLimit = iterationLimit > 0 ? iterationLimit : pivotsOfRound;
  options.finish = options.keepStarts = iterationLimit == 0;
  options.startBytes = static_cast<std::size_t>(options_.searchMemory * 1e6 * shareOfStarts);
  if (std::isfinite(cutoff)) options.cutoff = cutoff;
  call.options = options;
}

void NodeLps::run(NodeCall const& call, std::function<bool()> const& interrupted,
                  BatchResults& answers) {
  BatchCallbacks callbacks;
  callbacks.interrupted = interrupted;
  BatchVariants view = call.variants.view();
  view.start = call.begins;
  variants_->solve(view, call.options, answers, callbacks);
}

void NodeLps::count(BatchResults const& answers) {
  for (std::int32_t const its : answers.iterations) iterations += its;
  solves += static_cast<std::int64_t>(answers.status.size());
}

void NodeLps::pointOf(BatchResults const& answers, std::size_t k, std::vector<double>& x) const {
  x = fixedAt_;
  double const* const part = answers.x.data() + answers.columnStart[k];
  for (std::size_t j = 0; j < kept_.size(); ++j) x[at(kept_[j])] = part[j];
}

std::vector<double> NodeLps::multipliersOf(BatchResults const& answers, std::size_t k) const {
  if (answers.status[k] == BatchStatus::infeasible) {
    auto const found =
        std::ranges::lower_bound(answers.certificates, k, {}, &BatchCertificate::problem);
    bool const known = found != answers.certificates.end() && found->problem == k;
    return known ? found->farkas : std::vector<double>();
  }
  auto const begin = answers.y.begin();
  return {begin + std::ptrdiff_t(answers.rowStart[k]),
          begin + std::ptrdiff_t(answers.rowStart[k + 1])};
}

Solution NodeLps::solveAlone(std::span<BoundChange const> node,
                             std::function<bool()> const& interrupted) const {
  LinearProgram lp = problem_;
  lp.columnLower = lower_;
  lp.columnUpper = upper_;
  for (BoundChange const& change : node) {
    double& side = (change.upper ? lp.columnUpper : lp.columnLower)[at(change.column)];
    side = change.upper ? std::min(side, change.value) : std::max(side, change.value);
  }
  Solver solver(std::move(lp));
  solver.setBasis(basis_);
  Options options = options_;
  options.exact = Toggle::on;
  options.engine = EngineChoice::host;
  options.presolve = Toggle::off;
  Callbacks callbacks;
  callbacks.interrupted = interrupted;
  Solution solution = solver.solve(options, callbacks);
  solver.enclose(solution, interrupted);
  return solution;
}

}  // namespace osi_cuda::search
