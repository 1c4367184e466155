# SPDX-License-Identifier: EPL-2.0
"""What coefficients and multipliers prove of a sum of hinges, from the data alone: nothing is shared with
the solves. `_hinges` states the problem. All bounds include the rounding of their own sums.

Multipliers v within [-s w, (1 - s) w] have c'v - sum_j m_j |b*_j| <= the optimum, where m_j is what Z'v misses
of [-a_j, a_j] and b* is an optimum. Its coefficients are bounded by the objective of any b, which no optimum
exceeds: a_j |b*_j| by the penalty, and sum_i w_i |z_i'(b* - b)| by the hinges, which a left inverse of rows of Z
makes bounds of b* - b (Krawczyk 1969).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._arrays import DeviceRows, Vector, dense

_EPS = 2.0**-52  # twice the unit roundoff
_TINY = 2.0**-1000  # more than what underflows in a sum of numbers that are scaled
_BLOCK = 1024  # numbers that are summed before the sums are added, exactly
_CLOSE, _ENOUGH, _FITS = 1e-7, 1e-8, 2.0**-44


class Claim(NamedTuple):
    objective: float
    error: float  #: no other coefficients do better by more
    proved: bool  #: within 1e-7 of the objective, or, where data fit, 2^-44 of the least weight times sum_i |c_i|


def _exponent(numbers: Vector) -> int:
    return int(np.frexp(np.abs(numbers).max(initial=0.0))[1])


def _sum(numbers: Vector) -> float:
    """Off by no more than `near` times the sum of absolute numbers."""
    return math.fsum(np.add.reduceat(numbers, np.arange(0, numbers.size, _BLOCK)).tolist())


def claim(
    X: Any, signs: Vector, c: Vector, w: Vector, s: float, a: Vector, b: Vector, v: Vector,
    basic: npt.NDArray[np.intp],
) -> Claim:
    """Of b, shape (p,), and v, shape (n,), with the penalty a_j of each coefficient; p is one more than X has
    columns where there is an intercept."""
    with np.errstate(all="ignore"):
        units = _exponent(c), _exponent(w)
        (c, b), (w, v, a) = ([np.ldexp(each, -k) for each in of] for k, of in zip(units, ((c, b), (w, v, a))))
        try:
            found = _scaled_claim(X, signs, c, w, s, a, b, v, basic)
        except (OverflowError, ValueError):  # of sums beyond doubles, or of their decompositions
            found = Claim(math.inf, math.inf, False)
        objective, error = (float(np.ldexp(each, sum(units))) for each in found[:2])
    whole = math.isfinite(objective) and all(
        (np.abs(each[each != 0]) >= 2.0**-1022).all() for each in (c, b, w, a)  # none has lost digits
    )
    return Claim(objective, error + 1e-323 if whole else math.inf, found.proved and whole)


def _scaled_claim(
    X: Any, signs: Vector, c: Vector, w: Vector, s: float, a: Vector, b: Vector, v: Vector,
    basic: npt.NDArray[np.intp],
) -> Claim:
    (n, q), p = X.shape, b.size
    v = np.clip(v, -s * w * (1 - 4 * _EPS), (1 - s) * w * (1 - 4 * _EPS))
    near, more = (min(n, _BLOCK) + 4) * _EPS, 1 + n * _EPS  # of `_sum`, of plain sums
    pulls, fitted, sizes, sums, terms = v * signs, np.empty(n), np.empty(n), [], np.zeros(p)
    for begin in range(0, n, _BLOCK):
        rows = slice(begin, begin + _BLOCK)
        part = X[np.arange(begin, min(n, begin + _BLOCK))] if isinstance(X, DeviceRows) else X[rows]
        sums.append(pulls[rows] @ part)
        fitted[rows] = part @ b[:q]
        sizes[rows], pulled = _sizes(part, np.abs(b[:q]), np.abs(v[rows]))
        terms[:q] += pulled
    total = np.array([*map(math.fsum, zip(*sums)), *[_sum(pulls)] * (p - q)])
    terms[q:] = np.abs(v).sum()
    residual = c - (fitted + b[q:].sum()) * signs
    rounded = (p + 6) * _EPS * (np.abs(c) + sizes + np.abs(b[q:]).sum()) + _TINY
    if not (np.isfinite(residual).all() and np.isfinite(total).all() and np.isfinite(rounded).all()):
        return Claim(math.inf, math.inf, False)
    hinges = np.maximum((1 - s) * residual, -s * residual)
    objective = _sum(w * hinges) + math.fsum(np.where(b == 0, 0.0, a * np.abs(b)))
    rounding = more * float(w @ rounded + 2 * _EPS * (w @ np.abs(residual))) + (near + 16 * _EPS) * objective
    upper = objective + rounding
    missed = np.abs(total) + near * more * terms + n * 5e-324 - a * (1 - 4 * _EPS)
    charged, bound = missed > 0, _sum(c * v) - more * near * float(np.abs(c) @ np.abs(v)) - _TINY
    if 0 < s < 1:  # which may be rounded itself: one less a quantile
        bound -= 2 * _EPS * upper / min(s, 1 - s)
    deviations = more * float(w @ (np.abs(residual) + rounded))
    fits = _FITS * float(w[w > 0].min(initial=np.inf) * np.abs(c).sum())
    error = math.inf
    for count in (256, 4000) if charged.any() else (0,):  # more rows bound coefficients better, and take longer
        largest = _largest(X, signs, c, w, s, a, b, upper, deviations, basic, count) if count else missed
        lower = bound - math.fsum(missed[charged] * largest[charged]) * (1 + 4 * _EPS)
        error = min(error, (upper - max(lower, 0.0)) * (1 + 4 * _EPS) if lower == lower else upper)
        if error <= _ENOUGH * objective or n <= 4 * p + count:
            break
    return Claim(objective, error, error <= max(_CLOSE * objective, fits))


def _sizes(part: Any, b: Vector, v: Vector) -> tuple[Any, Any]:
    """Sums of absolute products with columns and with rows; of rows on a device upper bounds by their squares (Cauchy)."""
    if not isinstance(part, DeviceRows):
        size = abs(part)
        return size @ b, v @ size
    squares, least = part.squares(), 2.0**-510  # whose square does not underflow
    return np.sqrt(b.size * (squares @ b**2)) + least * b.sum(), np.sqrt(v.sum() * (v @ squares)) + least * v.sum()


def _largest(
    X: Any, signs: Vector, c: Vector, w: Vector, s: float, a: Vector, b: Vector, objective: float,
    deviations: float, basic: npt.NDArray[np.intp], count: int,
) -> Vector:
    """Upper bounds of the coefficients of an optimum whose objective is at most that, by about so many rows;
    `deviations` is sum_i w_i |r_i| of b."""
    (n, q), p = X.shape, b.size
    chosen = np.union1d(basic, np.linspace(0, n - 1, min(n, 4 * p + count)).astype(np.intp))
    chosen = chosen[w[chosen] > 0]
    Z, weights, share = _rows(X, chosen, p), w[chosen], min(s, 1 - s) * (1 - 4 * _EPS)
    found: Vector = objective / a * (1 + 4 * _EPS)
    if share > 0 and chosen.size >= p:
        found = np.fmin(found, _by_inverse(X, Z, weights, a, b, objective / share + deviations))
    if p > q and np.isfinite(found[:q]).all():  # the intercept, by what others leave of single rows
        size = (np.abs(Z[:, :q]) @ found[:q] + np.abs(c[chosen])) * (1 + (p + 8) * _EPS)
        above, below = (size + objective / (weights * part) for part in (1 - s, s))  # of the signed intercept
        least = np.where(signs[chosen] > 0, above, below).min(initial=np.inf)  # of its negative
        most = np.where(signs[chosen] > 0, below, above).min(initial=np.inf)
        found[q] = np.fmin(found[q], max(least, most) * (1 + 8 * _EPS))
    return found


def _rows(X: Any, which: npt.NDArray[np.intp], p: int) -> Vector:
    rows = dense(X[which])
    return np.concatenate([rows, np.ones((which.size, p - rows.shape[1]))], axis=1)


def _by_inverse(X: Any, Z: Vector, weights: Vector, a: Vector, b: Vector, moved: float) -> Vector:
    """From rows Z of all, and what sum_i w_i |z_i'(b* - b)| is at most."""
    found, units, root = np.full(b.size, np.inf), np.frexp(np.abs(Z).max(axis=0))[1], np.sqrt(weights)[:, None]
    scaled = np.ldexp(Z, -units)
    order = np.roll(np.arange(b.size), b.size - X.shape[1])  # the intercept first
    rest = np.abs(np.diag(np.linalg.qr((scaled * root)[:, order], mode="r")))
    free = (rest > 1e-9 * np.linalg.norm(scaled * root, axis=0)[order])[np.argsort(order)]
    b = np.abs(b)
    for j in np.flatnonzero(~free):  # a sum of others, without which all fits are the same
        factors = _exact_sum(X, Z, free, int(j)) if not a.any() else None
        if factors is None:
            return found
        b, found[j] = b + np.abs(factors) * b[j] * (1 + 4 * _EPS), 0.0
    scaled, p = scaled[:, free], int(free.sum())
    Q, R = np.linalg.qr(scaled * root)
    inverse = np.linalg.solve(R, Q.T) * root.T
    E = np.abs(np.eye(p) - inverse @ scaled) + (len(Z) + 8) * _EPS * (np.abs(inverse) @ np.abs(scaled) + 1)
    reach = (np.abs(inverse) / weights).max(axis=1, initial=0.0) * moved * (1 + 8 * _EPS)
    reach = np.maximum(reach, reach.max(initial=0.0) * 2.0**-20 + _TINY)
    theta = float((E @ reach / reach).max(initial=0.0)) * (1 + (p + 4) * _EPS)
    if theta <= 0.5:
        found[free] = np.ldexp(reach / (1 - theta) * (1 + 4 * _EPS), -units[free]) + b[free] * (1 + _EPS)
    return found


def _exact_sum(X: Any, Z: Vector, free: npt.NDArray[np.bool_], j: int) -> Vector | None:
    """Factors with which column j is a sum of the free ones in all rows, where no rounding hides another."""
    (n, q), p = X.shape, free.size
    near, factors = np.linalg.lstsq(Z[:, free], Z[:, j], rcond=None)[0], np.zeros(p)
    factors[free] = np.where(np.abs(near - np.rint(near)) < 1e-9, np.rint(near), near)
    used = np.flatnonzero(factors)
    if used.tolist() == [q]:  # a constant
        factors[q] = Z[0, j]
    single = used.size == 0 or (used.size == 1 and (abs(factors[used[0]]) == 1 or used[0] == q))
    for begin in range(0, n, 16 * _BLOCK):
        part = _rows(X, np.arange(begin, min(n, begin + 16 * _BLOCK)), p)
        terms = part[:, used] * factors[used]
        whole = (part[:, used] % 1 == 0).all() and (factors % 1 == 0).all() and np.abs(terms).sum(axis=1).max() < 2.0**53
        if not (single or whole) or (terms.sum(axis=1) != part[:, j]).any():
            return None
    return factors
