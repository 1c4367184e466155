// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/methods.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "examples/common/failure.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/device_module.hpp"
#include "examples/shortest_path/linear_program.hpp"
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
    return fmt::format("the ant colony keeps a dense matrix and wants at most {} vertices",
                       ants::maximalVertices);
  if (method.starts_with("lp") &&
      8.0 * double(graph.vertices) * double(graph.arcs()) > largestTableau)
    return "the dense tableau would take more than 4 GB";
  return "";
}

Answer askOne(std::string const& method, Instance const& instance, MethodArguments const& arguments,
              std::uint64_t seed, Place place) {
  Graph const& graph = instance.graph;
  Vertex const s = instance.source, t = instance.target;
  if (method == "dijkstra") return dijkstra(graph, s, t);
  if (method == "bellman-ford") return bellmanFord(graph, s, t, place);
  if (method == "wave") return wave(*instance.grid, s, t, place);
  if (method == "ants") return ants::solve(graph, s, t, seed, arguments.ants, place);
  auto const solver = examples::makeSolver(
      arguments.solver.empty() ? examples::solverNames().front() : arguments.solver,
      arguments.engine);
  return (method == "lp" ? solvePath : solveTree)(graph, s, t, *solver);
}

}  // namespace

void MethodArguments::addTo(CLI::App& app) {
  auto const places = CLI::IsMember({"auto", "host", "cuda"});
  app.add_option("--method", method, "who answers [all]")->check(CLI::IsMember(methodNames));
  app.add_option("--device", device,
                 "auto, host or cuda: where bellman-ford, wave and ants run [auto]")
      ->check(places);
  app.add_option("--solver", solver,
                 "of the LP, behind OSI [" + examples::solverNames().front() + "]")
      ->check(CLI::IsMember(examples::solverNames()));
  app.add_option("--engine", engine, "auto, host or cuda: of the solver cuda [auto]")
      ->check(places);
  auto const add = [&](char const* name, auto& value, char const* help) {
    return app.add_option(name, value, fmt::format("{} [{}]", help, value))->group("Ant colony");
  };
  add("--ants", ants.ants, "walks in an iteration");
  add("--pheromone-power", ants.pheromonePower, "a in pheromone^a / length^b");
  add("--length-power", ants.lengthPower, "")->description("b [1 up to 64 vertices, else 2]");
  add("--deposit-power", ants.depositPower, "c: an ant adds 1 / length^c");
  add("--initial", ants.initial, "pheromone at first, > 1");
  add("--evaporation", ants.evaporation, "what an iteration leaves of it, < 1");
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

}  // namespace osi_cuda::shortest_path
