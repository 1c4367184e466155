// SPDX-License-Identifier: EPL-2.0
#include "lab/stress/claim.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace osi_cuda::stress {
namespace {

constexpr std::array<char const*, 7> answerNames = {
    "optimal", "infeasible", "unbounded", "numerical", "time_limit", "crash", "hang"};

}  // namespace

char const* toString(Answer answer) {
  return answerNames[static_cast<std::size_t>(answer)];
}

bool Claim::standsUp() const {
  if (solver == "exact") return answered();
  if (settled != 0) return settled > 0;
  switch (answer) {
    case Answer::optimal:
      return judged.largest() <= falseResidual;
    case Answer::infeasible:
      return proof == Proof::exact;
    case Answer::unbounded:
      return proof == Proof::exact && judged.primal <= falseResidual;
    default:
      return false;
  }
}

Answer answerOf(Status status) {
  switch (status) {
    case Status::optimal:
    case Status::interior:
      return Answer::optimal;
    case Status::infeasible:
      return Answer::infeasible;
    case Status::unbounded:
      return Answer::unbounded;
    case Status::timeLimit:
    case Status::iterationLimit:
    case Status::interrupted:
      return Answer::timeLimit;
    default:
      return Answer::numerical;
  }
}

mpq_class relativeMiss(double objective, mpq_class const& optimum) {
  return abs(mpq_class(objective) - optimum) / (1 + abs(optimum));
}

std::string digitsOf(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void describe(LinearProgram const& lp, Solution const& solution, Claim& claim) {
  claim.answer = answerOf(solution.status);
  claim.objective = solution.objective;
  claim.reported = solution.residuals;
  claim.iterations = solution.iterations;
  claim.message = solution.message;
  claim.judged = judgedResiduals(lp, solution.columnValues, solution.rowDuals,
                                 solution.columnValuesLow, solution.rowDualsLow);
  // The last rounding of the exact number to a double is allowed for.
  claim.understated = claim.answer == Answer::optimal &&
                      claim.reported.primal < claim.judged.primal * (1.0 - 1e-12);
  if (solution.status == Status::infeasible) claim.proof = judgeFarkas(lp, farkasOf(solution));
  if (solution.status == Status::unbounded) claim.proof = judgeRay(lp, rayOf(solution));
}

void settle(Truth const& truth, LinearProgram const& lp, Solution const& solution, Claim& claim) {
  if (!truth.known || !claim.answered()) return;
  if (claim.answer != Answer::optimal) {
    if (answerOf(truth.status) == claim.answer) claim.settled = 1;
    // What there is a point for is not infeasible; what has an optimum is not unbounded.
    bool const denied = claim.answer == Answer::infeasible ? truth.status != Status::infeasible
                                                           : truth.status == Status::optimal;
    if (denied) claim.settled = -1;
    return;
  }
  ObjectiveEnclosure const& enclosure = solution.objectiveEnclosure;
  if (!contains(enclosure, truth, lp.sense)) {
    claim.settled = -1;
    claim.message = "the optimum " +
                    (truth.status == Status::optimal ? digitsOf(truth.optimum.get_d())
                                                     : std::string(toString(truth.status))) +
                    " is not between " + digitsOf(enclosure.lower) + " and " +
                    digitsOf(enclosure.upper);
  }
  if (truth.status != Status::optimal) return;
  mpq_class const unit = 1 + abs(truth.optimum);
  if (std::isfinite(claim.objective))
    claim.miss = relativeMiss(claim.objective, truth.optimum).get_d();
  claim.width =
      std::isfinite(enclosure.lower) && std::isfinite(enclosure.upper)
          ? mpq_class((mpq_class(enclosure.upper) - mpq_class(enclosure.lower)) / unit).get_d()
          : infinity;
}

std::string lineOf(Claim const& claim) {
  std::string message = claim.message;
  for (char& c : message)
    if (c == '\t' || c == '\n') c = ' ';
  std::string line;
  for (std::string const& field : {claim.solver,
                                   claim.variant,
                                   std::to_string(static_cast<int>(claim.answer)),
                                   digitsOf(claim.objective),
                                   digitsOf(claim.reported.primal),
                                   digitsOf(claim.reported.dual),
                                   digitsOf(claim.reported.complementarity),
                                   digitsOf(claim.judged.primal),
                                   digitsOf(claim.judged.dual),
                                   digitsOf(claim.judged.gap),
                                   digitsOf(claim.judged.objective),
                                   std::to_string(static_cast<int>(claim.proof)),
                                   std::string(claim.improvingRay ? "1" : "0"),
                                   digitsOf(claim.seconds),
                                   std::to_string(claim.iterations),
                                   std::to_string(claim.settled),
                                   digitsOf(claim.miss),
                                   digitsOf(claim.width),
                                   std::string(claim.understated ? "1" : "0"),
                                   message})
    line += (line.empty() ? "" : "\t") + field;
  return line;
}

Claim claimFrom(std::string const& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  if (fields.size() == 19) fields.emplace_back();
  if (fields.size() != 20) throw std::runtime_error("a worker sent what is no claim: " + line);
  auto number = [&](int k) { return std::strtod(fields[k].c_str(), nullptr); };
  Claim claim;
  claim.solver = fields[0];
  claim.variant = fields[1];
  claim.answer = static_cast<Answer>(std::stoi(fields[2]));
  claim.objective = number(3);
  claim.reported = {number(4), number(5), number(6)};
  claim.judged = {number(7), number(8), number(9), number(10)};
  claim.proof = static_cast<Proof>(std::stoi(fields[11]));
  claim.improvingRay = fields[12] == "1";
  claim.seconds = number(13);
  claim.iterations = std::stoll(fields[14]);
  claim.settled = std::stoi(fields[15]);
  claim.miss = number(16);
  claim.width = number(17);
  claim.understated = fields[18] == "1";
  claim.message = fields[19];
  return claim;
}

}  // namespace osi_cuda::stress
