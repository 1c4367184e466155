// SPDX-License-Identifier: EPL-2.0
// Compiled with -ffp-contract=off, as all that includes the verifier.
#include "osi_cuda/batch/variant_list.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "osi_cuda/base/index.hpp"
#include "osi_cuda/batch/start_pool.hpp"
#include "osi_cuda/batch/workers.hpp"
#include "osi_cuda/model/large_bounds.hpp"
#include "osi_cuda/proof/formulas.hpp"
#include "osi_cuda/solve/engines.hpp"

namespace osi_cuda {

using What = VariantChange::What;

namespace batch {
namespace {

/// A coefficient of the matrix; 0 where none is stored.
double entryOf(SparseMatrix const& matrix, int row, int column) {
  auto const indices = matrix.columnIndices(column);
  for (std::size_t e = 0; e < indices.size(); ++e)
    if (indices[e] == row) return matrix.columnValues(column)[e];
  return 0.0;
}

class Lister {
 public:
  Lister(LinearProgram const& lp, BatchVariants const& variants) : lp_(lp), variants_(variants) {
    for (int v = 0; v < lp.columns() + lp.rows(); ++v)
      if (proof::boundsCross(given(v, VariantNumber::lower), given(v, VariantNumber::upper),
                             proof::clearCrossing))
        crossed_.push_back(v);
  }

  /// Variants from `first` to `last` - 1.
  VariantList list(std::size_t first, std::size_t last, StartPool const* pool,
                   std::span<std::uint32_t const> basic) {
    list_.tasks.resize(last - first);
    list_.end.assign(last - first, BatchStatus::numerical);
    for (std::size_t k = first; k < last; ++k) {
      BatchStatus& end = list_.end[k - first];
      std::string const fault = add(k, list_.tasks[k - first], end);
      if (!fault.empty()) {
        end = BatchStatus::invalid;
        list_.notes.push_back({k, fault});
      }
      if (end != BatchStatus::numerical || !pool || variants_.start.empty()) continue;
      std::span<std::uint32_t const> const bits = pool->find(variants_.start[k]);
      if (!bits.empty()) list_.begin(k - first, bits, basic);
    }
    return std::move(list_);
  }

 private:
  /// The problem's own bound or cost.
  double given(int v, std::int32_t what) const {
    bool const row = v >= lp_.columns();
    std::size_t const k = at(row ? v - lp_.columns() : v);
    if (what == VariantNumber::cost) return lp_.objective[k];
    if (what == VariantNumber::lower) return row ? lp_.rowLower[k] : lp_.columnLower[k];
    return row ? lp_.rowUpper[k] : lp_.columnUpper[k];
  }

  /// Adds variant k, or says what is wrong with it.
  std::string add(std::size_t k, VariantTask& added, BatchStatus& end) {
    VariantTask task;
    task.firstNumber = static_cast<std::int64_t>(list_.numbers.size());
    task.firstCoefficient = static_cast<std::int64_t>(list_.coefficients.size());
    std::string fault = take(changesOf(variants_, k));
    if (fault.empty()) fault = checkNumbers(end, task.firstNumber);
    if (!fault.empty() || end != BatchStatus::numerical) {
      list_.numbers.resize(at(task.firstNumber));
      list_.coefficients.resize(at(task.firstCoefficient));
      return fault;
    }
    for (auto n = at(task.firstNumber); n < list_.numbers.size(); ++n)
      task.costs += list_.numbers[n].what == VariantNumber::cost;
    task.numbers = static_cast<std::int32_t>(list_.numbers.size() - at(task.firstNumber));
    task.coefficients =
        static_cast<std::int32_t>(list_.coefficients.size() - at(task.firstCoefficient));
    addByRows(at(task.firstCoefficient));
    added = task;
    return {};
  }

  /// Appends numbers and coefficients, each once, in order.
  std::string take(std::span<VariantChange const> changes) {
    int const m = lp_.rows(), n = lp_.columns();
    auto const firstNumber = static_cast<std::ptrdiff_t>(list_.numbers.size());
    auto const firstCoefficient = static_cast<std::ptrdiff_t>(list_.coefficients.size());
    for (VariantChange const& change : changes) {
      bool const ofRow = change.what == What::rowLower || change.what == What::rowUpper;
      if (change.index < 0 || change.index >= (ofRow ? m : n))
        return std::string("it changes ") + (ofRow ? "row " : "column ") +
               std::to_string(change.index) + " of a problem that has " +
               std::to_string(ofRow ? m : n);
      if (change.what == What::coefficient) {
        if (change.row < 0 || change.row >= m)
          return "it changes row " + std::to_string(change.row) + " of a problem that has " +
                 std::to_string(m);
        if (!std::isfinite(change.value))
          return "the coefficient of row " + lp_.rowName(change.row) + " and column " +
                 lp_.columnName(change.index) + " is not a finite number";
        list_.coefficients.push_back({change.index, change.row, change.value, 0.0});
        continue;
      }
      bool const lower = change.what == What::columnLower || change.what == What::rowLower;
      list_.numbers.push_back({ofRow ? n + change.index : change.index,
                               change.what == What::cost ? VariantNumber::cost
                               : lower                   ? VariantNumber::lower
                                                         : VariantNumber::upper,
                               change.value});
    }
    keepLast(list_.numbers, firstNumber,
             [](VariantNumber const& a) { return std::pair(a.variable, a.what); });
    keepLast(list_.coefficients, firstCoefficient,
             [](VariantCoefficient const& a) { return std::pair(a.line, a.index); });
    auto const begin = list_.coefficients.begin() + firstCoefficient;
    for (auto c = begin; c != list_.coefficients.end(); ++c)
      c->before = entryOf(lp_.matrix, c->index, c->line);
    list_.coefficients.erase(
        std::remove_if(begin, list_.coefficients.end(),
                       [](VariantCoefficient const& c) { return c.after == c.before; }),
        list_.coefficients.end());
    return {};
  }

  /// Appends the coefficients from `first` on, which are by columns, by rows.
  void addByRows(std::size_t first) {
    std::vector<VariantCoefficient>& list = list_.coefficients;
    std::size_t const end = list.size();
    for (std::size_t c = first; c < end; ++c)
      list.push_back({list[c].index, list[c].line, list[c].after, list[c].before});
    std::stable_sort(
        list.begin() + static_cast<std::ptrdiff_t>(end), list.end(),
        [](VariantCoefficient const& a, VariantCoefficient const& b) { return a.line < b.line; });
  }

  /// Orders the elements from `first` on by their keys and keeps the last one of each.
  template <class T, class Key>
  static void keepLast(std::vector<T>& list, std::ptrdiff_t first, Key key) {
    auto const begin = list.begin() + first;
    auto const before = [&](T const& a, T const& b) { return key(a) < key(b); };
    if (!std::is_sorted(begin, list.end(), before)) std::stable_sort(begin, list.end(), before);
    auto target = begin;
    for (auto e = begin; e != list.end(); ++e) {
      if (target != begin && key(*(target - 1)) == key(*e)) --target;
      *target++ = *e;
    }
    list.erase(target, list.end());
  }

  /// A fault of the numbers from `first` on; bounds that cross are an `end`.
  std::string checkNumbers(BatchStatus& end, std::int64_t first) {
    int const n = lp_.columns();
    std::size_t healed = 0;
    bool crossed = false;
    for (std::size_t c = at(first); c < list_.numbers.size();) {
      int const v = list_.numbers[c].variable;
      double lower = given(v, VariantNumber::lower), upper = given(v, VariantNumber::upper);
      for (; c < list_.numbers.size() && list_.numbers[c].variable == v; ++c) {
        VariantNumber const& number = list_.numbers[c];
        if (number.what == VariantNumber::cost) {
          std::string fault = costFault(lp_, v, number.value);
          if (!fault.empty()) return fault;
        } else {
          (number.what == VariantNumber::lower ? lower : upper) = number.value;
        }
      }
      std::string fault = v < n ? columnBoundsFault(lp_, v, lower, upper)
                                : rowBoundsFault(lp_, v - n, lower, upper);
      if (!fault.empty()) return fault;
      if (proof::boundsCross(lower, upper, proof::clearCrossing))
        crossed = true;
      else if (std::binary_search(crossed_.begin(), crossed_.end(), v))
        ++healed;
    }
    if (crossed || healed < crossed_.size()) end = BatchStatus::infeasible;
    return {};
  }

  LinearProgram const& lp_;
  BatchVariants const& variants_;
  std::vector<int> crossed_;  ///< variables whose bounds cross in the problem itself, ascending
  VariantList list_;
};

}  // namespace

VariantList listVariants(LinearProgram const& lp, BatchVariants const& variants, int threads,
                         StartPool const* pool, std::span<std::uint32_t const> basic) {
  constexpr std::size_t worthThread = 256;
  std::size_t const count = variants.count();
  std::vector<VariantList> parts(std::clamp<std::size_t>(count / worthThread, 1, at(threads)));
  runWorkers(threads, parts.size(), [&](std::size_t p, int) {
    parts[p] = Lister(lp, variants)
                   .list(count * p / parts.size(), count * (p + 1) / parts.size(), pool, basic);
  });
  VariantList all = std::move(parts.front());
  for (std::size_t p = 1; p < parts.size(); ++p) all.append(parts[p]);
  return all;
}

void VariantList::append(VariantList const& other) {
  auto const sizeOf = [](auto const& list) { return static_cast<std::int64_t>(list.size()); };
  std::int64_t const number = sizeOf(numbers), coefficient = sizeOf(coefficients),
                     start = sizeOf(starts);
  for (VariantTask task : other.tasks) {
    task.firstNumber += number;
    task.firstCoefficient += coefficient;
    if (task.firstStart >= 0) task.firstStart += start;
    tasks.push_back(task);
  }
  auto const add = [](auto& list, auto const& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  add(numbers, other.numbers);
  add(coefficients, other.coefficients);
  add(starts, other.starts);
  add(end, other.end);
  add(notes, other.notes);
  entering = std::max(entering, other.entering);
}

void VariantList::begin(std::size_t k, std::span<std::uint32_t const> bits,
                        std::span<std::uint32_t const> basic) {
  VariantTask& task = tasks[k];
  task.firstStart = static_cast<std::int64_t>(starts.size());
  auto const add = [&](std::span<std::uint32_t const> of, std::span<std::uint32_t const> butOf) {
    std::size_t const before = starts.size();
    for (std::size_t w = 0; w < basic.size(); ++w)
      for (std::uint32_t left = of[w] & ~butOf[w]; left != 0; left &= left - 1)
        starts.push_back(static_cast<std::uint32_t>(32 * w) +
                         static_cast<std::uint32_t>(std::countr_zero(left)));
    return static_cast<std::int32_t>(starts.size() - before);
  };
  task.leaving = add(basic, bits);
  task.entering = add(bits, basic);
  entering = std::max(entering, task.entering);
  std::span<std::uint32_t const> const rest = bits.subspan(basic.size());
  starts.insert(starts.end(), rest.begin(), rest.end());
}

}  // namespace batch

PackedVariants::PackedVariants(LinearProgram const& lp, BatchVariants const& variants,
                               std::size_t first, std::size_t last) {
  std::vector<VariantArray> arrays(variants.arrays.begin(), variants.arrays.end());
  std::vector<std::vector<double>> fetched;
  for (VariantArray& array : arrays) {
    std::size_t const width = array.values.size() / variants.count();
    array.values = array.values.subspan(first * width, (last - first) * width);
    if (variants.device < 0) continue;
    std::vector<double>& own = fetched.emplace_back(array.values.size());
    copyAcross(variants.device, own.data(), array.values.data(), array.values.size_bytes());
    array.values = own;
  }
  for (std::size_t k = first; k < last; ++k) {
    for (VariantArray const& array : arrays) {
      std::size_t const width = array.values.size() / (last - first);
      double const from = array.what == What::cost ? infinity : variants.infiniteFrom;
      for (std::size_t i = 0; i < width; ++i)
        if (double const value = withInfinity(array.values[(k - first) * width + i], from);
            value == value && value != numberOf(lp, array.what, i))
          changes.push_back({array.what, static_cast<int>(i), value});
    }
    add(changesOf(variants, k));
  }
}

void PackedVariants::add(std::span<VariantChange const> variant) {
  changes.insert(changes.end(), variant.begin(), variant.end());
  starts.push_back(changes.size());
}

std::string findFault(BatchVariants const& variants) {
  std::span<std::size_t const> const starts = variants.starts;
  if (starts.empty()) return variants.changes.empty() ? "" : "variants without starts have changes";
  if (starts.front() != 0 || starts.back() != variants.changes.size())
    return "starts of variants have to go from 0 to the number of changes, " +
           std::to_string(variants.changes.size());
  if (!variants.start.empty() && variants.start.size() != variants.count())
    return "start has " + std::to_string(variants.start.size()) + " bases for " +
           std::to_string(variants.count()) + " variants";
  for (std::size_t k = 0; k + 1 < starts.size(); ++k)
    if (starts[k] > starts[k + 1]) return "variant " + std::to_string(k) + " ends before it begins";
  return {};
}

double const& numberOf(LinearProgram const& lp, What what, std::size_t index) {
  std::vector<double> const& numbers = what == What::cost          ? lp.objective
                                       : what == What::columnLower ? lp.columnLower
                                       : what == What::columnUpper ? lp.columnUpper
                                       : what == What::rowLower    ? lp.rowLower
                                                                   : lp.rowUpper;
  return numbers.at(index);
}

LinearProgram applied(LinearProgram problem, std::span<VariantChange const> changes) {
  LinearProgram lp = std::move(problem);
  SparseMatrix& matrix = lp.matrix;
  for (VariantChange const& change : changes) {
    auto const k = static_cast<std::size_t>(change.index);
    if (change.what != What::coefficient) {
      const_cast<double&>(numberOf(lp, change.what, k)) = change.value;
      continue;
    }
    if (change.row < 0 || change.row >= matrix.rows)
      throw std::out_of_range("no row " + std::to_string(change.row));
    std::int64_t const begin = matrix.starts.at(k), end = matrix.starts.at(k + 1);
    auto const first = matrix.indices.begin() + begin, last = matrix.indices.begin() + end;
    auto const found = std::find(first, last, change.row);
    auto const value = matrix.values.begin() + (found - matrix.indices.begin());
    if (found != last) {
      *value = change.value;
    } else {
      matrix.indices.insert(found, change.row);
      matrix.values.insert(value, change.value);
      for (std::size_t j = k + 1; j < matrix.starts.size(); ++j) ++matrix.starts[j];
    }
  }
  return lp;
}

}  // namespace osi_cuda
