// SPDX-License-Identifier: EPL-2.0
#include "readers/solution_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

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
