// SPDX-License-Identifier: EPL-2.0
// The team's ratio test by Harris, both passes in one meeting mostly.
#pragma once

#include "osi_cuda/engine/cuda/grid_team_meet.cuh"

namespace osi_cuda::cuda {

// What a block tells: its own bound, and the best of its lines within that bound (its ratio in two
// halves). If that one turns out to lie past the bound of all, the block may have others within:
// `mark` of the second packet says that it has some that block earlier.
//
// Where that leaves doubt, or where two blocks have equal keys, all look once more (`again`), at
// lines within the bound that is known now; then the first packet has the tie.
template <class Kind>
__device__ void GridTeam<Kind>::receiveHarris(Tag tag, int tile, bool again) {
  int const lane = thread() % 32;
  constexpr int each = mostBlocks / 32;
  Packet packet[2 * each];
  receiveFromBlocks<2>(
      team_.harrisBox + ((tag & 1) * boxCopies + block() % boxCopies) * 2 * mostBlocks,
      team_.blocks, tag, choiceMask, packet);
  std::uint64_t bound = packet[0].number;
  unsigned largest = 0;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    bound = min(bound, packet[2 * e].number);
    largest = max(largest, numberIn(packet[2 * e + 1]));
  }
  bound = warpMin(bound);
  std::uint64_t key = 0;
  std::uint32_t tie = ~0u;
  unsigned number = 0;
  int from = 0;
  bool overlooked = false, tied = false;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    Packet const &first = packet[2 * e], &second = packet[2 * e + 1];
    std::uint64_t const ratio = (static_cast<std::uint64_t>(first.extra) << 32) | second.extra;
    bool const within = again || ratio <= bound;
    std::uint32_t const other = again ? first.extra : 0;
    overlooked = overlooked || (!within && markIn(second));
    bool const behind = second.number < key || (second.number == key && other > tie);
    if (!within || second.number == 0 || behind || lane + 32 * e >= team_.blocks) continue;
    tied = second.number == key && other == tie;
    key = second.number;
    tie = other;
    from = lane + 32 * e;
    number = numberIn(first);
  }
  std::uint64_t const best = warpMax(key);
  unsigned const equal = __ballot_sync(~0u, key == best && best != 0);
  bool const doubt =
      !again && (__any_sync(~0u, overlooked || (tied && key == best)) || (equal & (equal - 1)));
  largest = warpMax(largest);
  if (lane == bestLane(key, tie))
    ballot().winner = {best == 0 ? -1 : from * tile + static_cast<int>(number), from, doubt,
                       largest, numberOf(bound)};
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class Breakpoint, class CandidateOf>
__device__ void GridTeam<Kind>::voteHarris(Breakpoint breakpoint, CandidateOf candidateOf,
                                           double limit) {
  Side const& own = side<kind>();
  int const slot = ownFirst();
  if (slot >= own.count) return;
  // The first line, which mostly is the only one; what others change of it comes after.
  rules::Breakpoint const only = breakpoint(own.first + slot);
  rules::Candidate mine = candidateOf(own.first + slot, only);
  double relaxed = fmin(only.relaxed, limit), nearest = only.ratio, ratio = only.ratio;
  double largest = mine.key;
  if constexpr (Kind::wide) {
#pragma unroll 1
    for (int i = slot + teamThreads; i < own.count; i += teamThreads) {
      rules::Breakpoint const b = breakpoint(own.first + i);
      rules::Candidate const c = candidateOf(own.first + i, b);
      largest = fmax(largest, c.key);
      relaxed = fmin(relaxed, b.relaxed);
      nearest = fmin(nearest, b.ratio);
      bool const keep = ratio <= relaxed && ratio < rules::unlimited &&
                        (b.ratio > relaxed || !rules::precedes(c, mine));
      if (keep || !(b.ratio < rules::unlimited)) continue;
      mine = c;
      ratio = b.ratio;
    }
  }
  Ballot& votes = ballot();
  votes.key[slot] = ratio < rules::unlimited ? orderOf(mine) : 0;
  votes.ratio[slot] = ratio;
  if (Kind::wide) votes.nearest[slot] = nearest;
  votes.relaxed[slot] = relaxed;
  votes.tie[slot] = mine.tie;
  votes.largest[slot] = rules::coarseBits(largest);
  piece<rules::Candidate>(places().candidates)[slot] = mine;
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class Breakpoint, class CandidateOf>
__device__ rules::Blocking GridTeam<Kind>::harris(Breakpoint breakpoint, CandidateOf candidateOf) {
  Side const& own = side<kind>();
  int const warp = thread() / 32, lane = thread() % 32;
  auto const* const candidates = piece<rules::Candidate>(places().candidates);
  Ballot const& votes = ballot();
  double limit = rules::unlimited;
#pragma unroll 1
  for (bool again = false;; again = true) {
    Tag const tag = next_.harris++, lineTag = next_.line++;
    disturb(tag);
    voteHarris<kind>(breakpoint, candidateOf, limit);
    __syncthreads();
    int const count = min(own.count, teamThreads);
    std::uint64_t least = orderOf(rules::unlimited);
    unsigned largest = 0;
#pragma unroll(Kind::wide ? 1 : ballotRounds)
    for (int r = 0; r < ballotRounds; ++r) {
      int const s = lane + 32 * r;
      if (s >= count) break;
      least = min(least, orderOf(votes.relaxed[s]));
      largest = max(largest, votes.largest[s]);
    }
    double const bound = numberOf(warpMin(least));
    Best best = bestOfBallot(count, bound < rules::unlimited ? bound : -1.0);
    int const position = candidates[best.slot].position;
    if (warp == 0) {
      largest = warpMax(largest);
      bool nearer = false, overlooked = false;
#pragma unroll(Kind::wide ? 1 : ballotRounds)
      for (int r = 0; r < ballotRounds; ++r) {
        int const s = lane + 32 * r;
        if (s >= count) break;
        double const nearest = Kind::wide ? votes.nearest[s] : votes.ratio[s];
        nearer = nearer || nearest < best.ratio;
        if (Kind::wide) overlooked = overlooked || (votes.ratio[s] > bound && nearest <= bound);
      }
      overlooked = Kind::wide && __any_sync(~0u, overlooked && bound < rules::unlimited);
      bool const mark = __any_sync(~0u, nearer) || overlooked;
      if (overlooked) best.key = 0;  // whoever is best, the second look will find
      std::uint64_t const ratio = orderOf(best.key == 0 ? infinity() : best.ratio);
      bool const second = lane >= boxCopies;
      auto const high = again ? best.tie : static_cast<std::uint32_t>(ratio >> 32);
      if (lane < 2 * boxCopies)
        send(team_.harrisBox +
                 (((tag & 1) * boxCopies + lane % boxCopies) * 2 + second) * mostBlocks + block(),
             second ? best.key : orderOf(bound), second ? static_cast<std::uint32_t>(ratio) : high,
             second ? choiceTag(tag, largest, mark)
                    : choiceTag(tag, static_cast<unsigned>(position - own.first), false));
      __syncwarp();
      pause(team_.patience);
      receiveHarris(tag, own.tile, again);
    } else if (best.key != 0) {
      sendLine<kind>(position, lineTag, candidates[best.slot]);
    }
    __syncthreads();
    limit = votes.winner.relaxed;
    if (votes.winner.doubt) continue;
    rules::Blocking result;
    result.relaxed = limit;
    result.largest = rules::fromCoarseBits(votes.winner.largest);
    result.best = takeWinner<kind>(lineTag);
    return result;
  }
}

}  // namespace osi_cuda::cuda
