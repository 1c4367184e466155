// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_file.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "readers/format_writers.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

namespace {

/// Names that the reader takes: of bytes that fill up, none is a zero.
bool canHold(std::string_view name) {
  return std::ranges::none_of(name, isControl);
}

class NpzWriter {
 public:
  NpzWriter(Output& out, LinearProgram const& lp)
      : lp_(lp), names_(namesFor(lp, canHold)), file_(out) {}

  WriteResult write() {
    matrix();
    numbers("c", lp_.objective);
    numbers("row_lower", lp_.rowLower);
    numbers("row_upper", lp_.rowUpper);
    numbers("lower", lp_.columnLower);
    numbers("upper", lp_.columnUpper);
    file_.addText("sense", lp_.sense == Sense::maximize ? "max" : "min");
    if (lp_.objectiveOffset != 0.0) file_.add("offset", {}, std::span(&lp_.objectiveOffset, 1));
    if (!lp_.integer.empty()) numbers("integer", lp_.integer);
    if (!lp_.rowNames.empty()) file_.add("row_names", names_.rows);
    if (!lp_.columnNames.empty()) file_.add("column_names", names_.columns);
    if (!lp_.name.empty()) file_.addText("name", lp_.name);
    if (!lp_.objectiveName.empty()) file_.addText("objective_name", lp_.objectiveName);
    file_.close();
    WriteResult result;
    result.renamed = std::move(names_.renamed);
    return result;
  }

 private:
  template <class Value>
  void numbers(std::string const& name, std::vector<Value> const& values) {
    file_.add(name, {values.size()}, values);
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
      return file_.add("A", {rows, columns}, [&](ZipWriter::Sink const& sink) { dense(sink); });
    file_.addText("format", "csc");
    numbers("shape", std::vector<std::int64_t>{matrix.rows, matrix.columns});
    numbers("indptr", matrix.starts);
    numbers("indices", matrix.indices);
    numbers("data", matrix.values);
  }

  void dense(ZipWriter::Sink const& sink) const {
    std::vector<double> column(at(lp_.rows()));
    ColumnReader read(lp_.matrix);
    for (int j = 0; j < lp_.columns(); ++j) {
      auto const indices = lp_.matrix.columnIndices(j);
      auto const values = read(j);
      if (values.size() == column.size() && std::ranges::is_sorted(indices)) {
        sink(NpzFile::bytesOf(values));
        continue;
      }
      std::ranges::fill(column, 0.0);
      for (std::size_t k = 0; k < indices.size(); ++k) column[at(indices[k])] = values[k];
      sink(NpzFile::bytesOf(column));
    }
  }

  LinearProgram const& lp_;
  WrittenNames names_;
  NpzFile file_;
};

}  // namespace

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie here");

NpzFile::NpzFile(Output& out) : zip_([&out](std::string_view bytes) { out << bytes; }) {}

NpzFile::NpzFile(std::string const& path)
    : own_(std::make_unique<Output>(path)),
      zip_([out = own_.get()](std::string_view bytes) { *out << bytes; }) {}

void NpzFile::put(std::string const& name, std::string const& header, Content const& content) {
  zip_.add(name + ".npy", [&](ZipWriter::Sink const& sink) {
    sink(header);
    content(sink);
  });
}

void NpzFile::put(std::string const& name, std::string const& header, std::string_view bytes) {
  put(name, header, [bytes](ZipWriter::Sink const& sink) { sink(bytes); });
}

void NpzFile::add(std::string const& name, Shape const& shape, Content const& content) {
  put(name, npyHeader(description<double>(), shape), content);
}

void NpzFile::add(std::string const& name, std::span<std::string const> texts) {
  std::size_t longest = 1;
  for (std::string const& text : texts) longest = std::max(longest, text.size());
  put(name, npyHeader(concat("|S", longest), {texts.size()}), [&](ZipWriter::Sink const& sink) {
    for (std::string text : texts) {
      text.resize(longest, '\0');
      sink(text);
    }
  });
}

void NpzFile::addText(std::string const& name, std::string const& text) {
  put(name, npyHeader(concat("|S", text.size()), {}), text);
}

void NpzFile::close() {
  zip_.finish();
  if (own_) own_->close();
}

WriteResult writeNpz(Output& out, LinearProgram const& lp) {
  return NpzWriter(out, lp).write();
}

}  // namespace osi_cuda::readers
