# SPDX-License-Identifier: EPL-2.0
"""The one check of all solvers' answers, which shares nothing with any of them: residuals with sums in extended
precision, the gap, and whether the point is a vertex."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from .problem import LP

TOUCHES = 1e-9  # a number so near its bound, relative to 1 + |bound|, rests on it
LARGEST = 4000  # columns that are left for a dense rank


@dataclasses.dataclass(frozen=True)
class Quality:
    """``primal``: the largest violation of a row or a bound, relative to 1 + the largest finite side; ``dual``: of a
    reduced cost's sign, to 1 + max |c|; ``gap``: between c'x and the bound that y proves, to 1 + their sizes.
    NaN: no y, or no x. ``objective`` is c'x."""

    objective: float = np.nan
    primal: float = np.nan
    dual: float = np.nan
    gap: float = np.nan
    vertex: bool = False


def _sums(values: Any, groups: Any, count: int) -> Any:
    """Of each group, in extended precision; groups ascend."""
    out = np.zeros(count, np.longdouble)
    if values.size:
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        out[groups[starts]] = np.add.reduceat(values, starts)
    return out


def quality(lp: LP, x: Any, y: Any, vertices: bool = True) -> Quality:
    """y has the signs of a minimisation: c - A'y >= 0 for columns at their lower bounds."""
    if x is None or not np.isfinite(x).all():
        return Quality()
    x = np.asarray(x, float)
    A = lp.sparse.tocoo()
    terms = A.data.astype(np.longdouble)
    order = np.argsort(A.row, kind="stable")
    activity = _sums((terms * x[A.col])[order], A.row[order], A.shape[0])
    sides = np.concatenate([lp.row_lower, lp.row_upper, lp.lower, lp.upper])
    scale = 1 + np.abs(sides[np.isfinite(sides)]).max(initial=0.0)
    over = [lp.row_lower - activity, activity - lp.row_upper, lp.lower - x, x - lp.upper]
    primal = float(max(each.max(initial=0.0) for each in over) / scale)
    objective = float((lp.c.astype(np.longdouble) * x).sum())
    vertex = vertices and primal <= 1e-8 and is_vertex(lp, x, activity, float(10 * primal * scale))
    if y is None or not np.isfinite(y).all():
        return Quality(objective, primal, vertex=vertex)
    y = np.asarray(y, float)
    order = np.argsort(A.col, kind="stable")
    reduced = lp.c - _sums((terms * y[A.row])[order], A.col[order], A.shape[1])
    bound, dual = np.longdouble(0.0), 0.0
    for price, low, high in ((y, lp.row_lower, lp.row_upper), (reduced, lp.lower, lp.upper)):
        side = np.where(price > 0, low, high)
        rests = np.isfinite(side)
        bound += (price[rests] * side[rests].astype(np.longdouble)).sum()
        dual = max(dual, float(np.abs(price[~rests]).max(initial=0.0)))
    gap = float(abs(objective - bound) / (1 + abs(objective) + abs(bound)))
    return Quality(objective, primal, dual / (1 + float(np.abs(lp.c).max(initial=0.0))), gap, vertex)


def is_vertex(lp: LP, x: Any, activity: Any, slack: float) -> bool:
    """Whether columns strictly between their bounds are linearly independent in the rows that rest on a side; a number
    rests within `TOUCHES` or `slack`, a column without bounds at zero. Rows with a single such column, and columns in a
    single such row, are taken off first; the rest by QR with pivots."""
    def rests(values: Any, low: Any, high: Any) -> Any:
        ends = np.isfinite([low, high])
        free = (~ends).all(axis=0)
        sides = np.where(ends, [low, high], np.where(free, 0.0, np.inf))
        near = np.abs(values - sides) <= np.maximum(slack, TOUCHES * (1 + np.where(ends, np.abs(sides), 0.0)))
        return near.any(axis=0)

    free = ~rests(x, lp.lower, lp.upper)
    A = lp.sparse.tocsr()[rests(activity, lp.row_lower, lp.row_upper)][:, free].tocsc()
    while A.shape[1]:
        pattern = sp.csc_array((np.ones(A.nnz), A.indices, A.indptr), shape=A.shape)
        in_rows, in_columns = np.asarray(pattern.sum(axis=1)).ravel(), np.diff(A.indptr)
        if (in_columns == 0).any():
            return False
        coo = A.tocoo()
        single = (in_rows[coo.row] == 1) | (in_columns[coo.col] == 1)
        if not single.any():
            break
        # Each row and column once; a row with two single columns keeps one of them, which shows next time.
        _, first = np.unique(coo.row[single], return_index=True)
        rows, columns = coo.row[single][first], coo.col[single][first]
        columns, first = np.unique(columns, return_index=True)
        keep_rows, keep_columns = np.ones(A.shape[0], bool), np.ones(A.shape[1], bool)
        keep_rows[rows[first]] = keep_columns[columns] = False
        A = A[keep_rows][:, keep_columns].tocsc()
    if A.shape[1] == 0:
        return True
    A = A[np.diff(A.tocsr().indptr) > 0]
    if A.shape[0] < A.shape[1] or A.shape[1] > LARGEST:
        return False
    dense = A.toarray()
    dense /= np.abs(dense).max(axis=0)
    diagonal = np.abs(np.diag(scipy.linalg.qr(dense, mode="r", pivoting=True, check_finite=False)[0]))
    return bool(diagonal[-1] > 1e-13 * diagonal[0] * dense.shape[0])
