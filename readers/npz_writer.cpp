// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_writer.hpp"

#include <algorithm>
#include <bit>
#include <functional>

#include "readers/npy_header.hpp"
#include "readers/zip_archive.hpp"

namespace osi_cuda::readers {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie here");

template <class Value>
constexpr char const* description = "";
template <>
constexpr char const* description<double> = "<f8";
template <>
constexpr char const* description<int> = "<i4";
template <>
constexpr char const* description<std::int64_t> = "<i8";
template <>
constexpr char const* description<char> = "|b1";

/// Names that the reader takes: of bytes that fill up, none is a zero.
bool canHold(std::string_view name) {
  return std::ranges::none_of(
      name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

class NpzWriter {
 public:
  NpzWriter(Output& out, LinearProgram const& lp)
      : lp_(lp),
        names_(namesFor(lp, canHold)),
        zip_([&out](std::string_view bytes) { out << bytes; }) {}

  WriteResult write() {
    matrix();
    numbers("c", lp_.objective);
    numbers("row_lower", lp_.rowLower);
    numbers("row_upper", lp_.rowUpper);
    numbers("lower", lp_.columnLower);
    numbers("upper", lp_.columnUpper);
    text("sense", lp_.sense == Sense::maximize ? "max" : "min");
    if (lp_.objectiveOffset != 0.0)
      add("offset", "<f8", {}, bytesOf<double>({&lp_.objectiveOffset, 1}));
    if (!lp_.integer.empty()) numbers("integer", lp_.integer);
    if (!lp_.rowNames.empty()) names("row_names", names_.rows);
    if (!lp_.columnNames.empty()) names("column_names", names_.columns);
    if (!lp_.name.empty()) text("name", lp_.name);
    if (!lp_.objectiveName.empty()) text("objective_name", lp_.objectiveName);
    zip_.finish();
    WriteResult result;
    result.renamed = std::move(names_.renamed);
    return result;
  }

 private:
  using Shape = std::vector<std::uint64_t>;
  using Content = std::function<void(ZipWriter::Sink const&)>;

  template <class Value>
  static std::string_view bytesOf(std::span<Value const> values) {
    return {reinterpret_cast<char const*>(values.data()), values.size_bytes()};
  }

  void add(std::string const& name, std::string_view descr, Shape const& shape,
           Content const& content) {
    std::string const header = npyHeader(descr, shape);
    zip_.add(name + ".npy", [&](ZipWriter::Sink const& sink) {
      sink(header);
      content(sink);
    });
  }
  void add(std::string const& name, std::string_view descr, Shape const& shape,
           std::string_view bytes) {
    add(name, descr, shape, [bytes](ZipWriter::Sink const& sink) { sink(bytes); });
  }

  template <class Value>
  void numbers(std::string const& name, std::vector<Value> const& values) {
    add(name, description<Value>, {values.size()}, bytesOf<Value>(values));
  }

  /// Names as bytes (UTF-8), filled up to the longest. A text that ends with a zero byte would come
  /// back shorter; names hold none.
  void names(std::string const& name, std::vector<std::string> const& texts) {
    if (texts.empty()) return;
    std::size_t longest = 1;
    for (std::string const& text : texts) longest = std::max(longest, text.size());
    add(name, "|S" + std::to_string(longest), {texts.size()}, [&](ZipWriter::Sink const& sink) {
      for (std::string text : texts) {
        text.resize(longest, '\0');
        sink(text);
      }
    });
  }

  void text(std::string const& name, std::string const& content) {
    add(name, "|S" + std::to_string(content.size()), {}, std::string_view(content));
  }

  void matrix() {
    SparseMatrix const& matrix = lp_.matrix;
    auto const rows = static_cast<std::uint64_t>(matrix.rows),
               columns = static_cast<std::uint64_t>(matrix.columns);
    constexpr double sparseBytes = sizeof(int) + sizeof(double);
    double const denseBytes =
        sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
    bool const holdsZeros = std::ranges::find(matrix.values, 0.0) != matrix.values.end();
    if (!holdsZeros && denseBytes <= sparseBytes * static_cast<double>(matrix.nonzeros()))
      return add("A", "<f8", {rows, columns}, [&](ZipWriter::Sink const& sink) { dense(sink); });
    text("format", "csc");
    std::int64_t const shape[] = {matrix.rows, matrix.columns};
    add("shape", "<i8", {2}, bytesOf<std::int64_t>(shape));
    numbers("indptr", matrix.starts);
    numbers("indices", matrix.indices);
    numbers("data", matrix.values);
  }

  void dense(ZipWriter::Sink const& sink) const {
    std::vector<double> column(static_cast<std::size_t>(lp_.rows()));
    ColumnReader read(lp_.matrix);
    for (int j = 0; j < lp_.columns(); ++j) {
      auto const indices = lp_.matrix.columnIndices(j);
      auto const values = read(j);
      if (values.size() == column.size() && std::ranges::is_sorted(indices)) {
        sink(bytesOf<double>(values));
        continue;
      }
      std::ranges::fill(column, 0.0);
      for (std::size_t k = 0; k < indices.size(); ++k)
        column[static_cast<std::size_t>(indices[k])] = values[k];
      sink(bytesOf<double>(column));
    }
  }

  LinearProgram const& lp_;
  WrittenNames names_;
  ZipWriter zip_;
};

}  // namespace

WriteResult writeNpz(Output& out, LinearProgram const& lp) {
  return NpzWriter(out, lp).write();
}

}  // namespace osi_cuda::readers
