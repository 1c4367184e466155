// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/cuda/edits.hpp"

#include "osi_cuda/engine/cuda/kernels.hpp"
#include "osi_cuda/engine/cuda/launch.cuh"
#include "osi_cuda/engine/cuda/sums.cuh"

namespace osi_cuda::cuda {

void copy(cudaStream_t stream, CopyPieces const& pieces, bool back) {
  int words = 0;
  for (CopyPiece const& p : pieces.piece) words += p.lines * p.width;
  forEach(stream, words, [=] __device__(int i) {
    int k = 0;
    for (; i >= pieces.piece[k].lines * pieces.piece[k].width; ++k)
      i -= pieces.piece[k].lines * pieces.piece[k].width;
    CopyPiece const& p = pieces.piece[k];
    int const line = i / p.width, place = i % p.width;
    double& here = p.here[index(line) * p.herePitch + place];
    double& there = p.there[index(line) * p.therePitch + place];
    (back ? here : there) = back ? there : here;
  });
}

// A line that was exchanged twice is copied twice: the same numbers.
void copyExchanged(cudaStream_t stream, TableauView const& t, int first, int last,
                   double const* source, double* target) {
  int const length = t.m + t.n;
  forEach(stream, (last - first) * length, [=] __device__(int k) {
    int const* const exchange = t.exchanged + 2 * (first + k / length);
    int const z = k % length;
    std::size_t const at =
        z < t.n ? index(exchange[0]) * t.n + z : index(z - t.n) * t.n + exchange[1];
    target[at] = source[at];
  });
}

void moveRows(cudaStream_t stream, int count, int n, int const* from, double* base) {
  forWarps(stream, count, [=] __device__(int i, int lane) {
    if (from[i] == i) return;
    for (int j = lane; j < n; j += 32) base[index(i) * n + j] = base[index(from[i]) * n + j];
  });
}

void repack(cudaStream_t stream, TableauView const& t, int rows, int columns, int const* rowFrom,
            int const* columnFrom, double* target, std::int64_t stride) {
  forWarps(stream, rows, [=] __device__(int i, int lane) {
    double const* const line = t.base + index(rowFrom[i]) * t.n;
    for (int j = lane; j < columns; j += 32) target[i * stride + j] = line[columnFrom[j]];
  });
}

void placeLines(cudaStream_t stream, int lines, double const* dense, int length, int firstVariable,
                LineTargets const& target) {
  forEach(stream, lines * target.positions, [=] __device__(int z) {
    int const k = z / target.positions, i = z % target.positions;
    int const place = target.variable[i] - firstVariable;
    target.entries[k * target.lineStep + i * target.positionStep] =
        place >= 0 && place < length ? dense[index(k) * length + place] : 0.0;
  });
}

void takeMoved(cudaStream_t stream, TableauView const& t, int rows, int columns, int const* rowFrom,
               int const* columnFrom, int const* number, double* value, int* variable) {
  forEach(stream, rows + columns, [=] __device__(int k) {
    bool const row = k < rows;
    int const from = row ? rowFrom[k] : columnFrom[k - rows];
    value[k] = row ? t.rows.value[from] : t.columns.value[from];
    variable[k] = number[row ? t.rows.variable[from] : t.columns.variable[from]];
  });
}

void putMoved(cudaStream_t stream, TableauView const& t, int rows, int columns, double const* value,
              int const* variable) {
  forEach(stream, t.m, [=] __device__(int i) {
    t.rows.value[i] = i < rows ? value[i] : 0.0;
    t.rows.variable[i] = i < rows ? variable[i] : t.n + i;
  });
  forEach(stream, t.n, [=] __device__(int j) {
    t.columns.value[j] = j < columns ? value[rows + j] : 0.0;
    t.columns.variable[j] = j < columns ? variable[rows + j] : j;
  });
}

void reshapeLines(cudaStream_t stream, LinesView const& old, int const* from, int const* place,
                  LinesView const& fresh, std::int64_t* starts, int* indices, double* values) {
  forWarps(stream, fresh.lines, [=] __device__(int l, int lane) {
    std::int64_t const begin = from[l] < 0 ? 0 : old.begin(from[l]);
    std::int64_t const end = from[l] < 0 ? 0 : old.end(from[l]);
    unsigned length = 0;
    for (std::int64_t e = begin + lane; e < end; e += 32) length += place[old.index(e)] >= 0;
    length = warpSum(length);
    if (lane == 0) starts[l + 1] = length + fresh.starts[l + 1] - fresh.starts[l];
  });
  makeOffsets(stream, fresh.lines, starts);
  forWarps(stream, fresh.lines, [=] __device__(int l, int lane) {
    std::int64_t const begin = from[l] < 0 ? 0 : old.begin(from[l]);
    std::int64_t const end = from[l] < 0 ? 0 : old.end(from[l]);
    std::int64_t next = starts[l];
    for (std::int64_t first = begin; first < end; first += 32) {
      std::int64_t const e = first + lane;
      int const target = e < end ? place[old.index(e)] : -1;
      unsigned const there = __ballot_sync(~0u, target >= 0);
      if (target >= 0) {
        std::int64_t const at = next + __popc(there & ((1u << lane) - 1));
        indices[at] = target;
        values[at] = old.value(from[l], e);
      }
      next += __popc(there);
    }
    std::int64_t const more = fresh.starts[l];
    for (std::int64_t e = more + lane; e < fresh.starts[l + 1]; e += 32) {
      indices[next + e - more] = fresh.indices[e];
      values[next + e - more] = fresh.values[e];
    }
  });
}

}  // namespace osi_cuda::cuda
