// SPDX-License-Identifier: EPL-2.0
#include "bridges/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <sstream>
#include <stdexcept>

#include "osi_cuda/base/errors.hpp"
#include "osi_cuda/base/spelling.hpp"
#include "osi_cuda/proof/residuals.hpp"

namespace osi_cuda {
namespace {

std::string precise(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

double relativeDifference(double a, double reference) {
  if (a == reference) return 0.0;
  double const difference = std::fabs(a - reference) / (1.0 + std::fabs(reference));
  return std::isnan(difference) ? infinity : difference;
}

/// Does the answer's own evidence carry its claim?
bool provesItself(LinearProgram const& lp, Answer const& answer, ComparisonOptions const& options) {
  Solution const& solution = answer.solution;
  switch (solution.status) {
    case Status::optimal:
      return solution.residuals.largest() <= options.proofTolerance &&
             relativeDifference(solution.objective, objectiveOf(lp, solution.columnValues)) <=
                 options.objectiveTolerance;
    case Status::infeasible:
      return verifyFarkas(lp, solution.farkas, solution.farkasLow).proved;
    case Status::unbounded:
      return verifyRay(lp, solution.columnValues, solution.ray, 1e-6, solution.rayLow, -1.0,
                       solution.columnValuesLow)
          .proved;
    default:
      return false;
  }
}

/// The size of costs and duals, against which a wrong-signed reduced cost is large or small. A
/// proof asks for more; this is for calling an answer wrong.
double dualSize(LinearProgram const& lp, Solution const& solution) {
  double largest = 0.0;
  for (auto const* list : {&lp.objective, &solution.rowDuals})
    for (double const value : *list) largest = std::max(largest, std::fabs(value));
  return 1.0 + largest;
}

/// A fault that needs no other solver to be seen, as a message; or empty.
std::string ownFault(LinearProgram const& lp, Answer const& answer,
                     ComparisonOptions const& options) {
  Solution const& solution = answer.solution;
  if (solution.status != Status::optimal) return {};
  if (solution.columnValues.size() != at(lp.columns())) return "claims an optimum without a point";
  Residuals const& residuals = solution.residuals;
  if (residuals.primal > options.faultTolerance)
    return "its point violates a bound by " + brief(residuals.primal);
  if (!solution.rowDuals.empty() &&
      !(residuals.dual <= options.faultTolerance * dualSize(lp, solution)))
    return "a reduced cost of its point has the wrong sign, by " + brief(residuals.dual);
  if (!solution.rowDuals.empty() && residuals.complementarity > options.faultTolerance)
    return "its primal and dual objective differ by " + brief(residuals.complementarity);
  double const objective = objectiveOf(lp, solution.columnValues);
  if (relativeDifference(solution.objective, objective) > options.objectiveTolerance)
    return "claims objective " + precise(solution.objective) + ", its point has " +
           precise(objective);
  return {};
}

bool sameClaim(Truth const& truth, Answer const& answer, ComparisonOptions const& options) {
  if (answer.solution.status != truth.status) return false;
  return truth.status != Status::optimal ||
         relativeDifference(answer.solution.objective, truth.objective) <=
             options.objectiveTolerance;
}

Truth truthOf(Answer const& answer) {
  return {true, answer.proved, answer.solution.status, answer.solution.objective, answer.label()};
}

/// The proved claim with the smallest residuals, or no truth.
Truth bestProvedClaim(std::vector<Answer> const& answers) {
  Answer const* best = nullptr;
  for (auto const& answer : answers) {
    if (!answer.proved) continue;
    if (!best || answer.solution.residuals.largest() < best->solution.residuals.largest())
      best = &answer;
  }
  return best ? truthOf(*best) : Truth{};
}

Answer const* firstSoundClaim(std::vector<Answer> const& answers) {
  for (auto const& answer : answers)
    if (answer.claims() && answer.verdict != Verdict::wrong) return &answer;
  return nullptr;
}

bool claimsDiffer(std::vector<Answer> const& answers, ComparisonOptions const& options) {
  Answer const* const first = firstSoundClaim(answers);
  if (!first) return false;
  Truth const claimed = truthOf(*first);
  return std::ranges::any_of(answers, [&](Answer const& answer) {
    return answer.claims() && answer.verdict != Verdict::wrong &&
           !sameClaim(claimed, answer, options);
  });
}

BridgeOptions bridgeOptionsOf(Contestant const& contestant, ComparisonOptions const& options) {
  BridgeOptions how;
  how.algorithm = contestant.algorithm;
  how.timeLimit = options.timeLimit;
  how.interrupted = options.interrupted;
  return how;
}

/// Turns to certificates nobody has given. A feasible point without a ray contradicts "infeasible"
/// and a missing ray is no proof of a bound, so only two statuses can come of it.
Truth arbitrate(LinearProgram const& lp, std::vector<BridgePointer> const& arbiters,
                ComparisonOptions const& options) {
  auto const found = searchCertificates(lp, arbiters, bridgeOptionsOf({}, options));
  if (found.farkas) return {true, true, Status::infeasible, 0.0, "arbiter"};
  if (found.ray) return {true, true, Status::unbounded, 0.0, "arbiter"};
  return {};
}

std::string evidence(Truth const& truth) {
  switch (truth.status) {
    case Status::infeasible:
      return "row multipliers of " + truth.source + " prove that there is no feasible point";
    case Status::unbounded:
      return "a ray of " + truth.source + " proves that the objective has no bound";
    default:
      return truth.source + " proves the optimum " + precise(truth.objective);
  }
}

void pronounce(Answer& answer, Truth const& truth, ComparisonOptions const& options) {
  if (!answer.claims() || answer.verdict == Verdict::wrong) return;
  if (!truth.known) {
    answer.verdict = Verdict::disputed;
    answer.reason = "claims differ, and no certificate settles them";
  } else if (sameClaim(truth, answer, options)) {
    answer.verdict = Verdict::agrees;
  } else if (answer.proved) {
    // Two proofs, each within its tolerance: the problem is at the edge, nobody is to blame.
    answer.verdict = Verdict::disputed;
    answer.reason = "both sides are proved within tolerance: " + evidence(truth);
  } else {
    answer.verdict = Verdict::wrong;
    answer.reason = (answer.solution.status == Status::optimal
                         ? "objective " + precise(answer.solution.objective)
                         : std::string("says ") + toString(answer.solution.status)) +
                    ", but " + evidence(truth);
  }
}

Answer answerOf(LinearProgram const& lp, Contestant const& contestant,
                ComparisonOptions const& options) {
  Answer answer;
  answer.solver = contestant.bridge->name();
  answer.version = contestant.bridge->version();
  answer.algorithm = contestant.algorithm;
  BridgeOptions how = bridgeOptionsOf(contestant, options);
  how.threads = options.threads;
  how.presolve = options.presolve;
  try {
    answer.solution = contestant.bridge->solve(lp, how);
  } catch (BridgeLimit const& limit) {
    answer.verdict = Verdict::skipped;
    answer.reason = limit.what();
  } catch (std::bad_alloc const&) {
    throw;
  } catch (DeviceLost const&) {
    throw;
  } catch (std::exception const& error) {
    answer.reason = error.what();
  }
  return answer;
}

std::vector<BridgePointer> solversOf(std::vector<Contestant> const& contestants) {
  std::vector<BridgePointer> solvers;
  for (auto const& contestant : contestants)
    if (std::ranges::find(solvers, contestant.bridge) == solvers.end())
      solvers.push_back(contestant.bridge);
  return solvers;
}

std::string knownNames(std::vector<BridgePointer> const& among) {
  std::string names;
  for (auto const& bridge : among) {
    names += names.empty() ? "" : "; ";
    names += bridge->name() + " with";
    for (auto const& algorithm : bridge->algorithms()) names += ' ' + algorithm;
  }
  return names;
}

}  // namespace

char const* toString(Verdict verdict) {
  constexpr char const* words[] = {"agrees", "wrong", "disputed", "stopped", "skipped"};
  static_assert(std::size(words) == static_cast<std::size_t>(Verdict::skipped) + 1);
  return words[static_cast<std::size_t>(verdict)];
}

bool Answer::claims() const {
  return verdict != Verdict::skipped &&
         (solution.status == Status::optimal || solution.status == Status::infeasible ||
          solution.status == Status::unbounded);
}

bool Comparison::disagreement() const {
  return std::ranges::any_of(answers, [](Answer const& answer) {
    return answer.verdict == Verdict::wrong || answer.verdict == Verdict::disputed;
  });
}

std::vector<Contestant> parseContestants(std::string const& list,
                                         std::vector<BridgePointer> const& among) {
  std::vector<Contestant> contestants;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    auto const slash = word.find('/');
    std::string const name = word.substr(0, slash);
    auto const bridge = findBridge(among, name);
    if (!bridge) {
      if (auto const why = whyUnavailable(name); !why.empty())
        throw BridgeUnavailable("solver " + name + " is not here: " + why);
      throw std::invalid_argument("no solver '" + name + "' here; there are " + knownNames(among));
    }
    auto const known = bridge->algorithms();
    std::string const algorithm =
        slash == std::string::npos ? known.front() : word.substr(slash + 1);
    bool const every = algorithm == "all";
    if (!every && std::ranges::find(known, algorithm) == known.end())
      throw std::invalid_argument("no algorithm '" + algorithm + "' of " + bridge->name() +
                                  "; there are " + knownNames({bridge}));
    for (auto const& one : known)
      if (every || one == algorithm) contestants.push_back({bridge, one});
  }
  if (contestants.empty()) throw std::invalid_argument("an empty list of solvers");
  return contestants;
}

Comparison judge(LinearProgram const& lp, std::vector<Answer> answers,
                 std::vector<BridgePointer> const& arbiters, ComparisonOptions const& options) {
  for (auto& answer : answers) {
    if (!answer.claims()) {
      if (answer.reason.empty()) answer.reason = answer.solution.message;
      continue;
    }
    answer.proved = provesItself(lp, answer, options);
    answer.reason = ownFault(lp, answer, options);
    if (!answer.reason.empty()) answer.verdict = Verdict::wrong;
  }
  Comparison comparison;
  comparison.truth = bestProvedClaim(answers);
  if (!comparison.truth.known && claimsDiffer(answers, options))
    comparison.truth = arbitrate(lp, arbiters, options);
  else if (!comparison.truth.known)
    if (auto const* claim = firstSoundClaim(answers)) comparison.truth = truthOf(*claim);
  for (auto& answer : answers) {
    pronounce(answer, comparison.truth, options);
    if (answer.solution.status == Status::optimal && comparison.truth.status == Status::optimal)
      answer.relativeDifference =
          relativeDifference(answer.solution.objective, comparison.truth.objective);
  }
  comparison.answers = std::move(answers);
  return comparison;
}

Comparison compareSolvers(LinearProgram const& lp, std::vector<Contestant> const& contestants,
                          ComparisonOptions const& options) {
  std::vector<Answer> answers;
  for (auto const& contestant : contestants) {
    if (options.interrupted && options.interrupted()) break;
    answers.push_back(answerOf(lp, contestant, options));
    if (options.finished) options.finished(answers.back());
  }
  return judge(lp, std::move(answers), solversOf(contestants), options);
}

std::vector<WarmCheck> warmChecks(LinearProgram const& lp, Answer const& answer,
                                  std::vector<Contestant> const& judges,
                                  ComparisonOptions const& options) {
  std::vector<WarmCheck> checks;
  if (answer.solution.status != Status::optimal || answer.solution.basis.empty()) return checks;
  for (auto const& contestant : judges) {
    if (!contestant.bridge->startsFromBasis(contestant.algorithm)) continue;
    WarmCheck check;
    check.label = contestant.label();
    BridgeOptions how = bridgeOptionsOf(contestant, options);
    how.startBasis = answer.solution.basis;
    try {
      check.solution = contestant.bridge->solve(lp, how);
    } catch (BridgeLimit const&) {
      continue;
    }
    Solution const& end = check.solution;
    double const moved = relativeDifference(end.objective, answer.solution.objective);
    check.confirmed = end.status == Status::optimal && end.iterations == 0 &&
                      moved <= options.objectiveTolerance && end.message.empty();
    if (!check.confirmed)
      check.sentence =
          concat(check.label, " made ", end.iterations, " iterations from the final basis of ",
                 answer.label(), " and ended ", toString(end.status), " with objective ",
                 precise(end.objective), " (", precise(answer.solution.objective), " before)",
                 (end.message.empty() ? "" : ": " + end.message));
    checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace osi_cuda
