// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "osi_cuda/model/linear_program.hpp"
#include "osi_cuda/model/solution.hpp"
#include "osi_cuda/model/start_point.hpp"
#include "osi_cuda/model/status_codes.hpp"
#include "readers/line_source.hpp"
#include "readers/output.hpp"
#include "readers/read_error.hpp"

namespace osi_cuda::readers {

enum class SolutionFormat {
  text,   ///< .sol: a line each for status, objective, columns and rows; docs/reference/formats.md
  json,   ///< .json: the same as one object
  glpsol  ///< .glpsol: what glpsol writes with -w, and starts from with --ini
};

/// By the ending; .sol and all others are text.
SolutionFormat solutionFormatForName(std::string const& path);

/// Writes status, objective, values, duals, basis and certificates as far as `solution` has them.
/// `path`, whose ending says the format, may be `-`. Throws WriteError.
void writeSolution(std::string const& path, LinearProgram const& lp, Solution const& solution);
std::string writeSolutionText(LinearProgram const& lp, Solution const& solution,
                              SolutionFormat format);

/// Reads a solution of `lp`: text or JSON as above (everything that was written comes back), or
/// what glpsol (-w), HiGHS (style raw), Clp (-solution), Gurobi (.sol) or SCIP (write solution)
/// write, told apart by content. Statuses of theirs that are none of ours become numerical, with
/// their words as message. Parts that a file does not have are empty. Throws OpenError, ReadError.
Solution readSolution(std::string const& path, LinearProgram const& lp);
Solution readSolutionText(std::string_view text, std::string const& name, LinearProgram const& lp);

/// A point to start from: columnValues and rowDuals of a solution file, or the arrays x and y of a
/// NumPy archive, one of which may be missing. Throws OpenError, ReadError.
StartPoint readStart(std::string const& path, LinearProgram const& lp);

/// Is the source at the beginning of a file of glpsol or HiGHS?
bool isSolutionOfOthers(LineSource& source);
Solution readSolutionFrom(LineSource& source, LinearProgram const& lp);

inline constexpr char const* solutionHeading = "osi-cuda solution 1";

/// A vector of a solution, a number for each column or row, and what files call it.
struct SolutionVector {
  char const* heading;  ///< in text; null: it stands in the lists `columns` and `rows`
  char const* list;     ///< in JSON: of objects, one for each column or row,
  char const* key;      ///< and the numbers' key there
  std::vector<double> Solution::*numbers;
  bool isOfRows;
};
inline constexpr SolutionVector solutionVectors[] = {
    {nullptr, "columns", "value", &Solution::columnValues, false},
    {"column_values_low", "columns", "value_low", &Solution::columnValuesLow, false},
    {nullptr, "columns", "reduced_cost", &Solution::reducedCosts, false},
    {nullptr, "rows", "activity", &Solution::rowActivity, true},
    {nullptr, "rows", "dual", &Solution::rowDuals, true},
    {"row_duals_low", "rows", "dual_low", &Solution::rowDualsLow, true},
    {"farkas", "farkas", "value", &Solution::farkas, true},
    {"farkas_low", "farkas", "value_low", &Solution::farkasLow, true},
    {"ray", "ray", "value", &Solution::ray, false},
    {"ray_low", "ray", "value_low", &Solution::rayLow, false}};

/// What a solution says of its rows, or of its columns.
template <class Numbers, class Statuses>
struct SolutionSide {
  Numbers &values, &duals;
  Statuses& statuses;
};
auto sideOf(auto& solution, bool isRows) {
  return isRows
             ? SolutionSide{solution.rowActivity, solution.rowDuals, solution.basis.rows}
             : SolutionSide{solution.columnValues, solution.reducedCosts, solution.basis.columns};
}

/// The letters of glpsol; a variable whose bounds are equal has an s there.
inline constexpr StatusCodes<char> glpsolLetters{'l', 'u', 'f', 'b'};

/// The project's own text format; docs/reference/formats.md describes it.
void writeSolutionLines(Output& out, LinearProgram const& lp, Solution const& solution);
Solution readSolutionLines(LineSource& source, LinearProgram const& lp);

/// The same as a JSON object.
void writeSolutionJson(Output& out, LinearProgram const& lp, Solution const& solution);
Solution readSolutionJson(LineSource& source, LinearProgram const& lp);

/// "lower", "upper", "free", "basic".
char const* toString(VariableStatus status);
/// What the words of a file mean; nothing if they mean nothing.
template <class Kind>  // Status or VariableStatus
bool parseStatus(std::string_view word, Kind& status);

/// Solution files of other programs, from their first line on. All throw ReadError.
Solution readGlpsolSolution(LineSource& source, LinearProgram const& lp);
Solution readHighsSolution(LineSource& source, LinearProgram const& lp);
Solution readClpSolution(LineSource& source, LinearProgram const& lp);
/// Gurobi's and SCIP's: a line each for columns, those at zero may be left out; nothing of rows.
Solution readNamedValues(LineSource& source, LinearProgram const& lp);

/// The number that is the whole of `word`; infinities are allowed. Throws ReadError.
double solutionNumber(LineSource const& source, std::string_view word);

/// The non-negative integer that is the whole of `word`, at most `most`. Throws ReadError that says
/// `expected`.
int solutionIndex(LineSource const& source, std::string_view word, int most,
                  std::string const& expected);

}  // namespace osi_cuda::readers
