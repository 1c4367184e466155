// SPDX-License-Identifier: EPL-2.0
#include "readers/basis_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/model/fingerprint.hpp"
#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/output.hpp"
#include "readers/solution_file.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

namespace {

/// Reads the MPS basis file that a LineSource stands at the beginning of.
struct BasisParser {
  Basis read() {
    bool ended = false;
    while (!ended && source_.next()) {
      std::string_view const line = source_.line();
      if (line.empty() || line[0] == '*' || trimmed(line).empty()) continue;
      if (isBlank(line[0])) {
        apply(parseEitherWay(
            line, [this](MpsFields const& fields) { return parse(fields); }, [] {}));
        continue;
      }
      std::string_view const keyword = splitFree(line)[0];
      if (equalsIgnoringCase(keyword, "ENDATA")) {
        ended = true;
      } else if (!equalsIgnoringCase(keyword, "NAME")) {
        source_.fail(keyword, "NAME, ENDATA, or a line of the basis that begins with a blank");
      }
    }
    if (!ended) source_.failAtEnd("ENDATA");
    settle(basis_, lp_);
    return std::move(basis_);
  }

  enum class Kind { xu, xl, ul, ll, bs };
  struct Line {
    Kind kind;
    std::string_view first;
    std::string_view second;
    int column = NameTable::absent;
    int row = NameTable::absent;
  };

  Line parse(MpsFields const& fields) const {
    static constexpr std::array<std::string_view, 5> kinds{"XU", "XL", "UL", "LL", "BS"};
    std::size_t kind = 0;
    while (kind < kinds.size() && !equalsIgnoringCase(fields[0], kinds[kind])) ++kind;
    if (kind == kinds.size()) source_.fail(fields[0], "XU, XL, UL, LL or BS");
    Line line{static_cast<Kind>(kind), fields[1], fields[2]};

    line.column = names_.find(line.first, false, 0);
    bool const isPair = line.kind == Kind::xu || line.kind == Kind::xl;
    if (isPair) {
      if (line.column == NameTable::absent) source_.fail(line.first, "the name of a column");
      line.row = names_.find(line.second, true, 0);
      if (line.row == NameTable::absent) source_.fail(line.second, "the name of a row");
    } else if (line.column == NameTable::absent) {
      // Rows that no basic column is paired with, which the old format has no line for.
      line.row = names_.find(line.first, true, 0);
      if (line.row == NameTable::absent) source_.fail(line.first, "the name of a column or row");
    }
    // Behind the names some writers put values.
    return line;
  }

  void apply(Line const& line) {
    if (line.column != NameTable::absent) once(seenColumns_, line.column, line.first);
    if (line.row != NameTable::absent)
      once(seenRows_, line.row, line.column == NameTable::absent ? line.first : line.second);
    VariableStatus& mentioned =
        line.column == NameTable::absent ? basis_.rows[line.row] : basis_.columns[line.column];
    bool const isUpper = line.kind == Kind::xu || line.kind == Kind::ul;
    VariableStatus const bound = isUpper ? VariableStatus::atUpper : VariableStatus::atLower;
    bool const isPair = line.kind == Kind::xu || line.kind == Kind::xl;
    mentioned = isPair || line.kind == Kind::bs ? VariableStatus::basic : bound;
    if (isPair) basis_.rows[line.row] = bound;
  }

  void once(std::vector<char>& seen, int index, std::string_view name) {
    if (seen[index]) source_.fail(name, "one line for each variable");
    seen[index] = 1;
  }

  LineSource& source_;
  LinearProgram const& lp_;
  ModelNames names_{source_, lp_};
  std::vector<char> seenColumns_ = std::vector<char>(lp_.columns(), 0);
  std::vector<char> seenRows_ = std::vector<char>(lp_.rows(), 0);
  Basis basis_ = {std::vector(lp_.columns(), VariableStatus::atLower),
                  std::vector(lp_.rows(), VariableStatus::basic)};
};

Basis readBasisFrom(LineSource source, LinearProgram const& lp) {
  if (isSolutionOfOthers(source)) {
    Solution solution = readSolutionFrom(source, lp);
    if (!solution.basis.empty()) return std::move(solution.basis);
    source.failAtEnd("a solution with a basis");
  }
  return BasisParser{source, lp}.read();
}

void writeBasisTo(Output& out, LinearProgram const& lp, Basis const& basis) {
  if (std::ssize(basis.columns) != lp.columns() || std::ssize(basis.rows) != lp.rows())
    throw WriteError("a basis that does not belong to the model can't be written");
  auto const padded = [](std::string name) {
    constexpr std::size_t width = 8;  // as fixed format has it, where names are short enough
    if (name.size() < width) name.append(width - name.size(), ' ');
    return name;
  };
  // A row with one bound rests there, whichever name the status has. `lower` is what everybody
  // understands: CPLEX and lp_solve mean the slack, and lp_solve goes to infinity for `upper`.
  auto const isAtUpper = [&](int i) {
    return basis.rows[i] == VariableStatus::atUpper && lp.rowLower[i] > -infinity &&
           lp.rowUpper[i] < infinity;
  };
  out << "NAME          " << (lp.name.empty() ? "BASIS" : lp.name) << '\n';
  int row = 0;  // every basic column is paired with the next nonbasic row
  auto const nextRow = [&] {
    while (row < lp.rows() && basis.rows[row] == VariableStatus::basic) ++row;
    return row < lp.rows();
  };
  for (int j = 0; j < lp.columns(); ++j) {
    VariableStatus const status = basis.columns[j];
    if (status == VariableStatus::basic && nextRow()) {
      out << (isAtUpper(row) ? " XU " : " XL ") << padded(lp.columnName(j)) << "  "
          << lp.rowName(row) << '\n';
      ++row;
    } else if (status == VariableStatus::basic) {
      out << " BS " << lp.columnName(j) << '\n';
    } else if (status == VariableStatus::atUpper) {
      out << " UL " << lp.columnName(j) << '\n';
    }
  }
  for (; nextRow(); ++row) out << (isAtUpper(row) ? " UL " : " LL ") << lp.rowName(row) << '\n';
  out << "ENDATA\n";
}

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

VariableStatus restingPlace(VariableStatus status, double lower, double upper) {
  if (status == VariableStatus::basic) return status;
  if (lower == -infinity && upper == infinity) return VariableStatus::free;
  if (lower == upper) return VariableStatus::atLower;
  if (status == VariableStatus::atUpper)
    return upper < infinity ? VariableStatus::atUpper : VariableStatus::atLower;
  return lower > -infinity ? VariableStatus::atLower : VariableStatus::atUpper;
}

void settle(Basis& basis, LinearProgram const& lp) {
  for (int j = 0; j < lp.columns(); ++j)
    basis.columns[j] = restingPlace(basis.columns[j], lp.columnLower[j], lp.columnUpper[j]);
  for (int i = 0; i < lp.rows(); ++i)
    basis.rows[i] = restingPlace(basis.rows[i], lp.rowLower[i], lp.rowUpper[i]);
}

Basis readBasis(std::string const& path, LinearProgram const& lp) {
  return readBasisFrom(LineSource::ofFile(path), lp);
}

Basis readBasisText(std::string_view text, std::string const& name, LinearProgram const& lp) {
  return readBasisFrom(LineSource::ofText(text, name), lp);
}

void writeBasis(std::string const& path, LinearProgram const& lp, Basis const& basis) {
  writeWhole(path, writeBasisText(lp, basis));
}

std::string writeBasisText(LinearProgram const& lp, Basis const& basis) {
  Output out;
  writeBasisTo(out, lp, basis);
  return out.text();
}

std::string writeCheckpointText(LinearProgram const& lp, SavedSolve const& saved) {
  std::string const header = headerText(lp, saved);
  std::string const basis = writeBasisText(lp, saved.basis);
  return header + "* checksum " + checksumOf(header + basis) + "\n" + basis;
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
