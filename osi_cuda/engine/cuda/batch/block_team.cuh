// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/line_sums.hpp"
#include "osi_cuda/batch/small_problem.hpp"
#include "osi_cuda/engine/cuda/batch/batch_part.hpp"
#include "osi_cuda/engine/cuda/batch/block_meetings.cuh"
#include "osi_cuda/proof/bounded.hpp"
#include "osi_cuda/simplex/team.hpp"

/// The Team of osi_cuda/batch/small_solve.hpp on a device: one block of threads with the tableau of
/// one problem, in shared memory or, where that is too small, in memory of its own.
namespace osi_cuda::cuda {

/// Every thread owns the rows and columns thread, thread + threads, ... `single`: the block is one
/// warp. `inShared`: the tableau lies in shared memory. `usual`: the rules of pricing are the exact
/// ones, for which the exchange forms weights.
template <bool single, bool inShared, bool usual>
class BlockTeam : public BlockMeetings<BlockTeam<single, inShared, usual>, single> {
  using Meetings = BlockMeetings<BlockTeam<single, inShared, usual>, single>;
  friend Meetings;

 public:
  using Meetings::forColumns;
  using Meetings::forRows;
  using Meetings::slack;
  using Meetings::sync;

  /// `tableau` is read where it does not lie in `shared`, which is aligned to 16 bytes.
  __device__ BlockTeam(batch::SmallProblem const& problem, char* shared, double* tableau,
                       int threads)
      : Meetings(shared, threads), problem_(problem) {
    double* const base = reinterpret_cast<double*>(shared);
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
  __device__ void shortestSteps(auto directionOf, auto boundOf) {
    RowState const rows = places_.rows;
    sync();
    forColumns([&](int j) {
      double step = rules::unlimited;
      int const direction = directionOf(j);
      if (direction != 0)
        for (int i = 0; i < problem_.rows; ++i)
          step = fmin(
              step, boundOf(rows.value[i], rows.lower[i], rows.upper[i], direction * entry(i, j)));
      places_.columns.product[j] = step;
    });
  }

  __device__ bool load() {
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

  __device__ void startWeights(PivotRequest const& request) {
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

  __device__ void column(int q) {
    forRows([&](int i) { places_.rows.entry[i] = entry(i, q); });
  }
  __device__ void row(int r) {
    forColumns([&](int j) { places_.columns.entry[j] = entry(r, j); });
  }
  __device__ void combineRows() { combineRows(places_.rows.change, places_.columns.change); }
  __device__ void combineColumns() {
    sync();
    int const n = problem_.columns;
    forRows([&](int i) {
      double total = 0.0;
#pragma unroll 4
      for (int j = 0; j < n; ++j) total += places_.columns.change[j] * entry(i, j);
      places_.rows.change[i] = total;
    });
  }

  __device__ void steepestProducts() {
    combineRows(places_.rows.entry, places_.columns.product);
  }
  // T - u w' with row r and column q zero before, u_r = -1 and w = T[r,:] / alpha, w_q = 1 / alpha.
  // A thread forms a column or, where there are threads for several groups, a share of its rows.
  __device__ void exchange(Exchange const& x) {
    RowState const rows = places_.rows;
    ColumnState const columns = places_.columns;
    int const m = problem_.rows, n = problem_.columns, r = x.row, q = x.column;
    int const groups = threads_ / n > 1 ? threads_ / n : 1;
    int const group = groups > 1 ? thread() / n : 0;
    int const begin = groups > 1 ? thread() - group * n : thread();
    sync();
    if (thread() == 0) swapStates(x);
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

  // A warp forms a row of A, in long pieces of memory.
  __device__ double activities(double const* x, double const* xLow, double* hi, double* lo,
                               double* terms) {
    int const n = problem_.columns;
    double largest = 0.0;
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
        size += __shfl_xor_sync(~0u, size, distance);
      }
      if (lane() == 0) {
        hi[i] = sum.hi;
        lo[i] = sum.lo;
        if (terms) terms[i] = size;
      }
      largest = proof::worse(largest, size);
    }
    largest = reduce(largest, proof::worse);
    sync();
    return largest;
  }

  // A thread forms a column; neighbours read neighbouring numbers.
  __device__ double products(double const* y, double const* yLow, double* hi, double* lo,
                             double* terms) {
    int const m = problem_.rows, n = problem_.columns;
    double largest = 0.0;
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
      largest = proof::worse(largest, size);
    });
    largest = reduce(largest, proof::worse);
    sync();
    return largest;
  }

 private:
  using Pair = batch::Pair;
  using Meetings::lane;
  using Meetings::reduce;
  using Meetings::swapStates;
  using Meetings::thread;
  using Meetings::threads_;
  using Meetings::warp;
  using Meetings::warps;

  __device__ double& entry(int i, int j) const {
    return places_.tableau[i * places_.stride + j];
  }
  __device__ void combineRows(double const* factor, double* sum) {
    sync();
    int const m = problem_.rows;
    forColumns([&](int j) {
      double total = 0.0;
#pragma unroll 4
      for (int i = 0; i < m; ++i) total += factor[i] * entry(i, j);
      sum[j] = total;
    });
  }

  // ||e_i'B^-1||^2: the slack columns of T, and a unit where the basic variable is a slack itself.
  __device__ void formRowWeights() {
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

  /// columns.weight from the sums of squares that `groups` groups of threads have of each column.
  __device__ void gatherWeights(int groups) {
    int const n = problem_.columns;
    forColumns([&](int j) {
      double sum = 1.0;
      for (int g = 0; g < groups; ++g) sum += partial_[g * n + j];
      places_.columns.weight[j] = sum;
    });
  }

  batch::SmallProblem problem_;
  batch::SmallPlaces places_;
  double* partial_;
  bool exactColumns_ = false, exactRows_ = false;  ///< weights that follow an exchange
};

}  // namespace osi_cuda::cuda
