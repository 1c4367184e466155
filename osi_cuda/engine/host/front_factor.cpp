// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/engine/host/front_factor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "osi_cuda/base/blas.hpp"
#include "osi_cuda/base/index.hpp"
#include "osi_cuda/base/threads.hpp"
#include "osi_cuda/base/wide_registers.hpp"
#include "osi_cuda/engine/host/parallel.hpp"

namespace osi_cuda::host {

namespace {

// Where calls of BLAS begin to take less time than the loops below, by sizes from 4 to 192: numbers
// of a panel in a solve, products of its factorisation, products of an update.
constexpr double fewNumbers = 3e4, fewFactorProducts = 5e5, fewProducts = 3e4;
/// Up to so many products of a whole factor, tens of iterations without the library take less time
/// than to open it.
constexpr double withoutBlas = 1e6;
/// Columns that are factored at once.
constexpr int blockColumns = 256;
/// Products between two questions whether to stop: some tenth of a millisecond.
constexpr double productsOfPoll = 1e6;

double productsOf(barrier::FrontTree::Front const& front) {
  return 1.0 * front.size * front.size * front.pivots;
}

/// Adds sign * factors[k * every] * column k of x, of `depth` columns, to to[begin ... end).
[[gnu::always_inline]] inline void addColumns(double sign, double const* x, std::size_t stride,
                                              double const* factors, std::size_t every, int depth,
                                              int begin, int end, double* __restrict to) {
  auto const factor = [&](int k) { return sign * factors[at(k) * every]; };
  int k = 0;
  for (; k + 4 <= depth; k += 4) {
    double const *const a = x + at(k) * stride, *const b = a + stride, *const c = b + stride,
                        *const d = c + stride;
    double const f = factor(k), g = factor(k + 1), h = factor(k + 2), l = factor(k + 3);
    for (int i = begin; i < end; ++i) to[i] += (f * a[i] + g * b[i]) + (h * c[i] + l * d[i]);
  }
  for (; k < depth; ++k) {
    double const* const a = x + at(k) * stride;
    double const f = factor(k);
    for (int i = begin; i < end; ++i) to[i] += f * a[i];
  }
}

/// In lanes, which registers take at once.
[[gnu::always_inline]] inline double product(double const* a, double const* b, int count) {
  double lane[8] = {}, sum = 0.0;
  int i = 0;
  for (; i + 8 <= count; i += 8)
    for (int l = 0; l < 8; ++l) lane[l] += a[i + l] * b[i + l];
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum + ((lane[0] + lane[1]) + (lane[2] + lane[3])) +
         ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

OSI_CUDA_CLONES bool factorFewColumns(double* a, int rows, int count) {
  for (int k = 0; k < count; ++k) {
    double* const column = a + at(k) * at(rows);
    addColumns(-1.0, a, at(rows), a + k, at(rows), k, k, rows, column);
    if (!(column[k] > 0.0)) return false;
    double const inverse = 1.0 / std::sqrt(column[k]);
    for (int i = k; i < rows; ++i) column[i] *= inverse;
  }
  return true;
}

OSI_CUDA_CLONES void addFewProducts(double alpha, double const* x, int stride, int height,
                                    int width, int depth, double* to, int toStride) {
  for (int j = 0; j < width; ++j)
    addColumns(alpha, x, at(stride), x + j, at(stride), depth, j, height,
               to + at(j) * at(toStride));
}

/// own = L^-1 own; part, of the rows below, = their columns times that.
OSI_CUDA_CLONES void solveForwards(double const* panel, int pivots, int size,
                                   double* __restrict own, double* __restrict part) {
  for (int k = 0; k < pivots; ++k) {
    double const* const column = panel + at(k) * at(size);
    double const value = own[k] /= column[k];
    for (int i = k + 1; i < pivots; ++i) own[i] -= value * column[i];
  }
  addColumns(1.0, panel + pivots, at(size), own, 1, pivots, 0, size - pivots, part);
}

OSI_CUDA_CLONES void solveBackwards(double const* panel, int pivots, int size,
                                    double* __restrict own, double const* __restrict part) {
  for (int k = pivots - 1; k >= 0; --k) {
    double const* const column = panel + at(k) * at(size);
    double const below = product(column + pivots, part, size - pivots);
    own[k] = (own[k] - below - product(column + k + 1, own + k + 1, pivots - k - 1)) / column[k];
  }
}

}  // namespace

FrontFactor::FrontFactor(barrier::NormalLines const& normal, barrier::FrontTree tree, int threads)
    : tree_(std::move(tree)),
      order_(normal.lines.rows),
      threads_(threads),
      blas_(needsBlas(tree_)),
      panels_(at(tree_.entries)),
      stack_(at(tree_.stack)),
      diagonal_(tree_.placeOf.size()),
      local_(tree_.placeOf.size()),
      x_(tree_.placeOf.size()),
      part_(tree_.placeOf.size()) {
  sortLines(normal);
}

bool FrontFactor::needsBlas(barrier::FrontTree const& tree) {
  return std::transform_reduce(tree.fronts.begin(), tree.fronts.end(), 0.0, std::plus<>{},
                               productsOf) > withoutBlas;
}

std::uint64_t FrontFactor::bytes(barrier::NormalLines const& normal,
                                 barrier::FrontTree const& tree) {
  constexpr std::uint64_t number = sizeof(double), index = sizeof(int);
  return number * static_cast<std::uint64_t>(tree.entries + tree.stack) +
         index * static_cast<std::uint64_t>(tree.rows.size()) +
         sizeof(Pair) * static_cast<std::uint64_t>(normal.lines.nonzeros()) +
         4 * number * static_cast<std::uint64_t>(tree.placeOf.size());
}

// A line is added to the front of its first node: all its other nodes are there, too.
void FrontFactor::sortLines(barrier::NormalLines const& normal) {
  std::vector<int> frontOf;
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    frontOf.insert(frontOf.end(), at(tree_.fronts[f].pivots), static_cast<int>(f));
  auto const fronts = tree_.fronts.size();
  std::vector<char> kept(at(normal.lines.columns), 0);
  for (std::size_t k = 0; k < normal.kept.size(); ++k) {
    int const line = normal.kept[k];
    kept[at(line)] = 1;
    int const own = tree_.placeOf[at(order_) + k];
    for (auto const [index, entry] : normal.lines.column(line)) {
      int const other = tree_.placeOf[at(index)];
      pairs_.push_back({std::min(own, other), std::max(own, other), line, entry});
    }
  }
  std::ranges::sort(pairs_, [](Pair const& a, Pair const& b) { return a.first < b.first; });
  frontPairs_.assign(fronts + 1, 0);
  for (Pair const& pair : pairs_) ++frontPairs_[at(frontOf[at(pair.first)]) + 1];
  std::partial_sum(frontPairs_.begin(), frontPairs_.end(), frontPairs_.begin());

  std::vector<int> first(at(normal.lines.columns), -1);
  for (int line = 0; line < normal.lines.columns; ++line) {
    if (kept[at(line)]) continue;
    for (int const node : normal.lines.columnIndices(line)) {
      int const place = tree_.placeOf[at(node)];
      if (first[at(line)] < 0 || place < first[at(line)]) first[at(line)] = place;
    }
    if (first[at(line)] >= 0) lines_.push_back(line);
  }
  std::ranges::stable_sort(lines_, [&](int a, int b) { return first[at(a)] < first[at(b)]; });
  frontLines_.assign(fronts + 1, 0);
  lineStarts_.assign(1, 0);
  std::vector<std::pair<int, double>> entries;
  for (int const line : lines_) {
    ++frontLines_[at(frontOf[at(first[at(line)])]) + 1];
    auto const nodes = normal.lines.columnIndices(line);
    auto const values = normal.lines.columnValues(line);
    entries.clear();
    for (std::size_t e = 0; e < nodes.size(); ++e)
      entries.emplace_back(tree_.placeOf[at(nodes[e])], values[e]);
    std::ranges::sort(entries);
    for (auto const& [place, value] : entries) {
      places_.push_back(place);
      values_.push_back(value);
    }
    lineStarts_.push_back(static_cast<std::int64_t>(places_.size()));
  }
  std::partial_sum(frontLines_.begin(), frontLines_.end(), frontLines_.begin());
}

// Columns of a front: those of its panel, then those of its rest.
void FrontFactor::assemble(std::size_t f, double const* weight, double* panel, double* rest) {
  Front const& front = tree_.fronts[f];
  int const pivots = front.pivots, size = front.size, left = size - pivots;
  auto const columnOf = [&](int k) {
    return k < pivots ? panel + at(k) * at(size) : rest + at(k - pivots) * at(left) - pivots;
  };
  for (std::int64_t l = frontLines_[f]; l < frontLines_[f + 1]; ++l) {
    double const w = weight[lines_[at(l)]];
    if (w == 0.0) continue;
    std::int64_t const end = lineStarts_[at(l) + 1];
    for (std::int64_t a = lineStarts_[at(l)]; a < end; ++a) {
      double* const column = columnOf(local_[at(places_[at(a)])]);
      double const scaled = w * values_[at(a)];
      for (std::int64_t b = a + 1; b < end; ++b)
        column[local_[at(places_[at(b)])]] += scaled * values_[at(b)];
    }
  }
  for (std::int64_t p = frontPairs_[f]; p < frontPairs_[f + 1]; ++p) {
    Pair const& pair = pairs_[at(p)];
    columnOf(local_[at(pair.first)])[local_[at(pair.second)]] +=
        std::sqrt(weight[pair.line]) * pair.value;
  }
}

void FrontFactor::addChild(Front const& child, double const* from, Front const& front,
                           double* panel, double* rest) const {
  int const count = child.size - child.pivots, left = front.size - front.pivots;
  int const* const places = tree_.rows.data() + child.rows + child.pivots;
  for (int k = 0; k < count; ++k) {
    int const own = local_[at(places[k])];
    double* const column = own < front.pivots
                               ? panel + at(own) * at(front.size)
                               : rest + at(own - front.pivots) * at(left) - front.pivots;
    double const* const source = from + at(k) * at(count);
    for (int i = k; i < count; ++i) column[local_[at(places[i])]] += source[i];
  }
}

bool FrontFactor::factor(double const* weight, double const* diagonal, double share,
                         std::function<void()> const& pause) {
  for (std::size_t node = 0; node < tree_.placeOf.size(); ++node)
    diagonal_[at(tree_.placeOf[node])] = node < at(order_) ? diagonal[node] : -1.0;
  for (std::size_t l = 0; l < lines_.size(); ++l)
    for (std::int64_t e = lineStarts_[l]; e < lineStarts_[l + 1]; ++e)
      diagonal_[at(places_[at(e)])] += weight[lines_[l]] * values_[at(e)] * values_[at(e)];
  double* top = stack_.data();
  std::vector<double*> waiting;  // rests, each of the front of the same place in `owners`
  std::vector<Front const*> owners;
  double products = productsOfPoll;
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f) {
    Front const& front = tree_.fronts[f];
    products += productsOf(front);
    if (products >= productsOfPoll) {
      pause();
      products = 0.0;
    }
    int const left = front.size - front.pivots;
    int const* const places = tree_.rows.data() + front.rows;
    double* const panel = panels_.data() + front.panel;
    double* rest = top;
    std::fill(panel, panel + at(front.size) * at(front.pivots), 0.0);
    // Nobody looks above its diagonal.
    for (int k = 0; k < left; ++k) std::fill_n(rest + at(k) * at(left) + at(k), left - k, 0.0);
    for (int k = 0; k < front.size; ++k) local_[at(places[k])] = k;
    for (int k = 0; k < front.pivots; ++k)
      panel[at(k) * at(front.size) + at(k)] = (1.0 + share) * diagonal_[at(places[k])];
    assemble(f, weight, panel, rest);
    for (int c = 0; c < front.children; ++c) {
      addChild(*owners.back(), waiting.back(), front, panel, rest);
      top = waiting.back();
      waiting.pop_back();
      owners.pop_back();
    }
    if (front.negative)
      for (std::size_t k = 0; k < at(front.size) * at(front.pivots); ++k) panel[k] = -panel[k];
    // Threads of BLAS are woken for large fronts only: they wait for the next product by spinning.
    std::optional<BlasThreads> threads;
    double const work = productsOf(front);
    if (blas_ && work >= fewProducts) threads.emplace(threads_, work);
    if (!(blas_ ? factorColumns(panel, front.size, front.pivots, pause)
                : factorFewColumns(panel, front.size, front.pivots)))
      return false;
    if (left == 0) continue;
    double const sign = front.negative ? 1.0 : -1.0, *const below = panel + front.pivots;
    if (blas_)
      addProduct(sign, below, front.size, left, left, front.pivots, rest, left, pause);
    else
      addFewProducts(sign, below, front.size, left, left, front.pivots, rest, left);
    for (int k = 0; rest != top && k < left; ++k)
      std::copy_n(rest + at(k) * at(left) + at(k), left - k, top + at(k) * at(left) + at(k));
    rest = top;
    waiting.push_back(rest);
    owners.push_back(&front);
    top = rest + at(left) * at(left);
  }
  return true;
}

void FrontFactor::solve(double* x) const {
  for (std::size_t node = 0; node < tree_.placeOf.size(); ++node)
    x_[at(tree_.placeOf[node])] = node < at(order_) ? x[node] : 0.0;
  for (Front const& front : tree_.fronts) {
    int const pivots = front.pivots, size = front.size, left = size - pivots;
    int const* const places = tree_.rows.data() + front.rows;
    double const* const panel = panels_.data() + front.panel;
    double* const own = x_.data() + places[0];
    std::fill(part_.begin(), part_.begin() + left, 0.0);
    if (1.0 * size * pivots < fewNumbers) {
      solveForwards(panel, pivots, size, own, part_.data());
    } else {
      BlasThreads const threads(threads_, 2.0 * size * pivots);
      blas::dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, pivots, panel, size, own,
                  1);
      if (left > 0)
        blas::dgemv(CblasColMajor, CblasNoTrans, left, pivots, 1.0, panel + pivots, size, own, 1,
                    0.0, part_.data(), 1);
    }
    for (int i = 0; i < left; ++i) x_[at(places[pivots + i])] -= part_[at(i)];
    if (front.negative)
      for (int k = 0; k < pivots; ++k) own[k] = -own[k];
  }
  for (auto f = tree_.fronts.rbegin(); f != tree_.fronts.rend(); ++f) {
    int const pivots = f->pivots, size = f->size, left = size - pivots;
    int const* const places = tree_.rows.data() + f->rows;
    double const* const panel = panels_.data() + f->panel;
    double* const own = x_.data() + places[0];
    for (int i = 0; i < left; ++i) part_[at(i)] = x_[at(places[pivots + i])];
    if (1.0 * size * pivots < fewNumbers) {
      solveBackwards(panel, pivots, size, own, part_.data());
    } else {
      BlasThreads const threads(threads_, 2.0 * size * pivots);
      if (left > 0)
        blas::dgemv(CblasColMajor, CblasTrans, left, pivots, -1.0, panel + pivots, size,
                    part_.data(), 1, 1.0, own, 1);
      blas::dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, pivots, panel, size, own, 1);
    }
  }
  for (std::size_t node = 0; node < at(order_); ++node) x[node] = x_[at(tree_.placeOf[node])];
}

bool factorColumns(double* a, int rows, int count, std::function<void()> const& pause) {
  if (1.0 * rows * count * count < fewFactorProducts) return factorFewColumns(a, rows, count);
  for (int first = 0; first < count; first += blockColumns) {
    pause();
    int const width = std::min(blockColumns, count - first), below = rows - first - width;
    double* const corner = a + at(first) * at(rows) + at(first);
    int fault = 0;
    blas::dpotrf("L", &width, corner, &rows, &fault);
    if (fault != 0) return false;
    if (below == 0) break;
    blas::dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, below, width, 1.0,
                corner, rows, corner + width, rows);
    addProduct(-1.0, corner + width, rows, below, count - first - width, width,
               corner + width + at(width) * at(rows), rows, pause);
  }
  return true;
}

void addProduct(double alpha, double const* x, int stride, int height, int width, int depth,
                double* to, int toStride, std::function<void()> const& pause) {
  if (1.0 * height * width * depth < fewProducts)
    return addFewProducts(alpha, x, stride, height, width, depth, to, toStride);
  int const strip = stripLength(width, 1.0 * height * depth);
  for (int begin = 0; begin < width; begin += strip) {
    if (begin > 0) pause();
    int const count = std::min(strip, width - begin), below = height - begin - count;
    double const* const rows = x + begin;
    double* const corner = to + at(begin) * at(toStride) + at(begin);
    blas::dsyrk(CblasColMajor, CblasLower, CblasNoTrans, count, depth, alpha, rows, stride, 1.0,
                corner, toStride);
    if (below > 0)
      blas::dgemm(CblasColMajor, CblasNoTrans, CblasTrans, below, count, depth, alpha, rows + count,
                  stride, rows, stride, 1.0, corner + count, toStride);
  }
}

}  // namespace osi_cuda::host
