// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/engine/cuda/grid/block.cuh"
#include "osi_cuda/simplex/sketch_rules.hpp"
#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::cuda::grid {

/// The sketch of the own lines after a pivot, and the weights that follow from it. The formulas are
/// those of sketch_rules.hpp, four entries at a time.
template <class Kind>
class Sketch {
 public:
  __device__ explicit Sketch(Block<Kind>& block) : b_(block) {}

  __device__ void updateColumns(Exchange const& x) const {
    auto const alpha = static_cast<float>(x.alpha);
    auto const inverse = static_cast<float>(x.inverse);
    float const* const entering = piece<float>(line<Lines::columns>(b_).sketch);
    ColumnState const column = columnsOf(b_);
    int const first = b_.columnSide.first;
    auto update = [&](float4 z, int i, int l) {
      float4 const s = signs(l, x.row);
      float4 const e = *reinterpret_cast<float4 const*>(entering + l);
      if (first + i == x.column)
        return make_float4(rules::enteringSketch(e.x, s.x, alpha) * inverse,
                           rules::enteringSketch(e.y, s.y, alpha) * inverse,
                           rules::enteringSketch(e.z, s.z, alpha) * inverse,
                           rules::enteringSketch(e.w, s.w, alpha) * inverse);
      auto const ratio = static_cast<float>(column.entry[first + i] * x.inverse);
      return make_float4(z.x + rules::columnSketchStep(e.x, s.x) * ratio,
                         z.y + rules::columnSketchStep(e.y, s.y) * ratio,
                         z.z + rules::columnSketchStep(e.z, s.z) * ratio,
                         z.w + rules::columnSketchStep(e.w, s.w) * ratio);
    };
    forLines<Lines::columns>(update, [&](int i, float mean) {
      column.weight[first + i] = static_cast<double>(rules::sketchedColumnWeight(mean));
    });
  }

  __device__ void updateRows(Exchange const& x) const {
    auto const inverse = static_cast<float>(x.inverse);
    float const* const leaving = piece<float>(line<Lines::rows>(b_).sketch);
    RowState const row = rowsOf(b_);
    int const first = b_.rowSide.first;
    auto update = [&](float4 w, int i, int l) {
      float4 const p = *reinterpret_cast<float4 const*>(leaving + l);
      float4 const scaled = make_float4(p.x * inverse, p.y * inverse, p.z * inverse, p.w * inverse);
      if (first + i == x.row) return scaled;
      auto const u = static_cast<float>(row.entry[first + i]);
      return make_float4(w.x - u * scaled.x, w.y - u * scaled.y, w.z - u * scaled.z,
                         w.w - u * scaled.w);
    };
    forLines<Lines::rows>(update, [&](int i, float mean) {
      row.weight[first + i] = static_cast<double>(rules::sketchedRowWeight(mean));
    });
  }

 private:
  /// Signs l..l+3 of constraint (or row) i.
  __device__ static float4 signs(int l, int i) {
    std::uint64_t const bits = rules::signBits(l >> 6, i) >> (l & 63);
    return make_float4(bits & 1 ? 1.0f : -1.0f, bits & 2 ? 1.0f : -1.0f, bits & 4 ? 1.0f : -1.0f,
                       bits & 8 ? 1.0f : -1.0f);
  }
  // Calls update(z, i, l) for the entries l..l+3 of each own sketch line, lines dealt to groups,
  // and hands the mean square to weigh(i, mean).
  template <Lines kind, class Update, class Weigh>
  __device__ void forLines(Update update, Weigh weigh) const {
    int const count = side<kind>(b_).count, size = b_.t.sketchSize;
    float* const entries = sketch(b_);
    float const share = 1.0f / static_cast<float>(size);
    __syncwarp();
#pragma unroll 1
    for (int round = 0; round * groups < count; ++round) {
      int const i = round * groups + group();
      float sum = 0.0f;
      if (i < count) {
#pragma unroll 1
        for (int l = 4 * lane(); l < size; l += 4 * lanes) {
          float4* const entry = reinterpret_cast<float4*>(entries + at(i) * size + l);
          float4 const z = update(*entry, i, l);
          *entry = z;
          sum += (z.x * z.x + z.y * z.y) + (z.z * z.z + z.w * z.w);
        }
      }
#pragma unroll
      for (int distance = lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane() == round % lanes && i < count) weigh(i, sum * share);
    }
    __syncwarp();
  }

  Block<Kind>& b_;
};

}  // namespace osi_cuda::cuda::grid
