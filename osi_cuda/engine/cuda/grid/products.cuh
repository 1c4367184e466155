// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/shares.cuh"

namespace osi_cuda::cuda::grid {

/// Products T'g and T g for a g that may be sparse, from D in double precision. Every block sends
/// the nonzeros of its own part of g, how many there are, and the sum of their lines of U (or V);
/// each then reads what it needs of D.
template <class Kind>
class Products {
 public:
  __device__ explicit Products(Block<Kind>& block) : b_(block) {}

  /// out = T'g for the own columns, out = T g for the own rows; return the number of nonzeros of g.
  // out_j = sum_i g_i T_ij for the own columns j: threads side by side take successive columns, so
  // that a row of D is read in one piece; groups of them take every so many nonzeros.
  __device__ int combineRows(double const* g, double* out) {
    Tag const tag = b_.next.product++;
    int const total = share<Lines::rows>(tag, g);
    int const* const position = positions();
    double const* const value = values();
    double* const partial = piece<double>(b_.team.places.partial);
    Side const& own = b_.columnSide;
    for (int first = 0; first < own.count; first += teamThreads) {
      int const width = min(teamThreads, own.count - first);
      int const shares = teamThreads / width, share = thread() / width, c = thread() % width;
      double const* const base = b_.t.base + own.first + first + c;
      double sum = 0.0;
      for (int begin = 0; begin < total; begin += listLength) {
        int const length = list<Lines::rows>(tag, begin, total);
        if (share >= shares) continue;
#pragma unroll 8
        for (int e = share; e < length; e += shares)
          sum = fma(value[e], __ldcg(base + at(position[e]) * b_.t.n), sum);
      }
      partial[thread()] = sum;
      __syncthreads();
      if (thread() < width) {
        double all = 0.0;
        for (int k = 0; k < shares; ++k) all += partial[k * width + thread()];
        out[own.first + first + thread()] =
            zeroed<Lines::columns>(b_)[first + thread()] ? 0.0 : all;
      }
      __syncthreads();
    }
    subtractFolded<Lines::columns>(b_, out);
    return total;
  }

  // out_i = sum_j g_j T_ij for the own rows i, by the group that has the row.
  __device__ int combineColumns(double const* g, double* out) {
    Tag const tag = b_.next.product++;
    int const total = share<Lines::columns>(tag, g);
    int const* const position = positions();
    double const* const value = values();
    Side const& own = b_.rowSide;
    forOwn<Kind>(own, [&](int i) { out[i] = 0.0; });
    for (int begin = 0; begin < total; begin += listLength) {
      int const length = list<Lines::columns>(tag, begin, total);
#pragma unroll 1
      for (int round = 0; round * groups < own.count; ++round) {
        int const i = round * groups + group();
        bool const any = i < own.count && !zeroed<Lines::rows>(b_)[i];
        double const* const base = b_.t.base + at(own.first + i) * b_.t.n;
        double sum = 0.0;
#pragma unroll 8
        for (int e = lane(); e < (any ? length : 0); e += lanes)
          sum = fma(value[e], __ldcg(base + position[e]), sum);
#pragma unroll
        for (int distance = lanes / 2; distance > 0; distance /= 2)
          sum += __shfl_xor_sync(~0u, sum, distance);
        if (i < own.count && lane() == round % lanes) out[own.first + i] += sum;
      }
    }
    __syncthreads();
    subtractFolded<Lines::rows>(b_, out);
    return total;
  }

 private:
  // Returns the number of nonzeros of g; `folded` is U g (or V g) then, and ActiveBlocks::start
  // says where each block's nonzeros begin among all.
  template <Lines kind>
  __device__ int share(Tag tag, double const* g) {
    Side const own = side<kind>(b_);
    __syncthreads();
    disturb(tag);
    Packet* const box = activeBox(tag) + block() * own.tile;
    int const found =
        forNonzeros(b_, g + own.first, 0, own.count, [&](int place, int i, double value) {
          send(box + place, orderOf(value), static_cast<std::uint32_t>(own.first + i), tag);
        });
    sendHead(b_, tag, found);
    if (found > 0) sendFolded<kind>(tag, g);
    __syncwarp();
    if (thread() / 32 == 0) receiveHeads(b_, tag);
    __syncthreads();
    receiveFolded(tag);
    return activeBlocks(b_).start[b_.team.blocks];
  }

  template <Lines kind>
  __device__ void sendFolded(Tag tag, double const* g) const {
    Packet* const box = foldBox(b_, tag) + at(block()) * b_.t.stride;
    FactorLines<Kind> const factors(b_);
#pragma unroll 1
    for (int l = thread(); l < b_.used; l += teamThreads)
      send(box + l, orderOf(factors.template weightedSum<kind>(g, l)), 0, tag);
  }

  // folded <- the sum of what the active blocks sent, in their order; a few shares of it at once.
  __device__ void receiveFolded(Tag tag) const {
    ActiveBlocks const& active = activeBlocks(b_);
    double* const folded = piece<double>(b_.team.places.folded);
    double* const partial = piece<double>(b_.team.places.partial);
    int const used = b_.used;
    int const width = min((used + 31) / 32 * 32, teamThreads);
    int const shares = width > 0 ? teamThreads / width : 1;
    int const share = width > 0 ? thread() / width : 0;
#pragma unroll 1
    for (int begin = 0; begin < used; begin += width) {
      int const l = begin + thread() % width;
      double sum = 0.0;
      if (share < shares) {
        constexpr int ahead = 4;
#pragma unroll 1
        for (int a = share; a < active.blocks; a += ahead * shares) {
          Packet packet[ahead];
          auto const slotOf = [&](int e) {
            int const from = active.block[min(a + e * shares, active.blocks - 1)];
            return foldBox(b_, tag) + at(from) * b_.t.stride + min(l, used - 1);
          };
          receiveEach(slotOf, tag, ~0u, packet);
#pragma unroll
          for (int e = 0; e < ahead; ++e)
            if (a + e * shares < active.blocks) sum += numberOf(packet[e].number);
        }
      }
      partial[thread()] = sum;
      __syncthreads();
      if (share == 0 && l < used) {
        for (int s = 1; s < shares; ++s) sum += partial[s * width + thread()];
        folded[l] = sum;
      }
      __syncthreads();
    }
    padFactors(folded, used);
    __syncthreads();
  }

  // Nonzeros begin, begin + 1, ... of g into shared memory; returns how many.
  template <Lines kind>
  __device__ int list(Tag tag, int begin, int total) const {
    int const length = min(listLength, total - begin);
    int const* const start = activeBlocks(b_).start;
    __syncthreads();
#pragma unroll 1
    for (int e = thread(); e < length; e += teamThreads) {
      int low = 0, high = b_.team.blocks;  // the block that sent nonzero begin + e
      while (high - low > 1) {
        int const middle = (low + high) / 2;
        if (start[middle] <= begin + e)
          low = middle;
        else
          high = middle;
      }
      Packet const* const slot =
          activeBox(tag) + low * side<kind>(b_).tile + begin + e - start[low];
      Packet const packet = receiveAlone(slot, tag);
      positions()[e] = static_cast<int>(packet.extra);
      values()[e] = numberOf(packet.number);
    }
    __syncthreads();
    return length;
  }

  /// By block, from its first position on: nonzeros of the vector being combined.
  __device__ Packet* activeBox(Tag tag) const {
    return b_.team.activeBox + (tag & 1) * b_.team.activeLength;
  }
  __device__ int* positions() const {
    return piece<int>(b_.team.places.listPosition);
  }
  __device__ double* values() const {
    return piece<double>(b_.team.places.listValue);
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
