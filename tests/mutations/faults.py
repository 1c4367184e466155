# SPDX-License-Identifier: EPL-2.0
"""Single faults to put into the simplex method's rules and proofs.

Each names a folder or file, a piece of its text that occurs there exactly once, with the expression
that is exchanged between « and », the expression that takes its place, why that is a fault, and the
tests that should see it, the quickest first.
"""
from typing import NamedTuple


class Fault(NamedTuple):
    where: str
    text: str
    new: str
    why: str
    tests: tuple


RULES = ("simplex/rules",)
LONG_STEP = ("simplex/long_step",)
PERTURBATION = ("simplex/perturbation",)
REFINEMENT = ("simplex/refinement",)
FLIPS = ("simplex/flips",)
RESIDUALS = ("model/residuals",)
WATCHES, WORKING = ("simplex/watches",), ("simplex/working_problem",)
PROVER, PRICING = ("simplex/prover",), ("simplex/pricing",)
SOLVER = ("simplex/solver", "simplex/wrong_claims", "simplex/scripted_engine")
CLAIMS = ("simplex/judge",)
simplex, model = "osi_cuda/simplex", "osi_cuda/model"

FAULTS = (
    # ---- rules: who is chosen, and where a step ends ----
    Fault(simplex, "return «a.key > b.key» || (a.key == b.key &&", "a.key < b.key",
          "the worse candidate is chosen", RULES),
    Fault(simplex, "(a.key == b.key && a.position >= 0 && «a.tie < b.tie»)", "a.tie > b.tie",
          "ties go to the larger number: the choice depends on the order", RULES),
    Fault(simplex, "return «value < upper && lower < upper»;", "value <= upper && lower < upper",
          "a variable at its upper bound may increase", RULES),
    Fault(simplex, "return «value > lower && lower < upper»;", "value > lower",
          "a fixed variable may move", RULES),
    Fault(simplex, "if («d > 0.0 && canDecrease(value, lower, upper)») return -d;", "d > 0.0",
          "a reduced cost attracts where the variable can't go", RULES),
    Fault(simplex, "if («x > upper + tolerance») return 1;", "x > lower + tolerance",
          "a feasible basic variable has a cost in phase 1", RULES),
    Fault(simplex, "double const bound = «rate > 0.0 ? lower : upper»;",
          "rate > 0.0 ? upper : lower", "a basic variable blocks at the bound behind it", RULES),
    Fault(simplex, "b.relaxed = «(gap > 0.0 ? gap + harris : harris) * inverse»;\n  b.target",
          "(gap > 0.0 ? gap : 0.0) * inverse", "Harris' test has no tolerance", RULES),
    Fault(simplex, "if («beyondFar») return b;", "false",
          "phase 1 stops at bounds that lie behind", RULES),
    Fault(simplex, "b.first = {«gap / a», (gap + harris) / a, nearBound};", "gap",
          "a distance is taken for a step", RULES),
    Fault(simplex, "double const gap = «a > 0.0 ? d : -d», inverse", "d",
          "the dual ratio test has a sign wrong", RULES),
    Fault(simplex,
          "if («a > 0.0 ? !canIncrease(value, lower, upper) : !canDecrease(value, lower, upper)»)",
          "a > 0.0 ? !canDecrease(value, lower, upper) : !canIncrease(value, lower, upper)",
          "the dual step is blocked by those that can't enter", RULES),
    Fault(simplex, "double const gain = «step < unlimited ? fabs(d) * step : unlimited»;",
          "fabs(d) * step", "rays compete by their slopes", RULES),
    Fault(simplex,
          "double const updated = «weight - 2.0 * ratio * product + ratio * ratio * pivotWeight»;",
          "weight + 2.0 * ratio * product + ratio * ratio * pivotWeight",
          "steepest edge weights follow the pivots with a sign wrong", RULES),
    Fault(simplex, "return «updated > floor ? updated : floor»;", "updated",
          "a weight may become 0 or negative by rounding", RULES),
    Fault(simplex, "return «grown > weight ? grown : weight»;", "grown",
          "devex weights shrink", RULES),
    Fault(simplex, "return «((signBits(l >> 6, i) >> (l & 63)) & 1) ? 1.0f : -1.0f»;", "1.0f",
          "the sketch has no random signs", RULES),
    Fault(simplex, "step.flip = «own <= step.length»;", "false",
          "the entering variable passes its own bound", FLIPS),
    # ---- the long step ----
    Fault(simplex, "double const enough = «0.1 * turn.largest < 1.0 ? 0.1 * turn.largest : 1.0»;",
          "0.0", "a tiny pivot is taken where a shorter step has a good one", LONG_STEP),
    Fault(simplex, "result.chosen = bestOf(«from», turn.ratio);", "-1.0",
          "breakpoints that were passed compete", LONG_STEP),
    # ---- perturbation ----
    Fault(simplex, "if («x < lower[v] - tolerance») lower[v]", "false",
          "a violated lower bound is not relaxed", PERTURBATION),
    Fault(simplex, "if («std::isfinite(d > 0.0 ? lower[v] : upper[v])») continue;",
          "std::isfinite(d > 0.0 ? upper[v] : lower[v])",
          "costs are modified where a bound could be gone to", PERTURBATION),
    Fault(simplex, "lower[v] -= «share(seed, 2 * v) * size * (1.0 + std::fabs(lower[v]))»;",
          "-share(seed, 2 * v) * size * (1.0 + std::fabs(lower[v]))",
          "perturbed bounds cut off feasible points", PERTURBATION),
    Fault(simplex, "perturbed[v] += «raise ? shift : -shift»;", "raise ? -shift : shift",
          "perturbed costs make a dual feasible basis infeasible", PERTURBATION),
    # ---- refined points ----
    Fault(simplex, "if («std::fabs(entry.hi) < 1e-24 * largest») entry = {};",
          "std::fabs(entry.hi) < 1e-3 * largest", "entries of a certificate are dropped", REFINEMENT),
    Fault(simplex, "for (DoubleDouble& b : rest) b = «-b»;", "b",
          "refined points have the sign of the nonbasic part wrong", REFINEMENT),
    Fault(simplex, "if («relative <= full || !(relative < 0.5 * before) || round == mostRounds»)",
          "true", "refinement ends before its first correction", REFINEMENT),
    # ---- the judge ----
    Fault(simplex,
          "return «residuals.primal <= options_.primalTolerance && residuals.dual <= "
          "options_.dualTolerance &&\n         residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)»;",
          "residuals.dual <= options_.dualTolerance && residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)",
          "an infeasible point is called optimal", CLAIMS),
    Fault(simplex,
          "return «residuals.primal <= options_.primalTolerance && residuals.dual <= "
          "options_.dualTolerance &&\n         residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)»;",
          "residuals.primal <= options_.primalTolerance",
          "any feasible point is called optimal", CLAIMS),
    Fault(simplex, "if («!accepts(solution.residuals)») return false;", "false",
          "whatever the engine ends at is called optimal", CLAIMS),
    Fault(simplex, "if («!proof.proved») return false;\n  solution.status = Status::infeasible;",
          "false", "infeasibility is claimed without a proof", CLAIMS),
    Fault(simplex, "if («!proof.proved») return false;\n  solution.status = Status::unbounded;",
          "false", "unboundedness is claimed without a proof", CLAIMS),
    Fault(simplex,
          "if («!verifyBound(lp_, solution.rowDuals, options_.objectiveLimit, "
          "options_.dualTolerance).proved»)",
          "false", "the objective limit counts as passed without a proof", CLAIMS),
    # ---- the control's parts ----
    Fault(simplex, "bool degenerate() const { return «degenerateRun_ >= mostDegenerate»; }", "false",
          "runs of steps of length zero are no stall", WATCHES),
    Fault(simplex, "(«!costsOfPhase1» && drift.dual", "true",
          "the reduced costs of phase 1 count as drift", WATCHES),
    Fault(simplex, "bounds_ = «trueBounds_»;\n  send();", "bounds_", "perturbed bounds stay", WORKING),
    Fault(simplex, "if (point_ && «plain_ && !plain») return;", "false",
          "a point in two parts is kept instead of one of doubles", PROVER),
    Fault(simplex, "return «rule.everywhere || phase2» ? rule.rule : rule.elsewhere;", "true",
          "a rule is asked for in phases that it is none for", PRICING),
    # ---- residuals and certificates ----
    Fault(model, "if («value > upper») violation", "false", "upper bounds are not looked at",
          RESIDUALS),
    Fault(model, "violation = «(lower - value) / (1.0L + std::fabs(lower))»;", "(lower - value)",
          "violations are absolute", RESIDUALS),
    Fault(model, "«i < lp.rows()»; ++i)\n    largest = std::max(largest, boundViolation(activity",
          "false", "rows are not looked at", RESIDUALS),
    Fault(model, "std::fabs(value - bound) <= «atBoundTolerance * (1.0L + std::fabs(bound))»;",
          "0.0L", "only what equals its bound to the last bit rests on it", RESIDUALS),
    Fault(model, "double const wanted = «reducedCost > 0.0L ? lower : upper»;",
          "reducedCost > 0.0L ? upper : lower", "reduced costs count at the other bound",
          RESIDUALS),
    Fault(model, "dual_ = «std::max(dual_, std::fabs(reducedCost) / unit)»;", "dual_",
          "wrong signs of reduced costs are not charged", RESIDUALS),
    Fault(model, "ledger.charge(«sign * whole(y, yLow, i)», activity[i]", "whole(y, yLow, i)",
          "duals of rows keep their sign under maximisation", RESIDUALS),
    Fault(model, "double const bound = «own.hi > 0.0 ? lp.rowLower[i] : lp.rowUpper[i]»;",
          "own.hi > 0.0 ? lp.rowUpper[i] : lp.rowLower[i]",
          "Farkas multipliers meet the wrong sides of rows", RESIDUALS),
    Fault(model, "} else if («!(std::fabs(z.value.hi) <= zero * z.scale)») {", "false",
          "columns without a bound may take part in a Farkas proof", RESIDUALS),
    Fault(model, "proof.proved = «gap.value.hi > zero * gap.scale»;", "true",
          "Farkas multipliers need no gap", RESIDUALS),
    Fault(model,
          "proof.proved = «gain > zero * slope.scale && proof.rayViolation <= zero &&\n"
          "                 proof.pointViolation <= feasibility»;",
          "gain > zero * slope.scale && proof.rayViolation <= zero",
          "a ray needs no feasible point", RESIDUALS),
    Fault(model,
          "proof.proved = «gain > zero * slope.scale && proof.rayViolation <= zero &&\n"
          "                 proof.pointViolation <= feasibility»;",
          "gain > zero * slope.scale && proof.pointViolation <= feasibility",
          "a ray may lead out of the bounds", RESIDUALS),
    Fault(model,
          "proof.proved = «finite && std::isfinite(proof.bound) && bound - noise > sign * "
          "Extended(limit)»;",
          "std::isfinite(proof.bound) && bound - noise > sign * Extended(limit)",
          "a bound on the objective may leave out what has no bound", RESIDUALS),
    # ---- the solve around all this ----
    Fault(simplex, "s.rowDuals[i] = «exact.y[i] * form.rowScale[i] / form.costScale»;",
          "exact.y[i] / form.rowScale[i] / form.costScale", "duals are unscaled the wrong way",
          REFINEMENT),
    Fault(simplex, "return «seconds() > task_.options.timeLimit»;", "false",
          "the time limit is ignored", SOLVER),
    Fault(simplex, "if (row == VariableStatus::atLower) return «VariableStatus::atUpper»;",
          "VariableStatus::atLower", "rows of a starting basis rest on the wrong side", SOLVER),
    Fault(simplex, "if («stop == Stop::ray») return Claim::unbounded;", "false",
          "a ray is taken for an optimum", SOLVER),
)
