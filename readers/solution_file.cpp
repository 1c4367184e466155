// SPDX-License-Identifier: EPL-2.0
#include "readers/solution_file.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/name_table.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

namespace {

void checkLengths(LinearProgram const& lp, Solution const& solution) {
  auto const fits = [](auto const& part, int size) {
    return part.empty() || std::ssize(part) == size;
  };
  bool allFit = fits(solution.basis.columns, lp.columns()) && fits(solution.basis.rows, lp.rows());
  for (SolutionVector const& vector : solutionVectors)
    allFit &= fits(solution.*vector.numbers, vector.isOfRows ? lp.rows() : lp.columns());
  if (!allFit) throw WriteError("a solution that does not belong to the model can't be written");
}

char glpsolLetter(VariableStatus status, double lower, double upper) {
  bool const isAtBound = status == VariableStatus::atLower || status == VariableStatus::atUpper;
  return isAtBound && lower == upper ? 's' : glpsolLetters.of(status);
}

void writeGlpsol(Output& out, LinearProgram const& lp, Solution const& solution) {
  if (std::ssize(solution.basis.columns) != lp.columns() ||
      std::ssize(solution.basis.rows) != lp.rows())
    throw WriteError("the format of glpsol needs a basis");
  char const* const ends = solution.status == Status::optimal      ? "f f "  // primal, dual
                           : solution.status == Status::infeasible ? "n u "
                           : solution.status == Status::unbounded  ? "f n "
                                                                   : "u u ";
  auto const number = [](std::vector<double> const& numbers, int k) {
    return numbers.empty() ? 0.0 : numbers[k];
  };
  out << "s bas " << lp.rows() << ' ' << lp.columns() << ' ' << ends << solution.objective << '\n';
  for (auto const& [key, count] : relaxedCounts)
    if (solution.relaxed.*count > 0) out << "c " << key << ' ' << solution.relaxed.*count << '\n';
  for (bool const isRows : {true, false}) {
    auto const [values, duals, statuses] = sideOf(solution, isRows);
    auto const& lower = isRows ? lp.rowLower : lp.columnLower;
    auto const& upper = isRows ? lp.rowUpper : lp.columnUpper;
    for (int k = 0; k < std::ssize(statuses); ++k)
      out << (isRows ? "i " : "j ") << k + 1 << ' ' << glpsolLetter(statuses[k], lower[k], upper[k])
          << ' ' << number(values, k) << ' ' << number(duals, k) << '\n';
  }
  out << "e o f\n";
}

StartPoint startOfArchive(RandomAccess const& file, std::string const& name) {
  StartPoint start;
  std::string place = "archive", found;
  try {
    for (ZipMember const& member : zipDirectory(file)) {
      place = "array " + member.name;
      found += found.empty() ? member.name : ", " + member.name;
      bool const isX = member.name == "x.npy";
      if (!isX && member.name != "y.npy") continue;
      (isX ? start.x : start.y) = NpzArray(file, member).numbers({});
    }
  } catch (InputFault const& fault) {
    throw ReadError(name, place, fault.expected, fault.found);
  }
  if (start.empty()) throw ReadError(name, "archive", "x.npy, y.npy or both", found);
  return start;
}

}  // namespace

SolutionFormat solutionFormatForName(std::string const& path) {
  if (path.ends_with(".json")) return SolutionFormat::json;
  if (path.ends_with(".glpsol")) return SolutionFormat::glpsol;
  return SolutionFormat::text;
}

std::string writeSolutionText(LinearProgram const& lp, Solution const& solution,
                              SolutionFormat format) {
  checkLengths(lp, solution);
  Output out;
  if (format == SolutionFormat::text) writeSolutionLines(out, lp, solution);
  if (format == SolutionFormat::json) writeSolutionJson(out, lp, solution);
  if (format == SolutionFormat::glpsol) writeGlpsol(out, lp, solution);
  return out.text();
}

void writeSolution(std::string const& path, LinearProgram const& lp, Solution const& solution) {
  writeWhole(path, writeSolutionText(lp, solution, solutionFormatForName(path)));
}

bool isSolutionOfOthers(LineSource& source) {
  std::string_view const start = source.peek(13);
  return start.starts_with("c ") || start.starts_with("s ") || start.starts_with("HiGHS") ||
         start.starts_with("Model status");
}

Solution readSolutionFrom(LineSource& source, LinearProgram const& lp) {
  std::string_view const start = source.peek(64);
  if (start.starts_with(solutionHeading)) return readSolutionLines(source, lp);
  if (start.starts_with("{")) return readSolutionJson(source, lp);
  if (start.starts_with("c ") || start.starts_with("s ")) return readGlpsolSolution(source, lp);
  if (isSolutionOfOthers(source)) return readHighsSolution(source, lp);
  if (start.starts_with("#") || start.starts_with("solution status:") ||
      start.starts_with("objective value:"))
    return readNamedValues(source, lp);
  return readClpSolution(source, lp);
}

Solution readSolution(std::string const& path, LinearProgram const& lp) {
  LineSource source = LineSource::ofFile(path);
  return readSolutionFrom(source, lp);
}

Solution readSolutionText(std::string_view text, std::string const& name, LinearProgram const& lp) {
  LineSource source = LineSource::ofText(text, name);
  return readSolutionFrom(source, lp);
}

StartPoint readStart(std::string const& path, LinearProgram const& lp) {
  StartPoint start;
  if (auto const file = openRandomAccess(path, zipStart)) {
    start = startOfArchive(*file, path);
  } else {
    Solution solution = readSolution(path, lp);
    start = {std::move(solution.columnValues), std::move(solution.rowDuals)};
  }
  std::string const fault = findFault(start, lp);
  if (!fault.empty()) throw ReadError(path, "start", "a point of the problem", fault);
  return start;
}

char const* toString(VariableStatus status) {
  constexpr char const* words[] = {"lower", "upper", "free", "basic"};
  static_assert(std::size(words) == static_cast<std::size_t>(VariableStatus::basic) + 1);
  return words[static_cast<std::size_t>(status)];
}

template <class Kind>
bool parseStatus(std::string_view word, Kind& status) {
  constexpr Kind last =
      std::is_same_v<Kind, Status> ? Kind(int(Status::interior)) : Kind(int(VariableStatus::basic));
  for (int k = 0; k <= int(last); ++k) {
    if (word != toString(Kind(k))) continue;
    status = Kind(k);
    return true;
  }
  return false;
}
template bool parseStatus(std::string_view, Status&);
template bool parseStatus(std::string_view, VariableStatus&);

namespace {

void writeSide(Output& out, LinearProgram const& lp, Solution const& solution, bool isRows) {
  auto const& [values, duals, statuses] = sideOf(solution, isRows);
  if (values.empty() && duals.empty() && statuses.empty()) return;
  auto const number = [](std::vector<double> const& numbers, int k) {
    return numbers.empty() ? "-" : shortest(numbers[k]);
  };
  int const count = isRows ? lp.rows() : lp.columns();
  out << (isRows ? "rows " : "columns ") << count << '\n';
  for (int k = 0; k < count; ++k) {
    out << (statuses.empty() ? "-" : toString(statuses[k])) << ' ' << number(values, k) << ' '
        << number(duals, k) << ' ' << (isRows ? lp.rowName(k) : lp.columnName(k)) << '\n';
  }
}

struct SolutionParser {
  Solution read() {
    source_.next();  // the heading, by which the file was recognised
    while (source_.next()) {
      std::string_view rest = source_.line();
      if (trimmed(rest).empty() || rest[0] == '#') continue;
      std::string_view const keyword = take(rest);
      heading(keyword, rest);
    }
    return std::move(solution_);
  }

  /// The first word of `rest`, which is left with what is behind the blank that ends the word.
  std::string_view take(std::string_view& rest) const {
    std::size_t const end = std::min(rest.find(' '), rest.size());
    std::string_view const word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return word;
  }

  void heading(std::string_view keyword, std::string_view rest) {
    if (keyword == "status") {
      if (!parseStatus(rest, solution_.status)) source_.fail(rest, "a status");
    } else if (keyword == "message") {
      solution_.message = rest;
    } else if (auto const count = std::ranges::find(relaxedCounts, keyword, &RelaxedCount::key);
               count != std::end(relaxedCounts)) {
      solution_.relaxed.*(count->count) =
          solutionIndex(source_, rest, names_.size(false), "a number of columns");
    } else if (keyword == "objective") {
      solution_.objective = solutionNumber(source_, rest);
    } else if (keyword == "objective_lower") {
      solution_.objectiveEnclosure.lower = solutionNumber(source_, rest);
    } else if (keyword == "objective_upper") {
      solution_.objectiveEnclosure.upper = solutionNumber(source_, rest);
    } else if (keyword == "columns" || keyword == "rows") {
      side(names_.count(rest, keyword == "rows"), keyword == "rows");
    } else {
      for (SolutionVector const& vector : solutionVectors)
        if (vector.heading && keyword == vector.heading)
          return certificate(solution_.*vector.numbers, names_.count(rest, vector.isOfRows),
                             vector.isOfRows);
      source_.fail(keyword,
                   "status, message, relaxed_integers, relaxed_semicontinuous, relaxed_sets, "
                   "objective, objective_lower, objective_upper, columns, rows, "
                   "column_values_low, row_duals_low, farkas, farkas_low, ray or ray_low");
    }
  }

  void number(std::vector<double>& numbers, int size, int index, std::string_view word) {
    if (word == "-") return;
    if (numbers.empty()) numbers.assign(size, 0.0);
    numbers[index] = solutionNumber(source_, word);
  }

  void side(int size, bool isRows) {
    auto const [values, duals, statuses] = sideOf(solution_, isRows);
    for (int k = 0; k < size; ++k) {
      if (!source_.next()) source_.failAtEnd("a line for each row and column");
      std::string_view rest = source_.line();
      std::string_view const status = take(rest);
      std::string_view const value = take(rest);
      std::string_view const dual = take(rest);
      int const index = names_.index(rest, isRows, k);
      number(values, size, index, value);
      number(duals, size, index, dual);
      if (status == "-") continue;
      VariableStatus parsed{};
      if (!parseStatus(status, parsed)) source_.fail(status, "lower, upper, free or basic");
      if (statuses.empty()) statuses.assign(size, VariableStatus::atLower);
      statuses[index] = parsed;
    }
  }

  void certificate(std::vector<double>& target, int size, bool isRows) {
    for (int k = 0; k < size; ++k) {
      if (!source_.next()) source_.failAtEnd("a line for each row and column");
      std::string_view rest = source_.line();
      std::string_view const word = take(rest);
      number(target, size, names_.index(rest, isRows, k), word);
    }
  }

  LineSource& source_;
  LinearProgram const& lp_;
  ModelNames names_{source_, lp_};
  Solution solution_ = {};
};

}  // namespace

void writeSolutionLines(Output& out, LinearProgram const& lp, Solution const& solution) {
  out << solutionHeading << '\n';
  out << "status " << osi_cuda::toString(solution.status) << '\n';
  if (!solution.message.empty()) out << "message " << solution.message << '\n';
  for (auto const& [keyword, count] : relaxedCounts)
    if (solution.relaxed.*count > 0) out << keyword << ' ' << solution.relaxed.*count << '\n';
  if (!std::isnan(solution.objective)) out << "objective " << solution.objective << '\n';
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  if (enclosure.lower != -infinity) out << "objective_lower " << enclosure.lower << '\n';
  if (enclosure.upper != infinity) out << "objective_upper " << enclosure.upper << '\n';
  writeSide(out, lp, solution, false);
  writeSide(out, lp, solution, true);
  for (SolutionVector const& vector : solutionVectors) {
    std::vector<double> const& numbers = solution.*vector.numbers;
    if (!vector.heading || numbers.empty()) continue;
    int const count = static_cast<int>(numbers.size());
    out << vector.heading << ' ' << count << '\n';
    for (int k = 0; k < count; ++k)
      out << numbers[k] << ' ' << (vector.isOfRows ? lp.rowName(k) : lp.columnName(k)) << '\n';
  }
}

Solution readSolutionLines(LineSource& source, LinearProgram const& lp) {
  return SolutionParser{source, lp}.read();
}

}  // namespace osi_cuda::readers
