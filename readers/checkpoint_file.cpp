// SPDX-License-Identifier: EPL-2.0
#include "readers/checkpoint_file.hpp"

#include <algorithm>
#include <cmath>

#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "readers/basis_file.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {
namespace {

constexpr std::string_view title = "osi-cuda checkpoint 1";  // the number is that of the format
constexpr char const* running = "running";

/// The problem as a person knows it; its fingerprint stands on a line of its own.
std::string problemText(LinearProgram const& lp) {
  std::string text = concat(lp.rows(), " rows, ", lp.columns(), " columns, ",
                            countNonzeros(lp.matrix), " nonzeros");
  return lp.name.empty() ? text : lp.name + ", " + text;
}

/// Without line ends and other characters that would tear a line of the header or of a message.
std::string onOneLine(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, isControl, '?');
  return line;
}

std::string checksumOf(std::string_view text) {
  Fingerprint print;
  print.add(text);
  return print.text();
}

/// The header without its checksum, which is that of these lines and of the basis.
std::string headerText(LinearProgram const& lp, SavedSolve const& saved) {
  return concat("* ", title, "\n* problem ", onOneLine(problemText(lp)), "\n* model ", saved.model,
                "\n* status ", (saved.status ? toString(*saved.status) : running), "\n* algorithm ",
                toString(saved.algorithm), "\n* iterations ", saved.iterations, "\n* seconds ",
                shortest(saved.seconds), "\n");
}

/// Goes through the comments at the top of a checkpoint, line by line.
class Header {
 public:
  Header(std::string_view text, std::string const& name) : text_(text), name_(name) {}

  /// The rest of the next line, which has to begin with a star, a blank and `key`.
  std::string_view next(std::string_view key) {
    std::size_t const end = text_.find('\n', at_);
    std::string_view const line = text_.substr(at_, end == text_.npos ? end : end - at_);
    ++line_;
    std::string const start = "* " + std::string(key);
    std::string_view const value = line.substr(std::min(start.size(), line.size()));
    bool const fits = line.substr(0, start.size()) == start && (value.empty() || value[0] == ' ');
    if (end == text_.npos || !fits)
      fail("\"" + start + "\", a line of a checkpoint",
           line.empty() && end == text_.npos ? "the end of the file" : quoted(line));
    before_ = at_;
    at_ = end + 1;
    return value.empty() ? value : value.substr(1);
  }

  [[noreturn]] void fail(std::string const& expected, std::string const& found) const {
    throw ReadError(name_, line_, 1, expected, found);
  }

  std::string_view aboveLastLine() const { return text_.substr(0, before_); }
  std::string_view rest() const { return text_.substr(at_); }

 private:
  std::string_view text_;
  std::string const& name_;
  std::size_t at_ = 0, before_ = 0;
  std::int64_t line_ = 0;
};

/// A number of the header, whose checksum has been found right: it fails only in a file that was
/// made by hand.
template <class Number>
Number numberOf(std::string_view word, std::string_view key, Header const& header) {
  std::optional<Number> const number = wholeNumber<Number>(word);
  if (!number || !(*number >= 0) || !std::isfinite(static_cast<double>(*number)))
    header.fail("a number >= 0 as " + std::string(key), quoted(word));
  return *number;
}

/// Of the values up to `last`, the one that is written so.
template <class Value>
Value valueOf(std::string_view word, Value last, std::string_view key, Header const& header) {
  for (int k = 0; k <= static_cast<int>(last); ++k)
    if (word == toString(static_cast<Value>(k))) return static_cast<Value>(k);
  header.fail("a word of a checkpoint as " + std::string(key), quoted(word));
}

bool endsWithEndata(std::string_view text) {
  constexpr std::string_view last = "\nENDATA\n";
  return text.size() >= last.size() && text.substr(text.size() - last.size()) == last;
}

}  // namespace

std::string writeCheckpointText(LinearProgram const& lp, SavedSolve const& saved) {
  std::string const header = headerText(lp, saved);
  std::string const basis = writeBasisText(lp, saved.basis);
  return header + "* checksum " + checksumOf(header + basis) + "\n" + basis;
}

void writeCheckpoint(std::string const& path, LinearProgram const& lp, SavedSolve const& saved) {
  writeWhole(path, writeCheckpointText(lp, saved));
}

SavedSolve readCheckpointText(std::string_view text, std::string const& name,
                              LinearProgram const& lp) {
  Header header(text, name);
  header.next(title);
  std::string_view const problem = header.next("problem"), model = header.next("model"),
                         status = header.next("status"), algorithm = header.next("algorithm"),
                         iterations = header.next("iterations"), seconds = header.next("seconds"),
                         checksum = header.next("checksum");
  if (!endsWithEndata(text)) header.fail("a checkpoint that ends with ENDATA", "a truncated one");
  std::string const contents =
      checksumOf(std::string(header.aboveLastLine()) + std::string(header.rest()));
  if (checksum != contents)
    header.fail("a checkpoint with the checksum " + contents, "a damaged or changed one");
  if (model != fingerprintOf(lp))
    header.fail("a checkpoint of this problem (" + onOneLine(problemText(lp)) + ")",
                "one of another problem (" + onOneLine(problem) + ")");
  SavedSolve saved;
  saved.model = model;
  if (status != running) saved.status = valueOf(status, Status::interior, "status", header);
  saved.algorithm = valueOf(algorithm, SolveAlgorithm::barrier, "algorithm", header);
  saved.iterations = numberOf<std::int64_t>(iterations, "iterations", header);
  saved.seconds = numberOf<double>(seconds, "seconds", header);
  saved.basis = readBasisText(text, name, lp);
  return saved;
}

SavedSolve readCheckpoint(std::string const& path, LinearProgram const& lp) {
  std::string const name = path == "-" ? "standard input" : path;
  return readCheckpointText(LineSource::ofFile(path).takeBytes(), name, lp);
}

}  // namespace osi_cuda::readers
