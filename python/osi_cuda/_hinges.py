# SPDX-License-Identifier: EPL-2.0
"""Sums of hinges by linear programs of p rows and n bounded columns, in blocks where n is large.

The problem is

    min over b in R^p   sum_i w_i (max(0, c_i - z_i'b) - s (c_i - z_i'b)) + a sum_j |b_j|

without |b_j| of the intercept, and its dual, without the constant -s w'c, is what is solved,

    max  c'v   subject to   s Z'w - a <= Z'v <= s Z'w + a,   0 <= v <= w.

A quantile regression, a least absolute deviation and an L1 support vector machine are of that kind; the
row duals are b. No other column or row is formed.
"""

from __future__ import annotations

import copy
import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import DeviceRows, Vector, dense, is_sparse
from ._batch import BatchSolver
from ._errors import NoSolution
from ._fit_proof import claim
from ._problem import Problem
from ._solution import Basis, Residuals, Solution, Status, VariableStatus

_LOWER, _UPPER, _BASIC = VariableStatus.AT_LOWER, VariableStatus.AT_UPPER, VariableStatus.BASIC
_DIRECT, _PER_COLUMN = 1000, 40  # a sample has so many observations at least, and for each column
_SHARE = 8  # observations for each of a sample that is solved before
_WIDTH = 2.0  # of the band of observations that may change sides, in standard errors
_ROUNDING = 1e-15  # of a curvature, relative to the largest
_NEAR = 8  # columns for each coefficient where a fit of almost the same problem is known
_FEW, _NARROWER = 3, (1.0, 1.0, 0.5, 0.3, 0.2, 0.15)  # the same of a resampled fit; its widths
_CHANGING = 5  # observations that may change sides, for each of the nearest
_RIDGE = 0.0001  # share of the curvature in the widest width that is added where few observations make one
_COMMON = 10  # powers of two that numbers may be away from 1
_CLEAR = 1e-10  # a residual beyond this, relative to its target, is on one side


def unit(numbers: Any) -> Any:
    """The power of two at the largest number, 0 where that is of common size: problems are solved in such units,
    as tolerances are absolute. Of a matrix for each column; those on a device stay as they are."""
    if isinstance(numbers, DeviceRows):
        return np.zeros(numbers.shape[1], dtype=int)
    if is_sparse(numbers):
        largest = np.ravel(dense(abs(numbers).max(axis=0)))
    else:
        largest = np.abs(numbers[:1000]).max(axis=0, initial=0.0)
        if max(numbers.max(initial=0.0), -numbers.min(initial=0.0)) >= 2.0**_COMMON or (largest < 2.0**-_COMMON).any():
            largest = np.maximum(numbers.max(axis=0, initial=0.0), -numbers.min(axis=0, initial=0.0))
    found = np.frexp(largest)[1]
    return np.where(np.abs(found) > _COMMON, found, 0)


def in_units(numbers: Any, k: Any) -> Any:
    """Numbers / 2^k, with a k for each column of a matrix."""
    if not np.any(k):
        return numbers
    with np.errstate(over="ignore", under="ignore"):
        if not is_sparse(numbers):
            return np.ldexp(numbers, -k)
        scaled = numbers.copy()
        scaled.data = np.ldexp(scaled.data, -k[scaled.indices])
        return scaled


def least(problem: Problem) -> Solution:
    """Solves; raises NoSolution without an optimum."""
    solution = problem.solve()
    if solution.status is not Status.OPTIMAL:
        raise NoSolution(f"{solution.status.name.lower()}: {solution.message or 'no optimum'}")
    return solution


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
        Distance of the objective to the bound that the multipliers prove, with all rounding and with what
        they miss of their equations: no other coefficients do better by more. inf: nothing is proved.
    residuals : Residuals or None
        Of the linear program, where it was solved as a whole; None after blocks, whose last pass
        over all observations has given the error.
    proved : bool
        The error is within 1e-7 of the objective, or, as for data that fit exactly, within 6e-14 of the
        least weight times the sum of the absolute targets.
    iterations, rounds : int
        Pivots of all blocks; linear programs that were solved.
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


@dataclasses.dataclass
class Place:
    """Where a solve stands: coefficients, multipliers, basic observations, statuses of rows."""

    coef: Vector
    v: Vector
    basic: npt.NDArray[np.intp]
    rows: npt.NDArray[np.uint8]
    iterations: int
    rounds: int = 1
    residuals: Residuals | None = None
    basis: Basis | None = None  #: where the problem was solved as a whole


class Hinges:
    """The problem for several pairs of a share s and a penalty a, with z_i = sign_i (x_i, 1), the 1 with
    an intercept only, without a copy of X.

    Parameters
    ----------
    X : ndarray of doubles, `DeviceRows` or sparse matrix of SciPy's, shape (n, p)
    targets, weights, signs : array_like, shape (n,), or one for all
    **options
        Those of `Problem`.
    """

    def __init__(
        self, X: Any, intercept: bool, targets: Any, weights: Any = 1.0, signs: Any = 1.0, **options: Any
    ) -> None:
        X, self.intercept, self.options = X.tocsr() if is_sparse(X) else X, bool(intercept), options
        self.shape = (X.shape[0], X.shape[1] + self.intercept)
        c, w, self.signs = (np.broadcast_to(each, X.shape[0]) for each in (targets, weights, signs))
        self.given, of_c, of_columns, self.of_w = (X, c, w), unit(c), unit(X), unit(w)
        self.X, self.c, self.w = in_units(X, of_columns), in_units(c, of_c), in_units(w, self.of_w)
        self.units = np.append(of_c - of_columns, of_c)[: self.shape[1]]  # of coefficients
        self.features, self.of_c, self.of_columns = X.shape[1], of_c, of_columns

    def penalties(self, a: float, units: bool = True) -> Vector:
        """Of all coefficients, in the units of the solves or in those of the data."""
        own = in_units(np.full(self.features, a), self.of_w + self.of_columns if units else 0)
        return np.append(own, np.zeros(self.shape[1] - self.features))

    def of(self, **parts: Any) -> Hinges:
        """The same with other parts, in the units of this one."""
        other = copy.copy(self)
        vars(other).update(parts)
        return other

    def take(self, which: npt.NDArray[np.intp]) -> Hinges:
        parts = {name: getattr(self, name)[which] for name in ("X", "c", "w", "signs")}
        return self.of(**parts, shape=(len(which), self.shape[1]))

    def columns(self) -> Any:
        """Z', shape (p, n), each observation's numbers side by side; on the device that has X."""
        if isinstance(self.X, DeviceRows):
            return self.X.widened(self.shape[1], self.signs).T
        ones = np.ones((self.shape[0], int(self.intercept)))
        if is_sparse(self.X):
            from scipy import sparse

            return (sparse.diags_array(self.signs) @ sparse.hstack([self.X, ones], format="csr")).T
        Z = np.concatenate([self.X, ones], axis=1, out=np.empty(self.shape))
        Z *= self.signs[:, None]
        return Z.T

    def sums(self, v: Vector) -> Vector:
        """Z'v, shape (p,); of K vectors (K, p)."""
        v = v * self.signs
        return np.concatenate([v @ self.X, v.sum(axis=-1, keepdims=True)], axis=-1)[..., : self.shape[1]]

    def residual(self, b: Vector) -> Vector:
        """c - Z b, shape (n,); for b of shape (p, K) the transpose, (K, n)."""
        p = self.X.shape[1]
        found: Vector = self.c - (self.X @ b[:p] + b[p:].sum(axis=0)).T * self.signs
        return found

    def solve(self, wanted: Sequence[tuple[float, float]], start: Basis | None = None) -> list[Fit]:
        """A `Fit` for each pair; from the largest share and penalty down each begins at the one
        before, the first at the basis `start` if it is of this shape. `basis` is that of the last."""
        begin = time.perf_counter()
        order = sorted(range(len(wanted)), key=lambda k: wanted[k], reverse=True)
        places = self.places([wanted[k] for k in order], start)
        self.basis = places[-1].basis
        seconds = time.perf_counter() - begin
        return [self._fit(*pair, places[order.index(k)], seconds) for k, pair in enumerate(wanted)]

    def places(self, wanted: Sequence[tuple[float, float]], start: Basis | None = None) -> list[Place]:
        n, p = self.shape
        size = max(n // _SHARE, _DIRECT, _PER_COLUMN * p)
        if n <= 2 * size:
            return self._direct(wanted, start)
        s, a = wanted[0]
        chosen = np.sort(np.random.default_rng(0).choice(n, size, replace=False))
        sample = self.take(chosen)
        [place] = sample.places([(s, a * sample.w.sum() / self.w.sum())])
        del sample
        place.basic = chosen[place.basic]
        places = [self._banded(s, a, place, int(_WIDTH * n * np.sqrt(p / size)))]
        for (before, _), (s, a) in zip(wanted, wanted[1:], strict=False):
            places.append(self.near(s, a, places[-1], self, before))
        return places

    def near(self, s: float, a: float, place: Place, other: Hinges, before: float) -> Place:
        """The place for s and a by way of that of `other`, the same rows with other weights, at the share `before`."""
        coef, *_ = self._guesses(s, place, before * other.w, self.w[None], int(abs(s - before) * len(self.c)))
        guess = dataclasses.replace(place, coef=coef[0], iterations=0, rounds=0)
        return self._banded(s, a, guess, _NEAR * self.shape[1])

    def resampled(self, s: float, a: float, place: Place, weights: Vector) -> Vector:
        """Coefficients for other weights, shape (K, n), by way of the place for w: shape (K, p). One small linear
        program for each, of the observations near a guess of its fit; all are solved at once. Where others turn out to
        rest on the wrong side, it is done again, with more observations from the third time on."""
        p, pending = self.shape[1], np.arange(len(weights))
        coef: Vector
        coef, near, sides, Z, W, rest = self._guesses(s, place, s * self.w, weights)
        names = ("engine", "device", "threads", "time_limit")
        solver = BatchSolver(**{name: self.options[name] for name in names if name in self.options})
        c, clear = self.c[near], _CLEAR * (1.0 + np.abs(self.c))
        width, R, band, widens = self.penalties(a), c - coef @ Z.T, _FEW * p, 1  # the second programs are as small, around the first ones' fits
        while pending.size and band <= near.size // 2:
            w, above = W[pending], R > 0
            which = np.argpartition(np.where(w > 0, np.abs(R), np.inf), band - 1, axis=1)[:, :band]
            resting = w > 0
            np.put_along_axis(resting, which, False, axis=1)
            middle = (s * w - np.where(resting & above, w, 0.0)) @ Z - rest[pending]
            found = solver.solve(
                c[which], np.ascontiguousarray(np.moveaxis(Z[which], 1, 2)), middle - width, middle + width,
                0.0, np.take_along_axis(w, which, axis=1), sense="max",
            )
            solved = found.status == Status.OPTIMAL
            coef[pending[solved]] = found.y[solved]
            R = c - coef[pending] @ Z.T
            wrong = (resting & np.where(above, R < -clear[near], R > clear[near])).any(axis=1) | ~solved
            pending, R, band, widens = pending[wrong], R[wrong], band * widens, 2
        R, rests = self.residual(coef.T), weights > 0
        rests[:, near] = False
        wrong = (rests & np.where(sides, R < -clear, R > clear)).any(axis=1)
        for k in np.union1d(pending, np.flatnonzero(wrong)):
            coef[k] = self.of(w=weights[k]).near(s, a, place, self, s).coef
        return coef

    def _guesses(self, s: float, place: Place, pulls: Vector, weights: Vector, moved: int = 0) -> tuple[Any, ...]:
        """Coefficients for a share s and other weights, shape (K, n), from a place whose share times weights is `pulls`:
        Newton's method on hinges that are rounded off within a shrinking width (Chen 2007). Only observations near the
        place may change sides, `moved` of them for the share. With these, all sides, their Z and weights, and what the others add to Z'v - s Z'w. In
        single precision, as guesses need few digits."""
        n, p = self.shape
        residual, single, widest = self.residual(place.coef), np.float32, None
        nearest = min(n, int(np.sqrt(n * p)) + p + moved)
        order = np.argsort(np.abs(residual))
        width, near, sides = np.abs(residual[order[nearest - 1]]) + 1e-300, order[: _CHANGING * nearest], residual > 0
        far = sides - s
        far[near] = 0.0
        rest, coef = self.sums(far * weights), np.tile(place.coef, (len(weights), 1))
        Z, W = np.ascontiguousarray(dense(self.take(near).columns()).T), weights[:, near]
        Y, c, w, start = Z.astype(single), self.c[near].astype(single), W.astype(single), self.sums(place.v - pulls)
        for part in _NARROWER:
            half = single(part * width)
            R = c - coef.astype(single) @ Y.T
            gradient = (w * (np.clip(R / (2 * half) + single(0.5), 0, 1) - single(s))) @ Y + rest - start
            bent, curvature = np.where(np.abs(R) < half, w, single(0)), np.empty((len(coef), p, p))
            for k, row in enumerate(bent):
                which = np.flatnonzero(row)
                curvature[k] = (Y[which].T * row[which]) @ Y[which] / (2 * half)
            if widest is None:
                widest = _RIDGE * curvature + np.eye(p) * (_ROUNDING * curvature.max() + 1e-300)
            coef += np.linalg.solve(curvature + widest, gradient[..., None])[..., 0]
        return coef, near, sides, Z, W, rest

    def _direct(
        self, wanted: Sequence[tuple[float, float]], start: Basis | None, shift: Any = 0.0
    ) -> list[Place]:
        """`shift` of the rows' bounds: of what observations that are no columns add to Z'v."""
        places, total = [], self.sums(self.w)
        with Problem(
            self.c, self.columns(), None, None, 0.0, self.w, sense="max", copy=False,
            **{"infinity": None, **self.options},
        ) as problem:
            if start is not None and (start.rows.size, start.columns.size) == problem.shape:
                problem.basis = start
            for s, a in wanted:
                middle, width = s * total + shift, self.penalties(a)
                problem.set_row_bounds(middle - width, middle + width)
                found = least(problem)
                places.append(Place(
                    found.duals, found.x, np.flatnonzero(found.basis.columns == _BASIC), found.basis.rows,
                    found.iterations, residuals=found.residuals, basis=found.basis,
                ))
        return places

    def _nearest(self, residual: Vector, count: int, basic: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
        """Marks of so many observations with the least residuals, and of the basic ones."""
        count = min(count, residual.size)
        marks = np.zeros(residual.size, dtype=bool)
        marks[np.argpartition(np.abs(residual), count - 1)[:count]] = True
        marks[basic] = True
        return marks

    def _banded(self, s: float, a: float, place: Place, band: int) -> Place:
        """From a place near the optimum: that many observations near its fit are columns, the others
        rest where their residuals tell (Portnoy and Koenker 1997); those that turn out to rest on the
        wrong side become columns until there are none."""
        clear, first = _CLEAR * (1.0 + np.abs(self.c)), place.rounds + 1
        residual = self.residual(place.coef)
        above, active = residual > 0, self._nearest(residual, band, place.basic)
        while True:
            which = np.flatnonzero(active)
            status = np.where(residual[which] > 0, _UPPER, _LOWER).astype(np.uint8)
            status[np.searchsorted(which, place.basic)] = _BASIC
            shift = self.sums(np.where(active, 0.0, (s - above) * self.w))
            try:
                [found] = self.take(which)._direct([(s, a)], Basis(status, place.rows), shift)
            except NoSolution:  # too few columns to make up for those that rest
                if active.all():
                    raise
                band *= 2
                active |= self._nearest(residual, band, place.basic)
                continue
            place = dataclasses.replace(
                found, basic=which[found.basic], iterations=place.iterations + found.iterations,
                rounds=place.rounds + 1, residuals=found.residuals if active.all() else None, basis=None,
            )
            residual = self.residual(place.coef)
            wrong = ~active & (self.w > 0) & np.where(above, residual < -clear, residual > clear)
            if not wrong.any():
                place.v = np.where(above, self.w, 0.0)
                place.v[which] = found.v
                return place
            if place.rounds == first:  # these coefficients know all observations, the sample's did not
                active, above = self._nearest(residual, band // 4, place.basic), residual > 0
            active |= wrong

    def _fit(self, s: float, a: float, place: Place, seconds: float) -> Fit:
        (X, c, w), b = self.given, in_units(place.coef, -self.units)
        v = in_units(place.v - s * self.w, -self.of_w)
        found = claim(X, self.signs, c, w, s, self.penalties(a, False), b, v, place.basic)
        return Fit(b, v, place.basic, *found[:2], place.residuals, found[2], place.iterations, place.rounds, seconds)
