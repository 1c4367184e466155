// SPDX-License-Identifier: EPL-2.0
#include "readers/npz_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include "readers/format_writers.hpp"
#include "readers/input.hpp"
#include "readers/number.hpp"
#include "readers/read_error.hpp"
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

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longSize = 12, shortSize = 10;  // what stands before the dictionary

/// A dictionary as Python prints it, as much of it as headers need.
struct DictionaryParser {
  NpyHeader parse() {
    using Part = void (DictionaryParser::*)();
    constexpr std::pair<std::string_view, Part> parts[] = {
        {"descr", &DictionaryParser::description},
        {"fortran_order", &DictionaryParser::order},
        {"shape", &DictionaryParser::shape}};
    expect('{');
    while (!skip('}')) {
      std::string_view const key = string("a name in quotes");
      expect(':');
      auto const part = std::ranges::find(parts, key, &std::pair<std::string_view, Part>::first);
      bool const isNew = part != std::end(parts) && !seen_.contains(key);
      if (!isNew) fail("each of descr, fortran_order and shape once", quoted(key));
      seen_.insert(key);
      (this->*part->second)();
      if (!skip(',') && !isNext('}')) fail("a comma", rest());
    }
    blanks();
    if (!text_.empty()) fail("the end of the header", rest());
    if (seen_.size() < std::size(parts))
      fail("descr, fortran_order and shape", "a header without one of them");
    return header_;
  }

  [[noreturn]] static void fail(std::string expected, std::string found) {
    throw InputFault(std::move(expected), std::move(found));
  }
  std::string rest() const { return text_.empty() ? "the end of the header" : quoted(text_); }
  void blanks() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) text_.remove_prefix(1);
  }
  bool isNext(char c) {
    blanks();
    return text_.starts_with(c);
  }
  bool skip(char c) {
    if (!isNext(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!skip(c)) fail(std::string("the character ") + c, rest());
  }
  std::string_view string(char const* expected) {
    bool const isString = isNext('\'') || isNext('"');
    std::size_t const end = isString ? text_.find(text_[0], 1) : text_.npos;
    if (end == text_.npos) fail(expected, rest());
    std::string_view const content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content;
  }

  /// "<f8": byte order, kind, bytes of an element (of U: characters).
  void description() {
    char const* const expected = "an array of numbers or texts";
    blanks();
    if (text_.starts_with('[')) fail(expected, "an array of records");
    std::string_view const word = string(expected);
    constexpr std::string_view orders = "<>|=", kinds = "fiubSU";
    bool const hasOrder = !word.empty() && orders.find(word[0]) != word.npos;
    std::string_view const type = word.substr(hasOrder ? 1 : 0);
    if (type.starts_with('O'))
      fail(expected, "an array of Python objects (save lists of names as arrays of strings)");
    auto const digits = wholeNumber<std::uint64_t>(type.substr(type.empty() ? 0 : 1));
    std::uint64_t const size = digits.value_or(0);
    constexpr std::uint64_t longestText = std::uint64_t{1} << 20;
    if (!digits || kinds.find(type[0]) == kinds.npos || size > longestText)
      fail(expected, "elements of type " + quoted(word));
    header_.kind = type[0];
    header_.itemSize = type[0] == 'U' ? 4 * size : size;
    header_.bigEndian = hasOrder && word[0] == '>';
    bool const known = (type[0] == 'f' && (size == 4 || size == 8)) ||
                       ((type[0] == 'i' || type[0] == 'u') &&
                        (size == 1 || size == 2 || size == 4 || size == 8)) ||
                       (type[0] == 'b' && size == 1) || type[0] == 'S' || type[0] == 'U';
    if (!known) fail(expected, "elements of type " + quoted(word));
  }

  void order() {
    blanks();
    header_.fortranOrder = text_.starts_with("True");
    if (!header_.fortranOrder && !text_.starts_with("False")) fail("True or False", rest());
    text_.remove_prefix(header_.fortranOrder ? 4 : 5);
  }

  void shape() {
    expect('(');
    while (!skip(')')) {
      blanks();
      std::uint64_t size = 0;
      auto const [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (code != std::errc{}) fail("the size of a dimension", rest());
      text_.remove_prefix(at(end - text_.data()));
      header_.shape.push_back(size);
      if (!skip(',') && !isNext(')')) fail("a comma", rest());
    }
  }

  std::string_view text_;
  NpyHeader header_ = {};
  std::set<std::string_view> seen_ = {};
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

std::uint64_t NpyHeader::elements() const {
  std::uint64_t product = 1;
  for (std::uint64_t const dimension : shape) product *= dimension;
  return product;
}

std::optional<std::uint64_t> npyHeaderSize(std::string_view start) {
  if (start.size() < npyStart || !start.starts_with(magic)) return {};
  auto const byte = [start](std::size_t k) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(start[k]));
  };
  std::uint64_t const version = byte(6);
  if (version < 1 || version > 3) return {};
  std::uint64_t const size = byte(8) | byte(9) << 8;
  if (version == 1) return shortSize + size;
  return longSize + (size | byte(10) << 16 | byte(11) << 24);
}

NpyHeader parseNpyHeader(std::string_view header) {
  std::optional<std::uint64_t> const size = npyHeaderSize(header);
  if (!size || *size != header.size()) throw InputFault("the header of an array", "something else");
  std::size_t const before = header[6] == 1 ? shortSize : longSize;
  NpyHeader result = DictionaryParser{header.substr(before)}.parse();
  result.size = *size;
  std::uint64_t bytes = result.itemSize == 0 ? 1 : result.itemSize;
  for (std::uint64_t const dimension : result.shape) {
    bool const overflows = __builtin_mul_overflow(bytes, dimension, &bytes);
    if (overflows || bytes > (std::uint64_t{1} << 62))
      throw InputFault("an array that fits memory", "a shape of too many elements");
  }
  return result;
}

std::string npyHeader(std::string_view descr, std::vector<std::uint64_t> const& shape,
                      NpyOrder order) {
  bool const fortran = shape.size() > 1 && order == NpyOrder::fortran;
  std::string dictionary = concat(
      "{'descr': '", descr, "', 'fortran_order': ", fortran ? "True" : "False", ", 'shape': (");
  for (std::size_t k = 0; k < shape.size(); ++k)
    dictionary += concat(k > 0 ? " " : "", shape[k], ",");
  if (shape.size() > 1) dictionary.pop_back();
  dictionary += "), }";
  constexpr std::size_t alignment = 64;  // of the numbers, as NumPy has it
  std::size_t const used = shortSize + dictionary.size() + 1;
  dictionary += std::string((alignment - used % alignment) % alignment, ' ') + '\n';
  std::string header(magic);
  header += '\1';
  header += '\0';
  header += static_cast<char>(dictionary.size() & 0xff);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace osi_cuda::readers
