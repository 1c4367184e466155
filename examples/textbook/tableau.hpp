// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "examples/textbook/variant.hpp"
#include "osi_cuda/base/host_device.hpp"

/// The two-phase tableau simplex method, in the few functions that host and device share; the rest
/// is loops around them.
///
///     max z = c'x,  A x + s = b,  x, s >= 0        rows of negative b are multiplied by -1 and get
///                                                  an artificial variable a: -A x - s + a = -b
///
/// The tableau has a row for each basic variable and a column for each nonbasic one: a basic
/// variable's own column would be a unit vector at all times, and is left out (the condensed
/// tableau). T is (m + 2) x (n + 1), counted from 0:
///
///     row 0         z        T[0][j] = -d_j, so that a column with T[0][j] < 0 improves z
///     rows 1 to m   basic    x_B[i] + sum over j of T[i][j] x_j = T[i][0]
///     row m + 1     phase 1  the same as row 0 for w = -(sum of the artificial variables)
///     column 0      right-hand sides: values of the basic variables, of z and of w
///
/// Phase 1 maximises w, phase 2 maximises z. A pivot at row r and column q exchanges two variables
/// and changes every entry (rank-1 update):
///
///     T'[r][q] = 1 / T[r][q]     T'[r][j] = T[r][j] / T[r][q]     T'[i][q] = -T[i][q] / T[r][q]
///     T'[i][j] = T[i][j] - T[i][q] T'[r][j]
///
/// An artificial variable that leaves is never wanted back: the last column moves into its place.
namespace osi_cuda::textbook {

/// All that changes from pivot to pivot besides T; on the device it lives in device memory.
struct State {
  Ending ending = Ending::running;
  int phase = 1;
  int columns = 0;      ///< nonbasic variables, in columns 1 to `columns`
  int artificials = 0;  ///< basic ones
  std::int64_t pivots = 0, phase1Pivots = 0;
  double entries = 0.0;    ///< rewritten so far
  std::uint64_t path = 0;  ///< Outcome::path
  // The pivot that was chosen last; row 0: none, there is nothing to do.
  int row = 0, column = 0;
  int source = 0;        ///< the column whose numbers go to place `column`: itself, or the last one
  double element = 0.0;  ///< T[row][column], in the tableau's own precision
  std::int64_t deadline = 0;  ///< nanoseconds of the clock of whoever pivots; 0: not yet set
};

/// What a run is told, and what follows from the problem.
struct Settings {
  std::uint64_t seed = 1;
  std::int64_t pivotLimit = 0;
  std::int64_t nanoseconds = 0;  ///< time limit
  int firstArtificial = 0;       ///< variables from this number on are artificial
  // Entries below these count as 0, being rounding errors of numbers of the problem's size.
  double pivotTolerance = 0.0, phase1Tolerance = 0.0, phase2Tolerance = 0.0;
  double feasibility = 0.0;  ///< a sum of artificial variables up to this counts as 0
  bool greatest = false;     ///< entering by greatest improvement
  bool twoBuffers = false;
};

/// The finalizer of SplitMix64.
OSI_CUDA_HD inline std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
/// The same for a seed, a pivot and a variable, wherever it is drawn.
OSI_CUDA_HD inline std::uint32_t randomTie(std::uint64_t seed, std::int64_t pivot, int variable) {
  return std::uint32_t(
      mix(mix(seed + 0x9E3779B97F4A7C15ull * std::uint64_t(pivot)) + std::uint64_t(variable)));
}

/// A ratio of no row: nothing blocks.
inline constexpr double unlimited = 1e30;

/// A row or column that competes. Total order: larger key; ties by a random number, then by place.
template <class Real>
struct Candidate {
  Real key = -1;
  std::uint32_t tie = 0;
  int place = 0;  ///< 0: no candidate
};
template <class Real>
OSI_CUDA_HD Candidate<Real> better(Candidate<Real> a, Candidate<Real> b) {
  if (a.place == 0 || b.place == 0) return a.place == 0 ? b : a;
  if (a.key != b.key) return a.key > b.key ? a : b;
  if (a.tie != b.tie) return a.tie < b.tie ? a : b;
  return a.place < b.place ? a : b;
}

OSI_CUDA_HD inline std::int64_t nanosecondClock() {
#ifdef __CUDA_ARCH__
  std::int64_t time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
#else
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
}

/// Where the numbers are: pointers into host or device memory that somebody else owns.
template <class Real_, bool byRows_>
struct Tableau {
  using Real = Real_;
  static constexpr bool byRows = byRows_;

  Real *even, *odd;     ///< T after an even or odd number of pivots; one buffer: the same
  std::int64_t stride;  ///< from one row (or column) to the next
  int m;
  Real* savedRow;      ///< T[r][j] / T[r][q]
  Real* savedColumn;   ///< T[i][q]
  Real* improvements;  ///< by column: what z or w would gain
  int* basic;          ///< variable of row i
  int* nonbasic;       ///< variable of column j
  State* state;
  Settings settings;

  OSI_CUDA_HD std::int64_t at(int i, int j) const {
    return byRows ? i * stride + j : j * stride + i;
  }
  /// The tableau after so many pivots.
  OSI_CUDA_HD Real* after(std::int64_t pivots) const { return pivots & 1 ? odd : even; }
  /// Rows that are kept up to date: phase 2 has no row m + 1.
  OSI_CUDA_HD int rows(State const& s) const { return s.phase == 1 ? m + 2 : m + 1; }
  OSI_CUDA_HD int costRow(State const& s) const { return s.phase == 1 ? m + 1 : 0; }

  /// T[costRow][j] if column j improves the objective of the phase, otherwise 0.
  OSI_CUDA_HD Real attraction(State const& s, int j) const {
    Real const cost = after(s.pivots)[at(costRow(s), j)];
    double const tolerance = s.phase == 1 ? settings.phase1Tolerance : settings.phase2Tolerance;
    return cost < -Real(tolerance) ? cost : Real(0);
  }

  /// How far the variable of a column can grow until that of row i becomes 0. An artificial
  /// variable that is still basic in phase 2 is 0, and has to stay so: it leaves at once if it can.
  OSI_CUDA_HD Real ratio(State const& s, int i, Real entry) const {
    Real const tolerance = Real(settings.pivotTolerance);
    if (s.phase == 2 && basic[i] >= settings.firstArtificial)
      return entry > tolerance || entry < -tolerance ? Real(0) : Real(unlimited);
    if (!(entry > tolerance)) return Real(unlimited);
    Real const value = after(s.pivots)[at(i, 0)];
    return value > Real(0) ? value / entry : Real(0);
  }

  OSI_CUDA_HD Candidate<Real> entering(State const& s, int j) const {
    Real const cost = attraction(s, j);
    if (cost == Real(0)) return {};
    return {settings.greatest ? improvements[j] : -cost,
            randomTie(settings.seed, s.pivots, nonbasic[j]), j};
  }

  OSI_CUDA_HD Candidate<Real> leaving(State const& s, int i, int q) const {
    Real const r = ratio(s, i, after(s.pivots)[at(i, q)]);
    if (!(r < Real(unlimited))) return {};
    return {-r, randomTie(settings.seed, s.pivots, basic[i]), i};
  }

  /// Before the choice of a pivot: is there time for it?
  OSI_CUDA_HD void begin(State& s) const {
    s.row = 0;
    std::int64_t const now = nanosecondClock();
    if (s.deadline == 0) s.deadline = now + settings.nanoseconds;
    if (now >= s.deadline) s.ending = Ending::timeLimit;
    if (s.pivots >= settings.pivotLimit) s.ending = Ending::pivotLimit;
  }

  /// No column improves the objective of the phase.
  OSI_CUDA_HD void endPhase(State& s) const {
    if (s.phase == 2)
      s.ending = Ending::optimal;
    else if (s.artificials > 0 && !(after(s.pivots)[at(m + 1, 0)] >= -Real(settings.feasibility)))
      s.ending = Ending::infeasible;
    else
      s.phase = 2;
  }

  /// The pivot is chosen: exchanges the variables. The numbers are still those of before.
  OSI_CUDA_HD void exchange(State& s, int r, int q) const {
    int const in = nonbasic[q], out = basic[r];
    bool const artificial = out >= settings.firstArtificial;
    s.element = after(s.pivots)[at(r, q)];
    s.row = r;
    s.column = q;
    s.source = artificial ? s.columns : q;
    basic[r] = in;
    nonbasic[q] = artificial ? nonbasic[s.columns] : out;
    s.columns -= artificial;
    s.artificials -= artificial;
    ++s.pivots;
    s.phase1Pivots += s.phase == 1;
    s.path = mix(s.path * 31 + std::uint64_t(in) * 0x100000001ull + std::uint64_t(out));
    if (s.phase == 1 && s.artificials == 0) s.phase = 2;
    s.entries += double(rows(s)) * (s.columns + 1);
  }

  /// The column of the old tableau that column j of the new one comes from.
  OSI_CUDA_HD int sourceOf(State const& s, int j) const { return j == s.column ? s.source : j; }

  /// T'[i][j], from old = T[i][sourceOf(j)], c = T[i][q] and v = T[r][sourceOf(j)] / T[r][q].
  OSI_CUDA_HD Real pivoted(State const& s, int i, int j, Real old, Real c, Real v) const {
    bool const exchanged = j == s.column && s.source == j;
    if (i == s.row) return exchanged ? Real(1) / Real(s.element) : v;
    return exchanged ? -(c / Real(s.element)) : old - c * v;
  }
};

}  // namespace osi_cuda::textbook
