// SPDX-License-Identifier: EPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <sstream>

#include "cli/result.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda::cli {
namespace {

/// printf into a string; for formats whose texts stay short.
[[gnu::format(printf, 1, 2)]] std::string format(char const* pattern, ...) {
  std::array<char, 200> text;
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text.data(), text.size(), pattern, arguments);
  va_end(arguments);
  return text.data();
}

class Lines {
 public:
  void add(char const* label, std::string const& value) {
    text_ << format("%-12s", label) << value << '\n';
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

std::string statusText(Status status) {
  std::string text = toString(status);
  for (char& letter : text) {
    if (letter == '_') letter = ' ';
  }
  return text;
}

std::string algorithmText(Solution const& solution) {
  std::string const pricing = solution.pricing + " pricing";
  if (solution.algorithm != "barrier") return solution.algorithm + " simplex, " + pricing;
  return format("barrier, %lld iterations in %.3f s",
                static_cast<long long>(solution.barrierIterations), solution.barrierSeconds) +
         (solution.pricing.empty() ? ", no crossover" : ", then simplex, " + pricing);
}

/// Ten decimals, unless that would show more digits than a double has.
std::string objectiveText(double objective) {
  constexpr double mostWithDecimals = 1e15;
  return std::fabs(objective) < mostWithDecimals ? format("%.10f", objective)
                                                 : format("%.16e", objective);
}

/// The error of the objective where it is known and not small; "" where there is nothing to say.
std::string errorText(Solution const& solution) {
  constexpr double small = 1e-6;
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  double const error = enclosure.errorOf(solution.objective);
  bool const shown =
      std::isfinite(error) && error > small * std::max(1.0, std::fabs(solution.objective));
  if (!shown) return "";
  return format("at most %.2e: the optimum is between %.16g and %.16g", error, enclosure.lower,
                enclosure.upper);
}

std::string presolveText(PresolveReport const& presolve) {
  return format(
      "%lld rows, %lld columns, %lld nonzeros left in %.3f s; %lld iterations there, %lld "
      "after",
      static_cast<long long>(presolve.rows), static_cast<long long>(presolve.columns),
      static_cast<long long>(presolve.nonzeros), presolve.seconds,
      static_cast<long long>(presolve.iterations),
      static_cast<long long>(presolve.iterationsAfter));
}

std::string sizeText(LinearProgram const& lp) {
  return (lp.name.empty() ? std::string() : lp.name + ", ") +
         format("%d rows, %d columns, %lld nonzeros", lp.rows(), lp.columns(),
                static_cast<long long>(lp.matrix.nonzeros()));
}

template <class NameOf>
void addEntries(Lines& lines, char const* label, std::vector<double> const& values,
                NameOf const& nameOf) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    lines.add(label, format("%23.16e  ", values[i]) + nameOf(static_cast<int>(i)));
  }
}

/// A fraction with more characters than that is left to JSON: its digits are shown in any case.
constexpr std::size_t longestFraction = 60;

void addProof(Lines& lines, ExactProof const& exact) {
  lines.add("proof",
            exact.proved ? "proved in exact arithmetic" : "not proved in exact arithmetic");
  if (exact.digits.empty()) return;
  bool const shown =
      exact.objective.find('/') != std::string::npos && exact.objective.size() <= longestFraction;
  lines.add("exactly", exact.digits + (shown ? " = " + exact.objective : ""));
}

void addCertificate(Lines& lines, Result const& result) {
  LinearProgram const& lp = *result.problem;
  Solution const& solution = result.solution;
  if (solution.status == Status::infeasible) {
    FarkasProof const proof = verifyFarkas(lp, solution.farkas, solution.farkasLow);
    if (proof.crossedColumn >= 0) {
      lines.add("crossed", "the bounds of column " + lp.columnName(proof.crossedColumn));
    }
    if (proof.crossedRow >= 0) {
      lines.add("crossed", "the bounds of row " + lp.rowName(proof.crossedRow));
    }
    addEntries(lines, "farkas", solution.farkas, [&](int i) { return lp.rowName(i); });
  }
  if (solution.status == Status::unbounded) {
    addEntries(lines, "ray", solution.ray, [&](int j) { return lp.columnName(j); });
  }
}

}  // namespace

std::string toSummary(Result const& result) {
  Solution const& solution = result.solution;
  Lines lines;
  if (result.problem) lines.add("problem", sizeText(*result.problem));
  lines.add("status", statusText(solution.status));
  if (!solution.message.empty()) lines.add("message", solution.message);
  if (hasObjective(result)) {
    lines.add("objective", objectiveText(solution.objective));
    if (std::string const error = errorText(solution); !error.empty()) lines.add("error", error);
  }
  if (result.problem) {
    lines.add("iterations",
              format("%lld (%lld in phase 1)", static_cast<long long>(solution.iterations),
                     static_cast<long long>(solution.phase1Iterations)));
  }
  if (solution.presolve.used) lines.add("presolve", presolveText(solution.presolve));
  PhaseSeconds const& seconds = result.seconds;
  lines.add("seconds",
            format("%.3f (read %.3f, solve %.3f)", seconds.total, seconds.read, seconds.solve));
  if (result.before) {
    Before const& before = *result.before;
    lines.add("in all", format("%lld iterations and %.3f s of solving, resumed after %lld and %.3f",
                               static_cast<long long>(before.iterations + solution.iterations),
                               before.seconds + seconds.solve,
                               static_cast<long long>(before.iterations), before.seconds));
  }
  if (result.problem) {
    lines.add("engine", solution.engine + ", " + solution.device);
    lines.add("algorithm", algorithmText(solution));
  }
  if (hasObjective(result)) {
    Residuals const& residuals = solution.residuals;
    lines.add("residuals", format("primal %.1e, dual %.1e, complementarity %.1e", residuals.primal,
                                  residuals.dual, residuals.complementarity));
  }
  if (solution.exact.tried) addProof(lines, solution.exact);
  for (Section const& section : result.sections)
    for (auto const& [label, text] : section.lines) lines.add(label.c_str(), text);
  if (result.problem && result.certificates == Certificates::show) addCertificate(lines, result);
  return lines.text();
}

}  // namespace osi_cuda::cli
