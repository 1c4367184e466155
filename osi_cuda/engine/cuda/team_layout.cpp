// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/team_layout.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/memory.hpp"
#include "osi_cuda/engine/cuda/arena.hpp"

namespace osi_cuda::cuda {
namespace {

/// `number` rounded up to a multiple of `step`.
int roundUp(int number, int step) {
  return (number + step - 1) / step * step;
}
int divideUp(int number, int by) {
  return (number + by - 1) / by;
}

template <class State>
double* giveOut(double* next, int length, State& state,
                std::initializer_list<double * State::*> arrays) {
  for (auto const array : arrays) state.*array = std::exchange(next, next + length);
  return next;
}

constexpr int rowArrays = 7, columnArrays = 8;
constexpr int leastSharedLines = 32;  // rows of U and V; more come in such steps

}  // namespace

TableauView tableauSizes(int rows, int columns, int blockSize, int sketchSize) {
  TableauView t;
  t.m = rows;
  t.n = columns;
  t.capacity = blockSize > 0 ? blockSize : usualBlockSize(rows, columns);
  t.stride = roundUp(t.capacity, 2);
  t.sketchSize = roundUp(sketchSize > 0 ? sketchSize : usualSketch, 32);
  return t;
}

std::size_t stateNumbers(TableauView const& t) {
  return rowArrays * at(t.m) + columnArrays * at(t.n);
}

void placeState(TableauView& t, double* numbers) {
  double* const next =
      giveOut(numbers, t.m, t.rows,
              {&RowState::value, &RowState::lower, &RowState::upper, &RowState::weight,
               &RowState::entry, &RowState::product, &RowState::change});
  giveOut(next, t.n, t.columns,
          {&ColumnState::value, &ColumnState::lower, &ColumnState::upper, &ColumnState::reducedCost,
           &ColumnState::weight, &ColumnState::entry, &ColumnState::product, &ColumnState::change});
}

std::size_t stateVariables(TableauView const& t) {
  return at(roundUp(t.m + t.n + 1 + 2 * t.capacity, 2));
}

void placeVariables(TableauView& t, int* variables) {
  t.rows.variable = variables;
  t.columns.variable = variables + t.m;
  t.shiftCount = variables + t.m + t.n;
  t.exchanged = t.shiftCount + 1;
}

// Few lines a block make meetings the only cost, many make work: about 45 keep both small. A warp
// looks for the packets of 32 blocks at a time: for a few blocks more it would look once more.
int blocksFor(TableauView const& t, int multiprocessors) {
  constexpr int linesPerBlock = 45;
  int const most = std::min(multiprocessors, mostBlocks);
  int const blocks = std::clamp(divideUp(t.m + t.n, linesPerBlock), 1, most);
  return blocks < most && blocks % 32 <= blocks / 10 ? blocks - blocks % 32 : blocks;
}

int leastBlocks(TableauView const& t, Algorithm algorithm, std::size_t available) {
  for (int blocks = 1; blocks < mostBlocks; ++blocks) {
    TeamView team = dealLines(t, blocks);
    team.sharedLines = leastSharedLines;
    if (placePieces(t, team, algorithm) <= available) return blocks;
  }
  return mostBlocks;
}

TeamView dealLines(TableauView const& t, int blocks) {
  TeamView team;
  team.blocks = blocks;
  team.rowTile = std::max(1, divideUp(t.m, blocks));
  team.columnTile = std::max(1, divideUp(t.n, blocks));
  return team;
}

MessageSizes::MessageSizes(TableauView const& t, TeamView const& team) {
  std::size_t const blocks = at(team.blocks);
  choices = 2 * boxCopies * mostBlocks;
  gathers = choices * gatherPackets;
  payload = headerPackets + at(std::max(t.stride, t.sketchSize));
  lines = 2 * blocks * payload;
  kinks = 4 * (at(t.m) + at(t.n));
  active = blocks * at(std::max(team.rowTile, team.columnTile));
  folds = 2 * blocks * at(t.stride);
}

void placeMessages(TableauView const& t, TeamView& team, Packet* packets) {
  MessageSizes const all(t, team);
  auto const box = [&](std::size_t length) { return std::exchange(packets, packets + length); };
  team.box = box(all.gathers);
  team.chooseBox = box(all.choices);
  team.harrisBox = box(2 * all.choices);
  team.headBox = box(all.choices);
  team.columnPayload = box(all.lines);
  team.rowPayload = box(all.lines);
  team.payloadLength = static_cast<int>(all.payload);
  team.kinkBox = box(all.kinks);
  team.activeBox = box(2 * all.active);
  team.activeLength = static_cast<int>(all.active);
  team.foldBox = box(all.folds);
}

// By rows only where each block has some: the work would be that of a few blocks.
ShadowSizes::ShadowSizes(TableauView const& t, TeamView const& team) {
  stride = roundUp(t.n, 4);
  entries = at(t.m) * at(stride);
  rowShares = t.m >= 2 * team.blocks ? at(team.blocks) * at(stride) : 0;
  foldShares = at(team.blocks) * at(t.stride);
}

void placeShadow(TableauView& t, TeamView& team, float* shadow, double* shares) {
  ShadowSizes const sizes(t, team);
  t.shadow = shadow;
  t.shadowStride = sizes.stride;
  team.rowShares = sizes.rowShares > 0 ? shares : nullptr;
  team.foldShares = shares + sizes.rowShares;
  team.spread = team.foldShares + sizes.foldShares;
}

// What is read at every pivot comes first into shared memory: the state, the sketch, then as many
// rows of U and V as there is room for, in thirty-twos, or sixteen where that is too much.
PlacedTeam placeTeam(TableauView const& t, TeamView const& view, Algorithm algorithm,
                     std::size_t available) {
  constexpr int step = leastSharedLines;
  PlacedTeam placed{view};
  TeamView& team = placed.team;
  team.stateInShared = team.sketchInShared = true;
  team.sharedLines = step;
  auto const fits = [&] {
    placed.bytes = placePieces(t, team, algorithm);
    return placed.bytes <= available;
  };
  if (!fits()) team.sketchInShared = false;
  if (!fits()) team.stateInShared = false;
  if (!fits()) team.sharedLines = step / 2;
  if (!fits())
    throw EngineUnavailable("engine cuda: " + std::to_string(t.m) + " x " + std::to_string(t.n) +
                            " has more rows or columns than the device's shared memory can hold");
  int const most = roundUp(t.capacity, step);
  while (team.sharedLines >= step && team.sharedLines < most) {
    team.sharedLines += step;
    if (fits()) continue;
    team.sharedLines -= step;
    fits();  // for the places
    break;
  }
  return placed;
}

}  // namespace osi_cuda::cuda
