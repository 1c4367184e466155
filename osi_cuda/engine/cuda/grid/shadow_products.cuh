// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/shares.cuh"
#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::cuda::grid {

/// The products that exact weights ask for at each pivot, by the shadow: D in single precision.
/// Weights steer the choice, no more: what rounding makes of them changes no answer. Some products
/// are summed in single precision, since the conversion of each would take longer than its way from
/// memory; sums of those are double.
///
/// A block reads the shadow's lines of its own rows, in long pieces, and is the only one who writes
/// them. What all blocks add to goes through memory and one fence: next to a pass over the shadow
/// that is nothing.
template <class Kind>
class ShadowProducts {
 public:
  __device__ explicit ShadowProducts(Block<Kind>& block) : b_(block) {}

  /// out = T'g for the own columns, out = T g for the own rows; return the number of nonzeros of g.
  // out = T'g = D'g - V'(U g)
  __device__ int combineRows(double const* g, double* out) {
    Tag const tag = b_.next.product++;
    __syncthreads();
    int const nonzeros = shareRows(g);
    if (nonzeros > 0) shareFolded<Lines::rows>(g);
    int const total = meet(tag, nonzeros);
    sendFoldedSums(tag);
    addRowShares(out);
    receiveFoldedSums(tag);
    subtractFolded<Lines::columns>(b_, out);
    return total;
  }

  // out = T g = D g - U'(V g)
  __device__ int combineColumns(double const* g, double* out) {
    Tag const tag = b_.next.product++;
    Side const& own = b_.columnSide;
    __syncthreads();
    for (int j = own.first + thread(); j < own.first + own.count; j += teamThreads)
      __stcg(b_.team.spread + j, g[j]);
    int const nonzeros = forNonzeros(b_, g + own.first, 0, own.count, [](int, int, double) {});
    if (nonzeros > 0) shareFolded<Lines::columns>(g);
    int const total = meet(tag, nonzeros);
    sendFoldedSums(tag);
    multiply(out);
    receiveFoldedSums(tag);
    subtractFolded<Lines::rows>(b_, out);
    return total;
  }

  /// D's row r and column q become zero: in the shadow by the rows' owner.
  __device__ void zero(Exchange const& x) const {
    if (b_.t.shadow == nullptr) return;
    for (int i = thread(); i < b_.rowSide.count; i += teamThreads)
      __stcg(reinterpret_cast<float*>(line(i)) + x.column, 0.0f);
    int const own = x.row - b_.rowSide.first;
    if (own < 0 || own >= b_.rowSide.count) return;
    for (int quad = thread(); quad < b_.t.shadowStride / 4; quad += teamThreads)
      __stcg(line(own) + quad, make_float4(0.0f, 0.0f, 0.0f, 0.0f));
  }

 private:
  /// Tells the others that the block's share is in memory, and of how many nonzeros of g it is
  /// made; waits for theirs. Returns the nonzeros of all.
  __device__ int meet(Tag tag, int nonzeros) const {
    __syncthreads();
    disturb(tag);
    if (thread() < boxCopies) __threadfence();
    sendHead(b_, tag, nonzeros);
    __syncwarp();
    if (thread() / 32 == 0) {
      receiveHeads(b_, tag);
      __threadfence();
    }
    __syncthreads();
    return activeBlocks(b_).start[b_.team.blocks];
  }

  template <Lines kind>
  __device__ void shareFolded(double const* g) const {
    FactorLines<Kind> const factors(b_);
#pragma unroll 1
    for (int l = thread(); l < b_.used; l += teamThreads)
      __stcg(b_.team.foldShares + at(block()) * b_.t.stride + l,
             factors.template weightedSum<kind>(g, l));
  }

  // Each factor's shares are added up by one block, which tells all.
  __device__ void sendFoldedSums(Tag tag) const {
    ActiveBlocks const& active = activeBlocks(b_);
    int const warp = thread() / 32, own = thread() % 32;
#pragma unroll 1
    for (int l = block() + warp * b_.team.blocks; l < b_.used; l += warps * b_.team.blocks) {
      double sum = 0.0;
#pragma unroll 1
      for (int a = own; a < active.blocks; a += 32)
        sum += __ldcg(b_.team.foldShares + at(active.block[a]) * b_.t.stride + l);
#pragma unroll
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (own < foldCopies()) send(foldBox(b_, tag) + own * b_.t.stride + l, orderOf(sum), 0, tag);
    }
  }

  __device__ void receiveFoldedSums(Tag tag) const {
    double* const folded = piece<double>(b_.team.places.folded);
    Packet const* const box = foldBox(b_, tag) + block() % foldCopies() * b_.t.stride;
    int const used = b_.used;
#pragma unroll 1
    for (int first = thread() / 32 * 32; first < used; first += teamThreads) {
      int const l = first + thread() % 32;
      Packet const packet = receiveOne(box + min(l, used - 1), tag);
      if (l < used) folded[l] = numberOf(packet.number);
    }
    padFactors(folded, used);
    __syncthreads();
  }

  // The own rows' share of g'D, for the blocks that own the columns. Four columns a thread; where
  // that leaves threads over, they take every so many rows. Returns the own nonzeros of g.
  __device__ int shareRows(double const* g) const {
    constexpr int ahead = 8;
    int* const place = piece<int>(b_.team.places.listPosition);
    float* const value = piece<float>(b_.team.places.listValue);
    double* const partial = piece<double>(b_.team.places.partial);
    float4 const* const shadow = line(0);
    Side const& own = b_.rowSide;
    int const quads = b_.t.shadowStride / 4;
    int const rounds = (quads + teamThreads - 1) / teamThreads;
    int const width = (quads + rounds - 1) / rounds;
    int const shares = teamThreads / width, share = thread() / width;
    int length = 0, nonzeros = 0;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      int const quad = round * width + thread() % width;
      bool const mine = share < shares && quad < quads;
      double sum[4] = {};
#pragma unroll 1
      for (int begin = 0; begin < own.count; begin += listLength) {
        if (round == 0 || own.count > listLength) {  // else the list still stands
          length = forNonzeros(b_, g + own.first, begin, min(begin + listLength, own.count),
                               [&](int k, int i, double x) {
                                 place[k] = i * quads;
                                 value[k] = static_cast<float>(x);
                               });
          nonzeros += round == 0 ? length : 0;
        }
#pragma unroll 1
        for (int e = share; e < (mine ? length : 0); e += ahead * shares) {
          float4 entry[ahead];
#pragma unroll
          for (int a = 0; a < ahead; ++a)  // the last one may come more than once
            entry[a] = __ldcg(shadow + (place[min(e + a * shares, length - 1)] + quad));
          float4 part = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
          for (int a = 0; a < ahead; ++a) {
            float const x = e + a * shares < length ? value[e + a * shares] : 0.0f;
            part = make_float4(fmaf(x, entry[a].x, part.x), fmaf(x, entry[a].y, part.y),
                               fmaf(x, entry[a].z, part.z), fmaf(x, entry[a].w, part.w));
          }
          sum[0] += static_cast<double>(part.x);
          sum[1] += static_cast<double>(part.y);
          sum[2] += static_cast<double>(part.z);
          sum[3] += static_cast<double>(part.w);
        }
        __syncthreads();
      }
      if (nonzeros == 0) continue;  // nobody reads it
      double* const target = b_.team.rowShares + at(block()) * b_.t.shadowStride + 4 * quad;
      if (shares == 1) {
        for (int k = 0; k < (mine ? 4 : 0); ++k) __stcg(target + k, sum[k]);
        continue;
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        partial[thread()] = sum[k];
        __syncthreads();
        if (thread() < width && mine) {
          for (int s = 1; s < shares; ++s) sum[k] += partial[s * width + thread()];
          __stcg(target + k, sum[k]);
        }
        __syncthreads();
      }
    }
    return nonzeros;
  }

  // out_j = what the blocks found for the own columns j, together.
  __device__ void addRowShares(double* out) const {
    constexpr int ahead = 8;
    ActiveBlocks const& active = activeBlocks(b_);
    double* const partial = piece<double>(b_.team.places.partial);
    Side const& own = b_.columnSide;
    std::size_t const stride = at(b_.t.shadowStride);
#pragma unroll 1
    for (int first = 0; first < own.count; first += teamThreads) {
      int const width = min(teamThreads, own.count - first);
      int const shares = teamThreads / width, share = thread() / width, c = thread() % width;
      double const* const source = b_.team.rowShares + own.first + first + c;
      double sum = 0.0;
#pragma unroll 1
      for (int a = share; a < (share < shares ? active.blocks : 0); a += ahead * shares) {
        double part[ahead];
#pragma unroll
        for (int e = 0; e < ahead; ++e)
          part[e] =
              __ldcg(source + at(active.block[min(a + e * shares, active.blocks - 1)]) * stride);
#pragma unroll
        for (int e = 0; e < ahead; ++e) sum += a + e * shares < active.blocks ? part[e] : 0.0;
      }
      partial[thread()] = sum;
      __syncthreads();
      if (thread() < width) {
        for (int s = 1; s < shares; ++s) sum += partial[s * width + thread()];
        out[own.first + first + thread()] = sum;
      }
      __syncthreads();
    }
  }

  // out_i = D's own row i times g, of which every block has told its part. A warp takes a row.
  __device__ void multiply(double* out) const {
    constexpr int ahead = listLength / 128;  // of four columns a thread
    float4 const* const shadow = line(0);
    Side const& own = b_.rowSide;
    int const quads = b_.t.shadowStride / 4;
    float4* const value = piece<float4>(b_.team.places.listValue);
    int const warp = thread() / 32, ofWarp = thread() % 32;
#pragma unroll 1
    for (int begin = 0; begin < b_.t.shadowStride; begin += listLength) {
      int const length = min(listLength, b_.t.shadowStride - begin);
      __syncthreads();
      for (int j = thread(); j < listLength; j += teamThreads)
        reinterpret_cast<float*>(value)[j] =
            begin + j < b_.t.n ? static_cast<float>(__ldcg(b_.team.spread + begin + j)) : 0.0f;
      __syncthreads();
#pragma unroll 1
      for (int i = warp; i < own.count; i += warps) {
        float4 const* const entries = shadow + at(i) * quads + begin / 4;
        float4 entry[ahead];
#pragma unroll
        for (int a = 0; a < ahead; ++a)  // the last one may come more than once, times zero
          entry[a] = __ldcg(entries + min(ofWarp + 32 * a, length / 4 - 1));
        float4 part = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
        for (int a = 0; a < ahead; ++a) {
          float4 const x = value[ofWarp + 32 * a];
          part = make_float4(fmaf(x.x, entry[a].x, part.x), fmaf(x.y, entry[a].y, part.y),
                             fmaf(x.z, entry[a].z, part.z), fmaf(x.w, entry[a].w, part.w));
        }
        double sum = static_cast<double>(part.x + part.y) + static_cast<double>(part.z + part.w);
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2)
          sum += __shfl_xor_sync(~0u, sum, distance);
        if (ofWarp != 0) continue;
        double& result = out[own.first + i];
        result = begin > 0 ? result + sum : sum;
      }
    }
  }

  /// The shadow's line of own row i (from the side's first on), by four columns.
  __device__ float4* line(int i) const {
    return reinterpret_cast<float4*>(b_.t.shadow + at(b_.rowSide.first + i) * b_.t.shadowStride);
  }
  /// Of the sums in the fold box, `stride` apart: not all blocks poll the same memory.
  __device__ int foldCopies() const {
    return min(boxCopies, b_.team.blocks);
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
