// SPDX-License-Identifier: EPL-2.0
// The team's passes over the whole tableau: products T'g and T g for a g that may be sparse, and
// the steps of all columns.
#pragma once

#include "osi_cuda/engine/cuda/grid_team.cuh"

namespace osi_cuda::cuda {

// Calls f(place, i, g_i) for the nonzeros of g from begin to before end, which places them in their
// order; returns how many. All threads call it.
template <class Kind>
template <class F>
__device__ int GridTeam<Kind>::forNonzeros(double const* g, int begin, int end, F f) const {
  ActiveBlocks& active = *piece<ActiveBlocks>(places().active);
  int const warp = thread() / 32, lane = thread() % 32;
  int found = 0;
#pragma unroll 1
  for (int first = begin; first < end; first += teamThreads) {
    int const i = first + thread();
    double const value = i < end ? g[i] : 0.0;
    unsigned const ballot = __ballot_sync(~0u, value != 0.0);
    if (lane == 0) active.ofWarp[warp] = __popc(ballot);
    __syncthreads();
    int place = found + __popc(ballot & ((1u << lane) - 1));
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

// Every block sends the nonzeros of its own part of g, how many there are, and the sum of their
// lines of U (or V). Returns the number of nonzeros of g; `folded` is U g (or V g) then, and
// blockStart says where each block's nonzeros begin among all.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ int GridTeam<Kind>::shareActive(Tag tag, double const* g) {
  Side const own = side<kind>();
  __syncthreads();
  disturb(tag);
  Packet* const box = activeBox(tag) + block() * own.tile;
  int const found = forNonzeros(g + own.first, 0, own.count, [&](int place, int i, double value) {
    send(box + place, orderOf(value), static_cast<std::uint32_t>(own.first + i), tag);
  });
  if (thread() < boxCopies)
    send(headBox(tag, thread()) + block(), 0, static_cast<std::uint32_t>(found), tag);
  if (found > 0) sendFolded<kind>(tag, g);
  __syncwarp();
  if (thread() / 32 == 0) receiveHeads(tag);
  __syncthreads();
  receiveFolded(tag);
  return piece<ActiveBlocks>(places().active)->start[team_.blocks];
}

// The sum of the own lines' factor l of U (or V), each times its g.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ double GridTeam<Kind>::foldedOf(double const* g, int l) const {
  Side const own = side<kind>();
  double sum = 0.0;
  if (l < older()) {
#pragma unroll 4
    for (int i = 0; i < own.count; ++i)
      sum = fma(g[own.first + i],
                __ldcg(older<kind>() + static_cast<std::size_t>(i) * t_.stride + l), sum);
  } else {
    double const* const factor = newest<kind>() + l - older();
#pragma unroll 4
    for (int i = 0; i < own.count; ++i)
      sum = fma(g[own.first + i], factor[i * team_.sharedLines], sum);
  }
  return sum;
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::sendFolded(Tag tag, double const* g) const {
  Packet* const box = foldBox(tag) + static_cast<std::size_t>(block()) * t_.stride;
#pragma unroll 1
  for (int l = thread(); l < used_; l += teamThreads)
    send(box + l, orderOf(foldedOf<kind>(g, l)), 0, tag);
}

// How many nonzeros each block has; by one warp.
template <class Kind>
__device__ void GridTeam<Kind>::receiveHeads(Tag tag) const {
  ActiveBlocks& active = *piece<ActiveBlocks>(places().active);
  int const lane = thread() % 32;
  constexpr int each = mostBlocks / 32;
  Packet packet[each];
  pause(team_.patience);
  receiveFromBlocks<1>(headBox(tag, block() % boxCopies), team_.blocks, tag, ~0u, packet);
  int before = 0, activeBefore = 0;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    int const b = lane + 32 * e;
    int const count = b < team_.blocks ? static_cast<int>(packet[e].extra) : 0;
    int sum = count;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      int const other = __shfl_sync(~0u, sum, max(lane - distance, 0));
      if (lane >= distance) sum += other;
    }
    unsigned const some = __ballot_sync(~0u, count > 0);
    if (b < team_.blocks) active.start[b + 1] = before + sum;
    if (count > 0) active.block[activeBefore + __popc(some & ((1u << lane) - 1))] = b;
    before += __shfl_sync(~0u, sum, 31);
    activeBefore += __popc(some);
  }
  if (lane == 0) {
    active.start[0] = 0;
    active.blocks = activeBefore;
  }
}

// folded <- the sum of what the active blocks sent, in their order; a few shares of it at once.
template <class Kind>
__device__ void GridTeam<Kind>::receiveFolded(Tag tag) const {
  ActiveBlocks const& active = *piece<ActiveBlocks>(places().active);
  double* const folded = piece<double>(places().folded);
  double* const partial = piece<double>(places().partial);
  int const width = min((used_ + 31) / 32 * 32, teamThreads);
  int const shares = width > 0 ? teamThreads / width : 1;
  int const share = width > 0 ? thread() / width : 0;
#pragma unroll 1
  for (int begin = 0; begin < used_; begin += width) {
    int const l = begin + thread() % width;
    double sum = 0.0;
    if (share < shares) {
      constexpr int ahead = 4;
#pragma unroll 1
      for (int a = share; a < active.blocks; a += ahead * shares) {
        Packet packet[ahead];
        bool missing = true;
        for (unsigned polls = 0; __any_sync(~0u, missing); ++polls) {
          if (polls > mostPolls) __trap();
          missing = false;
#pragma unroll
          for (int e = 0; e < ahead; ++e) {
            int const from = active.block[min(a + e * shares, active.blocks - 1)];
            packet[e] =
                peek(foldBox(tag) + static_cast<std::size_t>(from) * t_.stride + min(l, used_ - 1));
          }
#pragma unroll
          for (int e = 0; e < ahead; ++e) missing = missing || packet[e].tag != tag;
        }
#pragma unroll
        for (int e = 0; e < ahead; ++e)
          if (a + e * shares < active.blocks) sum += numberOf(packet[e].number);
      }
    }
    partial[thread()] = sum;
    __syncthreads();
    if (share == 0 && l < used_) {
      for (int s = 1; s < shares; ++s) sum += partial[s * width + thread()];
      folded[l] = sum;
    }
    __syncthreads();
  }
  if (thread() < 4 * lanes) folded[used_ + thread()] = 0.0;  // see dots
  __syncthreads();
}

// Nonzeros begin, begin + 1, ... of g into shared memory; returns how many.
template <class Kind>
__device__ int GridTeam<Kind>::listActive(Tag tag, Side const& side, int begin, int total) const {
  int const length = min(listLength, total - begin);
  int const* const start = piece<ActiveBlocks>(places().active)->start;
  __syncthreads();
#pragma unroll 1
  for (int e = thread(); e < length; e += teamThreads) {
    int low = 0, high = team_.blocks;  // the block that sent nonzero begin + e
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      if (start[middle] <= begin + e)
        low = middle;
      else
        high = middle;
    }
    Packet const* const slot = activeBox(tag) + low * side.tile + begin + e - start[low];
    Packet packet = peek(slot);
    for (unsigned polls = 0; packet.tag != tag; ++polls) {
      if (polls > mostPolls) __trap();
      packet = peek(slot);
    }
    piece<int>(places().listPosition)[e] = static_cast<int>(packet.extra);
    piece<double>(places().listValue)[e] = numberOf(packet.number);
  }
  __syncthreads();
  return length;
}

// out_j = sum_i g_i T_ij for the own columns j: threads side by side take successive columns, so
// that a row of D is read in one piece; groups of them take every so many nonzeros.
template <class Kind>
__device__ __noinline__ int GridTeam<Kind>::combineRowsApart(double const* g, double* out) {
  Tag const tag = next_.product++;
  int const total = shareActive<Lines::rows>(tag, g);
  int const* const position = piece<int>(places().listPosition);
  double const* const value = piece<double>(places().listValue);
  double* const partial = piece<double>(places().partial);
  for (int first = 0; first < columnSide_.count; first += teamThreads) {
    int const width = min(teamThreads, columnSide_.count - first);
    int const shares = teamThreads / width, share = thread() / width, c = thread() % width;
    double const* const base = t_.base + columnSide_.first + first + c;
    double sum = 0.0;
    for (int begin = 0; begin < total; begin += listLength) {
      int const length = listActive(tag, rowSide_, begin, total);
      if (share >= shares) continue;
#pragma unroll 8
      for (int e = share; e < length; e += shares)
        sum = fma(value[e], __ldcg(base + static_cast<std::size_t>(position[e]) * t_.n), sum);
    }
    partial[thread()] = sum;
    __syncthreads();
    if (thread() < width) {
      double all = 0.0;
      for (int k = 0; k < shares; ++k) all += partial[k * width + thread()];
      out[columnSide_.first + first + thread()] =
          zeroed<Lines::columns>()[first + thread()] ? 0.0 : all;
    }
    __syncthreads();
  }
  products<Lines::columns>(piece<double>(places().folded),
                           [&](int j, double sum) { out[columnSide_.first + j] -= sum; });
  __syncthreads();
  return total;
}

// out_i = sum_j g_j T_ij for the own rows i, by the group that has the row.
template <class Kind>
__device__ __noinline__ int GridTeam<Kind>::combineColumnsApart(double const* g, double* out) {
  Tag const tag = next_.product++;
  int const total = shareActive<Lines::columns>(tag, g);
  int const* const position = piece<int>(places().listPosition);
  double const* const value = piece<double>(places().listValue);
  forRows([&](int i) { out[i] = 0.0; });
  for (int begin = 0; begin < total; begin += listLength) {
    int const length = listActive(tag, columnSide_, begin, total);
#pragma unroll 1
    for (int round = 0; round * groups < rowSide_.count; ++round) {
      int const i = round * groups + group();
      bool const any = i < rowSide_.count && !zeroed<Lines::rows>()[i];
      double const* const base = t_.base + static_cast<std::size_t>(rowSide_.first + i) * t_.n;
      double sum = 0.0;
#pragma unroll 8
      for (int e = lane(); e < (any ? length : 0); e += lanes)
        sum = fma(value[e], __ldcg(base + position[e]), sum);
#pragma unroll
      for (int distance = lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (i < rowSide_.count && lane() == round % lanes) out[rowSide_.first + i] += sum;
    }
  }
  __syncthreads();
  products<Lines::rows>(piece<double>(places().folded),
                        [&](int i, double sum) { out[rowSide_.first + i] -= sum; });
  __syncthreads();
  return total;
}

// Threads side by side take successive columns of those that have a direction. All rows are needed,
// whoever owns them: their state is read in memory, where nobody changes it before the first pivot,
// and lies in shared memory for some hundred rows at a time.
template <class Kind>
template <class DirectionOf, class BoundOf>
__device__ __noinline__ void GridTeam<Kind>::shortestStepsApart(DirectionOf directionOf,
                                                                BoundOf boundOf) const {
  constexpr int ahead = 8, rowsAtOnce = listLength / 3;
  double* const x = piece<double>(places().listValue);
  double *const lower = x + rowsAtOnce, *const upper = lower + rowsAtOnce;
  double* const partial = piece<double>(places().partial);
  int *const directions = piece<int>(places().listPosition), *const list = directions + teamThreads;
  double* const steps = columns().product + columnSide_.first;
  RowState const rows = t_.rows;
  std::int64_t const n = t_.n;
  int const m = t_.m;
  for (int first = 0; first < columnSide_.count; first += teamThreads) {
    int const width = min(teamThreads, columnSide_.count - first);
    if (thread() < width) directions[thread()] = directionOf(columnSide_.first + first + thread());
    __syncthreads();
    int total = 0, before = 0;
    for (int c = 0; c < width; ++c) {
      before += c < thread() && directions[c] != 0;
      total += directions[c] != 0;
    }
    if (thread() < width) {
      if (directions[thread()] != 0) list[before] = thread();
      steps[first + thread()] = rules::unlimited;
    }
    __syncthreads();
    if (total == 0) continue;
    int const shares = teamThreads / total, share = thread() / total;
    int const c = list[thread() % total], direction = directions[c];
    double const* const base = t_.base + columnSide_.first + first + c;
    double step = rules::unlimited;
#pragma unroll 1
    for (int begin = 0; begin < m; begin += rowsAtOnce) {
      int const length = min(rowsAtOnce, m - begin);
      for (int i = thread(); i < length; i += teamThreads) {
        x[i] = rows.value[begin + i];
        lower[i] = rows.lower[begin + i];
        upper[i] = rows.upper[begin + i];
      }
      __syncthreads();
#pragma unroll 1
      for (int i = share; i < (share < shares ? length : 0); i += ahead * shares) {
        double entry[ahead];
#pragma unroll
        for (int e = 0; e < ahead; ++e)
          entry[e] = __ldcg(base + (begin + min(i + e * shares, length - 1)) * n);
#pragma unroll
        for (int e = 0; e < ahead; ++e) {
          int const row = min(i + e * shares, length - 1);  // the last one may come more than once
          step = fmin(step, boundOf(x[row], lower[row], upper[row], direction * entry[e]));
        }
      }
      __syncthreads();
    }
    partial[thread()] = step;
    __syncthreads();
    if (thread() < total) {
      for (int k = 1; k < shares; ++k) step = fmin(step, partial[k * total + thread()]);
      steps[first + c] = step;
    }
    __syncthreads();
  }
}

}  // namespace osi_cuda::cuda
