// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
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

void add(std::string& lines, std::string const& label, std::string const& value) {
  lines += fmt::format("{:<12}{}\n", label, value);
}

std::string statusText(Status status) {
  std::string text = toString(status);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string algorithmText(Solution const& solution) {
  std::string const pricing = solution.pricing + " pricing";
  if (solution.algorithm != SolveAlgorithm::barrier)
    return toString(solution.algorithm) + (" simplex, " + pricing);
  return fmt::format("barrier, {} iterations in {:.3f} s", solution.barrierIterations,
                     solution.barrierSeconds) +
         (solution.pricing.empty() ? ", no crossover" : ", then simplex, " + pricing);
}

/// "presolve 0.002 s, dual 1: 57 in 0.010 s, primal 2: 3 in 0.001 s".
std::string phasesText(std::vector<SolvePhase> const& phases) {
  std::string text;
  for (SolvePhase const& ran : phases) {
    if (!text.empty()) text += ", ";
    text += toString(ran.algorithm);
    if (ran.phase > 0) text += fmt::format(" {}", ran.phase);
    if (ran.iterations > 0) text += fmt::format(": {} in", ran.iterations);
    text += fmt::format(" {:.3f} s", ran.seconds);
  }
  return text;
}

/// Ten decimals, unless that would show more digits than a double has.
std::string objectiveText(double objective) {
  constexpr double mostWithDecimals = 1e15;
  return std::fabs(objective) < mostWithDecimals ? fmt::format("{:.10f}", objective)
                                                 : fmt::format("{:.16e}", objective);
}

/// The error of the objective where it is known and not small; "" where there is nothing to say.
std::string errorText(Solution const& solution) {
  constexpr double small = 1e-6;
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  double const error = enclosure.errorOf(solution.objective);
  bool const shown =
      std::isfinite(error) && error > small * std::max(1.0, std::fabs(solution.objective));
  if (!shown) return "";
  return fmt::format("at most {:.2e}: the optimum is between {:.16g} and {:.16g}", error,
                     enclosure.lower, enclosure.upper);
}

std::string presolveText(PresolveReport const& presolve) {
  return fmt::format(
      "{} rows, {} columns, {} nonzeros left in {:.3f} s; {} iterations there, {} after",
      presolve.rows, presolve.columns, presolve.nonzeros, presolve.seconds, presolve.iterations,
      presolve.iterationsAfter);
}

std::string sizeText(LinearProgram const& lp) {
  return (lp.name.empty() ? std::string() : lp.name + ", ") +
         fmt::format("{} rows, {} columns, {} nonzeros", lp.rows(), lp.columns(),
                     countNonzeros(lp.matrix));
}

template <class NameOf>
void addEntries(std::string& lines, char const* label, std::vector<double> const& values,
                NameOf const& nameOf) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    add(lines, label, fmt::format("{:23.16e}  {}", values[i], nameOf(static_cast<int>(i))));
  }
}

/// A fraction with more characters than that is left to JSON: its digits are shown in any case.
constexpr std::size_t longestFraction = 60;

void addProof(std::string& lines, Solution const& solution) {
  ExactProof const& exact = solution.exact;
  add(lines, "proof",
      !exact.known() ? "not proved in exact arithmetic"
      : exact.status == solution.status
          ? "proved in exact arithmetic"
          : fmt::format("{} in exact arithmetic, proved", toString(exact.status)));
  if (exact.digits.empty()) return;
  bool const shown =
      exact.objective.find('/') != std::string::npos && exact.objective.size() <= longestFraction;
  add(lines, "exactly", exact.digits + (shown ? " = " + exact.objective : ""));
}

void addCertificate(std::string& lines, Result const& result) {
  LinearProgram const& lp = *result.problem;
  Solution const& solution = result.solution;
  if (solution.status == Status::infeasible) {
    FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
    if (proof.crossedColumn >= 0)
      add(lines, "crossed", "the bounds of column " + lp.columnName(proof.crossedColumn));
    if (proof.crossedRow >= 0)
      add(lines, "crossed", "the bounds of row " + lp.rowName(proof.crossedRow));
    addEntries(lines, "farkas", solution.farkas, [&](int i) { return lp.rowName(i); });
  }
  if (solution.status == Status::unbounded)
    addEntries(lines, "ray", solution.ray, [&](int j) { return lp.columnName(j); });
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
  if (status == Status::optimal || status == Status::interior) return ExitStatus::optimal;
  if (status == Status::infeasible || status == Status::unbounded) return ExitStatus::noOptimum;
  return status == Status::numerical ? ExitStatus::numerical : ExitStatus::stopped;
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

std::string toSummary(Result const& result) {
  Solution const& solution = result.solution;
  std::string lines;
  if (result.problem) add(lines, "problem", sizeText(*result.problem));
  add(lines, "status", statusText(solution.status));
  if (!solution.message.empty()) add(lines, "message", solution.message);
  if (hasObjective(result)) {
    add(lines, "objective", objectiveText(solution.objective));
    if (std::string const error = errorText(solution); !error.empty()) add(lines, "error", error);
  }
  if (std::string const columns = solution.relaxed.text("--integers"); !columns.empty())
    add(lines, "relaxed", columns);
  if (result.problem)
    add(lines, "iterations",
        fmt::format("{} ({} in phase 1)", solution.iterations, solution.phase1Iterations));
  if (!solution.phases.empty()) add(lines, "phases", phasesText(solution.phases));
  if (solution.presolve.used) add(lines, "presolve", presolveText(solution.presolve));
  PhaseSeconds const& seconds = result.seconds;
  add(lines, "seconds",
      fmt::format("{:.3f} (read {:.3f}, solve {:.3f})", seconds.total, seconds.read,
                  seconds.solve));
  if (result.before) {
    Before const& before = *result.before;
    add(lines, "in all",
        fmt::format("{} iterations and {:.3f} s of solving, resumed after {} and {:.3f}",
                    before.iterations + solution.iterations, before.seconds + seconds.solve,
                    before.iterations, before.seconds));
  }
  if (result.problem) {
    add(lines, "engine", toString(solution.engine) + (", " + solution.device));
    add(lines, "algorithm", algorithmText(solution));
  }
  if (hasObjective(result)) {
    Residuals const& residuals = solution.residuals;
    add(lines, "residuals",
        fmt::format("primal {:.1e}, dual {:.1e}, complementarity {:.1e}", residuals.primal,
                    residuals.dual, residuals.complementarity));
  }
  if (solution.exact.tried) addProof(lines, solution);
  for (Section const& section : result.sections)
    for (auto const& [label, text] : section.lines) add(lines, label, text);
  if (result.problem && result.certificates == Certificates::show) addCertificate(lines, result);
  return lines;
}

}  // namespace osi_cuda::cli
