// SPDX-License-Identifier: EPL-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/result.hpp"
#include "osi_cuda/model/dense_entries.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::cli {
namespace {

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
