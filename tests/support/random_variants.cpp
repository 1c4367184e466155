// SPDX-License-Identifier: EPL-2.0
#include "tests/support/random_variants.hpp"

#include <cmath>

#include "tests/support/random.hpp"

namespace osi_cuda::testing {
namespace {

using What = VariantChange::What;

double moved(double bound, Random& random) {
  return (std::isfinite(bound) ? bound : 0.0) + random.quarters(8);
}

}  // namespace

PackedVariants randomVariants(LinearProgram const& lp, std::uint64_t seed,
                              VariantDraw const& draw) {
  Random random(seed);
  PackedVariants variants;
  int const m = lp.rows(), n = lp.columns();
  for (int k = 0; k < draw.count; ++k) {
    std::vector<VariantChange> changes;
    for (int left = 1 + random.below(6); left > 0; --left) {
      int const j = n > 0 ? random.below(n) : 0, i = m > 0 ? random.below(m) : 0;
      auto const c = static_cast<std::size_t>(j), r = static_cast<std::size_t>(i);
      switch (random.below(6)) {
        case 0:
          if (draw.costs && n > 0)
            changes.push_back({What::cost, j, lp.objective[c] + random.quarters(8)});
          break;
        case 1:
          if (draw.bounds && n > 0)
            changes.push_back({What::columnLower, j, moved(lp.columnLower[c], random)});
          break;
        case 2:
          if (draw.bounds && n > 0)
            changes.push_back({What::columnUpper, j, moved(lp.columnUpper[c], random)});
          break;
        case 3:
          if (draw.rows && m > 0)
            changes.push_back({What::rowLower, i, moved(lp.rowLower[r], random)});
          break;
        case 4:
          if (draw.rows && m > 0)
            changes.push_back({What::rowUpper, i, moved(lp.rowUpper[r], random)});
          break;
        default:
          if (draw.coefficients && m > 0 && n > 0)
            changes.push_back({What::coefficient, j, random.quarters(12), i});
      }
    }
    variants.add(changes);
  }
  return variants;
}

Restored restoredVariant(LinearProgram const& lp, std::uint64_t seed) {
  Random random(seed);
  std::vector<VariantChange> there, back;
  int const m = lp.rows(), n = lp.columns();
  for (int left = 1 + random.below(4); left > 0 && m > 0 && n > 0; --left) {
    int const i = random.below(m), j = random.below(n);
    double before = 0.0;
    for (std::size_t e = 0; e < lp.matrix.columnIndices(j).size(); ++e)
      if (lp.matrix.columnIndices(j)[e] == i) before = lp.matrix.columnValues(j)[e];
    there.push_back({What::coefficient, j, std::ldexp(1.0, 40 + random.below(21)), i});
    back.push_back({What::coefficient, j, before, i});
  }
  // The last change of a coefficient counts: where one was drawn twice both say the same.
  Restored restored;
  restored.large = applied(lp, there);
  restored.variants.add(back);
  return restored;
}

LinearProgram variantOf(LinearProgram const& lp, PackedVariants const& variants, std::size_t k) {
  std::span<VariantChange const> const all(variants.changes);
  return applied(lp, all.subspan(variants.starts[k], variants.starts[k + 1] - variants.starts[k]));
}

}  // namespace osi_cuda::testing
