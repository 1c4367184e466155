// SPDX-License-Identifier: EPL-2.0
#include "cli/solution_files.hpp"

#include <cmath>

#include "cli/output_file.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

char const* statusName(VariableStatus status) {
  switch (status) {
    case VariableStatus::basic:
      return "basic";
    case VariableStatus::atLower:
      return "at_lower";
    case VariableStatus::atUpper:
      return "at_upper";
    case VariableStatus::free:
      break;
  }
  return "free";
}

/// Entry i of a vector that may be shorter: a solve that ended early has no values.
Json entry(std::vector<double> const& values, std::size_t i) {
  return i < values.size() && std::isfinite(values[i]) ? Json(values[i]) : Json(nullptr);
}

Json status(std::vector<VariableStatus> const& statuses, std::size_t i) {
  return i < statuses.size() ? Json(statusName(statuses[i])) : Json(nullptr);
}

}  // namespace

nlohmann::ordered_json solutionJson(Result const& result) {
  LinearProgram const& lp = *result.problem;
  Solution const& solution = result.solution;
  Json columns = Json::array();
  for (int j = 0; j < lp.columns(); ++j) {
    auto const at = static_cast<std::size_t>(j);
    columns.push_back({{"name", lp.columnName(j)},
                       {"value", entry(solution.columnValues, at)},
                       {"reduced_cost", entry(solution.reducedCosts, at)},
                       {"status", status(solution.basis.columns, at)}});
  }
  Json rows = Json::array();
  for (int i = 0; i < lp.rows(); ++i) {
    auto const at = static_cast<std::size_t>(i);
    rows.push_back({{"name", lp.rowName(i)},
                    {"value", entry(solution.rowActivity, at)},
                    {"dual", entry(solution.rowDuals, at)},
                    {"status", status(solution.basis.rows, at)}});
  }
  Json json = toJson(result);
  json["solution"] = {{"columns", columns}, {"rows", rows}};
  return json;
}

void writeSolutionFile(std::string const& path, Result const& result) {
  writeTextFile(path, toText(solutionJson(result)) + "\n");
}

}  // namespace osi_cuda::cli
