# SPDX-License-Identifier: EPL-2.0
"""Linear programs of fractions: input, optimum and multipliers are rationals, all of them proved.

>>> from fractions import Fraction
>>> from osi_cuda import exact
>>> exact.solve([1, 1], [[Fraction(1, 3), Fraction(1, 7)]], row_lower=[1]).x
[Fraction(3, 1), Fraction(0, 1)]

The same as a `Problem` with fractions and ``exact="on"``, whose `ExactProof` has them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ._errors import NoSolution
from ._fractions import Table
from ._problem import Problem
from ._solution import Solution, Status

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
        `Problem.write` writes it, with its fractions, `Problem.write_proof` its proof, and
        ``python -m osi_cuda.check`` checks the two.
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
    A = [list(row) for row in A] if isinstance(A, (list, tuple)) else A
    given: dict[str, Any] = {"infinity": None, **options, "exact": "on", "_table": Table.of((c, A, row_lower, row_upper, lower, upper))}
    problem = Problem(c, A, row_lower, row_upper, lower, upper, sense=sense, offset=offset, **given)
    solution = problem.solve()
    return answer(problem, solution)


def answer(problem: Problem, solution: Solution) -> ExactSolution:
    """What was proved of a problem by its last solve. Raises NoSolution, ValueError."""
    proof = solution.exact
    if proof is None or proof.status is None:
        raise NoSolution(f"no exact proof: {proof.message if proof else solution.message}")
    if "of the doubles" in proof.message:
        raise ValueError(proof.message)

    def there(name: str) -> list[Fraction] | None:
        try:
            return list(getattr(proof, name))
        except NoSolution:
            return None

    x = there("x")
    return ExactSolution(
        status=proof.status, objective=Fraction(proof.objective) if proof.objective else None,
        x=x, activity=None if x is None else problem._activity(x), y=there("y"), reduced_costs=there("reduced_costs"),
        farkas=there("farkas"), ray=there("ray"), problem=problem, solution=solution,
    )
