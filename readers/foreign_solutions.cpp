// SPDX-License-Identifier: EPL-2.0
#include "readers/solution_file.hpp"

#include <array>

#include "readers/basis_file.hpp"
#include "readers/mps_fields.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

double solutionNumber(LineSource const& source, std::string_view word) {
  Number const number = parseNumber(word);
  bool const isValue = number.fault == NumberFault::none || number.fault == NumberFault::infinite;
  if (!isValue) source.fail(word, describe(number.fault));
  return number.value;
}

int solutionIndex(LineSource const& source, std::string_view word, int most,
                  std::string const& expected) {
  int const value = wholeNumber<int>(word).value_or(-1);
  if (value < 0 || value > most) source.fail(word, expected);
  return value;
}

namespace {

void makeRoom(Solution& solution, LinearProgram const& lp) {
  solution.columnValues.assign(lp.columns(), 0.0);
  solution.reducedCosts.assign(lp.columns(), 0.0);
  solution.rowActivity.assign(lp.rows(), 0.0);
  solution.rowDuals.assign(lp.rows(), 0.0);
}

void expectFields(LineSource const& source, MpsFields const& fields, int count) {
  if (fields.count() < count) source.fail(fields[fields.count()], "more fields");
  if (fields.count() > count) source.fail(fields[count], "the end of the line");
}

VariableStatus glpsolStatus(LineSource const& source, std::string_view word) {
  if (word.size() != 1 || std::string_view("blufs").find(word[0]) == word.npos)
    source.fail(word, "b, l, u, f or s");
  return glpsolLetters.statusOf(word[0], VariableStatus::atLower);
}

/// "s bas ROWS COLUMNS PRIMAL DUAL OBJECTIVE"
void glpsolHeader(LineSource const& source, MpsFields const& fields, LinearProgram const& lp,
                  Solution& solution) {
  if (fields[1] != "bas") source.fail(fields[1], "bas, a basic solution");
  expectFields(source, fields, 7);
  std::string const rows = std::to_string(lp.rows());
  std::string const columns = std::to_string(lp.columns());
  if (fields[2] != rows) source.fail(fields[2], "the number of rows, " + rows);
  if (fields[3] != columns) source.fail(fields[3], "the number of columns, " + columns);
  std::string_view const primal = fields[4];
  std::string_view const dual = fields[5];
  solution.objective = solutionNumber(source, fields[6]);
  if (primal == "f" && dual == "f") {
    solution.status = Status::optimal;
  } else if (primal == "n") {
    solution.status = Status::infeasible;
  } else if (primal == "f" && dual == "n") {
    solution.status = Status::unbounded;
  } else {
    solution.message = concat("glpsol: primal ", primal, ", dual ", dual);
  }
}

/// "i INDEX STATUS ACTIVITY DUAL" for a row, "j ..." for a column.
void glpsolVariable(LineSource const& source, MpsFields const& fields, LinearProgram const& lp,
                    Solution& solution) {
  bool const isRow = fields[0] == "i";
  expectFields(source, fields, 5);
  int const most = isRow ? lp.rows() : lp.columns();
  int const index = solutionIndex(source, fields[1], most, "an index from 1 on") - 1;
  if (index < 0) source.fail(fields[1], "an index from 1 on");
  auto const side = sideOf(solution, isRow);
  side.statuses[index] = glpsolStatus(source, fields[2]);
  side.values[index] = solutionNumber(source, fields[3]);
  side.duals[index] = solutionNumber(source, fields[4]);
}

/// The parts of a HiGHS file, each begun by a line that says what follows.
struct HighsParser {
  Solution read() {
    makeRoom(solution_, lp_);
    bool hasDuals = false;
    while (source_.next()) {
      std::string_view const line = trimmed(source_.line());
      MpsFields const fields = splitFree(line);
      if (line == "Model status") {
        if (!source_.next()) source_.failAtEnd("a model status");
        statusLine(trimmed(source_.line()));
      } else if (line == "# Primal solution values") {
        part_ = Part::primal;
      } else if (line == "# Dual solution values") {
        part_ = Part::dual;
      } else if (line.starts_with("HiGHS")) {
        part_ = Part::basis;
        hasNames_ = !line.ends_with("v1");
      } else if (line == "Valid") {
        solution_.basis.columns.assign(lp_.columns(), VariableStatus::atLower);
        solution_.basis.rows.assign(lp_.rows(), VariableStatus::basic);
      } else if (fields.count() == 2 && fields[0] == "Objective") {
        solution_.objective = solutionNumber(source_, fields[1]);
      } else if (fields.count() == 3 && fields[0] == "#" && fields[1] == "Columns") {
        hasDuals |= part_ == Part::dual;
        if (part_ == Part::basis && solution_.basis.empty() && lp_.rows() + lp_.columns() > 0)
          source_.fail(line, "Valid, before the statuses of a basis");
        block(false, fields[2]);
      } else if (fields.count() == 3 && fields[0] == "#" && fields[1] == "Rows") {
        if (part_ == Part::basis && std::ssize(solution_.basis.rows) != lp_.rows())
          source_.fail(line, "Valid, before the statuses of a basis");
        block(true, fields[2]);
      }
      // What is left is prose: Feasible, None, # Basis.
    }
    if (!hasDuals) {
      solution_.rowDuals.clear();
      solution_.reducedCosts.clear();
    }
    return std::move(solution_);
  }

  enum class Part { none, primal, dual, basis };

  void statusLine(std::string_view words) {
    constexpr std::pair<std::string_view, Status> known[] = {
        {"Optimal", Status::optimal},
        {"Infeasible", Status::infeasible},
        {"Unbounded", Status::unbounded},
        {"Time limit reached", Status::timeLimit},
        {"Iteration limit reached", Status::iterationLimit}};
    for (auto const& [text, status] : known)
      if (words == text) {
        solution_.status = status;
        return;
      }
    solution_.message = "HiGHS: " + std::string(words);
  }

  void block(bool isRows, std::string_view word) {
    int const count = names_.count(word, isRows, true);
    if (part_ == Part::none) source_.fail(word, "a heading before the values");
    if (part_ == Part::basis && !hasNames_) return unnamedStatuses(isRows, count);
    for (int k = 0; k < count; ++k) {
      if (!source_.next()) source_.failAtEnd("a name and a number");
      value(isRows, k);
    }
  }

  /// "NAME VALUE": the name may hold blanks.
  void value(bool isRows, int position) {
    std::string_view const line = trimmed(source_.line());
    std::size_t const blank = line.find_last_of(" \t");
    if (blank == line.npos) source_.fail(line, "a name and a number");
    std::string_view const name = trimmed(line.substr(0, blank));
    set(isRows, names_.index(name, isRows, position), line.substr(blank + 1));
  }

  void set(bool isRows, int index, std::string_view word) {
    auto const side = sideOf(solution_, isRows);
    if (part_ == Part::basis) {
      static constexpr std::array statuses{VariableStatus::atLower, VariableStatus::basic,
                                           VariableStatus::atUpper, VariableStatus::free,
                                           VariableStatus::atLower};
      int const code = solutionIndex(source_, word, 4, "a status from 0 to 4");
      double const lower = isRows ? lp_.rowLower[index] : lp_.columnLower[index];
      double const upper = isRows ? lp_.rowUpper[index] : lp_.columnUpper[index];
      side.statuses[index] = restingPlace(statuses[code], lower, upper);
      return;
    }
    (part_ == Part::primal ? side.values : side.duals)[index] = solutionNumber(source_, word);
  }

  /// Version 1 of the basis: all statuses in one line.
  void unnamedStatuses(bool isRows, int count) {
    if (count == 0) return;
    if (!source_.next()) source_.failAtEnd("a line of statuses");
    std::string_view rest = source_.line();
    for (int k = 0; k < count; ++k) {
      MpsFields const fields = splitFree(rest);
      set(isRows, k, fields[0]);
      rest.remove_prefix(at(fields[0].data() + fields[0].size() - rest.data()));
    }
    if (!trimmed(rest).empty()) source_.fail(trimmed(rest), "the end of the line");
  }

  LineSource& source_;
  LinearProgram const& lp_;
  ModelNames names_{source_, lp_};
  Solution solution_ = {};
  Part part_ = Part::none;
  bool hasNames_ = true;
};

}  // namespace

Solution readGlpsolSolution(LineSource& source, LinearProgram const& lp) {
  Solution solution;
  makeRoom(solution, lp);
  solution.basis.columns.assign(lp.columns(), VariableStatus::atLower);
  solution.basis.rows.assign(lp.rows(), VariableStatus::basic);
  bool hasHeader = false;
  while (source.next()) {
    MpsFields const fields = splitFree(source.line());
    if (fields.count() == 0 || fields[0] == "c") continue;
    if (fields[0] == "e") return solution;
    if (fields[0] == "s" && !hasHeader) {
      glpsolHeader(source, fields, lp, solution);
      hasHeader = true;
    } else if (hasHeader && (fields[0] == "i" || fields[0] == "j")) {
      glpsolVariable(source, fields, lp, solution);
    } else {
      source.fail(fields[0], hasHeader ? "i, j or e" : "s, the line of the status");
    }
  }
  source.failAtEnd("e o f");
}

Solution readHighsSolution(LineSource& source, LinearProgram const& lp) {
  return HighsParser{source, lp}.read();
}

/// "STATUS - objective value NUMBER", then "[**] INDEX NAME VALUE DUAL" for rows and columns; which
/// of the two a line speaks of only its name says. Those at zero may be left out.
Solution readClpSolution(LineSource& source, LinearProgram const& lp) {
  Solution solution;
  makeRoom(solution, lp);
  ModelNames const names(source, lp);
  if (!source.next()) source.failAtEnd("a status");
  std::string_view const heading = trimmed(source.line());
  if (heading.starts_with("Optimal") || heading.starts_with("optimal")) {
    solution.status = Status::optimal;
  } else if (heading.starts_with("Infeasible") || heading.starts_with("infeasible")) {
    solution.status = Status::infeasible;
  } else if (heading.starts_with("Unbounded") || heading.starts_with("unbounded")) {
    solution.status = Status::unbounded;
  } else if (heading.starts_with("Stopped") || heading.starts_with("stopped")) {
    solution.message = "Clp: " + std::string(heading);
  } else {
    source.fail(heading, "a solution file of osi-cuda, Clp, glpsol, Gurobi, HiGHS or SCIP");
  }
  constexpr std::string_view mark = "objective value";
  std::size_t const place = heading.find(mark);
  if (place != heading.npos)
    solution.objective = solutionNumber(source, trimmed(heading.substr(place + mark.size())));
  while (source.next()) {
    MpsFields const fields = splitFree(source.line());
    if (fields.count() == 0) continue;
    int const first = fields[0] == "**" ? 1 : 0;
    if (fields.count() < first + 4)
      source.fail(fields[fields.count()], "an index, a name, a value and a dual value");
    std::string_view const name = fields[first + 1];
    double const value = solutionNumber(source, fields[first + 2]);
    double const dual = solutionNumber(source, fields[first + 3]);
    int const column = names.find(name, false, 0), row = names.find(name, true, 0);
    bool const isRow = column == NameTable::absent;
    if (isRow && row == NameTable::absent) source.fail(name, "the name of a column or row");
    auto const side = sideOf(solution, isRow);
    side.values[isRow ? row : column] = value;
    side.duals[isRow ? row : column] = dual;
  }
  return solution;
}

/// "NAME VALUE", at SCIP with the cost behind it; before them comments or "WHAT value: NUMBER".
Solution readNamedValues(LineSource& source, LinearProgram const& lp) {
  Solution solution;
  solution.columnValues.assign(lp.columns(), 0.0);
  ModelNames const names(source, lp);
  while (source.next()) {
    MpsFields const fields = splitFree(source.line());
    bool const isHeading =
        fields.count() == 0 || fields[0].starts_with("#") || fields[1] == "status:";
    if (isHeading) continue;
    if (fields[0] == "objective" && fields[1] == "value:") {
      solution.objective = solutionNumber(source, fields[2]);
      continue;
    }
    int const column = names.index(fields[0], false, 0);
    solution.columnValues[column] = solutionNumber(source, fields[1]);
  }
  return solution;
}

}  // namespace osi_cuda::readers
