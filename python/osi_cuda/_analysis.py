# SPDX-License-Identifier: EPL-2.0
"""Ranging, infeasible subsystems, relaxation, lexicographic objectives, bound tightening."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import Vector, address, number, numbers_of, vector
from ._solution import Solution, Status

if TYPE_CHECKING:
    from ._problem import Problem


class Intervals(NamedTuple):
    """How far numbers can be changed, each alone; all may be infinite."""

    low: Vector
    high: Vector
    objective_low: Vector  #: the optimum where the number is `low`
    objective_high: Vector


class Ranging(NamedTuple):
    """The intervals in which the basis stays optimal. Bounds that are equal move together."""

    costs: Intervals  #: length n
    column_lower: Intervals
    column_upper: Intervals
    row_lower: Intervals  #: length m
    row_upper: Intervals


def _named(problem: Problem, sides: Any) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {"rows": {}, "columns": {}}
    for kind, named in (("row", problem.row_name), ("column", problem.column_name)):
        for side in ("lower", "upper"):
            entries = getattr(sides, f"{kind}_{side}")
            for k in np.flatnonzero(entries).tolist():
                found[f"{kind}s"].setdefault(named(k), {})[side] = entries[k].item()
    return found


class InfeasibleSubsystem(NamedTuple):
    """Sides that contradict each other: True for each member."""

    column_lower: npt.NDArray[np.bool_]  #: length n
    column_upper: npt.NDArray[np.bool_]
    row_lower: npt.NDArray[np.bool_]  #: length m
    row_upper: npt.NDArray[np.bool_]
    irreducible: bool  #: without any one member the others do not contradict each other

    def named(self, problem: Problem) -> dict[str, dict[str, dict[str, Any]]]:
        """Members by the names that `problem` has: ``{"rows": {"hours": {"upper": True}}, "columns": {}}``."""
        return _named(problem, self)


class Relaxation(NamedTuple):
    """Feasibility relaxation: the violation of each bound, 0 where it holds."""

    status: Status  #: OPTIMAL: there is a point; INFEASIBLE: the other bounds contradict each other
    x: Vector  #: length n; the best of the problem's objective that takes no more than this
    column_lower: Vector  #: length n
    column_upper: Vector
    row_lower: Vector  #: length m
    row_upper: Vector
    total: float  #: of all of them
    objective: float  #: at x
    objective_is_optimal: bool
    least_total: bool  #: with the goal "sum": the total is proved to be the least
    solves: int
    iterations: int

    def named(self, problem: Problem) -> dict[str, dict[str, dict[str, Any]]]:
        """Violations by the names that `problem` has: ``{"rows": {"hours": {"upper": 2.0}}, "columns": {}}``."""
        return _named(problem, self)


class Objective(NamedTuple):
    """One of several lexicographic objectives."""

    costs: Any  #: length n
    sense: str = "min"
    offset: float = 0.0
    loss: float = 0.0  #: by how much it may get worse for the sake of those behind it
    relative: bool = False  #: the loss is a share of the optimum


class RankedSolution(NamedTuple):
    """The result of lexicographic objectives."""

    solution: Solution  #: of the last objective that was solved, with the duals of its own problem
    optima: Vector  #: what each objective that has an optimum can reach, given those before it
    values: Vector  #: what it is at the end


_GOALS = ("sum", "count")
_WHAT = ("rows", "bounds", "both")


def relax(problem: Problem, goal: str, what: str) -> Relaxation:
    for word, words, name in ((goal, _GOALS, "goal"), (what, _WHAT, "what")):
        if word not in words:
            raise ValueError(f"{name} is {word!r}, but has to be one of {', '.join(words)}")
    m, n = problem.shape
    column_lower, column_upper, x = np.zeros(n), np.zeros(n), np.zeros(n)
    row_lower, row_upper, numbers = np.zeros(m), np.zeros(m), np.zeros(6)
    status = ctypes.c_int()
    problem._watched(
        "relax", _GOALS.index(goal), _WHAT.index(what),
        *(address(array) for array in (column_lower, column_upper, row_lower, row_upper, x, numbers)),
        ctypes.byref(status),
    )
    return Relaxation(
        Status(status.value), x, column_lower, column_upper, row_lower, row_upper, float(numbers[0]),
        float(numbers[1]), bool(numbers[2]), bool(numbers[3]), int(numbers[4]), int(numbers[5]),
    )


def solve_ranked(problem: Problem, objectives: Sequence[Any]) -> tuple[Vector, Vector]:
    """Solves, and returns the optima and values; the problem has the solution then."""
    n = problem.shape[1]
    ranks = [
        entry if isinstance(entry, Objective) else Objective(entry) for entry in objectives
    ]
    for k, rank in enumerate(ranks):
        if rank.sense not in ("min", "max"):
            raise ValueError(f"the sense of objective {k} is {rank.sense!r} instead of 'min' or 'max'")
    costs = np.array(
        [vector(rank.costs, f"costs of objective {k}", n) for k, rank in enumerate(ranks)]
    ).reshape(len(ranks), n)
    senses = np.array([rank.sense == "max" for rank in ranks], dtype=np.int32)
    offsets = np.array([number(rank.offset, f"offset of objective {k}") for k, rank in enumerate(ranks)])
    losses = np.array([number(rank.loss, f"loss of objective {k}") for k, rank in enumerate(ranks)])
    relative = np.array([rank.relative for rank in ranks], dtype=np.uint8)
    optima, values = np.zeros(len(ranks)), np.zeros(len(ranks))
    ranked = ctypes.c_int32()
    problem._watched(
        "solve_ranked", len(ranks), address(costs), address(senses), address(offsets),
        address(losses), address(relative), ctypes.byref(ranked), address(optima), address(values),
    )
    return optima[: ranked.value], values[: ranked.value]


def tighten(
    problem: Problem, variables: Any = None, *, cutoff: float | None = None, **options: object
) -> tuple[Vector, Vector]:
    """Bounds of all columns that no point of the problem goes beyond (optimality-based bound
    tightening; Gleixner, Berthold, Müller and Weltge 2017), as sound as `Problem.bounds_of`. Those
    of columns that are marked as integers are integers. The problem does not change:
    ``problem.set_bounds(*tighten(problem))``. Where there is no point, lower > upper somewhere.

    Parameters
    ----------
    variables : array_like of int, optional
        Columns whose bounds may change, counted from 0; all unless given.
    cutoff : float, optional
        Only points count whose objective is at least as good.
    **options
        Those of `BatchSolver`.
    """
    relaxed = problem.copy()
    lower, upper = problem.column_bounds
    columns = numbers_of(np.arange(lower.size) if variables is None else variables, "variables", lower.size)
    marks = problem._integers()
    integer = np.zeros(columns.size, dtype=bool) if marks is None else marks[columns] > 0
    if cutoff is not None:
        worst = np.inf if problem.sense == "min" else -np.inf
        if np.isnan(number(cutoff, "cutoff")):
            raise ValueError("cutoff is not a number")
        limit = np.nextafter(number(cutoff, "cutoff") - problem.offset, worst)  # the difference was rounded
        relaxed.add_rows(problem.costs[np.newaxis], min(limit, -worst), max(limit, -worst))
    low, high = relaxed.bounds_of(columns, **options)
    low[integer], high[integer] = np.ceil(low[integer]), np.floor(high[integer])
    lower[columns] = np.maximum(low, lower[columns])
    upper[columns] = np.minimum(high, upper[columns])
    return lower, upper
