// SPDX-License-Identifier: EPL-2.0
#include "examples/response/placement_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "examples/common/program.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/response/drawing.hpp"
#include "readers/output.hpp"

namespace osi_cuda::response {
namespace {

using examples::ExitStatus;
using examples::Failure;
using Json = nlohmann::ordered_json;

char const* nameOf(Outcome outcome) {
  if (outcome == Outcome::optimal) return "optimal";
  if (outcome == Outcome::stopped) return "time_limit";
  return outcome == Outcome::infeasible ? "infeasible" : "numerical";
}

ExitStatus statusOf(Outcome outcome) {
  if (outcome == Outcome::optimal) return ExitStatus::optimal;
  if (outcome == Outcome::stopped) return ExitStatus::stopped;
  return outcome == Outcome::infeasible ? ExitStatus::noOptimum : ExitStatus::numerical;
}

Json placeJson(Point p) {
  return {p.x, p.y};
}

Json toJson(PlacementArguments const& arguments, Plant const& plant, Placement const& placement,
            Stages const& stages) {
  Json json{{"status", nameOf(placement.outcome)}};
  json.update(stages.json);
  json["goal"] = arguments.goal;
  json["sources"] = plant.sources.size();
  json["observations"] = plant.observations.size();
  json["guards"] = plant.guards.size();
  json["rows"] = placement.rows;
  json["columns"] = placement.columns;
  json["iterations"] = placement.iterations;
  json["solver"] = arguments.solver;
  if (!placement.engine.empty()) json["engine"] = placement.engine;
  for (auto const& [stage, seconds] : stages.seconds) json["seconds"][stage] = seconds;
  json["seconds"]["formulate"] = placement.formulateSeconds;
  json["seconds"]["solve"] = placement.solveSeconds;
  if (placement.contradiction.exists()) {
    Contradiction const& why = placement.contradiction;
    json["contradiction"] = {
        {"sentence", why.sentence()}, {"needed", why.needed}, {"possible", why.possible}};
    for (auto const& [what, multiplier] : why.parts)
      json["contradiction"]["parts"].push_back({{"what", what}, {"multiplier", multiplier}});
  }
  if (placement.outcome == Outcome::optimal) {
    json["worst_deviation"] = placement.worst;
    json["sum_of_deviations"] = placement.total;
    json["spent"] = placement.spent;
    json["sources_on"] = placement.sourcesOn;
    json["rounds"] = placement.rounds;
    if (arguments.goal == "few") json["tolerance"] = placement.tolerance;
    if (arguments.budget) json["budget_price"] = placement.budgetPrice;
    json["limiting"] = Json::array();
    for (Limiting const& one : placement.limiting)
      json["limiting"].push_back({{"observation", one.observation + 1},
                                  {"place", placeJson(plant.observations[one.observation])},
                                  {"side", one.tooLow ? "too low" : "too high"},
                                  {"price", one.price}});
    for (std::size_t j = 0; j < plant.sources.size(); ++j)
      json["strengths"].push_back(
          {{"place", placeJson(plant.sources[j])}, {"strength", placement.strength[j]}});
  }
  json["version"] = OSI_CUDA_VERSION;
  return json;
}

void printLimiting(Plant const& plant, Placement const& placement) {
  constexpr std::size_t most = 8;
  std::cout << fmt::format("limiting     {} observations", placement.limiting.size());
  for (std::size_t k = 0; k < std::min(most, placement.limiting.size()); ++k) {
    Limiting const& one = placement.limiting[k];
    Point const p = plant.observations[one.observation];
    std::cout << fmt::format("\n               {} at ({:.3g}, {:.3g}) is {}, price {:.3g}",
                             one.observation + 1, p.x, p.y, one.tooLow ? "too low" : "too high",
                             one.price);
  }
  std::cout << (placement.limiting.size() > most ? "\n               ...\n" : "\n");
}

void print(PlacementArguments const& arguments, Plant const& plant, Placement const& placement,
           Stages const& stages) {
  for (auto const& [name, text] : stages.lines) std::cout << fmt::format("{:<12} {}\n", name, text);
  std::cout << fmt::format("LP           {}: {} rows, {} columns, {:.3g} s to formulate\n",
                           arguments.goal, placement.rows, placement.columns,
                           placement.formulateSeconds)
            << fmt::format("solver       {}{}, {} iterations, {:.3g} s\n", arguments.solver,
                           placement.engine.empty() ? "" : " on " + placement.engine,
                           placement.iterations, placement.solveSeconds)
            << fmt::format("status       {}\n", nameOf(placement.outcome));
  if (placement.contradiction.exists())
    std::cout << "why          " << placement.contradiction.sentence() << '\n';
  if (placement.outcome != Outcome::optimal) return;
  std::cout << fmt::format("deviations   {:.6g} at worst, {:.6g} in all{}\n", placement.worst,
                           placement.total,
                           arguments.goal == "few"
                               ? fmt::format(", within {:.6g}", placement.tolerance)
                               : "")
            << fmt::format("sources      {} of {} on, {:.6g} spent{}\n", placement.sourcesOn,
                           plant.sources.size(), placement.spent,
                           arguments.budget
                               ? fmt::format(", budget's price {:.3g}", placement.budgetPrice)
                               : "");
  printLimiting(plant, placement);
}

std::string strengthsText(Plant const& plant, Placement const& placement) {
  using readers::shortest;
  std::string text = "source,x,y,strength\n";
  for (std::size_t j = 0; j < plant.sources.size(); ++j)
    text += std::to_string(j + 1) + ',' + shortest(plant.sources[j].x) + ',' +
            shortest(plant.sources[j].y) + ',' + shortest(placement.strength[j]) + '\n';
  return text;
}

}  // namespace

void PlacementArguments::addTo(CLI::App& app) {
  solver = examples::solverNames().front();
  plant.target.shape = "spot";  // within reach where the boundary is cold
  auto const add = [&](char const* name, auto& value, char const* help) {
    return app.add_option(name, value, help)->group("What is asked");
  };
  add("--sources", plant.sources, "how many places for sources [24]")
      ->check(CLI::Range(1, 1'000'000));
  add("--observations", plant.observations, "how many places to compare at [120]")
      ->check(CLI::Range(1, 10'000'000));
  add("--radius", plant.radius, "of a source [0.04]")->check(CLI::Range(1e-6, 1e6));
  add("--target", plant.target.shape, "uniform, spot or line [spot]")
      ->check(CLI::IsMember(targetShapes));
  add("--height", plant.target.height, "of the target [1]");
  add("--goal", goal, "minimax (worst deviation), sum (of deviations) or few (sources) [minimax]")
      ->check(CLI::IsMember(goalNames));
  add("--lower", lower, "least strength of a source [0]");
  add("--upper", upper, "largest strength of a source [none]");
  add("--budget", budget, "for the sum of strengths")->check(CLI::NonNegativeNumber);
  add("--within", within, "what no deviation may exceed")->check(CLI::NonNegativeNumber);
  add("--guards", plant.guards, "places where the field has a limit [0]")
      ->check(CLI::Range(0, 1'000'000));
  add("--guard-limit", guardLimit, "the limit there");
  app.add_option("--solver", solver, "cuda or clp [" + solver + "]")
      ->check(CLI::IsMember(examples::solverNames()));
  app.add_option("--engine", engine, "of the solver cuda: auto, cuda or host [auto]")
      ->check(CLI::IsMember({"auto", "cuda", "host"}));
  app.add_option("--time-limit", timeLimit, "seconds of a solve by cuda [none]");
  app.add_option("--svg", svg, "draw field, sources and deviations")->type_name("FILE");
  app.add_option("--mps", mps, "write the LP")->type_name("FILE");
  app.add_option("--out", out, "write the strengths (CSV)")->type_name("FILE");
  app.add_flag("--json", json, "print one JSON object on standard output");
  app.add_flag("--quiet", quiet, "no progress on standard error");
}

Limits PlacementArguments::limits() const {
  if (lower > upper) throw Failure(ExitStatus::usage, "--lower is above --upper");
  if (guardLimit.has_value() != (plant.guards > 0))
    throw Failure(ExitStatus::usage, "--guards and --guard-limit belong together");
  return {lower, upper, budget, guardLimit, within};
}

void PlacementArguments::checkFiles(std::string const& mesh) const {
  examples::checkDistinct({{"--msh", mesh}}, {{"--svg", svg}, {"--mps", mps}, {"--out", out}});
}

Progress PlacementArguments::progress() const {
  if (quiet) return nullptr;
  return [](std::string const& what, int done, int all) {
    constexpr int most = 256;  // a line for so many, and none for small work
    if (all > most && (done % most == 0 || done == all))
      std::cerr << fmt::format("{} {} of {}\n", what, done, all);
  };
}

ExitStatus placeAndReport(PlacementArguments const& arguments, Plant const& plant, Stages stages,
                          Picture const& picture) {
  auto const& names = goalNames;
  auto const goal = Goal(std::ranges::find(names, arguments.goal) - names.begin());
  Placement const placement = place(
      plant, goal, arguments.limits(),
      [&] { return examples::makeSolver(arguments.solver, arguments.engine, arguments.timeLimit); },
      arguments.mps);
  if (placement.outcome == Outcome::optimal) {
    if (!arguments.out.empty())
      examples::writeTextFile(arguments.out, strengthsText(plant, placement));
    if (!arguments.svg.empty())
      examples::writeTextFile(arguments.svg,
                              drawPlacement(plant, placement, picture.low, picture.high,
                                            picture.fieldOf(placement.strength), picture.outline));
  }
  if (arguments.json)
    std::cout << examples::toText(toJson(arguments, plant, placement, stages)) << '\n';
  else
    print(arguments, plant, placement, stages);
  return statusOf(placement.outcome);
}

}  // namespace osi_cuda::response
