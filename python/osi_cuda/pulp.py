# SPDX-License-Identifier: EPL-2.0
"""A solver for PuLP 3.3 and 4, handed over as an instance; the problem does not go through a file.

>>> import pulp, osi_cuda.pulp
>>> problem = pulp.LpProblem("furniture", pulp.LpMaximize)
>>> tables, chairs = (problem.add_variable(name, 0, cat="Integer") for name in ("tables", "chairs"))
>>> problem += 20 * tables + 9 * chairs
>>> problem += 4 * tables + 2 * chairs <= 40
>>> problem += 15 * tables + 5 * chairs <= 120
>>> status = problem.solve(osi_cuda.pulp.OsiCuda(msg=False))
>>> tables.varValue, chairs.varValue
(4.0, 12.0)

``import osi_cuda.pulp`` also gives the solver its name: ``pulp.getSolver("OSI_CUDA")``. Only this module
imports PuLP.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable
from typing import Any

import numpy as np
from pulp import apis, constants
from pulp.apis import core

from ._arrays import Vector, by_rows
from ._layers import basis_by_name, by_name, is_undecided, teller
from ._library import library
from ._options import option_names, suggestion
from ._problem import Problem
from ._solution import IntegerSolution, Solution, Status

_IS_4 = hasattr(constants, "LpSolveStatus")
# PuLP's names of the status of each end; PuLP 3 has the first five.
_STATUS = {
    Status.OPTIMAL: "Optimal", Status.INTERIOR: "Optimal", Status.INFEASIBLE: "Infeasible",
    Status.UNBOUNDED: "Unbounded", Status.TIME_LIMIT: "TimeLimit", Status.ITERATION_LIMIT: "IterationLimit",
    Status.OBJECTIVE_LIMIT: "GapLimit", Status.INTERRUPTED: "Interrupted",
    Status.NUMERICAL: "NumericalError",
}
_OPTIONS = {  # PuLP's and ours
    "gapRel": "relative_gap", "gapAbs": "absolute_gap", "maxNodes": "node_limit", "timeLimit": "time_limit",
}


class OsiCuda(core.LpSolver):
    """After a solve ``problem.osi_cuda_solution`` is the whole `Solution`, or `IntegerSolution`.

    A limit is no optimum: the status is "Not Solved" with the solution status "Solution Found" where
    there is an integer point (PuLP 3), or the limit's own with ``has_solution`` (PuLP 4).

    Parameters
    ----------
    mip : bool
        False solves for integer variables as if they were continuous.
    msg : bool
        Print lines about the progress, and one about what came of it.
    options : list of str, optional
        Options as texts, "name=value", or "name" and "value" one after the other.
    timeLimit : float, optional
        Seconds.
    warmStart : bool
        With integers: begin with the variables' values. Else start from the basis of this instance's
        last solve, as far as variables and constraints have the same names.
    threads : int, optional
        Of a solve; with integers nodes that are searched at the same time.
    logPath : str, optional
        A file for the lines about the progress.
    **keywords
        PuLP's gapRel, gapAbs and maxNodes, and those of `osi_cuda.option_table`, with ``_`` for ``-``.
    """

    name = "OSI_CUDA"

    def __init__(
        self,
        mip: bool = True,
        msg: bool = True,
        options: list[str] | None = None,
        timeLimit: float | None = None,  # noqa: N803: PuLP's name
        warmStart: bool = False,  # noqa: N803
        **keywords: Any,
    ) -> None:
        super().__init__(mip=mip, msg=msg, options=options, timeLimit=timeLimit, **keywords)
        self.warmStart = warmStart
        self._columns: dict[str, int] = {}  # statuses of the last basis, by name
        self._rows: dict[str, int] = {}

    def copy(self) -> OsiCuda:
        return OsiCuda(
            self.mip, self.msg, list(self.options), self.timeLimit, self.warmStart, **self.optionsDict
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

    def actualSolve(self, lp: Any, **ignored: Any) -> Any:
        """Called by ``LpProblem.solve``. PuLP 3 gets the status, PuLP 4 its statistics."""
        begun = core.clocks() if _IS_4 else None
        if lp.has_sos() if _IS_4 else lp.sos1 or lp.sos2:
            raise core.PulpSolverError(f"{self.name} does not solve problems with special ordered sets")
        variables, rows = lp.variables(), _constraints(lp)
        whole = np.array([v.cat == constants.LpInteger for v in variables], dtype=bool)
        problem = _problem_of(lp, variables, list(rows.values()))
        searches = self.mip and bool(whole.any())
        try:
            problem.set_options(**self._settings(searches))
        except ValueError as error:
            raise core.PulpSolverError(f"{self.name}: {error}") from None
        start = None
        if self.warmStart or self.optionsDict.get("warmStart"):
            if searches:
                start = _values(variables, whole)
            elif self._columns:
                problem.basis = basis_by_name(self._columns, self._rows, (v.name for v in variables), rows)
        with teller(self.msg, self.optionsDict.get("logPath")) as say:
            solution = problem._answer(whole & searches, start, disp=say)
            if callable(say):
                say(f"{self.name}: {solution!r}")
        if not searches:
            solution = dataclasses.replace(solution, relaxed_integers=int(whole.sum()))
        self._columns = by_name((v.name for v in variables), solution.basis.columns)
        self._rows = by_name(rows, solution.basis.rows)
        has_point = problem._has_point(solution)
        if has_point or not searches:
            _hand_over(solution, variables, rows.values())
        lp.osi_cuda_solution = solution
        word = _STATUS[solution.status]
        if is_undecided(solution):
            word = "Undefined"  # or infeasible
        if _IS_4:
            bound = solution.bound if isinstance(solution, IntegerSolution) else np.inf
            return self.buildStats(
                lp, constants.LpSolveStatus[word], has_point and word != "Unbounded", start=begun,
                best_bound=float(bound) if np.isfinite(bound) else None,
            )
        status = getattr(constants, f"LpStatus{word}", constants.LpStatusNotSolved)
        of_solution = getattr(constants, f"LpSolution{word}", constants.LpSolutionNoSolutionFound)
        if searches and has_point and word != "Optimal":
            of_solution = constants.LpSolutionIntegerFeasible
        lp.assignStatus(status, of_solution)
        return int(status)

    def _settings(self, searches: bool) -> dict[str, Any]:
        """Our options."""
        wanted = {"timeLimit": self.timeLimit, **self.optionsDict}
        texts = iter(self.options or ())
        for text in texts:
            name, is_pair, value = str(text).lstrip("-").partition("=")
            wanted[name] = value if is_pair else next(texts, "")
        known = {*_OPTIONS, *option_names(), "threads", "logPath", "warmStart"}
        settings: dict[str, Any] = {}
        for name, value in wanted.items():
            ours = _OPTIONS.get(name, name).replace("-", "_")
            if ours == "threads" and searches:
                ours = "search_threads"
            if name in ("path", "keepFiles"):
                raise ValueError(f"there is no program and no file, so {name!r} has no meaning")
            if name not in known and ours not in known:
                raise ValueError(f"there is no option {name!r}{suggestion(name, known)}")
            if value is not None and name not in ("logPath", "warmStart"):
                settings[ours] = value
        return settings


def _constraints(lp: Any) -> dict[str, Any]:
    """By name."""
    if _IS_4:
        return {constraint.name: constraint for constraint in lp.constraints()}
    return dict(getattr(lp, "_constraints", None) or lp.constraints)


def _values(variables: list[Any], whole: Any) -> Vector | None:
    """To begin a search with; None where an integer variable has none."""
    values = [v.varValue for v in variables]
    if any(value is None for value, is_whole in zip(values, whole, strict=True) if is_whole):
        return None
    return np.array([0.0 if value is None else value for value in values])


def _problem_of(lp: Any, variables: list[Any], constraints: list[Any]) -> Problem:
    # Objects of PuLP 4 are handles that are made for each call; those of PuLP 3 are what they are.
    key = operator.attrgetter("id") if _IS_4 else id
    place = {key(variable): j for j, variable in enumerate(variables)}
    rows = [{place[key(variable)]: value for variable, value in constraint.items() if value != 0}
            for constraint in constraints]
    costs = np.zeros(len(variables))
    for variable, coefficient in lp.objective.items():
        costs[place[key(variable)]] += coefficient
    return Problem(
        costs, by_rows(rows, len(variables)), [constraint.getLb() for constraint in constraints],
        [constraint.getUb() for constraint in constraints],
        [variable.lowBound for variable in variables], [variable.upBound for variable in variables],
        sense="max" if lp.sense == constants.LpMaximize else "min", offset=lp.objective.constant or 0.0,
    )


def _hand_over(solution: Solution, variables: list[Any], constraints: Iterable[Any]) -> None:
    """Values, duals and slacks into PuLP's own objects."""
    for variable, value, cost in zip(variables, solution.x.tolist(), solution.reduced_costs.tolist(), strict=True):
        variable.varValue, variable.dj = value, cost
    numbers = zip(constraints, solution.activity.tolist(), solution.duals.tolist(), strict=True)
    for constraint, activity, dual in numbers:
        # A constraint of PuLP holds its right-hand side as -constant; the slack of "<=" is what is
        # left to it, that of others what goes beyond.
        slack = constraint.constant + activity
        constraint.slack = -slack if constraint.sense == constants.LpConstraintLE else slack
        constraint.pi = dual
    if not _IS_4:
        for part in (*variables, *constraints):
            part.modified = False


if OsiCuda not in apis._all_solvers:
    (apis.addSolver if _IS_4 else apis._all_solvers.append)(OsiCuda)
