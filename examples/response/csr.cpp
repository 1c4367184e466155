// SPDX-License-Identifier: EPL-2.0
#include "examples/response/csr.hpp"

#include <algorithm>
#include <cstddef>

namespace osi_cuda::response {
namespace {

/// Greedy: the first colour that none of what item k touches has had. `touched(k, visit)` visits
/// the marks of item k; items that share a mark differ in colour. markOwn: k leaves its colour at
/// its own mark only.
template <class Touched>
Colouring greedy(int items, int marks, bool markOwn, Touched const& touched) {
  std::vector<std::vector<int>> used(marks);  // colours by mark
  std::vector<int> colour(items), takenBy;    // by colour: the last item that can't have it
  Colouring result;
  for (int k = 0; k < items; ++k) {
    touched(k, [&](int mark) {
      for (int const c : used[mark]) takenBy[c] = k;
    });
    int free = 0;
    while (free < result.count && takenBy[free] == k) ++free;
    if (free == result.count) {
      ++result.count;
      takenBy.push_back(-1);
    }
    colour[k] = free;
    auto const give = [&](int mark) { used[mark].push_back(free); };
    if (markOwn)
      give(k);
    else
      touched(k, give);
  }
  result.start.assign(result.count + 1, 0);
  for (int const c : colour) ++result.start[c + 1];
  for (int c = 0; c < result.count; ++c) result.start[c + 1] += result.start[c];
  std::vector<int> next(result.start.begin(), result.start.end() - 1);
  result.member.resize(items);
  for (int k = 0; k < items; ++k) result.member[next[colour[k]]++] = k;
  return result;
}

}  // namespace

int Csr::find(int i, int j) const {
  auto const begin = column.begin() + start[i], end = column.begin() + start[i + 1];
  auto const place = std::lower_bound(begin, end, j);
  return place == end || *place != j ? -1 : int(place - column.begin());
}

void Csr::multiply(double const* x, double* y, int width) const {
  constexpr double worthThreads = 1 << 17;  // operations, below which waking threads takes longer
#pragma omp parallel for schedule(static) if (double(nonzeros()) * width > worthThreads)
  for (int i = 0; i < rows; ++i) {
    double* const row = y + std::size_t(i) * width;
    if (width == 1) {
      double sum = 0.0;
      for (int k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
      *row = sum;
      continue;
    }
    std::fill_n(row, width, 0.0);
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (int c = 0; c < width; ++c) row[c] += value[k] * x[std::size_t(column[k]) * width + c];
  }
}

Ell ellOf(Csr const& matrix) {
  Ell ell;
  ell.rows = matrix.rows;
  for (int i = 0; i < matrix.rows; ++i)
    ell.width = std::max(ell.width, matrix.start[i + 1] - matrix.start[i]);
  ell.column.resize(std::size_t(ell.width) * ell.rows);
  ell.value.resize(ell.column.size(), 0.0);
  for (int i = 0; i < matrix.rows; ++i)
    for (int k = 0; k < ell.width; ++k) {
      int const from = matrix.start[i] + k;
      bool const has = from < matrix.start[i + 1];
      ell.column[std::size_t(k) * ell.rows + i] = has ? matrix.column[from] : i;
      if (has) ell.value[std::size_t(k) * ell.rows + i] = matrix.value[from];
    }
  return ell;
}

Colouring coloursOf(Csr const& matrix) {
  return greedy(matrix.rows, matrix.rows, true, [&](int i, auto const& visit) {
    for (int k = matrix.start[i]; k < matrix.start[i + 1]; ++k)
      if (matrix.column[k] != i) visit(matrix.column[k]);
  });
}

Colouring coloursOfElements(std::vector<int> const& node, int width, int nodes) {
  return greedy(int(node.size()) / width, nodes, false, [&](int e, auto const& visit) {
    for (int k = 0; k < width; ++k) visit(node[std::size_t(e) * width + k]);
  });
}

}  // namespace osi_cuda::response
