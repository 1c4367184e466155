// SPDX-License-Identifier: EPL-2.0
// How the blocks of a team meet: gathered values, chosen candidates.
#pragma once

#include <cstring>

#include "osi_cuda/engine/cuda/grid_team.cuh"

namespace osi_cuda::cuda {

// ---- within a warp -----------------------------------------------------------------------------

/// Order of a candidate's key; 0 where there is no candidate.
__device__ inline std::uint64_t orderOf(rules::Candidate const& c) {
  return c.found() ? orderOf(c.key) + 1 : 0;
}

/// The lane with the largest order, of equal ones that with the smallest tie.
__device__ inline int bestLane(std::uint64_t order, std::uint32_t tie) {
  bool const largest = order == warpMax(order);
  std::uint32_t const smallest = warpMin(largest ? tie : ~0u);
  return __ffs(static_cast<int>(__ballot_sync(~0u, largest && tie == smallest))) - 1;
}

template <class Kind>
template <class T, class Combine>
__device__ T GridTeam<Kind>::overWarp(T value, Combine combine) {
  int const lane = thread() % 32;
#pragma unroll 1
  for (int distance = 16; distance > 0; distance /= 2)
    value = combine(value, fromLane(value, (lane + distance) % 32));
  return fromLane(value, 0);
}

// ---- gathered values ---------------------------------------------------------------------------

// Each block combines its own partials, tells the result to all, and combines what all told, in the
// order of blocks. Packets of two successive meetings lie in different memory: a block can start
// the next meeting while another still reads this one, but not the one after.
template <class Kind>
template <class T, class Combine>
__device__ T GridTeam<Kind>::gather(T partial, T const& zero, Combine combine, int lines) {
  constexpr int packets = (static_cast<int>(sizeof(T)) / 4 + 2) / 3;
  static_assert(packets <= gatherPackets && packets * boxCopies <= 32 &&
                sizeof(T) <= largestGathered);
  Tag const tag = next_.gather++;
  T* const scratch = reinterpret_cast<T*>(piece<char>(places().scratch) + (tag & 1) * scratchBytes);
  Packet* const box =
      team_.box + static_cast<std::size_t>(tag & 1) * boxCopies * gatherPackets * mostBlocks;
  int const warp = thread() / 32, lane = thread() % 32;
  constexpr int perWarp = 32 / lanes;
  int const busy = max(1, min(warps, (lines + perWarp - 1) / perWarp));
  disturb(tag);

  if (warp < busy) {
    T const sum = overWarp(partial, combine);
    if (lane == 0) scratch[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    T const own = overWarp(lane < busy ? scratch[lane] : zero, combine);
    tell(box, own, tag);
  }
  int const readers = (team_.blocks + 31) / 32;
  T* const told = scratch + warps;
  if (warp < readers) {
    Packet packet[packets];
    int word[3 * packets] = {};
    T value = zero;
    pause(warp == 0 ? team_.patience : readersPause);
    receiveAll(
        box + (block() % boxCopies) * gatherPackets * mostBlocks + min(thread(), team_.blocks - 1),
        tag, packet);
    if (thread() < team_.blocks) {
#pragma unroll
      for (int p = 0; p < packets; ++p) {
        word[3 * p] = static_cast<int>(packet[p].number);
        word[3 * p + 1] = static_cast<int>(packet[p].number >> 32);
        word[3 * p + 2] = static_cast<int>(packet[p].extra);
      }
      memcpy(static_cast<void*>(&value), word, sizeof(T));
    }
    __syncwarp();
    value = overWarp(value, combine);
    if (lane == 0) told[warp] = value;
  }
  __syncthreads();
  T result = told[0];
#pragma unroll 1
  for (int w = 1; w < readers; ++w) result = combine(result, told[w]);
  return result;
}

// A warp's lanes send the packets of a value, one each, to every copy of the box.
template <class Kind>
template <class T>
__device__ void GridTeam<Kind>::tell(Packet* box, T const& own, Tag tag) const {
  constexpr int packets = (static_cast<int>(sizeof(T)) / 4 + 2) / 3;
  int word[3 * packets] = {};
  memcpy(word, &own, sizeof(T));
  int const lane = thread() % 32, packet = lane / boxCopies;
  int first = 0, second = 0, third = 0;
#pragma unroll
  for (int p = 0; p < packets; ++p) {
    first = packet == p ? word[3 * p] : first;
    second = packet == p ? word[3 * p + 1] : second;
    third = packet == p ? word[3 * p + 2] : third;
  }
  if (packet < packets)
    send(box + ((lane % boxCopies) * gatherPackets + packet) * mostBlocks + block(),
         static_cast<std::uint32_t>(first) |
             (static_cast<std::uint64_t>(static_cast<std::uint32_t>(second)) << 32),
         static_cast<std::uint32_t>(third), tag);
  __syncwarp();
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class T, class F, class Combine>
__device__ T GridTeam<Kind>::reduce(T const& zero, F f, Combine combine) {
  if constexpr (std::is_same_v<T, rules::Candidate>) {
    return choose<kind>(f);
  } else {
    Side const& own = side<kind>();
    T partial = zero;
    forOwn(own, [&](int i) { f(partial, i); });
    if constexpr (sizeof(T) <= 16) {
      return gather(partial, zero, combine, own.count);
    } else {  // what is large is rare
      T result = zero;
      apart([&](GridTeam& team) { result = team.gatherApart(partial, zero, combine, own.count); });
      return result;
    }
  }
}

// ---- choices -----------------------------------------------------------------------------------

/// The best of what the block's threads found, among those whose ratio is within the bound; by one
/// warp, for all its lanes.
template <class Kind>
__device__ typename GridTeam<Kind>::Best GridTeam<Kind>::bestOfBallot(int count,
                                                                      double bound) const {
  Ballot const& b = ballot();
  Best best{0, ~0u, 0, rules::unlimited};
#pragma unroll(Kind::wide ? 1 : ballotRounds)
  for (int r = 0; r < ballotRounds; ++r) {
    int const s = thread() % 32 + 32 * r;
    if (s >= count) break;
    std::uint64_t const key = b.key[s];
    std::uint32_t const tie = b.tie[s];
    double const ratio = b.ratio[s];
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

template <class Kind>
__device__ void GridTeam<Kind>::receiveChoice(Tag tag, int tile) {
  int const lane = thread() % 32;
  constexpr int each = mostBlocks / 32;
  Packet packet[each];
  receiveFromBlocks<1>(team_.chooseBox + ((tag & 1) * boxCopies + block() % boxCopies) * mostBlocks,
                       team_.blocks, tag, choiceMask, packet);
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
    from = lane + 32 * e;
  }
  if (lane != bestLane(key, tie)) return;
  from = min(from, team_.blocks - 1);
  ballot().winner.position = key == 0 ? -1 : from * tile + static_cast<int>(number);
  ballot().winner.block = from;
}

// Every thread votes for the best of its own lines; a few warps find the block's best each by
// themselves: the first speaks to the others, the rest send the candidate's line along.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class F>
__device__ rules::Candidate GridTeam<Kind>::choose(F f) {
  Side const& own = side<kind>();
  Tag const tag = next_.choice++, lineTag = next_.line++;
  int const slot = ownFirst(), warp = thread() / 32, lane = thread() % 32;
  auto* const candidates = piece<rules::Candidate>(places().candidates);
  disturb(tag);
  if (slot < own.count) {
    rules::Candidate mine;
    forOwn(own, [&](int i) { f(mine, i); });
    ballot().key[slot] = orderOf(mine);
    ballot().ratio[slot] = 0.0;
    ballot().tie[slot] = mine.tie;
    candidates[slot] = mine;
  }
  __syncthreads();
  Best const best = bestOfBallot(min(own.count, teamThreads), rules::unlimited);
  int const position = candidates[best.slot].position;
  if (warp == 0) {
    if (lane < boxCopies)
      send(team_.chooseBox + ((tag & 1) * boxCopies + lane) * mostBlocks + block(), best.key,
           best.tie, choiceTag(tag, static_cast<unsigned>(position - own.first), false));
    __syncwarp();
    pause(team_.patience);
    receiveChoice(tag, own.tile);
  } else if (best.key != 0) {
    sendLine<kind>(position, lineTag, candidates[best.slot]);
  }
  __syncthreads();
  return takeWinner<kind>(lineTag);
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ rules::Candidate GridTeam<Kind>::takeWinner(Tag lineTag) {
  constexpr bool columns = kind == Lines::columns;
  Side const& other = columns ? rowSide_ : columnSide_;
  Offer& offer = columns ? columnOffer_ : rowOffer_;
  int const position = ballot().winner.position;
  offer.position = position;
  if (position < 0) return {};
  // D's entry, which comes from far, is asked for when the line is there: loads of a multiprocessor
  // return in the order in which they were asked for. It has time until the sums are formed. Who
  // owns no line reads the last one's: no branch.
  double const* const entry =
      other.total == 0 ? t_.rows.value : entryOf<kind>(position, min(ownFirst(), other.count - 1));
  receiveLine<kind>(ballot().winner.block, lineTag, [&] { offer.entry = fetch(entry); });
  __syncthreads();
  return header<kind>().chosen;
}

}  // namespace osi_cuda::cuda
