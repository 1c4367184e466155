# SPDX-License-Identifier: EPL-2.0
"""A solver for CVXPY, handed over as an instance.

>>> import cvxpy, osi_cuda.cvxpy
>>> x = cvxpy.Variable(2, nonneg=True)
>>> problem = cvxpy.Problem(cvxpy.Maximize(20 * x[0] + 9 * x[1]),
...                         [4 * x[0] + 2 * x[1] <= 40, 15 * x[0] + 5 * x[1] <= 120])
>>> round(float(problem.solve(solver=osi_cuda.cvxpy.OsiCuda())), 6)
188.0

`register` gives the solver its name, ``"OSI_CUDA"``. Only this module imports CVXPY.
"""

from __future__ import annotations

from typing import Any

import cvxpy.settings as names
import numpy as np
from cvxpy.error import SolverError
from cvxpy.reductions.solution import Solution as CvxpySolution
from cvxpy.reductions.solution import failure_solution
from cvxpy.reductions.solvers import defines, utilities
from cvxpy.reductions.solvers.conic_solvers.conic_solver import ConicSolver

from ._library import library
from ._problem import Problem
from ._solution import Status

_STATUS = {
    Status.OPTIMAL: names.OPTIMAL,
    Status.INTERIOR: names.OPTIMAL,
    Status.INFEASIBLE: names.INFEASIBLE,
    Status.UNBOUNDED: names.UNBOUNDED,
    Status.OBJECTIVE_LIMIT: names.USER_LIMIT,
    Status.ITERATION_LIMIT: names.USER_LIMIT,
    Status.TIME_LIMIT: names.USER_LIMIT,
    Status.INTERRUPTED: names.USER_LIMIT,
    Status.NUMERICAL: names.SOLVER_ERROR,
}


class OsiCuda(ConicSolver):
    """Linear problems: the cones of equations and of inequalities. Keywords of ``solve`` are the
    options of `osi_cuda.option_table`, with ``_`` for ``-``. With ``warm_start=True`` a problem of the
    same size as the one before starts from its last basis. ``problem.solver_stats.extra_stats`` is
    the whole `Solution`."""

    MIP_CAPABLE = False
    BOUNDED_VARIABLES = True

    def name(self) -> str:
        return "OSI_CUDA"

    def import_solver(self) -> None:
        library()

    def solve_via_data(
        self,
        data: dict[str, Any],
        warm_start: bool,
        verbose: bool,
        solver_opts: dict[str, Any],
        solver_cache: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Minimises ``c @ x`` with ``A @ x == b`` in the first rows, ``A @ x <= b`` in the others."""
        sides = np.asarray(data[names.B], dtype=np.float64)
        lower = sides.copy()
        lower[data[self.DIMS].zero :] = -np.inf
        bounds = [
            np.full(len(data[names.C]), absent) if data.get(name) is None else data[name]
            for name, absent in ((names.LOWER_BOUNDS, -np.inf), (names.UPPER_BOUNDS, np.inf))
        ]
        options = {name: value for name, value in solver_opts.items() if name != "use_quad_obj"}
        # No number is as large as such a bound wants it, and the library takes none.
        crossed = (lower == np.inf) | (sides == -np.inf)
        if crossed.any() or (bounds[0] == np.inf).any() or (bounds[1] == -np.inf).any():
            return {"status": names.INFEASIBLE, "found": None}
        problem = Problem(data[names.C], data[names.A], lower, sides, *bounds)
        try:
            problem.set_options(**options)
        except ValueError as error:
            raise SolverError(f"{self.name()}: {error}") from None
        before = None if solver_cache is None or not warm_start else solver_cache.get(self.name())
        if before is not None and (before.rows.size, before.columns.size) == problem.shape:
            problem.basis = before
        found = problem.solve()
        if verbose:
            print(f"{self.name()}: {found!r}")
        if solver_cache is not None:
            solver_cache[self.name()] = found.basis
        tolerance = max(float(problem.get_option("primal_tolerance")), found.residuals.primal * (
            found.status in (Status.OPTIMAL, Status.INTERIOR)
        ))
        return {"status": _STATUS[found.status], "found": found, "tolerance": tolerance}

    def invert(self, results: dict[str, Any], inverse_data: Any) -> CvxpySolution:
        """In the terms of CVXPY's problem: multipliers of ``A @ x <= b`` are not negative there."""
        status, found = results["status"], results["found"]
        if found is None:
            return failure_solution(status, {}, {})
        attributes = {
            names.SOLVE_TIME: found.seconds, names.NUM_ITERS: found.iterations,
            names.EXTRA_STATS: found,
        }
        constraints = inverse_data[self.EQ_CONSTR] + inverse_data[self.NEQ_CONSTR]

        def duals(numbers: Any) -> dict[Any, Any]:
            return dict(
                utilities.get_dual_values(-numbers, utilities.extract_dual_value, constraints)
            )

        # CVXPY wants numbers with a limit's status; those of no feasible point are NaN.
        if status in names.SOLUTION_PRESENT:
            none = not found.residuals.primal <= results["tolerance"]
            return CvxpySolution(
                status, np.nan if none else found.objective + inverse_data[names.OFFSET],
                {inverse_data[self.VAR_ID]: np.where(none, np.nan, found.x)}, duals(found.duals),
                attributes,
            )
        certificate = duals(found.farkas) if found.status is Status.INFEASIBLE else {}
        return failure_solution(status, attributes, certificate)

    def cite(self, data: Any) -> str:
        return (
            "@misc{osi_cuda, title = {osi\\_cuda: linear programs by a proving simplex solver}, "
            "howpublished = {Software}}"
        )


def register() -> None:
    """Makes ``problem.solve(solver="OSI_CUDA")`` work, and ``cvxpy.installed_solvers()`` name it, the
    last: no default changes. Packages that copy that list have to be imported later."""
    solver = OsiCuda()
    defines.SOLVER_MAP_CONIC.setdefault(solver.name(), solver)
    lists = defines.CONIC_SOLVERS, defines.INSTALLED_SOLVERS, defines.INSTALLED_CONIC_SOLVERS
    for known in lists:
        if solver.name() not in known:
            known.append(solver.name())
