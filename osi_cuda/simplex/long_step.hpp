// SPDX-License-Identifier: EPL-2.0
#pragma once

#include "osi_cuda/simplex/host_device.hpp"
#include "osi_cuda/simplex/rules.hpp"
#include "osi_cuda/simplex/team.hpp"

/// The long-step ratio test: along a ray, a convex piecewise linear function falls with some slope;
/// at each breakpoint the slope rises. Go on past breakpoints while it stays negative, and choose a
/// pivot of good size where it turns. The primal phase 1 (sum of infeasibilities; Wolfe 1965) and
/// the dual with boxed variables (bound flipping; Fourer 1994, Maros 2003) are both of this form.
namespace osi_cuda {

/// The breakpoints whose exact ratio lies in (low, high].
struct Window {
  double slope = 0.0;               ///< sum of their slope increments
  double first = rules::unlimited;  ///< smallest relaxed ratio of those past low
  double next = rules::unlimited;   ///< smallest relaxed ratio of those past high
  double largest = 0.0;             ///< largest |entry| of the whole row or column
  rules::Candidate best;            ///< largest |entry| in the window
  int count = 0;
};

OSI_CUDA_HD inline Window combineWindows(Window const& a, Window const& b) {
  Window w;
  w.slope = a.slope + b.slope;
  w.first = a.first < b.first ? a.first : b.first;
  w.next = a.next < b.next ? a.next : b.next;
  w.largest = a.largest > b.largest ? a.largest : b.largest;
  w.best = rules::better(a.best, b.best);
  w.count = a.count + b.count;
  return w;
}

/// Adds one breakpoint to a window (low, high].
OSI_CUDA_HD inline void addBreakpoint(Window& w, rules::Breakpoint const& b, double slopeIncrement,
                                      rules::Candidate const& candidate, double low, double high) {
  if (!(b.ratio < rules::unlimited) || b.ratio <= low) return;
  if (b.relaxed < w.first) w.first = b.relaxed;
  if (b.ratio > high) {
    if (b.relaxed < w.next) w.next = b.relaxed;
    return;
  }
  w.slope += slopeIncrement;
  w.best = rules::better(w.best, candidate);
  ++w.count;
}

/// The outcome: the blocking candidate, or none when the function falls for ever.
struct LongStep {
  rules::Candidate chosen;
  double largest = 0.0;
  bool shortest = false;  ///< nothing was passed
};

/// Whether the slope turns at the candidate that Harris' test finds, whatever else blocks there:
/// then longStep would find the same, since no step is shorter.
OSI_CUDA_HD inline bool turnsAt(rules::Blocking const& nearest, double slope) {
  return !nearest.best.found() || slope + nearest.best.slope >= 1e-9 * slope;
}

/// Step lengths in ascending order, and how the slope has risen up to each, from some length on.
struct Steps {
  static constexpr int count = 8;
  double at[count] = {};
};
struct Slopes {
  double sum[Steps::count] = {};  ///< of slope increments with a ratio up to that step
  int count[Steps::count] = {};
};
OSI_CUDA_HD inline Slopes combineSlopes(Slopes const& a, Slopes const& b) {
  Slopes s;
  for (int k = 0; k < Steps::count; ++k) {
    s.sum[k] = a.sum[k] + b.sum[k];
    s.count[k] = a.count[k] + b.count[k];
  }
  return s;
}
OSI_CUDA_HD inline void addBreakpoint(Slopes& s, rules::Breakpoint const& b, double slopeIncrement,
                                      double low, Steps const& steps) {
  if (!(b.ratio < rules::unlimited) || b.ratio <= low) return;
  for (int k = 0; k < Steps::count; ++k) {
    if (b.ratio > steps.at[k]) continue;
    s.sum[k] += slopeIncrement;
    ++s.count[k];
  }
}

/// From `first` on: far apart where there is no end in sight, else evenly up to `last`.
OSI_CUDA_HD inline Steps stepsBetween(double first, double last) {
  Steps steps;
  bool const open = !(last < rules::unlimited);
  double far = first > 1e-9 ? first : 1e-9;
  for (int k = 0; k < Steps::count; ++k) {
    steps.at[k] = open ? far : first + (last - first) * (static_cast<double>(k) / 7.0);
    far *= 8.0;
  }
  steps.at[0] = first;
  steps.at[Steps::count - 1] = last;
  return steps;
}

/// Of a long step that is being looked for: the slope turns in (low, high], and is `slope` at low.
struct Bracket {
  double low = -1.0;
  double high = rules::unlimited;
  double slope = 0.0;
  int inside = 0;  ///< breakpoints
};

/// The part of the bracket in which the slope turns. False: it does not.
OSI_CUDA_HD inline bool narrow(Bracket& bracket, Steps const& steps, Slopes const& slopes,
                               double zero) {
  int k = 0;
  while (k < Steps::count && bracket.slope + slopes.sum[k] < zero) ++k;
  if (k == Steps::count) {  // sums that differ by their rounding may leave the last part as well
    if (!(bracket.high < rules::unlimited)) return false;
    --k;
  }
  bracket.inside = slopes.count[k];
  bracket.high = steps.at[k];
  if (k == 0) return true;
  bracket.inside -= slopes.count[k - 1];
  bracket.low = steps.at[k - 1];
  bracket.slope += slopes.sum[k - 1];
  return true;
}

/// windowOf(low, high) forms the Window, slopesOf(low, steps) the Slopes over all breakpoints (a
/// meeting of the team each, and one place in its code). `nearest` is what Harris' test found out
/// already, if anything. Narrows a bracket until one Harris group is left.
template <class WindowOf, class SlopesOf>
OSI_CUDA_LOOP LongStep longStep(WindowOf windowOf, SlopesOf slopesOf, double slope,
                                rules::HarrisBound const* nearest = nullptr) {
  constexpr int few = 8;
  LongStep result;
  double const zero = 1e-9 * slope;  // sums that should cancel leave rounding behind
  Bracket bracket;
  bracket.slope = slope;
  rules::Candidate last;
  bool begun = false, passed = false;
  double from = -1.0, to = -1.0;
  for (;;) {
    Window window;
    if (!begun && nearest) {
      window.first = nearest->relaxed;
      window.largest = nearest->largest;
    } else {
      window = windowOf(from, to);
    }
    if (passed) {
      result.chosen = rules::better(last, window.best);
      return result;
    }
    if (!begun) {
      result.largest = window.largest;
      if (window.first >= rules::unlimited) return result;
    } else if (window.count <= 1 || bracket.high <= window.first) {
      // A tiny pivot is worth less than a shorter step.
      double const enough = 0.1 * result.largest < 1.0 ? 0.1 * result.largest : 1.0;
      result.chosen = window.best;
      if (window.best.key >= enough || bracket.low < 0.0) return result;
      last = window.best;
      passed = true;
      from = -1.0;
      to = bracket.low;
      continue;
    }
    double start = window.first;
    for (int rounds = 0; rounds < 3; ++rounds) {
      Steps const steps = stepsBetween(start, bracket.high);
      if (!narrow(bracket, steps, slopesOf(bracket.low, steps), zero)) return result;
      if (bracket.inside <= few || bracket.low < 0.0) break;
      start = bracket.low;
    }
    begun = true;
    from = bracket.low;
    to = bracket.high;
  }
}

}  // namespace osi_cuda
