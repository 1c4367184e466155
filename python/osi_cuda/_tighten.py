# SPDX-License-Identifier: EPL-2.0
"""Optimality-based bound tightening."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Vector, numbers_of
from ._problem import Problem


def tighten(
    problem: Problem, variables: Any = None, *, cutoff: float | None = None, rounds: int = 1,
    **options: object,
) -> tuple[Vector, Vector]:
    """Bounds of the columns that no point of the problem goes beyond (optimality-based bound
    tightening, OBBT; Gleixner, Berthold, Müller and Weltge 2017). They are sound, as those of
    `Problem.bounds_of` are: rounded outward, also where a limit ends the pivots. Bounds of columns
    that are marked as integers are rounded to integers, inward.

    Parameters
    ----------
    problem : Problem
        Does not change: ``problem.set_bounds(*tighten(problem))`` gives it the bounds.
    variables : array_like of int, optional
        Columns, counted from 0; all unless given. The others keep their bounds.
    cutoff : float, optional
        Only points count whose objective is at least as good as this.
    rounds : int
        How often at most; a second time has an effect where integers were rounded.
    **options
        Those of `BatchSolver`.

    Returns
    -------
    lower, upper : ndarray, shape (n,)
        lower > upper somewhere: there is no such point.
    """
    relaxed = problem.copy()
    lower, upper = problem.column_bounds
    columns = numbers_of(np.arange(lower.size) if variables is None else variables, "variables")
    marks = problem._integers()
    integer = np.zeros(columns.size, dtype=bool) if marks is None else marks[columns] > 0
    if cutoff is not None:
        least = problem.sense == "min"
        # The difference is rounded: outward, it cuts nothing off.
        limit = np.nextafter(cutoff - problem.offset, np.inf if least else -np.inf)
        relaxed.add_rows(problem.costs[np.newaxis], *((-np.inf, limit) if least else (limit, np.inf)))
    for _ in range(rounds):
        low, high = relaxed.bounds_of(columns, **options)
        low[integer], high[integer] = np.ceil(low[integer]), np.floor(high[integer])
        low, high = np.maximum(low, lower[columns]), np.minimum(high, upper[columns])
        changed = (low != lower[columns]) | (high != upper[columns])
        lower[columns], upper[columns] = low, high
        if not changed.any() or (low > high).any():
            break
        relaxed.set_bounds(low, high, columns)
    return lower, upper
