// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <stdexcept>

#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/algorithms.hpp"
#include "examples/shortest_path/ant_colony.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/commands.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/drawing.hpp"
#include "examples/shortest_path/linear_program.hpp"
#include "osi_cuda/base/errors.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;
using Json = nlohmann::ordered_json;

std::vector<std::string> const methodNames{
    "lp", "lp-tree", "dijkstra", "boost-bellman-ford", "bellman-ford", "wave", "ants", "all"};

/// The arguments that say who answers, and how.
struct MethodArguments {
  std::string method = "all";
  std::string device = "auto", solver, engine = "auto";
  ants::Parameters ants;

  void addTo(CLI::App& app) {
    app.add_option("--method", method, "who answers [all]")->check(CLI::IsMember(methodNames));
    app.add_option("--device", device,
                   "auto, host or cuda: where bellman-ford, wave and ants run [auto]")
        ->check(CLI::IsMember({"auto", "host", "cuda"}));
    ants::addTo(app, ants);
    app.add_option("--solver", solver,
                   "of the LP, behind OSI [" + examples::solverNames().front() + "]")
        ->check(CLI::IsMember(examples::solverNames()));
    app.add_option("--engine", engine, "auto, host or cuda: of the solver cuda [auto]")
        ->check(CLI::IsMember({"auto", "host", "cuda"}));
  }
};

/// An answer with what was found wrong in it.
struct Judged {
  Answer answer;
  bool exact = true;  ///< the ant colony is not
  std::string fault;  ///< of the certificate; empty: sound
};

/// Why a method can't answer this question; empty: it can.
std::string whyNot(std::string const& method, Instance const& instance) {
  constexpr double largestTableau = 4e9;  // bytes
  Graph const& graph = instance.graph;
  if (method == "wave" && !instance.grid) return "the wave wants a grid";
  if ((method == "dijkstra" || method == "ants") && hasNegativeArc(graph))
    return "there are negative arcs";
  if (method.starts_with("lp") &&
      8.0 * double(graph.vertices) * double(graph.arcs()) > largestTableau)
    return "the dense tableau would take more than 4 GB";
  return "";
}

/// Where the methods that exist twice run; auto: the device where there is one.
Place placeOf(std::string const& device) {
  if (device == "host") return Place::host;
  std::string const reason = whyNoDevice();
  if (!reason.empty() && device == "cuda") throw EngineUnavailable(reason);
  return reason.empty() ? Place::device : Place::host;
}

Answer askOne(std::string const& method, Instance const& instance, MethodArguments const& arguments,
              std::uint64_t seed, Place place) {
  Graph const& graph = instance.graph;
  Vertex const s = instance.source, t = instance.target;
  if (method == "dijkstra") return dijkstra(graph, s, t);
  if (method == "boost-bellman-ford") return bellmanFordByBoost(graph, s, t);
  if (method == "bellman-ford") return bellmanFord(graph, s, t, place);
  if (method == "wave") return wave(*instance.grid, s, t, place);
  if (method == "ants") return ants::solve(graph, s, t, seed, arguments.ants, place);
  auto const solver = examples::makeSolver(
      arguments.solver.empty() ? examples::solverNames().front() : arguments.solver,
      arguments.engine);
  return (method == "lp" ? solvePath : solveTree)(graph, s, t, *solver);
}

/// Asks the methods that the arguments name; with "all" those that can answer this question (no
/// wave without a grid, no Dijkstra and no ants with negative arcs, no ants on large graphs, by the
/// host on those of more than 400 vertices, no LP whose tableau would take more than 4 GB). Throws
/// Failure(usage) where one that is named can't.
std::vector<Judged> ask(Instance const& instance, MethodArguments const& arguments,
                        std::uint64_t seed) {
  std::string const fault = ants::faultOf(arguments.ants);
  if (!fault.empty()) throw Failure(ExitStatus::usage, fault);
  Place const place = placeOf(arguments.device);
  bool const all = arguments.method == "all";
  constexpr Vertex mostForAnts = 400;
  std::vector<Judged> answers;
  for (std::string const& method : methodNames) {
    if (method == "all" || (!all && method != arguments.method)) continue;
    // Seconds where the others take milliseconds: only who names them gets them.
    if (all && method == "ants" && place == Place::host && instance.graph.vertices > mostForAnts)
      continue;
    std::string reason = whyNot(method, instance);
    Judged judged;
    judged.exact = method != "ants";
    if (reason.empty()) try {
        judged.answer = askOne(method, instance, arguments, seed, place);
      } catch (std::invalid_argument const& error) {
        reason = error.what();
      }
    if (!reason.empty()) {
      if (all) continue;
      throw Failure(ExitStatus::usage, "--method " + method + ": " + reason);
    }
    // A negative cycle of the tree LP need not lie on a walk to the target; it was judged there.
    if (method != "lp-tree" || judged.answer.outcome == Outcome::found)
      judged.fault =
          faultOf(instance.graph, judged.answer, instance.source, instance.target).value_or("");
    answers.push_back(std::move(judged));
  }
  return answers;
}

/// Do those that proved something say the same?
bool agree(std::vector<Judged> const& answers) {
  Answer const* first = nullptr;
  for (Judged const& one : answers) {
    Answer const& answer = one.answer;
    if (!one.fault.empty()) return false;
    bool const otherQuestion = answer.method == "lp-tree" &&  // cycles off the target's walks
                               answer.outcome == Outcome::negativeCycle;
    if (!one.exact || answer.outcome == Outcome::failed || otherQuestion) continue;
    if (!first) first = &answer;
    if (answer.outcome != first->outcome || answer.path.length != first->path.length) return false;
  }
  // A heuristic's path may be longer, never shorter.
  for (Judged const& one : answers)
    if (first && !one.exact && one.answer.outcome == Outcome::found &&
        (first->outcome != Outcome::found || one.answer.path.length < first->path.length))
      return false;
  return true;
}

struct Arguments {
  InstanceArguments instance;
  MethodArguments methods;
  bool json = false;
  bool bounds = false;
  std::string svg;
};

/// The answer to show: the first exact one that proved something, else the first.
Judged const& best(std::vector<Judged> const& answers) {
  for (Judged const& one : answers)
    if (one.exact && one.answer.outcome != Outcome::failed) return one;
  return answers.front();
}

Json names(Instance const& instance, std::vector<Vertex> const& vertices) {
  Json list = Json::array();
  for (Vertex const v : vertices) {
    if (instance.grid)
      list.push_back({v / instance.grid->columns, v % instance.grid->columns});
    else
      list.push_back(v + instance.firstVertex);
  }
  return list;
}

Json methodJson(Judged const& one, bool bounds) {
  Answer const& answer = one.answer;
  Json json{{"method", answer.method},
            {"executor", answer.executor},
            {"outcome", toString(answer.outcome)},
            {"exact", one.exact},
            {"length", nullptr},
            {"rounds", answer.rounds},
            {"seconds", answer.seconds},
            {"transfer_seconds", answer.transferSeconds}};
  if (answer.outcome == Outcome::found) json["length"] = answer.path.length;
  if (answer.rows > 0) json["rows"] = answer.rows;
  if (answer.columns > 0) json["columns"] = answer.columns;
  if (bounds && !answer.bound.empty()) json["bounds"] = answer.bound;
  if (!answer.note.empty()) json["note"] = answer.note;
  if (!one.fault.empty()) json["fault"] = one.fault;
  return json;
}

Json summary(Instance const& instance, std::vector<Judged> const& answers, bool bounds) {
  Answer const& shown = best(answers).answer;
  Json json{{"status", toString(shown.outcome)},
            {"graph",
             {{"family", instance.family},
              {"description", instance.description},
              {"vertices", instance.graph.vertices},
              {"arcs", instance.graph.arcs()}}},
            {"from", names(instance, {instance.source}).front()},
            {"to", names(instance, {instance.target}).front()}};
  if (shown.outcome == Outcome::found) {
    json["length"] = shown.path.length;
    json["path"] = names(instance, shown.path.vertices);
  }
  if (shown.outcome == Outcome::unreachable) json["cut"] = names(instance, shown.cut);
  if (shown.outcome == Outcome::negativeCycle) json["cycle"] = names(instance, shown.cycle);
  json["agree"] = agree(answers);
  json["methods"] = Json::array();
  for (Judged const& one : answers) json["methods"].push_back(methodJson(one, bounds));
  json["version"] = OSI_CUDA_VERSION;
  return json;
}

/// Vertices, as many as a screen takes.
std::string shortList(Instance const& instance, std::vector<Vertex> const& vertices) {
  constexpr std::size_t most = 40;
  std::vector<std::string> words;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    if (k == most / 2 && vertices.size() > most) {
      k = vertices.size() - most / 2;
      words.emplace_back("...");
    }
    words.push_back(instance.name(vertices[k]));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

void print(Instance const& instance, std::vector<Judged> const& answers) {
  Answer const& shown = best(answers).answer;
  std::cout << fmt::format("graph      {}, {} vertices, {} arcs\nquestion   from {} to {}\n",
                           instance.description, instance.graph.vertices, instance.graph.arcs(),
                           instance.name(instance.source), instance.name(instance.target));
  if (shown.outcome == Outcome::found) {
    std::cout << fmt::format("length     {}\npath       {}\n\n", shown.path.length,
                             shortList(instance, shown.path.vertices));
  } else if (shown.outcome == Outcome::unreachable) {
    std::cout << fmt::format("cut        no arc leaves these {} vertices: {}\n\n", shown.cut.size(),
                             shortList(instance, shown.cut));
  } else if (shown.outcome == Outcome::negativeCycle) {
    std::vector<Vertex> closed = shown.cycle;
    closed.push_back(shown.cycle.front());
    std::cout << fmt::format("cycle      {}, length {}\n\n", shortList(instance, closed),
                             *walkLength(instance.graph, closed));
  } else {
    std::cout << "failed     " << shown.note << "\n\n";
  }
  shell::TextTable table({"method", "outcome", "length", "rounds", "seconds", "executor"});
  for (auto const& [answer, exact, fault] : answers)
    table.add({answer.method, toString(answer.outcome),
               answer.outcome == Outcome::found ? std::to_string(answer.path.length) : "-",
               std::to_string(answer.rounds), fmt::format("{:.6f}", answer.seconds),
               answer.executor + (exact ? "" : " (heuristic)") +
                   (answer.note.empty() ? "" : " (" + answer.note + ')') +
                   (fault.empty() ? "" : " WRONG: " + fault)});
  table.print(std::cout);
  if (!agree(answers)) std::cout << "The methods disagree.\n";
}

/// y_s - y_v for every vertex v: no path from the source to v is shorter.
void printBounds(Instance const& instance, std::vector<Judged> const& answers) {
  for (auto const& [answer, exact, fault] : answers) {
    if (answer.bound.empty()) continue;
    std::cout << "\nbounds of " << answer.method << ": ";
    for (std::size_t v = 0; v < answer.bound.size(); ++v)
      std::cout << (v == 0 ? "" : ", ") << instance.name(Vertex(v)) << ": " << answer.bound[v];
    std::cout << '\n';
  }
}

/// The picture wants all distances, which not every method has.
std::string picture(Instance const& instance, std::vector<Judged> const& answers) {
  constexpr std::int64_t mostCells = 1'000'000;
  if (instance.grid && instance.grid->cells() > mostCells)
    throw Failure(ExitStatus::usage, "--svg: the grid has more than a million cells");
  Judged const& shown = best(answers);
  Answer all = shown.answer;
  if (instance.grid) {
    if (all.distance.empty())
      all.distance = wave(*instance.grid, instance.source, instance.target).distance;
    return drawGrid(instance, all.distance, shown.answer.path.vertices);
  }
  if (all.distance.empty() || all.parent.empty()) {
    Answer const tree = bellmanFord(instance.graph, instance.source, {});
    if (tree.outcome == Outcome::negativeCycle)
      throw Failure(ExitStatus::usage,
                    "--svg: with a negative cycle there is no distance tree to draw");
    all.distance = tree.distance;
    all.parent = tree.parent;
  }
  return drawTree(instance, all.distance, all.parent,
                  readBack(all.parent, all.distance, instance.target).vertices);
}

ExitStatus exitStatus(std::vector<Judged> const& answers) {
  if (!agree(answers)) return ExitStatus::disagreement;
  Outcome const outcome = best(answers).answer.outcome;
  if (outcome == Outcome::failed) return ExitStatus::numerical;
  return outcome == Outcome::found ? ExitStatus::optimal : ExitStatus::noOptimum;
}

ExitStatus run(Arguments const& arguments) {
  examples::checkDistinct(
      {{"--graph", arguments.instance.graphFile}, {"--grid-file", arguments.instance.gridFile}},
      {{"--svg", arguments.svg}});
  Instance const instance = makeInstance(arguments.instance);
  std::vector<Judged> const answers = ask(instance, arguments.methods, arguments.instance.seed);
  if (!arguments.svg.empty()) examples::writeTextFile(arguments.svg, picture(instance, answers));
  if (arguments.json)
    std::cout << examples::toText(summary(instance, answers, arguments.bounds)) << '\n';
  else
    print(instance, answers);
  if (arguments.bounds && !arguments.json) printBounds(instance, answers);
  return exitStatus(answers);
}

}  // namespace

examples::Command solveCommand() {
  return {"solve", "one question, by one method or by all that can answer it", [](CLI::App& app) {
            auto const arguments = std::make_shared<Arguments>();
            arguments->instance.addTo(app);
            arguments->methods.addTo(app);
            app.add_option("--svg", arguments->svg,
                           "draw the grid with waves and path, or the distance tree");
            app.add_flag("--bounds", arguments->bounds,
                         "show the LP's row duals as bounds y_s - y_v on the distances");
            app.add_flag("--json", arguments->json, "print one JSON object");
            return examples::Run([arguments] { return run(*arguments); });
          }};
}

}  // namespace osi_cuda::shortest_path
