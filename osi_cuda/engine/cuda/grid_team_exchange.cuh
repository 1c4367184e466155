// SPDX-License-Identifier: EPL-2.0
// What a pivot changes: the exchange in the factors and the state, the sketches and their weights.
#pragma once

#include "osi_cuda/engine/cuda/grid_team_lines.cuh"
#include "osi_cuda/engine/cuda/grid_team_weights.cuh"

namespace osi_cuda::cuda {

// D's row r and column q become zero, as do their lines of U and V; then a line is appended.
template <class Kind>
__device__ void GridTeam<Kind>::exchange(Exchange const& x) {
  LineHeader const &entering = header<Lines::columns>(), &leaving = header<Lines::rows>();
  RowState const row = rows();
  ColumnState const column = columns();
  int const last = used_ - older(), width = team_.sharedLines;
  zeroFactors<Lines::rows>(x.row - rowSide_.first);
  zeroFactors<Lines::columns>(x.column - columnSide_.first);
  forRows([&](int i) {
    int const own = i - rowSide_.first;
    __stcg(t_.base + static_cast<std::size_t>(i) * t_.n + x.column, 0.0);
    newest<Lines::rows>()[own * width + last] = i == x.row ? -1.0 : row.entry[i];
    if (i != x.row) return;
    zeroed<Lines::rows>()[own] = 1;
    row.variable[i] = entering.variable();
    row.lower[i] = entering.lower;
    row.upper[i] = entering.upper;
    row.value[i] = x.enteringValue;
  });
  forColumns([&](int j) {
    int const own = j - columnSide_.first;
    __stcg(t_.base + static_cast<std::size_t>(x.row) * t_.n + j, 0.0);
    newest<Lines::columns>()[own * width + last] =
        j == x.column ? x.inverse : column.entry[j] * x.inverse;
    if (j != x.column) return;
    zeroed<Lines::columns>()[own] = 1;
    column.variable[j] = leaving.variable();
    column.lower[j] = leaving.lower;
    column.upper[j] = leaving.upper;
    column.value[j] = x.leavingValue;
  });
  if constexpr (!Kind::inShared) zeroShadow(x);
  ++used_;
  columnOffer_.position = rowOffer_.position = -1;  // what was sent is out of date
  if constexpr (Kind::wide) {
    if (used_ - older() < width) return;
    __syncwarp();
    flushFactors<Lines::rows>(width);
    flushFactors<Lines::columns>(width);
    older_ = used_;
  }
}

// ---- sketches ----------------------------------------------------------------------------------

/// Signs l..l+3 of constraint (or row) i.
template <class Kind>
__device__ float4 GridTeam<Kind>::signs(int l, int i) const {
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
    float sum = 0.0f;
    if (i < count) {
#pragma unroll 1
      for (int l = 4 * lane; l < size; l += 4 * lanes) {
        float4* const entry =
            reinterpret_cast<float4*>(sketch + static_cast<std::size_t>(i) * size + l);
        float4 const z = update(*entry, i, l);
        *entry = z;
        sum += (z.x * z.x + z.y * z.y) + (z.z * z.z + z.w * z.w);
      }
    }
#pragma unroll
    for (int distance = lanes / 2; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(~0u, sum, distance);
    if (lane == round % lanes && i < count) weigh(i, sum);
  }
}

// Z_j <- Z_j - (S u - S_r) v_j / alpha,  Z_q <- -(S u - (alpha + 1) S_r) / alpha,  S u = Z_q
template <class Kind>
__device__ void GridTeam<Kind>::updateColumnSketch(Exchange const& x) {
  auto const alpha = static_cast<float>(x.alpha);
  auto const inverse = static_cast<float>(x.inverse);
  float const* const sums = piece<float>(line<Lines::columns>().sketch);
  ColumnState const column = columns();
  auto update = [&](float4 z, int i, int l) {
    int const j = columnSide_.first + i;
    float4 const sign = signs(l, x.row);
    float4 const sum = *reinterpret_cast<float4 const*>(sums + l);
    if (j == x.column)
      return make_float4(-(sum.x - (alpha + 1.0f) * sign.x) * inverse,
                         -(sum.y - (alpha + 1.0f) * sign.y) * inverse,
                         -(sum.z - (alpha + 1.0f) * sign.z) * inverse,
                         -(sum.w - (alpha + 1.0f) * sign.w) * inverse);
    auto const ratio = static_cast<float>(column.entry[j] * x.inverse);
    return make_float4(z.x + (sign.x - sum.x) * ratio, z.y + (sign.y - sum.y) * ratio,
                       z.z + (sign.z - sum.z) * ratio, z.w + (sign.w - sum.w) * ratio);
  };
  float const share = 1.0f / static_cast<float>(t_.sketchSize);
  auto weigh = [&](int i, float squares) {
    column.weight[columnSide_.first + i] = static_cast<double>(1.0f + squares * share);
  };
  forSketchLines<lanes>(columnSide_.count, t_.sketchSize, sketch(), update, weigh);
  __syncwarp();
}

// W_r <- W_r / alpha,  W_i <- W_i - u_i W_r
template <class Kind>
__device__ void GridTeam<Kind>::updateRowSketch(Exchange const& x) {
  auto const inverse = static_cast<float>(x.inverse);
  float const* const pivotRow = piece<float>(line<Lines::rows>().sketch);
  RowState const row = rows();
  auto update = [&](float4 w, int i, int l) {
    float4 const p = *reinterpret_cast<float4 const*>(pivotRow + l);
    float4 const scaled = make_float4(p.x * inverse, p.y * inverse, p.z * inverse, p.w * inverse);
    if (rowSide_.first + i == x.row) return scaled;
    auto const u = static_cast<float>(row.entry[rowSide_.first + i]);
    return make_float4(w.x - u * scaled.x, w.y - u * scaled.y, w.z - u * scaled.z,
                       w.w - u * scaled.w);
  };
  float const share = 1.0f / static_cast<float>(t_.sketchSize);
  auto weigh = [&](int i, float squares) {
    row.weight[rowSide_.first + i] =
        static_cast<double>(fmaxf(squares * share, static_cast<float>(rules::leastRowWeight)));
  };
  forSketchLines<lanes>(rowSide_.count, t_.sketchSize, sketch(), update, weigh);
  __syncwarp();
}

}  // namespace osi_cuda::cuda
