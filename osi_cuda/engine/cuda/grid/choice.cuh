// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/pivot_lines.cuh"

namespace osi_cuda::cuda {

/// Order of a candidate's key; 0 where there is no candidate.
__device__ inline std::uint64_t orderOf(rules::Candidate const& c) {
  return c.found() ? orderOf(c.key) + 1 : 0;
}

namespace grid {

/// The lane with the largest order, of equal ones that with the smallest tie.
__device__ inline int bestLane(std::uint64_t order, std::uint32_t tie) {
  bool const largest = order == warpMax(order);
  std::uint32_t const smallest = warpMin(largest ? tie : ~0u);
  return __ffs(static_cast<int>(__ballot_sync(~0u, largest && tie == smallest))) - 1;
}

/// So many times a warp looks at votes, 32 at a time.
template <class Kind>
inline constexpr int ballotRounds = Kind::wide ? teamThreads / 32 : (teamGroups + 31) / 32;

struct BestVote {
  std::uint64_t key;  ///< 0: nobody
  std::uint32_t tie;
  int slot;
  double ratio;
};

/// The best of what the block's threads found, among those whose ratio is within the bound; by one
/// warp, for all its lanes.
template <class Kind>
__device__ BestVote bestOfBallot(Block<Kind> const& b, int count, double bound) {
  Ballot const& votes = ballot(b);
  BestVote best{0, ~0u, 0, rules::unlimited};
#pragma unroll(Kind::wide ? 1 : ballotRounds <Kind>)
  for (int r = 0; r < ballotRounds<Kind>; ++r) {
    int const s = thread() % 32 + 32 * r;
    if (s >= count) break;
    std::uint64_t const key = votes.key[s];
    std::uint32_t const tie = votes.tie[s];
    double const ratio = votes.ratio[s];
    bool const behind = key < best.key || (key == best.key && tie >= best.tie);
    if (key != 0 && ratio <= bound && !behind) best = {key, tie, s, ratio};
  }
  int const winner = bestLane(best.key, best.tie);
  best.key = __shfl_sync(~0u, best.key, winner);
  best.slot = __shfl_sync(~0u, best.slot, winner);
  best.ratio = __shfl_sync(~0u, best.ratio, winner);
  best.tie = __shfl_sync(~0u, best.tie, winner);
  return best;
}

/// A meeting for the best candidate. Every thread votes for the best of its own lines; a few warps
/// find the block's best each by themselves: the first speaks to the others, the rest send the
/// candidate's line along, and everybody reads the winner's.
template <class Kind>
class Choice {
 public:
  __device__ explicit Choice(Block<Kind>& block) : b_(block) {}

  /// The best of all f(best, position), a candidate being `better` by its key and tie.
  template <Lines kind, class F>
  __device__ rules::Candidate choose(Offer& offer, F f) {
    Side const& own = side<kind>(b_);
    Tag const tag = b_.next.choice++, lineTag = b_.next.line++;
    int const slot = ownFirst(), warp = thread() / 32, ofWarp = thread() % 32;
    auto* const candidates = piece<rules::Candidate>(b_.team.places.candidates);
    PivotLines<Kind> const lines(b_);
    disturb(tag);
    if (slot < own.count) {
      rules::Candidate mine;
      forOwn<Kind>(own, [&](int i) { f(mine, i); });
      ballot(b_).key[slot] = orderOf(mine);
      ballot(b_).ratio[slot] = 0.0;
      ballot(b_).tie[slot] = mine.tie;
      candidates[slot] = mine;
    }
    __syncthreads();
    BestVote const best = bestOfBallot(b_, min(own.count, teamThreads), rules::unlimited);
    int const position = candidates[best.slot].position;
    if (warp == 0) {
      if (ofWarp < boxCopies)
        send(b_.team.chooseBox + ((tag & 1) * boxCopies + ofWarp) * mostBlocks + block(), best.key,
             best.tie, choiceTag(tag, static_cast<unsigned>(position - own.first), false));
      __syncwarp();
      pause(b_.team.patience);
      receive(tag, own.tile);
    } else if (best.key != 0) {
      lines.template send<kind>(position, lineTag, candidates[best.slot]);
    }
    __syncthreads();
    return lines.template takeWinner<kind>(offer, lineTag);
  }

 private:
  __device__ void receive(Tag tag, int tile) const {
    int const own = thread() % 32;
    constexpr int each = mostBlocks / 32;
    Packet packet[each];
    receiveFromBlocks<1>(
        b_.team.chooseBox + ((tag & 1) * boxCopies + block() % boxCopies) * mostBlocks,
        b_.team.blocks, tag, choiceMask, packet);
    std::uint64_t key = 0;
    std::uint32_t tie = ~0u;
    unsigned number = 0;
    int from = 0;
#pragma unroll
    for (int e = 0; e < each; ++e) {
      Packet const& p = packet[e];
      if (p.number < key || (p.number == key && p.extra >= tie)) continue;
      key = p.number;
      tie = p.extra;
      number = numberIn(p);
      from = own + 32 * e;
    }
    if (own != bestLane(key, tie)) return;
    from = min(from, b_.team.blocks - 1);
    ballot(b_).winner.position = key == 0 ? -1 : from * tile + static_cast<int>(number);
    ballot(b_).winner.block = from;
  }

  Block<Kind>& b_;
};

}  // namespace grid
}  // namespace osi_cuda::cuda
