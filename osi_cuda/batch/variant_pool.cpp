// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/batch/variant_pool.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <new>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/workers.hpp"

namespace osi_cuda::batch {
namespace {

/// Rounds grow, and all the rest is one where several found nothing to keep.
constexpr std::size_t firstRound = 64, lastRound = 4096, triedRounds = 6;
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

/// Counts a round's answers for those of `known` that it tested, and orders these behind the
/// others, whose number it returns.
template <class Scored>
std::size_t score(std::vector<Scored>& known, std::vector<Scored> const& tested,
                  std::vector<std::size_t> const& answers) {
  auto const places = std::ranges::stable_partition(known, [&](Scored const& own) {
    return std::ranges::count(tested, own.what, &Scored::what) == 0;
  });
  for (Scored& own : places) {
    auto const place = std::ranges::find(tested, own.what, &Scored::what) - tested.begin();
    own.score = 0.5 * own.score + static_cast<double>(answers[at(place)]);
  }
  std::ranges::stable_sort(places, std::ranges::greater(), &Scored::score);
  return known.size() - places.size();
}

}  // namespace

void VariantPool::begin(std::span<std::size_t const> variants, int threads,
                        std::atomic<bool> const& stop) {
  waiting_ = variants;
  threads_ = threads;
  stop_ = &stop;
  while (closed_ < rounds_.size() && rounds_[closed_].left == 0) close();  // of the last call
  hits_ = closed_ = 0;
  rounds_.clear();
  current_.assign(at(threads), nullptr);
  open();
  open();
}

/// Where other threads have still to end the last round but one, this one waits for them.
VariantPool::Round& VariantPool::roundOf(std::size_t k) {
  std::unique_lock lock(mutex_);
  while (k >= rounds_.back().end) {
    std::atomic<std::size_t> const& left = rounds_[closed_].left;
    if (std::size_t const before = left; before > 0) {
      lock.unlock();  // their rounds are open, but they have to find them
      left.wait(before);
      lock.lock();
      continue;
    }
    close();
    open();
  }
  return *std::ranges::upper_bound(rounds_, k, {}, &Round::end);
}

/// Begins the next round, if there is one.
void VariantPool::open() {
  if (waiting_.empty()) return;
  Round& round = rounds_.emplace_back();
  bool const learns = begun_ < triedRounds || !entries_.empty() || !refutations_.empty();
  std::size_t const growth = begun_ == 0 ? 0 : std::min(begun_ - 1, triedRounds);
  std::size_t const all = waiting_.size();
  std::size_t const count = learns ? std::min({all, lastRound, firstRound << growth}) : all;
  round.left = round.count = count;
  round.first = waiting_.front();
  round.end = waiting_[count - 1] + 1;
  waiting_ = waiting_.subspan(count);
  round.step = std::max<std::size_t>(1, count / std::max(leastSample, count / shareOfSample));
  round.entries = entries_;
  round.refutations = refutations_;
  round.tested = tested_;
  round.answered.assign(entries_.size(), 0);
  round.refuted.assign(refutations_.size(), 0);
  round.infeasible.assign(entries_.size() + 1, 0);
  round.open = round.infeasible;
  ++begun_;
}

/// After the first round that is not closed: bases are ordered by what they answered, and those at
/// which pivots ended more than once join them where tableau and tests cost less than the pivots
/// that they are going to save, as long as there is memory.
void VariantPool::close() {
  Round& round = rounds_[closed_];
  distance_ += round.begun;
  pivots_ += round.pivots;
  closeRefutations(round);
  std::size_t const untested = score(entries_, round.entries, round.answered);
  if (round.open[0] >= leastOpen) {
    std::size_t const worth = worthTests(round);
    tested_ = untested + worth;
    if (worth == 0) entries_.resize(untested);
  }
  round.entries.clear();
  try {
    join(round);
  } catch (std::bad_alloc const&) {  // what there is has to do
  } catch (Interrupted const&) {     // the next round is not solved
  }
  tested_ = std::min(tested_, entries_.size());
  ++closed_;
}

VariantPool::Turn::~Turn() {
  if (--round.left == 0) round.left.notify_all();
}

VariantPool::Turn VariantPool::turn(std::size_t k, int worker) {
  Round*& round = current_[at(worker)];
  if (!round || k >= round->end) round = &roundOf(k);
  return {*round};
}

SmallReport VariantPool::solve(Turn const& turn, std::size_t k, VariantHostSolver& solver,
                               VariantChanges const& changes, VariantSettings const& settings,
                               AnswerTarget const& target) {
  Round& round = turn.round;
  std::vector<Entry> const& entries = round.entries;
  int least = solver.enter(common_.view(), changes, settings);
  if (SmallReport report; least > 0 && refutes(round, solver, settings, target, report)) {
    if (report.end == BatchStatus::infeasible) return report;
    least = solver.enter(common_.view(), changes, settings);
  }
  std::array<int, mostBases + 1> left{};  // infeasibilities after so many tests
  left[0] = least = std::min(least, lp_.rows() + lp_.columns());
  std::size_t nearest = 0, last = 0;  // 0: the common basis, e + 1: entry e
  bool const sampled = round.sampled(k);
  std::size_t const most = sampled ? entries.size() : round.tested;
  auto const viewOf = [&](std::size_t place) -> VariantBase const& {
    return (place == 0 ? common_ : entries[place - 1].what->base).view();
  };
  while (least > 0 && last < most) {
    int const distance = solver.enter(viewOf(++last), changes, settings);
    if (distance < least) {
      least = distance;
      nearest = last;
    }
    left[last] = least;
  }
  if (nearest != last) solver.enter(viewOf(nearest), changes, settings);
  SmallReport const report = solver.solveEntered(settings, target);
  bool const early = k - round.first < mostEnds, optimal = report.end == BatchStatus::optimal;
  bool const hit = optimal && report.iterations == 0 && nearest > 0;
  bool const ended = optimal && report.iterations > 0 && early;
  bool const refuted = report.end == BatchStatus::infeasible && report.margin > 0.0 && early;
  if (hit) ++hits_;
  if (!ended && !refuted && !sampled) return report;
  std::lock_guard const lock(round.mutex);
  if (refuted) {
    round.found.emplace(k, solver.memory().certificate(report));
    if (round.found.size() > mostNew) round.found.erase(std::prev(round.found.end()));
  }
  if (ended) {
    Found& own = round.ends[solver.memory().statuses()];
    own = {std::min(own.variant, k), own.ends + 1, own.pivots + report.iterations};
  }
  if (!sampled) return report;
  if (hit) ++round.answered[nearest - 1];
  round.begun += least;
  round.pivots += report.iterations;
  for (std::size_t t = 0; t < round.infeasible.size(); ++t) {
    round.infeasible[t] += left[t];
    round.open[t] += left[t] > 0 ? 1 : 0;
  }
  return report;
}

/// Whether a verification was tried, which leaves the solver without the variant; its report.
bool VariantPool::refutes(Round& round, VariantHostSolver& solver, VariantSettings const& settings,
                          AnswerTarget const& target, SmallReport& report) {
  for (std::size_t r = 0; r < round.refutations.size(); ++r) {
    Multipliers const& own = *round.refutations[r].what;
    if (!solver.seemsRefutedBy(own.y, own.product)) continue;
    report = solver.refute(own.y, own.yLow, settings, target);
    if (report.end == BatchStatus::infeasible) {
      ++hits_;
      std::lock_guard const lock(round.mutex);
      ++round.refuted[r];
    }
    return true;
  }
  return false;
}

/// Tests after which a variant of the sample costs least: those tests, and the pivots from there,
/// which are as many per infeasibility as they have been.
std::size_t VariantPool::worthTests(Round const& round) const {
  double const each = static_cast<double>(pivots_) / static_cast<double>(distance_);
  double tests = 0.0, least = each * static_cast<double>(round.infeasible[0]);
  std::size_t best = 0;
  for (std::size_t t = 1; t < round.infeasible.size(); ++t) {
    tests += basisTest * static_cast<double>(round.open[t - 1]);
    double const cost = tests + each * static_cast<double>(round.infeasible[t]);
    if (cost >= least) continue;
    least = cost;
    best = t;
  }
  return best;
}

/// Leaves out multipliers that answered too little, orders the others, and adds those of the round.
void VariantPool::closeRefutations(Round& round) {
  score(refutations_, round.refutations, round.refuted);
  std::erase_if(refutations_, [&](Refutation const& own) {
    return std::ranges::count(round.refutations, own.what, &Refutation::what) > 0 &&
           own.score < refutationTest * static_cast<double>(round.count);
  });
  for (auto& [variant, certificate] : round.found) {
    auto const same = [&](Refutation const& own) { return own.what->y == certificate.farkas; };
    if (std::ranges::any_of(refutations_, same)) continue;
    Multipliers own{std::move(certificate.farkas), std::move(certificate.farkasLow), {}};
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
    refutations_.insert(refutations_.begin(),
                        {std::make_shared<Multipliers const>(std::move(own)), 1.0});
  }
}

void VariantPool::join(Round& round) {
  // A pivot goes over rows and columns some sixty times; forming a tableau is a product of matrices
  // at some eight times that speed.
  double const m = lp_.rows(), n = lp_.columns();
  double const pivotsOfTableau = (1e6 + 0.25 * m * m * n) / (60.0 * (m + n));
  std::size_t const most = std::min(mostBases, bytes_ / common_.bytes());
  auto const left = static_cast<double>(waiting_.size());
  auto const lookedAt = static_cast<double>(std::min(round.count, mostEnds));
  using Candidate = std::pair<std::vector<VariableStatus> const, Found>;
  std::vector<Candidate const*> candidates;
  for (Candidate const& candidate : round.ends) {
    // of each variant
    double const saved = static_cast<double>(candidate.second.pivots) / lookedAt;
    bool const known = std::ranges::any_of(
        entries_, [&](Entry const& own) { return own.what->statuses == candidate.first; });
    if (!known && candidate.second.ends > 1 && saved > basisTest && saved * left > pivotsOfTableau)
      candidates.push_back(&candidate);
  }
  std::ranges::sort(candidates, [](Candidate const* a, Candidate const* b) {
    return std::pair(-a->second.pivots, a->second.variant) <
           std::pair(-b->second.pivots, b->second.variant);
  });
  // Tableaus that have left the pool lie in memory as long as the other open round uses them.
  Round const& other = rounds_[std::min(closed_ + 1, rounds_.size() - 1)];
  auto const inMemory = [&] {
    auto const gone = [&](Entry const& own) {
      return std::ranges::count(entries_, own.what, &Entry::what) == 0;
    };
    return entries_.size() + at(std::ranges::count_if(other.entries, gone));
  };
  std::size_t const wanted = std::min({candidates.size(), mostNew, most});
  entries_.resize(std::min(entries_.size(), most - wanted));
  std::vector<Entry> added(std::min(wanted, most - std::min(most, inMemory())));
  auto const form = [&](std::size_t c, int) {
    std::vector<VariableStatus> const& statuses = candidates[c]->first;
    auto const middle = statuses.begin() + lp_.columns();
    Basis const basis{{statuses.begin(), middle}, {middle, statuses.end()}};
    auto const stop = [this] { return stop_->load(); };
    int const each = std::max(1, threads_ / static_cast<int>(added.size()));
    added[c].what = std::make_shared<Known const>(
        Known{statuses, HostVariantBase(lp_, basis, each, stop, &common_)});
  };
  runWorkers(threads_, added.size(), form);  // most others wait
  entries_.insert(entries_.begin(), added.begin(), added.end());
  tested_ += added.size();
}

}  // namespace osi_cuda::batch
