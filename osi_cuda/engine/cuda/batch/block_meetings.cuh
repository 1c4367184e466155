// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/warp.cuh"
#include "osi_cuda/simplex/team.hpp"
#include "osi_cuda/simplex/whole_lines.hpp"

/// How the threads of one block share rows and columns and combine results.
namespace osi_cuda::cuda {

/// The loops, reductions and ratio tests of a Team (simplex/team.hpp) that is one block of threads,
/// and what it does with the states of rows and columns, wherever its tableau is. Every thread owns
/// the rows and columns thread, thread + threads, ... `single`: the block is one warp. `Derived`
/// offers rows(), columns(), problem() and combineColumns().
template <class Derived, bool single>
class BlockMeetings : public WholeLines<Derived> {
 public:
  __device__ void sync() const {
    if constexpr (single)
      __syncwarp();
    else
      __syncthreads();
  }

  __device__ bool slack(int variable) { return variable >= columnCount(); }
  // A batch is stopped between its parts: none takes long.
  __device__ bool interrupted() const { return false; }
  __device__ int pivotsAtOnce() const { return 1 << 30; }
  // Their owners may go on and change them: nobody does before all have read.
  __device__ double columnWeight(int q) { return readTogether(team().columns().weight[q]); }
  __device__ double rowWeight(int r) { return readTogether(team().rows().weight[r]); }
  __device__ void setColumnValue(int q, double x) {
    if (q % threads_ == thread()) team().columns().value[q] = x;
  }
  __device__ void shiftCost(int q, double delta) {
    if (q % threads_ == thread()) team().columns().reducedCost[q] += delta;
  }
  /// There are no sketches: weights that are called sketched are formed exactly.
  __device__ void updateColumnSketch(Exchange const&) {}
  __device__ void updateRowSketch(Exchange const&) {}

  __device__ void dualSteepestProducts() {
    ColumnState const columns = team().columns();
    forColumns(
        [&](int j) { columns.change[j] = slack(columns.variable[j]) ? columns.entry[j] : 0.0; });
    team().combineColumns();
  }

  __device__ void forRows(auto f) {
    for (int i = thread(); i < rowCount(); i += threads_) f(i);
  }
  __device__ void forColumns(auto f) {
    for (int j = thread(); j < columnCount(); j += threads_) f(j);
  }
  __device__ void forAll(int count, auto f) {
    for (int k = thread(); k < count; k += threads_) f(k);
  }
  __device__ void forCells(int rows, int columns, auto f) {
    for (int i = warp(); i < rows; i += warps())
      for (int j = lane(); j < columns; j += 32) f(i, j);
  }
  template <class T, class F, class Combine>
  __device__ T reduceRows(T const& zero, F f, Combine combine) {
    T partial = zero;
    forRows([&](int i) { f(partial, i); });
    return reduce(partial, combine);
  }
  template <class T, class F, class Combine>
  __device__ T reduceColumns(T const& zero, F f, Combine combine) {
    T partial = zero;
    forColumns([&](int j) { f(partial, j); });
    return reduce(partial, combine);
  }
  __device__ rules::Blocking harrisRows(auto breakpoint, auto candidateOf) {
    return harris(rowCount(), team().rows().entry, breakpoint, candidateOf);
  }
  __device__ rules::Blocking harrisColumns(auto breakpoint, auto candidateOf) {
    return harris(columnCount(), team().columns().entry, breakpoint, candidateOf);
  }
  __device__ rules::Turn turnRows(auto kinksOf, double slope) {
    return turn(rowCount(), kinksOf, slope);
  }
  __device__ rules::Turn turnColumns(auto kinksOf, double slope) {
    return turn(columnCount(), kinksOf, slope);
  }

 protected:
  /// `slots` is shared memory of 2 slotBytes a warp, aligned to 16 bytes.
  __device__ BlockMeetings(char* slots, int threads)
      : slots_(slots), threads_(single ? 32 : threads) {}

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int lane() const { return thread() & 31; }
  __device__ int warp() const { return single ? 0 : thread() >> 5; }
  __device__ int warps() const { return single ? 1 : threads_ >> 5; }
  __device__ double readTogether(double value) const {
    sync();
    return value;
  }
  /// The two variables change places; one thread says so.
  __device__ void swapStates(Exchange const& x) {
    RowState const rows = team().rows();
    ColumnState const columns = team().columns();
    int const variable = rows.variable[x.row];
    double const lower = rows.lower[x.row], upper = rows.upper[x.row];
    rows.variable[x.row] = columns.variable[x.column];
    rows.lower[x.row] = columns.lower[x.column];
    rows.upper[x.row] = columns.upper[x.column];
    rows.value[x.row] = x.enteringValue;
    columns.variable[x.column] = variable;
    columns.lower[x.column] = lower;
    columns.upper[x.column] = upper;
    columns.value[x.column] = x.leavingValue;
  }
  template <class T>
  __device__ T& slot(int number) const {
    static_assert(sizeof(T) <= slotBytes);
    return *reinterpret_cast<T*>(slots_ + (parity_ * warps() + number) * slotBytes);
  }

  /// Whether there are so many warps that their results are combined by lanes; a power of two.
  __device__ bool manyWarps() const { return warps() >= 16 && (warps() & (warps() - 1)) == 0; }

  /// What all warps bring, combined in an order that depends on their number alone; every thread
  /// gets the result.
  template <class T, class Combine>
  __device__ T combineWarps(T const& ofWarp, Combine combine) {
    if constexpr (single) return ofWarp;
    parity_ ^= 1;
    if (lane() == 0) slot<T>(warp()) = ofWarp;
    sync();
    if (manyWarps()) {
      T own = slot<T>(lane() & (warps() - 1));
      for (int distance = warps() / 2; distance > 0; distance /= 2) {
        T const other = fromLane(own, lane() ^ distance);
        own = (lane() & distance) != 0 ? combine(other, own) : combine(own, other);
      }
      return own;
    }
    T result = slot<T>(0);
    for (int w = 1; w < warps(); ++w) result = combine(result, slot<T>(w));
    return result;
  }
  template <class T, class Combine>
  __device__ T reduce(T partial, Combine combine) {
    for (int distance = 16; distance > 0; distance /= 2) {
      T const other = fromLane(partial, lane() ^ distance);
      partial = (lane() & distance) != 0 ? combine(other, partial) : combine(partial, other);
    }
    return combineWarps(partial, combine);
  }
  /// The best candidate: its key is enough to find it, and it travels once.
  __device__ rules::Candidate reduce(rules::Candidate const& own, auto) {
    std::uint64_t const key = own.found() ? orderOf(own.key) + 1 : 0;
    std::uint64_t const best = warpMax(key);
    std::uint32_t const tie = warpMin(key == best ? own.tie : ~0u);
    unsigned const winners = __ballot_sync(~0u, key == best && own.tie == tie);
    parity_ ^= 1;
    if (lane() == __ffs(static_cast<int>(winners)) - 1) slot<rules::Candidate>(warp()) = own;
    sync();
    if (manyWarps()) {
      int const number = lane() & (warps() - 1);
      rules::Candidate const& ofWarp = slot<rules::Candidate>(number);
      std::uint64_t const itsKey = ofWarp.found() ? orderOf(ofWarp.key) + 1 : 0;
      std::uint64_t const first = warpMax(itsKey);
      std::uint32_t const itsTie = warpMin(itsKey == first ? ofWarp.tie : ~0u);
      unsigned const finders = __ballot_sync(~0u, itsKey == first && ofWarp.tie == itsTie);
      return slot<rules::Candidate>((__ffs(static_cast<int>(finders)) - 1) & (warps() - 1));
    }
    rules::Candidate result = slot<rules::Candidate>(0);
    for (int w = 1; w < warps(); ++w) result = rules::better(result, slot<rules::Candidate>(w));
    return result;
  }

  struct Bounds {
    std::uint64_t relaxed;
    std::uint32_t largest;
  };
  template <class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harris(int count, double const* entries, Breakpoint breakpoint,
                                    CandidateOf candidateOf) {
    rules::Breakpoint first;  // mostly the only one of a thread
    double relaxed = rules::unlimited, largest = 0.0;
    for (int i = thread(); i < count; i += threads_) {
      rules::Breakpoint const b = breakpoint(i);
      if (i == thread()) first = b;
      relaxed = fmin(relaxed, b.relaxed);
      largest = fmax(largest, fabs(entries[i]));
    }
    Bounds const ofWarp{warpMin(orderOf(relaxed)), warpMax(rules::coarseBits(largest))};
    Bounds const all = combineWarps(ofWarp, [](Bounds const& a, Bounds const& b) {
      return Bounds{a.relaxed < b.relaxed ? a.relaxed : b.relaxed,
                    a.largest > b.largest ? a.largest : b.largest};
    });
    rules::Blocking result;
    result.relaxed = numberOf(all.relaxed);
    result.largest = rules::fromCoarseBits(all.largest);
    if (!(result.relaxed < rules::unlimited)) return result;
    rules::Candidate own;
    for (int i = thread(); i < count; i += threads_) {
      rules::Breakpoint const b = i == thread() ? first : breakpoint(i);
      if (b.ratio <= result.relaxed && b.ratio < rules::unlimited)
        own = rules::better(own, candidateOf(i, b));
    }
    result.best = reduce(own, rules::better);
    return result;
  }

  /// The nearest kinks beyond some ratio.
  struct Step {
    std::uint64_t order = ~std::uint64_t{0};
    std::uint64_t units = 0;
  };
  /// One ratio after the other: few are passed.
  __device__ rules::Turn turn(int count, auto kinksOf, double slope) {
    double const perRise = rules::turnUnits * rules::reciprocal(fabs(slope));
    rules::Turn result;
    double largest = 0.0;
    for (int i = thread(); i < count; i += threads_) largest = fmax(largest, kinksOf(i).entry);
    auto const larger = [](double a, double b) { return a > b ? a : b; };
    result.largest = rules::fromCoarseBits(rules::coarseBits(reduce(largest, larger)));
    std::uint64_t sum = 0, from = 0;
    for (bool first = true;; first = false) {
      Step own;
      auto const add = [&](rules::Kink const& kink) {
        if (!(kink.ratio < rules::unlimited)) return;
        std::uint64_t const order = orderOf(kink.ratio);
        if (order < from || order > own.order) return;
        if (order < own.order) own = {order, 0};
        own.units += rules::riseUnits(kink.rise, perRise);
      };
      for (int i = thread(); i < count; i += threads_) {
        rules::Kinks const kinks = kinksOf(i);
        add(kinks.first);
        add(kinks.second);
      }
      Step const next = reduce(own, [](Step const& a, Step const& b) {
        return a.order < b.order ? a : b.order < a.order ? b : Step{a.order, a.units + b.units};
      });
      if (next.units == 0) return result;
      sum += next.units;
      if (sum >= rules::turnNeeds) {
        result.ratio = numberOf(next.order);
        result.passed = !first;
        return result;
      }
      from = next.order + 1;
    }
  }

  char* slots_;
  int threads_;
  int parity_ = 0;

 private:
  __device__ Derived& team() { return static_cast<Derived&>(*this); }
  __device__ int rowCount() { return team().problem().rows; }
  __device__ int columnCount() { return team().problem().columns; }
};

}  // namespace osi_cuda::cuda
