// SPDX-License-Identifier: EPL-2.0
#include "examples/textbook/run_tables.hpp"

#include <algorithm>
#include <tuple>

#include "examples/common/plot.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::textbook {

using examples::Cells;
using examples::Curve;
using examples::draw;
using examples::markdownTable;
using examples::numberOf;
using examples::Plot;
using examples::Scale;
using examples::textOf;
namespace {

using Words = std::vector<std::string>;

/// So many digits, and all of those before the point: 1180, not 1.18e+03.
std::string numberText(double number, int digits) {
  double const size = std::abs(number);
  int const before = size >= 10.0 && size < 1e9 ? 1 + int(std::log10(size)) : 1;
  return shell::shortNumber(number, std::max(digits, before));
}

}  // namespace

std::string Value::text() const {
  return std::isnan(number) ? "-" : mark + numberText(number, digits);
}

std::vector<ProblemRuns> problemsOf(std::vector<Record> const& records,
                                    std::function<std::string(Record const&)> const& labelOf) {
  std::map<std::string, ProblemRuns> byName;
  for (Record const& record : records) {
    std::string const name = textOf(record, "problem");
    ProblemRuns& problem = byName[name];
    problem.name = name;
    problem.family = name.substr(0, name.find(':'));
    problem.size = name.substr(std::min(name.size(), problem.family.size() + 1));
    problem.entries = numberOf(record, "rows") * numberOf(record, "columns");
    auto const rank = [](Record const& r) {
      return std::make_pair(textOf(r, "verdict") == "stopped", numberOf(r, "seconds"));
    };
    auto const [place, isNew] = problem.runs.emplace(labelOf(record), record);
    if (!isNew && rank(record) < rank(place->second)) place->second = record;
  }
  std::vector<ProblemRuns> problems;
  for (auto const& [name, problem] : byName) problems.push_back(problem);
  std::sort(problems.begin(), problems.end(), [](ProblemRuns const& a, ProblemRuns const& b) {
    return std::tie(a.family, a.entries) < std::tie(b.family, b.entries);
  });
  return problems;
}

std::set<std::string> familiesOf(std::vector<ProblemRuns> const& problems) {
  std::set<std::string> families;
  for (ProblemRuns const& problem : problems) families.insert(problem.family);
  return families;
}

std::string overProblems(std::vector<ProblemRuns> const& problems,
                         std::vector<Column> const& columns, bool ratios) {
  std::vector<Words> lines{{"problem"}};
  for (Column const& column : columns) lines[0].push_back(column.title);
  for (ProblemRuns const& problem : problems) {
    Words line{problem.family + ' ' + problem.size};
    bool any = false;
    Value const first = columns.front().of(problem);
    for (Column const& column : columns) {
      Value const value = column.of(problem);
      any = any || !std::isnan(value.number);
      double const ratio = value.number / first.number;
      // Of a bound nothing can be a multiple.
      bool const shown =
          ratios && std::isfinite(ratio) && &column != &columns.front() && first.mark != "> ";
      line.push_back(value.text() + (shown ? ": " + value.mark + numberText(ratio, 2) + " x" : ""));
    }
    if (any) lines.push_back(line);
  }
  return markdownTable(lines, Cells::words);
}

std::string plotOf(std::vector<ProblemRuns> const& problems, std::string const& family,
                   std::vector<Column> const& columns, std::string const& title,
                   std::string const& yTitle) {
  Plot plot{
      title + ", " + family, "rows x columns", yTitle, Scale::log10, Scale::log10, {}, false, {}};
  for (Column const& column : columns) {
    Curve curve{column.title, {}};
    for (ProblemRuns const& problem : problems)
      if (Value const value = column.of(problem);
          problem.family == family && value.mark != "> " && !std::isnan(value.number))
        curve.points.emplace_back(problem.entries, value.number);
    if (!curve.points.empty()) plot.curves.push_back(curve);
  }
  return draw(plot);
}

}  // namespace osi_cuda::textbook
