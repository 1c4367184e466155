// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/factor_lines.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"

/// What the products with all of T share: a vector g of which each block has the part that belongs
/// to its own lines, and which may be sparse.
namespace osi_cuda::cuda::grid {

template <class Kind>
__device__ ActiveBlocks& activeBlocks(Block<Kind> const& b) {
  return *piece<ActiveBlocks>(b.team.places.active);
}
/// By block: how many nonzeros of g it has.
template <class Kind>
__device__ Packet* headBox(Block<Kind> const& b, Tag tag, int copy) {
  return b.team.headBox + ((tag & 1) * boxCopies + copy) * mostBlocks;
}
/// By block, `stride` apart: its share of U g or V g.
template <class Kind>
__device__ Packet* foldBox(Block<Kind> const& b, Tag tag) {
  return b.team.foldBox + at((tag & 1) * b.team.blocks) * b.t.stride;
}

/// Calls f(place, i, g_i) for the nonzeros of g from begin to before end, which places them in
/// their order; returns how many. All threads call it.
template <class Kind, class F>
__device__ int forNonzeros(Block<Kind> const& b, double const* g, int begin, int end, F f) {
  ActiveBlocks& active = activeBlocks(b);
  int const warp = thread() / 32, ofWarp = thread() % 32;
  int found = 0;
#pragma unroll 1
  for (int first = begin; first < end; first += teamThreads) {
    int const i = first + thread();
    double const value = i < end ? g[i] : 0.0;
    unsigned const ballot = __ballot_sync(~0u, value != 0.0);
    if (ofWarp == 0) active.ofWarp[warp] = __popc(ballot);
    __syncthreads();
    int place = found + __popc(ballot & ((1u << ofWarp) - 1));
#pragma unroll
    for (int w = 0; w < warps; ++w) {
      int const count = active.ofWarp[w];
      place += w < warp ? count : 0;
      found += count;
    }
    if (value != 0.0) f(place, i, value);
    __syncthreads();
  }
  return found;
}

/// Tells all how many nonzeros of g the block has; every thread calls it.
template <class Kind>
__device__ void sendHead(Block<Kind> const& b, Tag tag, int nonzeros) {
  if (thread() < boxCopies)
    send(headBox(b, tag, thread()) + block(), 0, static_cast<std::uint32_t>(nonzeros), tag);
}

/// How many nonzeros each block has; by one warp.
template <class Kind>
__device__ void receiveHeads(Block<Kind> const& b, Tag tag) {
  ActiveBlocks& active = activeBlocks(b);
  int const own = thread() % 32, blocks = b.team.blocks;
  constexpr int each = mostBlocks / 32;
  Packet packet[each];
  pause(b.team.patience);
  receiveFromBlocks<1>(headBox(b, tag, block() % boxCopies), blocks, tag, ~0u, packet);
  int before = 0, activeBefore = 0;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    int const from = own + 32 * e;
    int const count = from < blocks ? static_cast<int>(packet[e].extra) : 0;
    int sum = count;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      int const other = __shfl_sync(~0u, sum, max(own - distance, 0));
      if (own >= distance) sum += other;
    }
    unsigned const some = __ballot_sync(~0u, count > 0);
    if (from < blocks) active.start[from + 1] = before + sum;
    if (count > 0) active.block[activeBefore + __popc(some & ((1u << own) - 1))] = from;
    before += __shfl_sync(~0u, sum, 31);
    activeBefore += __popc(some);
  }
  if (own == 0) {
    active.start[0] = 0;
    active.blocks = activeBefore;
  }
}

/// out -= (own lines' factors) folded, `folded` being in shared memory.
template <Lines kind, class Kind>
__device__ void subtractFolded(Block<Kind>& b, double* out) {
  int const first = side<kind>(b).first;
  FactorLines<Kind>(b).template products<kind>(piece<double>(b.team.places.folded),
                                               [&](int i, double sum) { out[first + i] -= sum; });
  __syncthreads();
}

}  // namespace osi_cuda::cuda::grid
