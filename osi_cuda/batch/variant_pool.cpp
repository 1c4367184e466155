// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "osi_cuda/index.hpp"

namespace osi_cuda::batch {
namespace {

/// Threads wait at the end of a round: rounds grow, and all the rest is one where several found
/// nothing to keep.
constexpr std::size_t firstRound = 64, lastRound = 4096, triedRounds = 3;
constexpr std::size_t mostBases = 32;
/// Of a round: so many variants, or this share, are its sample; the bases of so many are looked at.
constexpr std::size_t leastSample = 32, shareOfSample = 64, mostEnds = 128;
/// A sample with fewer variants that are not optimal at the common basis says nothing.
constexpr std::int64_t leastOpen = 8;
/// Pivots that take as long as a test, at most (12 x 20 to 600 x 1200); the share of variants that
/// multipliers have to answer.
constexpr double basisTest = 0.5, refutationTest = 0.02;
constexpr std::size_t mostNew = 4;  ///< of them, after a round
constexpr std::size_t mostRefutations = 16;
/// Of its terms: less in A'y is rounding.
constexpr double roundingShare = 1e-12;

}  // namespace

std::size_t VariantPool::round(std::size_t left, std::size_t first) {
  first_ = first;
  bool const learns = rounds_ < triedRounds || !entries_.empty() || !refutations_.empty();
  std::size_t const count =
      learns ? std::min({left, lastRound, firstRound << 2 * std::min(rounds_, triedRounds)}) : left;
  step_ = std::max<std::size_t>(1, count / std::max(leastSample, count / shareOfSample));
  ends_.clear();
  found_.clear();
  answered_.assign(entries_.size(), 0);
  refuted_.assign(refutations_.size(), 0);
  infeasible_.assign(entries_.size() + 1, 0);
  open_ = infeasible_;
  return count;
}

/// Tests after which a variant of the sample costs least: those tests, and the pivots from there,
/// which are as many per infeasibility as they have been.
std::size_t VariantPool::worthTests() const {
  double const each = static_cast<double>(pivots_) / static_cast<double>(begun_);
  double tests = 0.0, least = each * static_cast<double>(infeasible_[0]);
  std::size_t best = 0;
  for (std::size_t t = 1; t < infeasible_.size(); ++t) {
    tests += basisTest * static_cast<double>(open_[t - 1]);
    double const cost = tests + each * static_cast<double>(infeasible_[t]);
    if (cost >= least) continue;
    least = cost;
    best = t;
  }
  return best;
}

SmallReport VariantPool::solve(std::size_t k, VariantHostSolver& solver,
                               VariantChanges const& changes, VariantSettings const& settings,
                               AnswerTarget const& target) {
  int least = solver.enter(common_.view(), changes, settings);
  if (SmallReport report; least > 0 && refutes(solver, settings, target, report)) {
    if (report.end == BatchStatus::infeasible) return report;
    least = solver.enter(common_.view(), changes, settings);
  }
  std::array<int, mostBases + 1> left{};  // infeasibilities after so many tests
  left[0] = least = std::min(least, lp_.rows() + lp_.columns());
  std::size_t nearest = 0, last = 0;  // 0: the common basis, e + 1: entry e
  std::size_t const most = sampled(k) ? entries_.size() : tested_;
  for (std::size_t e = 0; least > 0 && e < most; ++e) {
    int const distance = solver.enter(entries_[e].base->view(), changes, settings);
    last = e + 1;
    if (distance < least) {
      least = distance;
      nearest = last;
    }
    left[last] = least;
  }
  if (nearest != last)
    solver.enter(nearest == 0 ? common_.view() : entries_[nearest - 1].base->view(), changes,
                 settings);
  SmallReport const report = solver.solveEntered(settings, target);
  if (report.end == BatchStatus::infeasible && report.margin > 0.0 && k - first_ < mostEnds)
    keep(k, solver.memory().certificate(report));
  bool const optimal = report.end == BatchStatus::optimal;
  bool const hit = optimal && report.iterations == 0 && nearest > 0;
  bool const ended = optimal && report.iterations > 0 && k - first_ < mostEnds;
  if (hit) ++hits_;
  if (!ended && !sampled(k)) return report;
  std::lock_guard const lock(mutex_);
  if (ended) {
    Found& own = ends_[solver.memory().statuses()];
    own = {std::min(own.variant, k), own.ends + 1, own.pivots + report.iterations};
  }
  if (!sampled(k)) return report;
  if (hit) ++answered_[nearest - 1];
  begun_ += least;
  pivots_ += report.iterations;
  for (std::size_t t = 0; t < infeasible_.size(); ++t) {
    infeasible_[t] += left[t];
    open_[t] += left[t] > 0 ? 1 : 0;
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

/// Leaves out multipliers that answered too little of `count` variants, orders the others, and adds
/// those of the round.
void VariantPool::endRefutations(std::size_t count) {
  for (std::size_t r = 0; r < refutations_.size(); ++r) {
    refutations_[r].score = 0.5 * refutations_[r].score + static_cast<double>(refuted_[r]);
    hits_ += refuted_[r];
  }
  std::erase_if(refutations_, [&](Refutation const& own) {
    return own.score < refutationTest * static_cast<double>(count);
  });
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
}

void VariantPool::endRound(std::size_t count, std::size_t all, int threads,
                           std::function<bool()> const& stop) {
  ++rounds_;
  if (open_[0] >= leastOpen) tested_ = worthTests();
  for (std::size_t e = 0; e < entries_.size(); ++e)
    entries_[e].score = 0.5 * entries_[e].score + static_cast<double>(answered_[e]);
  endRefutations(count);
  std::ranges::stable_sort(entries_, std::ranges::greater(), &Entry::score);

  // A pivot goes over rows and columns some sixty times; forming a tableau is a product of matrices
  // at some eight times that speed.
  double const m = lp_.rows(), n = lp_.columns();
  double const pivotsOfTableau = (1e6 + 0.25 * m * m * n) / (60.0 * (m + n));
  std::size_t const most = std::min(mostBases, bytes_ / common_.bytes());
  auto const left = static_cast<double>(all - std::min(all, first_ + count));
  auto const lookedAt = static_cast<double>(std::min(count, mostEnds));
  using Candidate = std::pair<std::vector<VariableStatus> const, Found>;
  std::vector<Candidate const*> candidates;
  for (Candidate const& candidate : ends_) {
    // of each variant
    double const saved = static_cast<double>(candidate.second.pivots) / lookedAt;
    bool const known =
        std::ranges::find(entries_, candidate.first, &Entry::statuses) != entries_.end();
    if (!known && candidate.second.ends > 1 && saved > basisTest && saved * left > pivotsOfTableau)
      candidates.push_back(&candidate);
  }
  std::ranges::sort(candidates, [](Candidate const* a, Candidate const* b) {
    return std::pair(-a->second.pivots, a->second.variant) <
           std::pair(-b->second.pivots, b->second.variant);
  });
  std::size_t added = 0;
  try {
    for (Candidate const* const candidate : candidates) {
      if (added == std::min(mostNew, most)) break;
      auto const middle = candidate->first.begin() + lp_.columns();
      Basis const basis{{candidate->first.begin(), middle}, {middle, candidate->first.end()}};
      if (entries_.size() >= most) entries_.pop_back();
      Entry entry{candidate->first,
                  std::make_unique<HostVariantBase>(lp_, basis, threads, stop, &common_)};
      entries_.insert(entries_.begin() + std::ptrdiff_t(added++), std::move(entry));
    }
  } catch (std::bad_alloc const&) {  // those that there are have to do
  }
  tested_ = std::min(tested_ + added, entries_.size());
}

}  // namespace osi_cuda::batch
