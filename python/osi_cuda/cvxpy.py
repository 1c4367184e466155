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

from ._layers import is_undecided
from ._library import library
from ._problem import Problem
from ._solution import IntegerSolution, Status

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
    """Linear problems, also with integer and boolean variables: the cones of equations and of
    inequalities. Keywords of ``solve`` are the options of `osi_cuda.option_table`, with ``_`` for ``-``.
    With ``warm_start=True`` a problem of the same size as the one before starts from its last basis, a
    search from its last point. ``problem.solver_stats.extra_stats`` is the whole `Solution`, or
    `IntegerSolution`, with bound and gap."""

    MIP_CAPABLE = True
    BOUNDED_VARIABLES = True
    MI_SUPPORTED_CONSTRAINTS = ConicSolver.SUPPORTED_CONSTRAINTS

    def name(self) -> str:
        return "OSI_CUDA"

    def import_solver(self) -> None:
        library()

    def apply(self, problem: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The data of `solve_via_data`, with the variables that are boolean and integer."""
        data, inverse = super().apply(problem)
        for name, entries in ((names.BOOL_IDX, problem.x.boolean_idx), (names.INT_IDX, problem.x.integer_idx)):
            data[name] = [int(entry[0]) for entry in entries]
        return data, inverse

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
            np.full(len(data[names.C]), absent) if data.get(name) is None else np.array(data[name])
            for name, absent in ((names.LOWER_BOUNDS, -np.inf), (names.UPPER_BOUNDS, np.inf))
        ]
        whole = np.zeros(len(data[names.C]), dtype=bool)
        boolean = data.get(names.BOOL_IDX) or []
        whole[boolean + (data.get(names.INT_IDX) or [])] = True
        bounds[0][boolean] = np.maximum(bounds[0][boolean], 0.0)
        bounds[1][boolean] = np.minimum(bounds[1][boolean], 1.0)
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
        basis, point = (solver_cache or {}).get(self.name(), (None, None)) if warm_start else (None, None)
        if basis is not None and (basis.rows.size, basis.columns.size) == problem.shape:
            problem.basis = basis
        else:
            point = None
        found = problem._answer(whole, point, disp=verbose)
        if verbose:
            print(f"{self.name()}: {found!r}")
        has_point = problem._has_point(found)
        if solver_cache is not None:
            solver_cache[self.name()] = found.basis, found.x if has_point else None
        status = _STATUS[found.status]
        if is_undecided(found):
            status = names.INFEASIBLE_OR_UNBOUNDED
        return {"status": status, "found": found, "has_point": has_point}

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
            none = not results["has_point"]
            return CvxpySolution(
                status, np.nan if none else found.objective + inverse_data[names.OFFSET],
                {inverse_data[self.VAR_ID]: np.where(none, np.nan, found.x)},
                None if isinstance(found, IntegerSolution) else duals(found.duals), attributes,
            )
        certificate = {} if found.farkas is None else duals(found.farkas)
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
