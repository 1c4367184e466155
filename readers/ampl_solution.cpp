// SPDX-License-Identifier: EPL-2.0
#include "osi_cuda/model/status_codes.hpp"
#include "readers/nl_reader.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "readers/output.hpp"

namespace osi_cuda::readers {
namespace {

// Kinds of suffixes.
constexpr int ofVariables = 0;
constexpr int ofConstraints = 1;
constexpr int isReal = 4;  // added

int amplStatus(VariableStatus status, double lower, double upper) {
  constexpr StatusCodes<int> codes{3, 4, 6, 1};
  constexpr int fixed = 5;
  bool const isAtBound = status == VariableStatus::atLower || status == VariableStatus::atUpper;
  return isAtBound && lower == upper ? fixed : codes.of(status);
}

/// Without a table of words for the values: AMPL knows those of sstatus, and a reader of Pyomo
/// takes the table for values.
void beginSuffix(Output& out, int kind, std::size_t values, std::string_view name) {
  // The length counts the zero at the end of C's strings.
  out << "suffix " << kind << ' ' << static_cast<int>(values) << ' '
      << static_cast<int>(name.size()) + 1 << " 0 0\n"
      << name << '\n';
}

void writeStatuses(Output& out, int kind, std::vector<VariableStatus> const& statuses,
                   std::vector<double> const& lower, std::vector<double> const& upper) {
  if (statuses.empty()) return;
  beginSuffix(out, kind, statuses.size(), "sstatus");
  for (std::size_t k = 0; k < statuses.size(); ++k)
    out << static_cast<int>(k) << ' ' << amplStatus(statuses[k], lower[k], upper[k]) << '\n';
}

void writeNumbers(Output& out, int kind, std::string_view name, std::vector<double> const& values) {
  auto const count = std::ranges::count_if(values, [](double value) { return value != 0.0; });
  if (count == 0) return;
  beginSuffix(out, kind | isReal, at(count), name);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != 0.0) out << static_cast<int>(k) << ' ' << values[k] << '\n';
}

}  // namespace

int amplResult(Status status) {
  constexpr std::pair<Status, int> results[] = {
      {Status::optimal, 0},          {Status::interior, 0},     {Status::infeasible, 200},
      {Status::unbounded, 300},      {Status::timeLimit, 400},  {Status::iterationLimit, 401},
      {Status::objectiveLimit, 402}, {Status::interrupted, 403}};
  for (auto const& [known, result] : results)
    if (status == known) return result;
  return 500;  // numerical
}

std::string amplSolutionText(NlHeader const& header, LinearProgram const& lp,
                             Solution const& solution, std::string const& message, int objective) {
  Output out;
  out << message << "\n\nOptions\n";
  constexpr int toleranceFollows = 3;  // as the second option of a .nl file
  bool const hasTolerance = header.options.size() > 1 && header.options[1] == toleranceFollows;
  out << static_cast<int>(header.options.size()) + (hasTolerance ? 2 : 0) << '\n';
  for (int const option : header.options) out << option << '\n';
  auto const& duals = solution.rowDuals;
  auto const& values = solution.columnValues;
  out << lp.rows() << '\n' << static_cast<int>(duals.size()) << '\n';
  out << lp.columns() << '\n' << static_cast<int>(values.size()) << '\n';
  if (hasTolerance) out << header.boundTolerance << '\n';
  for (double const dual : duals) out << dual << '\n';
  for (double const value : values) out << value << '\n';
  out << "objno " << objective - 1 << ' ' << amplResult(solution.status) << '\n';
  writeStatuses(out, ofVariables, solution.basis.columns, lp.columnLower, lp.columnUpper);
  writeStatuses(out, ofConstraints, solution.basis.rows, lp.rowLower, lp.rowUpper);
  writeNumbers(out, ofConstraints, "dunbdd", solution.farkas);
  writeNumbers(out, ofVariables, "unbdd", solution.ray);
  return out.text();
}

}  // namespace osi_cuda::readers
