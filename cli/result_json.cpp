// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <cmath>

#include "cli/result.hpp"
#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::cli {
namespace {

using Json = nlohmann::ordered_json;

Json textOrNull(std::string const& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json residualsJson(Result const& result) {
  bool const known = hasObjective(result);
  Residuals const& residuals = result.solution.residuals;
  auto const value = [known](double residual) {
    return known ? numberOrNull(residual) : Json(nullptr);
  };
  return {{"primal", value(residuals.primal)},
          {"dual", value(residuals.dual)},
          {"complementarity", value(residuals.complementarity)}};
}

/// The names of crossed bounds prove infeasibility by themselves, without multipliers.
void addFarkas(Json& json, Result const& result) {
  LinearProgram const& lp = *result.problem;
  json["farkas"] = nonzeros(result.solution.farkas, [&](int i) { return lp.rowName(i); });
  FarkasProof const proof = verifyFarkas(lp, result.solution.farkas);
  if (proof.crossedColumn >= 0) json["crossed_column"] = lp.columnName(proof.crossedColumn);
  if (proof.crossedRow >= 0) json["crossed_row"] = lp.rowName(proof.crossedRow);
}

/// The choices of a first solve, each with the seconds that are expected of every way.
Json planJson(PlanReport const& plan) {
  Json json = Json::array();
  for (PlanChoice const& choice : plan.choices) {
    Json ways = Json::object();
    for (PlanWay const& way : choice.ways) ways[way.name] = numberOrNull(way.seconds);
    json.push_back({{"choice", choice.subject},
                    {"chosen", choice.chosen},
                    {"reason", choice.reason},
                    {"expected_seconds", std::move(ways)}});
  }
  return json;
}

Json presolveJson(PresolveReport const& presolve) {
  return {{"rows", presolve.rows},
          {"columns", presolve.columns},
          {"nonzeros", presolve.nonzeros},
          {"seconds", presolve.seconds},
          {"iterations", presolve.iterations},
          {"iterations_after", presolve.iterationsAfter}};
}

/// Texts, not numbers: they have more digits than a double.
Json exactJson(ExactProof const& exact) {
  return {{"proved", exact.known()},
          {"status", exact.known() ? Json(toString(exact.status)) : Json(nullptr)},
          {"objective", textOrNull(exact.objective)},
          {"digits", textOrNull(exact.digits)},
          {"message", exact.message},
          {"seconds", exact.seconds}};
}

}  // namespace

Section searchSection(IntegerSolution const& found) {
  SearchProgress const& search = found.search;
  bool const point = found.pointProof != ProofGrade::none;
  Section section;
  section.key = "search";
  section.json = {{"by", found.own ? "own" : "cbc"},
                  {"bound", numberOrNull(search.bound)},
                  {"bound_proved", found.boundIsProved},
                  {"confirmed_by", found.confirmedBy},
                  {"gap", numberOrNull(search.gap())},
                  {"nodes", search.nodes},
                  {"cuts", found.cuts},
                  {"linear_programs", found.solves},
                  {"point_proof", toString(found.pointProof)}};
  if (found.pointExact.tried) section.json["point_exact"] = exactJson(found.pointExact);
  if (!found.searched) return section;
  section.add("bound", fmt::format("{:.10f}, gap {:.2e}", search.bound, search.gap()));
  section.add("search", fmt::format("{} nodes, {} cuts, {} linear programs", search.nodes,
                                    found.cuts, found.solves));
  std::int64_t const nodes = found.own ? search.nodes : found.confirmedBy;
  std::string const bound = !found.boundIsProved ? "the bound is the search's claim"
                            : nodes > 0          ? fmt::format("the bound, by {} nodes", nodes)
                                                 : "the bound, by the relaxation";
  if (point)
    section.add("proved", fmt::format("the point ({}); {}", toString(found.pointProof), bound));
  else if (found.boundIsProved)
    section.add("proved", bound);
  return section;
}

void addRelaxed(Json& json, RelaxedColumns const& relaxed) {
  for (auto const& [key, count] : relaxedCounts) json[key] = relaxed.*count;
}

Json nonzeros(std::vector<double> const& values, std::function<std::string(int)> const& nameOf) {
  Json json = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != 0.0) json[nameOf(static_cast<int>(k))] = numberOrNull(values[k]);
  return json;
}

ExitStatus exitStatusOf(Status status) {
  switch (status) {
    case Status::optimal:
    case Status::interior:
      return ExitStatus::optimal;
    case Status::infeasible:
    case Status::unbounded:
      return ExitStatus::noOptimum;
    case Status::objectiveLimit:
    case Status::iterationLimit:
    case Status::timeLimit:
    case Status::interrupted:
      return ExitStatus::stopped;
    case Status::numerical:
      break;
  }
  return ExitStatus::numerical;
}

bool hasObjective(Result const& result) {
  Status const status = result.solution.status;
  return result.problem && status != Status::infeasible && status != Status::unbounded &&
         !std::isnan(result.solution.objective);
}

nlohmann::ordered_json toJson(Result const& result) {
  Solution const& solution = result.solution;
  LinearProgram const* const lp = result.problem;
  Json json;
  json["status"] = toString(solution.status);
  if (!solution.message.empty()) json["message"] = solution.message;
  json["objective"] = hasObjective(result) ? numberOrNull(solution.objective) : Json(nullptr);
  ObjectiveEnclosure const enclosure =
      hasObjective(result) ? solution.objectiveEnclosure : ObjectiveEnclosure();
  json["objective_lower"] = numberOrNull(enclosure.lower);
  json["objective_upper"] = numberOrNull(enclosure.upper);
  json["objective_error"] = numberOrNull(enclosure.errorOf(solution.objective));
  addRelaxed(json, solution.relaxed);
  json["iterations"] = solution.iterations;
  json["phase1_iterations"] = solution.phase1Iterations;
  if (solution.algorithm == SolveAlgorithm::barrier)
    json["barrier"] = {{"iterations", solution.barrierIterations},
                       {"seconds", solution.barrierSeconds}};
  json["phases"] = Json::array();
  for (SolvePhase const& ran : solution.phases)
    json["phases"].push_back({{"algorithm", toString(ran.algorithm)},
                              {"phase", ran.phase},
                              {"iterations", ran.iterations},
                              {"seconds", ran.seconds}});
  json["plan"] = planJson(solution.plan);
  json["stages"] = Json::object();
  for (StageSeconds const& took : solution.plan.stages) json["stages"][took.stage] = took.seconds;
  if (solution.presolve.used) json["presolve"] = presolveJson(solution.presolve);
  json["seconds"] = {{"read", result.seconds.read},
                     {"presolve", solution.presolve.seconds},
                     {"solve", result.seconds.solve},
                     {"total", result.seconds.total}};
  json["engine"] = textOrNull(toString(solution.engine));
  json["device"] = textOrNull(solution.device);
  json["algorithm"] = textOrNull(toString(solution.algorithm));
  json["pricing"] = textOrNull(solution.pricing);
  json["residuals"] = residualsJson(result);
  json["proof"] = toString(solution.proof);
  bool const certified =
      solution.status == Status::infeasible || solution.status == Status::unbounded;
  json["margin"] = certified ? numberOrNull(solution.margin) : Json(nullptr);
  if (solution.exact.tried) json["exact"] = exactJson(solution.exact);
  for (Section const& section : result.sections) json[section.key] = section.json;
  json["rows"] = lp ? Json(lp->rows()) : Json(nullptr);
  json["columns"] = lp ? Json(lp->columns()) : Json(nullptr);
  json["nonzeros"] = lp ? Json(countNonzeros(lp->matrix)) : Json(nullptr);
  json["file"] = result.file;
  json["notices"] = result.notices;
  json["version"] = OSI_CUDA_VERSION;
  if (result.before) {
    json["before"] = {{"iterations", result.before->iterations},
                      {"seconds", result.before->seconds}};
    json["total"] = {{"iterations", result.before->iterations + solution.iterations},
                     {"seconds", result.before->seconds + result.seconds.solve}};
  }
  if (result.certificates == Certificates::show) {
    if (solution.status == Status::infeasible) addFarkas(json, result);
    if (solution.status == Status::unbounded)
      json["ray"] = nonzeros(solution.ray, [&](int j) { return lp->columnName(j); });
  }
  return json;
}

}  // namespace osi_cuda::cli
