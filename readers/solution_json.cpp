// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "readers/name_table.hpp"
#include "readers/read_error.hpp"
#include "readers/solution_file.hpp"

namespace osi_cuda::readers {
namespace {

using Json = nlohmann::ordered_json;

/// A list of objects, one for each column or row; empty where the solution has nothing to say. JSON
/// knows no infinity; such numbers become null.
Json listOf(char const* key, LinearProgram const& lp, Solution const& solution,
            std::vector<VariableStatus> const& statuses) {
  Json list = Json::array();
  auto const put = [&](int k, bool isOfRows, char const* name, Json value) {
    if (list.empty())
      for (int i = 0; i < (isOfRows ? lp.rows() : lp.columns()); ++i)
        list.push_back({{"name", isOfRows ? lp.rowName(i) : lp.columnName(i)}});
    list[at(k)][name] = std::move(value);
  };
  bool isOfRows = false;
  for (SolutionVector const& vector : solutionVectors) {
    if (std::string_view(vector.list) != key) continue;
    isOfRows = vector.isOfRows;
    std::vector<double> const& numbers = solution.*vector.numbers;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      put(static_cast<int>(k), isOfRows, vector.key, numbers[k]);
  }
  for (std::size_t k = 0; k < statuses.size(); ++k)
    put(static_cast<int>(k), isOfRows, "status", toString(statuses[k]));
  return list;
}

/// Takes a parsed object apart. Faults are reported at the end of the file, since JSON has been
/// read as a whole by then; the message names the place by its key.
struct JsonSolution {
  Solution read(Json const& json) {
    if (!json.is_object()) fail("an object", "another value");
    if (!parseStatus(text(json, "status"), solution_.status)) fail("a status", "another word");
    if (json.contains("message")) solution_.message = text(json, "message");
    for (auto const& [key, count] : relaxedCounts)
      if (json.contains(key))
        solution_.relaxed.*count =
            static_cast<int>(std::clamp(number(json[key]), 0.0, double(names_.size(false))));
    if (json.contains("objective") && !json["objective"].is_null())
      solution_.objective = number(json["objective"]);
    if (json.contains("objective_lower"))
      solution_.objectiveEnclosure.lower =
          json["objective_lower"].is_null() ? -infinity : number(json["objective_lower"]);
    if (json.contains("objective_upper"))
      solution_.objectiveEnclosure.upper = number(json["objective_upper"]);
    list(json, "columns", false, &solution_.basis.columns);
    list(json, "rows", true, &solution_.basis.rows);
    list(json, "farkas", true, nullptr);
    list(json, "ray", false, nullptr);
    return std::move(solution_);
  }

  [[noreturn]] void fail(std::string expected, std::string found) const {
    source_.fail(source_.line().data() + source_.line().size(), std::move(expected),
                 std::move(found));
  }

  std::string text(Json const& object, char const* key) const {
    if (!object.contains(key) || !object[key].is_string())
      fail(std::string("a text for the key ") + key, "none");
    return object[key].get<std::string>();
  }

  double number(Json const& value) const {
    if (value.is_null()) return infinity;
    if (!value.is_number()) fail("a number", "another value");
    return value.get<double>();
  }

  void setStatus(std::vector<VariableStatus>& statuses, int size, int index,
                 Json const& entry) const {
    if (!entry.contains("status")) return;
    if (statuses.empty()) statuses.assign(size, VariableStatus::atLower);
    if (!parseStatus(text(entry, "status"), statuses[index]))
      fail("a status lower, upper, free or basic", "another word");
  }

  void list(Json const& json, char const* key, bool isRows, std::vector<VariableStatus>* statuses) {
    if (!json.contains(key)) return;
    if (!json[key].is_array()) fail(std::string("a list for the key ") + key, "another value");
    int position = 0;
    int const size = names_.size(isRows);
    for (Json const& entry : json[key]) {
      if (!entry.is_object()) fail("an object for each row and column", "another value");
      std::string const name = text(entry, "name");
      // By position where the names agree: names need not be unique.
      int const index = names_.find(name, isRows, position++);
      if (index == NameTable::absent)
        fail(isRows ? "the name of a row" : "the name of a column", readers::quoted(name));
      for (SolutionVector const& vector : solutionVectors) {
        if (std::string_view(vector.list) != key || !entry.contains(vector.key)) continue;
        std::vector<double>& numbers = solution_.*vector.numbers;
        if (numbers.empty()) numbers.assign(size, 0.0);
        numbers[index] = number(entry[vector.key]);
      }
      if (statuses) setStatus(*statuses, size, index, entry);
    }
  }

  LineSource const& source_;
  LinearProgram const& lp_;
  ModelNames names_{source_, lp_};
  Solution solution_ = {};
};

}  // namespace

void writeSolutionJson(Output& out, LinearProgram const& lp, Solution const& solution) {
  Json json = {{"status", osi_cuda::toString(solution.status)}};
  if (!solution.message.empty()) json["message"] = solution.message;
  for (auto const& [key, count] : relaxedCounts)
    if (solution.relaxed.*count > 0) json[key] = solution.relaxed.*count;
  json["objective"] = solution.objective;
  if (solution.status == Status::optimal || solution.status == Status::interior) {
    json["objective_lower"] = solution.objectiveEnclosure.lower;
    json["objective_upper"] = solution.objectiveEnclosure.upper;
    json["objective_error"] = solution.objectiveEnclosure.errorOf(solution.objective);
  }
  json["columns"] = listOf("columns", lp, solution, solution.basis.columns);
  json["rows"] = listOf("rows", lp, solution, solution.basis.rows);
  if (!solution.farkas.empty()) json["farkas"] = listOf("farkas", lp, solution, {});
  if (!solution.ray.empty()) json["ray"] = listOf("ray", lp, solution, {});
  // Names that are no UTF-8 are written with replacement characters rather than not at all.
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

Solution readSolutionJson(LineSource& source, LinearProgram const& lp) {
  std::string text;
  while (source.next()) {
    text += source.line();
    text += '\n';
  }
  Json json;
  try {
    json = Json::parse(text);
  } catch (nlohmann::json::parse_error const& error) {
    std::size_t const place = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    auto const line = std::count(text.begin(), text.begin() + static_cast<long>(place), '\n');
    std::size_t const lineStart = place == 0 ? 0 : text.rfind('\n', place - 1) + 1;
    throw ReadError(source.name(), line + 1, static_cast<std::int64_t>(place - lineStart) + 1,
                    "valid JSON",
                    place + 1 >= text.size() ? "the end of the file"
                                             : readers::quoted({text.data() + place, 1}));
  } catch (nlohmann::json::exception const&) {
    source.failAtEnd("JSON with numbers that fit a double");
  }
  return JsonSolution{source, lp}.read(json);
}

}  // namespace osi_cuda::readers
