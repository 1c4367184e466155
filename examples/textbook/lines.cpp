// SPDX-License-Identifier: EPL-2.0
// Compiled twice (CMakeLists.txt): as plainLines() without vector instructions, and with
// TEXTBOOK_VECTORS as vectorLines(). Both without fused multiply-add, as the kernels are, so that
// all get the same numbers.
#include "examples/textbook/lines.hpp"

#include "examples/textbook/tableau.hpp"
#ifdef TEXTBOOK_VECTORS
#include "examples/textbook/clones.hpp"
#else
#define CLONES
#endif

namespace osi_cuda::textbook {
namespace {

template <class Real>
CLONES void update(int length, Real factor, Real const* pivotLine, Real const* from, Real* to) {
#pragma omp simd
  for (int k = 0; k < length; ++k) to[k] = from[k] - factor * pivotLine[k];
}

template <class Real>
CLONES void rowRatios(int length, Real value, Real tolerance, Real const* row, Real* best) {
#pragma omp simd
  for (int k = 0; k < length; ++k) {
    // A division that is always made: vectors have no branches.
    bool const blocks = row[k] > tolerance;
    Real const quotient = value / (blocks ? row[k] : Real(1));
    Real const ratio = blocks ? quotient : Real(unlimited);
    best[k] = ratio < best[k] ? ratio : best[k];
  }
}

template <class Real>
CLONES Real columnRatio(int length, Real tolerance, Real const* value, Real const* column) {
  Real best = Real(unlimited);
#pragma omp simd reduction(min : best)
  for (int k = 0; k < length; ++k) {
    Real const v = value[k] > Real(0) ? value[k] : Real(0);
    bool const blocks = column[k] > tolerance;
    Real const quotient = v / (blocks ? column[k] : Real(1));
    Real const ratio = blocks ? quotient : Real(unlimited);
    best = ratio < best ? ratio : best;
  }
  return best;
}

}  // namespace

#ifdef TEXTBOOK_VECTORS
template <class Real>
Lines<Real> vectorLines() {
  return {update<Real>, rowRatios<Real>, columnRatio<Real>};
}
template Lines<double> vectorLines();
template Lines<float> vectorLines();
#else
template <class Real>
Lines<Real> plainLines() {
  return {update<Real>, rowRatios<Real>, columnRatio<Real>};
}
template Lines<double> plainLines();
template Lines<float> plainLines();
#endif

}  // namespace osi_cuda::textbook
