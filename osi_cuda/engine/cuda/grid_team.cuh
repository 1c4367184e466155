// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstring>

#include "osi_cuda/engine/cuda/arena.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::cuda {

/// What a block owns of the rows or of the columns: successive positions from `first` on. Position
/// first + i belongs to the thread i mod teamThreads.
struct Side {
  int first = 0, count = 0, tile = 1, total = 0;
  double* factors = nullptr;  ///< own lines of U' or V', `stride` apart
  char* zeroed = nullptr;     ///< own line of D zeroed in this launch
};

/// The Team of team.hpp on the device: every thread of a cooperative grid runs the pivot loop, all
/// take the same branches, and every result of a meeting is known to every thread.
///
/// Blocks meet by packets (packet.cuh), without fences: what others need of the entering column or
/// the leaving row travels in a payload, everything else is read by its owner only. D has two
/// owners of each entry (its row's and its column's), who zero it at exchanges: a line zeroed in
/// this launch counts as zero whatever memory says. Only the products with T read what others
/// wrote; they meet with fences. All sums are formed in an order that depends on sizes only.
class GridTeam {
 public:
  __device__ GridTeam(TableauView const& tableau, TeamView const& team, Algorithm algorithm,
                      char* shared, int used, Tag tag);
  /// Writes the state back to where the host expects it.
  __device__ void store();

  __device__ RowState rows() const { return rows_; }
  __device__ ColumnState columns() const { return columns_; }
  __device__ int used() const { return used_; }
  __device__ int capacity() const { return t_.capacity; }
  __device__ bool slack(int variable) const { return variable >= t_.n; }
  __device__ bool interrupted() const { return interrupted_; }
  __device__ Tag nextTag() const { return tag_; }

  template <class F>
  __device__ void forRows(F f) {
    for (int i = thread(); i < rowSide_.count; i += teamThreads) f(rowSide_.first + i);
  }
  template <class F>
  __device__ void forColumns(F f) {
    for (int j = thread(); j < columnSide_.count; j += teamThreads) f(columnSide_.first + j);
  }
  template <class T, class F, class Combine>
  __device__ T reduceRows(T const& zero, F f, Combine combine) {
    T partial = zero;
    forRows([&](int i) { f(partial, i); });
    return gather(partial, zero, combine, rowSide_.count, Visibility::packets);
  }
  template <class T, class F, class Combine>
  __device__ T reduceColumns(T const& zero, F f, Combine combine) {
    T partial = zero;
    forColumns([&](int j) { f(partial, j); });
    return gather(partial, zero, combine, columnSide_.count, Visibility::packets);
  }
  /// Writes before are visible to all after.
  __device__ void meet() { gather(0, 0, rules::sumCounts, 0, Visibility::everything); }

  __device__ void column(int q);
  __device__ void row(int r);
  __device__ void combineRows() { combineRows(rows_.change, columns_.change); }
  __device__ void combineColumns() { combineColumns(columns_.change, rows_.change); }
  __device__ void steepestProducts() { combineRows(rows_.entry, columns_.product); }
  __device__ void dualSteepestProducts();

  __device__ double columnWeight(int) const { return shared_.column.header->weight; }
  __device__ double rowWeight(int) const { return shared_.row.header->weight; }
  __device__ double rowValue(int r) {
    auto const value = rows_.value;
    return reduceRows(
        0.0, [=](double& sum, int i) { sum += i == r ? value[i] : 0.0; }, rules::sum);
  }
  __device__ void setColumnValue(int q, double x) {
    if (owns(columnSide_, q)) columns_.value[q] = x;
  }
  __device__ void shiftCost(int q, double delta) {
    if (!owns(columnSide_, q)) return;
    t_.cost[columns_.variable[q]] += delta;
    columns_.reducedCost[q] += delta;
  }

  __device__ void updateColumnSketch(Exchange const& x);
  __device__ void updateRowSketch(Exchange const& x);
  __device__ void exchange(Exchange const& x);

 private:
  /// What a meeting makes visible: the packets' own bytes, or all writes before it.
  enum class Visibility { packets, everything };
  static constexpr int lanes = 8;  ///< threads that form one entry of u or v together
  static constexpr int warps = teamThreads / 32;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int block() { return static_cast<int>(blockIdx.x); }
  __device__ static bool owns(Side const& side, int position) {
    int const i = position - side.first;
    return i >= 0 && i < side.count && i % teamThreads == thread();
  }

  __device__ void takeState();
  template <class T, class Combine>
  __device__ T gather(T partial, T const& zero, Combine combine, int lines, Visibility visibility);
  template <class T, class Combine>
  __device__ static T overWarp(T value, Combine combine);

  __device__ void sendLine(Packet* payload, Side const& side, int position, Line::Header const& h,
                           float const* sketch, Tag tag) const;
  /// How much of the sketch travels with a line: all of it with the line of the own kind.
  __device__ int sketchLength(Line const& line) const {
    bool const own = (algorithm_ == Algorithm::primal) == (line.header == shared_.column.header);
    return own ? t_.sketchSize : 0;
  }
  __device__ void receiveLine(Packet const* payload, Line const& line, Tag tag) const;
  __device__ void subtractProducts(Side const& side, double const* coefficients,
                                   double* entries) const;
  __device__ void combineRows(double const* g, double* out);
  __device__ void combineColumns(double const* g, double* out);
  __device__ int shareActive(Side const& side, double const* g);
  __device__ int listActive(Side const& side, int begin, int total) const;
  __device__ float4 signs(int l, int i) const;

  TableauView const& t_;
  TeamView const& team_;
  SharedPieces shared_;
  Side rowSide_, columnSide_;
  RowState rows_;
  ColumnState columns_;
  float* sketch_ = nullptr;  ///< own lines of Z' (primal) or W (dual)
  Algorithm algorithm_;
  int used_;
  Tag const firstTag_;
  Tag tag_;
  bool interrupted_ = false;
};

// ---- meetings ----------------------------------------------------------------------------------

template <class T, class Combine>
__device__ T GridTeam::overWarp(T value, Combine combine) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  for (int distance = 16; distance > 0; distance /= 2) {
    int own[words], other[words];
    memcpy(own, &value, sizeof(T));
#pragma unroll
    for (int w = 0; w < words; ++w) other[w] = __shfl_down_sync(~0u, own[w], distance);
    T right = value;
    memcpy(&right, other, sizeof(T));
    value = combine(value, right);
  }
  return value;
}

// Each block combines its own partials, tells the result to all, and combines what all told, in the
// order of blocks. Packets of two successive meetings lie in different memory: a block can start
// the next meeting while another still reads this one, but not the one after.
template <class T, class Combine>
__device__ T GridTeam::gather(T partial, T const& zero, Combine combine, int lines,
                              Visibility visibility) {
  constexpr int words = 1 + static_cast<int>(sizeof(T)) / 4;  // one for flags
  constexpr int packets = (words + 2) / 3;
  static_assert(packets <= gatherPackets && sizeof(T) <= 112);
  Tag const tag = tag_++;
  T* const scratch = reinterpret_cast<T*>(shared_.scratch[tag & 1]);
  Packet* const box = team_.box + static_cast<std::size_t>(tag & 1) * gatherPackets * mostBlocks;
  int const warp = thread() / 32, lane = thread() % 32;
  int const busy = lines <= 32 ? 1 : lines >= teamThreads ? warps : (lines + 31) / 32;

  if (warp < busy) {
    T const sum = overWarp(partial, combine);
    if (lane == 0) scratch[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    T own = scratch[0];
    for (int w = 1; w < busy; ++w) own = combine(own, scratch[w]);
    int word[3 * packets] = {};
    memcpy(word + 1, &own, sizeof(T));
    // The host's flag lies behind a slow bus: look now and then, one block for all.
    if (block() == 0 && (tag == firstTag_ || tag % 32 == 0)) word[0] = *team_.interrupt;
    if (block() == 0 && interrupted_) word[0] = 1;
    if (visibility == Visibility::everything) __threadfence();
#pragma unroll
    for (int p = 0; p < packets; ++p)
      if (lane == p)
        send(box + p * mostBlocks + block(),
             static_cast<std::uint32_t>(word[3 * p]) |
                 (static_cast<std::uint64_t>(static_cast<std::uint32_t>(word[3 * p + 1])) << 32),
             static_cast<std::uint32_t>(word[3 * p + 2]), tag);
    __syncwarp();
  }
  T* const told = scratch + warps;
  int const readers = (team_.blocks + 31) / 32;
  if (warp < readers) {
    int word[3 * packets] = {};
    T value = zero;
    if (thread() < team_.blocks) {
#pragma unroll
      for (int p = 0; p < packets; ++p) {
        Packet const packet = receive(box + p * mostBlocks + thread(), tag);
        word[3 * p] = static_cast<int>(packet.number);
        word[3 * p + 1] = static_cast<int>(packet.number >> 32);
        word[3 * p + 2] = static_cast<int>(packet.extra);
      }
      memcpy(&value, word + 1, sizeof(T));
    }
    if (visibility == Visibility::everything) __threadfence();
    if (thread() == 0) *shared_.flag = word[0];
    __syncwarp();
    value = overWarp(value, combine);
    if (lane == 0) told[warp] = value;
  }
  __syncthreads();
  interrupted_ = *shared_.flag != 0;
  T result = told[0];
  for (int w = 1; w < readers; ++w) result = combine(result, told[w]);
  return result;
}

}  // namespace osi_cuda::cuda
