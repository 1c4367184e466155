// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "readers/name_index.hpp"
#include "readers/read_error.hpp"
#include "readers/solution_text.hpp"

namespace osi_cuda::readers {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers of all columns or rows by the key that each entry has them under; empty: none has.
struct Part {
  char const* key;
  std::vector<double> const& numbers;
};

/// JSON knows no infinity; such numbers become null.
Json side(std::vector<Part> const& parts, std::vector<VariableStatus> const& statuses, int count,
          auto const& nameOf) {
  Json list = Json::array();
  bool const isEmpty = statuses.empty() && std::ranges::all_of(parts, [](Part const& part) {
                         return part.numbers.empty();
                       });
  for (int k = 0; k < count && !isEmpty; ++k) {
    Json entry = {{"name", nameOf(k)}};
    for (Part const& part : parts)
      if (!part.numbers.empty()) entry[part.key] = part.numbers[static_cast<std::size_t>(k)];
    if (!statuses.empty()) entry["status"] = toString(statuses[static_cast<std::size_t>(k)]);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

void writeSolutionJson(Output& out, LinearProgram const& lp, Solution const& solution) {
  auto const columnName = [&lp](int j) { return lp.columnName(j); };
  auto const rowName = [&lp](int i) { return lp.rowName(i); };
  Json json = {{"status", osi_cuda::toString(solution.status)}};
  if (!solution.message.empty()) json["message"] = solution.message;
  json["objective"] = solution.objective;
  if (solution.status == Status::optimal || solution.status == Status::interior) {
    json["objective_lower"] = solution.objectiveEnclosure.lower;
    json["objective_upper"] = solution.objectiveEnclosure.upper;
    json["objective_error"] = solution.objectiveEnclosure.errorOf(solution.objective);
  }
  json["columns"] = side({{"value", solution.columnValues},
                          {"value_low", solution.columnValuesLow},
                          {"reduced_cost", solution.reducedCosts}},
                         solution.basis.columns, lp.columns(), columnName);
  json["rows"] = side({{"activity", solution.rowActivity},
                       {"dual", solution.rowDuals},
                       {"dual_low", solution.rowDualsLow}},
                      solution.basis.rows, lp.rows(), rowName);
  if (!solution.farkas.empty())
    json["farkas"] = side({{"value", solution.farkas}, {"value_low", solution.farkasLow}}, {},
                          lp.rows(), rowName);
  if (!solution.ray.empty())
    json["ray"] = side({{"value", solution.ray}, {"value_low", solution.rayLow}}, {}, lp.columns(),
                       columnName);
  // Names that are no UTF-8 are written with replacement characters rather than not at all.
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
}

namespace {

/// Takes a parsed object apart. Faults are reported at the end of the file, since JSON has been
/// read as a whole by then; the message names the place by its key.
class JsonSolution {
 public:
  JsonSolution(LineSource const& source, LinearProgram const& lp)
      : source_(source),
        lp_(lp),
        columns_(lp.columns(), [&lp](int j) { return lp.columnName(j); }),
        rows_(lp.rows(), [&lp](int i) { return lp.rowName(i); }) {}

  Solution read(Json const& json) {
    if (!json.is_object()) fail("an object", "another value");
    if (!parseStatus(text(json, "status"), solution_.status)) fail("a status", "another word");
    if (json.contains("message")) solution_.message = text(json, "message");
    if (json.contains("objective") && !json["objective"].is_null())
      solution_.objective = number(json["objective"]);
    if (json.contains("objective_lower"))
      solution_.objectiveEnclosure.lower =
          json["objective_lower"].is_null() ? -infinity : number(json["objective_lower"]);
    if (json.contains("objective_upper"))
      solution_.objectiveEnclosure.upper = number(json["objective_upper"]);
    list(json, "columns", false, [this](int j, Json const& entry) {
      set(solution_.columnValues, lp_.columns(), j, entry, "value");
      set(solution_.columnValuesLow, lp_.columns(), j, entry, "value_low");
      set(solution_.reducedCosts, lp_.columns(), j, entry, "reduced_cost");
      setStatus(solution_.basis.columns, lp_.columns(), j, entry);
    });
    list(json, "rows", true, [this](int i, Json const& entry) {
      set(solution_.rowActivity, lp_.rows(), i, entry, "activity");
      set(solution_.rowDuals, lp_.rows(), i, entry, "dual");
      set(solution_.rowDualsLow, lp_.rows(), i, entry, "dual_low");
      setStatus(solution_.basis.rows, lp_.rows(), i, entry);
    });
    list(json, "farkas", true, [this](int i, Json const& entry) {
      set(solution_.farkas, lp_.rows(), i, entry, "value");
      set(solution_.farkasLow, lp_.rows(), i, entry, "value_low");
    });
    list(json, "ray", false, [this](int j, Json const& entry) {
      set(solution_.ray, lp_.columns(), j, entry, "value");
      set(solution_.rayLow, lp_.columns(), j, entry, "value_low");
    });
    return std::move(solution_);
  }

 private:
  [[noreturn]] void fail(std::string expected, std::string found) const {
    source_.fail(source_.line().data() + source_.line().size(), std::move(expected),
                 std::move(found));
  }

  std::string text(Json const& object, char const* key) const {
    if (!object.contains(key) || !object[key].is_string()) {
      fail(std::string("a text for the key ") + key, "none");
    }
    return object[key].get<std::string>();
  }

  double number(Json const& value) const {
    if (value.is_null()) return infinity;
    if (!value.is_number()) fail("a number", "another value");
    return value.get<double>();
  }

  void set(std::vector<double>& numbers, int size, int index, Json const& entry,
           char const* key) const {
    if (!entry.contains(key)) return;
    if (numbers.empty()) numbers.assign(size, 0.0);
    numbers[index] = number(entry[key]);
  }

  void setStatus(std::vector<VariableStatus>& statuses, int size, int index,
                 Json const& entry) const {
    if (!entry.contains("status")) return;
    if (statuses.empty()) statuses.assign(size, VariableStatus::atLower);
    if (!parseStatus(text(entry, "status"), statuses[index])) {
      fail("a status lower, upper, free or basic", "another word");
    }
  }

  void list(Json const& json, char const* key, bool isRows, auto const& apply) const {
    if (!json.contains(key)) return;
    if (!json[key].is_array()) fail(std::string("a list for the key ") + key, "another value");
    int position = 0;
    int const size = isRows ? lp_.rows() : lp_.columns();
    for (Json const& entry : json[key]) {
      if (!entry.is_object()) fail("an object for each row and column", "another value");
      std::string const name = text(entry, "name");
      // By position where the names agree: names need not be unique.
      bool const inOrder =
          position < size && name == (isRows ? lp_.rowName(position) : lp_.columnName(position));
      int const index = inOrder ? position : (isRows ? rows_ : columns_).find(name);
      if (index == NameIndex::absent) {
        fail(isRows ? "the name of a row" : "the name of a column", readers::quoted(name));
      }
      apply(index, entry);
      ++position;
    }
  }

  LineSource const& source_;
  LinearProgram const& lp_;
  NameIndex columns_;
  NameIndex rows_;
  Solution solution_;
};

}  // namespace

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
  return JsonSolution(source, lp).read(json);
}

}  // namespace osi_cuda::readers
