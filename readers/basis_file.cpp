// SPDX-License-Identifier: EPL-2.0
#include "readers/basis_file.hpp"

#include <array>

#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/mps_fields.hpp"
#include "readers/name_table.hpp"
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

}  // namespace osi_cuda::readers
