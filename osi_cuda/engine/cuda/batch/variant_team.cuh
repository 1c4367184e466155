// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <cstdint>

#include "osi_cuda/batch/line_sums.hpp"
#include "osi_cuda/engine/cuda/batch/block_meetings.cuh"
#include "osi_cuda/engine/cuda/batch/variant_part.hpp"
#include "osi_cuda/proof/bounded.hpp"
#include "osi_cuda/simplex/team.hpp"

/// The Team of osi_cuda/batch/variant_solve.hpp on a device: one block of threads. D and the matrix
/// are shared by all blocks and lie in the device's cache, or nearly; states, U and V are the
/// block's own, in memory as well.
namespace osi_cuda::cuda {

/// What passes over much memory is called, not put in at each of its many places: the kernel would
/// take minutes to build. It is called with a copy of the team: were a thread's team to have an
/// address, it would lie in memory. What is long and the same for all threads is a VariantBlock in
/// shared memory.
class VariantTeam : public BlockMeetings<VariantTeam, false> {
  using Meetings = BlockMeetings<VariantTeam, false>;
  friend Meetings;

 public:
  /// `shared` has variantBytes, aligned to 16; `memory` VariantPlaces::doubles; `near`, unless it
  /// is null, nearDoubles.
  __device__ VariantTeam(batch::VariantBase const& base, int capacity, double* memory, double* near,
                         char* shared, int threads)
      : Meetings(shared + sizeof(VariantBlock), threads),
        block_(reinterpret_cast<VariantBlock*>(shared)),
        capacity_(capacity) {
    partial_ = reinterpret_cast<double*>(slots_ + warps() * 2 * slotBytes);
    factor_ = partial_ + threads_;
    counts_ = reinterpret_cast<int*>(factor_ + capacity);
    if (thread() == 0) {
      block_->base = base;
      block_->places = batch::VariantPlaces::at(memory, base.rows, base.columns, capacity, near);
      block_->problem = block_->places.problemOf(base);
    }
    sync();
  }

  /// A sync before and after.
  __device__ void take(batch::VariantChanges const& changes) {
    sync();
    if (thread() == 0) block_->changes = changes;
    used_ = 0;
    sync();
  }

  __device__ batch::SmallProblem const& problem() const { return block_->problem; }
  __device__ batch::VariantBase const& base() const { return block_->base; }
  __device__ batch::VariantChanges const& changes() const { return block_->changes; }
  __device__ batch::VariantPlaces const& places() const { return block_->places; }
  __device__ RowState rows() const { return places().rows; }
  __device__ ColumnState columns() const { return places().columns; }
  __device__ int used() const { return used_; }
  __device__ int capacity() const { return capacity_; }

  __device__ void forNumbers(auto f) {
    for (int c = thread(); c < changes().numberCount; c += threads_) f(changes().numbers[c]);
  }
  __device__ void shortestSteps(auto directionOf, auto boundOf) {
    RowState const rows = places().rows;
    sync();
    forColumns([&](int j) {
      double step = rules::unlimited;
      if (int const direction = directionOf(j); direction != 0)
        for (int i = 0; i < base().rows; ++i) {
          step = fmin(step, boundOf(rows.value[i], rows.lower[i], rows.upper[i],
                                    direction * entryOf(i, j)));
        }
      places().columns.product[j] = step;
    });
  }

  __device__ double entryOf(int i, int j) const {
    double entry = rowLives(i) && columnLives(j) ? rowOfD(i)[j] : 0.0;
    for (int l = 0; l < used_; ++l) entry -= lineOfU(l)[i] * lineOfV(l)[j];
    return entry;
  }
  __device__ void startLines(batch::StartWork const& work, int pairs) {
    byCopy<&VariantTeam::formStartLines>(*this, work, pairs);
  }
  __device__ void append(int lines) {
    used_ += lines;
    sync();
  }

  __device__ void loadBase() {
    sync();
    int const m = base().rows;
    forRows([&](int i) {
      places().rowLower[i] = base().rowLower[i];
      places().rowUpper[i] = base().rowUpper[i];
      places().rows.variable[i] = base().rowVariable[i];
      places().rows.value[i] = base().rowValue[i];
      places().live[i] = 1;
    });
    forColumns([&](int j) {
      places().objective[j] = base().objective[j];
      places().columnLower[j] = base().columnLower[j];
      places().columnUpper[j] = base().columnUpper[j];
      places().columns.variable[j] = base().columnVariable[j];
      places().columns.value[j] = base().columnValue[j];
      places().columns.reducedCost[j] = base().reducedCost[j];
      places().live[m + j] = 1;
    });
    sync();
  }

  __device__ void appendLine() {
    forRows([&](int i) { lineOfU(used_)[i] = places().rows.entry[i]; });
    forColumns([&](int j) { lineOfV(used_)[j] = places().columns.entry[j]; });
    ++used_;
    sync();
  }

  // After exchanges the norms at the common basis are those of other lines.
  __device__ void startWeights(PivotRequest const& request) {
    bool const common = used_ == 0 && request.pricing != Pricing::dantzig;
    sync();
    if (request.algorithm == Algorithm::primal)
      forColumns(
          [&](int j) { places().columns.weight[j] = common ? base().columnWeight[j] : 1.0; });
    else
      forRows([&](int i) { places().rows.weight[i] = common ? base().rowWeight[i] : 1.0; });
  }

  __device__ void column(int q) { byCopy<&VariantTeam::formColumn>(*this, q); }
  __device__ void row(int r) { byCopy<&VariantTeam::formRow>(*this, r); }
  __device__ void combineRows() {
    byCopy<&VariantTeam::addRows>(*this, places().rows.change, places().columns.change);
  }
  __device__ void combineColumns() { byCopy<&VariantTeam::addColumns>(*this); }
  __device__ void steepestProducts() {
    byCopy<&VariantTeam::addRows>(*this, places().rows.entry, places().columns.product);
  }
  __device__ void exchange(Exchange const& x) {
    RowState const rows = places().rows;
    ColumnState const columns = places().columns;
    sync();
    for (int l = thread(); l < used_; l += threads_) lineOfU(l)[x.row] = lineOfV(l)[x.column] = 0.0;
    double* const u = lineOfU(used_);
    double* const v = lineOfV(used_);
    forRows([&](int i) { u[i] = i == x.row ? -1.0 : rows.entry[i]; });
    forColumns([&](int j) { v[j] = j == x.column ? x.inverse : columns.entry[j] * x.inverse; });
    if (thread() == 0) {
      swapStates(x);
      places().live[x.row] = places().live[base().rows + x.column] = 0;
    }
    ++used_;
    sync();
  }

  __device__ double activities(double const* x, double const* xLow, double* hi, double* lo,
                               double* terms) {
    return reduce(byCopy<&VariantTeam::formActivities>(*this, x, xLow, hi, lo, terms),
                  proof::worse);
  }
  __device__ double products(double const* y, double const* yLow, double* hi, double* lo,
                             double* terms) {
    return reduce(byCopy<&VariantTeam::formProducts>(*this, y, yLow, hi, lo, terms), proof::worse);
  }

 private:
  /// A member function that leaves the team as it is, called by a copy of the team.
  template <auto function, class... Arguments>
  __device__ __noinline__ static auto byCopy(VariantTeam team, Arguments... arguments)
      -> decltype((team.*function)(arguments...)) {
    return (team.*function)(arguments...);
  }

  // A thread has a column, and several sums at a time: of T each entry is read once for them. Of
  // S^-1 a piece of as many lines, and of as many columns as there is room for, lies in partial_.
  __device__ void formStartLines(batch::StartWork work, int pairs) {
    constexpr int together = 16;
    int const n = base().columns, depth = threads_ / together;
    double* const v = lineOfV(used_);
    int* const row = reinterpret_cast<int*>(factor_);
    sync();
    for (int c = thread(); c < pairs; c += threads_) row[c] = work.row[work.ofRow[c]];
    for (int begin = 0; begin < n; begin += threads_) {
      int const j = begin + thread();
      for (int first = 0; first < pairs; first += together) {
        double sum[together] = {};
        for (int other = 0; other < pairs; other += depth) {
          int const end = other + depth < pairs ? other + depth : pairs;
          sync();
          if (int const l = first + thread() % together, c = other + thread() / together; c < end)
            partial_[thread()] = l < pairs ? work.inverse(l, c) : 0.0;
          sync();
          if (j >= n) continue;
#pragma unroll 2
          for (int c = other; c < end; ++c) {
            double const entry = used_ == 0 ? rowOfD(row[c])[j] : entryOf(row[c], j);
            double const* const factor = partial_ + (c - other) * together;
#pragma unroll
            for (int l = 0; l < together; ++l) sum[l] += factor[l] * entry;
          }
        }
        if (j >= n) continue;
#pragma unroll
        for (int l = 0; l < together; ++l)
          if (first + l < pairs) v[std::int64_t{first + l} * n + j] = sum[l];
      }
    }
    sync();
  }

  // Where there are threads for several groups, each adds up a share of the lines.
  __device__ void formColumn(int q) {
    sync();
    for (int l = thread(); l < used_; l += threads_) factor_[l] = lineOfV(l)[q];
    sync();
    bool const lives = columnLives(q);
    int const m = base().rows, used = used_, groups = threads_ / m > 1 ? threads_ / m : 1;
    double const* const u = places().u;
    auto const addUp = [&](int i, int group) {
      double total = 0.0;
#pragma unroll 8
      for (int l = group; l < used; l += groups) total += factor_[l] * u[std::int64_t{l} * m + i];
      return total;
    };
    if (groups > 1 && thread() < groups * m) partial_[thread()] = addUp(thread() % m, thread() / m);
    if (groups > 1) sync();
    forRows([&](int i) {
      double entry = lives && rowLives(i) ? rowOfD(i)[q] : 0.0;
      if (groups > 1)
        for (int g = 0; g < groups; ++g) entry -= partial_[g * m + i];
      else
        entry -= addUp(i, 0);
      places().rows.entry[i] = entry;
    });
  }

  // A thread forms two entries at a time: more of V is on its way.
  __device__ void formRow(int r) {
    sync();
    for (int l = thread(); l < used_; l += threads_) factor_[l] = lineOfU(l)[r];
    sync();
    bool const lives = rowLives(r);
    int const n = base().columns, used = used_;
    double const* const v = places().v;
    double* const entry = places().columns.entry;
    auto const ofD = [&](int j) { return lives && columnLives(j) ? rowOfD(r)[j] : 0.0; };
    int j = thread();
    for (; j + threads_ < n; j += 2 * threads_) {
      double const* const line = v + j;
      double a = ofD(j), b = ofD(j + threads_);
#pragma unroll 8
      for (int l = 0; l < used; ++l) {
        double const factor = factor_[l];
        a -= factor * line[std::int64_t{l} * n];
        b -= factor * line[std::int64_t{l} * n + threads_];
      }
      entry[j] = a;
      entry[j + threads_] = b;
    }
    if (j >= n) return;
    double a = ofD(j);
#pragma unroll 16
    for (int l = 0; l < used; ++l) a -= factor_[l] * v[std::int64_t{l} * n + j];
    entry[j] = a;
  }

  // Rows of D without a factor are passed over. Where there are threads for several groups, each
  // group adds up a share of the rows.
  __device__ void addRows(double const* factor, double* sum) {
    int const m = base().rows, n = base().columns, used = used_;
    int const count = listPlaces(m, [&](int i) { return factor[i] != 0.0 && rowLives(i); });
    multiplyLines(places().u, m, factor, m, [](int i) { return i; });
    int const groups = threads_ / n > 1 ? threads_ / n : 1;
    int const* const list = places().list;
    double const* const d = base().tableau;
    auto const addUp = [&](int j, int group) {
      double total = 0.0;
#pragma unroll 8
      for (int k = group; k < count; k += groups) {
        int const i = list[k];
        total += factor[i] * d[std::int64_t{i} * n + j];
      }
      return total;
    };
    sync();
    if (groups > 1 && thread() < groups * n) partial_[thread()] = addUp(thread() % n, thread() / n);
    if (groups > 1) sync();
    forColumns([&](int j) {
      double total = 0.0;
      if (groups > 1)
        for (int g = 0; g < groups; ++g) total += partial_[g * n + j];
      else
        total = addUp(j, 0);
      if (!columnLives(j)) total = 0.0;
#pragma unroll 8
      for (int l = 0; l < used; ++l) total -= factor_[l] * places().v[std::int64_t{l} * n + j];
      sum[j] = total;
    });
  }

  // A warp forms a row in long pieces of memory; where few columns take part, a thread looks up
  // theirs alone.
  __device__ void addColumns() {
    int const m = base().rows, n = base().columns, used = used_;
    double const* const factor = places().columns.change;
    double* const sum = places().rows.change;
    int const count = listPlaces(n, [&](int j) { return factor[j] != 0.0; });
    constexpr int few = 4;  // a single entry costs a sector of the cache, four numbers
    bool const sparse = count * few < n;
    int const* const list = places().list;
    double* const masked = places().masked;
    if (sparse) {
      multiplyLines(places().v, n, factor, count, [list](int k) { return list[k]; });
      for (int k = thread(); k < count; k += threads_)
        masked[k] = columnLives(list[k]) ? factor[list[k]] : 0.0;
    } else {
      multiplyLines(places().v, n, factor, n, [](int j) { return j; });
      forColumns([&](int j) { masked[j] = columnLives(j) ? factor[j] : 0.0; });
      sync();
      for (int i = warp(); i < m; i += warps()) {
        double const* const d = rowOfD(i);
        double total = 0.0;
#pragma unroll 8
        for (int j = lane(); j < n; j += 32) total += masked[j] * d[j];
        for (int distance = 16; distance > 0; distance /= 2)
          total += __shfl_xor_sync(~0u, total, distance);
        if (lane() == 0) sum[i] = total;
      }
    }
    sync();
    forRows([&](int i) {
      double total = 0.0;
      if (sparse) {
        double const* const d = rowOfD(i);
#pragma unroll 4
        for (int k = 0; k < count; ++k) total += masked[k] * d[list[k]];
      } else {
        total = sum[i];
      }
      if (!rowLives(i)) total = 0.0;
#pragma unroll 8
      for (int l = 0; l < used; ++l) total -= factor_[l] * places().u[std::int64_t{l} * m + i];
      sum[i] = total;
    });
    sync();
  }

  __device__ double formActivities(double const* x, double const* xLow, double* hi, double* lo,
                                   double* terms) {
    return sumLines(
        base().byRow, base().rows, [&](int i) { return changes().ofRow(i); },
        [&](int j) {
          return Pair{x[j], xLow ? xLow[j] : 0.0};
        },
        hi, lo, terms);
  }

  __device__ double formProducts(double const* y, double const* yLow, double* hi, double* lo,
                                 double* terms) {
    return sumLines(
        base().byColumn, base().columns, [&](int j) { return changes().ofColumn(j); },
        [&](int i) {
          return Pair{y[i], yLow ? yLow[i] : 0.0};
        },
        hi, lo, terms);
  }

  using Pair = batch::Pair;

  __device__ double* lineOfU(int l) const {
    return places().u + std::int64_t{l} * base().rows;
  }
  __device__ double* lineOfV(int l) const {
    return places().v + std::int64_t{l} * base().columns;
  }
  __device__ double const* rowOfD(int i) const {
    return base().tableau + std::int64_t{i} * base().columns;
  }
  __device__ bool rowLives(int i) const {
    return places().live[i] != 0;
  }
  __device__ bool columnLives(int j) const {
    return places().live[base().rows + j] != 0;
  }

  /// factor_[l] = line l of U or V times `vector`, whose entries that differ from zero are among
  /// those at placeOf(k), k < count.
  __device__ void multiplyLines(double const* lines, int length, double const* vector, int count,
                                auto placeOf) {
    for (int l = warp(); l < used_; l += warps()) {
      double const* const line = lines + std::int64_t{l} * length;
      double sum = 0.0;
#pragma unroll 4
      for (int k = lane(); k < count; k += 32) sum += line[placeOf(k)] * vector[placeOf(k)];
      for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(~0u, sum, distance);
      if (lane() == 0) factor_[l] = sum;
    }
  }

  /// Those k < length that are taken(k), ascending, in places().list; a sync before and after.
  /// Returns how many.
  // Each warp looks at successive ones twice: how many there are, and, when all know how many lie
  // before theirs, which.
  __device__ int listPlaces(int length, auto isTaken) {
    int const each = (length + 32 * warps() - 1) / (32 * warps()) * 32;
    int const begin = warp() * each, end = begin + each < length ? begin + each : length;
    auto const taken = [&](int k) { return k < end && isTaken(k); };
    sync();
    int own = 0;
    for (int k = begin; k < end; k += 32) own += __popc(__ballot_sync(~0u, taken(k + lane())));
    if (lane() == 0) counts_[warp()] = own;
    sync();
    int before = 0, all = 0;
    for (int w = 0; w < warps(); ++w) {
      if (w < warp()) before += counts_[w];
      all += counts_[w];
    }
    for (int k = begin; k < end; k += 32) {
      unsigned const votes = __ballot_sync(~0u, taken(k + lane()));
      if (taken(k + lane()))
        places().list[before + __popc(votes & ((1u << lane()) - 1u))] = k + lane();
      before += __popc(votes);
    }
    sync();
    return all;
  }

  /// Sums over the lines of a matrix: of all entries of line l, with the changes changesOf(l) made,
  /// times entry(their index). A long line belongs to a warp, another to a thread; each thread gets
  /// the largest of the sums of absolute values that it knows.
  __device__ double sumLines(batch::LinesView const& lines, int count, auto changesOf, auto entry,
                             double* hi, double* lo, double* terms) {
    auto const add = [&](int l, int first, int step, Pair& sum, double& size) {
      auto const addTerm = [&](int index, double a) {
        Pair const term = entry(index) * a;
        sum = sum + term;
        size += fabs(term.hi);
      };
      std::int64_t const begin = lines.starts[l] + first, end = lines.starts[l + 1];
      batch::LineChanges const changes = changesOf(l);
      if (changes.count == 0) {
#pragma unroll 4
        for (std::int64_t e = begin; e < end; e += step) addTerm(lines.indices[e], lines.values[e]);
        return;
      }
#pragma unroll 1
      for (std::int64_t e = begin; e < end; e += step)
        addTerm(lines.indices[e], changes.kept(lines.indices[e], lines.values[e]));
#pragma unroll 1
      for (int c = first; c < changes.count; c += step)
        addTerm(changes.first[c].index, changes.first[c].after);
    };
    double largest = 0.0;
    auto const put = [&](int l, Pair const& sum, double size) {
      hi[l] = sum.hi;
      lo[l] = sum.lo;
      if (terms) terms[l] = size;
      largest = proof::worse(largest, size);
    };
    sync();
    for (int c = warp(); c < lines.longCount; c += warps()) {
      int const l = lines.longLines[c];
      Pair sum;
      double size = 0.0;
      add(l, lane(), 32, sum, size);
      for (int distance = 16; distance > 0; distance /= 2) {
        sum = sum + fromLane(sum, lane() ^ distance);
        size += __shfl_xor_sync(~0u, size, distance);
      }
      if (lane() == 0) put(l, sum, size);
    }
    if (lines.longCount < count)
      for (int l = thread(); l < count; l += threads_) {
        if (lines.starts[l + 1] - lines.starts[l] > batch::shortLine) continue;
        Pair sum;
        double size = 0.0;
        add(l, 0, 1, sum, size);
        put(l, sum, size);
      }
    sync();
    return largest;
  }

  VariantBlock* block_;
  double* partial_;
  double* factor_;
  int* counts_;
  int capacity_;
  int used_ = 0;
};
}  // namespace osi_cuda::cuda
