// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/batch/pairs.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/warp.cuh"
#include "osi_cuda/simplex/team.hpp"
#include "osi_cuda/simplex/whole_lines.hpp"

/// The Team of osi_cuda/batch/small_solve.hpp on a device: one block of threads with the tableau of
/// one problem, in shared memory or, where that is too small, in memory of its own.
namespace osi_cuda::cuda {

/// Every thread owns the rows and columns thread, thread + threads, ... `single`: the block is one
/// warp. `inShared`: the tableau lies in shared memory. `usual`: the rules of pricing are the exact
/// ones, for which the exchange forms weights.
template <bool single, bool inShared, bool usual>
class BlockTeam : public WholeLines<BlockTeam<single, inShared, usual>> {
 public:
  /// `tableau` is read where it does not lie in `shared`, which is aligned to 16 bytes.
  __device__ BlockTeam(batch::SmallProblem const& problem, char* shared, double* tableau,
                       int threads)
      : problem_(problem), threads_(single ? 32 : threads) {
    double* const base = reinterpret_cast<double*>(shared);
    slots_ = shared;
    partial_ = base + warps() * 2 * slotBytes / static_cast<int>(sizeof(double));
    double* const vectors = partial_ + threads_;
    double* const behind = vectors + batch::vectorDoubles(problem.rows, problem.columns);
    places_ = batch::SmallPlaces::at(inShared ? behind : tableau, strideOf(problem.columns),
                                     vectors, problem.rows, problem.columns);
  }

  __device__ batch::SmallProblem const& problem() const { return problem_; }
  __device__ RowState rows() const { return places_.rows; }
  __device__ ColumnState columns() const { return places_.columns; }
  __device__ int used() const { return 0; }  // nothing is delayed
  __device__ int capacity() const { return 1 << 30; }
  __device__ bool slack(int variable) const { return variable >= problem_.columns; }
  // A batch is stopped between its parts.
  __device__ bool interrupted() const { return false; }
  __device__ int pivotsAtOnce() const { return 1 << 30; }
  __device__ void sync() const {
    if constexpr (single)
      __syncwarp();
    else
      __syncthreads();
  }

  template <class F>
  __device__ void forRows(F f) {
    for (int i = thread(); i < problem_.rows; i += threads_) f(i);
  }
  template <class F>
  __device__ void forColumns(F f) {
    for (int j = thread(); j < problem_.columns; j += threads_) f(j);
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
  template <class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harrisRows(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris(problem_.rows, places_.rows.entry, breakpoint, candidateOf);
  }
  template <class Breakpoint, class CandidateOf>
  __device__ rules::Blocking harrisColumns(Breakpoint breakpoint, CandidateOf candidateOf) {
    return harris(problem_.columns, places_.columns.entry, breakpoint, candidateOf);
  }
  template <class KinksOf>
  __device__ rules::Turn turnRows(KinksOf kinksOf, double slope) {
    return turn(problem_.rows, kinksOf, slope);
  }
  template <class KinksOf>
  __device__ rules::Turn turnColumns(KinksOf kinksOf, double slope) {
    return turn(problem_.columns, kinksOf, slope);
  }
  template <class DirectionOf, class BoundOf>
  __device__ void shortestSteps(DirectionOf directionOf, BoundOf boundOf);

  __device__ bool load();
  __device__ void startWeights(PivotRequest const& request);

  __device__ void column(int q) {
    forRows([&](int i) { places_.rows.entry[i] = entry(i, q); });
  }
  __device__ void row(int r) {
    forColumns([&](int j) { places_.columns.entry[j] = entry(r, j); });
  }
  __device__ void combineRows() { combineRows(places_.rows.change, places_.columns.change); }
  __device__ void combineColumns();
  __device__ void steepestProducts() { combineRows(places_.rows.entry, places_.columns.product); }
  __device__ void dualSteepestProducts() {
    forColumns([&](int j) {
      places_.columns.change[j] =
          slack(places_.columns.variable[j]) ? places_.columns.entry[j] : 0.0;
    });
    combineColumns();
  }
  /// Weights that are called sketched are exact here: the exchange forms them with the tableau.
  __device__ void updateColumnSketch(Exchange const&) {}
  __device__ void updateRowSketch(Exchange const&) {}
  __device__ void exchange(Exchange const& x);

  // Their owners may go on and change them: nobody does before all have read.
  __device__ double columnWeight(int q) const { return readTogether(places_.columns.weight[q]); }
  __device__ double rowWeight(int r) const { return readTogether(places_.rows.weight[r]); }
  __device__ void setColumnValue(int q, double x) {
    if (q % threads_ == thread()) places_.columns.value[q] = x;
  }
  __device__ void shiftCost(int q, double delta) {
    if (q % threads_ == thread()) places_.columns.reducedCost[q] += delta;
  }

  __device__ void activities(double const* x, double const* xLow, double* hi, double* lo,
                             double* terms);
  __device__ void products(double const* y, double const* yLow, double* hi, double* lo,
                           double* terms);

 private:
  using Pair = batch::Pair;

  __device__ int thread() const { return static_cast<int>(threadIdx.x); }
  __device__ int lane() const { return thread() & 31; }
  __device__ int warp() const { return single ? 0 : thread() >> 5; }
  __device__ int warps() const { return single ? 1 : threads_ >> 5; }
  __device__ double& entry(int i, int j) const { return places_.tableau[i * places_.stride + j]; }
  __device__ double readTogether(double value) const {
    sync();
    return value;
  }
  template <class T>
  __device__ T& slot(int number) const {
    static_assert(sizeof(T) <= slotBytes);
    return *reinterpret_cast<T*>(slots_ + (parity_ * warps() + number) * slotBytes);
  }

  /// What all warps bring, combined in their order; every thread gets the result.
  template <class T, class Combine>
  __device__ T combineWarps(T const& ofWarp, Combine combine) {
    if constexpr (single) return ofWarp;
    parity_ ^= 1;
    if (lane() == 0) slot<T>(warp()) = ofWarp;
    sync();
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
  template <class Combine>
  __device__ rules::Candidate reduce(rules::Candidate const& own, Combine) {
    std::uint64_t const key = own.found() ? orderOf(own.key) + 1 : 0;
    std::uint64_t const best = warpMax(key);
    std::uint32_t const tie = warpMin(key == best ? own.tie : ~0u);
    unsigned const winners = __ballot_sync(~0u, key == best && own.tie == tie);
    parity_ ^= 1;
    if (lane() == __ffs(static_cast<int>(winners)) - 1) slot<rules::Candidate>(warp()) = own;
    sync();
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
  template <class KinksOf>
  __device__ rules::Turn turn(int count, KinksOf kinksOf, double slope) {
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

  __device__ void combineRows(double const* factor, double* sum);
  __device__ void formRowWeights();
  /// columns.weight from the sums of squares that `groups` groups of threads have of each column.
  __device__ void gatherWeights(int groups);

  batch::SmallProblem problem_;
  batch::SmallPlaces places_;
  char* slots_;
  double* partial_;
  int threads_;
  int parity_ = 0;
  bool exactColumns_ = false, exactRows_ = false;  ///< weights that follow an exchange
};

template <bool single, bool inShared, bool usual>
template <class DirectionOf, class BoundOf>
__device__ void BlockTeam<single, inShared, usual>::shortestSteps(DirectionOf directionOf,
                                                                  BoundOf boundOf) {
  RowState const rows = places_.rows;
  sync();
  forColumns([&](int j) {
    double step = rules::unlimited;
    int const direction = directionOf(j);
    if (direction != 0)
      for (int i = 0; i < problem_.rows; ++i)
        step = fmin(step,
                    boundOf(rows.value[i], rows.lower[i], rows.upper[i], direction * entry(i, j)));
    places_.columns.product[j] = step;
  });
}

template <bool single, bool inShared, bool usual>
__device__ bool BlockTeam<single, inShared, usual>::load() {
  int const n = problem_.columns;
  int bad = 0;
  for (int i = warp(); i < problem_.rows; i += warps()) {
    double const* const source = problem_.matrix + static_cast<std::size_t>(i) * n;
    for (int j = lane(); j < n; j += 32) {
      double const a = source[j];
      entry(i, j) = a;
      if (!(fabs(a) < infinity)) bad = 1;
    }
  }
  bool const numbers = reduce(bad, rules::sumCounts) == 0;
  sync();
  return numbers;
}

template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::startWeights(PivotRequest const& request) {
  bool const primal = request.algorithm == Algorithm::primal;
  bool const follows = usual || request.pricing == Pricing::sketched;
  bool const exact = follows || request.pricing == Pricing::steepest;
  exactColumns_ = primal && follows;
  exactRows_ = !primal && follows;
  sync();
  if (primal) {
    forColumns([&](int j) {
      double sum = 1.0;
      if (exact)
        for (int i = 0; i < problem_.rows; ++i) sum += entry(i, j) * entry(i, j);
      places_.columns.weight[j] = sum;
    });
  } else if (exact) {
    formRowWeights();
  } else {
    forRows([&](int i) { places_.rows.weight[i] = 1.0; });
  }
}

// ||e_i'B^-1||^2: the slack columns of T, and a unit where the basic variable is a slack itself.
template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::formRowWeights() {
  int const n = problem_.columns;
  forRows([&](int i) {
    double sum = slack(places_.rows.variable[i]) ? 1.0 : 0.0;
#pragma unroll 4
    for (int j = 0; j < n; ++j) {
      double const a = slack(places_.columns.variable[j]) ? entry(i, j) : 0.0;
      sum += a * a;
    }
    places_.rows.weight[i] = fmax(sum, rules::leastRowWeight);
  });
}

template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::combineRows(double const* factor, double* sum) {
  sync();
  int const m = problem_.rows;
  forColumns([&](int j) {
    double total = 0.0;
#pragma unroll 4
    for (int i = 0; i < m; ++i) total += factor[i] * entry(i, j);
    sum[j] = total;
  });
}

template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::combineColumns() {
  sync();
  int const n = problem_.columns;
  forRows([&](int i) {
    double total = 0.0;
#pragma unroll 4
    for (int j = 0; j < n; ++j) total += places_.columns.change[j] * entry(i, j);
    places_.rows.change[i] = total;
  });
}

// T - u w' with row r and column q zero before, u_r = -1 and w = T[r,:] / alpha, w_q = 1 / alpha.
// A thread forms a column or, where there are threads for several groups, a share of its rows.
template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::exchange(Exchange const& x) {
  RowState const rows = places_.rows;
  ColumnState const columns = places_.columns;
  int const m = problem_.rows, n = problem_.columns, r = x.row, q = x.column;
  int const groups = threads_ / n > 1 ? threads_ / n : 1;
  int const group = groups > 1 ? thread() / n : 0;
  int const begin = groups > 1 ? thread() - group * n : thread();
  sync();
  if (thread() == 0) {
    int const variable = rows.variable[r];
    double const lower = rows.lower[r], upper = rows.upper[r];
    rows.variable[r] = columns.variable[q];
    rows.lower[r] = columns.lower[q];
    rows.upper[r] = columns.upper[q];
    rows.value[r] = x.enteringValue;
    columns.variable[q] = variable;
    columns.lower[q] = lower;
    columns.upper[q] = upper;
    columns.value[q] = x.leavingValue;
  }
  if (group < groups) {
    for (int j = begin; j<n; j += groups> 1 ? n : threads_) {
      bool const pivotColumn = j == q;
      double const w = pivotColumn ? x.inverse : columns.entry[j] * x.inverse;
      double squares = 0.0;
      double* place = &entry(group, j);
      int const step = groups * places_.stride;
      // Loads of several entries before the first store, which none of them could pass.
      constexpr int several = 8;
      for (int i = group; i < m; i += several * groups, place += several * step) {
        double value[several], u[several];
#pragma unroll
        for (int k = 0; k < several; ++k) {
          bool const inside = i + k * groups < m;
          value[k] = inside ? place[k * step] : 0.0;
          u[k] = inside ? rows.entry[i + k * groups] : 0.0;
        }
#pragma unroll
        for (int k = 0; k < several; ++k) {
          if (i + k * groups >= m) break;
          double const before = pivotColumn ? 0.0 : value[k];
          double const after = i + k * groups == r ? w : before - u[k] * w;
          place[k * step] = after;
          squares += after * after;
        }
      }
      if (exactColumns_) {
        if (groups > 1)
          partial_[thread()] = squares;
        else
          columns.weight[j] = 1.0 + squares;
      }
    }
  }
  sync();
  if (exactColumns_ && groups > 1) gatherWeights(groups);
  if (exactRows_) formRowWeights();
}

template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::gatherWeights(int groups) {
  int const n = problem_.columns;
  forColumns([&](int j) {
    double sum = 1.0;
    for (int g = 0; g < groups; ++g) sum += partial_[g * n + j];
    places_.columns.weight[j] = sum;
  });
}

// A warp forms a row of A, in long pieces of memory.
template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::activities(double const* x, double const* xLow,
                                                               double* hi, double* lo,
                                                               double* terms) {
  int const n = problem_.columns;
  sync();
  for (int i = warp(); i < problem_.rows; i += warps()) {
    double const* const row = problem_.matrix + static_cast<std::size_t>(i) * n;
    Pair sum;
    double size = 0.0;
    for (int j = lane(); j < n; j += 32) {
      Pair const term = Pair{x[j], xLow ? xLow[j] : 0.0} * row[j];
      sum = sum + term;
      size += fabs(term.hi);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      sum = sum + fromLane(sum, lane() ^ distance);
      if (terms) size += __shfl_xor_sync(~0u, size, distance);
    }
    if (lane() == 0) {
      hi[i] = sum.hi;
      lo[i] = sum.lo;
      if (terms) terms[i] = size;
    }
  }
  sync();
}

// A thread forms a column; neighbours read neighbouring numbers.
template <bool single, bool inShared, bool usual>
__device__ void BlockTeam<single, inShared, usual>::products(double const* y, double const* yLow,
                                                             double* hi, double* lo,
                                                             double* terms) {
  int const m = problem_.rows, n = problem_.columns;
  sync();
  forColumns([&](int j) {
    Pair sum;
    double size = 0.0;
#pragma unroll 4
    for (int i = 0; i < m; ++i) {
      Pair const term =
          Pair{y[i], yLow ? yLow[i] : 0.0} * problem_.matrix[static_cast<std::size_t>(i) * n + j];
      sum = sum + term;
      size += fabs(term.hi);
    }
    hi[j] = sum.hi;
    lo[j] = sum.lo;
    if (terms) terms[j] = size;
  });
  sync();
}

}  // namespace osi_cuda::cuda
