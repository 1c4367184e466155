// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "osi_cuda/engine/cuda/views.hpp"
#include "osi_cuda/simplex/rules.hpp"

/// What a block keeps in shared memory. Places are given out on the host: for the kernels they are
/// constants, which cost no registers.
namespace osi_cuda::cuda {

/// Of the line of the tableau's factors that everybody needs for one pivot (the entering column's
/// part of V or the leaving row's part of U): what is known of its variable. It travels in packets
/// of a number and a small one.
struct LineHeader {
  static constexpr int chosenWords = sizeof(rules::Candidate) / sizeof(double);
  static_assert(sizeof(rules::Candidate) % sizeof(double) == 0);
  static_assert(chosenWords + 4 == headerPackets);

  rules::Candidate chosen;  ///< where the line came with a candidate
  double lower, upper, value, weight;
  int extra[headerPackets];

  OSI_CUDA_HD int variable() const { return extra[0]; }
  OSI_CUDA_HD bool zeroed() const { return extra[1] != 0; }
};

/// Candidates by the thread that found them, and who won.
struct Ballot {
  std::uint64_t key[teamThreads];  ///< 0: none; ordered like the keys
  double ratio[teamThreads];
  double nearest[teamThreads];
  double relaxed[teamThreads];
  std::uint32_t tie[teamThreads];
  std::uint32_t largest[teamThreads];

  struct Winner {
    int position;  ///< -1: nobody
    int block;
    int doubt;
    unsigned largest;
    double relaxed;
  } winner;
};

/// Who has nonzeros of a vector that is being combined.
struct ActiveBlocks {
  int start[mostBlocks + 1];  ///< by block: nonzeros of the blocks before
  int block[mostBlocks];      ///< those that have some
  int blocks;
  int ofWarp[teamThreads / 32];
};

/// For finding where a slope turns: units by bins of ratios, a few copies of each bin.
inline constexpr int turnBins = 256, turnCopies = 4;
struct TurnSearch {
  unsigned long long bins[turnBins * turnCopies];
  unsigned long long ofWarp[teamThreads / 32];
  unsigned long long below;    ///< units before the bin
  unsigned long long nearest;  ///< order of the turning ratio
  int bin;
  unsigned largest;
};
inline constexpr int tileEnd = 16;
inline constexpr int listLength = 1024;  ///< nonzeros of a combined vector held at a time
inline constexpr std::size_t scratchBytes = 24 * largestGathered;  ///< by warp, and by reader

/// Fills team.places; returns the bytes of shared memory that a block needs.
inline std::size_t placePieces(TableauView const& t, TeamView& team, Algorithm algorithm) {
  std::size_t used = 0;
  auto const take = [&](std::size_t bytes) {
    std::size_t const place = used;
    used += (bytes + 15) / 16 * 16;
    return static_cast<int>(place);
  };
  auto const doubles = [&](int count) { return take(at(count) * sizeof(double)); };
  SharedPlaces& p = team.places;
  // What a choice, a product with T and a search for a turn need is never needed together.
  p.ballot = take(sizeof(Ballot));
  p.candidates = take(at(std::min(teamThreads, std::max(team.rowTile, team.columnTile))) *
                      sizeof(rules::Candidate));
  std::size_t const choiceEnd = used;
  used = 0;
  p.folded = doubles(t.stride + 32);
  p.listValue = doubles(listLength);
  p.partial = doubles(teamThreads);
  p.listPosition = take(listLength * sizeof(int));
  p.active = take(sizeof(ActiveBlocks));
  std::size_t const productEnd = used;
  used = 0;
  p.turn = take(sizeof(TurnSearch));
  used = std::max({used, choiceEnd, productEnd});
  p.scratch = take(2 * scratchBytes);
  for (LinePlaces* line : {&p.column, &p.row}) {
    line->factors = doubles(t.stride + 32);
    line->sketch = take(at(t.sketchSize) * sizeof(float));
    line->header = take(sizeof(LineHeader));
  }
  // Sums go by thirty-two factors: behind the last line there are sixteen more, zeros.
  p.uTile = doubles(team.rowTile * team.sharedLines + tileEnd);
  p.vTile = doubles(team.columnTile * team.sharedLines + tileEnd);
  p.rowZeroed = take(at(team.rowTile));
  p.columnZeroed = take(at(team.columnTile));
  if (team.stateInShared) {
    for (int& array : p.rowNumbers) array = doubles(team.rowTile);
    for (int& array : p.columnNumbers) array = doubles(team.columnTile);
    p.rowVariable = take(at(team.rowTile) * sizeof(int));
    p.columnVariable = take(at(team.columnTile) * sizeof(int));
  }
  if (team.sketchInShared)
    p.sketch =
        take(at(t.sketchSize) *
             at(algorithm == Algorithm::primal ? team.columnTile : team.rowTile) * sizeof(float));
  return used;
}

}  // namespace osi_cuda::cuda
