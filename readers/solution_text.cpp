// SPDX-License-Identifier: EPL-2.0
#include "readers/solution_text.hpp"

#include <cmath>
#include <iterator>
#include <tuple>
#include <type_traits>

#include "readers/foreign_solutions.hpp"
#include "readers/model_names.hpp"
#include "readers/words.hpp"

namespace osi_cuda::readers {

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

/// The vectors of one side, columns or rows; `Vectors` is const or not as the solution is.
template <class Numbers, class Statuses>
struct Side {
  Numbers& values;
  Numbers& duals;
  Statuses& statuses;
};

// Clang before 17 does not deduce the arguments of aggregates.
template <class Numbers, class Statuses>
Side(Numbers&, Numbers&, Statuses&) -> Side<Numbers, Statuses>;

void writeSide(Output& out, char const* heading, auto const& side, int count, auto const& nameOf) {
  if (side.values.empty() && side.duals.empty() && side.statuses.empty()) return;
  auto const number = [&out](std::vector<double> const& numbers, int k) {
    if (numbers.empty()) {
      out << " -";
    } else {
      out << ' ' << numbers[k];
    }
  };
  out << heading << ' ' << count << '\n';
  for (int k = 0; k < count; ++k) {
    out << (side.statuses.empty() ? "-" : toString(side.statuses[k]));
    number(side.values, k);
    number(side.duals, k);
    out << ' ' << nameOf(k) << '\n';
  }
}

void writeCertificate(Output& out, char const* heading, std::vector<double> const& numbers,
                      auto const& nameOf) {
  if (numbers.empty()) return;
  int const count = static_cast<int>(numbers.size());
  out << heading << ' ' << count << '\n';
  for (int k = 0; k < count; ++k) out << numbers[k] << ' ' << nameOf(k) << '\n';
}

}  // namespace

void writeSolutionLines(Output& out, LinearProgram const& lp, Solution const& solution) {
  auto const columnName = [&lp](int j) { return lp.columnName(j); };
  auto const rowName = [&lp](int i) { return lp.rowName(i); };
  out << solutionHeading << '\n';
  out << "status " << osi_cuda::toString(solution.status) << '\n';
  if (!solution.message.empty()) out << "message " << solution.message << '\n';
  if (!std::isnan(solution.objective)) out << "objective " << solution.objective << '\n';
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  if (enclosure.lower != -infinity) out << "objective_lower " << enclosure.lower << '\n';
  if (enclosure.upper != infinity) out << "objective_upper " << enclosure.upper << '\n';
  writeSide(out, "columns",
            Side{solution.columnValues, solution.reducedCosts, solution.basis.columns},
            lp.columns(), columnName);
  writeSide(out, "rows", Side{solution.rowActivity, solution.rowDuals, solution.basis.rows},
            lp.rows(), rowName);
  writeCertificate(out, "column_values_low", solution.columnValuesLow, columnName);
  writeCertificate(out, "row_duals_low", solution.rowDualsLow, rowName);
  writeCertificate(out, "farkas", solution.farkas, rowName);
  writeCertificate(out, "farkas_low", solution.farkasLow, rowName);
  writeCertificate(out, "ray", solution.ray, columnName);
  writeCertificate(out, "ray_low", solution.rayLow, columnName);
}

namespace {

class SolutionParser {
 public:
  SolutionParser(LineSource& source, LinearProgram const& lp)
      : source_(source), names_(source, lp) {}

  Solution read();

 private:
  std::string_view take(std::string_view& rest) const;
  void heading(std::string_view keyword, std::string_view rest);
  void number(std::vector<double>& numbers, int size, int index, std::string_view word);
  template <class Numbers, class Statuses>
  void side(Side<Numbers, Statuses> target, int size, bool isRows);
  void certificate(std::vector<double>& target, int size, bool isRows);

  LineSource& source_;
  ModelNames names_;
  Solution solution_;
};

/// The first word of `rest`, which is left with what is behind the blank that ends the word.
std::string_view SolutionParser::take(std::string_view& rest) const {
  std::size_t const end = std::min(rest.find(' '), rest.size());
  std::string_view const word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

void SolutionParser::number(std::vector<double>& numbers, int size, int index,
                            std::string_view word) {
  if (word == "-") return;
  if (numbers.empty()) numbers.assign(size, 0.0);
  numbers[index] = solutionNumber(source_, word);
}

template <class Numbers, class Statuses>
void SolutionParser::side(Side<Numbers, Statuses> target, int size, bool isRows) {
  for (int k = 0; k < size; ++k) {
    if (!source_.next()) source_.failAtEnd("a line for each row and column");
    std::string_view rest = source_.line();
    std::string_view const status = take(rest);
    std::string_view const value = take(rest);
    std::string_view const dual = take(rest);
    int const index = names_.index(rest, isRows, k);
    number(target.values, size, index, value);
    number(target.duals, size, index, dual);
    if (status == "-") continue;
    VariableStatus parsed{};
    if (!parseStatus(status, parsed)) source_.fail(status, "lower, upper, free or basic");
    if (target.statuses.empty()) target.statuses.assign(size, VariableStatus::atLower);
    target.statuses[index] = parsed;
  }
}

void SolutionParser::certificate(std::vector<double>& target, int size, bool isRows) {
  for (int k = 0; k < size; ++k) {
    if (!source_.next()) source_.failAtEnd("a line for each row and column");
    std::string_view rest = source_.line();
    std::string_view const word = take(rest);
    number(target, size, names_.index(rest, isRows, k), word);
  }
}

void SolutionParser::heading(std::string_view keyword, std::string_view rest) {
  if (keyword == "status") {
    if (!parseStatus(rest, solution_.status)) source_.fail(rest, "a status");
  } else if (keyword == "message") {
    solution_.message = rest;
  } else if (keyword == "objective") {
    solution_.objective = solutionNumber(source_, rest);
  } else if (keyword == "objective_lower") {
    solution_.objectiveEnclosure.lower = solutionNumber(source_, rest);
  } else if (keyword == "objective_upper") {
    solution_.objectiveEnclosure.upper = solutionNumber(source_, rest);
  } else if (keyword == "columns") {
    side(Side{solution_.columnValues, solution_.reducedCosts, solution_.basis.columns},
         names_.count(rest, false), false);
  } else if (keyword == "rows") {
    side(Side{solution_.rowActivity, solution_.rowDuals, solution_.basis.rows},
         names_.count(rest, true), true);
  } else {
    std::tuple<char const*, std::vector<double>&, bool> const lists[] = {
        {"column_values_low", solution_.columnValuesLow, false},
        {"row_duals_low", solution_.rowDualsLow, true},
        {"farkas", solution_.farkas, true},
        {"farkas_low", solution_.farkasLow, true},
        {"ray", solution_.ray, false},
        {"ray_low", solution_.rayLow, false}};
    for (auto const& [word, numbers, isRows] : lists)
      if (keyword == word) return certificate(numbers, names_.count(rest, isRows), isRows);
    source_.fail(keyword,
                 "status, message, objective, objective_lower, objective_upper, columns, rows, "
                 "column_values_low, row_duals_low, farkas, farkas_low, ray or ray_low");
  }
}

Solution SolutionParser::read() {
  source_.next();  // the heading, by which the file was recognised
  while (source_.next()) {
    std::string_view rest = source_.line();
    if (trimmed(rest).empty() || rest[0] == '#') continue;
    std::string_view const keyword = take(rest);
    heading(keyword, rest);
  }
  return std::move(solution_);
}

}  // namespace

Solution readSolutionLines(LineSource& source, LinearProgram const& lp) {
  return SolutionParser(source, lp).read();
}

}  // namespace osi_cuda::readers
