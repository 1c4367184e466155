// SPDX-License-Identifier: EPL-2.0
#pragma once

// A tableau in memory, and the device's team on fibers of the host to pivot on it.
#include "tests/support/emulated_device.hpp"
// what follows is device code, which the emulation has to come before
#include <boost/test/unit_test.hpp>
#include <random>
#include <vector>

#include "osi_cuda/engine/cuda/arena.hpp"
#include "osi_cuda/engine/cuda/grid_team.cuh"
#include "osi_cuda/engine/cuda/team_layout.hpp"
#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/simplex/dual_pivots.hpp"
#include "osi_cuda/simplex/primal_pivots.hpp"
#include "tests/support/emulated_problem.hpp"
#include "tests/support/plain_improvements.hpp"

namespace osi_cuda::testing {

using namespace cuda;

/// A tableau in memory with T = A, the slack basis, and a team of some blocks to work on it.
class Emulation {
 public:
  Emulation(Problem const& p, int blocks, int capacity, int sharedLines)
      : p_(p), t_(tableauSizes(p.m, p.n, capacity, sketchSize)), base_(p.a), cost_(p.cost) {
    t_.base = base_.data();
    t_.cost = cost_.data();
    shifts_.resize(at(capacity));
    t_.shifts = shifts_.data();
    u_.assign(at(p.m) * at(t_.stride), NAN);
    v_.assign(at(p.n) * at(t_.stride), NAN);
    t_.u = u_.data();
    t_.v = v_.data();
    numbers_.assign(stateNumbers(t_), 0.0);
    placeState(t_, numbers_.data());
    variables_.resize(stateVariables(t_));
    placeVariables(t_, variables_.data());
    columnSketch_.resize(at(t_.n) * sketchSize);
    rowSketch_.resize(at(t_.m) * sketchSize);
    t_.columnSketch = columnSketch_.data();
    t_.rowSketch = rowSketch_.data();
    team_ = dealLines(t_, blocks);
    team_.sharedLines = sharedLines;
    packets_.resize(MessageSizes(t_, team_).total());
    placeMessages(t_, team_, packets_.data());
  }

  /// Runs pivots until there are none left, the factors are full or there were so many; the values
  /// by variable.
  template <class Kind>
  std::vector<double> run(Pricing pricing, Phase phase, std::uint64_t seed,
                          double harris = PivotRequest().harris, int pivots = 0) {
    PivotRequest request;
    request.harris = harris;
    request.algorithm = Kind::algorithm;
    request.phase = phase;
    request.pricing = pricing;
    request.budget = pivots > 0 ? pivots : t_.capacity;
    start(Kind::algorithm, phase, pricing);
    team_.stateInShared = team_.sketchInShared = Kind::inShared;
    launch<Kind>(request, seed);
    request_ = request;
    return point();
  }
  /// The same once more from there, after a fold.
  template <class Kind>
  std::vector<double> goOn(std::uint64_t seed) {
    fold();
    if (t_.shadow != nullptr) keepShadow();
    launch<Kind>(request_, seed);
    return point();
  }

  /// Pivots by greatest improvement, folding after each; the values by variable. Every choice has
  /// to be what a plain search through the tableau finds. Adds up the reports.
  std::vector<double> runGreatest(bool stateInShared, std::uint64_t seed) {
    PivotRequest request;
    request.pricing = Pricing::greatest;
    request.budget = 10;
    start(primal, Phase::two, Pricing::greatest);
    team_.stateInShared = stateInShared;
    team_.sketchInShared = false;
    int const kept = std::exchange(t_.sketchSize, 0);
    int iterations = 0;
    do {
      std::vector<double> const gain = improvements(request.harris);
      std::vector<int> const before(t_.columns.variable, t_.columns.variable + t_.n);
      std::vector<double> const values(t_.columns.value, t_.columns.value + t_.n);
      launch<TeamKind<primal, false, true>>(request, seed + at(iterations));
      iterations += report.iterations;
      auto const best = std::max_element(gain.begin(), gain.end());
      BOOST_TEST((report.stop == Stop::optimal) == (*best == 0.0));
      for (int j = 0; j < t_.n; ++j)
        if (t_.columns.variable[j] != before[at(j)] || t_.columns.value[j] != values[at(j)])
          BOOST_TEST(j == best - gain.begin());
      fold();
    } while (report.stop == Stop::full);
    t_.sketchSize = kept;
    report.iterations = iterations;
    return point();
  }

  /// Exact weights come from the shadow from now on.
  void keepShadow() {
    ShadowSizes const sizes(t_, team_);
    shadow_.assign(sizes.entries, 0.0f);
    for (int i = 0; i < t_.m; ++i)
      for (int j = 0; j < t_.n; ++j)
        shadow_[at(i) * at(sizes.stride) + at(j)] = static_cast<float>(base(i, j));
    shares_.assign(sizes.shares(), NAN);
    placeShadow(t_, team_, shadow_.data(), shares_.data());
  }

  /// T's entry as D and the factors have it.
  double entry(int i, int j) const {
    double sum = base(i, j);
    for (int l = 0; l < used_; ++l)
      sum -= u_[at(i) * at(t_.stride) + at(l)] * v_[at(j) * at(t_.stride) + at(l)];
    return sum;
  }

  /// How far exact weights are from the norms that they stand for, relative, at most.
  double weightError(Algorithm algorithm) const {
    return algorithm == Algorithm::primal ? columnWeightError() : rowWeightError();
  }

  /// How far reduced costs are from c_N - T'c_B with the costs that the pivots left, at most.
  double costError() const {
    double worst = 0.0;
    for (int j = 0; j < t_.n; ++j) {
      double d = cost_[at(t_.columns.variable[j])];
      for (int i = 0; i < t_.m; ++i) d -= entry(i, j) * cost_[at(t_.rows.variable[i])];
      worst = std::max(worst, std::fabs(d - t_.columns.reducedCost[j]));
    }
    return worst;
  }
  std::vector<double> const& costs() const { return cost_; }

  int shifts() const { return *t_.shiftCount; }  ///< of costs, in the last launch
  /// How many variables had their costs shifted more than once in the last launch.
  int shiftedAgain() const {
    std::vector<int> times(cost_.size(), 0);
    for (int k = 0; k < shifts(); ++k) ++times[at(shifts_[at(k)].variable)];
    return static_cast<int>(
        std::count_if(times.begin(), times.end(), [](int count) { return count > 1; }));
  }

  /// Calls f(team) on every thread of a grid that goes on from the present factors and state.
  template <class Kind, class F>
  void onGrid(std::uint64_t seed, F f) {
    team_.stateInShared = team_.sketchInShared = Kind::inShared;
    std::size_t const bytes = placePieces(t_, team_, Kind::algorithm);
    Counters const first = next_;
    emulated::launch(team_.blocks, teamThreads, bytes, seed, [&] {
      GridTeam<Kind> team(t_, team_, used_, first);
      f(team);
      if (blockIdx.x == 0 && threadIdx.x == 0) next_ = team.next();
    });
  }
  int used() const { return used_; }

  /// How far the sketches are from those of the present tableau, beside their norms, at most.
  double columnSketchError() const {
    double worst = 0.0;
    for (int j = 0; j < t_.n; ++j) {
      double gap = 0.0, norm = 1.0;
      for (int l = 0; l < sketchSize; ++l) {
        double z = 0.0;
        for (int i = 0; i < t_.m; ++i)
          z += entry(i, j) * static_cast<double>(rules::sketchSign(l, i));
        gap = std::max(gap, std::fabs(z - columnSketch_[at(sketchSize * j + l)]));
        norm += z * z;
      }
      worst = std::max(worst, gap / std::sqrt(norm));
    }
    return worst;
  }
  double rowSketchError() const {
    double worst = 0.0;
    for (int i = 0; i < t_.m; ++i) {
      double gap = 0.0, norm = 1.0;
      for (int l = 0; l < sketchSize; ++l) {
        auto const signOf = [&](int variable) {
          return variable >= t_.n ? static_cast<double>(rules::sketchSign(l, variable - t_.n))
                                  : 0.0;
        };
        double w = signOf(t_.rows.variable[i]);  // its column of B^-1 is a unit
        for (int j = 0; j < t_.n; ++j) w += entry(i, j) * signOf(t_.columns.variable[j]);
        gap = std::max(gap, std::fabs(w - rowSketch_[at(sketchSize * i + l)]));
        norm += w * w;
      }
      worst = std::max(worst, gap / std::sqrt(norm));
    }
    return worst;
  }

  PivotReport report;

  /// Where the slope turns by the kinks of the rows, as every thread has it.
  std::vector<rules::Turn> turn(std::vector<rules::Kinks> const& kinks, double slope,
                                std::uint64_t seed) {
    std::vector<rules::Turn> turns(at(team_.blocks * teamThreads));
    onGrid<TeamKind<primal, false, true>>(seed, [&](auto& team) {
      auto const kinksOf = [&](int i) { return kinks[at(i)]; };
      team.turnRows(kinksOf, -1.0);  // twice, for the packets of before
      turns[blockIdx.x * teamThreads + threadIdx.x] = team.turnRows(kinksOf, slope);
    });
    return turns;
  }

  /// Chooses another row each time, without a meeting between; whether all threads saw that.
  bool choices(int count, std::uint64_t seed) {
    start(primal, Phase::two, Pricing::sketched);
    team_.stateInShared = team_.sketchInShared = false;
    std::size_t const bytes = placePieces(t_, team_, primal);
    bool right = true;
    emulated::launch(team_.blocks, teamThreads, bytes, seed, [&] {
      GridTeam<TeamKind<primal, false, true>> team(t_, team_, 0, Counters());
      for (int k = 0; k < count; ++k) {
        auto const prefer = [&](rules::Candidate& best, int i) {
          rules::Candidate c;
          c.key = (7 * i + 11 * k) % t_.m;
          c.position = i;
          c.tie = static_cast<std::uint32_t>(i);
          best = rules::better(best, c);
        };
        rules::Candidate expected;
        for (int i = 0; i < t_.m; ++i) prefer(expected, i);
        auto const chosen = team.reduceRows(rules::Candidate{}, prefer, rules::better);
        if (chosen.position != expected.position) right = false;
      }
    });
    return right;
  }

 private:
  /// What blocks write by plain stores and share by position or variable. On a device a block may
  /// see what another stored only when the launch is over: so each has a copy of its own, and what
  /// it changed there counts in the end, block after block.
  struct OwnMemory {
    std::vector<double> cost;
    std::vector<CostShift> shifts;
  };

  static constexpr auto primal = Algorithm::primal;
  static constexpr int sketchSize = 64;
  template <class Kind>
  static PivotReport pivotsOf(GridTeam<Kind>& team, PivotRequest const& request) {
    if constexpr (Kind::algorithm == Algorithm::primal)
      return primalPivots(team, request);
    else
      return dualPivots(team, request);
  }

  template <class Kind>
  void launch(PivotRequest const& request, std::uint64_t seed) {
    std::size_t const bytes = placePieces(t_, team_, Kind::algorithm);
    Counters const first = next_;
    std::vector<OwnMemory> memory(at(team_.blocks), OwnMemory{cost_, shifts_});
    emulated::launch(team_.blocks, teamThreads, bytes, seed, [&] {
      TableauView seen = t_;
      seen.cost = memory[blockIdx.x].cost.data();
      seen.shifts = memory[blockIdx.x].shifts.data();
      GridTeam<Kind> team(seen, team_, 0, first);
      PivotReport const pivots = pivotsOf(team, request);
      team.store();
      if (blockIdx.x != 0 || threadIdx.x != 0) return;
      report = pivots;
      used_ = team.used();
      next_ = team.next();
    });
    std::vector<double> const costBefore = cost_;
    std::vector<CostShift> const shiftsBefore = shifts_;
    for (OwnMemory const& own : memory) {
      for (std::size_t v = 0; v < cost_.size(); ++v)
        if (own.cost[v] != costBefore[v]) cost_[v] = own.cost[v];
      for (std::size_t k = 0; k < shifts_.size(); ++k)
        if (own.shifts[k].variable != shiftsBefore[k].variable ||
            own.shifts[k].delta != shiftsBefore[k].delta)
          shifts_[k] = own.shifts[k];
    }
    for (int k = 0; k < shifts(); ++k) cost_[at(shifts_[at(k)].variable)] += shifts_[at(k)].delta;
  }

  /// The values by variable.
  std::vector<double> point() const {
    std::vector<double> x(at(t_.m + t_.n));
    for (int i = 0; i < t_.m; ++i) x[at(t_.rows.variable[i])] = t_.rows.value[i];
    for (int j = 0; j < t_.n; ++j) x[at(t_.columns.variable[j])] = t_.columns.value[j];
    return x;
  }

  double columnWeightError() const {
    double worst = 0.0;
    for (int j = 0; j < t_.n; ++j) {
      double norm = 1.0;
      for (int i = 0; i < t_.m; ++i) norm += entry(i, j) * entry(i, j);
      worst = std::max(worst, std::fabs(t_.columns.weight[j] - norm) / norm);
    }
    return worst;
  }
  double rowWeightError() const {
    double worst = 0.0;
    for (int i = 0; i < t_.m; ++i) {
      double norm = t_.rows.variable[i] >= t_.n ? 1.0 : 0.0;
      for (int j = 0; j < t_.n; ++j)
        norm += t_.columns.variable[j] >= t_.n ? entry(i, j) * entry(i, j) : 0.0;
      worst = std::max(worst, std::fabs(t_.rows.weight[i] - norm) / norm);
    }
    return worst;
  }

  void fold() {
    for (int i = 0; i < t_.m; ++i)
      for (int j = 0; j < t_.n; ++j) base_[at(i) * at(t_.n) + at(j)] = entry(i, j);
    used_ = 0;
  }

  std::vector<double> improvements(double harris) const {
    osi_cuda::testing::PlainTableau t;
    t.entry = [&](std::size_t i, std::size_t j) { return base_[i * at(t_.n) + j]; };
    auto const add = [](auto& list, auto const& state, int k) {
      list.push_back({state.value[k], state.lower[k], state.upper[k]});
    };
    for (int i = 0; i < t_.m; ++i) add(t.basic, t_.rows, i);
    for (int j = 0; j < t_.n; ++j) add(t.nonbasic, t_.columns, j);
    t.reducedCost.assign(t_.columns.reducedCost, t_.columns.reducedCost + t_.n);
    return osi_cuda::testing::plainImprovements(t, 1e-7, harris);
  }

  void start(Algorithm algorithm, Phase phase, Pricing pricing) {
    int const m = t_.m, n = t_.n;
    for (int j = 0; j < n; ++j) {
      t_.columns.variable[j] = j;
      t_.columns.lower[j] = p_.lower[at(j)];
      t_.columns.upper[j] = p_.upper[at(j)];
      bool const down = algorithm == Algorithm::primal || p_.cost[at(j)] >= 0.0;
      t_.columns.value[j] = down ? p_.lower[at(j)] : p_.upper[at(j)];
    }
    for (int i = 0; i < m; ++i) {
      t_.rows.variable[i] = n + i;
      t_.rows.lower[i] = p_.lower[at(n + i)];
      t_.rows.upper[i] = p_.upper[at(n + i)];
      t_.rows.value[i] = 0.0;
      for (int j = 0; j < n; ++j) t_.rows.value[i] -= base(i, j) * t_.columns.value[j];
      t_.rows.weight[i] = 1.0;
      for (int l = 0; l < sketchSize; ++l)
        rowSketch_[at(sketchSize * i + l)] = rules::sketchSign(l, i);
    }
    for (int j = 0; j < n; ++j) {
      double d = phase == Phase::one ? 0.0 : p_.cost[at(j)], squares = 0.0;
      for (int i = 0; i < m; ++i) {
        squares += base(i, j) * base(i, j);
        if (phase == Phase::one)
          d -= base(i, j) *
               rules::phase1Cost(t_.rows.value[i], t_.rows.lower[i], t_.rows.upper[i], 1e-7);
      }
      t_.columns.reducedCost[j] = d;
      double sketched = 0.0;
      for (int l = 0; l < sketchSize; ++l) {
        double z = 0.0;
        for (int i = 0; i < m; ++i) z += base(i, j) * static_cast<double>(rules::sketchSign(l, i));
        columnSketch_[at(sketchSize * j + l)] = static_cast<float>(z);
        sketched += z * z / sketchSize;
      }
      t_.columns.weight[j] = 1.0 + (pricing == Pricing::sketched ? sketched : squares);
    }
  }
  double base(int i, int j) const { return base_[at(i) * at(t_.n) + at(j)]; }

  Problem const& p_;
  TableauView t_;
  TeamView team_;
  std::vector<double> base_, cost_, numbers_, u_, v_;
  std::vector<CostShift> shifts_;
  std::vector<int> variables_;
  std::vector<float> columnSketch_, rowSketch_, shadow_;
  std::vector<double> shares_;
  std::vector<Packet> packets_;
  PivotRequest request_;
  int used_ = 0;
  Counters next_;
};

}  // namespace osi_cuda::testing
