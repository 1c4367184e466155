// SPDX-License-Identifier: EPL-2.0
// The parts of the device's team, each beside what a plain loop says: on fibers of the host, in
// several orders.
#include "tests/support/emulated_grid.hpp"
#include "tests/support/random.hpp"
// the emulation comes first
#include <boost/test/unit_test.hpp>

using namespace osi_cuda;
using namespace osi_cuda::cuda;
using namespace osi_cuda::testing;

namespace {

constexpr auto primal = Algorithm::primal, dual = Algorithm::dual;
using NarrowPrimal = TeamKind<primal, true, false>;
using WidePrimal = TeamKind<primal, true, true>;
using AnyPrimal = TeamKind<primal, false, true>;
using WideDual = TeamKind<dual, true, true>;
using AnyDual = TeamKind<dual, false, true>;

Problem emptyProblem(int rows, int columns) {
  return {rows, columns, std::vector<double>(at(rows) * at(columns), 1.0), {}, {}, {}};
}

/// A grid whose U and V hold some pivots.
template <class Kind>
Emulation pivoted(Problem const& p, int blocks, int capacity, int sharedLines, int pivots) {
  Emulation emulation(p, blocks, capacity, sharedLines);
  emulation.template run<Kind>(Pricing::sketched, Phase::two, 1, PivotRequest().harris, pivots);
  BOOST_TEST_REQUIRE(emulation.used() == pivots);
  return emulation;
}

struct RatioTest {
  std::vector<rules::Breakpoint> breakpoints;
  std::vector<rules::Candidate> candidates;

  /// Ratios and keys of few different values, so that there are ties, bounds that lie past others'
  /// best, and lines that do not block.
  RatioTest(int count, unsigned seed) {
    Random random(seed);
    auto const few = [&] { return random.whole(1, 4 + static_cast<int>(seed % 40)); };
    for (int i = 0; i < count; ++i) {
      rules::Breakpoint b;
      b.ratio = few() == 1 ? rules::unlimited : 1.0 + 0.125 * few();
      b.relaxed = b.ratio < rules::unlimited ? b.ratio + 0.0625 * few() : rules::unlimited;
      breakpoints.push_back(b);
      rules::Candidate c;
      c.key = few();
      c.tie = static_cast<std::uint32_t>((i * 7919) % 100003);
      c.ratio = b.ratio;
      c.position = i;
      candidates.push_back(c);
    }
  }
  rules::Blocking plain() const {
    rules::Blocking result;
    double largest = 0.0;
    for (auto const& b : breakpoints) result.relaxed = std::min(result.relaxed, b.relaxed);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      largest = std::max(largest, candidates[i].key);
      if (breakpoints[i].ratio < rules::unlimited && breakpoints[i].ratio <= result.relaxed)
        result.best = rules::better(result.best, candidates[i]);
    }
    result.largest = rules::fromCoarseBits(rules::coarseBits(largest));
    return result;
  }
};

/// Every thread has to learn what the plain loops find, by rows and by columns, twice each.
template <class Kind>
void checkHarris(int rows, int columns, int blocks, unsigned seed) {
  RatioTest const ofRows(rows, seed), ofColumns(columns, seed + 1000);
  rules::Blocking const expected[2] = {ofRows.plain(), ofColumns.plain()};
  Problem const p = emptyProblem(rows, columns);
  Emulation emulation(p, blocks, 32, 32);
  int wrong = 0;
  emulation.onGrid<Kind>(seed, [&](auto& team) {
    auto const compare = [&](rules::Blocking const& found, rules::Blocking const& right) {
      wrong += found.best.position != right.best.position || found.relaxed != right.relaxed ||
               found.largest != right.largest || found.best.ratio != right.best.ratio;
    };
    for (int repeat = 0; repeat < 2; ++repeat) {
      compare(team.harrisRows([&](int i) { return ofRows.breakpoints[at(i)]; },
                              [&](int i, auto const&) { return ofRows.candidates[at(i)]; }),
              expected[0]);
      compare(team.harrisColumns([&](int j) { return ofColumns.breakpoints[at(j)]; },
                                 [&](int j, auto const&) { return ofColumns.candidates[at(j)]; }),
              expected[1]);
    }
  });
  BOOST_TEST(wrong == 0, "seed " << seed);
}

struct Sums {  // 24 bytes: the largest value that is gathered
  double x = 0.0, y = 0.0;
  int count = 0, unused = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(grid_parts)

BOOST_AUTO_TEST_CASE(harris_test_finds_what_two_plain_passes_find) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    checkHarris<NarrowPrimal>(100, 70, 3, seed);
    checkHarris<WidePrimal>(100, 900, 2, seed);
    checkHarris<WideDual>(1300, 3, 4, seed);  // some blocks have no columns
  }
}

BOOST_AUTO_TEST_CASE(values_of_every_size_are_gathered_in_the_order_of_blocks) {
  for (auto const& [rows, blocks] : {std::pair{37, 1}, {200, 5}, {3, 5}}) {
    Problem const p = emptyProblem(rows, 4);
    Emulation emulation(p, blocks, 32, 32);
    int wrong = 0;
    emulation.onGrid<WidePrimal>(at(rows), [&](auto& team) {
      for (int repeat = 0; repeat < 3; ++repeat) {
        int const count = team.reduceRows(
            0, [](int& sum, int) { ++sum; }, rules::sumCounts);
        double const sum = team.reduceRows(
            0.0, [](double& partial, int i) { partial += i + 1; }, rules::sum);
        Sums const all = team.reduceRows(
            Sums{},
            [](Sums& partial, int i) { partial.x += i, partial.y -= 2 * i, ++partial.count; },
            [](Sums const& a, Sums const& b) {
              return Sums{a.x + b.x, a.y + b.y, a.count + b.count, 0};
            });
        double const total = 0.5 * rows * (rows + 1);
        wrong += count != rows || sum != total || all.count != rows || all.x != total - rows ||
                 all.y != -2 * (total - rows);
      }
    });
    BOOST_TEST(wrong == 0);
  }
}

// The oldest factors in device memory, the newest in shared memory, or all of them there.
BOOST_AUTO_TEST_CASE(lines_are_those_of_the_delayed_tableau) {
  Problem const p = feasibleProblem(34, 26, 1);
  for (int const sharedLines : {16, 32}) {
    Emulation emulation = pivoted<WidePrimal>(p, 3, 96, sharedLines, 24);
    std::vector<double> column(at(p.m)), row(at(p.n));
    for (int k = 0; k < 6; ++k) {
      int const q = (5 * k + 3) % p.n, r = (11 * k + 7) % p.m;
      emulation.onGrid<WidePrimal>(at(k), [&](auto& team) {
        team.column(q);
        team.row(r);
        team.forRows([&](int i) { column[at(i)] = team.rows().entry[i]; });
        team.forColumns([&](int j) { row[at(j)] = team.columns().entry[j]; });
      });
      for (int i = 0; i < p.m; ++i)
        BOOST_TEST(std::fabs(column[at(i)] - emulation.entry(i, q)) <= 1e-12);
      for (int j = 0; j < p.n; ++j)
        BOOST_TEST(std::fabs(row[at(j)] - emulation.entry(r, j)) <= 1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(products_take_every_nonzero_and_every_factor) {
  for (auto const& [m, n, blocks] : {std::tuple{34, 26, 3}, {60, 500, 2}, {420, 9, 4}}) {
    Problem const p = feasibleProblem(m, n, 3);
    Emulation emulation = pivoted<WidePrimal>(p, blocks, 32, 16, 8);
    std::vector<double> rows(at(m)), columns(at(n)), ofRows(at(n)), ofColumns(at(m));
    for (int i = 0; i < m; ++i) rows[at(i)] = i % 3 == 0 ? 0.25 * i - 1.0 : 0.0;
    for (int j = 0; j < n; ++j) columns[at(j)] = j % 4 != 1 ? 1.0 - 0.5 * j : 0.0;
    emulation.onGrid<AnyPrimal>(at(m), [&](auto& team) {
      team.forRows([&](int i) { team.rows().change[i] = rows[at(i)]; });
      team.combineRows();
      team.forColumns([&](int j) {
        ofRows[at(j)] = team.columns().change[j];
        team.columns().change[j] = columns[at(j)];
      });
      team.combineColumns();
      team.forRows([&](int i) { ofColumns[at(i)] = team.rows().change[i]; });
    });
    for (int j = 0; j < n; ++j) {
      double sum = 0.0, size = 1.0;
      for (int i = 0; i < m; ++i) {
        sum += rows[at(i)] * emulation.entry(i, j);
        size += std::fabs(rows[at(i)] * emulation.entry(i, j));
      }
      BOOST_TEST(std::fabs(ofRows[at(j)] - sum) <= 1e-12 * size);
    }
    for (int i = 0; i < m; ++i) {
      double sum = 0.0, size = 1.0;
      for (int j = 0; j < n; ++j) {
        sum += columns[at(j)] * emulation.entry(i, j);
        size += std::fabs(columns[at(j)] * emulation.entry(i, j));
      }
      BOOST_TEST(std::fabs(ofColumns[at(i)] - sum) <= 1e-12 * size);
    }
  }
}

// Z = S T and W = B^-1 S' after some pivots, formed anew from the tableau, are what pivot after
// pivot has left of them, up to single precision.
BOOST_AUTO_TEST_CASE(sketches_stay_those_of_the_tableau) {
  Problem const p = feasibleProblem(34, 26, 1);
  for (bool const inShared : {true, false}) {
    Emulation emulation(p, 3, 96, 32);
    if (inShared)
      emulation.run<WidePrimal>(Pricing::sketched, Phase::two, 1, PivotRequest().harris, 12);
    else
      emulation.run<AnyPrimal>(Pricing::sketched, Phase::two, 1, PivotRequest().harris, 12);
    BOOST_TEST(emulation.used() == 12);
    BOOST_TEST(emulation.columnSketchError() < 1e-4);
  }
  Problem const boxed = boxedProblem(24, 20, -1.0, 3);
  Emulation emulation(boxed, 2, 96, 32);
  emulation.run<WideDual>(Pricing::sketched, Phase::two, 1, PivotRequest().harris, 8);
  BOOST_TEST(emulation.used() > 0);
  BOOST_TEST(emulation.rowSketchError() < 1e-4);
}

BOOST_AUTO_TEST_SUITE_END()

// ---- the emulation itself: it has to show what a device may show

BOOST_AUTO_TEST_SUITE(emulated_device)

namespace {

/// One block writes a number and then says so in another place; a second block that hears of it
/// reads the number. Returns what it read.
double toldNumber(std::uint64_t seed, bool fence) {
  struct alignas(16) Apart {
    double x = 0.0;
  };
  Apart number, said;
  double read = -1.0;
  emulated::launch(2, 32, 0, seed, [&] {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
      __stcg(&number.x, 7.0);
      if (fence) __threadfence();
      __stcg(&said.x, 1.0);
      return;
    }
    while (__ldcg(&said.x) == 0.0) emulated::yield();
    read = __ldcg(&number.x);
  });
  BOOST_TEST(number.x == 7.0);  // once the launch is over
  return read;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stores_of_another_block_come_late_unless_there_is_a_fence) {
  int late = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    late += toldNumber(seed, false) == 0.0;
    BOOST_TEST(toldNumber(seed, true) == 7.0);
  }
  BOOST_TEST(late > 0);
  BOOST_TEST(late < 40);
}

BOOST_AUTO_TEST_CASE(a_block_sees_its_own_stores_and_packets_come_whole) {
  alignas(16) float four[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  std::vector<Packet> packets(64);
  int wrong = 0;
  emulated::launch(3, 32, 0, 5, [&] {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
      __stcg(four + 2, 30.0f);
      float4 const seen = __ldcg(reinterpret_cast<float4 const*>(four));
      wrong += seen.x != 1.0f || seen.z != 30.0f || seen.w != 4.0f;
      for (Tag tag = 1; tag <= 40; ++tag)
        for (Packet& packet : packets) send(&packet, tag, 2 * tag, tag);
      return;
    }
    for (Packet packet; packet.tag != 40;) {
      packet = peek(packets.data() + 13);
      wrong += packet.number != packet.tag || packet.extra != 2 * packet.tag;
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(four[2] == 30.0f);
}

BOOST_AUTO_TEST_SUITE_END()
