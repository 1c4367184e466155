// SPDX-License-Identifier: EPL-2.0
#include <iomanip>
#include <iostream>
#include <memory>

#include "examples/shortest_path/bellman_ford.hpp"
#include "examples/shortest_path/commands.hpp"
#include "examples/shortest_path/drawing.hpp"
#include "examples/shortest_path/experiment_database.hpp"
#include "examples/shortest_path/methods.hpp"
#include "examples/shortest_path/wave.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using Json = nlohmann::ordered_json;

struct Arguments {
  InstanceArguments instance;
  MethodArguments methods;
  bool json = false;
  bool bounds = false;
  std::string svg, database;
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
  Json json;
  json["method"] = answer.method;
  json["executor"] = answer.executor;
  json["outcome"] = toString(answer.outcome);
  json["exact"] = one.exact;
  if (answer.outcome == Outcome::found)
    json["length"] = answer.path.length;
  else
    json["length"] = nullptr;
  json["rounds"] = answer.rounds;
  json["seconds"] = answer.seconds;
  json["transfer_seconds"] = answer.transferSeconds;
  if (one.answer.rows > 0) json["rows"] = one.answer.rows;
  if (one.answer.columns > 0) json["columns"] = one.answer.columns;
  if (bounds && !one.answer.bound.empty()) json["bounds"] = one.answer.bound;
  if (!answer.note.empty()) json["note"] = answer.note;
  if (!one.fault.empty()) json["fault"] = one.fault;
  return json;
}

Json summary(Instance const& instance, std::vector<Judged> const& answers, bool bounds) {
  Answer const& shown = best(answers).answer;
  Json json;
  json["status"] = toString(shown.outcome);
  json["graph"] = {{"family", instance.family},
                   {"description", instance.description},
                   {"vertices", instance.graph.vertices},
                   {"arcs", instance.graph.arcs()}};
  json["from"] = names(instance, {instance.source}).front();
  json["to"] = names(instance, {instance.target}).front();
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

/// Vertices with `between` between them, as many as a screen takes.
std::string shortList(Instance const& instance, std::vector<Vertex> const& vertices,
                      std::string const& between) {
  constexpr std::size_t most = 40;
  std::string text;
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    if (k == most / 2 && vertices.size() > most) {
      k = vertices.size() - most / 2;
      text += between + "...";
    }
    text += (text.empty() ? "" : between) + instance.name(vertices[k]);
  }
  return text;
}

void printTable(std::vector<Judged> const& answers) {
  std::cout << std::left << std::setw(14) << "method" << std::setw(16) << "outcome" << std::right
            << std::setw(12) << "length" << std::setw(9) << "rounds" << std::setw(12) << "seconds"
            << "  executor\n";
  for (Judged const& one : answers) {
    Answer const& answer = one.answer;
    std::cout << std::left << std::setw(14) << answer.method << std::setw(16)
              << toString(answer.outcome) << std::right << std::setw(12)
              << (answer.outcome == Outcome::found ? std::to_string(answer.path.length) : "-")
              << std::setw(9) << answer.rounds << std::setw(12) << std::fixed
              << std::setprecision(6) << answer.seconds << "  " << answer.executor;
    if (!one.exact) std::cout << " (heuristic)";
    if (!answer.note.empty()) std::cout << " (" << answer.note << ')';
    if (!one.fault.empty()) std::cout << " WRONG: " << one.fault;
    std::cout << '\n';
  }
}

/// y_s - y_v for every vertex v: no path from the source to v is shorter.
void printBounds(Instance const& instance, std::vector<Judged> const& answers) {
  for (Judged const& one : answers) {
    if (one.answer.bound.empty()) continue;
    std::cout << "\nbounds of " << one.answer.method << ": ";
    for (std::size_t v = 0; v < one.answer.bound.size(); ++v)
      std::cout << (v == 0 ? "" : ", ") << instance.name(Vertex(v)) << ": " << one.answer.bound[v];
    std::cout << '\n';
  }
}

void print(Instance const& instance, std::vector<Judged> const& answers) {
  Answer const& shown = best(answers).answer;
  std::cout << "graph      " << instance.description << ", " << instance.graph.vertices
            << " vertices, " << instance.graph.arcs() << " arcs\n"
            << "question   from " << instance.name(instance.source) << " to "
            << instance.name(instance.target) << '\n';
  switch (shown.outcome) {
    case Outcome::found:
      std::cout << "length     " << shown.path.length << "\npath       "
                << shortList(instance, shown.path.vertices, " ") << '\n';
      break;
    case Outcome::unreachable:
      std::cout << "cut        no arc leaves these " << shown.cut.size()
                << " vertices: " << shortList(instance, shown.cut, " ") << '\n';
      break;
    case Outcome::negativeCycle: {
      std::vector<Vertex> closed = shown.cycle;
      closed.push_back(shown.cycle.front());
      std::cout << "cycle      " << shortList(instance, closed, " ") << ", length "
                << *walkLength(instance.graph, closed) << '\n';
      break;
    }
    case Outcome::failed:
      std::cout << "failed     " << shown.note << '\n';
      break;
  }
  std::cout << '\n';
  printTable(answers);
  if (!agree(answers)) std::cout << "The methods disagree.\n";
}

/// The picture wants all distances, which not every method has.
std::string picture(Instance const& instance, std::vector<Judged> const& answers) {
  constexpr std::int64_t mostCells = 1'000'000;
  if (instance.grid && instance.grid->cells() > mostCells)
    throw examples::Failure(ExitStatus::usage, "--svg: the grid has more than a million cells");
  Judged const& shown = best(answers);
  Answer all = shown.answer;
  if (instance.grid) {
    if (all.distance.empty())
      all.distance = wave(*instance.grid, instance.source, instance.target, Place::host).distance;
    return drawGrid(instance, all.distance, shown.answer.path.vertices);
  }
  if (all.distance.empty() || all.parent.empty()) {
    Answer const tree = bellmanFord(instance.graph, instance.source, {}, Place::host);
    if (tree.outcome == Outcome::negativeCycle)
      throw examples::Failure(ExitStatus::usage,
                              "--svg: with a negative cycle there is no distance tree to draw");
    all.distance = tree.distance;
    all.parent = tree.parent;
  }
  return drawTree(instance, all.distance, all.parent,
                  readBack(all.parent, all.distance, instance.target).vertices);
}

void store(Arguments const& arguments, Instance const& instance,
           std::vector<Judged> const& answers) {
  ExperimentDatabase database(arguments.database, ExperimentDatabase::Mode::write);
  Judged const& exact = best(answers);
  for (Judged const& one : answers) {
    Answer const& answer = one.answer;
    Experiment e;
    e.method = answer.method;
    bool const linear = answer.method.starts_with("lp");
    e.place = linear || answer.executor == "host" ? "host" : "device";
    e.solver = linear ? answer.executor : "";
    e.family = instance.family;
    e.vertices = instance.graph.vertices;
    e.arcs = instance.graph.arcs();
    e.seeds = std::to_string(arguments.instance.seed);
    if (!one.exact) {
      e.ants = arguments.methods.ants.ants;
      e.parameters = ants::describe(arguments.methods.ants);
    }
    bool const found = answer.outcome == Outcome::found;
    Distance const shortest = exact.answer.path.length;
    bool const same =
        answer.outcome == exact.answer.outcome && (!found || answer.path.length == shortest);
    e.accuracy = exact.exact && same ? 1.0 : 0.0;
    if (found && shortest > 0) e.excess = double(answer.path.length) / double(shortest) - 1.0;
    e.runs = 1;
    e.seconds = answer.seconds;
    e.transferSeconds = answer.transferSeconds;
    e.rounds = double(answer.rounds);
    e.ok = one.fault.empty() && (same || !one.exact);
    e.device = answer.executor;
    database.store(e);
  }
}

ExitStatus exitStatus(std::vector<Judged> const& answers) {
  if (!agree(answers)) return ExitStatus::disagreement;
  switch (best(answers).answer.outcome) {
    case Outcome::found:
      return ExitStatus::optimal;
    case Outcome::unreachable:
    case Outcome::negativeCycle:
      return ExitStatus::noOptimum;
    case Outcome::failed:
      break;
  }
  return ExitStatus::numerical;
}

ExitStatus run(Arguments const& arguments) {
  Instance const instance = makeInstance(arguments.instance);
  std::vector<Judged> const answers = ask(instance, arguments.methods, arguments.instance.seed);
  if (!arguments.svg.empty()) examples::writeTextFile(arguments.svg, picture(instance, answers));
  if (!arguments.database.empty()) store(arguments, instance, answers);
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
            app.add_option("--database", arguments->database, "store what was measured (SQLite)");
            app.add_flag("--bounds", arguments->bounds,
                         "show the LP's row duals as bounds y_s - y_v on the distances");
            app.add_flag("--json", arguments->json, "print one JSON object");
            return examples::Run([arguments] { return run(*arguments); });
          }};
}

}  // namespace osi_cuda::shortest_path
