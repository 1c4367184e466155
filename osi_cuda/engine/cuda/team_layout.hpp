// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/views.hpp"

/// Sizes and places of all that the pivot kernels work on, as plain functions of the problem's
/// sizes: who owns which lines, what lies where in the arrays of the state, how many packets there
/// are, what goes into shared memory. The tests' emulated grid is laid out by the same functions.
namespace osi_cuda::cuda {

/// m, n, K and k of a problem; 0 for either of the latter chooses it by size.
TableauView tableauSizes(int rows, int columns, int blockSize, int sketchSize);

/// How many numbers placeState gives out: the arrays of RowState and ColumnState.
std::size_t stateNumbers(TableauView const& tableau);
void placeState(TableauView& tableau, double* numbers);
/// And of variables by position; the number of shifts and the positions of exchanges follow. Even.
std::size_t stateVariables(TableauView const& tableau);
void placeVariables(TableauView& tableau, int* variables);

/// Deals rows and columns to so many blocks.
TeamView dealLines(TableauView const& tableau, int blocks);
/// How many blocks serve a problem best on a device of so many multiprocessors.
int blocksFor(TableauView const& tableau, int multiprocessors);
/// How few can have the state and the sketch in so much shared memory each.
int leastBlocks(TableauView const& tableau, Algorithm algorithm, std::size_t available);

/// How many packets the blocks need to speak to each other.
struct MessageSizes {
  std::size_t gathers, choices, payload, lines, kinks, active, folds;

  MessageSizes(TableauView const& tableau, TeamView const& team);
  std::size_t total() const {
    return gathers + 4 * choices + 2 * lines + kinks + 2 * active + folds;
  }
};
/// Deals MessageSizes::total() packets to the boxes.
void placeMessages(TableauView const& tableau, TeamView& team, Packet* packets);

/// The shadow of D, and what blocks tell each other in products with it.
struct ShadowSizes {
  int stride = 0;              ///< n rounded up to whole groups of four
  std::size_t entries = 0;     ///< of the shadow
  std::size_t rowShares = 0;   ///< numbers; 0: products by rows are not shared
  std::size_t foldShares = 0;  ///< numbers

  ShadowSizes(TableauView const& tableau, TeamView const& team);
  std::size_t shares() const { return rowShares + foldShares + at(stride); }
};
void placeShadow(TableauView& tableau, TeamView& team, float* shadow, double* shares);

/// What a team needs for a run of an algorithm: its places in shared memory, of `bytes` in all.
struct PlacedTeam {
  TeamView team;
  std::size_t bytes = 0;
};
/// Places as much as fits into `available` bytes of a block's shared memory. Throws
/// EngineUnavailable where there is no room for what has to be there.
PlacedTeam placeTeam(TableauView const& tableau, TeamView const& team, Algorithm algorithm,
                     std::size_t available);

}  // namespace osi_cuda::cuda
