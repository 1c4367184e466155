// SPDX-License-Identifier: EPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bridges/bridge.hpp"

namespace osi_cuda {

/// One way to solve a problem that takes part in a comparison.
struct Contestant {
  BridgePointer bridge;
  std::string algorithm;  ///< one of bridge->algorithms()

  std::string label() const { return bridge->name() + '/' + algorithm; }
};

/// "clp" (its default algorithm), "clp/primal" or "glpk/all", several of them separated by commas.
/// Throws std::invalid_argument with a message that lists what there is, and BridgeUnavailable for
/// a solver that is known and not here.
std::vector<Contestant> parseContestants(std::string const& list,
                                         std::vector<BridgePointer> const& among);

struct ComparisonOptions {
  /// Objectives agree when they differ by at most this, relative to 1 + |objective|.
  double objectiveTolerance = 1e-6;
  /// A claim of optimal is proved when no residual exceeds this.
  double proofTolerance = 1e-6;
  /// A claim of optimal is wrong when a residual exceeds this, whatever its objective is; the dual
  /// one relative to the largest cost or dual.
  double faultTolerance = 1e-3;
  double timeLimit = infinity;  ///< wall seconds, for each contestant
  int threads = 1;
  bool presolve = false;  ///< as BridgeOptions::presolve
  std::function<bool()> interrupted;
  /// Told after each contestant.
  std::function<void(struct Answer const&)> finished;
};

enum class Verdict {
  agrees,    ///< with the truth as far as it is known
  wrong,     ///< Answer::reason says why
  disputed,  ///< claims differ and no proof settles them
  stopped,   ///< made no claim: a limit, an interrupt, numerical trouble
  skipped    ///< the solver does not take this problem
};

char const* toString(Verdict verdict);

/// What one contestant said, and what was made of it.
struct Answer {
  std::string solver;   ///< Bridge::name()
  std::string version;  ///< Bridge::version()
  std::string algorithm;
  Solution solution;  ///< empty when skipped
  Verdict verdict = Verdict::stopped;
  bool proved = false;              ///< its own point or certificate proves its claim
  std::string reason;               ///< a message when wrong, disputed, stopped or skipped
  double relativeDifference = 0.0;  ///< |objective - truth's| / (1 + |truth's|); optimal claims

  std::string label() const { return solver + '/' + algorithm; }
  bool claims() const;  ///< optimal, infeasible or unbounded
};

/// What is known about the problem itself.
struct Truth {
  bool known = false;
  bool proved = false;  ///< by a point or certificate; else only nobody contradicts
  Status status = Status::numerical;
  double objective = 0.0;  ///< with status optimal
  std::string source;      ///< label of the answer whose proof or claim it is, or "arbiter"
};

struct Comparison {
  std::vector<Answer> answers;
  Truth truth;

  /// Is an answer wrong or disputed?
  bool disagreement() const;
};

/// Solves `lp` with each contestant in turn and verifies the answers. A solver that throws (other
/// than BridgeLimit and std::bad_alloc) counts as stopped, with its message as reason.
Comparison compareSolvers(LinearProgram const& lp, std::vector<Contestant> const& contestants,
                          ComparisonOptions const& options = {});

/// The verification alone, for answers whose solver, version, algorithm and solution are filled in.
/// Where claims differ and none of the contestants' own certificates settles it, `arbiters` search
/// for one: see arbiter.hpp.
Comparison judge(LinearProgram const& lp, std::vector<Answer> answers,
                 std::vector<BridgePointer> const& arbiters, ComparisonOptions const& options);

/// What another solver makes of a basis that one solver calls optimal.
struct WarmCheck {
  std::string label;       ///< who was asked
  Solution solution;       ///< what it ended with
  bool confirmed = false;  ///< optimal after 0 iterations, with the same objective
  std::string sentence;    ///< what it changed, when not confirmed
};

/// Hands the final basis of `answer` (optimal) to each contestant that starts from a basis.
std::vector<WarmCheck> warmChecks(LinearProgram const& lp, Answer const& answer,
                                  std::vector<Contestant> const& judges,
                                  ComparisonOptions const& options);

/// Certificates found by way of other problems, for claims that come without one. The solvers only
/// search: what they find is checked by verifyFarkas, verifyRay and residualsOf, so a wrong solver
/// can make a search fail but not prove anything false.
struct Certificates {
  std::optional<std::vector<double>> farkas;  ///< proves that no feasible point exists
  std::optional<std::vector<double>> point;   ///< a feasible point: primal residual <= 1e-6
  std::optional<std::vector<double>> ray;  ///< with `point`, proves that the objective has no bound
};

/// Solves, with one solver after the other until something is found,
///
///     min sum (p + q)   s.t.  rowLower <= A x + p - q <= rowUpper,  x in its bounds, p, q >= 0,
///
/// whose optimal x is a feasible point if there is one, and whose row duals are Farkas multipliers
/// otherwise; and, with a feasible point at hand,
///
///     min c'r (max when maximising)  s.t.  A r and r in the recession cones of their bounds,
///                                          -1 <= r <= 1,
///
/// whose optimal r is an improving ray if there is one.
Certificates searchCertificates(LinearProgram const& lp, std::vector<BridgePointer> const& solvers,
                                BridgeOptions const& options);

}  // namespace osi_cuda
