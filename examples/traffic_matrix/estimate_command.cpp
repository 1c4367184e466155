// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "examples/common/solver_factory.hpp"
#include "examples/traffic_matrix/arguments.hpp"
#include "examples/traffic_matrix/commands.hpp"
#include "examples/traffic_matrix/consistency.hpp"
#include "examples/traffic_matrix/csv.hpp"
#include "examples/traffic_matrix/priors.hpp"
#include "examples/traffic_matrix/report.hpp"
#include "examples/traffic_matrix/routing.hpp"
#include "shell/text_table.hpp"

namespace osi_cuda::examples::traffic {
namespace {

struct EstimateArguments {
  NetworkArguments network;
  ObjectiveArguments objective;
  std::string loads, prior, totals, friction, truth;
  std::string formulation = "deviations", solver = solverNames().front(), engine = "auto";
  std::string out, pictures, mps;
  double floor = 1e-4;
  int worst = 0;
  bool balanced = false, access = false, elastic = false, ignoreMissing = false, json = false;
};

/// Everything read, and what came of it.
struct Session {
  Network network;
  CoinPackedMatrix routing;        ///< links x pairs
  CoinPackedMatrix equations;      ///< the same or, with --access, withAccessRows()
  std::vector<std::string> names;  ///< of the counters, by row of `equations`
  std::vector<int> measured;
  std::vector<double> loads, prior, truth;  ///< truth: empty if not given
  std::vector<double> countedLoads;         ///< as read, where `loads` are corrected
  Estimate estimate;
  Contradiction contradiction;
  std::vector<std::string> files;

  Observation observation() const { return {equations, measured, loads, prior}; }
};

void readLoadsInto(Session& session, EstimateArguments const& arguments) {
  auto const loads = readLoads(arguments.loads, session.network);
  session.loads.assign(loads.size(), 0.0);
  for (int i = 0; i < session.network.linkCount(); ++i) {
    if (loads[i]) {
      session.loads[i] = *loads[i];
      session.measured.push_back(i);
    } else if (!arguments.ignoreMissing) {
      throw Failure(ExitStatus::badInput,
                    arguments.loads + ": link " + session.network.describe(i) +
                        " has no load (--ignore-missing estimates without it)");
    }
  }
}

/// The counters of access lines join those of links.
void addAccess(Session& session, Totals const& totals) {
  session.equations = withAccessRows(session.routing, Pairs(session.network.nodeCount()));
  for (auto const& counters : {totals.out, totals.in})
    for (double const counter : counters) {
      session.measured.push_back(static_cast<int>(session.loads.size()));
      session.loads.push_back(counter);
    }
}

void checkPrior(EstimateArguments const& arguments) {
  bool const isGravity = arguments.prior == "gravity";
  if (!isGravity && (!arguments.friction.empty() || arguments.balanced))
    throw Failure(ExitStatus::usage, "--friction and --balance belong to --prior gravity");
  if ((isGravity || arguments.access) != arguments.totals.empty()) return;
  throw Failure(ExitStatus::usage, arguments.totals.empty()
                                       ? std::string(isGravity ? "--prior gravity" : "--access") +
                                             " needs --totals: what each node sends and receives"
                                       : "--totals belongs to --prior gravity and to --access");
}

std::vector<double> priorOf(Network const& network, Totals const& totals,
                            EstimateArguments const& arguments) {
  if (arguments.prior != "gravity") return readMatrix(arguments.prior, network);
  Pairs const pairs(network.nodeCount());
  std::vector<double> friction;
  if (!arguments.friction.empty()) {
    friction = readMatrix(arguments.friction, network, "friction");
    auto const zero = std::ranges::find(friction, 0.0);
    if (zero != friction.end()) {
      int const pair = static_cast<int>(zero - friction.begin());
      throw Failure(ExitStatus::badInput, arguments.friction + ": the friction from '" +
                                              network.nodes[pairs.source(pair)].name + "' to '" +
                                              network.nodes[pairs.target(pair)].name +
                                              "' is missing or 0");
    }
  }
  std::vector<double> prior = gravity(totals, pairs, friction);
  if (arguments.balanced) balance(prior, totals, pairs);
  return prior;
}

Session readAll(EstimateArguments const& arguments) {
  Session session;
  session.network = arguments.network.read().network;
  session.routing = routingMatrix(session.network);
  session.equations = session.routing;
  session.names = counterNames(session.network);
  readLoadsInto(session, arguments);
  Totals totals;
  if (!arguments.totals.empty()) totals = readTotals(arguments.totals, session.network);
  if (arguments.access) addAccess(session, totals);
  session.countedLoads = session.loads;
  session.prior = priorOf(session.network, totals, arguments);
  if (!arguments.truth.empty()) session.truth = readMatrix(arguments.truth, session.network);
  return session;
}

/// Estimates; if the loads contradict each other, finds out why and, with --elastic, tries again
/// with corrected ones.
void solve(Session& session, EstimateArguments const& arguments) {
  Settings settings;
  settings.objective = arguments.objective.objective();
  settings.formulation =
      static_cast<Formulation>(choice("--formulation", arguments.formulation, formulationNames));
  settings.floorShare = arguments.floor;
  SolverFactory const make = [&] { return makeSolver(arguments.solver, arguments.engine); };
  auto const attempt = [&] {
    return estimate(session.observation(), settings, *make(), arguments.mps);
  };
  session.estimate = attempt();
  if (session.estimate.outcome != Outcome::infeasible) return;
  session.contradiction = findContradiction(session.observation(), make);
  if (!arguments.elastic) return;
  session.loads = correctLoads(session.observation(), make).loads;
  session.estimate = attempt();
}

ExitStatus statusOf(Session const& session) {
  constexpr double loadsMet = 1e-8;
  if (session.estimate.outcome == Outcome::infeasible) return ExitStatus::noOptimum;
  if (session.estimate.outcome == Outcome::unsolved || session.estimate.residual > loadsMet)
    return ExitStatus::numerical;
  return ExitStatus::optimal;
}

char const* statusName(ExitStatus status) {
  if (status == ExitStatus::optimal) return "optimal";
  return status == ExitStatus::noOptimum ? "infeasible" : "numerical";
}

void writeResults(Session& session, EstimateArguments const& arguments) {
  if (session.estimate.outcome != Outcome::optimal) return;
  if (!arguments.out.empty()) {
    writeTextFile(arguments.out, matrixText(session.estimate.matrix, session.network));
    session.files.push_back(arguments.out);
  }
  if (arguments.pictures.empty()) return;
  std::vector<NamedMatrix> matrices;
  if (!session.truth.empty()) matrices.emplace_back("truth", session.truth);
  matrices.emplace_back("prior", session.prior);
  matrices.emplace_back("result", session.estimate.matrix);
  auto const pictures = writePictures(arguments.pictures, session.network,
                                      linkLoads(session.routing, session.estimate.matrix), matrices,
                                      !session.truth.empty());
  session.files.insert(session.files.end(), pictures.begin(), pictures.end());
}

nlohmann::ordered_json counterJson(Session const& session, int counter) {
  nlohmann::ordered_json json{{"counter", session.names[counter]}};
  Network const& network = session.network;
  if (counter >= network.linkCount()) return json;
  Link const& link = network.links[counter];
  json["link"] = link.name;
  json["source"] = network.nodes[link.source].name;
  json["target"] = network.nodes[link.target].name;
  return json;
}

std::string sentenceOf(Session const& session) {
  Observation observation = session.observation();
  observation.loads = session.countedLoads;
  return explain(session.contradiction, observation, session.names);
}

nlohmann::ordered_json contradictionJson(Session const& session) {
  auto links = nlohmann::ordered_json::array();
  for (auto const& [link, multiplier] : session.contradiction.multipliers) {
    auto entry = counterJson(session, link);
    entry["load"] = session.countedLoads[link];
    entry["multiplier"] = multiplier;
    links.push_back(entry);
  }
  return {{"sentence", sentenceOf(session)},
          {"excess", session.contradiction.excess},
          {"links", links}};
}

nlohmann::ordered_json correctionsJson(Session const& session) {
  auto json = nlohmann::ordered_json::array();
  for (int const i : session.measured) {
    if (session.loads[i] == session.countedLoads[i]) continue;
    auto entry = counterJson(session, i);
    entry["counted"] = session.countedLoads[i];
    entry["corrected"] = session.loads[i];
    json.push_back(entry);
  }
  return json;
}

/// The sum of all corrections, as a share of what was counted.
double correctedShare(Session const& session) {
  double difference = 0.0;
  for (std::size_t i = 0; i < session.loads.size(); ++i)
    difference += std::abs(session.loads[i] - session.countedLoads[i]);
  return difference / std::max(sum(session.countedLoads), 1e-300);
}

std::vector<NamedMatrix> estimatesOf(Session const& session) {
  return {{"prior", session.prior}, {"result", session.estimate.matrix}};
}

nlohmann::ordered_json toJson(Session const& session, EstimateArguments const& arguments) {
  Estimate const& estimate = session.estimate;
  Objective const objective = arguments.objective.objective();
  bool const solved = estimate.outcome == Outcome::optimal;
  nlohmann::ordered_json json{
      {"status", statusName(statusOf(session))},
      {"objective", {{"name", arguments.objective.name}, {"q", objective.q}}},
      {"objective_value", solved ? nlohmann::ordered_json(estimate.objectiveValue) : nullptr},
      {"residual", solved ? nlohmann::ordered_json(estimate.residual) : nullptr},
      {"nodes", session.network.nodeCount()},
      {"links", session.network.linkCount()},
      {"counters", session.measured.size()},
      {"pairs", session.prior.size()},
      {"floor", {{"traffic", estimate.floor}, {"pairs_below", estimate.pairsOnFloor}}},
      {"formulation", arguments.formulation},
      {"rows", estimate.rows},
      {"columns", estimate.columns},
      {"nonzeros", estimate.nonzeros},
      {"solver", arguments.solver},
      {"iterations", estimate.iterations},
      {"seconds", {{"formulate", estimate.formulateSeconds}, {"solve", estimate.solveSeconds}}}};
  if (objective.isAsymmetric()) json["objective"]["alpha"] = objective.alpha;
  if (objective.isPiecewise()) json["objective"]["beta"] = objective.beta;
  if (objective.isPiecewise()) json["objective"]["gamma"] = objective.gamma;
  if (session.contradiction.exists()) json["contradiction"] = contradictionJson(session);
  if (arguments.elastic) {
    json["corrections"] = correctionsJson(session);
    json["corrected_share"] = correctedShare(session);
  }
  if (solved && !session.truth.empty()) {
    json["accuracy"] = accuracyJson(estimatesOf(session), session.truth);
    json["worst"] = worstJson(estimate.matrix, session.truth, session.network, arguments.worst);
  }
  json["files"] = session.files;
  json["version"] = OSI_CUDA_VERSION;
  return json;
}

void printCorrections(Session const& session) {
  shell::TextTable table({"corrected loads", "counted", "corrected"});
  constexpr int digits = 8;
  for (int const i : session.measured)
    if (session.loads[i] != session.countedLoads[i])
      table.add({session.names[i], shell::shortNumber(session.countedLoads[i], digits),
                 shell::shortNumber(session.loads[i], digits)});
  table.print(std::cout);
  std::cout << "all corrections are " << shell::shortNumber(100.0 * correctedShare(session), 3)
            << " % of what was counted\n";
}

void print(Session const& session, EstimateArguments const& arguments) {
  Estimate const& estimate = session.estimate;
  constexpr int digits = 10;
  auto const number = [](double value) { return shell::shortNumber(value, digits); };
  std::cout << "network      " << session.network.nodeCount() << " nodes, "
            << session.network.linkCount() << " links, " << session.measured.size() << " counters, "
            << session.prior.size() << " pairs\n"
            << "LP           " << arguments.formulation << ": " << estimate.rows << " rows, "
            << estimate.columns << " columns, " << estimate.nonzeros << " nonzeros\n"
            << "solver       " << arguments.solver << ", " << estimate.iterations << " iterations, "
            << shell::shortNumber(estimate.solveSeconds, 3) << " s\n"
            << "floor        " << shell::shortNumber(estimate.floor, 4) << ", "
            << estimate.pairsOnFloor << " estimates below it\n"
            << "status       " << statusName(statusOf(session)) << '\n';
  if (session.contradiction.exists()) {
    std::cout << "the loads contradict each other: " << sentenceOf(session) << '\n';
    if (!arguments.elastic)
      std::cout << "--elastic estimates from the smallest correction of the loads\n";
  }
  if (estimate.outcome == Outcome::infeasible && !session.contradiction.exists())
    std::cout << "no matrix meets the loads, by less than the solver can tell why\n";
  if (estimate.outcome != Outcome::optimal) return;
  std::cout << "objective    " << arguments.objective.name << ", q "
            << number(arguments.objective.q) << ": " << number(estimate.objectiveValue) << '\n'
            << "residual     " << shell::shortNumber(estimate.residual, 2)
            << " (largest relative difference from a counter)\n";
  if (session.contradiction.exists()) printCorrections(session);
  if (!session.truth.empty()) {
    printAccuracy(std::cout, estimatesOf(session), session.truth);
    printWorst(std::cout, estimate.matrix, session.truth, session.network, arguments.worst);
  }
  for (std::string const& path : session.files) std::cout << "wrote " << path << '\n';
}

ExitStatus run(EstimateArguments const& arguments) {
  require(arguments.worst >= 0, "--worst", "at least 0", arguments.worst);
  require(arguments.floor > 0.0 && arguments.floor <= 1.0, "--floor", "more than 0, at most 1",
          arguments.floor);
  choice("--solver", arguments.solver, solverNames());
  choice("--formulation", arguments.formulation, formulationNames);
  arguments.objective.objective();  // what is wrong with it shows before anything is read
  checkPrior(arguments);
  checkDistinct({{"--network", arguments.network.path},
                 {"--loads", arguments.loads},
                 {"--prior", arguments.prior},
                 {"--totals", arguments.totals},
                 {"--friction", arguments.friction},
                 {"--truth", arguments.truth}},
                {{"--out", arguments.out}, {"--mps", arguments.mps}});
  Session session = readAll(arguments);
  solve(session, arguments);
  writeResults(session, arguments);
  if (arguments.json)
    std::cout << toText(toJson(session, arguments)) << '\n';
  else
    print(session, arguments);
  return statusOf(session);
}

void addFiles(CLI::App& app, EstimateArguments& arguments) {
  app.add_option("--loads", arguments.loads, "link loads (CSV: link,source,target,load)")
      ->type_name("FILE")
      ->required();
  app.add_option("--prior", arguments.prior,
                 "an estimate (CSV: source,target,traffic), or the word gravity")
      ->type_name("FILE")
      ->required();
  app.add_option("--totals", arguments.totals,
                 "what nodes send and receive (CSV: node,out,in), for gravity and --access")
      ->type_name("FILE");
  app.add_flag("--access", arguments.access,
               "the totals are counters too: the result is to meet them like the link loads");
  app.add_option("--friction", arguments.friction,
                 "for gravity: CSV of source,target,friction, by which estimates are divided")
      ->type_name("FILE");
  app.add_flag("--balance", arguments.balanced,
               "for gravity: scale rows and columns until they sum to the totals");
  app.add_option("--truth", arguments.truth, "the true matrix (CSV), to compare with")
      ->type_name("FILE");
  app.add_option("--out", arguments.out, "write the result (CSV)")->type_name("FILE");
  app.add_option("--pictures", arguments.pictures,
                 "folder for matrices.svg, network.svg and, with --truth, errors.svg")
      ->type_name("FOLDER");
}

void addSolving(CLI::App& app, EstimateArguments& arguments) {
  char const* const group = "Linear program";
  auto const add = [&](char const* name, std::string& value, std::string const& help) {
    app.add_option(name, value, help + " [" + value + "]")->type_name("NAME")->group(group);
  };
  add("--formulation", arguments.formulation, "rows or deviations");
  add("--solver", arguments.solver, "cuda or clp");
  add("--engine", arguments.engine, "of solver cuda: auto, cuda or host");
  app.add_option("--floor", arguments.floor,
                 "smaller estimates, as a share of the mean one, count as this in the unit of "
                 "errors [0.0001]")
      ->group(group);
  app.add_option("--mps", arguments.mps,
                 "also write the LP: FILE.mps, or FILE.mps.gz where the solver compresses")
      ->type_name("FILE")
      ->group(group);
}

}  // namespace

Command estimateCommand() {
  auto const setUp = [](CLI::App& app) -> Run {
    auto const arguments = std::make_shared<EstimateArguments>();
    arguments->network.addTo(app, true);
    addFiles(app, *arguments);
    app.add_flag("--ignore-missing", arguments->ignoreMissing,
                 "links without a load put no condition on the traffic");
    app.add_flag("--elastic", arguments->elastic,
                 "if loads contradict each other: correct them by as little as possible");
    app.add_option("--worst", arguments->worst,
                   "with --truth: how many of the worst pairs to name");
    app.add_flag("--json", arguments->json, "print one JSON object on standard output");
    arguments->objective.addTo(app);
    addSolving(app, *arguments);
    return [arguments] { return run(*arguments); };
  };
  return {"estimate", "find the matrix nearest to an estimate that explains the link loads", setUp};
}

}  // namespace osi_cuda::examples::traffic
