// SPDX-License-Identifier: EPL-2.0
// The team's state, the entering column and leaving row, the exchange and the sketches.
#pragma once

#include "osi_cuda/engine/cuda/grid_team.cuh"

namespace osi_cuda::cuda {

__device__ inline GridTeam::GridTeam(TableauView const& tableau, TeamView const& team,
                                     Algorithm algorithm, char* shared, int used, Tag tag)
    : t_(tableau),
      team_(team),
      rows_(tableau.rows),
      columns_(tableau.columns),
      algorithm_(algorithm),
      used_(used),
      firstTag_(tag),
      tag_(tag) {
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
  rowSide_.zeroed = shared_.rowZeroed;
  columnSide_.zeroed = shared_.columnZeroed;
  for (int i = thread(); i < rowSide_.count; i += teamThreads) shared_.rowZeroed[i] = 0;
  for (int j = thread(); j < columnSide_.count; j += teamThreads) shared_.columnZeroed[j] = 0;
  if (thread() == 0) *shared_.flag = 0;
  takeState();
  __syncthreads();
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

// A block sends one of its lines, by its threads from firstThread on.
template <GridTeam::Lines kind>
__device__ inline void GridTeam::sendLine(int position, Tag tag, int firstThread) const {
  constexpr bool columns = kind == Lines::columns;
  Side const side = columns ? columnSide_ : rowSide_;
  int const line = position - side.first;
  double const* const factors = side.factors + static_cast<std::size_t>(line) * t_.stride;
  int const withSketch = sketchLength<kind>();
  float const* const sketch = sketch_ + static_cast<std::size_t>(line) * t_.sketchSize;
  Packet* const payload = payloadOf<kind>(position);
  int const length = headerPackets + max(used_, withSketch);
#pragma unroll 1
  for (int z = thread() - firstThread; z < length; z += teamThreads - firstThread) {
    int const l = z - headerPackets;
    double number = 0.0;
    std::uint32_t extra = 0;
    if (z == 0) {
      number = columns ? columns_.lower[position] : rows_.lower[position];
      extra = static_cast<std::uint32_t>(columns ? columns_.variable[position]
                                                 : rows_.variable[position]);
    } else if (z == 1) {
      number = columns ? columns_.upper[position] : rows_.upper[position];
      extra = static_cast<std::uint32_t>(side.zeroed[line]);
    } else if (z == 2) {
      number = columns ? columns_.weight[position] : rows_.weight[position];
    } else if (z == 3) {
      number = columns ? columns_.value[position] : rows_.value[position];
    } else {
      if (l < used_) number = factors[l];
      if (l < withSketch) extra = __float_as_uint(sketch[l]);
    }
    send(payload + z, static_cast<std::uint64_t>(__double_as_longlong(number)), extra, tag);
  }
}

template <GridTeam::Lines kind>
__device__ inline void GridTeam::receiveLine(Line const& line, int position, Tag tag) const {
  Packet const* const payload = payloadOf<kind>(position);
  int const withSketch = sketchLength<kind>();
  int const length = max(used_, withSketch);
  int const total = headerPackets + length;
#pragma unroll 1
  for (int base = thread() - thread() % 32; base < total; base += teamThreads) {
    int const z = base + thread() % 32;
    Packet only[1];
    receiveAll(payload + min(z, total - 1), tag, only);
    Packet const p = only[0];
    if (z >= total) continue;
    double const number = __longlong_as_double(static_cast<long long>(p.number));
    int const l = z - headerPackets;
    if (z == 0) {
      line.header->lower = number;
      line.header->variable = static_cast<int>(p.extra);
    } else if (z == 1) {
      line.header->upper = number;
      line.header->zeroed = static_cast<int>(p.extra);
    } else if (z == 2) {
      line.header->weight = number;
    } else if (z == 3) {
      line.header->value = number;
    } else {
      if (l < used_) line.factors[l] = number;
      if (l < withSketch) line.sketch[l] = __uint_as_float(p.extra);
    }
  }
  if (thread() == 0) line.factors[used_] = 0.0;  // sums go by twos
}

// entries[i] -= sum_l factors[i, l] coefficients[l] for the own positions i of a side
__device__ inline void GridTeam::subtractProducts(Side const& side, double const* coefficients,
                                                  double* entries) const {
  int const lane = thread() % lanes;
  int const rounds = (side.count + teamThreads / lanes - 1) / (teamThreads / lanes);
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    int const i = round * (teamThreads / lanes) + thread() / lanes;
    double2 sum = make_double2(0.0, 0.0);
    if (i < side.count) {
      double const* const factors = side.factors + static_cast<std::size_t>(i) * t_.stride;
#pragma unroll 4
      for (int l = 2 * lane; l < used_; l += 2 * lanes) {
        double2 const f = *reinterpret_cast<double2 const*>(factors + l);
        double2 const c = *reinterpret_cast<double2 const*>(coefficients + l);
        sum.x = fma(f.x, c.x, sum.x);
        sum.y = fma(f.y, c.y, sum.y);
      }
    }
    double total = sum.x + sum.y;
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      total += __shfl_xor_sync(~0u, total, distance);
    if (lane == 0 && i < side.count) entries[side.first + i] -= total;
  }
}

__device__ inline void GridTeam::column(int q) {
  // Sent already by the block whose candidate it was, or now by its owner.
  bool const offered = columnOffer_.position == q;
  Tag const tag = offered ? columnOffer_.tag : tag_++;
  if (!offered && block() == q / columnSide_.tile) sendLine<Lines::columns>(q, tag, 0);
  auto const entryAt = [&](int i) {
    return __ldcg(t_.base + static_cast<std::size_t>(rowSide_.first + i) * t_.n + q);
  };
  int const own = thread();
  double const first =
      own < rowSide_.count ? entryAt(own) : 0.0;  // on its way while the payload is
  receiveLine<Lines::columns>(shared_.column, q, tag);
  __syncthreads();
  bool const zeroed = shared_.column.header->zeroed != 0;
#pragma unroll 1
  for (int i = own; i < rowSide_.count; i += teamThreads)
    rows_.entry[rowSide_.first + i] =
        zeroed || rowSide_.zeroed[i] ? 0.0 : (i == own ? first : entryAt(i));
  __syncthreads();
  subtractProducts(rowSide_, shared_.column.factors, rows_.entry);
  __syncthreads();
}

__device__ inline void GridTeam::row(int r) {
  // Sent already by the block whose candidate it was, or now by its owner.
  bool const offered = rowOffer_.position == r;
  Tag const tag = offered ? rowOffer_.tag : tag_++;
  if (!offered && block() == r / rowSide_.tile) sendLine<Lines::rows>(r, tag, 0);
  auto const entryAt = [&](int i) {
    return __ldcg(t_.base + static_cast<std::size_t>(r) * t_.n + columnSide_.first + i);
  };
  int const own = thread();
  double const first =
      own < columnSide_.count ? entryAt(own) : 0.0;  // on its way while the payload is
  receiveLine<Lines::rows>(shared_.row, r, tag);
  __syncthreads();
  bool const zeroed = shared_.row.header->zeroed != 0;
#pragma unroll 1
  for (int i = own; i < columnSide_.count; i += teamThreads)
    columns_.entry[columnSide_.first + i] =
        zeroed || columnSide_.zeroed[i] ? 0.0 : (i == own ? first : entryAt(i));
  __syncthreads();
  subtractProducts(columnSide_, shared_.row.factors, columns_.entry);
  __syncthreads();
}

// D's row r and column q become zero, as do their lines of U and V; then a line is appended.
__device__ inline void GridTeam::exchange(Exchange const& x) {
  __syncthreads();  // all have read what changes now
  Line::Header const entering = *shared_.column.header, leaving = *shared_.row.header;
  int const r = x.row - rowSide_.first, q = x.column - columnSide_.first;
  bool const ownsRow = r >= 0 && r < rowSide_.count, ownsColumn = q >= 0 && q < columnSide_.count;
  if (ownsRow)
    for (int l = thread(); l < used_; l += teamThreads)
      rowSide_.factors[static_cast<std::size_t>(r) * t_.stride + l] = 0.0;
  if (ownsColumn)
    for (int l = thread(); l < used_; l += teamThreads)
      columnSide_.factors[static_cast<std::size_t>(q) * t_.stride + l] = 0.0;
  forRows([&](int i) {
    __stcg(t_.base + static_cast<std::size_t>(i) * t_.n + x.column, 0.0);
    double* const last = t_.u + static_cast<std::size_t>(i) * t_.stride + used_;
    *last = i == x.row ? -1.0 : rows_.entry[i];
    if (i != x.row) return;
    rowSide_.zeroed[r] = 1;
    rows_.variable[i] = entering.variable;
    rows_.lower[i] = entering.lower;
    rows_.upper[i] = entering.upper;
    rows_.value[i] = x.enteringValue;
  });
  forColumns([&](int j) {
    __stcg(t_.base + static_cast<std::size_t>(x.row) * t_.n + j, 0.0);
    double* const last = t_.v + static_cast<std::size_t>(j) * t_.stride + used_;
    *last = j == x.column ? 1.0 / x.alpha : columns_.entry[j] / x.alpha;
    if (j != x.column) return;
    columnSide_.zeroed[q] = 1;
    columns_.variable[j] = leaving.variable;
    columns_.lower[j] = leaving.lower;
    columns_.upper[j] = leaving.upper;
    columns_.value[j] = x.leavingValue;
  });
  ++used_;
  columnOffer_.position = rowOffer_.position = -1;  // what was sent is out of date
  __syncthreads();
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
    if (lane == 0 && i < count) weigh(i, sum);
  }
}

// Z_j <- Z_j - (S u - S_r) v_j / alpha,  Z_q <- -(S u - (alpha + 1) S_r) / alpha,  S u = Z_q
__device__ inline void GridTeam::updateColumnSketch(Exchange const& x) {
  __syncthreads();
  auto const alpha = static_cast<float>(x.alpha);
  double const inverse = 1.0 / x.alpha;
  float const* const sums = shared_.column.sketch;
  auto update = [&](float4 z, int i, int l) {
    int const j = columnSide_.first + i;
    float4 const sign = signs(l, x.row);
    float4 const sum = *reinterpret_cast<float4 const*>(sums + l);
    if (j == x.column)
      return make_float4(
          -(sum.x - (alpha + 1.0f) * sign.x) / alpha, -(sum.y - (alpha + 1.0f) * sign.y) / alpha,
          -(sum.z - (alpha + 1.0f) * sign.z) / alpha, -(sum.w - (alpha + 1.0f) * sign.w) / alpha);
    auto const ratio = static_cast<float>(columns_.entry[j] * inverse);
    return make_float4(z.x + (sign.x - sum.x) * ratio, z.y + (sign.y - sum.y) * ratio,
                       z.z + (sign.z - sum.z) * ratio, z.w + (sign.w - sum.w) * ratio);
  };
  auto weigh = [&](int i, double squares) {
    columns_.weight[columnSide_.first + i] = 1.0 + squares / t_.sketchSize;
  };
  forSketchLines<lanes>(columnSide_.count, t_.sketchSize, sketch_, update, weigh);
  __syncthreads();
}

// W_r <- W_r / alpha,  W_i <- W_i - u_i W_r
__device__ inline void GridTeam::updateRowSketch(Exchange const& x) {
  __syncthreads();
  auto const alpha = static_cast<float>(x.alpha);
  float const* const pivotRow = shared_.row.sketch;
  auto update = [&](float4 w, int i, int l) {
    float4 const p = *reinterpret_cast<float4 const*>(pivotRow + l);
    float4 const scaled = make_float4(p.x / alpha, p.y / alpha, p.z / alpha, p.w / alpha);
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
  __syncthreads();
}

}  // namespace osi_cuda::cuda
