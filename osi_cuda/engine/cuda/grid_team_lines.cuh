// SPDX-License-Identifier: EPL-2.0
// The team's state, the entering column and leaving row.
#pragma once

#include "osi_cuda/engine/cuda/grid_team_meet.cuh"

namespace osi_cuda::cuda {

template <class Kind>
__device__ GridTeam<Kind>::GridTeam(TableauView const& tableau, TeamView const& team, int used,
                                    Counters next)
    : t_(tableau),
      team_(team),
      used_(used),
      older_(Kind::wide ? used / team.sharedLines * team.sharedLines : 0),
      next_(next) {
  auto place = [](Side& side, int tile, int total) {
    side.tile = tile;
    side.total = total;
    side.first = min(block() * tile, total);
    side.count = min(tile, total - side.first);
  };
  place(rowSide_, team.rowTile, t_.m);
  place(columnSide_, team.columnTile, t_.n);
  for (int i = thread(); i < rowSide_.count; i += teamThreads) zeroed<Lines::rows>()[i] = 0;
  for (int j = thread(); j < columnSide_.count; j += teamThreads) zeroed<Lines::columns>()[j] = 0;
  // Looked at where a block has no lines.
  if (thread() == 0) piece<rules::Candidate>(places().candidates)[0] = {};
  takeState();
  takeFactors<Lines::rows>();
  takeFactors<Lines::columns>();
  __syncthreads();
}

// What is beyond the factors in use is read as well, times zero: it has to be a number.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::takeFactors() const {
  int const width = team_.sharedLines;
  if (thread() < tileEnd) newest<kind>()[side<kind>().count * width + thread()] = 0.0;
#pragma unroll 1
  for (int i = group(); i < side<kind>().count; i += groups)
#pragma unroll 1
    for (int l = lane(); l < width; l += lanes) {
      double const* const old = older<kind>() + static_cast<std::size_t>(i) * t_.stride + older();
      newest<kind>()[i * width + l] = older() + l < used_ ? old[l] : 0.0;
    }
}

/// Copies the newest `count` factors of the own lines to the older ones.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::flushFactors(int count) const {
#pragma unroll 1
  for (int i = group(); i < side<kind>().count; i += groups)
#pragma unroll 1
    for (int l = lane(); l < count; l += lanes)
      __stcg(older<kind>() + static_cast<std::size_t>(i) * t_.stride + older() + l,
             newest<kind>()[i * team_.sharedLines + l]);
}

/// The factors of an own line become zero; by its group.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::zeroFactors(int line) const {
  if (line < 0 || line >= side<kind>().count || line % groups != group()) return;
#pragma unroll 1
  for (int l = lane(); l < older(); l += lanes)
    __stcg(older<kind>() + static_cast<std::size_t>(line) * t_.stride + l, 0.0);
#pragma unroll 1
  for (int l = lane(); l < used_ - older(); l += lanes)
    newest<kind>()[line * team_.sharedLines + l] = 0.0;
}

/// Applies f(shared array, global array) to the arrays that a launch changes.
template <class F>
__device__ inline void forStateArrays(RowState const& own, RowState const& all, F f) {
  f(own.variable, all.variable);
  f(own.value, all.value);
  f(own.lower, all.lower);
  f(own.upper, all.upper);
  f(own.weight, all.weight);
}
template <class F>
__device__ inline void forStateArrays(ColumnState const& own, ColumnState const& all, F f) {
  f(own.variable, all.variable);
  f(own.value, all.value);
  f(own.lower, all.lower);
  f(own.upper, all.upper);
  f(own.weight, all.weight);
  f(own.reducedCost, all.reducedCost);
}

template <class Kind>
__device__ void GridTeam<Kind>::takeState() {
  if (Kind::inShared || team_.stateInShared) {
    RowState const row = rows();
    ColumnState const column = columns();
    forRows([&](int i) {
      forStateArrays(row, t_.rows, [i](auto* own, auto* all) { own[i] = all[i]; });
    });
    forColumns([&](int j) {
      forStateArrays(column, t_.columns, [j](auto* own, auto* all) { own[j] = all[j]; });
    });
  }
  if (!Kind::inShared && !team_.sketchInShared) return;
#pragma unroll 1
  for (int z = thread(); z < side<sketched>().count * t_.sketchSize; z += teamThreads)
    sketch()[z] = sketchInMemory()[z];
}

template <class Kind>
__device__ void GridTeam<Kind>::store() {
  __syncthreads();
  if (block() == 0 && thread() == 0) *t_.shiftCount = shifts_;
  flushFactors<Lines::rows>(used_ - older());
  flushFactors<Lines::columns>(used_ - older());
  if (Kind::inShared || team_.stateInShared) {
    RowState const row = rows();
    ColumnState const column = columns();
    forRows([&](int i) {
      forStateArrays(row, t_.rows, [i](auto* own, auto* all) { all[i] = own[i]; });
    });
    forColumns([&](int j) {
      forStateArrays(column, t_.columns, [j](auto* own, auto* all) { all[j] = own[j]; });
    });
  }
  if (!Kind::inShared && !team_.sketchInShared) return;
#pragma unroll 1
  for (int z = thread(); z < side<sketched>().count * t_.sketchSize; z += teamThreads)
    sketchInMemory()[z] = sketch()[z];
}

// ---- the entering column, the leaving row ------------------------------------------------------

// All warps but the first send a line: its header, factors and sketch.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::sendLine(int position, Tag tag,
                                         rules::Candidate const& chosen) const {
  constexpr bool isColumn = kind == Lines::columns;
  constexpr int chosenWords = LineHeader::chosenWords;
  int const line = position - side<kind>().first;
  int const withSketch = sketchLength<kind>();
  Packet* const payload = payloadOf<kind>(block(), tag);
  int const length = headerPackets + max(used_, withSketch);
  disturb(tag);
#pragma unroll 1
  for (int z = thread() - 32; z < length; z += teamThreads - 32) {
    double number = 0.0;
    std::uint32_t extra = 0;
    if (z < chosenWords) {
      number = reinterpret_cast<double const*>(&chosen)[z];
      if (z == 0)
        extra = static_cast<std::uint32_t>(isColumn ? columns().variable[position]
                                                    : rows().variable[position]);
      if (z == 1) extra = zeroed<kind>()[line] != 0 ? 1 : 0;
    } else if (z < headerPackets) {
      auto const pick = [&](auto const& state) {
        return z == chosenWords       ? state.lower[position]
               : z == chosenWords + 1 ? state.upper[position]
               : z == chosenWords + 2 ? state.value[position]
                                      : state.weight[position];
      };
      if constexpr (isColumn)
        number = pick(columns());
      else
        number = pick(rows());
    } else {
      int const l = z - headerPackets;
      if (l < older())
        number = __ldcg(older<kind>() + static_cast<std::size_t>(line) * t_.stride + l);
      else if (l < used_)
        number = newest<kind>()[line * team_.sharedLines + l - older()];
      if (l < withSketch)
        extra = __float_as_uint(sketch()[static_cast<std::size_t>(line) * t_.sketchSize + l]);
    }
    send(payload + z, static_cast<std::uint64_t>(__double_as_longlong(number)), extra, tag);
  }
  __syncwarp();
}

template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class Afterwards>
__device__ void GridTeam<Kind>::receiveLine(int from, Tag tag, Afterwards afterwards) const {
  Packet const* const payload = payloadOf<kind>(from, tag);
  int const withSketch = sketchLength<kind>();
  int const total = headerPackets + max(used_, withSketch);
  auto* const factors = piece<double>(line<kind>().factors);
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
      LineHeader& h = header<kind>();
      reinterpret_cast<double*>(&h)[z] = number;
      h.extra[z] = extra;
      continue;
    }
    if (l < used_) factors[l] = number;
    if (l < withSketch) piece<float>(line<kind>().sketch)[l] = __int_as_float(extra);
  }
  if (thread() < 2 * 2 * lanes) factors[used_ + thread()] = 0.0;  // see dots
}

// A line that did not come with a candidate: its owner sends it.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::fetchLine(int position) {
  __syncthreads();
  Tag const tag = next_.line++;
  int const owner = position / side<kind>().tile;
  if (block() == owner && thread() >= 32)
    sendLine<kind>(position, tag, piece<rules::Candidate>(places().candidates)[0]);
  receiveLine<kind>(owner, tag, [] {});
  __syncthreads();
}

// Sums of a thread's share, for the own lines begin + group, begin + group + groups, ... at once;
// where there are none the group's first one is repeated. The order of a sum is that of the
// factors, wherever they are.
template <class Kind>
template <typename GridTeam<Kind>::Lines kind, int rounds>
__device__ void GridTeam<Kind>::dots(int begin, double const* coefficients,
                                     double (&sum)[rounds]) const {
  double2 part[rounds];
  int index[rounds];
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    part[r] = make_double2(0.0, 0.0);
    int const line = begin + r * groups + group();
    index[r] = line < side<kind>().count ? line : begin + group();
  }
  bool const any = begin + group() < side<kind>().count;  // groups without a line read nothing
  auto const add = [&](double2 f, double2 c, double2& to) {
    to.x = fma(f.x, c.x, to.x);
    to.y = fma(f.y, c.y, to.y);
  };
  constexpr int step = 2 * lanes;
  if constexpr (Kind::wide) {
    double const* const old = older<kind>();
#pragma unroll 2
    for (int l = 2 * lane(); l < (any ? older() : 0); l += step) {
      double2 const c = *reinterpret_cast<double2 const*>(coefficients + l);
#pragma unroll
      for (int r = 0; r < rounds; ++r)
        add(__ldcg(reinterpret_cast<double2 const*>(
                old + static_cast<std::size_t>(index[r]) * t_.stride + l)),
            c, part[r]);
    }
  }
  // Two steps at a time: behind the factors in use there are zeros (see receiveLine).
  auto const* near = reinterpret_cast<double2 const*>(newest<kind>()) + lane();
  auto const* factor = reinterpret_cast<double2 const*>(coefficients + older()) + lane();
#pragma unroll 1
  for (int l = 0; l < (any ? used_ - older() : 0); l += 2 * step, factor += step, near += step) {
    double2 const first = factor[0], second = factor[lanes];
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      double2 const* const own = near + index[r] * (team_.sharedLines / 2);
      add(own[0], first, part[r]);
      add(own[lanes], second, part[r]);
    }
  }
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    sum[r] = part[r].x + part[r].y;
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      sum[r] += __shfl_xor_sync(~0u, sum[r], distance);
  }
}

// take(i, sum over l of factor l of own line i times coefficient l), by the owner of line i
template <class Kind>
template <typename GridTeam<Kind>::Lines kind, class Take>
__device__ void GridTeam<Kind>::products(double const* coefficients, Take take) const {
  int const count = side<kind>().count;
  if (count == 0) return;
  if (!Kind::wide || count <= groups) {
    double sum[1];
    dots<kind>(0, coefficients, sum);
    if (lane() == 0 && group() < count) take(group(), sum[0]);
  } else {
    constexpr int rounds = 4;
#pragma unroll 1
    for (int first = 0; first * groups < count; first += rounds) {
      double sum[rounds];
      dots<kind>(first * groups, coefficients, sum);
      double own = sum[0];
      int const r = (lane() - first % lanes + lanes) % lanes;  // the round that this thread takes
#pragma unroll
      for (int s = 1; s < rounds; ++s) own = r == s ? sum[s] : own;
      int const i = (first + r) * groups + group();
      if (r < rounds && i < count) take(i, own);
    }
  }
  __syncwarp();
}

// entries = D's line - (other side's factors) (the line's factors)
template <class Kind>
template <typename GridTeam<Kind>::Lines kind>
__device__ void GridTeam<Kind>::takeLine(int position, Offer& offer, double* entries) {
  constexpr Lines other = kind == Lines::columns ? Lines::rows : Lines::columns;
  int const own = ownFirst();
  if (offer.position != position) {  // it did not come with a candidate
    if (side<other>().total > 0)
      offer.entry = __ldcg(entryOf<kind>(position, min(own, side<other>().count - 1)));
    apart([&](GridTeam& team) { team.template fetchLine<kind>(position); });
  }
  bool const lineZeroed = header<kind>().zeroed();
  double const entry = offer.entry;
  products<other>(piece<double>(line<kind>().factors), [&](int i, double sum) {
    double const d = lineZeroed || zeroed<other>()[i]
                         ? 0.0
                         : (i == own ? entry : __ldcg(entryOf<kind>(position, i)));
    entries[side<other>().first + i] = d - sum;
  });
}

template <class Kind>
__device__ void GridTeam<Kind>::column(int q) {
  takeLine<Lines::columns>(q, columnOffer_, rows().entry);
}

template <class Kind>
__device__ void GridTeam<Kind>::row(int r) {
  takeLine<Lines::rows>(r, rowOffer_, columns().entry);
}

}  // namespace osi_cuda::cuda
