// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <type_traits>

#include "osi_cuda/engine/cuda/grid/choice.cuh"
#include "osi_cuda/engine/cuda/grid/gathering.cuh"
#include "osi_cuda/engine/cuda/grid/harris_test.cuh"
#include "osi_cuda/engine/cuda/grid/long_step.cuh"
#include "osi_cuda/engine/cuda/grid/products.cuh"
#include "osi_cuda/engine/cuda/grid/shadow_products.cuh"
#include "osi_cuda/engine/cuda/grid/shortest_steps.cuh"
#include "osi_cuda/engine/cuda/grid/sketch.cuh"
#include "osi_cuda/simplex/whole_lines.hpp"

namespace osi_cuda::cuda {

/// Stages that are rare or long. They are not inlined and work on a copy of the block, which then
/// lives in memory, so that the block itself stays in registers.
namespace grid::apart {

/// What a member function of a part makes.
template <class Part, auto function, class Kind, class... Arguments>
__device__ __noinline__ auto call(Block<Kind>& block, Arguments... arguments) {
  return (Part(block).*function)(arguments...);
}
template <class Kind, class T, class Combine>
__device__ __noinline__ T gather(Block<Kind>& block, T const& partial, T const& zero,
                                 Combine combine, int lines) {
  return Gathering<Kind>(block).gather(partial, zero, combine, lines);
}
template <class Kind, class DirectionOf, class BoundOf>
__device__ __noinline__ void shortestSteps(Block<Kind>& block, DirectionOf directionOf,
                                           BoundOf boundOf) {
  grid::shortestSteps(block, directionOf, boundOf);
}

}  // namespace grid::apart

/// The Team of team.hpp on the device: every thread of a cooperative grid runs the pivot loop, all
/// take the same branches, and every result of a meeting is known to every thread. It says which
/// part (grid/) does what; its calls are those that the pivot loops ask for.
///
/// Blocks meet by packets (packet.cuh), without fences but in grid/shadow_products.cuh: what others
/// need of the entering column or the leaving row travels in a payload, everything else is read by
/// its owner only. Every block sends the line of its own candidate along, and reads that of the
/// winner. D has two owners of each entry (its row's and its column's), who zero it at exchanges: a
/// line zeroed in this launch counts as zero whatever memory says. All sums are formed in an order
/// that depends on sizes only, or are sums of whole numbers.
template <class Kind>
class GridTeam : public WholeLines<GridTeam<Kind>> {
 public:
  __device__ GridTeam(TableauView const& tableau, TeamView const& team, int used, Counters next)
      : block_(tableau, team, used, next) {
    using grid::thread, grid::zeroed;
    for (int i = thread(); i < block_.rowSide.count; i += teamThreads)
      zeroed<Lines::rows>(block_)[i] = 0;
    for (int j = thread(); j < block_.columnSide.count; j += teamThreads)
      zeroed<Lines::columns>(block_)[j] = 0;
    // Looked at where a block has no lines.
    if (thread() == 0) grid::piece<rules::Candidate>(team.places.candidates)[0] = {};
    moveState<false>(block_);
    grid::FactorLines<Kind> const factors(block_);
    factors.template take<Lines::rows>();
    factors.template take<Lines::columns>();
    __syncthreads();
  }

  /// Writes the state back to where the host expects it.
  __device__ void store() {
    __syncthreads();
    if (grid::block() == 0 && grid::thread() == 0) *block_.t.shiftCount = shifts_;
    grid::FactorLines<Kind> const factors(block_);
    factors.template flush<Lines::rows>(block_.used - olderFactors(block_));
    factors.template flush<Lines::columns>(block_.used - olderFactors(block_));
    moveState<true>(block_);
  }

  __device__ RowState rows() const { return grid::rowsOf(block_); }
  __device__ ColumnState columns() const { return grid::columnsOf(block_); }
  __device__ int used() const { return block_.used; }
  __device__ int capacity() const { return block_.t.capacity; }
  __device__ bool slack(int variable) const { return variable >= block_.t.n; }
  __device__ Counters next() const { return block_.next; }
  __device__ int shifts() const { return shifts_; }

  __device__ void forRows(auto f) { grid::forOwn<Kind>(block_.rowSide, f); }
  __device__ void forColumns(auto f) { grid::forOwn<Kind>(block_.columnSide, f); }
  template <class T, class F, class Combine>
  __device__ T reduceRows(T const& zero, F f, Combine combine) {
    return reduce<Lines::rows>(zero, f, combine);
  }
  template <class T, class F, class Combine>
  __device__ T reduceColumns(T const& zero, F f, Combine combine) {
    return reduce<Lines::columns>(zero, f, combine);
  }
  __device__ rules::Blocking harrisRows(auto breakpoint, auto candidateOf) {
    return grid::HarrisTest<Kind>(block_).template run<Lines::rows>(offers_.row, breakpoint,
                                                                    candidateOf);
  }
  __device__ rules::Blocking harrisColumns(auto breakpoint, auto candidateOf) {
    return grid::HarrisTest<Kind>(block_).template run<Lines::columns>(offers_.column, breakpoint,
                                                                       candidateOf);
  }
  __device__ rules::Turn turnRows(auto kinksOf, double slope) {
    return turn<Lines::rows>(kinksOf, slope);
  }
  __device__ rules::Turn turnColumns(auto kinksOf, double slope) {
    return turn<Lines::columns>(kinksOf, slope);
  }

  __device__ void column(int q) { takeLine<Lines::columns>(q, offers_.column, rows().entry); }
  __device__ void row(int r) { takeLine<Lines::rows>(r, offers_.row, columns().entry); }
  __device__ void combineRows() {
    double const* const g = rows().change;
    double* const out = columns().change;
    apart(
        [&](Block& block) { grid::apart::call<Products, &Products::combineRows>(block, g, out); });
  }
  __device__ void combineColumns() {
    double const* const g = columns().change;
    double* const out = rows().change;
    apart([&](Block& block) {
      grid::apart::call<Products, &Products::combineColumns>(block, g, out);
    });
  }
  __device__ void steepestProducts() {
    if constexpr (!Kind::inShared) {
      bool const shadowed =
          block_.t.shadow != nullptr && block_.team.rowShares != nullptr && !fewNonzeros_;
      double const* const g = rows().entry;
      double* const out = columns().product;
      int nonzeros = 0;
      apart([&](Block& block) {
        nonzeros = shadowed ? grid::apart::call<Shadow, &Shadow::combineRows>(block, g, out)
                            : grid::apart::call<Products, &Products::combineRows>(block, g, out);
      });
      fewNonzeros_ = leastShare * nonzeros < block_.t.m;
    }
  }

  __device__ void dualSteepestProducts() {
    if constexpr (!Kind::inShared) {
      double* const g = columns().change;
      forColumns([&](int j) { g[j] = slack(columns().variable[j]) ? columns().entry[j] : 0.0; });
      bool const shadowed = block_.t.shadow != nullptr && !fewNonzeros_;
      double* const out = rows().product;
      int nonzeros = 0;
      apart([&](Block& block) {
        nonzeros = shadowed ? grid::apart::call<Shadow, &Shadow::combineColumns>(block, g, out)
                            : grid::apart::call<Products, &Products::combineColumns>(block, g, out);
      });
      fewNonzeros_ = leastShare * nonzeros < block_.t.n;
    }
  }

  __device__ void shortestSteps(auto directionOf, auto boundOf) {
    if constexpr (!Kind::inShared)  // kernels of the usual rule are not to grow by this one
      apart([&](Block& block) { grid::apart::shortestSteps(block, directionOf, boundOf); });
  }

  __device__ double columnWeight(int) const { return grid::header<Lines::columns>(block_).weight; }
  __device__ double rowWeight(int) const { return grid::header<Lines::rows>(block_).weight; }
  __device__ void setColumnValue(int q, double x) {
    if (grid::owns(block_.columnSide, q)) columns().value[q] = x;
  }
  // Costs are by variable, and a variable may come to another block, through the basis, and be
  // shifted there again in the same launch: what one block adds to memory another need not see. So
  // each shift gets a place of its own, which one thread writes and nobody reads before the launch
  // is over; applyShifts adds them up.
  __device__ void shiftCost(int q, double delta) {
    int const number = shifts_++;
    if (!grid::owns(block_.columnSide, q)) return;
    block_.t.shifts[number] = {columns().variable[q], delta};
    columns().reducedCost[q] += delta;
  }

  __device__ void updateColumnSketch(Exchange const& x) {
    grid::Sketch<Kind>(block_).updateColumns(x);
  }
  __device__ void updateRowSketch(Exchange const& x) { grid::Sketch<Kind>(block_).updateRows(x); }
  // D's row r and column q become zero, as do their lines of U and V; then a line is appended.
  __device__ void exchange(Exchange const& x) {
    LineHeader const& entering = grid::header<Lines::columns>(block_);
    LineHeader const& leaving = grid::header<Lines::rows>(block_);
    grid::FactorLines<Kind> const factors(block_);
    TableauView const& t = block_.t;
    int const firstRow = block_.rowSide.first, firstColumn = block_.columnSide.first;
    if (grid::block() == 0 && grid::thread() == 0) {
      t.exchanged[2 * block_.used] = x.row;
      t.exchanged[2 * block_.used + 1] = x.column;
    }
    RowState const row = rows();
    ColumnState const column = columns();
    factors.template zero<Lines::rows>(x.row - firstRow);
    factors.template zero<Lines::columns>(x.column - firstColumn);
    forRows([&](int i) {
      __stcg(t.base + at(i) * t.n + x.column, 0.0);
      factors.template append<Lines::rows>(i - firstRow, i == x.row ? -1.0 : row.entry[i]);
      if (i != x.row) return;
      grid::zeroed<Lines::rows>(block_)[i - firstRow] = 1;
      row.variable[i] = entering.variable();
      row.lower[i] = entering.lower;
      row.upper[i] = entering.upper;
      row.value[i] = x.enteringValue;
    });
    forColumns([&](int j) {
      __stcg(t.base + at(x.row) * t.n + j, 0.0);
      factors.template append<Lines::columns>(
          j - firstColumn, j == x.column ? x.inverse : column.entry[j] * x.inverse);
      if (j != x.column) return;
      grid::zeroed<Lines::columns>(block_)[j - firstColumn] = 1;
      column.variable[j] = leaving.variable();
      column.lower[j] = leaving.lower;
      column.upper[j] = leaving.upper;
      column.value[j] = x.leavingValue;
    });
    if constexpr (!Kind::inShared) Shadow(block_).zero(x);
    offers_.column.position = offers_.row.position = -1;  // what was sent is out of date
    factors.finish();
  }

 private:
  using Lines = grid::Lines;
  using Block = grid::Block<Kind>;
  using LongStep = grid::LongStep<Kind>;
  using PivotLines = grid::PivotLines<Kind>;
  using Products = grid::Products<Kind>;
  using Shadow = grid::ShadowProducts<Kind>;

  template <Lines kind, class T, class F, class Combine>
  __device__ T reduce(T const& zero, F f, Combine combine) {
    if constexpr (std::is_same_v<T, rules::Candidate>) {
      return grid::Choice<Kind>(block_).template choose<kind>(
          kind == Lines::columns ? offers_.column : offers_.row, f);
    } else {
      int const lines = grid::side<kind>(block_).count;
      T partial = zero;
      grid::forOwn<Kind>(grid::side<kind>(block_), [&](int i) { f(partial, i); });
      if constexpr (sizeof(T) <= 16) {
        return grid::Gathering<Kind>(block_).gather(partial, zero, combine, lines);
      } else {  // what is large is rare
        T result = zero;
        apart([&](Block& block) {
          result = grid::apart::gather(block, partial, zero, combine, lines);
        });
        return result;
      }
    }
  }

  template <Lines kind, class KinksOf>
  __device__ rules::Turn turn(KinksOf kinksOf, double slope) {
    Tag const tag = LongStep(block_).template tell<kind>(kinksOf, slope);
    rules::Turn result;
    apart([&](Block& block) {
      result = grid::apart::call<LongStep, &LongStep::template find<kind>>(block, tag);
    });
    return result;
  }

  // entries = D's line - (other side's factors) (the line's factors)
  template <Lines kind>
  __device__ void takeLine(int position, grid::Offer& offer, double* entries) {
    constexpr Lines other = kind == Lines::columns ? Lines::rows : Lines::columns;
    PivotLines const lines(block_);
    if (offer.position != position) {  // it did not come with a candidate
      if (grid::side<other>(block_).total > 0)
        offer.entry = lines.template farEntry<kind>(position);
      apart([&](Block& block) {
        grid::apart::call<PivotLines, &PivotLines::template fetch<kind>>(block, position);
      });
    }
    lines.template entries<kind>(position, offer.entry, entries);
  }

  /// Calls f on a copy of the block; see grid::apart.
  __device__ void apart(auto f) {
    Block copy(block_);
    f(copy);
    block_.next = copy.next;
  }
  /// Products for exact weights read the shadow if at least one in so many entries is a nonzero.
  static constexpr int leastShare = 8;

  Block block_;
  grid::Offers offers_;
  int shifts_ = 0;            ///< how many there were in this launch
  bool fewNonzeros_ = false;  ///< in the last product for exact weights
};

// A pass over the shadow reads all of it, or of the rows of nonzeros, which may be those of a few
// blocks; the other products read what they need of D, slower. What pays is judged by the nonzeros
// of the pivot before.

}  // namespace osi_cuda::cuda
