// SPDX-License-Identifier: EPL-2.0
// The team's state, the entering column and leaving row, the exchange and the sketches.
#pragma once

#include "osi_cuda/engine/cuda/grid_team_meet.cuh"

namespace osi_cuda::cuda {

__device__ inline GridTeam::GridTeam(TableauView const& tableau, TeamView const& team,
                                     Algorithm algorithm, char* shared, int used, Counters next)
    : t_(tableau),
      team_(team),
      rows_(tableau.rows),
      columns_(tableau.columns),
      algorithm_(algorithm),
      used_(used),
      older_(used / team.sharedLines * team.sharedLines),
      next_(next) {
  Arena arena(shared);
  shared_ = takePieces(arena, tableau, team, algorithm);
  auto place = [](Side& side, int tile, int total) {
    side.tile = tile;
    side.total = total;
    side.first = min(block() * tile, total);
    side.count = min(tile, total - side.first);
  };
  place(rowSide_, team.rowTile, t_.m);
  place(columnSide_, team.columnTile, t_.n);
  rowSide_.factors = t_.u + static_cast<std::size_t>(rowSide_.first) * t_.stride;
  columnSide_.factors = t_.v + static_cast<std::size_t>(columnSide_.first) * t_.stride;
  rowSide_.newest = shared_.uTile;
  columnSide_.newest = shared_.vTile;
  rowSide_.zeroed = shared_.rowZeroed;
  columnSide_.zeroed = shared_.columnZeroed;
  for (int i = thread(); i < rowSide_.count; i += teamThreads) shared_.rowZeroed[i] = 0;
  for (int j = thread(); j < columnSide_.count; j += teamThreads) shared_.columnZeroed[j] = 0;
  if (thread() == 0) {
    *shared_.flag = 0;
    // The host's wish to stop may be older than the launch: the first meeting tells it.
    interrupted_ = block() == 0 && *team_.interrupt != 0;
    shared_.column.header->chosen = shared_.row.header->chosen = {};
  }
  takeState();
  takeFactors(rowSide_);
  takeFactors(columnSide_);
  __syncthreads();
}

// What is beyond the factors in use is read as well, times zero: it has to be a number.
__device__ inline void GridTeam::takeFactors(Side const& side) {
  int const width = team_.sharedLines;
#pragma unroll 1
  for (int i = group(); i < side.count; i += groups)
    for (int l = lane(); l < width; l += lanes) {
      double const* const old = side.factors + static_cast<std::size_t>(i) * t_.stride + older_;
      side.newest[i * width + l] = older_ + l < used_ ? old[l] : 0.0;
    }
}

/// Copies the newest `count` factors of the own lines to the older ones.
__device__ inline void GridTeam::flushFactors(Side const& side, int count) const {
#pragma unroll 1
  for (int i = group(); i < side.count; i += groups)
    for (int l = lane(); l < count; l += lanes)
      __stcg(side.factors + static_cast<std::size_t>(i) * t_.stride + older_ + l,
             side.newest[i * team_.sharedLines + l]);
}

/// The factors of an own line become zero; by its group.
__device__ inline void GridTeam::zeroFactors(Side const& side, int line) const {
  if (line < 0 || line >= side.count || line % groups != group()) return;
#pragma unroll 1
  for (int l = lane(); l < older_; l += lanes)
    __stcg(side.factors + static_cast<std::size_t>(line) * t_.stride + l, 0.0);
#pragma unroll 1
  for (int l = lane(); l < used_ - older_; l += lanes)
    side.newest[line * team_.sharedLines + l] = 0.0;
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

// Arrays in shared memory are addressed by position like those in device memory: their addresses
// are moved back by the block's first position.
__device__ inline void GridTeam::takeState() {
  if (team_.stateInShared) {
    // No loop over members' addresses: they would have to live in memory instead of registers.
    auto const row = [&](int k) { return shared_.rowNumbers + k * team_.rowTile - rowSide_.first; };
    auto const column = [&](int k) {
      return shared_.columnNumbers + k * team_.columnTile - columnSide_.first;
    };
    rows_ = {shared_.rowVariable - rowSide_.first,
             row(0),
             row(1),
             row(2),
             row(3),
             row(4),
             row(5),
             row(6)};
    columns_ = {shared_.columnVariable - columnSide_.first,
                column(0),
                column(1),
                column(2),
                column(3),
                column(4),
                column(5),
                column(6),
                column(7)};
    forRows([&](int i) {
      forStateArrays(rows_, t_.rows, [i](auto* own, auto* all) { own[i] = all[i]; });
    });
    forColumns([&](int j) {
      forStateArrays(columns_, t_.columns, [j](auto* own, auto* all) { own[j] = all[j]; });
    });
  }
  bool const primal = algorithm_ == Algorithm::primal;
  Side const side = primal ? columnSide_ : rowSide_;
  sketch_ = (primal ? t_.columnSketch : t_.rowSketch) +
            static_cast<std::size_t>(side.first) * static_cast<std::size_t>(t_.sketchSize);
  if (!team_.sketchInShared) return;
  for (int z = thread(); z < side.count * t_.sketchSize; z += teamThreads)
    shared_.sketch[z] = sketch_[z];
  sketch_ = shared_.sketch;
}

__device__ inline void GridTeam::store() {
  __syncthreads();
  flushFactors(rowSide_, used_ - older_);
  flushFactors(columnSide_, used_ - older_);
  if (team_.stateInShared) {
    forRows([&](int i) {
      forStateArrays(rows_, t_.rows, [i](auto* own, auto* all) { all[i] = own[i]; });
    });
    forColumns([&](int j) {
      forStateArrays(columns_, t_.columns, [j](auto* own, auto* all) { all[j] = own[j]; });
    });
  }
  if (!team_.sketchInShared) return;
  bool const primal = algorithm_ == Algorithm::primal;
  Side const side = primal ? columnSide_ : rowSide_;
  float* const all = (primal ? t_.columnSketch : t_.rowSketch) +
                     static_cast<std::size_t>(side.first) * static_cast<std::size_t>(t_.sketchSize);
  for (int z = thread(); z < side.count * t_.sketchSize; z += teamThreads) all[z] = sketch_[z];
}

// ---- the entering column, the leaving row ------------------------------------------------------

// Lane z of a warp sends packet z of what is known of a line's variable.
template <GridTeam::Lines kind>
__device__ inline void GridTeam::sendHeader(int position, Tag tag,
                                            rules::Candidate const& chosen) const {
  constexpr bool columns = kind == Lines::columns;
  int const z = thread() % 32, line = position - side<kind>().first;
  double number = 0.0;
  int extra = 0;
  if (z == 0) {
    number = columns ? columns_.lower[position] : rows_.lower[position];
    extra = columns ? columns_.variable[position] : rows_.variable[position];
  } else if (z == 1) {
    number = columns ? columns_.upper[position] : rows_.upper[position];
    extra = side<kind>().zeroed[line];
  } else if (z == 2) {
    number = columns ? columns_.weight[position] : rows_.weight[position];
    extra = chosen.position;
  } else if (z == 3) {
    number = columns ? columns_.value[position] : rows_.value[position];
    extra = chosen.side;
  } else if (z == 4) {
    number = chosen.entry;
    extra = static_cast<int>(chosen.tie);
  } else if (z == 5) {
    number = chosen.ratio;
  } else if (z == 6) {
    number = chosen.target;
  } else if (z == 7) {
    number = chosen.key;
  } else if (z == 8) {
    number = chosen.slope;
  }
  static_assert(headerPackets == 9);
  if (z < headerPackets)
    send(payloadOf<kind>(block()) + z, static_cast<std::uint64_t>(__double_as_longlong(number)),
         static_cast<std::uint32_t>(extra), tag);
  __syncwarp();
}

// The threads from firstThread on send a line's factors and its sketch.
template <GridTeam::Lines kind>
__device__ inline void GridTeam::sendFactors(int position, Tag tag, int firstThread) const {
  int const line = position - side<kind>().first;
  double const* const old = side<kind>().factors + static_cast<std::size_t>(line) * t_.stride;
  double const* const newest = side<kind>().newest + line * team_.sharedLines;
  int const withSketch = sketchLength<kind>();
  float const* const sketch = sketch_ + static_cast<std::size_t>(line) * t_.sketchSize;
  Packet* const payload = payloadOf<kind>(block()) + headerPackets;
  int const length = max(used_, withSketch);
#pragma unroll 1
  for (int l = thread() - firstThread; l < length; l += teamThreads - firstThread) {
    double number = 0.0;
    if (l < older_)
      number = __ldcg(old + l);
    else if (l < used_)
      number = newest[l - older_];
    std::uint32_t const extra = l < withSketch ? __float_as_uint(sketch[l]) : 0;
    send(payload + l, static_cast<std::uint64_t>(__double_as_longlong(number)), extra, tag);
  }
  __syncwarp();
}

template <GridTeam::Lines kind>
__device__ inline void GridTeam::receiveLine(int from, Tag tag) const {
  Line const& target = line<kind>();
  Packet const* const payload = payloadOf<kind>(from);
  int const withSketch = sketchLength<kind>();
  int const total = headerPackets + max(used_, withSketch);
#pragma unroll 1
  for (int base = thread() - thread() % 32; base < total; base += teamThreads) {
    int const z = base + thread() % 32;
    Packet only[1];
    receiveAll(payload + min(z, total - 1), tag, only);
    if (z >= total) continue;
    double const number = __longlong_as_double(static_cast<long long>(only[0].number));
    auto const extra = static_cast<int>(only[0].extra);
    int const l = z - headerPackets;
    if (l >= 0) {
      if (l < used_) target.factors[l] = number;
      if (l < withSketch) target.sketch[l] = __int_as_float(extra);
      continue;
    }
    Line::Header& h = *target.header;
    if (z == 0) {
      h.lower = number;
      h.variable = h.chosen.variable = extra;
    } else if (z == 1) {
      h.upper = number;
      h.zeroed = extra;
    } else if (z == 2) {
      h.weight = number;
      h.chosen.position = extra;
    } else if (z == 3) {
      h.value = h.chosen.value = number;
      h.chosen.side = extra;
    } else if (z == 4) {
      h.chosen.entry = number;
      h.chosen.tie = static_cast<std::uint32_t>(extra);
    } else if (z == 5) {
      h.chosen.ratio = number;
    } else if (z == 6) {
      h.chosen.target = number;
    } else if (z == 7) {
      h.chosen.key = number;
    } else {
      h.chosen.slope = number;
    }
  }
  if (thread() == 0) target.factors[used_] = 0.0;  // sums go by twos
}

// Sums of a thread's share, for the own lines begin + group, begin + group + groups, ... at once;
// lines beyond the side repeat its last one. The order of a sum is that of the factors, wherever
// they are.
template <int rounds>
__device__ inline void GridTeam::dots(Side const& side, int begin, double const* coefficients,
                                      double (&sum)[rounds]) const {
  double2 part[rounds];
  int index[rounds];
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    part[r] = make_double2(0.0, 0.0);
    index[r] = min(begin + r * groups + group(), side.count - 1);
  }
  auto const add = [&](double2 f, double2 c, double2& to) {
    to.x = fma(f.x, c.x, to.x);
    to.y = fma(f.y, c.y, to.y);
  };
  if (older_ > 0) {
#pragma unroll 4
    for (int l = 2 * lane(); l < older_; l += 2 * lanes) {
      double2 const c = *reinterpret_cast<double2 const*>(coefficients + l);
#pragma unroll
      for (int r = 0; r < rounds; ++r)
        add(__ldcg(reinterpret_cast<double2 const*>(
                side.factors + static_cast<std::size_t>(index[r]) * t_.stride + l)),
            c, part[r]);
    }
  }
  int const newest = used_ - older_;
#pragma unroll 4
  for (int l = 2 * lane(); l < newest; l += 2 * lanes) {
    double2 const c = *reinterpret_cast<double2 const*>(coefficients + older_ + l);
#pragma unroll
    for (int r = 0; r < rounds; ++r)
      add(*reinterpret_cast<double2 const*>(side.newest + index[r] * team_.sharedLines + l), c,
          part[r]);
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
template <class Take>
__device__ inline void GridTeam::products(Side const& side, double const* coefficients,
                                          Take take) const {
  if (side.count == 0) return;
  if (side.count <= groups) {
    double sum[1];
    dots(side, 0, coefficients, sum);
    if (lane() == 0 && group() < side.count) take(group(), sum[0]);
  } else {
    constexpr int rounds = 4;
#pragma unroll 1
    for (int first = 0; first * groups < side.count; first += rounds) {
      double sum[rounds];
      dots(side, first * groups, coefficients, sum);
#pragma unroll
      for (int r = 0; r < rounds; ++r) {
        int const i = (first + r) * groups + group();
        if (lane() == (first + r) % lanes && i < side.count) take(i, sum[r]);
      }
    }
  }
  __syncwarp();
}

// entries = D's line - (other side's factors) (the line's factors)
template <GridTeam::Lines kind>
__device__ inline void GridTeam::takeLine(Side const& other, int position, Offer const& offer,
                                          double* entries) {
  int const own = ownFirst();
  bool const offered = offer.position == position;  // it came with the candidate
  double first = offer.entry;
  if (!offered) {
    __syncthreads();
    Tag const tag = next_.tag++;
    int const owner = position / side<kind>().tile, warp = thread() / 32;
    if (block() == owner) {
      if (warp == 0)
        sendHeader<kind>(position, tag, {});
      else
        sendFactors<kind>(position, tag, 32);
    }
    if (own < other.count) first = __ldcg(entryOf<kind>(position, own));
    receiveLine<kind>(owner, tag);
    __syncthreads();
  }
  bool const zeroed = line<kind>().header->zeroed != 0;
  products(other, line<kind>().factors, [&](int i, double sum) {
    double const d =
        zeroed || other.zeroed[i] ? 0.0 : (i == own ? first : __ldcg(entryOf<kind>(position, i)));
    entries[other.first + i] = d - sum;
  });
}

__device__ inline void GridTeam::column(int q) {
  takeLine<Lines::columns>(rowSide_, q, columnOffer_, rows_.entry);
}

__device__ inline void GridTeam::row(int r) {
  takeLine<Lines::rows>(columnSide_, r, rowOffer_, columns_.entry);
}

// D's row r and column q become zero, as do their lines of U and V; then a line is appended.
__device__ inline void GridTeam::exchange(Exchange const& x) {
  Line::Header const &entering = *shared_.column.header, &leaving = *shared_.row.header;
  int const last = used_ - older_, width = team_.sharedLines;
  zeroFactors(rowSide_, x.row - rowSide_.first);
  zeroFactors(columnSide_, x.column - columnSide_.first);
  forRows([&](int i) {
    int const own = i - rowSide_.first;
    __stcg(t_.base + static_cast<std::size_t>(i) * t_.n + x.column, 0.0);
    rowSide_.newest[own * width + last] = i == x.row ? -1.0 : rows_.entry[i];
    if (i != x.row) return;
    rowSide_.zeroed[own] = 1;
    rows_.variable[i] = entering.variable;
    rows_.lower[i] = entering.lower;
    rows_.upper[i] = entering.upper;
    rows_.value[i] = x.enteringValue;
  });
  forColumns([&](int j) {
    int const own = j - columnSide_.first;
    __stcg(t_.base + static_cast<std::size_t>(x.row) * t_.n + j, 0.0);
    columnSide_.newest[own * width + last] =
        j == x.column ? x.inverse : columns_.entry[j] * x.inverse;
    if (j != x.column) return;
    columnSide_.zeroed[own] = 1;
    columns_.variable[j] = leaving.variable;
    columns_.lower[j] = leaving.lower;
    columns_.upper[j] = leaving.upper;
    columns_.value[j] = x.leavingValue;
  });
  ++used_;
  columnOffer_.position = rowOffer_.position = -1;  // what was sent is out of date
  if (used_ - older_ < width) return;
  __syncwarp();
  flushFactors(rowSide_, width);
  flushFactors(columnSide_, width);
  older_ = used_;
}

// ---- sketches ----------------------------------------------------------------------------------

/// Signs l..l+3 of constraint (or row) i.
__device__ inline float4 GridTeam::signs(int l, int i) const {
  std::uint64_t const bits = rules::signBits(l >> 6, i) >> (l & 63);
  return make_float4(bits & 1 ? 1.0f : -1.0f, bits & 2 ? 1.0f : -1.0f, bits & 4 ? 1.0f : -1.0f,
                     bits & 8 ? 1.0f : -1.0f);
}

/// Calls update(z, l) for the entries l..l+3 of each own sketch line, lines dealt to groups of
/// `lanes` threads, and hands the sum of squares to weigh(i, sum).
template <int lanes, class Update, class Weigh>
__device__ inline void forSketchLines(int count, int size, float* sketch, Update update,
                                      Weigh weigh) {
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  int const group = static_cast<int>(threadIdx.x) / lanes;
  constexpr int groups = teamThreads / lanes;
  __syncwarp();
#pragma unroll 1
  for (int round = 0; round * groups < count; ++round) {
    int const i = round * groups + group;
    double sum = 0.0;
    if (i < count) {
      for (int l = 4 * lane; l < size; l += 4 * lanes) {
        float4* const entry =
            reinterpret_cast<float4*>(sketch + static_cast<std::size_t>(i) * size + l);
        float4 const z = update(*entry, i, l);
        *entry = z;
        sum += static_cast<double>(z.x * z.x) + static_cast<double>(z.y * z.y) +
               static_cast<double>(z.z * z.z) + static_cast<double>(z.w * z.w);
      }
    }
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == round % lanes && i < count) weigh(i, sum);
  }
}

// Z_j <- Z_j - (S u - S_r) v_j / alpha,  Z_q <- -(S u - (alpha + 1) S_r) / alpha,  S u = Z_q
__device__ inline void GridTeam::updateColumnSketch(Exchange const& x) {
  auto const alpha = static_cast<float>(x.alpha);
  auto const inverse = static_cast<float>(x.inverse);
  float const* const sums = shared_.column.sketch;
  auto update = [&](float4 z, int i, int l) {
    int const j = columnSide_.first + i;
    float4 const sign = signs(l, x.row);
    float4 const sum = *reinterpret_cast<float4 const*>(sums + l);
    if (j == x.column)
      return make_float4(-(sum.x - (alpha + 1.0f) * sign.x) * inverse,
                         -(sum.y - (alpha + 1.0f) * sign.y) * inverse,
                         -(sum.z - (alpha + 1.0f) * sign.z) * inverse,
                         -(sum.w - (alpha + 1.0f) * sign.w) * inverse);
    auto const ratio = static_cast<float>(columns_.entry[j] * x.inverse);
    return make_float4(z.x + (sign.x - sum.x) * ratio, z.y + (sign.y - sum.y) * ratio,
                       z.z + (sign.z - sum.z) * ratio, z.w + (sign.w - sum.w) * ratio);
  };
  auto weigh = [&](int i, double squares) {
    columns_.weight[columnSide_.first + i] = 1.0 + squares / t_.sketchSize;
  };
  forSketchLines<lanes>(columnSide_.count, t_.sketchSize, sketch_, update, weigh);
  __syncwarp();
}

// W_r <- W_r / alpha,  W_i <- W_i - u_i W_r
__device__ inline void GridTeam::updateRowSketch(Exchange const& x) {
  auto const inverse = static_cast<float>(x.inverse);
  float const* const pivotRow = shared_.row.sketch;
  auto update = [&](float4 w, int i, int l) {
    float4 const p = *reinterpret_cast<float4 const*>(pivotRow + l);
    float4 const scaled = make_float4(p.x * inverse, p.y * inverse, p.z * inverse, p.w * inverse);
    if (rowSide_.first + i == x.row) return scaled;
    auto const u = static_cast<float>(rows_.entry[rowSide_.first + i]);
    return make_float4(w.x - u * scaled.x, w.y - u * scaled.y, w.z - u * scaled.z,
                       w.w - u * scaled.w);
  };
  auto weigh = [&](int i, double squares) {
    double const weight = squares / t_.sketchSize;
    rows_.weight[rowSide_.first + i] = weight > 1e-4 ? weight : 1e-4;
  };
  forSketchLines<lanes>(rowSide_.count, t_.sketchSize, sketch_, update, weigh);
  __syncwarp();
}

}  // namespace osi_cuda::cuda
