# SPDX-License-Identifier: EPL-2.0
"""What a solver made of a dense problem, and how good it is: all are judged alike."""

from __future__ import annotations

import dataclasses

import numpy as np

from dense_problems import Array, DenseProblem


@dataclasses.dataclass
class Answer:
    """``y`` are the multipliers of the rows of max c'x, A x <= b, of either sign, as solvers
    differ; None: there are none. ``load`` are the seconds from arrays to the solver's own problem,
    ``solve`` those from there to the point in arrays."""

    status: str
    load: float
    solve: float
    iterations: int | None = None
    x: Array | None = None
    y: Array | None = None


@dataclasses.dataclass(frozen=True)
class Residuals:
    """Largest violations, relative to 1 + the largest number of b (primal) and c (dual); the gap to
    1 + |c'x| + |b'y|. NaN where there is no y."""

    primal: float
    dual: float
    gap: float


def residuals(problem: DenseProblem, x: Array, y: Array | None) -> Residuals:
    c, A, b = problem.c, problem.A, problem.b
    scale_b, scale_c = 1 + float(np.abs(b).max()), 1 + float(np.abs(c).max())
    primal = max(float((A @ x - b).max()), float((-x).max()), 0.0) / scale_b
    if y is None:
        return Residuals(primal, float("nan"), float("nan"))
    if y.sum() < 0:  # of the problem as a minimisation
        y = -y
    dual = max(float((c - y @ A).max()), float((-y).max()), 0.0) / scale_c
    value, bound = float(c @ x), float(b @ y)
    return Residuals(primal, dual, abs(value - bound) / (1 + abs(value) + abs(bound)))


HEADER = (
    "| problem | solver | status | iterations | load, s | solve, s | objective | primal | dual "
    "| gap |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def row(problem: DenseProblem, solver: str, answer: Answer) -> str:
    """A line of the table under ``HEADER``."""
    cells = [problem.name, solver, answer.status]
    cells.append("" if answer.iterations is None else str(answer.iterations))
    cells += [f"{answer.load:.4f}", f"{answer.solve:.4f}"]
    if answer.x is None or not np.isfinite(answer.x).all():
        cells += [""] * 4
    else:
        r = residuals(problem, answer.x, answer.y)
        cells.append(f"{float(problem.c @ answer.x):.10g}")
        cells += ["" if np.isnan(v) else f"{v:.0e}" for v in (r.primal, r.dual, r.gap)]
    return f"| {' | '.join(cells)} |"
