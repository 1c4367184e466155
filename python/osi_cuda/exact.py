# SPDX-License-Identifier: EPL-2.0
"""Linear programs of fractions: input, optimum and multipliers are rationals, all of them proved.

>>> from fractions import Fraction
>>> from osi_cuda import exact
>>> exact.solve([1, 1], [[Fraction(1, 3), Fraction(1, 7)]], row_lower=[1]).x
[Fraction(3, 1), Fraction(0, 1)]

Rows, columns and costs are multiplied by whole numbers until all numbers are whole. What needs more bits than
a double has is shared among copies of its column, which further rows make equal to it.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import pathlib
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ._arrays import Sparse, Vector, as_matrix
from ._errors import NoSolution
from ._problem import Problem, logger
from ._solution import Basis, Solution, Status

__all__ = ["ExactSolution", "solve"]


@dataclass(frozen=True)
class ExactSolution:
    """What was proved, in fractions.

    Attributes
    ----------
    status : Status
        OPTIMAL, INFEASIBLE or UNBOUNDED.
    objective : Fraction or None
        The optimum; None without one.
    x, activity : list of Fraction, or None
        The optimal point, length n, and A @ x, length m. Unbounded: a feasible point.
    y, reduced_costs : list of Fraction, or None
        The row duals, length m, as `Solution.duals`, and c - A.T @ y, length n.
    farkas : list of Fraction, or None
        INFEASIBLE: multipliers of the rows, length m, as `Solution.farkas`.
    ray : list of Fraction, or None
        UNBOUNDED: a direction, length n.
    problem : Problem
        The problem in whole numbers that was solved. `Problem.write` writes it, `Problem.write_proof` its
        proof, and ``python -m osi_cuda.check`` checks the two.
    solution : Solution
        Its solution in doubles.
    """

    status: Status
    objective: Fraction | None
    x: list[Fraction] | None
    activity: list[Fraction] | None
    y: list[Fraction] | None
    reduced_costs: list[Fraction] | None
    farkas: list[Fraction] | None
    ray: list[Fraction] | None
    problem: Problem
    solution: Solution

    def rounded(self, costs: Vector, rows: int) -> Solution:
        """As `solution`, of the problem that was given, which has so many rows and these costs: the doubles
        nearest to the fractions."""
        n = costs.size

        def nearest(numbers: list[Fraction] | None, size: int) -> Vector:
            return np.full(size, np.nan) if numbers is None else np.array([float(a) for a in numbers])

        x, y = nearest(self.x, n), nearest(self.y, rows)
        value = math.nan if self.objective is None else float(self.objective)
        ends = (value if self.objective is None or Fraction(value) == self.objective else math.nextafter(value, end)
                for end in (-math.inf, math.inf))
        activity = nearest(self.activity, rows)
        return dataclasses.replace(
            self.solution, objective=value, objective_lower=next(ends), objective_upper=next(ends),
            objective_error=math.ulp(value), x=x, activity=activity, duals=y, x_low=None, y_low=None,
            reduced_costs=nearest(self.reduced_costs, n), names=None,
            basis=Basis(self.solution.basis.columns[:n], self.solution.basis.rows[:rows]),
            ray=None if self.ray is None else nearest(self.ray, n),
            farkas=None if self.farkas is None else nearest(self.farkas, rows),
        )


def _number(a: Any, name: str) -> Fraction | None:
    """None: infinite or absent."""
    try:
        return None if a is None or math.isinf(a) else Fraction(int(a) if isinstance(a, np.integer) else a)
    except (TypeError, ValueError, OverflowError) as e:
        raise ValueError(f"{name} has to be made of fractions and numbers, not of {a!r}") from e


def _numbers(given: Any, name: str, size: int) -> list[Fraction | None]:
    """All of a bound, whose sign tells an infinite one's direction."""
    items = [given] * size if np.ndim(given) == 0 else list(given)
    if len(items) != size:
        raise ValueError(f"{name} has length {len(items)} instead of {size}")
    return [_number(a, name) for a in items]


def _finite(given: Any, name: str) -> list[Fraction]:
    numbers = [_number(a, name) for a in given]
    if any(a is None for a in numbers):
        raise ValueError(f"{name} has a number that is not finite")
    return numbers  # type: ignore[return-value]


def _rows(A: Any, n: int) -> list[dict[int, Fraction]]:
    """The entries of each row that are not zero."""
    if A is None:
        return []
    if hasattr(A, "tocsc") or isinstance(A, Sparse):
        matrix = as_matrix(A, "A", n)
        assert isinstance(matrix, Sparse)
        sparse: list[dict[int, Fraction]] = [{} for _ in range(matrix.shape[0])]
        for i, j, a in zip(*matrix.triplets(), strict=True):
            sparse[i][int(j)] = sparse[i].get(int(j), Fraction(0)) + Fraction(float(a))
        return sparse
    if isinstance(A, list) and A and all(isinstance(row, dict) for row in A):
        return A
    lines = [_finite(row, "A") for row in A]
    if any(len(line) != n for line in lines):
        raise ValueError(f"A has to have {n} columns")
    return [{j: a for j, a in enumerate(line) if a} for line in lines]


def blocks(matrices: Sequence[Any], n: int) -> list[dict[int, Fraction]]:
    """The rows of all of them, one below the other, as `solve` takes them, too."""
    return [row for matrix in matrices for row in _rows(matrix, n)]


def _multiple(numbers: Iterable[Fraction | None]) -> Fraction:
    """The least one by which all of them become whole, less a power of two, so that the largest is about 1."""
    finite = [a for a in numbers if a]
    least = Fraction(math.lcm(*(a.denominator for a in finite)), math.gcd(*(a.numerator for a in finite)) or 1)
    return least / 2 ** max(((abs(a) * least).numerator.bit_length() for a in finite), default=0)


def _parts(whole: Fraction) -> list[float]:
    """Doubles whose sum is a whole number over a power of two, the largest first."""
    rest, parts = whole, []
    while rest:
        parts.append(float(rest))
        rest -= Fraction(parts[-1])
    return parts or [0.0]


def _side(bound: Fraction | None, infinite: float, name: str) -> float:
    if bound is None:
        return infinite
    parts = _parts(bound)
    if len(parts) > 1:
        raise ValueError(f"{name} needs more bits than a double has once all numbers are whole")
    return parts[0]


class _Whole:
    """A problem in whole numbers. Columns: the given ones, times `column`; one that is 1; copies. Rows: the
    given ones, times `row`; those of copies. Costs are multiplied by `cost`."""

    def __init__(
        self, c: Sequence[Fraction], rows: list[dict[int, Fraction]],
        sides: list[tuple[Fraction | None, Fraction | None]], box: list[tuple[Fraction | None, Fraction | None]],
        offset: Fraction,
    ) -> None:
        self.column = [_multiple(pair) for pair in box]
        scaled = [{j: a / self.column[j] for j, a in row.items()} for row in rows]
        self.row = [_multiple([*row.values(), *pair]) for row, pair in zip(scaled, sides, strict=True)]
        costs = [a / q for a, q in zip(c, self.column, strict=True)]
        self.cost = _multiple([*costs, offset])
        n = len(c)
        self.one = n
        self.costs = [0.0] * (n + 1)
        self.entries: dict[tuple[int, int], float] = {}
        self.lower = [_side(low and low * q, -math.inf, "lower") if low is None or low else 0.0
                      for (low, _), q in zip(box, self.column, strict=True)] + [1.0]
        self.upper = [_side(high and high * q, math.inf, "upper") if high is None or high else 0.0
                      for (_, high), q in zip(box, self.column, strict=True)] + [1.0]
        self.row_lower: list[float] = []
        self.row_upper: list[float] = []
        self.copies: dict[tuple[int, int], int] = {}
        for i, (row, (low, high)) in enumerate(zip(scaled, sides, strict=True)):
            for j, a in row.items():
                for k, part in enumerate(_parts(a * self.row[i])):
                    self.entries[i, self._copy(j, k)] = part
            # What a side has beyond the doubles moves to the column that is 1.
            side = low if low is not None else high
            more = _parts((side or Fraction(0)) * self.row[i])[1:]
            if more and low is not None and high is not None and low != high:
                raise ValueError("a row with two bounds needs more bits than a double has")
            for k, part in enumerate(more):
                self.entries[i, self._copy(n, k)] = -part
            moved = sum(map(Fraction, more), Fraction(0))
            self.row_lower.append(-math.inf if low is None else _side(low * self.row[i] - moved, 0.0, "row_lower"))
            self.row_upper.append(math.inf if high is None else _side(high * self.row[i] - moved, 0.0, "row_upper"))
        for j, a in enumerate([*costs, offset]):
            for k, part in enumerate(_parts(a * self.cost)):
                self.costs[self._copy(j, k)] = part
        for (j, _), copy in self.copies.items():
            i = len(self.row_lower)
            self.entries[i, j], self.entries[i, copy] = 1.0, -1.0
            self.row_lower.append(0.0)
            self.row_upper.append(0.0)

    def _copy(self, j: int, k: int) -> int:
        if k == 0:
            return j
        if (j, k) not in self.copies:
            self.copies[j, k] = len(self.costs)
            self.costs.append(0.0)
            self.lower.append(-math.inf)
            self.upper.append(math.inf)
        return self.copies[j, k]

    def problem(self, sense: str, options: dict[str, Any]) -> Problem:
        order = sorted((j, i, a) for (i, j), a in self.entries.items())
        counts = np.bincount([j for j, _, _ in order], minlength=len(self.costs))
        matrix = Sparse(
            (len(self.row_lower), len(self.costs)), True,
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.array([i for _, i, _ in order], dtype=np.int32), np.array([a for _, _, a in order], dtype=float),
        )
        return Problem(
            self.costs, matrix, self.row_lower, self.row_upper, self.lower, self.upper, sense=sense,
            **{**options, "exact": "on", "exact_numbers": "doubles"},
        )


def solve(
    c: Any,
    A: Any = None,
    row_lower: Any = None,
    row_upper: Any = None,
    lower: Any = 0,
    upper: Any = None,
    *,
    sense: str = "min",
    offset: Any = 0,
    **options: object,
) -> ExactSolution:
    """Solves and proves  min or max ``c @ x + offset``  with  ``row_lower <= A @ x <= row_upper``  and
    ``lower <= x <= upper``  exactly.

    Parameters
    ----------
    c : sequence of numbers, shape (n,)
        Fractions, whole numbers, and doubles, which are taken for the rationals that they are.
    A : sequence of rows of numbers, or a sparse matrix of doubles, shape (m, n), optional
    row_lower, row_upper : sequence of numbers, shape (m,), or number, optional
    lower, upper : sequence of numbers, shape (n,), or number, optional
        None or an infinite number is no bound.
    sense : {"min", "max"}
    offset : number
    **options
        Options of `Problem`.

    Returns
    -------
    ExactSolution

    Raises
    ------
    NoSolution
        A limit came first, or no status could be proved.
    ValueError
        What was wrong with which argument; or a bound of a column, or one of two sides of a row, needs more
        than 53 bits once all numbers are whole.
    """
    costs = _finite(c, "c")
    rows = _rows(A, len(costs))
    m, n = len(rows), len(costs)
    sides = list(zip(_numbers(row_lower, "row_lower", m), _numbers(row_upper, "row_upper", m), strict=True))
    box = list(zip(_numbers(lower, "lower", n), _numbers(upper, "upper", n), strict=True))
    whole = _Whole(costs, rows, sides, box, _finite([offset], "offset")[0])
    given = [*costs, *(a for row in rows for a in row.values()), *(b for pair in sides + box for b in pair if b)]
    others = sum(1 for a in given if a and Fraction(float(a)) != a)
    if others:
        logger.info("%d numbers are no doubles: what is proved holds for their fractions", others)
    problem = whole.problem(sense, options)
    solution = problem.solve()
    if solution.exact is None or not solution.exact.proved:
        raise NoSolution(f"no exact proof: {solution.exact.message if solution.exact else solution.message}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(os.path.join(folder, "proof.json"))
        problem.write_proof(path)
        proof = json.loads(path.read_text())

    def of(key: str, factors: list[Fraction]) -> list[Fraction] | None:
        if key not in proof:
            return None
        return [Fraction(text) * factor for text, factor in zip(proof[key], factors)]  # noqa: B905

    columns = [1 / q for q in whole.column]
    x, y = of("primal", columns), of("dual", [r / whole.cost for r in whole.row])
    reduced = None if y is None else costs[:]
    for i, row in enumerate(rows if reduced is not None and y is not None else []):
        for j, a in row.items():
            reduced[j] -= a * y[i]  # type: ignore[index]
    return ExactSolution(
        status=solution.status,
        objective=Fraction(proof["objective"]) / whole.cost if "objective" in proof else None,
        x=x, activity=None if x is None else [sum((a * x[j] for j, a in row.items()), Fraction(0)) for row in rows],
        y=y, reduced_costs=reduced, farkas=of("farkas", whole.row), ray=of("ray", columns), problem=problem,
        solution=solution,
    )
