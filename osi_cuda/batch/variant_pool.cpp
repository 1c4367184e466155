// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_pool.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <new>

#include "osi_cuda/index.hpp"

namespace osi_cuda::batch {
namespace {

constexpr std::size_t firstRound = 64, lastRound = 4096;
/// Every test of a basis costs some of a pivot: more bases would take more than they give.
constexpr std::size_t mostBases = 32;
constexpr std::size_t mostNew = 4;  ///< of them, after a round
constexpr std::size_t mostRefutations = 16;
/// Of its terms: less in A'y is rounding.
constexpr double roundingShare = 1e-12;

}  // namespace

std::size_t VariantPool::round(std::size_t left) const {
  return std::min({left, lastRound, firstRound << std::min<std::size_t>(rounds_, 6)});
}

std::size_t VariantPool::mostEntries() const {
  std::size_t const each = common_.bytes();
  return std::min(mostBases, bytes_ / std::max<std::size_t>(1, each));
}

/// Pivots of a variant that take as long as forming a tableau: a pivot goes over rows and columns
/// some sixty times, the tableau is a product of matrices at some eight times that speed.
double VariantPool::pivotsOfTableau() const {
  double const m = lp_.rows(), n = lp_.columns();
  return (1e6 + 0.25 * m * m * n) / (60.0 * (m + n));
}

SmallReport VariantPool::solve(std::size_t k, VariantHostSolver& solver,
                               VariantChanges const& changes, VariantSettings const& settings,
                               AnswerTarget const& target) {
  int least = solver.enter(common_.view(), changes, settings);
  if (SmallReport report; least > 0 && refutes(solver, settings, target, report)) {
    if (report.end == BatchStatus::infeasible) return report;
    least = solver.enter(common_.view(), changes, settings);
  }
  std::size_t nearest = 0, last = 0;  // 0: the common basis, e + 1: entry e
  for (std::size_t e = 0; least > 0 && e < tested_; ++e) {
    int const distance = solver.enter(entries_[e].base->view(), changes, settings);
    last = e + 1;
    if (distance >= least) continue;
    least = distance;
    nearest = last;
  }
  if (nearest != last)
    solver.enter(nearest == 0 ? common_.view() : entries_[nearest - 1].base->view(), changes,
                 settings);
  SmallReport const report = solver.solveEntered(settings, target);
  if (report.end == BatchStatus::infeasible && report.margin > 0.0)
    keep(k, solver.memory().certificate(report));
  if (report.end != BatchStatus::optimal) return report;
  std::lock_guard const lock(mutex_);
  if (report.iterations == 0) {
    if (nearest > 0) ++answered_[nearest - 1];
  } else {
    ends_.push_back({k, report.iterations, solver.memory().statuses()});
  }
  return report;
}

/// Whether a verification was tried, which leaves the solver without the variant; its report.
bool VariantPool::refutes(VariantHostSolver& solver, VariantSettings const& settings,
                          AnswerTarget const& target, SmallReport& report) {
  for (std::size_t r = 0; r < refutations_.size(); ++r) {
    Refutation const& own = refutations_[r];
    if (!solver.seemsRefutedBy(own.y, own.product)) continue;
    report = solver.refute(own.y, own.yLow, settings, target);
    if (report.end == BatchStatus::infeasible) {
      std::lock_guard const lock(mutex_);
      ++refuted_[r];
    }
    return true;
  }
  return false;
}

void VariantPool::keep(std::size_t k, BatchCertificate certificate) {
  std::lock_guard const lock(mutex_);
  auto const place = std::ranges::upper_bound(found_, k, {}, &Refutation::variant);
  if (place == found_.end() && found_.size() == mostNew) return;
  found_.insert(place,
                {k, std::move(certificate.farkas), std::move(certificate.farkasLow), {}, 1.0});
  if (found_.size() > mostNew) found_.pop_back();
}

/// Orders the multipliers and adds those of the round; returns how many variants they answered.
std::size_t VariantPool::endRefutations() {
  std::size_t answered = 0;
  for (std::size_t r = 0; r < refutations_.size(); ++r) {
    refutations_[r].score = 0.5 * refutations_[r].score + static_cast<double>(refuted_[r]);
    answered += refuted_[r];
  }
  std::ranges::stable_sort(refutations_, std::ranges::greater(), &Refutation::score);
  for (Refutation& own : found_) {
    if (std::ranges::find(refutations_, own.y, &Refutation::y) != refutations_.end()) continue;
    own.product.reserve(at(lp_.columns()));
    for (int j = 0; j < lp_.columns(); ++j) {
      double sum = 0.0, terms = 0.0;
      for (std::int64_t e = lp_.matrix.starts[at(j)]; e < lp_.matrix.starts[at(j) + 1]; ++e) {
        double const term = lp_.matrix.values[at(e)] * own.y[at(lp_.matrix.indices[at(e)])];
        sum += term;
        terms += std::fabs(term);
      }
      own.product.push_back(std::fabs(sum) <= roundingShare * terms ? 0.0 : sum);
    }
    if (refutations_.size() == mostRefutations) refutations_.pop_back();
    refutations_.insert(refutations_.begin(), std::move(own));
  }
  found_.clear();
  refuted_.assign(refutations_.size(), 0);
  return answered;
}

void VariantPool::add(std::vector<VariableStatus> const& statuses, double score, int threads,
                      std::function<bool()> const& stop) {
  auto const middle = statuses.begin() + lp_.columns();
  Basis const basis{{statuses.begin(), middle}, {middle, statuses.end()}};
  Entry entry{statuses, std::make_unique<HostVariantBase>(lp_, basis, threads, stop, &common_),
              score};
  auto const place =
      std::ranges::upper_bound(entries_, score, std::ranges::greater(), &Entry::score);
  entries_.insert(place, std::move(entry));
}

void VariantPool::endRound(std::size_t count, std::size_t all, int threads,
                           std::function<bool()> const& stop) {
  ++rounds_;
  std::size_t answered = 0;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    entries_[e].score = 0.5 * entries_[e].score + static_cast<double>(answered_[e]);
    answered += answered_[e];
  }
  hits_ += answered + endRefutations();
  std::ranges::stable_sort(entries_, std::ranges::greater(), &Entry::score);

  struct Found {
    std::size_t variant = 0, ends = 0;
    double pivots = 0.0;
  };
  std::map<std::vector<VariableStatus>, Found> found;
  std::ranges::sort(ends_, {}, &End::variant);
  for (End& end : ends_) {
    Found& own = found.try_emplace(std::move(end.statuses), Found{end.variant}).first->second;
    ++own.ends;
    own.pivots += end.pivots;
  }
  ends_.clear();
  using Candidate = std::pair<std::vector<VariableStatus> const, Found>;
  std::vector<Candidate*> candidates;
  for (Candidate& candidate : found) {
    double const expected =
        candidate.second.pivots * static_cast<double>(all) / static_cast<double>(count);
    bool const known =
        std::ranges::find(entries_, candidate.first, &Entry::statuses) != entries_.end();
    if (!known && candidate.second.ends > 1 && expected > pivotsOfTableau())
      candidates.push_back(&candidate);
  }
  std::ranges::sort(candidates, [](Candidate const* a, Candidate const* b) {
    return std::pair(-a->second.pivots, a->second.variant) <
           std::pair(-b->second.pivots, b->second.variant);
  });
  std::size_t added = 0;
  try {
    for (Candidate const* const candidate : candidates) {
      auto const ends = static_cast<double>(candidate->second.ends);
      bool const full = entries_.size() >= mostEntries();
      if (added == mostNew || (full && (entries_.empty() || entries_.back().score >= ends))) break;
      if (full) entries_.pop_back();
      add(candidate->first, ends, threads, stop);
      ++added;
    }
  } catch (std::bad_alloc const&) {  // those that there are have to do
  }
  answered_.assign(entries_.size(), 0);
  // Bases that answer next to nothing are not asked again until there are others.
  bool const pays = added > 0 || answered * 20 >= count;
  tested_ = pays ? entries_.size() : 0;
}

}  // namespace osi_cuda::batch
