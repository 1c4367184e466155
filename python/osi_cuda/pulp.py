# SPDX-License-Identifier: EPL-2.0
"""A solver for PuLP, handed over as an instance; the problem does not go through a file.

>>> import pulp, osi_cuda.pulp
>>> problem = pulp.LpProblem("furniture", pulp.LpMaximize)
>>> tables, chairs = pulp.LpVariable("tables", 0), pulp.LpVariable("chairs", 0)
>>> problem += 20 * tables + 9 * chairs
>>> problem += 4 * tables + 2 * chairs <= 40
>>> problem += 15 * tables + 5 * chairs <= 120
>>> problem.solve(osi_cuda.pulp.OsiCuda(msg=False))
1
>>> tables.varValue, chairs.varValue
(4.0, 12.0)

``import osi_cuda.pulp`` also gives the solver its name: ``pulp.getSolver("OSI_CUDA")``. Only this module
imports PuLP.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
from pulp import apis, constants
from pulp.apis.core import LpSolver, PulpSolverError

from ._arrays import by_rows
from ._library import library
from ._problem import Problem
from ._solution import Basis, Solution, Status, VariableStatus

_STATUS = {
    Status.OPTIMAL: (constants.LpStatusOptimal, constants.LpSolutionOptimal),
    Status.INTERIOR: (constants.LpStatusOptimal, constants.LpSolutionOptimal),
    Status.INFEASIBLE: (constants.LpStatusInfeasible, constants.LpSolutionInfeasible),
    Status.UNBOUNDED: (constants.LpStatusUnbounded, constants.LpSolutionUnbounded),
}
_NOT_SOLVED = (constants.LpStatusNotSolved, constants.LpSolutionNoSolutionFound)


class OsiCuda(LpSolver):
    """Continuous problems; after a solve ``problem.osi_cuda_solution`` is the whole `Solution`.

    Parameters
    ----------
    mip : bool
        False solves for integer variables as if they were continuous; else they are refused.
    msg : bool
        Print a line about what came of it.
    timeLimit : float, optional
        Seconds.
    warmStart : bool
        Start from the basis of this instance's last solve, as far as variables and constraints have
        the same names.
    **options
        Those of `osi_cuda.option_table`, with ``_`` for ``-``; PuLP's ``threads`` is one of them.
    """

    name = "OSI_CUDA"

    def __init__(
        self,
        mip: bool = True,
        msg: bool = True,
        timeLimit: float | None = None,  # noqa: N803: PuLP's name
        warmStart: bool = False,  # noqa: N803
        **options: Any,
    ) -> None:
        super().__init__(mip=mip, msg=msg, timeLimit=timeLimit, **options)
        self.warmStart = warmStart
        self._columns: dict[str, int] = {}  # statuses of the last basis, by name
        self._rows: dict[str, int] = {}

    def copy(self) -> OsiCuda:
        return OsiCuda(
            self.mip, self.msg, self.timeLimit, self.warmStart, **self.optionsDict
        )

    def toDict(self) -> dict[str, Any]:
        return {**super().toDict(), "warmStart": self.warmStart}

    to_dict = toDict

    def available(self) -> bool:
        try:
            library()
        except ImportError:
            return False
        return True

    def actualSolve(self, lp: Any, **ignored: Any) -> int:
        """Called by ``LpProblem.solve``."""
        variables = lp.variables()
        if self.mip and any(variable.cat == constants.LpInteger for variable in variables):
            raise PulpSolverError(
                f"{self.name} solves for continuous variables only; mip=False drops the condition "
                "that some are integers"
            )
        if lp.sos1 or lp.sos2:
            raise PulpSolverError(f"{self.name} does not solve problems with special ordered sets")
        constraints = getattr(lp, "_constraints", None) or dict(lp.constraints)
        problem = _problem_of(lp, variables, constraints.values())
        options = dict(self.optionsDict)
        if self.timeLimit is not None:
            options["time_limit"] = self.timeLimit
        try:
            problem.set_options(**options)
        except ValueError as error:
            raise PulpSolverError(f"{self.name}: {error}") from None
        if self.warmStart and self._columns:
            problem.basis = self._basis_for(variables, constraints)
        integers = sum(variable.cat == constants.LpInteger for variable in variables)
        solution = dataclasses.replace(problem.solve(), relaxed_integers=integers)
        self._columns = _by_name((variable.name for variable in variables), solution.basis.columns)
        self._rows = _by_name(constraints, solution.basis.rows)
        _hand_over(lp, solution, variables, constraints.values())
        if self.msg:
            print(f"{self.name}: {solution!r}")
        status, solution_status = _STATUS.get(solution.status, _NOT_SOLVED)
        lp.assignStatus(status, solution_status)
        lp.osi_cuda_solution = solution
        return int(status)

    def _basis_for(self, variables: list[Any], constraints: dict[str, Any]) -> Basis:
        nonbasic, basic = int(VariableStatus.AT_LOWER), int(VariableStatus.BASIC)
        return Basis(
            np.array([self._columns.get(v.name, nonbasic) for v in variables], dtype=np.uint8),
            np.array([self._rows.get(name, basic) for name in constraints], dtype=np.uint8),
        )


def _by_name(names: Iterable[str], statuses: Any) -> dict[str, int]:
    return dict(zip(names, map(int, statuses), strict=True))


def _problem_of(lp: Any, variables: list[Any], constraints: Collection[Any]) -> Problem:
    place = {variable: j for j, variable in enumerate(variables)}
    rows = [
        {place[variable]: value for variable, value in constraint.items() if value != 0}
        for constraint in constraints
    ]
    costs = np.zeros(len(variables))
    for variable, coefficient in lp.objective.items():
        costs[place[variable]] += coefficient
    return Problem(
        costs, by_rows(rows, len(variables)),
        [constraint.getLb() for constraint in constraints], [constraint.getUb() for constraint in constraints],
        [variable.lowBound for variable in variables], [variable.upBound for variable in variables],
        sense="max" if lp.sense == constants.LpMaximize else "min",
        offset=lp.objective.constant or 0.0,
    )


def _hand_over(
    lp: Any, solution: Solution, variables: list[Any], constraints: Iterable[Any]
) -> None:
    """Values, duals and slacks into PuLP's own objects."""
    for j, variable in enumerate(variables):
        variable.varValue = float(solution.x[j])
        variable.dj = float(solution.reduced_costs[j])
        variable.modified = False
    for i, constraint in enumerate(constraints):
        # A constraint of PuLP holds its right-hand side as -constant; the slack of "<=" is what is
        # left to it, that of others what goes beyond.
        slack = constraint.constant + float(solution.activity[i])
        constraint.slack = -slack if constraint.sense == constants.LpConstraintLE else slack
        constraint.pi = float(solution.duals[i])
        constraint.modified = False


if OsiCuda not in apis._all_solvers:
    apis._all_solvers.append(OsiCuda)
