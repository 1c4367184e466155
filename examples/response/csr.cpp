// SPDX-License-Identifier: EPL-2.0
#include "examples/response/csr.hpp"

#include <algorithm>

namespace osi_cuda::response {

int Csr::find(int i, int j) const {
  auto const begin = column.begin() + start[i], end = column.begin() + start[i + 1];
  auto const place = std::lower_bound(begin, end, j);
  return place == end || *place != j ? -1 : int(place - column.begin());
}

void Csr::multiply(double const* x, double* y) const {
  constexpr int worthThreads = 1 << 17;  // entries, below which waking threads takes longer
#pragma omp parallel for schedule(static) if (nonzeros() > worthThreads)
  for (int i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

}  // namespace osi_cuda::response
