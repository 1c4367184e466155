// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstddef>

#include "osi_cuda/engine/cuda/device_tableau.hpp"
#include "osi_cuda/simplex/rules.hpp"

namespace osi_cuda::cuda {

/// Hands out shared memory piece by piece; on the host, counts what would be handed out.
class Arena {
 public:
  OSI_CUDA_HD explicit Arena(char* memory) : memory_(memory) {}

  template <class T>
  OSI_CUDA_HD T* take(std::size_t count) {
    char* const piece = memory_ + used_;
    used_ += (count * sizeof(T) + 15) / 16 * 16;
    return reinterpret_cast<T*>(piece);
  }
  OSI_CUDA_HD std::size_t used() const { return used_; }

 private:
  char* memory_;
  std::size_t used_ = 0;
};

/// The line of the tableau's factors that everybody needs for one pivot: the entering column's part
/// of V or the leaving row's part of U, and what is known of its variable.
struct Line {
  double* factors = nullptr;  ///< k of them, zeros up to an even number
  float* sketch = nullptr;    ///< Z_q or W_r
  struct Header {
    int variable, zeroed;
    double lower, upper, weight, value;
    rules::Candidate chosen;  ///< where the line came with a candidate
  }* header = nullptr;
};

/// Candidates by the thread that found them, and who won.
struct Ballot {
  std::uint64_t key[teamThreads];  ///< 0: none; ordered like the keys
  double ratio[teamThreads];
  double nearest[teamThreads];
  double relaxed[teamThreads];
  std::uint32_t tie[teamThreads];
  std::uint32_t largest[teamThreads];
  int position[teamThreads];  ///< from the block's first on

  struct Winner {
    int position;  ///< -1: nobody
    int block;
    int doubt;
    unsigned largest;
    double relaxed;
  } winner;
};

inline constexpr int listLength = 1024;  ///< nonzeros of a combined vector held at a time

/// The pieces of a block's shared memory.
struct SharedPieces {
  char* scratch;  ///< partial results of a meeting, twice: by its parity
  Ballot* ballot;
  double* uTile;  ///< own lines of U' and V', the newest sharedLines factors of each
  double* vTile;
  int* flag;  ///< somebody asked to stop
  Line column, row;
  double* folded;         ///< U g or V g
  double* listValue;      ///< nonzeros of g
  double* partial;        ///< one number a thread
  int* listPosition;      ///< their positions
  int* blockStart;        ///< by block: nonzeros of the blocks before
  char* rowZeroed;        ///< row of D zeroed in this launch
  char* columnZeroed;     ///< column of D zeroed in this launch
  float* sketch;          ///< own lines of Z' or W
  double* rowNumbers;     ///< seven arrays of rowTile
  double* columnNumbers;  ///< eight arrays of columnTile
  int* rowVariable;
  int* columnVariable;
};

inline constexpr std::size_t scratchBytes = 24 * 112;

OSI_CUDA_HD inline SharedPieces takePieces(Arena& arena, TableauView const& t, TeamView const& team,
                                           Algorithm algorithm) {
  auto const size = [](int count) { return static_cast<std::size_t>(count); };
  SharedPieces p{};
  p.scratch = arena.take<char>(2 * scratchBytes);
  p.ballot = arena.take<Ballot>(1);
  p.uTile = arena.take<double>(size(team.rowTile) * size(team.sharedLines));
  p.vTile = arena.take<double>(size(team.columnTile) * size(team.sharedLines));
  p.flag = arena.take<int>(1);
  auto const takeLine = [&] {
    Line line;
    line.factors = arena.take<double>(size(t.stride) + 2);
    line.sketch = arena.take<float>(size(t.sketchSize));
    line.header = arena.take<Line::Header>(1);
    return line;
  };
  p.column = takeLine();
  p.row = takeLine();
  p.folded = arena.take<double>(size(t.stride) + 2);
  p.listValue = arena.take<double>(listLength);
  p.partial = arena.take<double>(teamThreads);
  p.listPosition = arena.take<int>(listLength);
  p.blockStart = arena.take<int>(mostBlocks + 1);
  p.rowZeroed = arena.take<char>(size(team.rowTile));
  p.columnZeroed = arena.take<char>(size(team.columnTile));
  if (team.stateInShared) {
    p.rowNumbers = arena.take<double>(7 * size(team.rowTile));
    p.columnNumbers = arena.take<double>(8 * size(team.columnTile));
    p.rowVariable = arena.take<int>(size(team.rowTile));
    p.columnVariable = arena.take<int>(size(team.columnTile));
  }
  if (team.sketchInShared)
    p.sketch = arena.take<float>(
        size(t.sketchSize) * size(algorithm == Algorithm::primal ? team.columnTile : team.rowTile));
  return p;
}

}  // namespace osi_cuda::cuda
