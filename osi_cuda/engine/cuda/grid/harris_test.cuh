// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/choice.cuh"

namespace osi_cuda::cuda::grid {

/// The ratio test by Harris (1973), both passes in one meeting mostly.
///
/// What a block tells: its own bound, and the best of its lines within that bound (its ratio in two
/// halves). If that one turns out to lie past the bound of all, the block may have others within:
/// `mark` of the second packet says that it has some that block earlier.
///
/// Where that leaves doubt, or where two blocks have equal keys, all look once more (`again`), at
/// lines within the bound that is known now; then the first packet has the tie.
template <class Kind>
class HarrisTest {
 public:
  __device__ explicit HarrisTest(Block<Kind>& block) : b_(block) {}

  template <Lines kind, class Breakpoint, class CandidateOf>
  __device__ rules::Blocking run(Offer& offer, Breakpoint breakpoint, CandidateOf candidateOf) {
    Side const& own = side<kind>(b_);
    auto const* const candidates = piece<rules::Candidate>(b_.team.places.candidates);
    Ballot const& votes = ballot(b_);
    PivotLines<Kind> const lines(b_);
    double limit = rules::unlimited;
#pragma unroll 1
    for (bool again = false;; again = true) {
      Tag const tag = b_.next.harris++, lineTag = b_.next.line++;
      disturb(tag);
      vote<kind>(breakpoint, candidateOf, limit);
      __syncthreads();
      int const count = min(own.count, teamThreads);
      Bound const bound = ownBound(count);
      BestVote const best =
          bestOfBallot(b_, count, bound.relaxed < rules::unlimited ? bound.relaxed : -1.0);
      int const position = candidates[best.slot].position;
      if (thread() / 32 == 0) {
        tell(best, bound, count, position - own.first, tag, again);
        pause(b_.team.patience);
        receive(tag, own.tile, again);
      } else if (best.key != 0) {
        lines.template send<kind>(position, lineTag, candidates[best.slot]);
      }
      __syncthreads();
      limit = votes.winner.relaxed;
      if (votes.winner.doubt) continue;
      rules::Blocking result;
      result.relaxed = limit;
      result.largest = rules::fromCoarseBits(votes.winner.largest);
      result.best = lines.template takeWinner<kind>(offer, lineTag);
      return result;
    }
  }

 private:
  template <Lines kind, class Breakpoint, class CandidateOf>
  __device__ void vote(Breakpoint breakpoint, CandidateOf candidateOf, double limit) const {
    Side const& own = side<kind>(b_);
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
    Ballot& votes = ballot(b_);
    votes.key[slot] = ratio < rules::unlimited ? orderOf(mine) : 0;
    votes.ratio[slot] = ratio;
    if (Kind::wide) votes.nearest[slot] = nearest;
    votes.relaxed[slot] = relaxed;
    votes.tie[slot] = mine.tie;
    votes.largest[slot] = rules::coarseBits(largest);
    piece<rules::Candidate>(b_.team.places.candidates)[slot] = mine;
  }

  struct Bound {
    double relaxed;
    unsigned largest;  ///< of the lane's votes
  };
  // The block's relaxed bound, by each warp for itself.
  __device__ Bound ownBound(int count) const {
    Ballot const& votes = ballot(b_);
    std::uint64_t least = orderOf(rules::unlimited);
    unsigned largest = 0;
#pragma unroll(Kind::wide ? 1 : ballotRounds <Kind>)
    for (int r = 0; r < ballotRounds<Kind>; ++r) {
      int const s = thread() % 32 + 32 * r;
      if (s >= count) break;
      least = min(least, orderOf(votes.relaxed[s]));
      largest = max(largest, votes.largest[s]);
    }
    return {numberOf(warpMin(least)), largest};
  }

  // By one warp. `line`: of the best vote, from the side's first on.
  __device__ void tell(BestVote best, Bound const& bound, int count, int line, Tag tag,
                       bool again) const {
    Ballot const& votes = ballot(b_);
    int const own = thread() % 32;
    unsigned const largest = warpMax(bound.largest);
    bool nearer = false, overlooked = false;
#pragma unroll(Kind::wide ? 1 : ballotRounds <Kind>)
    for (int r = 0; r < ballotRounds<Kind>; ++r) {
      int const s = own + 32 * r;
      if (s >= count) break;
      double const nearest = Kind::wide ? votes.nearest[s] : votes.ratio[s];
      nearer = nearer || nearest < best.ratio;
      if (Kind::wide)
        overlooked = overlooked || (votes.ratio[s] > bound.relaxed && nearest <= bound.relaxed);
    }
    overlooked = Kind::wide && __any_sync(~0u, overlooked && bound.relaxed < rules::unlimited);
    bool const mark = __any_sync(~0u, nearer) || overlooked;
    if (overlooked) best.key = 0;  // whoever is best, the second look will find
    std::uint64_t const ratio = orderOf(best.key == 0 ? infinity() : best.ratio);
    bool const second = own >= boxCopies;
    auto const high = again ? best.tie : static_cast<std::uint32_t>(ratio >> 32);
    if (own < 2 * boxCopies)
      send(b_.team.harrisBox +
               (((tag & 1) * boxCopies + own % boxCopies) * 2 + second) * mostBlocks + block(),
           second ? best.key : orderOf(bound.relaxed),
           second ? static_cast<std::uint32_t>(ratio) : high,
           second ? choiceTag(tag, largest, mark)
                  : choiceTag(tag, static_cast<unsigned>(line), false));
    __syncwarp();
  }

  __device__ void receive(Tag tag, int tile, bool again) const {
    int const own = thread() % 32;
    constexpr int each = mostBlocks / 32;
    Packet packet[2 * each];
    receiveFromBlocks<2>(
        b_.team.harrisBox + ((tag & 1) * boxCopies + block() % boxCopies) * 2 * mostBlocks,
        b_.team.blocks, tag, choiceMask, packet);
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
      if (!within || second.number == 0 || behind || own + 32 * e >= b_.team.blocks) continue;
      tied = second.number == key && other == tie;
      key = second.number;
      tie = other;
      from = own + 32 * e;
      number = numberIn(first);
    }
    std::uint64_t const best = warpMax(key);
    unsigned const equal = __ballot_sync(~0u, key == best && best != 0);
    bool const doubt =
        !again && (__any_sync(~0u, overlooked || (tied && key == best)) || (equal & (equal - 1)));
    largest = warpMax(largest);
    if (own == bestLane(key, tie))
      ballot(b_).winner = {best == 0 ? -1 : from * tile + static_cast<int>(number), from, doubt,
                           largest, numberOf(bound)};
  }

  __device__ static double infinity() {
    return __longlong_as_double(0x7ff0000000000000ll);
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
