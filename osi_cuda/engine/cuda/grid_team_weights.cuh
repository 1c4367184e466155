// SPDX-License-Identifier: EPL-2.0
// The products that exact weights ask for at each pivot, by the shadow: D in single precision.
// Weights steer the choice, no more: what rounding makes of them changes no answer. Some products
// are summed in single precision, since the conversion of each would take longer than its way from
// memory; sums of those are double.
#pragma once

#include "osi_cuda/engine/cuda/grid_team_products.cuh"

namespace osi_cuda::cuda {

// A block reads the shadow's lines of its own rows, in long pieces, and is the only one who writes
// them. What all blocks add to goes through memory and one fence: next to a pass over the shadow
// that is nothing.

/// Tells the others that the block's share is in memory, and of how many nonzeros of g it is made;
/// waits for theirs. Returns the nonzeros of all.
template <class Kind>
__device__ int GridTeam<Kind>::meetWithShares(Tag tag, int nonzeros) const {
  __syncthreads();
  disturb(tag);
  if (thread() < boxCopies) {
    __threadfence();
    send(headBox(tag, thread()) + block(), 0, static_cast<std::uint32_t>(nonzeros), tag);
  }
  __syncwarp();
  if (thread() / 32 == 0) {
    receiveHeads(tag);
    __threadfence();
  }
  __syncthreads();
  return piece<ActiveBlocks>(places().active)->start[team_.blocks];
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::shareFolded(double const* g) const {
#pragma unroll 1
  for (int l = thread(); l < used_; l += teamThreads)
    __stcg(team_.foldShares + static_cast<std::size_t>(block()) * t_.stride + l,
           foldedOf<kind>(g, l));
}

// Each factor's shares are added up by one block, which tells all.
template <class Kind>
__device__ void GridTeam<Kind>::sendFoldedSums(Tag tag) const {
  ActiveBlocks const& active = *piece<ActiveBlocks>(places().active);
  int const warp = thread() / 32, lane = thread() % 32;
#pragma unroll 1
  for (int l = block() + warp * team_.blocks; l < used_; l += warps * team_.blocks) {
    double sum = 0.0;
#pragma unroll 1
    for (int a = lane; a < active.blocks; a += 32)
      sum += __ldcg(team_.foldShares + static_cast<std::size_t>(active.block[a]) * t_.stride + l);
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane < foldCopies()) send(foldBox(tag) + lane * t_.stride + l, orderOf(sum), 0, tag);
  }
}

template <class Kind>
__device__ void GridTeam<Kind>::receiveFoldedSums(Tag tag) const {
  double* const folded = piece<double>(places().folded);
  Packet const* const box = foldBox(tag) + block() % foldCopies() * t_.stride;
#pragma unroll 1
  for (int first = thread() / 32 * 32; first < used_; first += teamThreads) {
    int const l = first + thread() % 32;
    Packet const packet = receiveOne(box + min(l, used_ - 1), tag);
    if (l < used_) folded[l] = numberOf(packet.number);
  }
  if (thread() < 4 * lanes) folded[used_ + thread()] = 0.0;  // see dots
  __syncthreads();
}

// The own rows' share of g'D, for the blocks that own the columns. Four columns a thread; where
// that leaves threads over, they take every so many rows. Returns the own nonzeros of g.
template <class Kind>
__device__ int GridTeam<Kind>::shareShadowRows(double const* g) const {
  constexpr int ahead = 8;
  int* const place = piece<int>(places().listPosition);
  float* const value = piece<float>(places().listValue);
  double* const partial = piece<double>(places().partial);
  float4 const* const shadow = shadowLine(0);
  int const quads = t_.shadowStride / 4;
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
    for (int begin = 0; begin < rowSide_.count; begin += listLength) {
      if (round == 0 || rowSide_.count > listLength) {  // else the list still stands
        length = forNonzeros(g + rowSide_.first, begin, min(begin + listLength, rowSide_.count),
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
    double* const target =
        team_.rowShares + static_cast<std::size_t>(block()) * t_.shadowStride + 4 * quad;
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
template <class Kind>
__device__ void GridTeam<Kind>::addRowShares(double* out) const {
  constexpr int ahead = 8;
  ActiveBlocks const& active = *piece<ActiveBlocks>(places().active);
  double* const partial = piece<double>(places().partial);
  std::size_t const stride = static_cast<std::size_t>(t_.shadowStride);
#pragma unroll 1
  for (int first = 0; first < columnSide_.count; first += teamThreads) {
    int const width = min(teamThreads, columnSide_.count - first);
    int const shares = teamThreads / width, share = thread() / width, c = thread() % width;
    double const* const source = team_.rowShares + columnSide_.first + first + c;
    double sum = 0.0;
#pragma unroll 1
    for (int a = share; a < (share < shares ? active.blocks : 0); a += ahead * shares) {
      double part[ahead];
#pragma unroll
      for (int e = 0; e < ahead; ++e)
        part[e] = __ldcg(source + static_cast<std::size_t>(
                                      active.block[min(a + e * shares, active.blocks - 1)]) *
                                      stride);
#pragma unroll
      for (int e = 0; e < ahead; ++e) sum += a + e * shares < active.blocks ? part[e] : 0.0;
    }
    partial[thread()] = sum;
    __syncthreads();
    if (thread() < width) {
      for (int s = 1; s < shares; ++s) sum += partial[s * width + thread()];
      out[columnSide_.first + first + thread()] = sum;
    }
    __syncthreads();
  }
}

// out = T'g = D'g - V'(U g)
template <class Kind>
__device__ __noinline__ int GridTeam<Kind>::combineShadowRows(double const* g, double* out) {
  Tag const tag = next_.product++;
  __syncthreads();
  int const nonzeros = shareShadowRows(g);
  if (nonzeros > 0) shareFolded<Lines::rows>(g);
  int const total = meetWithShares(tag, nonzeros);
  sendFoldedSums(tag);
  addRowShares(out);
  receiveFoldedSums(tag);
  products<Lines::columns>(piece<double>(places().folded),
                           [&](int j, double sum) { out[columnSide_.first + j] -= sum; });
  __syncthreads();
  return total;
}

// out_i = D's own row i times g, of which every block has told its part. A warp takes a row.
template <class Kind>
__device__ void GridTeam<Kind>::multiplyShadow(double* out) const {
  constexpr int ahead = listLength / 128;  // of four columns a thread
  float4 const* const shadow = shadowLine(0);
  int const quads = t_.shadowStride / 4;
  float4* const value = piece<float4>(places().listValue);
  int const warp = thread() / 32, lane = thread() % 32;
#pragma unroll 1
  for (int begin = 0; begin < t_.shadowStride; begin += listLength) {
    int const length = min(listLength, t_.shadowStride - begin);
    __syncthreads();
    for (int j = thread(); j < listLength; j += teamThreads)
      reinterpret_cast<float*>(value)[j] =
          begin + j < t_.n ? static_cast<float>(__ldcg(team_.spread + begin + j)) : 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int i = warp; i < rowSide_.count; i += warps) {
      float4 const* const line = shadow + static_cast<std::size_t>(i) * quads + begin / 4;
      float4 entry[ahead];
#pragma unroll
      for (int a = 0; a < ahead; ++a)  // the last one may come more than once, times zero
        entry[a] = __ldcg(line + min(lane + 32 * a, length / 4 - 1));
      float4 part = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
      for (int a = 0; a < ahead; ++a) {
        float4 const x = value[lane + 32 * a];
        part = make_float4(fmaf(x.x, entry[a].x, part.x), fmaf(x.y, entry[a].y, part.y),
                           fmaf(x.z, entry[a].z, part.z), fmaf(x.w, entry[a].w, part.w));
      }
      double sum = static_cast<double>(part.x + part.y) + static_cast<double>(part.z + part.w);
#pragma unroll
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane != 0) continue;
      double& result = out[rowSide_.first + i];
      result = begin > 0 ? result + sum : sum;
    }
  }
}

// out = T g = D g - U'(V g)
template <class Kind>
__device__ __noinline__ int GridTeam<Kind>::combineShadowColumns(double const* g, double* out) {
  Tag const tag = next_.product++;
  __syncthreads();
  for (int j = columnSide_.first + thread(); j < columnSide_.first + columnSide_.count;
       j += teamThreads)
    __stcg(team_.spread + j, g[j]);
  int const nonzeros =
      forNonzeros(g + columnSide_.first, 0, columnSide_.count, [](int, int, double) {});
  if (nonzeros > 0) shareFolded<Lines::columns>(g);
  int const total = meetWithShares(tag, nonzeros);
  sendFoldedSums(tag);
  multiplyShadow(out);
  receiveFoldedSums(tag);
  products<Lines::rows>(piece<double>(places().folded),
                        [&](int i, double sum) { out[rowSide_.first + i] -= sum; });
  __syncthreads();
  return total;
}

// A pass over the shadow reads all of it, or of the rows of nonzeros, which may be those of a few
// blocks; the other products read what they need of D, slower. What pays is judged by the nonzeros
// of the pivot before.

template <class Kind>
__device__ void GridTeam<Kind>::steepestProducts() {
  if constexpr (!Kind::inShared) {
    bool const shadowed = t_.shadow != nullptr && team_.rowShares != nullptr && !fewNonzeros_;
    double const* const g = rows().entry;
    double* const out = columns().product;
    int nonzeros = 0;
    apart([&](GridTeam& team) {
      nonzeros = shadowed ? team.combineShadowRows(g, out) : team.combineRowsApart(g, out);
    });
    fewNonzeros_ = leastShare * nonzeros < t_.m;
  }
}

template <class Kind>
__device__ void GridTeam<Kind>::dualSteepestProducts() {
  if constexpr (!Kind::inShared) {
    double* const g = columns().change;
    forColumns([&](int j) { g[j] = slack(columns().variable[j]) ? columns().entry[j] : 0.0; });
    bool const shadowed = t_.shadow != nullptr && !fewNonzeros_;
    double* const out = rows().product;
    int nonzeros = 0;
    apart([&](GridTeam& team) {
      nonzeros = shadowed ? team.combineShadowColumns(g, out) : team.combineColumnsApart(g, out);
    });
    fewNonzeros_ = leastShare * nonzeros < t_.n;
  }
}

/// D's row r and column q become zero: in the shadow by the rows' owner.
template <class Kind>
__device__ void GridTeam<Kind>::zeroShadow(Exchange const& x) const {
  if (t_.shadow == nullptr) return;
  for (int i = thread(); i < rowSide_.count; i += teamThreads)
    __stcg(reinterpret_cast<float*>(shadowLine(i)) + x.column, 0.0f);
  int const own = x.row - rowSide_.first;
  if (own < 0 || own >= rowSide_.count) return;
  for (int quad = thread(); quad < t_.shadowStride / 4; quad += teamThreads)
    __stcg(shadowLine(own) + quad, make_float4(0.0f, 0.0f, 0.0f, 0.0f));
}

}  // namespace osi_cuda::cuda
