# SPDX-License-Identifier: EPL-2.0
"""Matrix games: two players, one gains what the other loses.

>>> from osi_cuda import games
>>> game = games.solve([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
>>> game.rows, game.exact
(array([0.25, 0.5 , 0.25]), Fraction(0, 1))
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np

from ._arrays import Vector, doubles
from ._errors import NoSolution
from ._hinges import in_units, least, unit
from ._problem import Problem
from ._solution import Solution

_WHOLE = 2.0**53  # doubles up to it hold all whole numbers
_SMALL, _SPREAD = 1000, 1e-6


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """Optimal mixed strategies.

    Attributes
    ----------
    value : float
        What the player of the rows gains on average.
    exact : Fraction or None
        The value as it is, proved in rational arithmetic; None where that was not asked for.
    rows, columns : ndarray, shape (m,) and (n,)
        Probabilities of the rows for the player who gains A, and of the columns for the other one.
    solution : Solution
        Of the linear program: m columns and the value, n rows and the sum of the probabilities. Very
        large and very small payoffs are in units of a power of two there.
    """

    value: float
    exact: Fraction | None
    rows: Vector
    columns: Vector
    solution: Solution


def solve(A: Any, exact: bool | None = None, **options: Any) -> Game:
    """Optimal strategies of the game with payoffs A (von Neumann 1928), as a linear program (Dantzig 1951).
    Raises ValueError where A is no matrix, or empty, or has a number that is not finite, and `NoSolution`
    where a limit ended the solve.

    Parameters
    ----------
    A : array_like, shape (m, n)
        What the player of the rows gains from the other.
    exact : bool, optional
        Prove the value in rational arithmetic; payoffs are taken as the doubles that they are. Absent:
        where all payoffs are whole numbers, or, of at most 1000 payoffs, the largest is more than a million
        times the smallest that is not 0: tolerances would be larger than that. A value without it is within
        1e-7 of the largest payoff.
    **options
        Options of `Problem`.
    """
    payoffs = doubles(A, "A", "a matrix of numbers")
    if payoffs.ndim != 2 or payoffs.size == 0 or not np.isfinite(payoffs).all():
        raise ValueError("A has to be a matrix of finite numbers with a row and a column at least")
    if exact is not None:
        return _solve(payoffs, exact, options)
    sizes = np.abs(payoffs[payoffs != 0])
    spread = 0 < sizes.size <= _SMALL and sizes.min() < sizes.max() * _SPREAD
    whole = bool((payoffs == np.rint(payoffs)).all() and sizes.max(initial=0.0) <= _WHOLE)
    try:
        return _solve(payoffs, spread or whole, options)
    except NoSolution:
        if not spread:
            raise
        return _solve(payoffs, False, options)


def _solve(payoffs: Vector, exact: bool, options: dict[str, Any]) -> Game:
    m, n = payoffs.shape
    k = int(unit(payoffs.ravel()))
    if exact and not np.array_equal(in_units(in_units(payoffs, k), -k), payoffs):
        k = 0  # no unit holds the smallest, too
    payoffs = in_units(payoffs, k)
    rows = np.block([[payoffs.T, -np.ones((n, 1))], [np.ones((1, m)), np.zeros((1, 1))]])
    with Problem(
        np.append(np.zeros(m), 1.0), rows, np.append(np.zeros(n), 1.0), np.append(np.full(n, np.inf), 1.0),
        np.append(np.zeros(m), -np.inf), sense="max", copy=False, **{**options, "exact": exact},
    ) as problem:
        solution = least(problem)
    proof = solution.exact
    value = Fraction(proof.objective) * Fraction(2) ** k if exact and proof is not None and proof.proved else None
    near = float(in_units(solution.objective, -k) if value is None else value)
    return Game(near, value, solution.x[:m], -solution.duals[:n], solution)
