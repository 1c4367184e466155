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
    double& here = p.here[at(line) * p.herePitch + place];
    double& there = p.there[at(line) * p.therePitch + place];
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
    std::size_t const place = z < t.n ? at(exchange[0]) * t.n + z : at(z - t.n) * t.n + exchange[1];
    target[place] = source[place];
  });
}

void moveRows(cudaStream_t stream, int count, int n, int const* from, double* base) {
  forWarps(stream, count, [=] __device__(int i, int lane) {
    if (from[i] == i) return;
    for (int j = lane; j < n; j += 32) base[at(i) * n + j] = base[at(from[i]) * n + j];
  });
}

void repack(cudaStream_t stream, TableauView const& t, int rows, int columns, int const* rowFrom,
            int const* columnFrom, double* target, std::int64_t stride) {
  forWarps(stream, rows, [=] __device__(int i, int lane) {
    double const* const line = t.base + at(rowFrom[i]) * t.n;
    for (int j = lane; j < columns; j += 32) target[i * stride + j] = line[columnFrom[j]];
  });
}

void placeLines(cudaStream_t stream, int lines, double const* dense, int length, int firstVariable,
                LineTargets const& target) {
  forEach(stream, lines * target.positions, [=] __device__(int z) {
    int const k = z / target.positions, i = z % target.positions;
    int const place = target.variable[i] - firstVariable;
    target.entries[k * target.lineStep + i * target.positionStep] =
        place >= 0 && place < length ? dense[at(k) * length + place] : 0.0;
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
  forEach(stream, t.m + t.n, [=] __device__(int k) {
    bool const row = k < t.m;
    int const i = row ? k : k - t.m, from = row ? i : rows + i;
    bool const moved = i < (row ? rows : columns);
    (row ? t.rows.value : t.columns.value)[i] = moved ? value[from] : 0.0;
    (row ? t.rows.variable : t.columns.variable)[i] = moved ? variable[from] : row ? t.n + i : i;
  });
}

namespace {

constexpr int scanThreads = 1024;

/// starts[i + 1] holds the length of line i; they become offsets. One block.
__global__ void offsetsKernel(int lines, std::int64_t* starts) {
  __shared__ std::int64_t sums[scanThreads];
  int const thread = static_cast<int>(threadIdx.x);
  int const share = (lines + scanThreads - 1) / scanThreads;
  int const first = min(thread * share, lines), last = min(first + share, lines);
  std::int64_t sum = 0;
  for (int i = first; i < last; ++i) sum += starts[i + 1];
  sums[thread] = sum;
  __syncthreads();
  for (int distance = 1; distance < scanThreads; distance *= 2) {
    std::int64_t const before = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += before;
    __syncthreads();
  }
  std::int64_t offset = sums[thread] - sum;
  if (thread == 0) starts[0] = 0;
  for (int i = first; i < last; ++i) {
    offset += starts[i + 1];
    starts[i + 1] = offset;
  }
}

/// The entry of number `wanted` in a line whose indices ascend, or -1.
__device__ std::int64_t entryOf(LinesView const& lines, int line, int wanted) {
  std::int64_t low = lines.begin(line), length = lines.end(line) - low;
  for (; length > 1; length -= length / 2)
    if (lines.index(low + length / 2) <= wanted) low += length / 2;
  return length == 1 && lines.index(low) == wanted ? low : -1;
}

/// The lines of a matrix from that of reshapeLines: f(number, value) for each entry of line l, a
/// lane each; number < 0: the lane has none.
struct ReshapedLines {
  LinesView old, fresh;
  LineMap map;

  template <class F>
  __device__ void operator()(int l, int lane, F f) const {
    bool const isNew = map.from[l] < 0;
    LinesView const& source = isNew ? fresh : old;
    int const line = isNew ? l - (map.lines - fresh.lines) : map.from[l];
    std::int64_t const end = source.end(line);
    for (std::int64_t e = source.begin(line) + lane; e - lane < end; e += 32) {
      int const before = e < end ? source.index(e) : -1;
      int const number = before < 0 || isNew ? before : map.place[before] - map.first;
      f(number, number < 0 ? 0.0 : source.value(line, e));
    }
    for (int k = lane; k - lane < map.newAcross; k += 32) {
      std::int64_t const e = k < map.newAcross ? entryOf(fresh, k, l) : -1;
      f(e < 0 ? -1 : map.across + k, e < 0 ? 0.0 : fresh.values[e]);
    }
  }
};

/// The same from a dense matrix by rows.
struct DenseRows {
  double const* numbers;
  int length;

  template <class F>
  __device__ void operator()(int l, int lane, F f) const {
    for (int j = lane; j - lane < length; j += 32) {
      double const value = j < length ? numbers[at(l) * length + j] : 0.0;
      f(value != 0.0 ? j : -1, value);
    }
  }
};

template <class Lines>
void makeLists(cudaStream_t stream, int count, Lines const& lines, std::int64_t* starts,
               int* indices, double* values) {
  forWarps(stream, count, [=] __device__(int l, int lane) {
    unsigned length = 0;
    lines(l, lane, [&](int number, double) { length += number >= 0; });
    length = warpSum(length);
    if (lane == 0) starts[l + 1] = length;
  });
  launch({stream, 1, scanThreads}, &offsetsKernel, count, starts);
  forWarps(stream, count, [=] __device__(int l, int lane) {
    std::int64_t next = starts[l];
    lines(l, lane, [&](int number, double value) {
      unsigned const there = __ballot_sync(~0u, number >= 0);
      if (number >= 0) {
        std::int64_t const place = next + __popc(there & ((1u << lane) - 1));
        indices[place] = number;
        values[place] = value;
      }
      next += __popc(there);
    });
  });
}

}  // namespace

void gatherRows(cudaStream_t stream, int m, int n, double const* dense, std::int64_t* starts,
                int* indices, double* values) {
  makeLists(stream, m, DenseRows{dense, n}, starts, indices, values);
}

void reshapeLines(cudaStream_t stream, LinesView const& old, LineMap const& map,
                  LinesView const& fresh, std::int64_t* starts, int* indices, double* values) {
  makeLists(stream, map.lines, ReshapedLines{old, fresh, map}, starts, indices, values);
}

}  // namespace osi_cuda::cuda
