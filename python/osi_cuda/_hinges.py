# SPDX-License-Identifier: EPL-2.0
"""Sums of hinges by linear programs of p rows and n bounded columns, in blocks where n is large.

The problem is

    min over b in R^p   sum_i w_i (max(0, c_i - z_i'b) - s (c_i - z_i'b)) + sum_j a_j |b_j|

and its dual, without the constant -s w'c, is what is solved,

    max  c'v   subject to   s Z'w - a <= Z'v <= s Z'w + a,   0 <= v <= w.

A quantile regression, a least absolute deviation and an L1 support vector machine are of that kind; the
row duals are b. No other column or row is formed.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import Vector, is_sparse
from ._errors import NoSolution
from ._problem import Problem
from ._solution import Basis, Residuals, Solution, Status, VariableStatus

_LOWER, _UPPER, _BASIC = VariableStatus.AT_LOWER, VariableStatus.AT_UPPER, VariableStatus.BASIC
_DIRECT, _PER_COLUMN = 1000, 40  # a sample has so many observations at least, and for each column
_SHARE = 8  # observations for each of a sample that is solved before
_WIDTH = 2.0  # of the band of observations that may change sides, in standard errors
_ROUNDING = 1e-15  # of the sums, relative to their terms
_NEAR = 20  # columns for each coefficient where a fit of almost the same problem is known
_CLEAR = 1e-10  # a residual beyond this, relative to its target, is on one side


class Design:
    """The rows z_i = sign_i (x_i, 1), the 1 with an intercept only, without a copy of X.

    Parameters
    ----------
    X : ndarray of doubles or sparse matrix of SciPy's, shape (n, p)
    signs : ndarray, shape (n,), optional
    """

    def __init__(self, X: Any, intercept: bool, signs: Vector | None = None) -> None:
        self.X = X.tocsr() if is_sparse(X) else X
        self.intercept, self.signs = intercept, signs
        self.shape = (X.shape[0], X.shape[1] + intercept)

    def take(self, which: npt.NDArray[np.intp]) -> Design:
        return Design(self.X[which], self.intercept, None if self.signs is None else self.signs[which])

    def columns(self) -> Any:
        """Z', shape (p, n), each observation's numbers side by side."""
        n, p = self.shape
        if is_sparse(self.X):
            from scipy import sparse

            parts = [self.X, np.ones((n, 1))] if self.intercept else [self.X]
            Z = sparse.hstack(parts, format="csr")
            return (Z if self.signs is None else sparse.diags_array(self.signs) @ Z).T
        if not self.intercept and self.signs is None:
            return self.X.T
        Z = np.ones((n, p))
        Z[:, : self.X.shape[1]] = self.X
        if self.signs is not None:
            Z *= self.signs[:, None]
        return Z.T

    def times(self, b: Vector) -> Vector:
        """Z b, shape (n,)."""
        product: Vector = self.X @ b[: self.X.shape[1]]
        if self.intercept:
            product += b[-1]
        if self.signs is not None:
            product *= self.signs
        return product

    def sums(self, v: Vector) -> Vector:
        """Z'v, shape (p,)."""
        v = v if self.signs is None else v * self.signs
        return np.append(self.X.T @ v, v.sum()) if self.intercept else self.X.T @ v


@dataclasses.dataclass(frozen=True, eq=False)
class Fit:
    """The vertex of a fit with its multipliers and what proves it.

    Attributes
    ----------
    coef : ndarray, shape (p,)
        The vertex: coefficients, with the intercept last.
    duals : ndarray, shape (n,)
        The multiplier of each observation.
    active : ndarray of int
        Observations that the vertex fits exactly and that make it: a basis.
    objective : float
    objective_error : float
        Distance of the objective to the bound that the multipliers prove, with what they miss of
        their equations: no other coefficients do better by more.
    residuals : Residuals or None
        Of the linear program, where it was solved as a whole; None after blocks, whose last pass
        over all observations has given the error.
    proved : bool
        The error is within 1e-7 of the objective (relative, or absolute below 1).
    iterations : int
        Pivots of all blocks.
    rounds : int
        Linear programs that were solved.
    seconds : float
    """

    coef: Vector
    duals: Vector
    active: npt.NDArray[np.intp]
    objective: float
    objective_error: float
    residuals: Residuals | None
    proved: bool
    iterations: int
    rounds: int
    seconds: float


def least(problem: Problem) -> Solution:
    """Solves; raises NoSolution without an optimum."""
    solution = problem.solve()
    if solution.status is not Status.OPTIMAL:
        raise NoSolution(f"{solution.status.name.lower()}: {solution.message or 'no optimum'}")
    return solution


@dataclasses.dataclass
class _Place:
    """Where a solve stands: coefficients, basic observations, statuses of rows."""

    coef: Vector
    basic: npt.NDArray[np.intp]
    rows: npt.NDArray[np.uint8]
    iterations: int = 0
    rounds: int = 0
    residuals: Residuals | None = None
    v: Vector = dataclasses.field(default_factory=lambda: np.zeros(0))
    basis: Basis | None = None  #: where the problem was solved as a whole


class Hinges:
    """The problem for several pairs of share s and penalties a, shape (p,).

    Parameters
    ----------
    design : Design
    targets, weights : ndarray, shape (n,)
    **options
        Those of `Problem`.
    """

    def __init__(self, design: Design, targets: Vector, weights: Vector, **options: Any) -> None:
        self.design, self.c, self.w, self.options = design, targets, weights, options
        self.clear = _CLEAR * (1.0 + np.abs(targets))
        self.total = design.sums(weights)

    def problem(self) -> Problem:
        """The dual of all observations but for its rows' bounds."""
        return Problem(
            self.c, self.design.columns(), None, None, 0.0, self.w, sense="max", copy=False, **self.options
        )

    def solve(self, wanted: Sequence[tuple[float, Vector]], start: Any = None) -> list[Fit]:
        """A `Fit` for each pair; each begins at the one before, the first at the basis `start`."""
        begin = time.perf_counter()
        places = self.places(wanted, start)
        self.basis = places[-1].basis
        seconds = time.perf_counter() - begin
        return [self._fit(s, a, place, seconds) for (s, a), place in zip(wanted, places, strict=True)]

    def places(self, wanted: Sequence[tuple[float, Vector]], start: Any = None) -> list[_Place]:
        n, p = self.design.shape
        size = max(n // _SHARE, _DIRECT, _PER_COLUMN * p)
        if n <= 2 * size:
            return self._direct(wanted, start)
        chosen = np.sort(np.random.default_rng(0).choice(n, size, replace=False))
        sample = Hinges(self.design.take(chosen), self.c[chosen], self.w[chosen], **self.options)
        s, a = wanted[0]
        [place] = sample.places([(s, a * sample.w.sum() / self.w.sum())])
        del sample
        place.basic = chosen[place.basic]
        places = [self._banded(s, a, place, int(_WIDTH * n * np.sqrt(p / size)))]
        for before, (s, a) in zip(wanted, wanted[1:], strict=False):
            places.append(self.near(before[0], s, a, places[-1], self))
        return places

    def near(self, before: float, s: float, a: Vector, place: _Place, other: Hinges) -> _Place:
        """The place for s and a by way of that of `other`, the same rows with weights and share of their
        own: one step of Newton's method tells which observations may change sides (Koenker 2005,
        4.3: the density of residuals at zero is that of the nearest ones)."""
        n, p = self.design.shape
        residual = self.c - self.design.times(place.coef)
        nearest = min(n, int(np.sqrt(n * p)) + p)
        which = np.argpartition(np.abs(residual), nearest - 1)[:nearest]
        Z = self.design.take(which).columns()
        Z = Z.toarray() if is_sparse(Z) else Z
        curvature = (Z * other.w[which]) @ Z.T / (2.0 * np.abs(residual[which]).max() + 1e-300)
        share = place.v / np.where(other.w > 0, other.w, 1.0)
        change = self.design.sums(share * (self.w - other.w)) - s * self.total + before * other.total
        guess = dataclasses.replace(
            place, coef=place.coef + np.linalg.lstsq(curvature, change)[0], iterations=0, rounds=0
        )
        return self._banded(s, a, guess, min(n, _NEAR * p))

    def _direct(
        self, wanted: Sequence[tuple[float, Vector]], start: Any = None, resting: Any = None
    ) -> list[_Place]:
        places = []
        with self.problem() as problem:
            if start is not None:
                problem.basis = start
            for s, a in wanted:
                middle = s * self.total if resting is None else resting
                problem.set_row_bounds(middle - a, middle + a)
                solution = least(problem)
                basic = np.flatnonzero(solution.basis.columns == _BASIC)
                places.append(_Place(
                    solution.duals, basic, solution.basis.rows, solution.iterations, 1,
                    solution.residuals, solution.x, solution.basis,
                ))
        return places

    def _banded(self, s: float, a: Vector, place: _Place, band: int) -> _Place:
        """From a place near the optimum: that many observations near its fit are columns, the others
        rest where their residuals tell (Portnoy and Koenker 1997); those that turn out to rest on the
        wrong side become columns until there are none."""
        n = self.c.size
        residual = self.c - self.design.times(place.coef)
        band = min(n, band)
        active = np.zeros(n, dtype=bool)
        active[np.argpartition(np.abs(residual), band - 1)[:band]] = True
        active[place.basic] = True
        above, first = residual > 0, place.rounds + 1
        while True:
            which = np.flatnonzero(active)
            status = np.where(residual[which] > 0, _UPPER, _LOWER).astype(np.uint8)
            status[np.searchsorted(which, place.basic)] = _BASIC
            resting = self.design.sums(np.where(above & ~active, self.w, 0.0))
            part = Hinges(self.design.take(which), self.c[which], self.w[which], **self.options)
            try:
                [found] = part._direct([(s, a)], Basis(status, place.rows), s * self.total - resting)
            except NoSolution:  # too few columns to make up for those that rest
                band = min(n, 2 * band)
                if active.all():
                    raise
                active[np.argpartition(np.abs(residual), band - 1)[:band]] = True
                continue
            place = dataclasses.replace(
                found, basic=which[found.basic], iterations=place.iterations + found.iterations,
                rounds=place.rounds + 1, residuals=found.residuals if active.all() else None,
                basis=None,
            )
            residual = self.c - self.design.times(place.coef)
            wrong = ~active & (self.w > 0) & np.where(above, residual < -self.clear, residual > self.clear)
            if not wrong.any():
                place.v = np.where(above & ~active, self.w, 0.0)
                place.v[which] = found.v
                return place
            if place.rounds == first:  # these coefficients know all observations, the sample's did not
                active[:] = False
                active[np.argpartition(np.abs(residual), band // 4)[: band // 4]] = True
                active[place.basic] = True
                above = residual > 0
            active |= wrong

    def _fit(self, s: float, a: Vector, place: _Place, seconds: float) -> Fit:
        b, v = place.coef, place.v - s * self.w
        residual = self.c - self.design.times(b)
        primal = float(self.w @ (np.maximum(residual, 0.0) - s * residual) + a @ np.abs(b))
        missed = np.maximum(np.abs(self.design.sums(v)) - a, 0.0)
        terms = float(np.abs(self.c) @ np.abs(v)) + abs(primal)
        error = abs(primal - float(self.c @ v)) + float(missed @ np.abs(b)) + _ROUNDING * terms
        return Fit(
            b, v, place.basic, primal, error, place.residuals,
            error <= 1e-7 * (1.0 + abs(primal)), place.iterations, place.rounds, seconds,
        )
