// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/local_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/search/dives.hpp"

namespace osi_cuda::search {

namespace {

/// Entries that may be looked at before the first branch: so many, and passes over the matrix.
/// Jumps begin anew after some more passes.
constexpr double firstEntries = 1e7, firstPasses = 400.0, passesOfStart = 2000.0;
/// Then some entries for each that pivots change in their tableaus, in a round at most so many. The
/// share grows while better points come, and falls else. Entries of a device cost less.
constexpr double leastShare = 1.0 / 4096.0, mostShare = 1.0 / 16.0, deviceShare = 1.0 / 64.0;
constexpr double mostInRound = 1e7, growth = 2.0, decay = 0.9;

double entriesOf(LinearProgram const& problem) {
  return static_cast<double>(problem.matrix.nonzeros()) + problem.columns();
}

constexpr double inf = std::numeric_limits<double>::infinity();
/// A gain below that is rounding; rows are missed by more than that of their bounds.
constexpr double leastGain = 1e-9, roomOfRows = 1e-9;
/// Columns that are compared before the best of them jumps.
constexpr std::size_t compared = 25;
/// Rows of a column whose bounds it may be moved to.
constexpr std::int64_t aimedRows = 16;

}  // namespace

double LocalSearch::earned(SearchState const& search) {
  double const pivots = static_cast<double>(search.lps.iterations - pivots_);
  pivots_ = search.lps.iterations;
  LinearProgram const& problem = search.problem;
  if (!jumps_) return std::min(firstEntries, firstPasses * entriesOf(problem));
  double const share = search.request.onDevice ? share_ * deviceShare : share_;
  return std::min(mostInRound, share * pivots * problem.rows() * problem.columns());
}

void LocalSearch::beginAt(SearchState& search, Round const& round, NodeAnswers const& answers) {
  std::size_t const none = round.nodes.size();
  std::size_t best = none;
  for (std::size_t k = 0; k < none; ++k)
    if (answers.promising[k] &&
        (best == none || answers.found[k].objective < answers.found[best].objective))
      best = k;
  if (best == none) return;
  if (!jumps_) jumps_.emplace(search.problem, search.options.seed);
  std::vector<double> x;
  search.lps.pointOf(round.answers, best, x);
  jumps_->beginAt(x, search.lower, search.upper);
}

void LocalSearch::afterRound(SearchState& search, Round const& round, NodeAnswers const& answers,
                             std::vector<Probe>& probes) {
  if (!search.problem.choices.empty()) return;
  credit_ += earned(search);
  if (!jumps_ || jumps_->spent() > passesOfStart * entriesOf(search.problem))
    beginAt(search, round, answers);
  if (!jumps_) return;
  PointMaker const& points = search.incumbent.points();
  double const first = search.incumbent.objective();
  bool better = true;
  while (better && credit_ > 0.0) {
    double const last = search.incumbent.objective();
    jumps_->setCutoff(search.incumbent.cutoff());
    double const before = jumps_->spent();
    bool const found = jumps_->work(credit_);
    credit_ -= jumps_->spent() - before;
    if (!found) break;
    std::vector<double> x = jumps_->values();
    if (points.allIntegers())
      points.round(x, true);
    else
      probes.push_back(completion(search, x, false, -1));
    search.incumbent.offer(std::move(x));
    better = search.incumbent.objective() < last;
  }
  bool const gained = search.incumbent.objective() < first;
  share_ = std::clamp(share_ * (gained ? growth : decay), leastShare, mostShare);
}

void Jumps::Members::set(int member, bool isIn) {
  int& here = place[at(member)];
  if (isIn == (here >= 0)) return;
  if (isIn) {
    here = static_cast<int>(list.size());
    list.push_back(member);
    return;
  }
  list[at(here)] = list.back();
  place[at(list.back())] = here;
  list.pop_back();
  here = -1;
}

Jumps::Jumps(LinearProgram const& problem, std::uint64_t seed)
    : problem_(problem),
      rows_(problem.rows()),
      rowLower_(problem.rowLower),
      rowUpper_(problem.rowUpper),
      dice_(seed) {
  // The objective joins the rows.
  rowLower_.push_back(-inf);
  rowUpper_.push_back(inf);
  byColumns_.rows = rows_ + 1;
  for (int j = 0; j < problem.columns(); ++j) {
    for (auto const [row, a] : problem.matrix.column(j))
      if (a != 0.0) byColumns_.add(row, a);
    if (double const cost = problem.objective[at(j)]; cost != 0.0) byColumns_.add(rows_, cost);
    byColumns_.endColumn();
  }
  byRows_ = byColumns_.transposed();
  for (int i = 0; i <= rows_; ++i) {
    double largest = 0.0;
    for (auto const [j, a] : byRows_.column(i)) largest = std::max(largest, std::fabs(a));
    unit_.push_back(largest > 0.0 ? 1.0 / largest : 1.0);
  }
}

double Jumps::missed(int row, double activity) const {
  double const lower = rowLower_[at(row)], upper = rowUpper_[at(row)];
  return std::max({lower - activity, activity - upper, 0.0});
}

void Jumps::setGood(int column) {
  good_.set(column, score_[at(column)] > leastGain);
}

void Jumps::setMissed(int row) {
  double const off = missed(row, activity_[at(row)]);
  bool const below = activity_[at(row)] < rowLower_[at(row)];
  double const bound = below ? rowLower_[at(row)] : rowUpper_[at(row)];
  missed_.set(row, off > 0.0 && off > roomOfRows * (1.0 + std::fabs(bound)));
}

void Jumps::score(int row, double activity, double weight) {
  double const now = missed(row, activity);
  std::int64_t const begin = byRows_.starts[at(row)], end = byRows_.starts[at(row) + 1];
  for (std::int64_t e = begin; e < end; ++e) {
    int const j = byRows_.indices[at(e)];
    double const then = activity + byRows_.values[at(e)] * (target_[at(j)] - x_[at(j)]);
    score_[at(j)] += weight * (now - missed(row, then));
  }
  spent_ += static_cast<double>(end - begin);
}

void Jumps::aim(int j) {
  double const x = x_[at(j)], lower = lower_[at(j)], upper = upper_[at(j)];
  bool const whole = problem_.integer[at(j)] != 0;
  std::int64_t const begin = byColumns_.starts[at(j)], end = byColumns_.starts[at(j) + 1];
  auto const offer = [&](double value) {
    if (!(std::fabs(value) < inf)) return;
    value = std::clamp(value, lower, upper);
    if (value != x) candidates_.push_back(value);
  };
  candidates_.clear();
  if (whole && upper - lower == 1.0) {
    offer(x == lower ? upper : lower);
  } else {
    std::int64_t const count = end - begin;
    std::int64_t const first = count > aimedRows ? std::int64_t(dice_() % std::uint64_t(count)) : 0;
    for (std::int64_t k = 0; k < std::min(count, aimedRows); ++k) {
      std::int64_t const e = begin + (first + k) % count;
      int const row = byColumns_.indices[at(e)];
      for (double const bound : {rowLower_[at(row)], rowUpper_[at(row)]}) {
        double const to = x + (bound - activity_[at(row)]) / byColumns_.values[at(e)];
        offer(whole ? std::floor(to) : to);
        if (whole) offer(std::ceil(to));
      }
    }
    offer(lower);
    offer(upper);
    if (whole) {
      offer(x - 1.0);
      offer(x + 1.0);
    }
    std::ranges::sort(candidates_);
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
  }
  target_[at(j)] = x;
  score_[at(j)] = candidates_.empty() ? 0.0 : -inf;
  for (double const value : candidates_) {
    double gain = 0.0;
    for (std::int64_t e = begin; e < end; ++e) {
      int const row = byColumns_.indices[at(e)];
      double const then = activity_[at(row)] + byColumns_.values[at(e)] * (value - x);
      gain += weight_[at(row)] * (missed(row, activity_[at(row)]) - missed(row, then));
    }
    if (gain > score_[at(j)]) {
      score_[at(j)] = gain;
      target_[at(j)] = value;
    }
    spent_ += static_cast<double>(end - begin);
  }
  setGood(j);
}

void Jumps::beginAt(std::span<double const> x, std::vector<double> const& lower,
                    std::vector<double> const& upper) {
  lower_ = lower;
  upper_ = upper;
  x_.assign(x.begin(), x.end());
  activity_.assign(at(rows_) + 1, 0.0);
  activity_.back() = problem_.objectiveOffset;
  for (int j = 0; j < problem_.columns(); ++j) {
    double& value = x_[at(j)];
    if (problem_.integer[at(j)]) value = std::round(value);
    value = std::clamp(value, lower_[at(j)], upper_[at(j)]);
    for (std::int64_t e = byColumns_.starts[at(j)]; e < byColumns_.starts[at(j) + 1]; ++e)
      activity_[at(byColumns_.indices[at(e)])] += byColumns_.values[at(e)] * value;
  }
  weight_ = unit_;
  target_ = x_;
  score_.assign(x_.size(), 0.0);
  good_.reset(x_.size());
  missed_.reset(at(rows_) + 1);
  for (int i = 0; i <= rows_; ++i) setMissed(i);
  for (int j = 0; j < problem_.columns(); ++j) aim(j);
}

void Jumps::setCutoff(double cutoff) {
  if (cutoff == rowUpper_.back()) return;
  score(rows_, activity_.back(), -weight_.back());
  rowUpper_.back() = cutoff;
  score(rows_, activity_.back(), weight_.back());
  setMissed(rows_);
  for (int j = 0; j < problem_.columns(); ++j) setGood(j);
}

void Jumps::jump(int column) {
  double const by = target_[at(column)] - x_[at(column)];
  std::int64_t const begin = byColumns_.starts[at(column)], end = byColumns_.starts[at(column) + 1];
  for (std::int64_t e = begin; e < end; ++e) {
    int const row = byColumns_.indices[at(e)];
    double const before = activity_[at(row)], after = before + byColumns_.values[at(e)] * by;
    double const weight = weight_[at(row)];
    double const missedBefore = missed(row, before), missedAfter = missed(row, after);
    for (std::int64_t f = byRows_.starts[at(row)]; f < byRows_.starts[at(row) + 1]; ++f) {
      int const j = byRows_.indices[at(f)];
      double const step = byRows_.values[at(f)] * (target_[at(j)] - x_[at(j)]);
      double const change =
          (missedAfter - missed(row, after + step)) - (missedBefore - missed(row, before + step));
      if (change == 0.0) continue;
      score_[at(j)] += weight * change;
      setGood(j);
    }
    spent_ += static_cast<double>(byRows_.starts[at(row) + 1] - byRows_.starts[at(row)]);
    activity_[at(row)] = after;
    setMissed(row);
  }
  x_[at(column)] = target_[at(column)];
  aim(column);
}

void Jumps::weigh() {
  for (int const row : missed_.list) {
    weight_[at(row)] += unit_[at(row)];
    score(row, activity_[at(row)], unit_[at(row)]);
    for (std::int64_t e = byRows_.starts[at(row)]; e < byRows_.starts[at(row) + 1]; ++e)
      setGood(byRows_.indices[at(e)]);
  }
}

int Jumps::best(std::span<int const> columns, std::size_t most) {
  int found = -1;
  std::size_t const count = columns.size();
  std::size_t const first = count > most ? dice_() % count : 0;
  for (std::size_t k = 0; k < std::min(count, most); ++k) {
    int const j = columns[(first + k) % count];
    if (found < 0 || score_[at(j)] > score_[at(found)]) found = j;
  }
  return found;
}

bool Jumps::work(double entries) {
  double const end = spent_ + entries;
  while (!missed_.list.empty() && spent_ < end) {
    spent_ += 8.0;
    if (int const column = best(good_.list, compared); column >= 0) {
      aim(column);  // what it aimed at may be old
      if (score_[at(column)] > leastGain) jump(column);
      continue;
    }
    weigh();
    if (!good_.list.empty()) continue;
    // No column of the rows that are missed gains yet: one of a random row moves nevertheless.
    int const row = missed_.list[dice_() % missed_.list.size()];
    std::int64_t const begin = byRows_.starts[at(row)],
                       length = byRows_.starts[at(row) + 1] - begin;
    if (length == 0) return false;
    int const column = best(std::span(byRows_.indices).subspan(at(begin), at(length)), compared);
    aim(column);
    if (target_[at(column)] != x_[at(column)]) jump(column);
  }
  return missed_.list.empty();
}

}  // namespace osi_cuda::search
