// SPDX-License-Identifier: EPL-2.0
#include "cli/ranging_file.hpp"

#include <optional>

#include "readers/input.hpp"
#include "readers/line_source.hpp"
#include "readers/name_table.hpp"
#include "readers/number.hpp"
#include "readers/read.hpp"
#include "readers/words.hpp"
#include "readers/write.hpp"
#include "shell/failure.hpp"

namespace osi_cuda::cli {
namespace {

using readers::LineSource;
using readers::NameTable;

/// Nothing where the word is no loss.
std::optional<Loss> lossOf(std::string_view word) {
  Loss loss{.relative = word.ends_with('%')};
  if (loss.relative) word.remove_suffix(1);
  readers::Number const number = readers::parseNumber(word);
  if (number.fault != readers::NumberFault::none || number.value < 0.0) return std::nullopt;
  constexpr double perCent = 0.01;
  loss.amount = loss.relative ? number.value * perCent : number.value;
  return loss;
}

/// Whether the ending, without that of a compression, is one of a problem's file.
bool isProblemFile(std::string path) {
  for (char const* ending : {".gz", ".bz2", ".xz", ".zst"})
    if (path.ends_with(ending)) path.resize(path.rfind('.'));
  return readers::formatForName(path).has_value();
}

/// The text files: headings `minimize NAME` and `maximize NAME`, below each of them lines of a
/// column and its coefficient, `constant NUMBER` and `loss NUMBER` or `loss NUMBER%`.
struct ObjectiveParser {
  void read(std::vector<RankedObjective>& objectives) {
    std::size_t const before = objectives.size();
    while (lines_.next()) {
      std::string_view const line = readers::trimmed(lines_.line());
      if (line.empty() || line.front() == '#') continue;
      std::size_t const blank = line.find_first_of(" \t");
      std::string_view const word = line.substr(0, blank);
      std::string_view const rest =
          blank == line.npos ? std::string_view() : readers::trimmed(line.substr(blank));
      bool const minimum = readers::equalsIgnoringCase(word, "minimize");
      if (minimum || readers::equalsIgnoringCase(word, "maximize")) {
        begin(objectives, minimum ? Sense::minimize : Sense::maximize, rest);
      } else if (objectives.size() == before) {
        lines_.fail(word, "minimize or maximize, which begin an objective");
      } else {
        entry(objectives.back(), line, word, rest);
      }
    }
    if (objectives.size() == before) lines_.failAtEnd("minimize or maximize");
  }

  void begin(std::vector<RankedObjective>& objectives, Sense sense, std::string_view name) {
    RankedObjective objective;
    objective.name = name.empty() ? concat("objective ", objectives.size() + 1) : std::string(name);
    objective.sense = sense;
    objective.costs.assign(lp_.objective.size(), 0.0);
    objective.loss = loss_;
    objectives.push_back(std::move(objective));
  }

  void add(double& sum, std::string_view word) {
    readers::Number const number = readers::parseNumber(word);
    if (number.fault != readers::NumberFault::none) lines_.fail(word, "a finite number");
    sum += number.value;
    if (!std::isfinite(sum)) lines_.fail(word, "numbers whose sum fits a double");
  }

  void entry(RankedObjective& objective, std::string_view line, std::string_view word,
             std::string_view rest) {
    if (word == "constant") {
      add(objective.offset, rest);
    } else if (word == "loss") {
      std::optional<Loss> const loss = lossOf(rest);
      if (!loss) lines_.fail(rest, "a number >= 0, or one with %");
      objective.loss = *loss;
    } else {  // the last word is the number: names may hold blanks
      std::size_t const last = line.find_last_of(" \t");
      if (last == line.npos)
        lines_.fail(line.substr(line.size()), "the name of a column and a number");
      std::string_view const name = readers::trimmed(line.substr(0, last));
      int const column = columns_.find(name);
      if (column == NameTable::absent) lines_.fail(name, "the name of a column of the problem");
      add(objective.costs[at(column)], line.substr(last + 1));
    }
  }

  LineSource lines_;
  Loss const& loss_;
  LinearProgram const& lp_;
  NameTable const& columns_;
};

RankedObjective objectiveOfProblem(std::string const& path, Loss const& loss,
                                   LinearProgram const& lp, NameTable const& columns,
                                   std::function<void(std::string const&)> const& notice) {
  // No bound of it matters.
  LinearProgram const other = readers::read(path, {.infiniteFrom = infinity}).lp;
  RankedObjective objective{other.objectiveName.empty() ? path : other.objectiveName, other.sense,
                            std::vector<double>(lp.objective.size(), 0.0), other.objectiveOffset,
                            loss};
  for (int j = 0; j < other.columns(); ++j) {
    double const cost = other.objective[at(j)];
    if (cost == 0.0) continue;
    int const column = columns.find(other.columnName(j));
    if (column == NameTable::absent)
      throw shell::Failure(shell::ExitStatus::badInput, path + ": its objective has the column '" +
                                                            other.columnName(j) +
                                                            "', which the problem has not");
    objective.costs[at(column)] = cost;
  }
  if (other.rows() > 0) notice("Of " + path + " only the objective counts.");
  return objective;
}

}  // namespace

Loss parseLoss(std::string const& text, std::string const& option) {
  if (std::optional<Loss> const loss = lossOf(text)) return *loss;
  throw shell::Failure(shell::ExitStatus::usage, option +
                                                     ": expected a number >= 0, or one with "
                                                     "%, found '" +
                                                     text + "'");
}

std::vector<RankedObjective> readObjectives(std::vector<std::string> const& files, Loss const& loss,
                                            LinearProgram const& lp,
                                            std::function<void(std::string const&)> const& notice) {
  NameTable const columns(lp.columns(), [&lp](int j) { return lp.columnName(j); });
  std::vector<RankedObjective> objectives;
  for (std::string const& file : files) {
    if (file == "model") {
      objectives.push_back({lp.objectiveName.empty() ? "the problem's own" : lp.objectiveName,
                            lp.sense, lp.objective, lp.objectiveOffset, loss});
    } else if (isProblemFile(file)) {
      objectives.push_back(objectiveOfProblem(file, loss, lp, columns, notice));
    } else {
      ObjectiveParser{LineSource::ofFile(file), loss, lp, columns}.read(objectives);
    }
  }
  return objectives;
}

}  // namespace osi_cuda::cli
