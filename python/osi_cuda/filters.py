# SPDX-License-Identifier: EPL-2.0
"""Linear-phase FIR filters whose largest deviation from a response is least.

>>> from osi_cuda import filters
>>> taps, deviation = filters.chebyshev(33, [0, 0.2, 0.25, 0.5], [1, 0])
>>> len(taps), round(deviation, 4)
(33, 0.0206)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Vector, index_of, number, vector
from .estimators import ChebyshevRegressor


def chebyshev(
    numtaps: int, bands: Any, desired: Any, *, weight: Any = None, fs: float = 1.0, grid_density: int = 32,
    **options: Any,
) -> tuple[Vector, float]:
    """The symmetric filter whose weighted deviation from a response that is constant in each band is
    least (McClellan and Parks 1973), as a linear program (Rabiner 1972) on a grid of frequencies.
    Raises ValueError where numtaps is less than 1, bands do not ascend from 0 to fs / 2, or lengths do
    not fit.

    Parameters
    ----------
    numtaps : int
    bands : array_like, shape (2 K,)
        Edges of K bands in ascending order, from 0 to fs / 2, in the units of fs; between bands the
        response is free.
    desired : array_like, shape (K,)
        The response in each band.
    weight : array_like, shape (K,), optional
        How much a deviation counts in each band.
    fs : float
        Sampling frequency.
    grid_density : int
        Grid points for each coefficient.
    **options
        Options of `Problem`.

    Returns
    -------
    taps : ndarray, shape (numtaps,)
        Between points of the grid the response deviates slightly more.
    deviation : float
        The largest weighted deviation on the grid.
    """
    if index_of(numtaps, "numtaps") < 1 or index_of(grid_density, "grid_density") < 1:
        raise ValueError("numtaps and grid_density have to be at least 1")
    if not 0 < number(fs, "fs") < np.inf:
        raise ValueError(f"fs has to be a number above 0, not {fs!r}")
    edges = vector(bands, "bands") / fs
    if edges.size % 2 or edges.size == 0 or not ((np.diff(edges) > 0).all() and edges[0] >= 0 and edges[-1] <= 0.5):
        raise ValueError("bands have to be pairs of edges that ascend from 0 to fs / 2")
    terms, odd = (numtaps + 1) // 2, numtaps % 2
    points = 2 * grid_density * terms  # from 0 to fs
    grids = [np.linspace(a, b, max(2, int(np.ceil((b - a) * points)) + 1)) for a, b in edges.reshape(-1, 2)]
    target, scale = (
        np.repeat(vector(each, name, len(grids)), [grid.size for grid in grids])
        for each, name in ((desired, "desired"), (1.0 if weight is None else weight, "weight"))
    )
    delays = np.arange(terms) + (0.0 if odd else 0.5)
    cosines = np.cos(2 * np.pi * np.outer(np.concatenate(grids), delays))
    fit = ChebyshevRegressor(fit_intercept=False, solver_options=options)
    fit.fit(cosines * scale[:, None], target * scale)
    half = fit.coef_ / 2
    half[0] *= 1 + odd  # the tap in the middle is one
    return np.concatenate([half[odd:][::-1], half]), fit.deviation_
