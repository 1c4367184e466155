// SPDX-License-Identifier: EPL-2.0
#include "readers/formats.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/edits.hpp"
#include "osi_cuda/model/large_bounds.hpp"
#include "osi_cuda/model/large_memory.hpp"
#include "readers/input.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::array knownArrays{
    "A",      "data",      "indices",   "indptr",       "shape", "format",
    "c",      "row_lower", "row_upper", "lower",        "upper", "sense",
    "offset", "integer",   "row_names", "column_names", "name",  "objective_name"};

/// What SciPy's linprog calls its arguments; each matrix dense, or as its sparse arrays. Where one
/// of the first is there, other arrays are none of the model.
constexpr std::array linprogArrays{
    "b_ub",        "b_eq",        "bounds",      "A_ub",      "A_eq",         "A_data",
    "A_indices",   "A_indptr",    "A_shape",     "A_format",  "A_ub_data",    "A_ub_indices",
    "A_ub_indptr", "A_ub_shape",  "A_ub_format", "A_eq_data", "A_eq_indices", "A_eq_indptr",
    "A_eq_shape",  "A_eq_format", "obj_offset"};
constexpr std::size_t tellingArrays = 5;

class NpzReader final : NpzArchive {
 public:
  NpzReader(RandomAccess const& file, std::string const& name, ReadOptions const& options,
            NpzWork const& work)
      : NpzArchive(file, name, knownArrays, expansionLimit(options.decompressedLimit, file.size()),
                   linprogArrays, tellingArrays),
        name_(name),
        allowed_(expansionLimit(options.decompressedLimit, file.size())),
        denseArrays_(options.denseArrays),
        large_(options.infiniteFrom, fileInfinity),
        work_(work) {}

  ReadResult read() {
    constexpr std::array telling{"b_ub", "b_eq", "bounds", "A_ub", "A_eq"};
    if (std::ranges::any_of(telling, [this](char const* array) { return find(array); }))
      asLinprog();
    else
      asRanges();
    lp_.objective = vector("c", lp_.columns(), 0.0, Finite::all);
    lp_.rowNames = names("row_names", lp_.rows());
    lp_.columnNames = names("column_names", lp_.columns());
    integers();
    objective();
    std::vector<std::string> notices;
    if (std::string const large = large_.notice(); !large.empty()) notices.push_back(large);
    if (!leftOut().empty()) notices.push_back("arrays that are not read: " + leftOut());
    return {std::move(lp_), std::move(notices)};
  }

 private:
  /// Which numbers an array may hold besides finite ones.
  enum class Finite { all, notAbove, notBelow };

  /// Between steps that take as long as reading a large array.
  void poll() const {
    if (work_.interrupted && work_.interrupted()) throw ReadInterrupted();
  }

  // ---- the matrix ------------------------------------------------------------------------------

  void asRanges() {
    if (!matrix("A", "") && !matrix("A", "A_"))
      throw ReadError(
          name_, "archive",
          "the array A, or data, indices, indptr, shape and format, or the arguments "
          "of linprog (A_ub, b_ub, A_eq, b_eq, bounds; sparse: A_ub_data, A_ub_indices, "
          "A_ub_indptr, A_ub_shape)",
          "no matrix");
    lp_.columnLower = vector("lower", lp_.columns(), 0.0, Finite::notAbove);
    lp_.columnUpper = vector("upper", lp_.columns(), infinity, Finite::notBelow);
    lp_.rowLower = vector("row_lower", lp_.rows(), -infinity, Finite::notAbove);
    lp_.rowUpper = vector("row_upper", lp_.rows(), infinity, Finite::notBelow);
  }

  /// A_ub x <= b_ub, A_eq x = b_eq, in this order. A stands for A_ub.
  void asLinprog() {
    bool const above = matrix("A_ub", "A_ub_") || matrix("A", "A_") || matrix("A", "");
    if (find("b_ub") && !above) fail("A_ub", "this array, or A, dense or sparse", "none");
    if (above) lp_.rowUpper = vector("b_ub", needed("b_ub", lp_.rows()));
    lp_.rowLower.assign(lp_.rowUpper.size(), -infinity);
    SparseMatrix upper = std::move(lp_.matrix);
    lp_.matrix = {};
    bool const equal = matrix("A_eq", "A_eq_");
    if (find("b_eq") && !equal) fail("A_eq", "this array, dense or sparse", "none");
    if (!equal) {
      lp_.matrix = std::move(upper);
    } else {
      std::vector<double> const sides = vector("b_eq", needed("b_eq", lp_.rows()));
      for (auto* const side : {&lp_.rowLower, &lp_.rowUpper})
        side->insert(side->end(), sides.begin(), sides.end());
      if (above) {
        if (upper.columns != lp_.columns())
          fail("A_eq", concat(upper.columns, " columns, as A_ub has"),
               std::to_string(lp_.columns()));
        SparseMatrix rows = upper.transposed();
        appendColumns(rows, lp_.matrix.transposed());
        lp_.matrix = rows.transposed();
      }
    }
    if (!above && !equal) {
      NpzArray const& costs = needed("c", {});
      setSizes("c", 0, costs.header().shape[0]);
      lp_.matrix.starts.assign(at(lp_.columns()) + 1, 0);
    }
    bounds();
  }

  /// linprog's pairs: n x 2, or one for all.
  void bounds() {
    auto const n = at(lp_.columns());
    lp_.columnLower.assign(n, 0.0);
    lp_.columnUpper.assign(n, infinity);
    NpzArray const* const found = find("bounds");
    if (!found) return;
    auto const& shape = found->header().shape;
    bool const single = shape == std::vector<std::uint64_t>{2};
    if (!found->isNumber() || (!single && shape != std::vector<std::uint64_t>{n, 2}))
      fail("bounds", concat(n, " x 2 numbers"), found->shapeText());
    std::vector<double> const pairs = of("bounds", [&] { return found->numbers(work_); });
    bool const byColumns = found->header().fortranOrder;
    for (std::size_t j = 0; j < n; ++j) {
      double const lower = large_(pairs[single      ? 0
                                        : byColumns ? j
                                                    : 2 * j]),
                   upper = large_(pairs[single      ? 1
                                        : byColumns ? n + j
                                                    : 2 * j + 1]);
      if (std::isnan(lower) || std::isnan(upper) || lower == infinity || upper == -infinity)
        fail("bounds", "bounds that can be reached", concat("others in row ", j));
      lp_.columnLower[j] = lower;
      lp_.columnUpper[j] = upper;
    }
  }

  /// Reads the array `name`, or a sparse matrix whose arrays begin with `prefix`. False: there is
  /// neither.
  bool matrix(std::string const& name, std::string const& prefix) {
    NpzArray const* const a = find(name);
    bool const isSparse =
        find(prefix + "data") || find(prefix + "indices") || find(prefix + "indptr");
    if (a && isSparse) fail(name, "one matrix", "a dense and a sparse one");
    if (a) denseMatrix(*a);
    if (isSparse) sparseMatrix(prefix);
    return a || isSparse;
  }

  void denseMatrix(NpzArray const& a) {
    NpyHeader const& header = a.header();
    if (!a.isNumber()) fail(a.name(), "an array of numbers", "an array of texts");
    if (header.shape.size() != 2) fail(a.name(), "two dimensions", a.shapeText());
    setSizes(a.name(), header.shape[0], header.shape[1]);
    auto const rows = header.shape[0], columns = header.shape[1], entries = header.elements();
    if (entries > allowed_ / sizeof(double))
      fail(a.name(), concat("a model of at most ", allowed_, " bytes"), "a larger one");
    // Read once, by columns, to where it stays if the matrix may stand on an array.
    std::shared_ptr<double[]> const values(new double[entries]);
    preferLargePages(values.get(), entries * sizeof(double));

    std::atomic<std::uint64_t> wrong = entries;  // the first entry that is not finite
    auto const check = [&wrong](std::uint64_t first, std::span<double const> run) {
      // Adding one to the exponent reaches the sign where all of its bits are set: not finite.
      std::uint64_t carried = 0;
      for (double const value : run)
        carried |= (std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)) +
                   (std::uint64_t{1} << 52);
      if (carried >> 63 == 0) return;
      auto const place = std::ranges::find_if(run, [](double v) { return !std::isfinite(v); });
      std::uint64_t const found = first + static_cast<std::uint64_t>(place - run.begin());
      for (std::uint64_t known = wrong;
           found < known && !wrong.compare_exchange_weak(known, found);) {
      }
    };
    bool const byColumns = header.fortranOrder || rows <= 1 || columns <= 1;
    std::uint64_t const lines =
        std::clamp<std::uint64_t>(8 * usualRun / std::max<std::uint64_t>(columns, 1), 1, 64);
    of(a.name(), [&] {
      if (byColumns)
        a.forEachRun(usualRun, values.get(), work_, check);
      else  // up to 64 rows at a time fill whole lines of the caches
        a.forEachRun(lines * columns, nullptr, work_, [&](std::uint64_t first, auto const& run) {
          check(first, run);
          double* const place = values.get() + first / columns;
          for (std::uint64_t j = 0; j < columns; ++j)
            for (std::uint64_t i = 0; i < run.size() / columns; ++i)
              place[j * rows + i] = run[i * columns + j];
        });
      return 0;
    });
    if (wrong < entries) {
      std::uint64_t const i = byColumns ? wrong % rows : wrong / columns;
      std::uint64_t const j = byColumns ? wrong / rows : wrong % columns;
      fail(a.name(), "finite numbers",
           concat("another one in row ", i, ", column ", j, " (counted from 0)"));
    }
    int const m = lp_.matrix.rows, n = lp_.matrix.columns;
    DenseEntries const found(
        m, n, values.get(), 1, m,
        [this](std::int64_t count, auto const& part) { work_.forEach(count, part); });
    lp_.matrix = denseArrays_ && found.fitsArray()
                     ? osi_cuda::denseMatrix(m, n, values.get(), false, values)
                     : found.nonzeros();
  }

  /// The arrays of scipy.sparse.save_npz, whose names may have a prefix.
  void sparseMatrix(std::string const& prefix) {
    std::string const shapeName = prefix + "shape", indptr = prefix + "indptr",
                      indexName = prefix + "indices", dataName = prefix + "data";
    std::vector<std::int64_t> const shape = indexArray(shapeName, 2);
    bool const byColumns = isByColumns(prefix, shape);
    if (shape[0] < 0 || shape[1] < 0)
      fail(shapeName, "numbers of rows and columns", "a negative one");
    setSizes(shapeName, static_cast<std::uint64_t>(shape[0]), static_cast<std::uint64_t>(shape[1]));
    std::int64_t const lines = shape[byColumns ? 1 : 0], width = shape[byColumns ? 0 : 1];
    SparseMatrix matrix;  // of a csr matrix the transpose
    matrix.rows = static_cast<int>(width);
    matrix.columns = static_cast<int>(lines);
    matrix.starts = indexArray(indptr, static_cast<std::uint64_t>(lines) + 1);
    if (matrix.starts.front() != 0 || !std::ranges::is_sorted(matrix.starts))
      fail(indptr, "numbers that begin with 0 and do not descend", "others");
    auto const entries = static_cast<std::uint64_t>(matrix.starts.back());
    std::vector<std::int64_t> indices = indexArray(indexName, {});
    NpzArray const& data = needed(dataName, indices.size());
    if (indices.size() != entries)
      fail(indexName, concat(entries, " numbers, as indptr says"), std::to_string(indices.size()));
    auto const outside = std::ranges::find_if(
        indices, [width](std::int64_t index) { return index < 0 || index >= width; });
    if (outside != indices.end())
      fail(indexName, concat("numbers from 0 to ", width - 1), std::to_string(*outside));
    matrix.indices.assign(indices.begin(), indices.end());
    indices = {};
    matrix.values = of(dataName, [&] { return data.numbers(work_); });
    if (auto const wrong =
            std::ranges::find_if(matrix.values, [](double v) { return !std::isfinite(v); });
        wrong != matrix.values.end())
      fail(dataName, "finite numbers",
           concat("another one at place ", wrong - matrix.values.begin()));
    poll();
    // Twice transposed every line is in order, whatever order its indices had.
    SparseMatrix turned = matrix.transposed();
    matrix = {};
    poll();
    for (int j = 0; j < turned.columns; ++j) {
      auto const line = turned.columnIndices(j);
      if (std::ranges::adjacent_find(line) != line.end())
        fail(indexName, "one entry per row and column (scipy's sum_duplicates makes it so)",
             "two for one place");
    }
    if (std::ranges::find(turned.values, 0.0) != turned.values.end()) {  // explicit zeros
      SparseMatrix kept;
      kept.rows = turned.rows;
      for (int j = 0; j < turned.columns; ++j) {
        for (auto const [i, a] : turned.column(j))
          if (a != 0.0) kept.add(i, a);
        kept.endColumn();
      }
      turned = std::move(kept);
    }
    poll();
    lp_.matrix = byColumns ? turned.transposed() : std::move(turned);
  }

  /// A model may take so much memory as a compressed file may expand to.
  void setSizes(std::string const& array, std::uint64_t rows, std::uint64_t columns) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    if (rows > most || columns > most - rows)
      fail(array, "at most 2147483647 rows and columns together", concat(rows, " x ", columns));
    if ((rows + columns) * sizeof(double) > allowed_)
      fail(array, concat("a model of at most ", allowed_, " bytes"), "a larger one");
    lp_.matrix.rows = static_cast<int>(rows);
    lp_.matrix.columns = static_cast<int>(columns);
  }

  /// As the format says, or else, where the names have a prefix, the length of indptr.
  bool isByColumns(std::string const& prefix, std::vector<std::int64_t> const& shape) const {
    std::string const array = prefix + "format";
    if (!prefix.empty() && !find(array)) {
      NpzArray const& indptr = needed(prefix + "indptr", {});
      return indptr.header().shape[0] != static_cast<std::uint64_t>(shape[0]) + 1;
    }
    std::string const format = text(array).value_or("");
    if (format != "csc" && format != "csr")
      fail(array, "csc or csr", find(array) ? quoted(format) : "no such array");
    return format == "csc";
  }

  NpzArray const& needed(std::string const& array, std::optional<std::uint64_t> length) const {
    NpzArray const* const found = find(array);
    if (!found) fail(array, "this array", "none");
    if (!found->isNumber()) fail(array, "an array of numbers", "an array of texts");
    NpyHeader const& header = found->header();
    if (header.shape.size() != 1 || (length && header.shape[0] != *length))
      fail(array, length ? concat(*length, " numbers") : "one dimension", found->shapeText());
    return *found;
  }

  std::vector<std::int64_t> indexArray(std::string const& array,
                                       std::optional<std::uint64_t> length) const {
    NpzArray const& found = needed(array, length);
    if (!found.isInteger()) fail(array, "integers", "floating point numbers");
    return of(array, [&] { return found.integers(work_); });
  }

  // ---- the rest --------------------------------------------------------------------------------

  /// Sides of rows, which linprog's infinity leaves free.
  std::vector<double> vector(std::string const& array, NpzArray const& found) {
    std::vector<double> values = of(array, [&] { return found.numbers(work_); });
    for (double& value : values) {
      value = large_(value);
      if (std::isnan(value) || value == -infinity || (array == "b_eq" && value == infinity))
        fail(array, "sides that can be reached", "another one");
    }
    return values;
  }

  /// An array of that length, or one number for all; without it `otherwise`.
  std::vector<double> vector(std::string const& array, int length, double otherwise,
                             Finite finite) {
    NpzArray const* const found = find(array);
    auto const count = at(length);
    if (!found) return std::vector<double>(count, otherwise);
    bool const isSingle = found->header().shape.empty();
    if (!isSingle) needed(array, count);
    if (!found->isNumber()) fail(array, "an array of numbers", "an array of texts");
    std::vector<double> values = of(array, [&] { return found->numbers(work_); });
    if (isSingle) values.assign(count, values[0]);
    for (std::size_t k = 0; k < count; ++k) {
      if (finite != Finite::all) values[k] = large_(values[k]);
      double const value = values[k];
      bool const wrong = std::isnan(value) || (value == infinity && finite != Finite::notBelow) ||
                         (value == -infinity && finite != Finite::notAbove);
      if (!wrong) continue;
      std::string const expected = finite == Finite::all
                                       ? "finite numbers"
                                       : "bounds that can be reached (" + large_.meaning() + ")";
      fail(array, expected,
           concat(std::isnan(value) ? "NaN" : "infinity", " at place ", k, " (counted from 0)"));
    }
    return values;
  }

  std::vector<std::string> names(std::string const& array, int length) const {
    NpzArray const* const found = find(array);
    if (!found) return {};
    if (!found->isText()) fail(array, "an array of texts", "an array of numbers");
    NpyHeader const& header = found->header();
    if (header.shape.size() != 1 || header.shape[0] != static_cast<std::uint64_t>(length))
      fail(array, concat(length, " names"), found->shapeText());
    std::vector<std::string> names = of(array, [&] { return found->texts(work_); });
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::ranges::sort(sorted);
    for (std::string const& name : names) {
      if (name.empty()) fail(array, "names that are not empty", "an empty one");
      if (std::ranges::any_of(name, isControl))
        fail(array, "names without control characters", quoted(name));
    }
    if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
      fail(array, "different names", quoted(*twice) + " twice");
    return names;
  }

  void integers() {
    if (!find("integer")) return;
    std::vector<double> const marks = vector("integer", lp_.columns(), 0.0, Finite::all);
    for (double const mark : marks)
      if (mark != 0.0 && mark != 1.0) fail("integer", "0 or 1 for each column", "another number");
    if (std::ranges::find(marks, 1.0) != marks.end())
      lp_.integer.assign(marks.begin(), marks.end());
  }

  void objective() {
    NpzArray const* const sign = find("sense");
    if (sign && sign->isNumber()) {
      std::vector<double> const value = of("sense", [&] { return sign->numbers(work_); });
      if (value.size() != 1 || std::fabs(value[0]) != 1.0)
        fail("sense", "min or max, or 1 or -1", "other numbers");
      lp_.sense = value[0] < 0.0 ? Sense::maximize : Sense::minimize;
    } else if (auto const sense = text("sense")) {
      if (*sense != "min" && *sense != "max") fail("sense", "min or max", quoted(*sense));
      lp_.sense = *sense == "max" ? Sense::maximize : Sense::minimize;
    }
    for (std::string const array : {"offset", "obj_offset"}) {
      NpzArray const* const found = find(array);
      if (!found) continue;
      if (!found->isNumber() || found->header().elements() != 1)
        fail(array, "one number", found->isNumber() ? found->shapeText() : "a text");
      lp_.objectiveOffset = of(array, [&] { return found->numbers(work_); })[0];
      if (!std::isfinite(lp_.objectiveOffset)) fail(array, "a finite number", "another one");
    }
    lp_.name = text("name").value_or("");
    lp_.objectiveName = text("objective_name").value_or("");
  }

  /// A text of its own, as an array without dimensions or with one element.
  std::optional<std::string> text(std::string const& array) const {
    NpzArray const* const found = find(array);
    if (!found) return {};
    bool const isSingle = found->isText() && found->header().elements() == 1;
    if (!isSingle) fail(array, "one text", found->isText() ? found->shapeText() : "numbers");
    return of(array, [&] { return found->texts(work_)[0]; });
  }

  std::string const& name_;
  std::uint64_t const allowed_;  // bytes that the model may take
  bool const denseArrays_;
  LargeBounds large_;
  NpzWork const& work_;
  LinearProgram lp_;
};

}  // namespace

ReadResult readNpz(RandomAccess const& file, std::string const& name, ReadOptions const& options,
                   int threads, std::function<bool()> const& interrupted) {
  NpzWork const work{threads, interrupted};
  return NpzReader(file, name, options, work).read();
}

}  // namespace osi_cuda::readers
