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
RESIDUALS = ("proof/residuals", "proof/verifier")
WATCHES, WORKING = ("simplex/watches",), ("simplex/working_problem",)
PROVER, PRICING = ("simplex/prover",), ("simplex/pricing",)
SOLVER = ("simplex/solver", "simplex/wrong_claims", "simplex/scripted_engine")
CLAIMS = ("proof/statuses",)
simplex, proof = "osi_cuda/simplex", "osi_cuda/proof"

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
    Fault(simplex, "if («std::fabs(entry.hi) < double_double::solveRounding * largest») entry = {};",
          "std::fabs(entry.hi) < 1e-3 * largest", "entries of a certificate are dropped", REFINEMENT),
    Fault(simplex, "for (DoubleDouble& b : rest) b = «-b»;", "b",
          "refined points have the sign of the nonbasic part wrong", REFINEMENT),
    Fault(simplex, "if («relative <= full || !(relative < 0.5 * before) || round == mostRounds»)",
          "true", "refinement ends before its first correction", REFINEMENT),
    # ---- the verifier ----
    Fault(proof,
          "return «residuals.primal <= options_.primalTolerance && residuals.dual <= "
          "options_.dualTolerance &&\n         residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)»;",
          "residuals.dual <= options_.dualTolerance && residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)",
          "an infeasible point is called optimal", CLAIMS),
    Fault(proof,
          "return «residuals.primal <= options_.primalTolerance && residuals.dual <= "
          "options_.dualTolerance &&\n         residuals.complementarity <= "
          "std::max(options_.primalTolerance, options_.dualTolerance)»;",
          "residuals.primal <= options_.primalTolerance",
          "any feasible point is called optimal", CLAIMS),
    Fault(proof, "if («!accepts(solution.residuals)») return false;", "false",
          "whatever the engine ends at is called optimal", CLAIMS),
    Fault(proof, "if («!proof.proved») return false;\n  solution.status = status;",
          "false", "infeasibility and unboundedness are claimed without a proof", CLAIMS),
    Fault(proof,
          "if (!beyond && «!verifyBound(lp_, solution.rowDuals, limit, "
          "options_.dualTolerance).proved»)",
          "false", "the objective limit counts as passed without a proof", CLAIMS),
    # ---- the control's parts ----
    Fault(simplex, "bool degenerate() const { return «degenerateRun_ >= mostDegenerate»; }", "false",
          "runs of steps of length zero are no stall", WATCHES),
    Fault(simplex, "(«!costsOfPhase1» && drift.dual", "true",
          "the reduced costs of phase 1 count as drift", WATCHES),
    Fault(simplex, "cost_.reset();\n    «bounds_.reset()»;", "cost_.reset()", "perturbed bounds stay", WORKING),
    Fault(simplex, "if (point_ && «plain_ && !plain») return;", "false",
          "a point in two parts is kept instead of one of doubles", PROVER),
    Fault(simplex, "return «rule.everywhere || phase2» ? rule.rule : rule.elsewhere;", "true",
          "a rule is asked for in phases that it is none for", PRICING),
    # ---- residuals and certificates ----
    Fault(proof, "x + off < upper ? 0.0 : «excess(value, upper, 1.0)»;", "0.0",
          "upper bounds are not looked at", RESIDUALS),
    Fault(proof, "justAbove(«most / (1.0 + fabs(bound))»)", "most", "violations are absolute",
          RESIDUALS),
    Fault(proof, "(slack + «value.error * (1.0 + 0x1p-20)»)", "0.0",
          "a violation leaves out the rounding of its sum", RESIDUALS),
    Fault(proof, "charges.primal = worse(charges.primal, «violationOf(x, lower, upper)»);", "0.0",
          "bounds of columns are not looked at", RESIDUALS),
    Fault(proof, "return b <= a ? a : «b > a ? b : infinity»;", "b",
          "what is no number is no violation", RESIDUALS),
    Fault(proof, "fabs(value - bound) <= «atBound * (1.0 + fabs(bound))»;", "0.0",
          "only what equals its bound to the last bit rests on it", RESIDUALS),
    Fault(proof, "double const wanted = «d > 0.0 ? lower : upper», other", "d > 0.0 ? upper : lower",
          "reduced costs count at the other bound", RESIDUALS),
    Fault(proof, "if (!toGap) charges.dual = «worse(charges.dual, justAbove(size / unit))»;",
          "charges.dual", "wrong signs of reduced costs are not charged", RESIDUALS),
    Fault(proof, "if («toGap || wide») own", "toGap",
          "a wrong cost of a wide box is as good as a small one", RESIDUALS),
    Fault(proof, "bounded && «fabs(d) > rounding()»;", "true",
          "the rounding of multipliers counts by the width of boxes", RESIDUALS),
    Fault(proof, "charge(charges, «signedBy(point.multiplier(i))», activity", "point.multiplier(i)",
          "duals of rows keep their sign under maximisation", RESIDUALS),
    Fault(proof, "double const at = «f > 0.0 ? lower : upper», other", "f > 0.0 ? upper : lower",
          "Farkas multipliers meet the wrong sides of rows", RESIDUALS),
    Fault(proof, "} else if («size <= zero()») {", "true",
          "columns without a bound may take part in a Farkas proof", RESIDUALS),
    Fault(proof, "if («!(least > 0.0) || !(least > upward(zero * sums.scale))») return 0.0;", "false",
          "Farkas multipliers need no gap", RESIDUALS),
    Fault(proof, "if («sums.blocked > 0.0 || !(sums.violation <= zero)» || !(gain", "sums.blocked > 0.0",
          "a ray may lead rows out of their bounds", RESIDUALS),
    Fault(proof, "if («sums.blocked > 0.0 || !(sums.violation <= zero)» || !(gain",
          "!(sums.violation <= zero)", "a ray may lead columns out of their bounds", RESIDUALS),
    Fault(proof, "proof.proved = margin > 0.0 && «proof.pointViolation <= feasibility»;", "true",
          "a ray needs no feasible point", RESIDUALS),
    Fault(proof, "return «sums.broken > 0.0» ? -infinity : roundedDown", "false",
          "a bound on the objective may leave out what has no bound", RESIDUALS),
    Fault(proof, "lost = plainSum(s.lo, p.lo);\n    hi_ = s.hi;\n    lo_ = «plainSum(lo_, lost)»;", "lo_",
          "a sum forgets its remainders", RESIDUALS),
    Fault(proof, "if («verdict.primal == 0.0») most = roundedUp(value);", "true",
          "the value of a point that violates a bound closes an enclosure", RESIDUALS),
    Fault(proof, "own.whole = «infinity»;", "0.0",
          "an enclosure leaves out what has no bound", RESIDUALS),
    # ---- the solve around all this ----
    Fault(simplex, "s.rowDuals[i] = «exact.y[i] * form.rowScale[i] / form.costScale»;",
          "exact.y[i] / form.rowScale[i] / form.costScale", "duals are unscaled the wrong way",
          REFINEMENT),
    Fault("osi_cuda", "return «seconds() > allowedSeconds_» ? Limit::time", "false",
          "the time limit is ignored", SOLVER),
    Fault(simplex, "start.rows[i] : VariableStatus::basic,\n          «VariableStatus::atLower»",
          "VariableStatus::atUpper", "rows of a starting basis rest on the wrong side", SOLVER),
    Fault(simplex, "if («stop == Stop::ray») return Claim::unbounded;", "false",
          "a ray is taken for an optimum", SOLVER),
)
