# SPDX-License-Identifier: EPL-2.0
"""What `linprog` and `milp` return: results, statuses and messages as SciPy has them."""

from __future__ import annotations

import importlib
import sys
from typing import Any, TypeVar

import numpy as np

from ._arrays import Vector
from ._device import as_like
from ._problem import Problem
from ._solution import IntegerSolution, Proof, Solution, Status, VariableStatus

Kind = TypeVar("Kind")

_STATUS = {  # SciPy's numbers
    Status.OPTIMAL: 0, Status.ITERATION_LIMIT: 1, Status.TIME_LIMIT: 1, Status.INTERRUPTED: 1,
    Status.OBJECTIVE_LIMIT: 1, Status.INFEASIBLE: 2, Status.UNBOUNDED: 3, Status.NUMERICAL: 4,
    Status.INTERIOR: 0,
}
_MESSAGES = {
    Status.OPTIMAL: "Optimization terminated successfully: the point is optimal.",
    Status.INTERIOR: "Optimization terminated successfully: the point is optimal, but no vertex.",
    Status.ITERATION_LIMIT: "The iteration limit was reached.",
    Status.TIME_LIMIT: "The time limit was reached.",
    Status.INTERRUPTED: "The solve was interrupted.",
    Status.OBJECTIVE_LIMIT: "The optimum is worse than the objective limit.",
    Status.INFEASIBLE: "The problem is infeasible.",
    Status.UNBOUNDED: "The problem is unbounded.",
    Status.NUMERICAL: "Numerical difficulties: no status could be proved.",
}

_KEPT = ("basis", "ray", "farkas", "proof", "margin", "residuals", "seconds")  # of a `Solution`


class OptimizeWarning(UserWarning):
    """An argument of `linprog` or `milp` that has no effect."""


class OptimizeResult(dict[str, Any]):
    """A dictionary whose items are attributes as well."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the result has no {name!r}") from None

    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__

    def __dir__(self) -> list[str]:
        return sorted(self)

    def like(self, array: Any) -> OptimizeResult:
        """The same with its vectors as arrays of the library that `array` is of, on its device:
        PyTorch, CuPy, JAX, Numba or NumPy. The basis stays as it is."""

        def moved(value: Any) -> Any:
            if isinstance(value, OptimizeResult):
                return value.like(array)
            return as_like(value, array) if isinstance(value, np.ndarray) else value

        return type(self)({name: moved(value) for name, value in self.items()})

    def __repr__(self) -> str:
        if not self:
            return f"{type(self).__name__}()"
        width = max(map(len, self)) + 1
        indent = "\n" + " " * (width + 2)
        return "\n".join(
            f"{name:>{width}}: " + repr(value).replace("\n", indent) for name, value in self.items()
        )


def scipys(kind: type[Kind]) -> type[Kind]:
    """A class of this module that is SciPy's of that name as well, where SciPy is imported."""
    if "scipy.optimize" not in sys.modules:
        return kind
    classes = importlib.import_module("._scipy_classes", __package__)
    found: type[Kind] = getattr(classes, kind.__name__)
    return found


def _outcome(problem: Problem, solution: Solution) -> tuple[dict[str, Any], bool]:
    """Message, success and status, as SciPy numbers them, and whether there is a point."""
    status, message = _STATUS[solution.status], _MESSAGES[solution.status]
    known = solution.status not in (Status.INFEASIBLE, Status.UNBOUNDED)
    if isinstance(solution, IntegerSolution):
        known = problem._has_point(solution)
        if solution.status is Status.UNBOUNDED:
            status, message = 4, "The problem is unbounded or infeasible:"
        elif solution.status is Status.OPTIMAL and (solution.proof is Proof.NONE or solution.gap > 0):
            source = "" if solution.proof else " by what the search claims"
            message = f"Optimization terminated successfully: the point is within the gap {solution.gap:.3g}{source}."
    text = " ".join(filter(None, (message, solution.message)))
    return {"message": text, "success": status == 0, "status": status}, known


def _of_search(solution: Solution, known: bool) -> dict[str, Any]:
    """Gap, bound and nodes of a search, as SciPy names them; nothing of another solve."""
    if not isinstance(solution, IntegerSolution):
        return {}
    bounded = np.isfinite(solution.bound)
    return {
        "mip_node_count": solution.nodes if known or bounded else None,
        "mip_dual_bound": solution.bound if bounded else None,
        "mip_gap": solution.gap if known else None, "point_proof": solution.point_proof,
    }


def milp_result(problem: Problem, solution: Solution) -> OptimizeResult:
    outcome, known = _outcome(problem, solution)
    search = {"mip_node_count": 0, "mip_dual_bound": solution.objective if known else None,
              "mip_gap": 0.0 if known else None, **_of_search(solution, known)}
    return scipys(OptimizeResult)(
        **outcome, fun=solution.objective if known else None, x=solution.x if known else None, **search,
        **{name: getattr(solution, name) for name in ("objective_lower", "objective_upper", *_KEPT[3:])},
    )


def linprog_result(
    problem: Problem, solution: Solution, upper_side: Vector, equal_side: Vector, lower: Vector, upper: Vector
) -> OptimizeResult:
    kind = scipys(OptimizeResult)
    rows = upper_side.size
    outcome, known = _outcome(problem, solution)
    slack = upper_side - solution.activity[:rows]
    con = equal_side - solution.activity[rows:]
    # A reduced cost is what a unit of the bound costs on which its variable rests; that of a basic
    # variable is zero but for rounding.
    basic = solution.basis.columns == VariableStatus.BASIC
    marginals = np.where(basic, 0.0, solution.reduced_costs)
    of_lower, of_upper = np.maximum(marginals, 0.0), np.minimum(marginals, 0.0)

    def sensitivity(residual: Vector, marginals: Vector) -> OptimizeResult:
        return kind(
            residual=residual if known else None, marginals=marginals if known else None
        )

    names = "objective_lower", "objective_upper", "objective_error", "x", "x_low", "y_low"
    point = {
        "fun": solution.objective, **{name: getattr(solution, name) for name in names},
        "slack": slack, "con": con,
    }
    return kind(
        **outcome,
        **{name: value if known else None for name, value in point.items()},
        nit=solution.barrier_iterations or solution.iterations,
        crossover_nit=solution.iterations if solution.barrier_iterations else 0,
        lower=sensitivity(solution.x - lower, of_lower),
        upper=sensitivity(upper - solution.x, of_upper),
        eqlin=sensitivity(con, solution.duals[rows:]),
        ineqlin=sensitivity(slack, solution.duals[:rows]),
        **_of_search(solution, known),
        **{name: getattr(solution, name) for name in _KEPT},
    )


def impossible(column: int) -> OptimizeResult:
    """The result where a variable would have to be infinite."""
    kind = scipys(OptimizeResult)
    nothing = kind(residual=None, marginals=None)
    return kind(
        message=f"The problem is infeasible: variable {column} would have to be infinite.",
        success=False, status=2, fun=None, objective_lower=None, objective_upper=None,
        objective_error=None, x=None, x_low=None, y_low=None, nit=0, crossover_nit=0, lower=nothing,
        upper=nothing, eqlin=nothing, ineqlin=nothing, slack=None, con=None, basis=None, ray=None,
        farkas=None, mip_gap=None, mip_dual_bound=None, mip_node_count=None, proof=Proof.EXACT, margin=np.inf, residuals=None, seconds=0.0,
    )
