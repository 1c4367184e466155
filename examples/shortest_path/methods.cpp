// SPDX-License-Identifier: EPL-2.0
#include "examples/shortest_path/methods.hpp"

#include <stdexcept>

#include "examples/common/failure.hpp"
#include "examples/common/solver_factory.hpp"
#include "examples/shortest_path/certificates.hpp"
#include "examples/shortest_path/linear_program.hpp"

namespace osi_cuda::shortest_path {
namespace {

using examples::ExitStatus;
using examples::Failure;

std::vector<std::string> const methodNames{"lp",           "lp-tree", "dijkstra",
                                           "bellman-ford", "wave",    "all"};

/// Why a method can't answer this question; empty: it can.
std::string whyNot(std::string const& method, Instance const& instance) {
  constexpr double largestTableau = 4e9;  // bytes
  Graph const& graph = instance.graph;
  if (method == "wave" && !instance.grid) return "the wave wants a grid";
  if (method == "dijkstra" && hasNegativeArc(graph)) return "there are negative arcs";
  if (method.starts_with("lp") &&
      8.0 * double(graph.vertices) * double(graph.arcs()) > largestTableau)
    return "the dense tableau would take more than 4 GB";
  return "";
}

Answer askOne(std::string const& method, Instance const& instance,
              MethodArguments const& arguments) {
  Graph const& graph = instance.graph;
  Vertex const s = instance.source, t = instance.target;
  if (method == "dijkstra") return dijkstra(graph, s, t);
  if (method == "bellman-ford") return bellmanFord(graph, s, t);
  if (method == "wave") return wave(*instance.grid, s, t);
  auto const solver = examples::makeSolver(
      arguments.solver.empty() ? examples::solverNames().front() : arguments.solver,
      arguments.engine);
  return (method == "lp" ? solvePath : solveTree)(graph, s, t, *solver);
}

}  // namespace

void MethodArguments::addTo(CLI::App& app) {
  auto const places = CLI::IsMember({"auto", "host", "cuda"});
  app.add_option("--method", method, "who answers [all]")->check(CLI::IsMember(methodNames));
  app.add_option("--solver", solver,
                 "of the LP, behind OSI [" + examples::solverNames().front() + "]")
      ->check(CLI::IsMember(examples::solverNames()));
  app.add_option("--engine", engine, "auto, host or cuda: of the solver cuda [auto]")
      ->check(places);
}

std::vector<Judged> ask(Instance const& instance, MethodArguments const& arguments) {
  bool const all = arguments.method == "all";
  std::vector<Judged> answers;
  for (std::string const& method : methodNames) {
    if (method == "all" || (!all && method != arguments.method)) continue;
    std::string reason = whyNot(method, instance);
    Judged judged;
    if (reason.empty()) try {
        judged.answer = askOne(method, instance, arguments);
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
    if (answer.outcome == Outcome::failed || otherQuestion) continue;
    if (!first) first = &answer;
    if (answer.outcome != first->outcome || answer.path.length != first->path.length) return false;
  }
  return true;
}

}  // namespace osi_cuda::shortest_path
