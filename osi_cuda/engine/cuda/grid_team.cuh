// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstring>
#include <type_traits>

#include "osi_cuda/engine/cuda/arena.cuh"
#include "osi_cuda/engine/cuda/packet.cuh"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/team.hpp"

namespace osi_cuda::cuda {

/// Values that carry a candidate: the block that tells one sends that candidate's line along.
template <class T>
inline constexpr bool choosing =
    std::is_same_v<T, rules::Candidate> || std::is_same_v<T, rules::Choice>;
__device__ inline int chosenPosition(rules::Candidate const& c) {
  return c.position;
}
__device__ inline int chosenPosition(rules::Choice const& c) {
  return c.best.position;
}

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

  // Loops are not unrolled: most threads pass once, and the loop of pivots has to stay in the
  // instruction cache.
  template <class F>
  __device__ void forRows(F f) {
#pragma unroll 1
    for (int i = thread(); i < rowSide_.count; i += teamThreads) f(rowSide_.first + i);
  }
  template <class F>
  __device__ void forColumns(F f) {
#pragma unroll 1
    for (int j = thread(); j < columnSide_.count; j += teamThreads) f(columnSide_.first + j);
  }
  template <class T, class F, class Combine>
  __device__ T reduceRows(T const& zero, F f, Combine combine) {
    T partial = zero;
    forRows([&](int i) { f(partial, i); });
    if constexpr (choosing<T>)
      return gather<Lines::rows>(partial, zero, combine, rowSide_.count, Visibility::packets);
    else
      return gatherPlain(partial, zero, combine, rowSide_.count);
  }
  template <class T, class F, class Combine>
  __device__ T reduceColumns(T const& zero, F f, Combine combine) {
    T partial = zero;
    forColumns([&](int j) { f(partial, j); });
    if constexpr (choosing<T>)
      return gather<Lines::columns>(partial, zero, combine, columnSide_.count, Visibility::packets);
    else
      return gatherPlain(partial, zero, combine, columnSide_.count);
  }
  /// Writes before are visible to all after.
  __device__ void meet() {
    gather<Lines::none>(0, 0, rules::sumCounts, 0, Visibility::everything);
  }

  __device__ void column(int q);
  __device__ void row(int r);
  __device__ void combineRows() {
    combineRows(rows_.change, columns_.change);
  }
  __device__ void combineColumns() {
    combineColumns(columns_.change, rows_.change);
  }
  __device__ void steepestProducts() {
    combineRows(rows_.entry, columns_.product);
  }
  __device__ void dualSteepestProducts();

  __device__ double columnWeight(int) const {
    return shared_.column.header->weight;
  }
  __device__ double rowWeight(int) const {
    return shared_.row.header->weight;
  }
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

  __device__ static int thread() {
    return static_cast<int>(threadIdx.x);
  }
  __device__ static int block() {
    return static_cast<int>(blockIdx.x);
  }
  __device__ static bool owns(Side const& side, int position) {
    int const i = position - side.first;
    return i >= 0 && i < side.count && i % teamThreads == thread();
  }

  __device__ void takeState();
  /// The line that was sent along with the candidate that won.
  struct Offer {
    int position = -1;
    Tag tag = 0;  ///< of its packets
  };
  /// Whose candidates a meeting chooses from: every block sends the line of its own along.
  enum class Lines { none, columns, rows };

  template <Lines offered, class T, class Combine>
  __device__ T gather(T partial, T const& zero, Combine combine, int lines, Visibility visibility);
  template <class T>
  __device__ void tell(Packet* box, T const& own, Tag tag, Visibility visibility) const;
  template <class T, class Combine>
  __device__ static T overWarp(T value, Combine combine);

  template <Lines kind>
  __device__ Packet* payloadOf(int position) const {
    constexpr bool columns = kind == Lines::columns;
    int const owner = position / (columns ? columnSide_.tile : rowSide_.tile);
    return (columns ? team_.columnPayload : team_.rowPayload) +
           static_cast<std::size_t>(owner) * team_.payloadLength;
  }
  template <Lines kind>
  __device__ void sendLine(int position, Tag tag, int firstThread) const;
  /// How much of the sketch travels with a line: all of it with a line of the kind that has one.
  template <Lines kind>
  __device__ int sketchLength() const {
    return (algorithm_ == Algorithm::primal) == (kind == Lines::columns) ? t_.sketchSize : 0;
  }
  template <Lines kind>
  __device__ void receiveLine(Line const& line, int position, Tag tag) const;
  __device__ void subtractProducts(Side const& side, double const* coefficients,
                                   double* entries) const;
  /// Calls f on a copy of the team, which may then live in memory: the functions of rare stages are
  /// not inlined, and the team itself stays in registers.
  template <class F>
  __device__ void apart(F f) {
    GridTeam copy(*this);
    f(copy);
    tag_ = copy.tag_;
    interrupted_ = copy.interrupted_;
  }
  __device__ void combineRows(double const* g, double* out) {
    apart([&](GridTeam& team) { team.combineRowsApart(g, out); });
  }
  __device__ void combineColumns(double const* g, double* out) {
    apart([&](GridTeam& team) { team.combineColumnsApart(g, out); });
  }
  __device__ __noinline__ void combineRowsApart(double const* g, double* out);
  __device__ __noinline__ void combineColumnsApart(double const* g, double* out);
  template <class T, class Combine>
  __device__ __noinline__ T gatherApart(T const& partial, T const& zero, Combine combine,
                                        int lines) {
    return gather<Lines::none>(partial, zero, combine, lines, Visibility::packets);
  }
  /// A meeting without an offer; what is large is rare.
  template <class T, class Combine>
  __device__ T gatherPlain(T const& partial, T const& zero, Combine combine, int lines) {
    if constexpr (sizeof(T) <= sizeof(rules::HarrisBound)) {
      return gather<Lines::none>(partial, zero, combine, lines, Visibility::packets);
    } else {
      T result = zero;
      apart([&](GridTeam& team) { result = team.gatherApart(partial, zero, combine, lines); });
      return result;
    }
  }
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
  Offer columnOffer_, rowOffer_;
};

// ---- meetings ----------------------------------------------------------------------------------

template <class T>
__device__ T fromLane(T const& value, int lane) {
  static_assert(sizeof(T) % 4 == 0);
  constexpr int words = sizeof(T) / 4;
  int own[words], there[words];
  memcpy(own, &value, sizeof(T));
#pragma unroll
  for (int w = 0; w < words; ++w) there[w] = __shfl_sync(~0u, own[w], lane);
  T result = value;
  memcpy(&result, there, sizeof(T));
  return result;
}

/// The best candidate of a warp: the order of rules::better as maxima of integers.
__device__ inline rules::Candidate bestOfWarp(rules::Candidate const& c) {
  std::uint64_t const key =
      c.found() ? static_cast<std::uint64_t>(__double_as_longlong(c.key)) + 1 : 0;
  auto const high = static_cast<unsigned>(key >> 32);
  unsigned const bestHigh = __reduce_max_sync(~0u, high);
  unsigned const low = high == bestHigh ? static_cast<unsigned>(key) : 0u;
  unsigned const bestLow = __reduce_max_sync(~0u, low);
  bool const equal = high == bestHigh && static_cast<unsigned>(key) == bestLow;
  unsigned const tie = __reduce_min_sync(~0u, equal ? c.tie : ~0u);
  return fromLane(c, __ffs(static_cast<int>(__ballot_sync(~0u, equal && c.tie == tie))) - 1);
}

__device__ inline double largestOfWarp(double x) {
  auto const bits = static_cast<std::uint64_t>(__double_as_longlong(x));
  auto const high = static_cast<unsigned>(bits >> 32);
  unsigned const bestHigh = __reduce_max_sync(~0u, high);
  unsigned const low = __reduce_max_sync(~0u, high == bestHigh ? static_cast<unsigned>(bits) : 0u);
  return __longlong_as_double(
      static_cast<long long>((static_cast<std::uint64_t>(bestHigh) << 32) | low));
}

/// The smallest of a warp's numbers, none of them negative.
__device__ inline double smallestOfWarp(double x) {
  auto const bits = static_cast<std::uint64_t>(__double_as_longlong(x));
  auto const high = static_cast<unsigned>(bits >> 32);
  unsigned const bestHigh = __reduce_min_sync(~0u, high);
  unsigned const low = __reduce_min_sync(~0u, high == bestHigh ? static_cast<unsigned>(bits) : ~0u);
  return __longlong_as_double(
      static_cast<long long>((static_cast<std::uint64_t>(bestHigh) << 32) | low));
}

/// rules::combineChoices over a warp.
__device__ inline rules::Choice choiceOfWarp(rules::Choice const& part) {
  rules::Choice c;
  c.bound.relaxed = smallestOfWarp(part.bound.relaxed);
  c.bound.largest = largestOfWarp(part.bound.largest);
  c.nearest = smallestOfWarp(part.nearest);
  double const doubt = rules::doubtOf(part, c.bound.relaxed);
  if (__any_sync(~0u, doubt < rules::unlimited)) c.doubt = smallestOfWarp(doubt);
  c.best = bestOfWarp(rules::within(part, c.bound.relaxed) ? part.best : rules::Candidate{});
  return c;
}

template <class T, class Combine>
__device__ T GridTeam::overWarp(T value, Combine combine) {
  if constexpr (std::is_same_v<T, rules::Candidate>) {
    return bestOfWarp(value);
  } else if constexpr (std::is_same_v<T, rules::Choice>) {
    return choiceOfWarp(value);
  } else {
    int const lane = thread() % 32;
#pragma unroll 1
    for (int distance = 16; distance > 0; distance /= 2)
      value = combine(value, fromLane(value, (lane + distance) % 32));
    return value;  // of lane 0
  }
}

// Each block combines its own partials, tells the result to all, and combines what all told, in the
// order of blocks. Packets of two successive meetings lie in different memory: a block can start
// the next meeting while another still reads this one, but not the one after.
template <GridTeam::Lines offered, class T, class Combine>
__device__ T GridTeam::gather(T partial, T const& zero, Combine combine, int lines,
                              Visibility visibility) {
  constexpr int words = 1 + static_cast<int>(sizeof(T)) / 4;  // one for flags
  constexpr int packets = (words + 2) / 3;
  static_assert(packets <= gatherPackets && packets * boxCopies <= 32 && sizeof(T) <= 112);
  Tag const tag = tag_++;
  T* const scratch = reinterpret_cast<T*>(shared_.scratch + (tag & 1) * scratchBytes);
  Packet* const box =
      team_.box + static_cast<std::size_t>(tag & 1) * boxCopies * gatherPackets * mostBlocks;
  int const warp = thread() / 32, lane = thread() % 32;
  int const busy = lines <= 32 ? 1 : lines >= teamThreads ? warps : (lines + 31) / 32;

  if (warp < busy) {
    T const sum = overWarp(partial, combine);
    if (lane == 0) scratch[warp] = sum;
  }
  __syncthreads();
  int const readers = (team_.blocks + 31) / 32;
  if (warp == 0 || (offered != Lines::none && warp >= readers)) {
    T own = scratch[0];
#pragma unroll 1
    for (int w = 1; w < busy; ++w) own = combine(own, scratch[w]);
    if (warp == 0)
      tell(box, own, tag, visibility);
    else if constexpr (offered != Lines::none)
      if (chosenPosition(own) >= 0) sendLine<offered>(chosenPosition(own), tag, 32 * readers);
  }
  T* const told = scratch + warps;
  if (warp < readers) {
    Packet packet[packets];
    int word[3 * packets] = {};
    T value = zero;
    pause(warp == 0 ? pollPause : readersPause);
    receiveAll(
        box + (block() % boxCopies) * gatherPackets * mostBlocks + min(thread(), team_.blocks - 1),
        tag, packet);
    if (thread() < team_.blocks) {
#pragma unroll
      for (int p = 0; p < packets; ++p) {
        word[3 * p] = static_cast<int>(packet[p].number);
        word[3 * p + 1] = static_cast<int>(packet[p].number >> 32);
        word[3 * p + 2] = static_cast<int>(packet[p].extra);
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
  if constexpr (choosing<T>) {
    result = overWarp(lane < readers ? told[lane] : zero, combine);
  } else {
#pragma unroll 1
    for (int w = 1; w < readers; ++w) result = combine(result, told[w]);
  }
  if constexpr (offered == Lines::columns) columnOffer_ = {chosenPosition(result), tag};
  if constexpr (offered == Lines::rows) rowOffer_ = {chosenPosition(result), tag};
  return result;
}

// A warp's lanes send the packets of a value, one each, to every copy of the box.
template <class T>
__device__ void GridTeam::tell(Packet* box, T const& own, Tag tag, Visibility visibility) const {
  constexpr int packets = (1 + static_cast<int>(sizeof(T)) / 4 + 2) / 3;
  int word[3 * packets] = {};
  memcpy(word + 1, &own, sizeof(T));
  // The host's flag lies behind a slow bus: look now and then, one block for all.
  if (block() == 0 && (interrupted_ || tag == firstTag_ || tag % 32 == 0))
    word[0] = interrupted_ ? 1 : *team_.interrupt;
  if (visibility == Visibility::everything) __threadfence();
  int const lane = thread() % 32, packet = lane / boxCopies;
  int first = 0, second = 0, third = 0;
#pragma unroll
  for (int p = 0; p < packets; ++p) {
    first = packet == p ? word[3 * p] : first;
    second = packet == p ? word[3 * p + 1] : second;
    third = packet == p ? word[3 * p + 2] : third;
  }
  if (packet < packets)
    send(box + ((lane % boxCopies) * gatherPackets + packet) * mostBlocks + block(),
         static_cast<std::uint32_t>(first) |
             (static_cast<std::uint64_t>(static_cast<std::uint32_t>(second)) << 32),
         static_cast<std::uint32_t>(third), tag);
  __syncwarp();
}

}  // namespace osi_cuda::cuda
