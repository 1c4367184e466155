// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/methods.hpp"

#include <stdexcept>

#include "examples/common/failure.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/bellman_ford.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/dijkstra.hpp"
#include "examples/shortest_path/wave.hpp"
#include "osi_cuda/errors.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

std::vector<std::string> const methodNames{"lp",   "lp-tree", "dijkstra", "bellman-ford",
                                           "wave", "ants",    "all"};

/// Where the methods that exist twice run; auto: the device where there is one.
Place placeOf(std::string const& device) {
  if (device == "host") return Place::host;
  std::string const reason = whyNoDevice();
  if (reason.empty()) return Place::device;
  if (device == "cuda") throw EngineUnavailable(reason);
  return Place::host;
}

/// Why a method can't answer this question; empty: it can.
std::string whyNot(std::string const& method, Instance const& instance) {
  constexpr double largestTableau = 4e9;  // bytes
  Graph const& graph = instance.graph;
  if (method == "wave" && !instance.grid) return "the wave wants a grid";
  if ((method == "dijkstra" || method == "ants") && hasNegativeArc(graph))
    return "there are negative arcs";
  if (method == "ants" && graph.vertices > ants::maximalVertices)
    return "the ant colony keeps a dense matrix and wants at most " +
           std::to_string(ants::maximalVertices) + " vertices";
  if (method.starts_with("lp") &&
      8.0 * double(graph.vertices) * double(graph.arcs()) > largestTableau)
    return "the dense tableau would take more than 4 GB";
  return "";
}

LinearAnswer plain(Answer answer) {
  LinearAnswer result;
  static_cast<Answer&>(result) = std::move(answer);
  return result;
}

LinearAnswer linear(Instance const& instance, MethodArguments const& arguments, bool tree) {
  std::string const name =
      arguments.solver.empty() ? examples::solverNames().front() : arguments.solver;
  auto const solver = examples::makeSolver(name, arguments.engine);
  return (tree ? solveTree : solvePath)(instance.graph, instance.source, instance.target, *solver);
}

LinearAnswer askOne(std::string const& method, Instance const& instance,
                    MethodArguments const& arguments, std::uint64_t seed, Place place) {
  Graph const& graph = instance.graph;
  Vertex const s = instance.source, t = instance.target;
  if (method == "dijkstra") return plain(dijkstra(graph, s, t));
  if (method == "bellman-ford") return plain(bellmanFord(graph, s, t, place));
  if (method == "wave") return plain(wave(*instance.grid, s, t, place));
  if (method == "ants") return plain(ants::solve(graph, s, t, seed, arguments.ants, place));
  return linear(instance, arguments, method == "lp-tree");
}

}  // namespace

void MethodArguments::addTo(CLI::App& app) {
  app.add_option("--method", method, "who answers [all]")->check(CLI::IsMember(methodNames));
  app.add_option("--device", device,
                 "auto, host or cuda: where bellman-ford, wave and ants run [auto]")
      ->check(CLI::IsMember({"auto", "host", "cuda"}));
  app.add_option("--solver", solver,
                 "of the LP, behind OSI [" + examples::solverNames().front() + "]")
      ->check(CLI::IsMember(examples::solverNames()));
  app.add_option("--engine", engine, "auto, host or cuda: of the solver cuda [auto]")
      ->check(CLI::IsMember({"auto", "host", "cuda"}));
  std::string const group = "Ant colony";
  auto const number = [](auto value) {
    std::string text = std::to_string(value);
    if (text.find('.') != std::string::npos) text.erase(text.find_last_not_of('0') + 1);
    return " [" + (text.back() == '.' ? text.substr(0, text.size() - 1) : text) + "]";
  };
  app.add_option("--ants", ants.ants, "walks in an iteration" + number(ants.ants))->group(group);
  app.add_option("--pheromone-power", ants.pheromonePower,
                 "a in pheromone^a / length^b" + number(ants.pheromonePower))
      ->group(group);
  app.add_option("--length-power", ants.lengthPower, "b [1 up to 64 vertices, else 2]")
      ->group(group);
  app.add_option("--deposit-power", ants.depositPower,
                 "c: an ant adds 1 / length^c" + number(ants.depositPower))
      ->group(group);
  app.add_option("--initial", ants.initial, "pheromone at first, > 1" + number(ants.initial))
      ->group(group);
  app.add_option("--evaporation", ants.evaporation,
                 "what an iteration leaves of it, < 1" + number(ants.evaporation))
      ->group(group);
}

std::vector<Judged> ask(Instance const& instance, MethodArguments const& arguments,
                        std::uint64_t seed) {
  std::string const fault = ants::faultOf(arguments.ants);
  if (!fault.empty()) throw Failure(ExitStatus::usage, fault);
  Place const place = placeOf(arguments.device);
  bool const all = arguments.method == "all";
  std::vector<Judged> answers;
  for (std::string const& method : methodNames) {
    if (method == "all" || (!all && method != arguments.method)) continue;
    std::string const reason = whyNot(method, instance);
    if (!reason.empty()) {
      if (all) continue;
      throw Failure(ExitStatus::usage, "--method " + method + ": " + reason);
    }
    Judged judged;
    judged.exact = method != "ants";
    try {
      judged.answer = askOne(method, instance, arguments, seed, place);
    } catch (std::invalid_argument const& error) {
      if (all) continue;
      throw Failure(ExitStatus::usage, "--method " + method + ": " + error.what());
    }
    // A negative cycle of the tree LP need not lie on a walk to the target; it was judged there.
    if (method != "lp-tree" || judged.answer.outcome == Outcome::found)
      judged.fault =
          faultOf(instance.graph, judged.answer, instance.source, instance.target).value_or("");
    answers.push_back(std::move(judged));
  }
  return answers;
}

bool agree(std::vector<Judged> const& answers) {
  Judged const* first = nullptr;
  for (Judged const& one : answers) {
    if (!one.fault.empty()) return false;
    bool const otherQuestion = one.answer.method == "lp-tree" &&  // cycles off the target's walks
                               one.answer.outcome == Outcome::negativeCycle;
    if (!one.exact || one.answer.outcome == Outcome::failed || otherQuestion) continue;
    if (!first) first = &one;
    if (one.answer.outcome != first->answer.outcome) return false;
    if (one.answer.outcome == Outcome::found && one.answer.path.length != first->answer.path.length)
      return false;
  }
  // A heuristic's path may be longer, never shorter.
  for (Judged const& one : answers)
    if (first && !one.exact && one.answer.outcome == Outcome::found &&
        (first->answer.outcome != Outcome::found ||
         one.answer.path.length < first->answer.path.length))
      return false;
  return true;
}

}  // namespace osi_cuda::shortest_path
