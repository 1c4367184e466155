// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/barrier/basis_choice.hpp"

#include <cstdint>

#include "osi_cuda/barrier/dense_columns.hpp"
#include "osi_cuda/barrier/independent_columns.hpp"
#include "osi_cuda/base/budget.hpp"
#include "osi_cuda/base/index.hpp"

namespace osi_cuda {
namespace {

/// Multiplications of sparse columns at most, a tenth of a second, and of dense ones, some tenths.
constexpr std::int64_t mostSparse = 30'000'000;
constexpr double mostDense = 4e10;

class Choice {
 public:
  Choice(StandardForm const& form, std::span<std::size_t const> order, int threads,
         std::function<bool()> const& stop)
      : form_(form),
        order_(order),
        threads_(threads),
        poll_(stop, 0.0),
        columns_(form.rows()),
        basic_(at(form.variables()), 0) {}

  std::vector<char> run() {
    takeSparse();
    std::vector<char> open(at(form_.rows()), 0);
    for (int i = 0; i < form_.rows(); ++i) open[at(i)] = !columns_.hasPivot(i);
    if (dense_) takeDense(open);
    for (int i = 0; i < form_.rows(); ++i)
      if (open[at(i)]) basic_[at(form_.columns() + i)] = 1;
    return std::move(basic_);
  }

 private:
  struct Column {
    std::span<int const> indices;
    std::span<double const> values;
  };

  // Valid until the next call.
  Column columnOf(std::size_t variable) {
    int const place = static_cast<int>(variable), n = form_.columns();
    if (place >= n) {
      row_ = place - n;
      return {{&row_, 1}, {&one_, 1}};
    }
    auto const values = form_.matrix().columnValues(place);
    values_.assign(values.begin(), values.end());
    return {form_.matrix().columnIndices(place), values_};
  }

  void takeSparse() {
    constexpr std::size_t period = 16;
    std::int64_t before = 0;
    for (; next_ < order_.size() && columns_.taken() < form_.rows(); ++next_) {
      if (columns_.operations() > mostSparse || poll_()) return;
      std::size_t const v = order_[next_];
      Column const column = columnOf(v);
      basic_[v] = columns_.take(column.indices, column.values);
      if (next_ % period != 0) continue;
      double const recent = static_cast<double>(columns_.operations() - before) / period;
      before = columns_.operations();
      if ((dense_ = filledIn(recent))) {
        ++next_;
        return;
      }
    }
  }

  /// Whether the rest takes less time as a dense matrix, and not too much. A multiplication of
  /// sparse columns takes as much time as some 25 of dense ones.
  bool filledIn(double operationsOfColumn) const {
    constexpr double ratio = 25.0;
    double const rows = form_.rows() - columns_.taken();
    return ratio * operationsOfColumn > rows * rows && 2.0 * rows * rows * rows < mostDense;
  }

  void takeDense(std::vector<char>& open) {
    constexpr std::size_t width = 32;
    std::vector<int> rows;
    for (int i = 0; i < form_.rows(); ++i)
      if (open[at(i)]) rows.push_back(i);
    auto const m = static_cast<int>(rows.size());
    DenseColumns dense(m, IndependentColumns::least, threads_);
    std::vector<double> rest(at(form_.rows()), 0.0), block, sizes;
    std::vector<std::size_t> variables;
    while (next_ < order_.size() && dense.taken() < m && dense.operations() < mostDense &&
           columns_.operations() < mostSparse && !poll_()) {
      block.clear();
      sizes.clear();
      variables.clear();
      for (; next_ < order_.size() && sizes.size() < width; ++next_) {
        Column const column = columnOf(order_[next_]);
        sizes.push_back(columns_.reduce(column.indices, column.values, rest));
        variables.push_back(order_[next_]);
        for (int const row : rows) {
          block.push_back(rest[at(row)]);
          rest[at(row)] = 0.0;
        }
      }
      std::vector<char> const taken = dense.take(block, sizes);
      for (std::size_t k = 0; k < taken.size(); ++k) basic_[variables[k]] = taken[k];
    }
    for (int k = 0; k < m; ++k) open[at(rows[at(k)])] = !dense.hasPivot(k);
  }

  StandardForm const& form_;
  std::span<std::size_t const> order_;
  int const threads_;
  Poll poll_;
  IndependentColumns columns_;
  std::vector<char> basic_;
  std::vector<double> values_;
  double const one_ = 1.0;
  int row_ = 0;
  std::size_t next_ = 0;  ///< in the order
  bool dense_ = false;    ///< the rest is
};

}  // namespace

std::vector<char> independentBasis(StandardForm const& form, std::span<std::size_t const> order,
                                   int threads, std::function<bool()> const& stop) {
  return Choice(form, order, threads, stop).run();
}

}  // namespace osi_cuda
