// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/factor_lines.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/engine/cuda/warp.cuh"

namespace osi_cuda::cuda::grid {

/// The line that came with the last candidate that won.
struct Offer {
  int position = -1;
  double entry = 0.0;  ///< D's entry at the thread's first own position
};
struct Offers {
  Offer column, row;
};

/// The two lines of a pivot: the entering column's of V, the leaving row's of U. All blocks need
/// them; the block that owns one sends it in a payload: header, factors, and the sketch with a line
/// of the kind that has one. Two lines of a kind may follow each other without a meeting between:
/// payloads lie apart by the tag's parity.
template <class Kind>
class PivotLines {
 public:
  __device__ explicit PivotLines(Block<Kind>& block) : b_(block) {}

  // All warps but the first send a line.
  template <Lines kind>
  __device__ void send(int position, Tag tag, rules::Candidate const& chosen) const {
    constexpr int chosenWords = LineHeader::chosenWords;
    int const own = position - side<kind>(b_).first;
    int const withSketch = sketchLength<kind>();
    Packet* const payload = payloadOf<kind>(block(), tag);
    int const length = headerPackets + max(b_.used, withSketch);
    FactorLines<Kind> const factors(b_);
    disturb(tag);
#pragma unroll 1
    for (int z = thread() - 32; z < length; z += teamThreads - 32) {
      double number = 0.0;
      std::uint32_t extra = 0;
      if (z < chosenWords) {
        number = reinterpret_cast<double const*>(&chosen)[z];
        if (z == 0) extra = static_cast<std::uint32_t>(stateOf<kind>(b_).variable[position]);
        if (z == 1) extra = zeroed<kind>(b_)[own] != 0 ? 1 : 0;
      } else if (z < headerPackets) {
        auto const state = stateOf<kind>(b_);
        number = z == chosenWords       ? state.lower[position]
                 : z == chosenWords + 1 ? state.upper[position]
                 : z == chosenWords + 2 ? state.value[position]
                                        : state.weight[position];
      } else {
        int const l = z - headerPackets;
        if (l < b_.used) number = factors.template entry<kind>(own, l);
        if (l < withSketch) extra = __float_as_uint(sketch(b_)[at(own) * b_.t.sketchSize + l]);
      }
      cuda::send(payload + z, static_cast<std::uint64_t>(__double_as_longlong(number)), extra, tag);
    }
    __syncwarp();
  }

  /// Takes the line of the block whose candidate won the choice, with that candidate.
  template <Lines kind>
  __device__ rules::Candidate takeWinner(Offer& offer, Tag lineTag) const {
    Side const& other = side<across<kind>>(b_);
    int const position = ballot(b_).winner.position;
    offer.position = position;
    if (position < 0) return {};
    // D's entry, which comes from far, is asked for when the line is there: loads of a
    // multiprocessor return in the order in which they were asked for. It has time until the sums
    // are formed. Who owns no line reads the last one's: no branch.
    double const* const entry = other.total == 0
                                    ? b_.t.rows.value
                                    : entryOf<kind>(position, min(ownFirst(), other.count - 1));
    receive<kind>(ballot(b_).winner.block, lineTag, [&] { offer.entry = cuda::fetch(entry); });
    __syncthreads();
    return header<kind>(b_).chosen;
  }

  /// A line that did not come with a candidate: its owner sends it.
  template <Lines kind>
  __device__ void fetch(int position) const {
    __syncthreads();
    Tag const tag = b_.next.line++;
    int const owner = position / side<kind>(b_).tile;
    if (block() == owner && thread() >= 32)
      send<kind>(position, tag, piece<rules::Candidate>(b_.team.places.candidates)[0]);
    receive<kind>(owner, tag, [] {});
    __syncthreads();
  }

  /// target = D's line - (other side's factors) (the line's factors)
  template <Lines kind>
  __device__ void entries(int position, double farEntry, double* target) const {
    constexpr Lines other = across<kind>;
    int const own = ownFirst();
    bool const lineZeroed = header<kind>(b_).zeroed();
    FactorLines<Kind>(b_).template products<other>(
        piece<double>(line<kind>(b_).factors), [&](int i, double sum) {
          double const d = lineZeroed || zeroed<other>(b_)[i]
                               ? 0.0
                               : (i == own ? farEntry : __ldcg(entryOf<kind>(position, i)));
          target[side<other>(b_).first + i] = d - sum;
        });
  }

  /// D's entry of that line at the thread's first own position, for entries().
  template <Lines kind>
  __device__ double farEntry(int position) const {
    Side const& other = side<across<kind>>(b_);
    return __ldcg(entryOf<kind>(position, min(ownFirst(), other.count - 1)));
  }

 private:
  template <Lines kind>
  static constexpr Lines across = kind == Lines::columns ? Lines::rows : Lines::columns;

  // Each warp calls afterwards() once, when what it looks for first is there.
  template <Lines kind, class Afterwards>
  __device__ void receive(int from, Tag tag, Afterwards afterwards) const {
    Packet const* const payload = payloadOf<kind>(from, tag);
    int const withSketch = sketchLength<kind>();
    int const total = headerPackets + max(b_.used, withSketch);
    auto* const factors = piece<double>(line<kind>(b_).factors);
    int const warpFirst = thread() - thread() % 32;
    if (warpFirst >= total) afterwards();
#pragma unroll 1
    for (int base = warpFirst; base < total; base += teamThreads) {
      int const z = base + thread() % 32;
      Packet const packet = receiveOne(payload + min(z, total - 1), tag);
      if (base == warpFirst) afterwards();
      if (z >= total) continue;
      double const number = __longlong_as_double(static_cast<long long>(packet.number));
      auto const extra = static_cast<int>(packet.extra);
      int const l = z - headerPackets;
      if (l < 0) {
        LineHeader& h = header<kind>(b_);
        reinterpret_cast<double*>(&h)[z] = number;
        h.extra[z] = extra;
        continue;
      }
      if (l < b_.used) factors[l] = number;
      if (l < withSketch) piece<float>(line<kind>(b_).sketch)[l] = __int_as_float(extra);
    }
    padFactors(factors, b_.used);
  }

  template <Lines kind>
  __device__ Packet* payloadOf(int from, Tag tag) const {
    return (kind == Lines::columns ? b_.team.columnPayload : b_.team.rowPayload) +
           at((tag & 1) * b_.team.blocks + from) * b_.team.payloadLength;
  }
  template <Lines kind>
  __device__ int sketchLength() const {
    return kind == sketched<Kind> ? b_.t.sketchSize : 0;
  }
  /// D's entry of a column at own row i, of a row at own column j (from the side's first on).
  template <Lines kind>
  __device__ double const* entryOf(int position, int i) const {
    return kind == Lines::columns ? b_.t.base + at(b_.rowSide.first + i) * b_.t.n + position
                                  : b_.t.base + at(position) * b_.t.n + b_.columnSide.first + i;
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
