// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/simplex/pivoting.hpp"
#include "osi_cuda/simplex/team.hpp"

/// What kernels are told of the tableau: addresses in device memory, and who owns what.
namespace osi_cuda::cuda {

using Tag = std::uint32_t;

/// How blocks speak to each other; see packet.cuh.
struct alignas(16) Packet {
  std::uint64_t number = 0;
  std::uint32_t extra = 0;
  Tag tag = 0;
};

/// By how much a dual pivot shifts the cost of a variable.
struct CostShift {
  int variable = -1;
  double delta = 0.0;
};

/// The delayed tableau T = D - U'V and all that is kept by position. Nothing here owns memory.
struct TableauView {
  int m = 0, n = 0;
  int capacity = 0;               ///< K
  int stride = 0;                 ///< from one line of U or V to the next, K rounded up to even
  int sketchSize = 0;             ///< k, a multiple of 32
  double* base = nullptr;         ///< D, m x n by rows
  double* u = nullptr;            ///< U', m x stride by rows: the factors of one row lie together
  double* v = nullptr;            ///< V', n x stride by rows
  RowState rows;                  ///< arrays of length m
  ColumnState columns;            ///< arrays of length n
  double* cost = nullptr;         ///< by variable
  CostShift* shifts = nullptr;    ///< of a launch, in their order; at most one a pivot, length K
  int* shiftCount = nullptr;      ///< how many the last launch made
  int* exchanged = nullptr;       ///< row and column of each factor's exchange, 2 x K
  float* columnSketch = nullptr;  ///< Z', n x k by rows
  float* rowSketch = nullptr;     ///< W, m x k by rows
  float* shadow = nullptr;        ///< D, m x shadowStride by rows; null: none is kept
  int shadowStride = 0;           ///< n rounded up to a multiple of four, zeros behind n
};

/// Offsets into a block's shared memory, in bytes; see arena.hpp.
struct LinePlaces {
  int factors = 0;  ///< k of them, zeros up to an even number
  int sketch = 0;   ///< Z_q or W_r
  int header = 0;
};
struct SharedPlaces {
  int ballot = 0;
  int candidates = 0;  ///< by thread, as many as a block has lines
  int scratch = 0;     ///< partial results of a meeting, twice: by its parity
  LinePlaces column, row;
  int uTile = 0, vTile = 0;  ///< own lines of U' and V', the newest sharedLines factors of each
  int folded = 0;            ///< U g or V g
  int listValue = 0;         ///< nonzeros of g
  int partial = 0;           ///< one number a thread
  int listPosition = 0;      ///< their positions
  int active = 0;            ///< ActiveBlocks
  int turn = 0;              ///< TurnSearch
  int rowZeroed = 0, columnZeroed = 0;  ///< line of D zeroed in this launch
  int sketch = 0;                       ///< own lines of Z' or W
  int rowNumbers[7] = {};               ///< in the order of RowState, columnNumbers likewise
  int columnNumbers[8] = {};
  int rowVariable = 0, columnVariable = 0;
};

/// How rows and columns are dealt to blocks, and the memory through which blocks speak.
struct TeamView {
  int blocks = 1;
  int rowTile = 0, columnTile = 0;  ///< a block owns so many successive rows and columns
  int sharedLines = 0;          ///< so many of the newest rows of U and V are kept in shared memory
  bool stateInShared = true;    ///< the state by position fits into shared memory
  bool sketchInShared = true;   ///< so does the sketch
  Packet* box = nullptr;        ///< two sets of boxCopies x gatherPackets x mostBlocks
  Packet* chooseBox = nullptr;  ///< two sets of boxCopies x mostBlocks
  Packet* harrisBox = nullptr;  ///< two sets of boxCopies x 2 x mostBlocks
  Packet* columnPayload = nullptr;  ///< two sets by block: what all need of the entering column
  Packet* rowPayload = nullptr;     ///< two sets by block: what all need of the leaving row
  int payloadLength = 0;            ///< packets of a payload
  Packet* kinkBox = nullptr;        ///< two sets of 2 by row, then two sets of 2 by column
  Packet* headBox = nullptr;        ///< two sets of boxCopies x mostBlocks
  Packet* activeBox = nullptr;      ///< two sets of activeLength: blocks x the larger tile
  Packet* foldBox = nullptr;        ///< two sets of blocks x stride
  int activeLength = 0;
  double* rowShares = nullptr;   ///< by block, shadowStride apart: its part of g'D; null: not used
  double* foldShares = nullptr;  ///< by block, stride apart: its part of U g or V g
  double* spread = nullptr;      ///< g by column, for all blocks
  int patience = 300;            ///< cycles from a packet to the first look for the others'
  SharedPlaces places;
};

inline constexpr int teamThreads = 384;
inline constexpr int teamGroups = teamThreads / 8;  ///< of threads that form a line's sum together
inline constexpr int mostBlocks = 160;
inline constexpr int largestGathered = 24;  ///< bytes of a value
inline constexpr int gatherPackets = 2;     ///< of such a value
inline constexpr int boxCopies = 3;         ///< of each box: not all blocks poll the same memory
inline constexpr int headerPackets = 12;    ///< of a payload, before the factors
inline constexpr int mostLines = 32767;     ///< of a block: their numbers travel in 15 bits

/// Numbers of messages, by kind; they go on from launch to launch.
struct Counters {
  Tag gather = 1;                   ///< of gathered values; every second one finds the same box
  Tag line = 1;                     ///< of payloads
  Tag choice = 1;                   ///< of chosen candidates
  Tag harris = 1;                   ///< of ratio tests
  Tag rowTurn = 1, columnTurn = 1;  ///< of the kinks of a slope
  Tag product = 1;                  ///< of products with T
};

/// What a launch leaves for the host.
struct LaunchReport {
  PivotReport pivots;
  int used = 0;    ///< k
  int shifts = 0;  ///< of costs
  Counters next;
};

}  // namespace osi_cuda::cuda
