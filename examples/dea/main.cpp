// SPDX-License-Identifier: EPL-2.0
// Efficiency of units by data envelopment analysis: docs/guide/batch.md.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "examples/dea/comparison.hpp"
#include "examples/dea/envelopment.hpp"
#include "examples/dea/units.hpp"
#include "shell/command.hpp"
#include "shell/output_file.hpp"

namespace osi_cuda::examples::dea {

using shell::ExitStatus;
using shell::Run;
namespace {

struct GenerateArguments {
  int units = 1000, inputs = 3, outputs = 2;
  std::uint64_t seed = 1;
  std::string file;
};

Run setUpGenerate(CLI::App& app) {
  auto const a = std::make_shared<GenerateArguments>();
  app.add_option("OUT", a->file, "CSV file to write")->type_name("")->required();
  app.add_option("--units", a->units, "how many [1000]")->check(CLI::Range(1, 1000000));
  app.add_option("--inputs", a->inputs, "inputs of each [3]")->check(CLI::Range(1, 100));
  app.add_option("--outputs", a->outputs, "outputs of each [2]")->check(CLI::Range(1, 100));
  app.add_option("--seed", a->seed, "of all random numbers [1]");
  return [a] {
    shell::writeTextFile(a->file,
                         unitsText(generateUnits(a->units, a->inputs, a->outputs, a->seed)));
    return ExitStatus::optimal;
  };
}

struct ScoreArguments {
  std::string units, orientation = "input", returns = "constant", engine = "auto", out, references;
  std::string compare;
  int threads = 0;
  double compareSeconds = 5.0;
};

std::string scoresText(Units const& units, Analysis const& analysis) {
  std::string file = "unit,efficiency,status,iterations,residual\n";
  for (std::size_t u = 0; u < units.count(); ++u) {
    Score const& score = analysis.scores[u];
    file += units.names[u] + ',';
    if (score.status == BatchStatus::optimal) file += nlohmann::json(score.efficiency).dump();
    file += std::string(",") + toString(score.status) + ',' + std::to_string(score.iterations) +
            ',' + nlohmann::json(score.residual).dump() + '\n';
  }
  return file;
}

std::string referencesText(Units const& units, Analysis const& analysis) {
  std::string file = "unit,reference,weight\n";
  for (Reference const& r : analysis.references)
    file += units.names[r.unit] + ',' + units.names[r.reference] + ',' +
            nlohmann::json(r.weight).dump() + '\n';
  return file;
}

void report(ScoreArguments const& a, Units const& units, Analysis const& analysis) {
  double pivots = 0.0, residual = 0.0;
  std::size_t optimal = 0, efficient = 0;
  for (Score const& score : analysis.scores) {
    pivots += score.iterations;
    residual = std::max(residual, score.residual);
    if (score.status != BatchStatus::optimal) continue;
    ++optimal;
    constexpr double whole = 1e-9;
    if (score.efficiency >= 1.0 - whole) ++efficient;
  }
  std::fprintf(
      stderr,
      "%s-oriented, %s returns: %zu units, %zu scored, %zu efficient; %.3f s (device %.3f), "
      "%.1f pivots each, largest residual %.0e, %zu solved again, on %s\n",
      a.orientation.c_str(), a.returns.c_str(), units.count(), optimal, efficient, analysis.seconds,
      analysis.deviceSeconds, pivots / static_cast<double>(units.count()), residual, analysis.again,
      analysis.device.c_str());
}

void compare(ScoreArguments const& a, Units const& units, Question const& question,
             Analysis const& analysis) {
  int const threads = a.threads > 0
                          ? a.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Comparison const c =
      a.compare == "highs"
          ? compareWithHighs(units, question, analysis, threads, a.compareSeconds)
          : compareWithSingles(units, question, analysis, threads, a.compareSeconds);
  double const all = c.seconds / static_cast<double>(c.units) * static_cast<double>(units.count());
  std::fprintf(stderr,
               "%s, %d threads: %zu units in %.3f s, all would take %.1f s, %.0f times as long; "
               "largest difference %.1e, %zu without optimum\n",
               c.solver.c_str(), threads, c.units, c.seconds, all, all / analysis.seconds,
               c.difference, c.different);
}

ExitStatus score(ScoreArguments const& a) {
  shell::checkDistinct({{"UNITS", a.units}}, {{"--out", a.out}, {"--references", a.references}});
  Units const units = readUnits(a.units);
  Question question;
  if (a.orientation == "output") question.orientation = Orientation::output;
  if (a.returns == "variable") question.returns = Returns::variable;
  VariantOptions options;
  setOption(options, "engine", a.engine);
  options.threads = a.threads;
  Analysis const analysis = analyse(units, question, options, !a.references.empty());
  std::string const text = scoresText(units, analysis);
  if (a.out.empty())
    std::cout << text;
  else
    shell::writeTextFile(a.out, text);
  if (!a.references.empty()) shell::writeTextFile(a.references, referencesText(units, analysis));
  report(a, units, analysis);
  if (!a.compare.empty()) compare(a, units, question, analysis);
  bool const all = std::ranges::all_of(
      analysis.scores, [](Score const& s) { return s.status == BatchStatus::optimal; });
  return all ? ExitStatus::optimal : ExitStatus::numerical;
}

Run setUpScore(CLI::App& app) {
  auto const a = std::make_shared<ScoreArguments>();
  app.add_option("UNITS", a->units, "CSV file: columns unit, in:NAME ..., out:NAME ...")
      ->type_name("")
      ->required();
  app.add_option("--orientation", a->orientation, "what is asked for: less input, more output")
      ->check(CLI::IsMember({"input", "output"}));
  app.add_option("--returns", a->returns, "to scale")
      ->check(CLI::IsMember({"constant", "variable"}));
  app.add_option("--engine", a->engine, "who solves")
      ->check(CLI::IsMember({"auto", "cuda", "host"}));
  app.add_option("--threads", a->threads, "of the processor [all]")->check(CLI::Range(1, 4096));
  app.add_option("--out", a->out, "CSV file of the scores [standard output]");
  app.add_option("--references", a->references, "CSV file of the mix each unit is measured by");
  app.add_option("--compare", a->compare, "score some units again, each problem by itself")
      ->check(CLI::IsMember({"single", "highs"}));
  app.add_option("--compare-seconds", a->compareSeconds, "as many units as take so long [5]")
      ->check(CLI::NonNegativeNumber);
  return [a] { return score(*a); };
}

}  // namespace
}  // namespace osi_cuda::examples::dea

int main(int count, char** words) {
  using namespace osi_cuda::examples;
  return osi_cuda::shell::runProgram("dea",
                                     "Scores the efficiency of units by data envelopment analysis.",
                                     {{"generate", "write random units", dea::setUpGenerate},
                                      {"score", "score the units of a file", dea::setUpScore}},
                                     count, words);
}
