// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/block.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"

namespace osi_cuda::cuda::grid {

/// The orders of ratios among which the turn is, and the units before them.
struct TurnRange {
  std::uint64_t low, high;  ///< from low on, before high
  std::uint64_t below;
  bool exponents;  ///< bins by the numbers' exponents: the first step
  int shift = 0;   ///< bins of 2^shift

  static constexpr int firstExponent = 1023 - turnBins / 2;  ///< smaller ones share the first bin

  __device__ bool contains(std::uint64_t order) const { return order >= low && order < high; }
  __device__ bool single() const { return high - low == 1; }
  __device__ int bin(std::uint64_t order) const {
    if (!exponents) return static_cast<int>((order - low) >> shift);
    return min(max(static_cast<int>(order >> 52) - firstExponent, 0), turnBins - 1);
  }
  __device__ void take(int bin) {
    if (exponents) {
      auto const from = [](int b) { return static_cast<std::uint64_t>(b + firstExponent) << 52; };
      high = bin == turnBins - 1 ? ~std::uint64_t{0} : from(bin + 1);
      low = bin == 0 ? 0 : from(bin);
      exponents = false;
    } else {
      low += static_cast<std::uint64_t>(bin) << shift;
      high = min(high, low + (std::uint64_t{1} << shift));
    }
    for (shift = 0; (high - low - 1) >> shift >= turnBins; ++shift) {
    }
  }
};

/// Where a slope turns, for long steps: every block learns all breakpoints (kinks of a convex
/// function) from packets and finds the place by itself, by radix select over the orders of the
/// ratios. Units are whole numbers, so that the order in which threads add them makes no
/// difference.
template <class Kind>
class LongStep {
 public:
  __device__ explicit LongStep(Block<Kind>& block) : b_(block) {}

  /// Tells the kinks of the own lines; returns the number of the message.
  // Of a line's packet: the order of the nearest kink's ratio, its units (0: there is none), the
  // line's |entry| as coarse bits, and a mark if there is a second kink, in a packet of its own.
  template <Lines kind, class KinksOf>
  __device__ Tag tell(KinksOf kinksOf, double slope) {
    Tag const tag = kind == Lines::columns ? b_.next.columnTurn++ : b_.next.rowTurn++;
    double const perRise = rules::turnUnits * rules::reciprocal(fabs(slope));
    Packet* const first = boxOf<kind>(tag);
    Packet* const second = first + side<kind>(b_).total;
    auto const units = [=](rules::Kink const& kink) {
      return kink.ratio < rules::unlimited ? rules::riseUnits(kink.rise, perRise) : 0;
    };
    disturb(tag);
    forOwn<Kind>(side<kind>(b_), [&](int i) {
      rules::Kinks const own = kinksOf(i);
      bool const two = own.second.ratio < rules::unlimited;
      if (two) send(second + i, orderOf(own.second.ratio), units(own.second), tag);
      send(first + i, orderOf(own.first.ratio), units(own.first),
           choiceTag(tag, rules::coarseBits(own.entry), two));
    });
    __syncwarp();
    return tag;
  }

  /// Where it turns, by what all blocks told: first by exponents, then by eight bits at a time,
  /// until so few kinks are left that each can be compared with all.
  template <Lines kind>
  __device__ rules::Turn find(Tag tag) const {
    TurnSearch& search = this->search();
    rules::Turn result;
    TurnRange range{0, ~0ull, 0, true};
    __syncthreads();
#pragma unroll 1
    for (int pass = 0;; ++pass) {
      if (pass >= 2 && chooseAmongFew<kind>(tag, range, result)) break;
      for (int b = thread(); b < turnBins * turnCopies; b += teamThreads) search.bins[b] = 0;
      if (thread() == 0) {
        search.bin = -1;
        if (pass == 0) search.largest = 0;
      }
      __syncthreads();
      if (pass == 0) pause(b_.team.patience);
      unsigned const largest = forKinks<kind>(tag, [&](std::uint64_t order, std::uint32_t units) {
        if (range.contains(order))
          atomicAdd(search.bins + range.bin(order) * turnCopies + thread() % turnCopies,
                    static_cast<unsigned long long>(units));
      });
      if (pass == 0) atomicMax(&search.largest, largest);
      __syncthreads();
      if (pass == 0) result.largest = rules::fromCoarseBits(search.largest);
      findBin(range.below);
      if (search.bin < 0) break;  // it does not turn at all
      range.below = search.below;
      range.take(search.bin);
      __syncthreads();
      if (range.single()) {
        result.ratio = numberOf(range.low);
        result.passed = range.below > 0;
        break;
      }
    }
    __syncthreads();
    return result;
  }

 private:
  // f(order, units) for every kink, and the largest coarse bits of the thread's lines. Any number
  // of times: packets stay where they are until the next turn but one.
  template <Lines kind, class F>
  __device__ unsigned forKinks(Tag tag, F f) const {
    constexpr int each = 8;
    int const total = side<kind>(b_).total;
    Packet const* const first = boxOf<kind>(tag);
    unsigned largest = 0;
#pragma unroll 1
    for (int begin = 0; begin < total; begin += each * teamThreads) {
      Packet packet[each];
      auto const slotOf = [&](int e) {
        return first + min(begin + e * teamThreads + thread(), total - 1);
      };
      receiveEach(slotOf, tag, choiceMask, packet);
#pragma unroll
      for (int e = 0; e < each; ++e) {
        int const i = begin + e * teamThreads + thread();
        if (i >= total) break;
        largest = max(largest, numberIn(packet[e]));
        if (packet[e].extra > 0) f(packet[e].number, packet[e].extra);
        if (!markIn(packet[e])) continue;
        Packet const other = receiveAlone(first + total + i, tag);
        f(other.number, other.extra);
      }
    }
    return largest;
  }

  // search.bin <- the first bin with which the units reach what is needed, search.below <- the
  // units before it.
  __device__ void findBin(std::uint64_t below) const {
    TurnSearch& search = this->search();
    int const warp = thread() / 32, ofWarp = thread() % 32;
    unsigned long long own = 0;
    if (thread() < turnBins)
#pragma unroll
      for (int c = 0; c < turnCopies; ++c) own += search.bins[thread() * turnCopies + c];
    unsigned long long sum = own;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      unsigned long long const before = __shfl_sync(~0u, sum, max(ofWarp - distance, 0));
      if (ofWarp >= distance) sum += before;
    }
    if (ofWarp == 31) search.ofWarp[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; ++w) sum += search.ofWarp[w];
    sum += below;
    if (sum >= rules::turnNeeds && sum - own < rules::turnNeeds) {
      search.bin = thread();
      search.below = sum - own;
    }
    __syncthreads();
  }

  // The kinks of the range in a list, if they fit; then each is compared with all. Returns whether
  // they did.
  template <Lines kind>
  __device__ bool chooseAmongFew(Tag tag, TurnRange const& range, rules::Turn& result) const {
    TurnSearch& search = this->search();
    auto* const order = search.bins;
    auto* const units = search.bins + teamThreads;
    static_assert(2 * teamThreads <= turnBins * turnCopies);
    if (thread() == 0) {
      search.bin = 0;  // how many
      search.nearest = ~0ull;
    }
    __syncthreads();
    forKinks<kind>(tag, [&](std::uint64_t kinkOrder, std::uint32_t kinkUnits) {
      if (!range.contains(kinkOrder)) return;
      int const place = atomicAdd(&search.bin, 1);
      if (place >= teamThreads) return;
      order[place] = kinkOrder;
      units[place] = kinkUnits;
    });
    __syncthreads();
    int const count = search.bin;
    if (count > teamThreads) {
      __syncthreads();
      return false;
    }
    std::uint64_t before = range.below, upTo = range.below;
    std::uint64_t const own = thread() < count ? order[thread()] : 0;
    if (thread() < count)
#pragma unroll 1
      for (int e = 0; e < count; ++e) {
        if (order[e] < own) before += units[e];
        if (order[e] <= own) upTo += units[e];
      }
    if (thread() < count && upTo >= rules::turnNeeds)
      atomicMin(&search.nearest, static_cast<unsigned long long>(own));
    __syncthreads();
    if (thread() < count && own == search.nearest) search.below = before;
    __syncthreads();
    result.ratio = numberOf(search.nearest);
    result.passed = search.below > 0;
    return true;
  }

  __device__ TurnSearch& search() const {
    return *piece<TurnSearch>(b_.team.places.turn);
  }
  /// By position, first kinks and then second ones.
  template <Lines kind>
  __device__ Packet* boxOf(Tag tag) const {
    return (kind == Lines::rows ? b_.team.kinkBox : b_.team.kinkBox + 4 * b_.rowSide.total) +
           (tag & 1) * 2 * side<kind>(b_).total;
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
