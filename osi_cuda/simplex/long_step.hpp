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

/// Whether the slope turns at the candidate that Harris' test finds, whatever else blocks there,
/// and that candidate is large enough: then longStep would find the same.
OSI_CUDA_HD inline bool turnsAt(rules::Blocking const& nearest, double slope) {
  if (!nearest.best.found()) return true;
  double const enough = 0.1 * nearest.largest < 1.0 ? 0.1 * nearest.largest : 1.0;
  return nearest.best.key >= enough && slope + nearest.best.slope >= 1e-9 * slope;
}

/// windowOf(low, high) forms the Window over all breakpoints (a meeting of the team).
template <class WindowOf>
OSI_CUDA_LOOP LongStep longStep(WindowOf windowOf, double slope) {
  LongStep result;
  double const zero = 1e-9 * slope;  // sums that should cancel leave rounding behind
  double low = -1.0;
  Window window = windowOf(low, low);
  result.largest = window.largest;
  if (window.first >= rules::unlimited) return result;
  double high = window.first;
  rules::Candidate passed;  // the best pivot among the breakpoints passed: a shorter step is valid
  window = windowOf(low, high);
  while (slope + window.slope < zero) {
    if (window.next >= rules::unlimited) return result;
    slope += window.slope;
    passed = rules::better(passed, window.best);
    low = high;
    high = window.next > 2.0 * high ? window.next : 2.0 * high;
    window = windowOf(low, high);
  }
  // The slope turns in (low, high]: halve it until one Harris group is left.
  for (int round = 0; window.count > 1 && high > window.first; ++round) {
    double middle = round < 40 ? 0.5 * (low + high) : window.first;
    if (middle < window.first) middle = window.first;
    Window const left = windowOf(low, middle);
    if (slope + left.slope >= zero) {
      high = middle;
      window = left;
    } else {
      slope += left.slope;
      passed = rules::better(passed, left.best);
      low = middle;
      window = windowOf(low, high);
    }
  }
  // A tiny pivot is worth less than a shorter step.
  double const enough = 0.1 * result.largest < 1.0 ? 0.1 * result.largest : 1.0;
  result.chosen = window.best.key >= enough ? window.best : rules::better(window.best, passed);
  return result;
}

}  // namespace osi_cuda
