// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/batch/small_proof.hpp"
#include "osi_cuda/batch/variant_problem.hpp"

/// How a variant goes from the common basis to a basis of its own, in one exchange of all variables
/// that differ: with S = T[R, Q], rows R of the leaving and columns Q of the entering ones, the
/// lines V = S^-1 T[R, :] and U = T[:, Q] are added to the factors of the delayed tableau. That
/// takes k (m + n) numbers and k^2 (k + n) multiplications for k exchanges, and a few barriers for
/// each where pivots have dozens. S is itself a delayed tableau while it is inverted: it lies far
/// away, and is read and written once for several pivots. Pairs without a trusted pivot are left
/// out: a start is a hint.
///
/// A Team here is one of variant_solve.hpp which can also do this:
///
///   entryOf(i, j)              an entry of T
///   forAll(count, f)           f(k) for k < count; no barrier
///   forCells(rows, columns, f) f(i, j) for all; no barrier
///   startLines(work, pairs)    the next lines of V, v_l = sum over l' of S^-1[l, l'] T[r_l', :]
///   append(lines)              the next lines of U and V are part of T
namespace osi_cuda::batch {

/// Pivots of this share of their column's largest entry are trusted.
inline constexpr double trustedOfStart = 1e-9;

/// Pivots of S that wait until it is read again.
inline constexpr int startPivots = 8;

/// Work memory of a start, in lines of V behind those that it adds.
struct StartWork {
  int leaving, entering;           ///< how many there are
  double* block;                   ///< S, then its inverse, row by row
  double *pivotRow, *pivotColumn;  ///< of pivots that wait, one behind the other; then by pair
  int *row, *column;               ///< positions of the leaving and the entering ones
  int* taken;                      ///< of the leaving ones
  int *ofRow, *ofColumn;           ///< of pair l: which of them

  OSI_CUDA_HD static std::int64_t doubles(int leaving, int entering) {
    return std::int64_t{leaving} * entering +
           (startPivots + 3) * (std::int64_t{leaving} + entering) + 2;
  }
  OSI_CUDA_HD static StartWork at(double* memory, int leaving, int entering) {
    StartWork w{};
    w.leaving = leaving;
    w.entering = entering;
    w.block = memory;
    w.pivotRow = w.block + std::int64_t{leaving} * entering;
    w.pivotColumn = w.pivotRow + startPivots * entering;
    w.row = reinterpret_cast<int*>(w.pivotColumn + startPivots * leaving);
    w.column = w.row + leaving;
    w.taken = w.column + entering;
    w.ofRow = w.taken + leaving;
    w.ofColumn = w.ofRow + leaving;
    return w;
  }
  OSI_CUDA_HD double& at(int i, int j) const { return block[std::int64_t{i} * entering + j]; }
  /// The same after the pivots that wait.
  OSI_CUDA_HD double after(int waiting, int i, int j) const {
    double value = at(i, j);
    for (int t = 0; t < waiting; ++t)
      value -= pivotColumn[t * leaving + i] * pivotRow[t * entering + j];
    return value;
  }
  /// S^-1 by pairs.
  OSI_CUDA_HD double inverse(int l, int other) const { return at(ofRow[l], ofColumn[other]); }
};

/// Nonbasic variables go to where `targetOf` wants them, and the basic ones follow.
OSI_CUDA_LOOP void moveNonbasic(Team auto& team, auto targetOf) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  auto move = [&](int& moved, int j) {
    double const before = columns.value[j], after = targetOf(j);
    columns.change[j] = after - before;
    columns.value[j] = after;
    if (after != before) ++moved;
  };
  if (team.reduceColumns(0, move, rules::sumCounts) == 0) return;
  team.combineColumns();
  team.forRows([&](int i) { rows.value[i] -= rows.change[i]; });
}

/// Where the start wants a variable to rest.
OSI_CUDA_HD inline double restAt(VariantChanges const& changes, int variable, double lower,
                                 double upper, double value) {
  std::uint32_t const* const bits = changes.start + changes.leaving + changes.entering;
  bool const up = (bits[variable / 32] >> (variable % 32) & 1u) != 0;
  double const wanted = up ? upper : lower, other = up ? lower : upper;
  return isNumber(wanted) ? wanted : isNumber(other) ? other : value;
}

/// The largest entry of a column of S, of rows that are left and of all.
struct StartPivot {
  double size = 0.0, largest = 0.0;
  int row = -1;
};
OSI_CUDA_HD inline StartPivot combinePivots(StartPivot const& a, StartPivot const& b) {
  bool const first = a.size > b.size || (a.size == b.size && a.row <= b.row);
  StartPivot result = first ? a : b;
  result.largest = a.largest > b.largest ? a.largest : b.largest;
  return result;
}

/// Pivots S in place by the largest entry of each column among the rows that are left. Returns the
/// number of pairs.
OSI_CUDA_LOOP int invertBlock(Team auto& team, StartWork const& w) {
  int pairs = 0, waiting = 0;
  auto const apply = [&] {
    team.forCells(w.leaving, w.entering,
                  [&](int i, int j) { w.at(i, j) = w.after(waiting, i, j); });
    waiting = 0;
    team.sync();
  };
  for (int b = 0; b < w.entering; ++b) {
    auto look = [&](StartPivot& best, int i) {
      if (i >= w.leaving) return;
      double const size = fabs(w.after(waiting, i, b));
      best = combinePivots(best, {w.taken[i] == 0 ? size : 0.0, size, i});
    };
    StartPivot const pivot = team.reduceRows(StartPivot{}, look, combinePivots);
    if (!(pivot.size > trustedOfStart * pivot.largest)) continue;
    int const a = pivot.row;
    double const inverse = 1.0 / w.after(waiting, a, b);
    team.sync();
    double* const row = w.pivotRow + waiting * w.entering;
    double* const column = w.pivotColumn + waiting * w.leaving;
    team.forAll(w.entering, [&](int j) {
      row[j] = j == b ? 1.0 : w.after(waiting, a, j);
      w.at(a, j) = 0.0;
    });
    team.forAll(w.leaving, [&](int i) {
      column[i] = i == a ? -inverse : w.after(waiting, i, b) * inverse;
      w.at(i, b) = 0.0;
    });
    team.forAll(1, [&](int) {
      w.taken[a] = 1;
      w.ofRow[pairs] = a;
      w.ofColumn[pairs] = b;
    });
    ++pairs;
    team.sync();
    team.forAll(waiting, [&](int t) {  // what has been exchanged is in the new pivot alone
      w.pivotColumn[t * w.leaving + a] = 0.0;
      w.pivotRow[t * w.entering + b] = 0.0;
    });
    ++waiting;
    team.sync();
    if (waiting == startPivots) apply();
  }
  if (waiting > 0) apply();
  return pairs;
}

/// Goes to the variant's start, if it has one, from the common basis with the variant's numbers and
/// changed columns.
OSI_CUDA_LOOP void enterStart(Team auto& team) {
  auto const rows = team.rows();
  auto const columns = team.columns();
  VariantChanges const changes = team.changes();
  VariantBase const& base = team.base();
  if (!changes.start) return;
  moveNonbasic(team, [&](int j) {
    return restAt(changes, columns.variable[j], columns.lower[j], columns.upper[j],
                  columns.value[j]);
  });
  int const m = base.rows, n = base.columns, used = team.used();
  std::int64_t const behind = std::int64_t{used} + changes.entering;
  if (changes.entering == 0 ||
      StartWork::doubles(changes.leaving, changes.entering) > (team.capacity() - behind) * n)
    return;
  double* const u = team.places().u + std::int64_t{used} * m;
  double* const v = team.places().v + std::int64_t{used} * n;
  StartWork const w =
      StartWork::at(team.places().v + behind * n, changes.leaving, changes.entering);
  team.sync();
  team.forAll(w.leaving, [&](int a) {
    w.row[a] = base.position[changes.start[a]];
    w.taken[a] = w.row[a] < 0;  // where a singular common basis was repaired
  });
  team.forAll(w.entering,
              [&](int b) { w.column[b] = ~base.position[changes.start[w.leaving + b]]; });
  team.sync();
  team.forCells(w.leaving, w.entering, [&](int a, int b) {
    bool const known = w.row[a] >= 0 && w.column[b] >= 0;
    w.at(a, b) = known ? team.entryOf(w.row[a], w.column[b]) : 0.0;
  });
  team.sync();
  int const pairs = invertBlock(team, w);
  if (pairs == 0) return;
  auto const rowOf = [&](int l) { return w.row[w.ofRow[l]]; };
  auto const columnOf = [&](int l) { return w.column[w.ofColumn[l]]; };
  auto const restOf = [&](int i) {
    return restAt(changes, rows.variable[i], rows.lower[i], rows.upper[i], rows.value[i]);
  };

  // The entering variables move so that the leaving ones come to rest.
  double* const gap = w.pivotRow;
  double* const step = w.pivotColumn;
  team.forAll(pairs, [&](int l) { gap[l] = rows.value[rowOf(l)] - restOf(rowOf(l)); });
  team.startLines(w, pairs);
  team.sync();
  team.forAll(pairs, [&](int l) {
    double sum = 0.0;
    for (int other = 0; other < pairs; ++other) sum += w.inverse(l, other) * gap[other];
    step[l] = sum;
  });
  team.sync();
  team.forRows([&](int i) {
    double moved = 0.0;
    for (int l = 0; l < pairs; ++l) {
      double const entry = team.entryOf(i, columnOf(l));
      u[std::int64_t{l} * m + i] = entry;
      moved += entry * step[l];
    }
    rows.change[i] = moved;
  });
  double* const cost = gap;
  team.forAll(pairs, [&](int l) { cost[l] = columns.reducedCost[columnOf(l)]; });
  team.sync();
  team.forCells(pairs, pairs, [&](int l, int other) {
    u[std::int64_t{l} * m + rowOf(other)] = l == other ? -1.0 : 0.0;
    v[std::int64_t{l} * n + columnOf(other)] = w.inverse(l, other);
  });
  team.forCells(used, pairs, [&](int l, int other) {
    team.places().u[std::int64_t{l} * m + rowOf(other)] = 0.0;
    team.places().v[std::int64_t{l} * n + columnOf(other)] = 0.0;
  });
  team.forAll(pairs, [&](int l) { columns.reducedCost[columnOf(l)] = 0.0; });
  team.sync();
  team.forRows([&](int i) { rows.value[i] -= rows.change[i]; });
  team.forColumns([&](int j) {
    double sum = 0.0;
    for (int l = 0; l < pairs; ++l) sum += cost[l] * v[std::int64_t{l} * n + j];
    columns.reducedCost[j] -= sum;
  });
  team.sync();
  team.forAll(pairs, [&](int l) {
    int const r = rowOf(l), q = columnOf(l);
    double const rest = restOf(r), lower = rows.lower[r], upper = rows.upper[r];
    int const variable = rows.variable[r];
    rows.variable[r] = columns.variable[q];
    rows.lower[r] = columns.lower[q];
    rows.upper[r] = columns.upper[q];
    rows.value[r] = columns.value[q] + step[l];
    columns.variable[q] = variable;
    columns.lower[q] = lower;
    columns.upper[q] = upper;
    columns.value[q] = rest;
    team.places().live[r] = team.places().live[m + q] = 0;
  });
  team.append(pairs);
}

}  // namespace osi_cuda::batch
