// SPDX-License-Identifier: EPL-2.0
#include "cli/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "cli/ranging_file.hpp"
#include "osi_cuda/analysis/infeasible_subsystem.hpp"
#include "osi_cuda/analysis/ranging.hpp"
#include "osi_cuda/analysis/relaxation.hpp"
#include "osi_cuda/base/stopwatch.hpp"
#include "readers/write.hpp"
#include "shell/output_file.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

/// By so much, relative, a side of --relaxed lies beyond the point, which is rounded.
constexpr double pastRounding = 1e-9;

std::string counted(std::ptrdiff_t count, char const* one, char const* many) {
  return concat(count, ' ', count == 1 ? one : many);
}

std::string claim(InfeasibleSubsystem const& found) {
  if (found.members.size() == 1) return "can't be met";
  if (found.irreducible) return "contradict each other; without any one of them the others do not";
  return "contradict each other; not yet irreducible: some of them may not be needed";
}

char const* commentMark(readers::FileFormat format) {
  if (format == readers::FileFormat::lpSolveLp) return "// ";
  return format == readers::FileFormat::cplexLp ? "\\ " : "* ";
}

/// A name within a line of comment.
std::string oneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

/// "row LIM1 is at least 5", "column x is at most 3".
std::string sideText(LinearProgram const& lp, Side const& side) {
  return concat(side.isRow() ? "row " : "column ", nameOf(lp, side),
                (side.isLower() ? " is at least " : " is at most "),
                shortNumber(boundOf(lp, side), 12));
}

/// {"row": "LIM1", "side": "lower", "bound": 5}.
Json sideJson(LinearProgram const& lp, Side const& side) {
  return {{side.isRow() ? "row" : "column", nameOf(lp, side)},
          {"side", side.isLower() ? "lower" : "upper"},
          {"bound", boundOf(lp, side)}};
}

/// "2 sides of rows and 1 bound of a column".
std::string countText(std::vector<Side> const& sides) {
  auto const rows = std::ranges::count_if(sides, [](Side const& side) { return side.isRow(); });
  auto const bounds = std::ssize(sides) - rows;
  std::string const first = counted(rows, "side of a row", "sides of rows");
  std::string const second = counted(bounds, "bound of a column", "bounds of columns");
  if (bounds == 0) return first;
  return rows == 0 ? second : first + " and " + second;
}

/// Lines of the summary for sides: the first of them, and how many more there are.
void addSides(Section& section, std::vector<std::string> const& texts) {
  constexpr std::size_t shown = 20;
  std::size_t const count = texts.size() > shown ? shown - 1 : texts.size();
  for (std::size_t k = 0; k < count; ++k) section.add("", texts[k]);
  if (count < texts.size()) section.add("", concat("and ", texts.size() - count, " more"));
}

/// The subsystem as a file of the format that the name's ending says (.mps, .lps, else CPLEX LP),
/// below comments that say what it is. Throws readers::WriteError where the format can't hold it.
std::string iisFileText(LinearProgram const& lp, InfeasibleSubsystem const& found,
                        std::string const& path) {
  readers::FileFormat const format =
      readers::formatForName(path).value_or(readers::FileFormat::cplexLp);
  std::string const mark = commentMark(format);
  std::string const name = lp.name.empty() ? "a problem" : oneLine(lp.name);
  std::ostringstream text;
  text << mark << "An infeasible subsystem of " << name << ": " << countText(found.members) << '\n'
       << mark << "that " << claim(found) << ".\n"
       << readers::writeText(found.subsystem, format);
  return text.str();
}

/// What the command prints of it; `file`: where it was written.
Section iisSection(LinearProgram const& lp, InfeasibleSubsystem const& found,
                   std::string const& file) {
  Section section{"iis", {}, {}};
  std::vector<std::string> texts;
  Json members = Json::array();
  for (Side const& side : found.members) {
    texts.push_back(sideText(lp, side));
    members.push_back(sideJson(lp, side));
  }
  Json undecided = Json::array();
  for (Side const& side : found.undecided) undecided.push_back(sideJson(lp, side));
  section.json = {{"file", file},
                  {"irreducible", found.irreducible},
                  {"proved", found.proof.proved},
                  {"members", members},
                  {"undecided", undecided},
                  {"solves", found.solves},
                  {"iterations", found.iterations},
                  {"seconds", found.seconds}};
  section.add("iis", countText(found.members) + ' ' + claim(found));
  addSides(section, texts);
  return section;
}

Relaxed relaxedOf(std::string const& word) {
  if (word == "bounds") return Relaxed::bounds;
  return word == "both" ? Relaxed::both : Relaxed::rows;
}

std::string shown(double value) {
  return fmt::format("{:.10g}", value);
}

Section relaxationSection(LinearProgram const& lp, Relaxation const& found, std::string const& goal,
                          std::string const& what) {
  Section section{"relaxation", {}, {}};
  std::vector<Side> sides;
  std::vector<std::string> texts;
  Json violations = Json::array();
  for (auto const& [side, amount] : found.violations) {
    sides.push_back(side);
    texts.push_back(sideText(lp, side) + ", relaxed by " + shown(amount));
    violations.push_back(sideJson(lp, side));
    violations.back()["amount"] = amount;
  }
  bool const point = !found.columnValues.empty();
  section.json = {{"goal", goal},
                  {"what", what},
                  {"status", toString(found.status)},
                  {"total", point ? Json(found.total) : Json(nullptr)},
                  {"total_lower", found.totalLower},
                  {"least_total", found.leastTotal},
                  {"violations", violations},
                  {"objective", point ? Json(found.objective) : Json(nullptr)},
                  {"objective_is_optimal", found.objectiveIsOptimal},
                  {"solves", found.solves},
                  {"iterations", found.iterations},
                  {"seconds", found.seconds}};
  if (!point) {
    section.add("relaxation", "none");
    return section;
  }
  section.add("relaxation", countText(sides) + " relaxed by " + shown(found.total) +
                                (found.leastTotal ? " in total, which is the least" : " in total"));
  addSides(section, texts);
  section.add("", "objective there: " + shown(found.objective) +
                      (found.objectiveIsOptimal ? ", the best with that" : ""));
  return section;
}

struct Analysis {
  ExitStatus run() {
    callbacks_.interrupted = context_.interrupted;
    if (!arguments_.ranging.empty()) range();
    if (!arguments_.iis.empty()) findSubsystem();
    if (!arguments_.relax.empty()) relaxProblem();
    return status_;
  }

  Options options() const { return withinBudget(context_.options, context_.budget); }

  void endedWith(ExitStatus status) {
    if (status_ == ExitStatus::optimal || status_ == ExitStatus::noOptimum) status_ = status;
  }

  void range() {
    Result& result = context_.result;
    if (result.solution.status != Status::optimal) {
      context_.notice("There is no optimal basis to range: " + arguments_.ranging +
                      " is not written.");
      return;
    }
    Stopwatch const watch;
    LinearProgram const& lp = context_.solver.problem();
    std::optional<Ranging> found;
    try {
      found = ranging(context_.solver, options(), callbacks_);
    } catch (std::invalid_argument const& refusal) {
      context_.notice(concat(refusal.what(), " ", arguments_.ranging, " is not written."));
      return endedWith(ExitStatus::numerical);
    }
    bool const whole = found && (!arguments_.oneSidedPrices ||
                                 addOneSidedPrices(*found, lp, options(), callbacks_));
    if (!whole) {
      context_.notice("The end came before the ranging was complete: " + arguments_.ranging +
                      " is not written.");
      return endedWith(ExitStatus::stopped);
    }
    writeTextFile(arguments_.ranging, rangingText(lp, *found, arguments_.ranging));
    double const seconds = watch.seconds();
    Section section{"ranging", {}, {}};
    section.json = {{"file", arguments_.ranging},
                    {"degenerate", found->degenerate.size()},
                    {"indifferent", found->indifferent.size()},
                    {"seconds", seconds}};
    section.add("ranging",
                arguments_.ranging + ", vertex " +
                    (found->degenerate.empty() ? "not degenerate" : "degenerate") + ", " +
                    (found->indifferent.empty() ? "no other optima" : "maybe other optima"));
    result.sections.push_back(std::move(section));
  }

  void findSubsystem() {
    Result& result = context_.result;
    Solution const& solution = result.solution;
    if (solution.status != Status::infeasible) {
      context_.notice("The problem was not proved to be infeasible: " + arguments_.iis +
                      " is not written.");
      return;
    }
    LinearProgram const& lp = context_.solver.problem();
    InfeasibleSubsystem const found = infeasibleSubsystem(lp, solution, options(), callbacks_);
    context_.budget.spend(found.iterations);
    if (!found.proof.proved) {
      context_.notice("The subsystem that was found could not be proved to be infeasible: " +
                      arguments_.iis + " is not written.");
      return endedWith(ExitStatus::numerical);
    }
    writeTextFile(arguments_.iis, iisFileText(lp, found, arguments_.iis));
    result.sections.push_back(iisSection(lp, found, arguments_.iis));
    if (found.irreducible) return;
    bool const stopped = found.ending != Status::infeasible;
    context_.notice(stopped ? "The end came before the subsystem was known to be irreducible."
                            : concat("For ", found.undecided.size(),
                                     " member(s) of the subsystem it could not be proved that they "
                                     "are needed, the first one: ",
                                     sideText(lp, found.undecided.front()), "."));
    endedWith(stopped ? ExitStatus::stopped : ExitStatus::numerical);
  }

  void relaxProblem() {
    Result& result = context_.result;
    if (result.solution.status != Status::infeasible) {
      context_.notice("The problem was not proved to be infeasible: there is nothing to relax.");
      return;
    }
    LinearProgram const& lp = context_.solver.problem();
    auto const goal = arguments_.relax == "count" ? RelaxationGoal::count : RelaxationGoal::sum;
    Relaxation const found =
        osi_cuda::relax(lp, goal, relaxedOf(arguments_.relaxWhat), options(), callbacks_);
    context_.budget.spend(found.iterations);
    result.sections.push_back(relaxationSection(lp, found, arguments_.relax, arguments_.relaxWhat));
    if (found.status == Status::infeasible) {
      context_.notice(
          "The bounds that may not be relaxed contradict each other; try --relax-what both.");
      return;
    }
    if (found.status != Status::optimal) {
      bool const stopped = exitStatusOf(found.status) == ExitStatus::stopped;
      context_.notice(stopped ? "A limit was reached before the relaxation was complete."
                              : "No status of the relaxation could be proved.");
      endedWith(stopped ? ExitStatus::stopped : ExitStatus::numerical);
    }
    if (arguments_.relaxed.empty() || found.columnValues.empty()) return;
    LinearProgram changed = lp;
    for (Violation const& violation : found.violations) {
      auto const k = at(violation.side.index);
      double const at = (violation.side.isRow() ? found.rowActivity : found.columnValues)[k];
      double const margin = pastRounding * (1.0 + std::fabs(at));
      boundOf(changed, violation.side) = violation.side.isLower() ? at - margin : at + margin;
    }
    auto const format =
        readers::formatForName(arguments_.relaxed).value_or(readers::FileFormat::cplexLp);
    writeTextFile(arguments_.relaxed, readers::writeText(changed, format));
  }

  AnalysisArguments const& arguments_;
  AnalysisContext const& context_;
  Callbacks callbacks_ = {};
  ExitStatus status_ = exitStatusOf(context_.result.solution.status);
};

}  // namespace

void addAnalysisOptions(CLI::App& app, AnalysisArguments& arguments) {
  CLI::Option* const ranging =
      addValue(app, "--ranging", arguments.ranging, "FILE",
               "write for each cost, right-hand side and bound the interval in which the "
               "basis stays optimal: .json, .csv, else text");
  app.add_flag("--one-sided-prices", arguments.oneSidedPrices,
               "with --ranging: at degenerate vertices the prices of both directions, by more "
               "solves")
      ->needs(ranging);
  addValue(app, "--iis", arguments.iis, "FILE",
           "if infeasible: write an irreducible infeasible subsystem as a problem of its "
           "own: .mps, .lps (lp_solve), else CPLEX LP");
  CLI::Option* const relax =
      addValue(app, "--relax", arguments.relax, "sum or count", CLI::IsMember({"sum", "count"}),
               "if infeasible: feasibility relaxation with the least total or few violated bounds");
  addValue(app, "--relax-what", arguments.relaxWhat, "rows, bounds or both [rows]",
           CLI::IsMember({"rows", "bounds", "both"}), "the bounds that may be relaxed")
      ->needs(relax);
  addValue(app, "--relaxed", arguments.relaxed, "FILE",
           "write the model with the violated bounds relaxed to the reported point: .mps, .lps, "
           "else CPLEX LP")
      ->needs(relax);
  CLI::Option* const objective =
      addValue(app, "--objective", arguments.objectives, "FILE",
               "optimise this in place of the problem's objective, which `model` stands "
               "for; several objectives: lexicographic, in this order")
          ->expected(1)
          ->take_all();
  addValue(app, "--loss", arguments.loss, "NUMBER or NUMBER%",
           "how much worse than its optimum an objective may become for later ones [0]")
      ->needs(objective);
}

Section ranksSection(std::vector<RankedObjective> const& objectives, RankedSolution const& ranked) {
  Section section{"ranks", Json::array(), {}};
  for (std::size_t r = 0; r < objectives.size(); ++r) {
    RankedObjective const& objective = objectives[r];
    bool const minimum = objective.sense == Sense::minimize;
    Json entry{{"name", objective.name}, {"sense", minimum ? "minimize" : "maximize"}};
    std::string text = objective.name + ": ";
    if (r < ranked.ranks.size()) {
      Rank const& rank = ranked.ranks[r];
      entry["optimum"] = rank.optimum;
      entry["value"] = rank.value;
      entry["loss"] = objective.loss.of(rank.optimum);
      entry["iterations"] = rank.iterations;
      entry["seconds"] = rank.seconds;
      entry["excess"] = rank.excess;
      text += (minimum ? "minimum " : "maximum ") + shown(rank.optimum) + ", at the end " +
              shown(rank.value);
      if (rank.excess > 0.0) text += ", by " + shown(rank.excess) + " more than it may lose";
    } else {
      entry["optimum"] = entry["value"] = nullptr;
      text += "no optimum";
    }
    section.json.push_back(std::move(entry));
    section.add(r == 0 ? "ranks" : "", text);
  }
  return section;
}

ExitStatus analyse(AnalysisArguments const& arguments, AnalysisContext const& context) {
  return Analysis{arguments, context}.run();
}

}  // namespace osi_cuda::cli
