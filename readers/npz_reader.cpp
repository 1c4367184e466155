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

class NpzReader final : NpzArchive {
 public:
  NpzReader(RandomAccess const& file, std::string const& name, ReadOptions const& options,
            NpzWork const& work)
      : NpzArchive(file, name, knownArrays, expansionLimit(options.decompressedLimit, file.size())),
        name_(name),
        allowed_(expansionLimit(options.decompressedLimit, file.size())),
        denseArrays_(options.denseArrays),
        large_(options.infiniteFrom, fileInfinity),
        work_(work) {}

  ReadResult read() {
    matrix();
    lp_.objective = vector("c", lp_.columns(), 0.0, Finite::all);
    lp_.columnLower = vector("lower", lp_.columns(), 0.0, Finite::notAbove);
    lp_.columnUpper = vector("upper", lp_.columns(), infinity, Finite::notBelow);
    lp_.rowLower = vector("row_lower", lp_.rows(), -infinity, Finite::notAbove);
    lp_.rowUpper = vector("row_upper", lp_.rows(), infinity, Finite::notBelow);
    lp_.rowNames = names("row_names", lp_.rows());
    lp_.columnNames = names("column_names", lp_.columns());
    integers();
    objective();
    std::string const large = large_.notice();
    return {std::move(lp_), large.empty() ? std::vector<std::string>() : std::vector{large}};
  }

 private:
  /// Which numbers an array may hold besides finite ones.
  enum class Finite { all, notAbove, notBelow };

  /// Between steps that take as long as reading a large array.
  void poll() const {
    if (work_.interrupted && work_.interrupted()) throw ReadInterrupted();
  }

  // ---- the matrix ------------------------------------------------------------------------------

  void matrix() {
    NpzArray const* const a = find("A");
    bool const isSparse = find("data") || find("indices") || find("indptr");
    if (a && isSparse) fail("A", "one matrix", "a dense and a sparse one");
    if (a) return denseMatrix(*a);
    if (!isSparse)
      throw ReadError(name_, "archive", "the array A, or data, indices, indptr, shape and format",
                      "no matrix");
    sparseMatrix();
  }

  void denseMatrix(NpzArray const& a) {
    NpyHeader const& header = a.header();
    if (!a.isNumber()) fail("A", "an array of numbers", "an array of texts");
    if (header.shape.size() != 2) fail("A", "two dimensions", a.shapeText());
    setSizes("A", header.shape[0], header.shape[1]);
    auto const rows = header.shape[0], columns = header.shape[1], entries = header.elements();
    if (entries > allowed_ / sizeof(double))
      fail("A", concat("a model of at most ", allowed_, " bytes"), "a larger one");
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
    of("A", [&] {
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
      fail("A", "finite numbers",
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

  /// The arrays of scipy.sparse.save_npz.
  void sparseMatrix() {
    std::string const format = sparseFormat();
    std::vector<std::int64_t> const shape = indexArray("shape", 2);
    if (shape[0] < 0 || shape[1] < 0)
      fail("shape", "numbers of rows and columns", "a negative one");
    setSizes("shape", static_cast<std::uint64_t>(shape[0]), static_cast<std::uint64_t>(shape[1]));
    bool const byColumns = format == "csc";
    std::int64_t const lines = shape[byColumns ? 1 : 0], width = shape[byColumns ? 0 : 1];
    SparseMatrix matrix;  // of a csr matrix the transpose
    matrix.rows = static_cast<int>(width);
    matrix.columns = static_cast<int>(lines);
    matrix.starts = indexArray("indptr", static_cast<std::uint64_t>(lines) + 1);
    if (matrix.starts.front() != 0 || !std::ranges::is_sorted(matrix.starts))
      fail("indptr", "numbers that begin with 0 and do not descend", "others");
    auto const entries = static_cast<std::uint64_t>(matrix.starts.back());
    std::vector<std::int64_t> indices = indexArray("indices", {});
    NpzArray const& data = needed("data", indices.size());
    if (indices.size() != entries)
      fail("indices", concat(entries, " numbers, as indptr says"), std::to_string(indices.size()));
    auto const outside = std::ranges::find_if(
        indices, [width](std::int64_t index) { return index < 0 || index >= width; });
    if (outside != indices.end())
      fail("indices", concat("numbers from 0 to ", width - 1), std::to_string(*outside));
    matrix.indices.assign(indices.begin(), indices.end());
    indices = {};
    matrix.values = of("data", [&] { return data.numbers(work_); });
    if (auto const wrong =
            std::ranges::find_if(matrix.values, [](double v) { return !std::isfinite(v); });
        wrong != matrix.values.end())
      fail("data", "finite numbers",
           concat("another one at place ", wrong - matrix.values.begin()));
    poll();
    // Twice transposed every line is in order, whatever order its indices had.
    SparseMatrix turned = matrix.transposed();
    matrix = {};
    poll();
    for (int j = 0; j < turned.columns; ++j) {
      auto const line = turned.columnIndices(j);
      if (std::ranges::adjacent_find(line) != line.end())
        fail("indices", "one entry per row and column (scipy's sum_duplicates makes it so)",
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

  std::string sparseFormat() const {
    std::string const format = text("format").value_or("");
    if (format != "csc" && format != "csr")
      fail("format", "csc or csr", find("format") ? quoted(format) : "no such array");
    return format;
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
    if (auto const sense = text("sense")) {
      if (*sense != "min" && *sense != "max") fail("sense", "min or max", quoted(*sense));
      lp_.sense = *sense == "max" ? Sense::maximize : Sense::minimize;
    }
    if (NpzArray const* const found = find("offset")) {
      if (!found->isNumber() || found->header().elements() != 1)
        fail("offset", "one number", found->isNumber() ? found->shapeText() : "a text");
      lp_.objectiveOffset = of("offset", [&] { return found->numbers(work_); })[0];
      if (!std::isfinite(lp_.objectiveOffset)) fail("offset", "a finite number", "another one");
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
