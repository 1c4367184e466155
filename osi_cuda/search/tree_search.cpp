// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/search/tree_search.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <utility>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/search/branching.hpp"
#include "osi_cuda/search/dives.hpp"
#include "osi_cuda/search/node_lps.hpp"
#include "osi_cuda/search/node_pool.hpp"
#include "osi_cuda/search/points.hpp"
#include "osi_cuda/search/tree_file.hpp"
#include "osi_cuda/search/whole_steps.hpp"

namespace osi_cuda::search {
namespace {

/// Of a point with whole integers: what misses rows by more may be better than any point that
/// misses none, and than the bound of its own node.
constexpr double wholePointTolerance = 1e-9;

/// Nodes of a round: on the processor few enough that most are needed, on a device many enough to
/// fill it, as far as their points fit in `mostNumbers`.
constexpr int hostBatch = 32, deviceBatch = 8192;
constexpr double mostNumbers = 3e7;
/// Columns count as known for branching after so many branches; pivots of a trial.
constexpr int enoughBranches = 4;
constexpr std::int64_t trialPivots = 30;
/// So large a part of a round is worth to be under way beside another.
constexpr std::size_t shareOfOverlap = 16;
/// One of so many nodes is a dive.
constexpr std::size_t shareOfDives = 8;
/// Bounds and incumbents that are that close are one number.
constexpr double sameNumber = 1e-10;
/// A new common problem is made when so large a share of its columns has been fixed since.
constexpr double worthNewBase = 0.2;

/// What became of a node in a round.
struct Evaluated {
  enum class End { stopped, open, empty, unknown };
  End end = End::unknown;
  double bound = -infinity;      ///< proved
  double objective = -infinity;  ///< of its linear program
  Branch branch;
  std::vector<double> point;  ///< an integer point, where one was found
  double value = infinity;    ///< its objective
};

/// A dive, or a point whose continuous columns are to be completed.
struct Probe {
  std::vector<BoundChange> bounds;
  std::int64_t start = -1;  ///< where it begins
  bool completes = false;
};

/// Nodes whose linear programs are solved together, and probes behind them.
struct Round {
  std::vector<int> nodes;
  std::vector<Probe> probes;
  NodeList list;
  NodeCall call;
  BatchResults answers;
  std::future<void> done;  ///< not valid: nothing is under way
};

int batchOf(SearchRequest const& request) {
  if (request.options.searchBatch > 0) return request.options.searchBatch;
  if (!request.onDevice) return hostBatch;
  double const numbers = request.problem.columns() + request.problem.rows() + 1.0;
  return static_cast<int>(std::clamp(mostNumbers / numbers, 256.0, double{deviceBatch}));
}

int threadsOf(Options const& options) {
  return options.threads > 0 ? options.threads : batch::allThreads();
}

/// The number of which all objectives of integer points are multiples, but for the offset; or 0.
double stepOf(LinearProgram const& problem) {
  CommonDivisor divisor;
  for (int j = 0; j < problem.columns(); ++j) {
    if (problem.objective[at(j)] == 0.0) continue;
    if (!problem.integer[at(j)]) return 0.0;
    divisor.take(problem.objective[at(j)]);
  }
  return divisor.value();
}

class TreeSearch {
 public:
  explicit TreeSearch(SearchRequest const& request)
      : request_(request),
        problem_(request.problem),
        options_(request.options),
        batch_(at(batchOf(request))),
        threads_(std::min(threadsOf(request.options), static_cast<int>(batch_))),
        step_(stepOf(request.problem)),
        lower_(problem_.columnLower),
        upper_(problem_.columnUpper),
        points_(problem_, std::min(options_.primalTolerance, wholePointTolerance)),
        costs_(problem_),
        lps_(problem_, request.basis, lpOptions(), request.onDevice),
        pool_(static_cast<std::size_t>(options_.searchMemory * 1e6 * (1.0 - shareOfStarts))),
        tree_(request.callbacks.tree, request.rows) {
    NodeProver const prover(problem_);
    provers_.assign(at(threads_), prover);
    scratch_.resize(at(threads_));
    interrupted_ = [this] { return watch(); };
    tree_.begin(problem_.columns(), request.givenRows);
    for (int j = 0; j < problem_.columns(); ++j) {
      double const lower = prover.bounds().columnLower[at(j)];
      double const upper = prover.bounds().columnUpper[at(j)];
      if (lower != lower_[at(j)]) tree_.implied({j, false, lower});
      if (upper != upper_[at(j)]) tree_.implied({j, true, upper});
    }
  }

  SearchOutcome run() {
    if (!request_.start.empty()) offer(request_.start);
    pool_.add(-1, {}, -infinity, 0.0);
    if (lps_.begin(lower_, upper_, interrupted_))
      rounds();
    else
      settleRoot();
    return outcome();
  }

 private:
  Options lpOptions() const {
    Options options = options_;
    options.objectiveLimit = infinity;
    options.timeLimit = Options().timeLimit;
    options.iterationLimit = Options().iterationLimit;
    options.oneOfMany = true;
    return options;
  }

  /// No linear program is left that variants could be of: there is a proof that none is needed, or
  /// the search ends.
  void settleRoot() {
    double closed = infinity;
    std::vector<int> const root = pool_.take(1, cutoff_, closed);
    now_->answers.status.assign(1, BatchStatus::numerical);
    Evaluated found;
    if (!root.empty() && !watch()) solveAlone(root.front(), 0, found);
    stopped_ = found.end != Evaluated::End::empty;
    for (int const node : root) stopped_ ? pool_.putBack(node) : pool_.close(node);
  }

  /// One round after the other; where a device solves them and there are nodes enough, the next one
  /// is under way while this processor looks at what came of the last.
  void rounds() {
    Round* last = nullptr;
    for (;;) {
      if (!last && std::exchange(improved_, false)) fixByRoot();
      Round* next = nullptr;
      if (!last || (request_.onDevice && !improved_ && pool_.open() >= batch_ / shareOfOverlap))
        next = nextRound(last ? last->nodes.size() : 0);
      if (!next && !last) return;
      if (last) wait(*last);
      if (next) begin(*next);
      if (last) finish(*last, next == nullptr);
      last = next;
    }
  }

  /// Takes nodes; null: there are none, or a limit was reached. `underWay`: nodes of another round.
  Round* nextRound(std::size_t underWay) {
    std::size_t const room = roomOfRound(underWay);
    if (room == 0) return nullptr;
    double closed = infinity;
    std::vector<int> nodes = pool_.take(room, cutoff_, closed);
    close(closed);
    if (nodes.empty()) return nullptr;
    Round& round = rounds_[rounds_[0].nodes.empty() ? 0 : 1];
    round.nodes = std::move(nodes);
    round.probes = std::exchange(probes_, {});
    round.list.clear();
    constexpr std::size_t worthThread = 256;
    std::size_t const count = round.nodes.size();
    std::vector<NodeList> parts(std::clamp<std::size_t>(count / worthThread, 1, at(threads_)));
    batch::runWorkers(threads_, parts.size(), [&](std::size_t p, int) {
      std::vector<BoundChange> changes;
      for (std::size_t k = count * p / parts.size(); k < count * (p + 1) / parts.size(); ++k) {
        pool_.changesOf(round.nodes[k], changes);
        parts[p].add(changes, pool_[round.nodes[k]].start);
      }
    });
    for (NodeList const& part : parts) round.list.append(part);
    for (Probe const& probe : round.probes) round.list.add(probe.bounds, probe.start);
    lps_.list(round.list, cutoff_, 0, round.call);
    return &round;
  }

  // ---- limits and messages ----------------------------------------------------------------------

  bool watch() {
    constexpr double pause = 0.1;
    if (request_.callbacks.search && watch_.seconds() > told_ + pause) {
      told_ = watch_.seconds();
      request_.callbacks.search(progress());
    }
    if (!interruptedNow_) interruptedNow_ = request_.interrupted && request_.interrupted();
    return interruptedNow_;
  }

  SearchProgress progress() const {
    SearchProgress now;
    now.seconds = watch_.seconds();
    now.nodes = nodes_;
    if (!incumbent_.empty()) now.objective = best_;
    now.bound = boundNow_;
    return now;
  }

  /// How many nodes the next round may have beside those under way; 0: a limit was reached.
  std::size_t roomOfRound(std::size_t underWay) {
    boundNow_ = std::max(boundNow_, boundOfAll());
    std::int64_t const nodes = nodes_ + static_cast<std::int64_t>(underWay);
    limited_ = nodes >= options_.nodeLimit || lps_.iterations >= options_.iterationLimit;
    if (watch() || stopped_ || limited_) return 0;
    auto const left = static_cast<std::uint64_t>(options_.nodeLimit - nodes);
    return static_cast<std::size_t>(std::min<std::uint64_t>(batch_, left));
  }

  /// The lowest bound of what is open, under way or closed, but no better than the incumbent.
  double boundOfAll() const {
    double lowest = std::min(pool_.lowestBound(), closed_);
    for (Round const& round : rounds_)
      for (int const node : round.nodes) lowest = std::min(lowest, pool_[node].bound);
    return std::min(raised(lowest), best_);
  }

  /// The least objective of an integer point that is not below that, or a number between.
  double raised(double bound) const {
    if (!(step_ > 0.0) || !std::isfinite(bound)) return bound;
    double const offset = problem_.objectiveOffset;
    double const part = offset == 0.0 ? bound : std::nextafter(bound - offset, -infinity);
    double const multiple = toMultiple(part, step_, true), sum = multiple + offset;
    bool const exact = sum - offset == multiple && sum - multiple == offset;
    return std::max(bound, exact ? sum : std::nextafter(sum, -infinity));
  }

  // ---- incumbents -------------------------------------------------------------------------------

  /// Takes a point that is better than the incumbent.
  void offer(std::vector<double> const& x) {
    std::vector<double> whole = x;
    for (int j = 0; j < problem_.columns(); ++j)
      if (problem_.integer[at(j)]) whole[at(j)] = std::round(whole[at(j)]);
    if (std::optional<double> const value = points_.valueOf(whole)) take(std::move(whole), *value);
  }

  void take(std::vector<double> x, double value) {
    if (!(value < best_)) return;
    best_ = value;
    incumbent_ = std::move(x);
    improved_ = true;
    double const relative =
        options_.relativeGap > 0.0 ? options_.relativeGap * std::fabs(best_) : 0;
    double const gap = std::max(options_.absoluteGap, std::isnan(relative) ? infinity : relative);
    double const least = sameNumber * std::max(1.0, std::fabs(best_));
    // Whole steps: a bound that is above the one before the incumbent is the incumbent's.
    cutoff_ = best_ - std::max(gap, std::max(least, step_ * (1.0 - 1e-6)));
    if (request_.callbacks.incumbent) request_.callbacks.incumbent(progress(), incumbent_);
  }

  // ---- what is proved ---------------------------------------------------------------------------

  /// A leaf is closed by that bound.
  void close(double bound) { closed_ = std::min(closed_, bound); }

  /// Columns that points better than the incumbent do not have beyond some bound.
  void fixColumns(std::vector<double> const& y) {
    if (incumbent_.empty() || y.empty() || !std::isfinite(cutoff_)) return;
    std::vector<BoundChange> const found = provers_.front().boundsBelow(cutoff_, y);
    if (found.empty()) return;
    std::int64_t const multipliers = tree_.multipliers(y);
    close(cutoff_);
    for (BoundChange const& change : found) {
      tree_.fix(change, multipliers);
      for (NodeProver& prover : provers_) prover.tighten(change);
      lps_.tighten(change);
      double& side = (change.upper ? upper_ : lower_)[at(change.column)];
      side = change.value;
      fixed_ += lower_[at(change.column)] == upper_[at(change.column)];
    }
  }

  /// After a better incumbent, or the first round.
  void fixByRoot() {
    fixColumns(rootMultipliers_);
    if (fixed_ < 8 || fixed_ < worthNewBase * lps_.columns()) return;
    fixed_ = 0;
    if (!lps_.begin(lower_, upper_, interrupted_)) return;
    NodeList whole;
    whole.add({}, -1);
    lps_.solve(whole, infinity, 0, interrupted_, trials_);
    if (trials_.status.front() != BatchStatus::optimal) return;
    std::vector<double> y = lps_.multipliersOf(trials_, 0);
    provers_.front().clean(y);
    rootMultipliers_ = std::move(y);
    fixColumns(rootMultipliers_);
  }

  // ---- a round ----------------------------------------------------------------------------------

  void begin(Round& round) {
    if (!request_.onDevice) {
      lps_.run(round.call, interrupted_, round.answers);
      return lps_.count(round.answers);
    }
    stopsAhead_ = interruptedNow_;
    round.done = std::async(std::launch::async, [this, &round] {
      lps_.run(
          round.call, [this] { return stopsAhead_.load(); }, round.answers);
    });
  }

  void wait(Round& round) {
    if (!round.done.valid()) return;
    constexpr std::chrono::milliseconds pause(20);
    while (round.done.wait_for(pause) != std::future_status::ready) stopsAhead_ = watch();
    round.done.get();
    lps_.count(round.answers);
  }

  /// Looks at what came of a round. `alone`: no other one is under way.
  void finish(Round& round, bool alone) {
    now_ = &round;
    std::vector<int> const& nodes = round.nodes;
    std::vector<Evaluated> found(round.list.size());
    rounding_ = roundingsOf(nodes.size());
    batch::runWorkers(static_cast<int>(std::min<std::size_t>(at(threads_), found.size())),
                      found.size(), [&](std::size_t k, int worker) {
                        omp_set_num_threads(1);
                        evaluate(k, worker, k >= nodes.size(), found[k]);
                      });
    for (Evaluated& one : found)
      if (!one.point.empty()) take(std::move(one.point), one.value);
    if (nodes_ == 0 && found.front().end == Evaluated::End::open) beginAtRoot(found.front());
    learn(nodes, found);
    nextProbes(nodes.size(), found, round.probes);
    if (alone) tryBranches(nodes, found);
    for (std::size_t k = 0; k < nodes.size(); ++k) settle(nodes[k], k, found[k]);
    round.nodes.clear();
  }

  /// Which nodes of a round are rounded: those of the lowest objectives.
  std::vector<char> roundingsOf(std::size_t count) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < count; ++k)
      if (now_->answers.status[k] == BatchStatus::optimal)
        order.emplace_back(now_->answers.objective[k], k);
    std::size_t const some = std::min(order.size(), std::max<std::size_t>(4, count / 16));
    std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(some));
    std::vector<char> chosen(now_->list.size(), 0);
    for (std::size_t k = 0; k < some; ++k) chosen[order[k].second] = 1;
    return chosen;
  }

  /// On any thread.
  void evaluate(std::size_t k, int worker, bool isProbe, Evaluated& found) {
    using End = Evaluated::End;
    BatchStatus const status = now_->answers.status[k];
    NodeProver& prover = provers_[at(worker)];
    if (status == BatchStatus::interrupted || status == BatchStatus::timeLimit) {
      found.end = End::stopped;
    } else if (status == BatchStatus::infeasible) {
      if (isProbe) return;
      std::vector<double> y = lps_.multipliersOf(now_->answers, k);
      prover.clean(y);
      if (trusts_ || prover.isEmpty(y, now_->list[k])) found.end = End::empty;
    } else if (status == BatchStatus::objectiveLimit && !isProbe) {
      found.objective = now_->answers.objective[k];
      bound(k, prover, found);
      if (found.bound >= cutoff_) found.end = End::open;
    } else if (status == BatchStatus::optimal) {
      found.end = End::open;
      found.objective = now_->answers.objective[k];
      if (!isProbe) bound(k, prover, found);
      Scratch& own = scratch_[at(worker)];
      lps_.pointOf(now_->answers, k, own.x);
      bool const open = prover.enter(now_->list[k]);
      if (open) found.branch = costs_.choose(own.x, prover.bounds());
      prover.leave();
      if (!open) found.end = End::empty;  // bounds that hold everywhere came since
      if (!found.branch.isFractional) keepBest(own, found, true, false);
      if (rounding_[k] && !isProbe) {
        keepBest(own, found, false, true);
        keepBest(own, found, true, true);
      }
    }
  }

  void bound(std::size_t k, NodeProver& prover, Evaluated& found) const {
    std::vector<double> y = lps_.multipliersOf(now_->answers, k);
    prover.clean(y);
    found.bound = trusts_ ? found.objective - sameNumber * (1.0 + std::fabs(found.objective))
                          : prover.boundOf(y, now_->list[k]);
  }

  /// Keeps the point that rounding makes of own.x, where it is one and better than the one before.
  /// `moves`: rows that it misses, and better points beside it are looked for.
  struct Scratch {
    std::vector<double> x, rounded;
  };
  void keepBest(Scratch& own, Evaluated& found, bool nearest, bool moves) const {
    own.rounded = own.x;
    if (moves) {
      if (!points_.round(own.rounded, nearest)) return;
    } else {
      for (int j = 0; j < problem_.columns(); ++j)
        if (problem_.integer[at(j)]) own.rounded[at(j)] = std::round(own.rounded[at(j)]);
    }
    double objective = problem_.objectiveOffset;
    for (int j = 0; j < problem_.columns(); ++j)
      objective += problem_.objective[at(j)] * own.rounded[at(j)];
    if (!(objective < std::min(found.value, best_))) return;
    std::optional<double> const value = points_.valueOf(own.rounded);
    if (!value || !(*value < found.value)) return;
    found.value = *value;
    found.point = own.rounded;
  }

  /// The root's multipliers are kept for fixing; a root without a bound says that no node has one.
  void beginAtRoot(Evaluated& root) {
    rootMultipliers_ = lps_.multipliersOf(now_->answers, 0);
    provers_.front().clean(rootMultipliers_);
    improved_ = true;
    if (std::isfinite(root.bound)) return;
    trusts_ = true;
    bound(0, provers_.front(), root);
  }

  /// Gains of the branches that made these nodes.
  void learn(std::vector<int> const& nodes, std::vector<Evaluated> const& found) {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      NodePool::Node const& node = pool_[nodes[k]];
      if (found[k].end == Evaluated::End::open && node.parent >= 0)
        costs_.learn(node.change.column, !node.change.upper, node.distance,
                     found[k].objective - node.bound);
    }
  }

  /// Strong branching where rounds have room for it: some pivots of both sides of the columns that
  /// are not known yet.
  void tryBranches(std::vector<int> const& nodes, std::vector<Evaluated>& found) {
    struct Trial {
      std::size_t node;
      Branch branch;
    };
    std::vector<Trial> trials;
    std::vector<double> x;
    NodeList list;
    std::size_t const room =
        nodes_ == 0 ? std::max<std::size_t>(2 * batch_, 64) : std::max<std::size_t>(2, batch_ / 2);
    for (std::size_t k = 0; k < nodes.size() && list.size() + 2 <= room; ++k) {
      if (found[k].end != Evaluated::End::open || !found[k].branch.isFractional) continue;
      if (found[k].bound >= cutoff_) continue;
      lps_.pointOf(now_->answers, k, x);
      std::size_t const share = (room - list.size()) / (2 * (nodes.size() - k));
      std::size_t const most = nodes_ == 0 ? room / 2 : std::min<std::size_t>(share, 8);
      for (int const column : costs_.unknown(x, most, enoughBranches)) {
        Branch const branch =
            branchAt(column, x[at(column)], lower_[at(column)], upper_[at(column)]);
        std::vector<BoundChange> side(now_->list[k].begin(), now_->list[k].end());
        side.push_back({column, true, branch.value});
        list.add(side, now_->answers.start[k]);
        side.back() = {column, false, branch.value + 1.0};
        list.add(side, now_->answers.start[k]);
        trials.push_back({k, branch});
      }
    }
    if (trials.empty() || watch()) return;
    lps_.solve(list, cutoff_, trialPivots, interrupted_, trials_);
    for (std::size_t t = 0; t < trials.size(); ++t) {
      Evaluated const& node = found[trials[t].node];
      Branch const& branch = trials[t].branch;
      for (std::size_t side = 0; side < 2; ++side) {
        BatchStatus const status = trials_.status[2 * t + side];
        double const gain = trials_.objective[2 * t + side] - node.objective;
        double const distance = side == 0 ? branch.below : branch.above;
        if (status == BatchStatus::optimal || status == BatchStatus::iterationLimit ||
            status == BatchStatus::objectiveLimit)
          costs_.learn(branch.column, side == 1, distance, gain);
        else if (status == BatchStatus::infeasible && std::isfinite(cutoff_))
          costs_.learn(branch.column, side == 1, distance, cutoff_ - node.objective);
      }
    }
    for (std::size_t t = 0; t < trials.size(); ++t) {
      std::size_t const k = trials[t].node;
      if (t > 0 && trials[t - 1].node == k) continue;
      lps_.pointOf(now_->answers, k, x);
      bool const open = provers_.front().enter(now_->list[k]);
      if (open) found[k].branch = costs_.choose(x, provers_.front().bounds());
      provers_.front().leave();
    }
  }

  /// Dives that go on, new ones in place of those that ended, and points whose continuous columns
  /// are to be completed.
  void nextProbes(std::size_t nodes, std::vector<Evaluated> const& found,
                  std::vector<Probe> const& probes) {
    std::vector<double> x;
    auto const goOn = [&](std::size_t k) {
      if (found[k].end != Evaluated::End::open || !(found[k].objective < cutoff_)) return;
      lps_.pointOf(now_->answers, k, x);
      std::vector<BoundChange> next = deeper(problem_, now_->list[k], x);
      bool const completes = next.empty() && !points_.allIntegers();
      if (completes) next = fixedAt(problem_, x);
      if (!next.empty()) probes_.push_back({std::move(next), now_->answers.start[k], completes});
    };
    for (std::size_t p = 0; p < probes.size(); ++p)
      if (!probes[p].completes) goOn(nodes + p);
    std::size_t const most = std::max<std::size_t>(4, nodes / shareOfDives);
    for (std::size_t k = 0; k < nodes && probes_.size() < most; ++k)
      if (rounding_[k] && found[k].branch.isFractional) goOn(k);
    if (points_.allIntegers()) return;
    std::size_t const completions = probes_.size() + most;
    for (std::size_t k = 0; k < nodes && probes_.size() < completions; ++k) {
      if (!rounding_[k] || found[k].end != Evaluated::End::open) continue;
      if (!(found[k].objective < cutoff_)) continue;
      lps_.pointOf(now_->answers, k, x);
      probes_.push_back({fixedAt(problem_, x), now_->answers.start[k], true});
    }
  }

  /// Closes the node, or splits it.
  void settle(int node, std::size_t k, Evaluated& found) {
    using End = Evaluated::End;
    if (found.end == End::stopped || interruptedNow_) return pool_.putBack(node);
    ++nodes_;
    std::int64_t const name = pool_[node].name;
    if (found.end == End::unknown) solveAlone(node, k, found);
    if (found.end == End::stopped) return pool_.putBack(node);
    if (found.end == End::empty) {
      if (tree_.isOpen() && now_->answers.status[k] == BatchStatus::infeasible) {
        std::vector<double> y = lps_.multipliersOf(now_->answers, k);
        provers_.front().clean(y);
        tree_.empty(name, y.empty() ? -1 : tree_.multipliers(y));
      }
      return pool_.close(node);
    }
    double bound = std::max(found.bound, pool_[node].bound);
    bool const multiplied = now_->answers.status[k] == BatchStatus::optimal ||
                            now_->answers.status[k] == BatchStatus::objectiveLimit;
    if (tree_.isOpen() && found.bound > -infinity && multiplied) {
      std::vector<double> y = lps_.multipliersOf(now_->answers, k);
      provers_.front().clean(y);
      tree_.bound(name, tree_.multipliers(y));
    }
    if (!(bound >= cutoff_) && found.branch.column < 0 && found.end == End::open) {
      solveAlone(node, k, found);  // all integers are fixed: a point, or none
      if (found.end == End::empty) return pool_.close(node);
      bound = std::max(bound, found.bound);
    }
    if (bound >= cutoff_) {
      close(bound);
      return pool_.close(node);
    }
    split(node, bound, found, now_->answers.start[k]);
  }

  void split(int node, double bound, Evaluated const& found, std::int64_t start) {
    Branch branch = found.branch;
    if (branch.column < 0) {  // nothing is known of it: any column
      std::vector<BoundChange> changes;
      pool_.changesOf(node, changes);
      bool const open = provers_.front().enter(changes);
      proof::ImpliedBounds const& box = provers_.front().bounds();
      std::vector<double> middle(at(problem_.columns()));
      for (std::size_t j = 0; j < middle.size(); ++j)
        middle[j] =
            std::clamp(0.0, box.columnLower[j], std::max(box.columnLower[j], box.columnUpper[j]));
      if (open) branch = costs_.choose(middle, box);
      provers_.front().leave();
    }
    if (branch.column < 0) {
      // Neither a proof nor a branch is left.
      ++doubts_;
      close(bound);
      return pool_.close(node);
    }
    for (bool const up : {false, true}) {
      BoundChange const change{branch.column, !up, up ? branch.value + 1.0 : branch.value};
      int const child = pool_.add(node, change, bound, up ? branch.above : branch.below, start);
      if (child >= 0) {
        tree_.node(pool_[child], pool_[node].name);
        continue;
      }
      close(bound);  // nobody looks at this side
      stopped_ = true;
    }
  }

  /// One node by the ordinary solver and rational arithmetic, where variants prove nothing.
  void solveAlone(int node, std::size_t k, Evaluated& found) {
    using End = Evaluated::End;
    std::vector<BoundChange> changes;
    pool_.changesOf(node, changes);
    Solution solution = lps_.solveAlone(changes, interrupted_);
    lps_.iterations += solution.iterations;
    if (interruptedNow_) {
      found.end = End::stopped;
      return;
    }
    std::int64_t const name = pool_[node].name;
    if (solution.status == Status::infeasible) {
      provers_.front().clean(solution.farkas);
      bool const proved = provers_.front().isEmpty(solution.farkas, changes);
      bool const rational = solution.exact.proved && !tree_.isOpen();
      if (!proved && !rational && !trusts_) return;
      found.end = End::empty;
      if (proved && tree_.isOpen()) tree_.empty(name, tree_.multipliers(solution.farkas));
      now_->answers.status[k] = BatchStatus::numerical;  // it has been written
    } else if (solution.status == Status::optimal) {
      found.end = End::open;
      found.objective = solution.objective;
      provers_.front().clean(solution.rowDuals);
      double const plain = provers_.front().boundOf(solution.rowDuals, changes);
      found.bound = tree_.isOpen() ? plain : std::max(plain, solution.objectiveEnclosure.lower);
      if (tree_.isOpen()) tree_.bound(name, tree_.multipliers(solution.rowDuals));
      offer(solution.columnValues);
      bool const open = provers_.front().enter(changes);
      if (open) found.branch = costs_.choose(solution.columnValues, provers_.front().bounds());
      provers_.front().leave();
      if (!open) found.end = End::empty;
    }
  }

  SearchOutcome outcome() {
    SearchOutcome outcome;
    bool const complete = pool_.open() == 0 && !stopped_ && !interruptedNow_;
    boundNow_ = std::max(boundNow_, boundOfAll());
    bool const closedAll = complete && (incumbent_.empty() || boundNow_ >= cutoff_);
    outcome.status = complete          ? incumbent_.empty() ? Status::infeasible : Status::optimal
                     : interruptedNow_ ? Status::interrupted
                     : limited_        ? Status::iterationLimit
                                       : Status::numerical;
    // What neither a proof nor a branch closed may not matter in the end.
    if (!closedAll || incumbent_.empty()) outcome.doubts = doubts_;
    outcome.proved = !trusts_;
    outcome.values = incumbent_;
    outcome.iterations = lps_.iterations;
    outcome.solves = lps_.solves;
    outcome.last = progress();
    if (complete && incumbent_.empty() && doubts_ == 0) outcome.last.bound = infinity;
    tree_.end(incumbent_, trusts_ ? -infinity : outcome.last.bound);
    if (request_.callbacks.search) request_.callbacks.search(outcome.last);
    return outcome;
  }

  SearchRequest const& request_;
  LinearProgram const& problem_;
  Options const options_;
  std::size_t const batch_;  ///< K
  int const threads_;
  double const step_;
  Stopwatch const watch_;
  double told_ = 0.0;
  std::vector<double> lower_, upper_;  ///< of columns, everywhere
  PointMaker const points_;
  PseudoCosts costs_;
  NodeLps lps_;
  NodePool pool_;
  TreeFile tree_;
  std::vector<NodeProver> provers_;  ///< by worker
  std::vector<Scratch> scratch_;     ///< by worker
  std::function<bool()> interrupted_;

  std::vector<double> incumbent_;
  double best_ = infinity;
  double cutoff_ = infinity;  ///< bounds of at least that need no look
  bool improved_ = false;
  double closed_ = infinity;  ///< the lowest bound of a leaf
  double boundNow_ = -infinity;
  std::vector<double> rootMultipliers_;
  int fixed_ = 0;        ///< columns, since the last common problem was made
  bool trusts_ = false;  ///< bounds rest on objectives within tolerances
  std::int64_t nodes_ = 0, doubts_ = 0;
  bool stopped_ = false, limited_ = false, interruptedNow_ = false;

  Round rounds_[2];       ///< of which one may be under way
  Round* now_ = rounds_;  ///< the one that is looked at
  std::atomic<bool> stopsAhead_{false};
  BatchResults trials_;
  std::vector<char> rounding_;
  std::vector<Probe> probes_;  ///< of the next round
};

}  // namespace

SearchOutcome searchTree(SearchRequest const& request) {
  return TreeSearch(request).run();
}

}  // namespace osi_cuda::search
