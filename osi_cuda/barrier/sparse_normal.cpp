// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/sparse_normal.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/base/index.hpp"

namespace osi_cuda::barrier {
namespace {

/// What makes a pivot next to nothing, or a weight huge, has to gain so much more (barrierWork()).
constexpr double doubtful = 50.0;
/// Kept lines cost digits: where the rest of M is nearly singular, entries of the factor grow.
constexpr double keeping = 5.0;

class Choice {
 public:
  Choice(StandardForm const& form, BarrierWork const& most, double scattered,
         std::function<void()> const& pause)
      : form_(form), scattered_(scattered), pause_(pause), least_(most.iteration()) {}

  // What is found by few products bounds the search through many.
  std::optional<SparseNormal> run() {
    constexpr double enough = 100.0;  // operations of an entry: no other choice is worth its search
    double const few = enough * static_cast<double>(form_.nonzeros());
    auto const tryAll = [&](bool ofFew) {
      for (bool const byColumns : {false, true})
        if ((scattered_ * productsOf(SparseNormal{}.lines(form_, byColumns)) < few) == ofFew)
          tryKept(byColumns, {});
    };
    tryAll(true);
    for (bool const byColumns : {false, true})
      if (!(least_ < few)) tryLongLines(byColumns);
    tryAll(false);
    return std::move(best_);
  }

 private:
  bool isFixed(std::size_t v) const { return form_.lower[v] >= form_.upper[v]; }
  bool isFree(std::size_t v) const {
    return std::isinf(form_.lower[v]) && std::isinf(form_.upper[v]);
  }

  // The lines before each of the largest gaps among their lengths.
  void tryLongLines(bool byColumns) {
    constexpr double gap = 1.5;
    constexpr int shortest = 8, mostTried = 3;
    SparseMatrix const& lines = byColumns ? form_.transposed() : form_.matrix();
    std::vector<int> order(at(lines.columns));
    for (int k = 0; k < lines.columns; ++k) order[at(k)] = k;
    auto const lengthOf = [&](int line) {
      return lines.starts[at(line) + 1] - lines.starts[at(line)];
    };
    std::ranges::stable_sort(order, [&](int a, int b) { return lengthOf(a) > lengthOf(b); });
    int tried = 0;
    for (std::size_t k = 1; k < order.size() && tried < mostTried; ++k) {
      auto const longer = lengthOf(order[k - 1]);
      if (longer < shortest) break;
      if (static_cast<double>(longer) < gap * static_cast<double>(lengthOf(order[k]))) continue;
      tryKept(byColumns, {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k)});
      ++tried;
    }
  }

  void tryKept(bool byColumns, std::vector<int> kept) {
    SparseNormal found;
    found.kept = std::move(kept);
    NormalLines const normal = found.lines(form_, byColumns);
    double const gain = isDoubtful(normal, byColumns) ? doubtful
                        : found.kept.empty()          ? 1.0
                                                      : keeping;
    BarrierWork& work = found.work;
    work.byColumns = byColumns;
    work.order = normal.lines.rows;
    work.product = scattered_ * productsOf(normal);
    double const left = least_ / gain - work.product;
    if (left > 0.0 && mayPay(normal, left)) found.tree = plantFronts(normal, left, pause_);
    if (found.tree.fronts.empty()) return;
    work.factor = found.tree.operations;
    work.solve = solveWork(static_cast<double>(found.tree.entries));
    if (!(work.iteration() * gain < least_)) return;
    least_ = work.iteration() * gain;
    best_ = std::move(found);
  }

  // Whether a factor and its solves may take less than `left`, by what M has at least. Its entries
  // are counted only where all products, were they apart, could make it too many.
  bool mayPay(NormalLines const& normal, double left) const {
    constexpr double worthIt = 1.02;  // so much less work, or the search for an order is lost
    int const order = normal.lines.rows;
    auto const takesMore = [&](double entries) {
      FactorBound const least = factorBound(order, entries);
      return worthIt * (least.operations + 5.0 * solveWork(least.entries)) > left;
    };
    double const most = 0.5 * std::min(productsOf(normal), order * (order - 1.0));
    return !takesMore(most) || !takesMore(entriesOf(normal, most, pause_));
  }

  double solveWork(double entries) const {
    return 4.0 * (entries + static_cast<double>(form_.nonzeros()));
  }

  // Multiplications and additions of lines with themselves.
  static double productsOf(NormalLines const& normal) {
    double products = 0.0;
    auto const ofLine = [&](int line) {
      auto const length =
          static_cast<double>(normal.lines.starts[at(line) + 1] - normal.lines.starts[at(line)]);
      return length * (length + 1.0);
    };
    for (int line = 0; line < normal.lines.columns; ++line) products += ofLine(line);
    for (int const line : normal.kept) products -= ofLine(line);
    return products;
  }

  // Whether a node has nothing on its diagonal but regularisation, since all its lines are kept, or
  // by columns an equation has a huge weight.
  bool isDoubtful(NormalLines const& normal, bool byColumns) const {
    std::vector<char> kept(at(normal.lines.columns), 0);
    for (int const line : normal.kept) kept[at(line)] = 1;
    auto const n = at(form_.columns());
    for (int i = 0; i < normal.lines.rows; ++i) {
      if (!(byColumns ? isFree(at(i)) : isFixed(n + at(i)))) continue;
      auto const lines = normal.across.columnIndices(i);
      if (!lines.empty() &&
          std::ranges::all_of(lines, [&](int line) { return kept[at(line)] != 0; }))
        return true;
    }
    if (byColumns)
      for (std::size_t i = 0; i < at(form_.rows()); ++i)
        if (isFixed(n + i) && !kept[i]) return true;
    return false;
  }

  StandardForm const& form_;
  double const scattered_;
  std::function<void()> const& pause_;
  double least_;
  std::optional<SparseNormal> best_;
};

}  // namespace

std::optional<SparseNormal> sparseNormal(StandardForm const& form, BarrierWork const& most,
                                         double scattered, std::function<void()> const& pause) {
  return Choice(form, most, scattered, pause).run();
}

}  // namespace osi_cuda::barrier
