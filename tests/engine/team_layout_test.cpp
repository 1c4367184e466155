// SPDX-License-Identifier: EPL-2.0
// Sizes and places of what pivot kernels work on, without a kernel.
#include "osi_cuda/engine/cuda/team_layout.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <utility>
#include <vector>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/engine/cuda/arena.hpp"

using namespace osi_cuda;
using namespace osi_cuda::cuda;

namespace {

struct Sizes {
  int rows, columns, blocks;
};
constexpr Sizes shapes[] = {{1, 1, 1}, {5, 3, 1}, {700, 3, 15}, {3, 700, 15}, {5000, 2500, 132}};

template <class T>
struct Piece {
  T const* begin;
  std::size_t length;
};
/// Pieces of one array: none reaches into the next, and none beyond the end.
template <class T>
void lieApart(std::vector<Piece<T>> pieces, T const* begin, std::size_t length) {
  std::sort(pieces.begin(), pieces.end(),
            [](auto const& a, auto const& b) { return a.begin < b.begin; });
  T const* next = begin;
  for (auto const& piece : pieces) {
    BOOST_TEST(piece.begin >= next);
    next = piece.begin + piece.length;
  }
  BOOST_TEST(next <= begin + length);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(team_layout)

BOOST_AUTO_TEST_CASE(sizes_follow_the_problem_unless_they_are_given) {
  TableauView const small = tableauSizes(1000, 500, 0, 0), large = tableauSizes(4000, 2000, 0, 0);
  BOOST_TEST(small.capacity == 128);
  BOOST_TEST(large.capacity == 192);
  BOOST_TEST(small.sketchSize == 64);
  TableauView const given = tableauSizes(7, 9, 5, 33);
  BOOST_TEST(given.capacity == 5);
  BOOST_TEST(given.stride == 6);
  BOOST_TEST(given.sketchSize == 64);
}

BOOST_AUTO_TEST_CASE(every_line_has_one_owner) {
  for (auto const& [rows, columns, blocks] : shapes) {
    TableauView const t = tableauSizes(rows, columns, 0, 0);
    TeamView const team = dealLines(t, blocks);
    BOOST_TEST(team.rowTile * blocks >= rows);
    BOOST_TEST(team.columnTile * blocks >= columns);
    BOOST_TEST(team.rowTile >= 1);
    BOOST_TEST(team.columnTile >= 1);
  }
}

BOOST_AUTO_TEST_CASE(blocks_are_few_for_small_problems_and_never_more_than_fit) {
  auto const blocks = [](int rows, int columns, int multiprocessors) {
    return blocksFor(tableauSizes(rows, columns, 0, 0), multiprocessors);
  };
  BOOST_TEST(blocks(0, 0, 132) == 1);
  BOOST_TEST(blocks(30, 10, 132) == 1);
  BOOST_TEST(blocks(1000, 500, 132) == 32);  // of 34: two more would cost another look
  BOOST_TEST(blocks(100000, 1000, 132) == 132);
  BOOST_TEST(blocks(100000, 1000, 400) == mostBlocks);
}

BOOST_AUTO_TEST_CASE(the_least_blocks_have_the_state_and_the_sketch_in_shared_memory) {
  constexpr std::size_t shared = 226 << 10;
  for (auto const& [rows, columns] : {std::pair(500, 5000), {755, 2756}, {30, 10}, {20000, 90}})
    for (Algorithm const algorithm : {Algorithm::primal, Algorithm::dual}) {
      TableauView const t = tableauSizes(rows, columns, 0, 0);
      int const least = leastBlocks(t, algorithm, shared);
      PlacedTeam const team = placeTeam(t, dealLines(t, least), algorithm, shared);
      BOOST_TEST((team.team.stateInShared && team.team.sketchInShared));
      if (least == 1) continue;
      PlacedTeam const fewer = placeTeam(t, dealLines(t, least - 1), algorithm, shared);
      BOOST_TEST(!(fewer.team.stateInShared && fewer.team.sketchInShared));
    }
  BOOST_TEST(leastBlocks(tableauSizes(500000, 500000, 0, 0), Algorithm::dual, shared) ==
             mostBlocks);
}

BOOST_AUTO_TEST_CASE(arrays_of_the_state_lie_apart) {
  for (auto const& [rows, columns, blocks] : shapes) {
    TableauView t = tableauSizes(rows, columns, 0, 0);
    std::vector<double> numbers(stateNumbers(t));
    std::vector<int> variables(stateVariables(t));
    placeState(t, numbers.data());
    placeVariables(t, variables.data());
    std::vector<Piece<double>> pieces;
    for (double const* array : {t.rows.value, t.rows.lower, t.rows.upper, t.rows.weight,
                                t.rows.entry, t.rows.product, t.rows.change})
      pieces.push_back({array, at(rows)});
    for (double const* array :
         {t.columns.value, t.columns.lower, t.columns.upper, t.columns.reducedCost,
          t.columns.weight, t.columns.entry, t.columns.product, t.columns.change})
      pieces.push_back({array, at(columns)});
    lieApart(pieces, numbers.data(), numbers.size());
    lieApart<int>(
        {{t.rows.variable, at(rows)}, {t.columns.variable, at(columns)}, {t.shiftCount, 1}},
        variables.data(), variables.size());
  }
}

BOOST_AUTO_TEST_CASE(boxes_lie_apart_and_fill_what_is_asked_for) {
  for (auto const& [rows, columns, blocks] : shapes) {
    TableauView const t = tableauSizes(rows, columns, 0, 0);
    TeamView team = dealLines(t, blocks);
    MessageSizes const sizes(t, team);
    std::vector<Packet> packets(sizes.total());
    placeMessages(t, team, packets.data());
    std::size_t const choices = 2 * boxCopies * mostBlocks;
    std::size_t const payloads = 2 * at(blocks) * at(team.payloadLength);
    std::vector<Piece<Packet>> const pieces{{team.box, choices * gatherPackets},
                                            {team.chooseBox, choices},
                                            {team.harrisBox, 2 * choices},
                                            {team.headBox, choices},
                                            {team.columnPayload, payloads},
                                            {team.rowPayload, payloads},
                                            {team.kinkBox, 4 * (at(rows) + at(columns))},
                                            {team.activeBox, 2 * at(team.activeLength)},
                                            {team.foldBox, 2 * at(blocks) * at(t.stride)}};
    lieApart(pieces, packets.data(), packets.size());
    std::size_t sum = 0;
    for (auto const& piece : pieces) sum += piece.length;
    BOOST_TEST(sum == sizes.total());
    BOOST_TEST(team.payloadLength >= headerPackets + std::max(t.stride, t.sketchSize));
  }
}

BOOST_AUTO_TEST_CASE(the_shadow_has_whole_groups_of_four_columns) {
  for (auto const& [rows, columns, blocks] : shapes) {
    TableauView t = tableauSizes(rows, columns, 0, 0);
    TeamView team = dealLines(t, blocks);
    ShadowSizes const sizes(t, team);
    std::vector<float> shadow(sizes.entries);
    std::vector<double> shares(sizes.shares());
    placeShadow(t, team, shadow.data(), shares.data());
    BOOST_TEST(t.shadowStride % 4 == 0);
    BOOST_TEST(t.shadowStride >= columns);
    BOOST_TEST((team.rowShares == nullptr) == (rows < 2 * blocks));
    std::vector<Piece<double>> pieces{{team.foldShares, at(blocks) * at(t.stride)},
                                      {team.spread, at(t.shadowStride)}};
    if (team.rowShares) pieces.push_back({team.rowShares, at(blocks) * at(t.shadowStride)});
    lieApart(pieces, shares.data(), shares.size());
  }
}

// Less and less memory: first factors leave, then the sketch, then the state.
BOOST_AUTO_TEST_CASE(shared_memory_takes_what_is_read_most) {
  TableauView const t = tableauSizes(5000, 2500, 0, 0);
  TeamView const team = dealLines(t, 132);
  PlacedTeam before = placeTeam(t, team, Algorithm::primal, std::size_t{1} << 30);
  BOOST_TEST(before.team.sharedLines == t.capacity);
  BOOST_TEST(before.team.stateInShared);
  BOOST_TEST(before.team.sketchInShared);
  for (std::size_t available = before.bytes - 1;;) {
    PlacedTeam placed{team};
    try {
      placed = placeTeam(t, team, Algorithm::primal, available);
    } catch (EngineUnavailable const& error) {
      BOOST_TEST(!before.team.stateInShared);
      BOOST_TEST(before.team.sharedLines == 16);
      BOOST_TEST(error.what() ==
                 std::string("engine cuda: 5000 x 2500 has more rows or columns than the device's "
                             "shared memory can hold"));
      break;
    }
    BOOST_TEST(placed.bytes <= available);
    BOOST_TEST((placed.team.stateInShared || !placed.team.sketchInShared));
    BOOST_TEST(placed.team.stateInShared <= before.team.stateInShared);
    BOOST_TEST(placed.team.sketchInShared <= before.team.sketchInShared);
    before = placed;
    available = placed.bytes - 1;
  }
}

BOOST_AUTO_TEST_SUITE_END()
