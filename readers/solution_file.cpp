// SPDX-License-Identifier: EPL-2.0
#include "readers/solution_file.hpp"

#include "readers/formats.hpp"
#include "readers/input.hpp"
#include "readers/npz_arrays.hpp"
#include "readers/output.hpp"
#include "readers/solution_text.hpp"

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

}  // namespace osi_cuda::readers
