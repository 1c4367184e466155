// SPDX-License-Identifier: EPL-2.0
#include "cli/ranging_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

#include "osi_cuda/model/dense_entries.hpp"
#include "readers/solution_file.hpp"
#include "shell/failure.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One number of the problem with its interval.
struct Item {
  char const* of;      ///< "column" or "row"
  std::string name;    ///< of that column or row
  char const* number;  ///< "cost", "lower", "upper" or "both"
  VariableStatus status;
  double value;  ///< of the column or the row's activity
  Range const& range;
};

using Visit = std::function<void(Item const&)>;

void visitBounds(char const* of, std::string const& name, VariableStatus status, double value,
                 Range const& lower, Range const& upper, Visit const& visit) {
  if (lower.present == upper.present) return visit({of, name, "both", status, value, lower});
  if (std::isfinite(lower.present)) visit({of, name, "lower", status, value, lower});
  if (std::isfinite(upper.present)) visit({of, name, "upper", status, value, upper});
}

/// What the intervals are of, in the order of the files.
enum class Group { costs, rowBounds, columnBounds, rowCosts };
constexpr Group groups[] = {Group::costs, Group::rowBounds, Group::columnBounds, Group::rowCosts};

void visit(Group group, LinearProgram const& lp, Ranging const& all, Visit const& give) {
  bool const rows = group == Group::rowBounds || group == Group::rowCosts;
  auto const& point = all.point;
  std::vector<Range> const& costs = rows ? all.rowCosts : all.costs;
  for (std::size_t k = 0; k < costs.size(); ++k) {
    auto const number = static_cast<int>(k);
    char const* const of = rows ? "row" : "column";
    std::string const name = rows ? lp.rowName(number) : lp.columnName(number);
    VariableStatus const status = (rows ? point.basis.rows : point.basis.columns)[k];
    double const value = (rows ? point.rowActivity : point.columnValues)[k];
    if (group == Group::costs || group == Group::rowCosts) {
      give({of, name, "cost", status, value, costs[k]});
    } else {
      visitBounds(of, name, status, value, (rows ? all.rowLower : all.columnLower)[k],
                  (rows ? all.rowUpper : all.columnUpper)[k], give);
    }
  }
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return fmt::format("{:.{}g}", value == 0.0 ? 0.0 : value, digits);
}

std::string variable(LinearProgram const& lp, int v) {
  return v < 0 ? "" : variableName(lp, v);
}

std::string plural(std::size_t count, char const* one, char const* many) {
  return concat(count, ' ', count == 1 ? one : many);
}

/// What the vertex has to say about all intervals.
std::string degeneracySentence(Ranging const& all) {
  std::string text;
  if (all.degenerate.empty() && all.indifferent.empty())
    return "The vertex is not degenerate, and it is the only optimum.\n";
  if (!all.degenerate.empty())
    text += "The vertex is degenerate: " +
            plural(all.degenerate.size(), "basic variable rests", "basic variables rest") +
            " on a bound. Another basis of the same vertex may have other intervals and prices.\n";
  if (!all.indifferent.empty())
    text += "There may be other optima: " +
            plural(all.indifferent.size(), "nonbasic variable has", "nonbasic variables have") +
            " a reduced cost of zero.\n";
  return text;
}

struct TextWriter {
  std::string write() {
    out_ << "osi-cuda ranging 1\n"
         << "problem    " << (lp_.name.empty() ? "" : lp_.name + ", ") << lp_.rows() << " rows, "
         << lp_.columns() << " columns, " << countNonzeros(lp_.matrix) << " nonzeros\n"
         << "objective  " << number(all_.point.objective, 12)
         << (lp_.sense == Sense::maximize ? " (maximum)" : " (minimum)") << "\n\n"
         << degeneracySentence(all_);
    section("Costs of columns", "column", "cost", Group::costs);
    section("Right-hand sides of rows", "row", "bound", Group::rowBounds);
    section("Bounds of columns", "column", "bound", Group::columnBounds);
    section("Prices on the activity of rows, now 0", "row", "price", Group::rowCosts);
    return out_.str();
  }

  void section(char const* title, char const* of, char const* number, Group group) {
    bool const bounds = std::string(number) == "bound";
    std::vector<std::string> header{of, "status", "value", number};
    if (bounds) header.insert(header.begin() + 3, "side");
    header.push_back(bounds ? "price" : "reduced cost");
    if (bounds) header.insert(header.end(), {"price below", "price above"});
    for (char const* heading : {"end", "objective", bounds ? "" : "next value"})
      if (*heading) header.push_back(heading);
    header.insert(header.end(), {"beyond", "leaves", "enters"});
    shell::TextTable table(header);
    int items = 0;
    visit(group, lp_, all_, [&](Item const& item) {
      lines(table, item, bounds);
      ++items;
    });
    out_ << '\n' << title << '\n';
    if (items > 0) {
      out_ << '\n';
      table.print(out_);
    } else {
      out_ << "\nnone\n";
    }
  }

  /// The lower end on the first line, the upper one on the second.
  void lines(shell::TextTable& table, Item const& item, bool bounds) {
    auto const shown = [](double value) {
      std::string const text = number(value, 8);
      return text.empty() ? std::string("?") : text;
    };
    for (bool const first : {true, false}) {
      RangeEnd const& end = first ? item.range.low : item.range.high;
      std::vector<std::string> cells;
      auto const once = [&](std::string const& text) { cells.push_back(first ? text : ""); };
      once(item.name);
      once(readers::toString(item.status));
      once(shown(item.value));
      if (bounds) once(item.number);
      once(shown(item.range.present));
      once(shown(bounds ? item.range.price : reducedCost(item)));
      if (bounds) {
        once(shown(item.range.priceBelow));
        once(shown(item.range.priceAbove));
      }
      cells.push_back(shown(end.at));
      cells.push_back(shown(end.objective));
      if (!bounds) cells.push_back(shown(end.value));
      std::string const enters = variable(lp_, end.enters), leaves = variable(lp_, end.leaves);
      cells.push_back(end.beyond == Beyond::nothing ? "-" : toString(end.beyond));
      cells.push_back(leaves.empty() ? "-" : leaves);
      cells.push_back(enters.empty() ? "-" : enters);
      table.add(cells);
    }
  }

  /// How far the cost of a variable is from making it enter; of a basic one 0.
  double reducedCost(Item const& item) const {
    auto const index =
        at(&item.range - (*item.of == 'c' ? all_.costs.data() : all_.rowCosts.data()));
    return *item.of == 'c' ? all_.point.reducedCosts[index] : all_.point.rowDuals[index];
  }

  LinearProgram const& lp_;
  Ranging const& all_;
  std::ostringstream out_ = {};
};

/// Infinite ones as texts, unknown ones as null: JSON has neither.
Json jsonNumber(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return value > 0.0 ? "inf" : "-inf";
  return value;
}

Json jsonVariable(LinearProgram const& lp, int v) {
  if (v < 0) return nullptr;
  if (v < lp.columns()) return {{"column", lp.columnName(v)}};
  return {{"row", lp.rowName(v - lp.columns())}};
}

Json endJson(LinearProgram const& lp, RangeEnd const& end) {
  return {{"at", jsonNumber(end.at)},
          {"objective", jsonNumber(end.objective)},
          {"value", jsonNumber(end.value)},
          {"beyond", toString(end.beyond)},
          {"leaves", jsonVariable(lp, end.leaves)},
          {"enters", jsonVariable(lp, end.enters)}};
}

std::string rangingJson(LinearProgram const& lp, Ranging const& all) {
  Json json;
  json["format"] = "osi-cuda ranging 1";
  json["problem"] = lp.name;
  json["objective"] = jsonNumber(all.point.objective);
  json["sense"] = lp.sense == Sense::maximize ? "maximize" : "minimize";
  auto const list = [&](std::vector<int> const& variables) {
    Json names = Json::array();
    for (int const v : variables) names.push_back(jsonVariable(lp, v));
    return names;
  };
  json["degenerate"] = list(all.degenerate);
  json["indifferent"] = list(all.indifferent);
  Json items = Json::array();
  Visit const add = [&](Item const& item) {
    Json entry{{item.of, item.name},
               {"number", item.number},
               {"status", readers::toString(item.status)},
               {"value", jsonNumber(item.value)},
               {"present", jsonNumber(item.range.present)},
               {"price", jsonNumber(item.range.price)},
               {"price_below", jsonNumber(item.range.priceBelow)},
               {"price_above", jsonNumber(item.range.priceAbove)},
               {"low", endJson(lp, item.range.low)},
               {"high", endJson(lp, item.range.high)}};
    items.push_back(std::move(entry));
  };
  for (Group const group : groups) visit(group, lp, all, add);
  json["intervals"] = std::move(items);
  return shell::toText(json) + "\n";
}

std::string quoted(std::string const& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (char const c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

std::string rangingCsv(LinearProgram const& lp, Ranging const& all) {
  std::ostringstream out;
  out << "of,name,number,status,value,present,price,price_below,price_above,end,at,objective,"
         "end_value,beyond,leaves,enters\n";
  auto const full = [](double value) { return number(value, 17); };
  Visit const add = [&](Item const& item) {
    for (bool const low : {true, false}) {
      RangeEnd const& end = low ? item.range.low : item.range.high;
      out << item.of << ',' << quoted(item.name) << ',' << item.number << ','
          << readers::toString(item.status) << ',' << full(item.value) << ','
          << full(item.range.present) << ',' << full(item.range.price) << ','
          << full(item.range.priceBelow) << ',' << full(item.range.priceAbove) << ','
          << (low ? "low" : "high") << ',' << full(end.at) << ',' << full(end.objective) << ','
          << full(end.value) << ',' << toString(end.beyond) << ','
          << quoted(variable(lp, end.leaves)) << ',' << quoted(variable(lp, end.enters)) << '\n';
    }
  };
  for (Group const group : groups) visit(group, lp, all, add);
  return out.str();
}

}  // namespace

std::string rangingText(LinearProgram const& lp, Ranging const& ranging, std::string const& path) {
  if (path.ends_with(".json")) return rangingJson(lp, ranging);
  if (path.ends_with(".csv")) return rangingCsv(lp, ranging);
  return TextWriter{lp, ranging}.write();
}

}  // namespace osi_cuda::cli
