// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <sstream>
#include <string>

namespace osi_cuda::testing {

/// min -3x - 2y + 1; x + y <= 4, x + 3y <= 6, 0 <= x <= 3, y >= 0, y marked integer.
/// Optimum -10 at x = 3, y = 1; capacity is tight.
inline std::string smallMps() {
  return "NAME small\nROWS\n N cost\n L capacity\n L labour\nCOLUMNS\n"
         " x cost -3 capacity 1\n x labour 1\n"
         " M1 'MARKER' 'INTORG'\n"
         " y cost -2 capacity 1\n y labour 3\n"
         " M1 'MARKER' 'INTEND'\n"
         "RHS\n rhs cost -1 capacity 4\n rhs labour 6\n"
         "BOUNDS\n UP bound x 3\n PL bound y\nENDATA\n";
}

/// x + y <= 1 and x + y >= 2.
inline std::string infeasibleMps() {
  return "NAME infeasible\nROWS\n N cost\n L most\n G least\nCOLUMNS\n"
         " x cost 1 most 1\n x least 1\n y most 1 least 1\n"
         "RHS\n rhs most 1 least 2\nENDATA\n";
}

/// The bounds 3 <= x <= 2 cross.
inline std::string crossedMps() {
  return "NAME crossed\nROWS\n N cost\n L most\nCOLUMNS\n x cost 1 most 1\n"
         "RHS\n rhs most 9\nBOUNDS\n LO bound x 3\n UP bound x 2\nENDATA\n";
}

/// min -x; x - y <= 1: unbounded along (1, 1).
inline std::string unboundedMps() {
  return "NAME unbounded\nROWS\n N cost\n L difference\nCOLUMNS\n"
         " x cost -1 difference 1\n y difference -1\nRHS\n rhs difference 1\nENDATA\n";
}

/// An assignment problem of n jobs and n workers with scrambled costs: 2n rows and n^2 columns. The
/// tableau is dense and much larger than the file, and every vertex degenerate: slow for its size.
inline std::string assignmentMps(int n) {
  std::ostringstream text;
  text << "NAME assignment\nROWS\n N cost\n";
  for (int i = 0; i < n; ++i) text << " E job" << i << "\n E worker" << i << '\n';
  text << "COLUMNS\n";
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      state = state * 1664525u + 1013904223u;  // Numerical Recipes' linear congruential generator
      text << " x" << i << '_' << j << " cost " << 1 + (state >> 22) << " job" << i << " 1\n"
           << " x" << i << '_' << j << " worker" << j << " 1\n";
    }
  }
  text << "RHS\n";
  for (int i = 0; i < n; ++i) text << " rhs job" << i << " 1 worker" << i << " 1\n";
  text << "ENDATA\n";
  return text.str();
}

}  // namespace osi_cuda::testing
