#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Linear programs that people have, through `osi_cuda.linprog` and SciPy's linprog (HiGHS): seconds of the
calling process's processor, the least of several, one thread.

usage: tall_problems.py [--repeat N] [--limit SECONDS] [--only NAME] [--mine-only] [--csv FILE]
"""
import argparse
import csv
import sys
import time

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog as highs

import osi_cuda

FREE = (None, None)


def data(n, p, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    return X, X @ rng.standard_normal(p) + rng.standard_t(3, n)


def quantile_sklearn(n=2000, p=50, tau=0.3, alpha=0.01):
    """As sklearn.linear_model.QuantileRegressor poses it: all columns >= 0."""
    X, y = data(n, p)
    X = np.hstack([np.ones((n, 1)), X])
    alphas = np.full(p + 1, n * alpha)
    alphas[0] = 0.0
    c = np.concatenate([alphas, alphas, np.full(n, tau), np.full(n, 1 - tau)])
    eye = sp.eye_array(n, format="csc")
    S = sp.csc_array(X)
    return dict(c=c, A_eq=sp.hstack([S, -S, eye, -eye], format="csc"), b_eq=y)


def l1(n=2000, p=50):
    X, y = data(n, p)
    eye = sp.eye_array(n, format="csc")
    return dict(c=np.concatenate([np.zeros(p), np.ones(2 * n)]),
                A_eq=sp.hstack([sp.csc_array(X), eye, -eye], format="csc"), b_eq=y,
                bounds=[FREE] * p + [(0, None)] * (2 * n))


def l1_inequalities(n=2000, p=50):
    """|y - X b| <= t, as modelling layers pose it."""
    X, y = data(n, p)
    eye, S = sp.eye_array(n, format="csc"), sp.csc_array(X)
    return dict(c=np.concatenate([np.zeros(p), np.ones(n)]),
                A_ub=sp.vstack([sp.hstack([S, -eye]), sp.hstack([-S, -eye])], format="csc"),
                b_ub=np.concatenate([y, -y]), bounds=[FREE] * p + [(0, None)] * n)


def trend_filter(n=2000, weight=5.0):
    rng = np.random.default_rng(0)
    y = np.cumsum(rng.standard_normal(n)) * 0.1 + rng.standard_normal(n)
    D = sp.diags_array([1.0, -2.0, 1.0], offsets=[0, 1, 2], shape=(n - 2, n))
    eye, small = sp.eye_array(n), sp.eye_array(n - 2)
    A = sp.block_array([[eye, eye, -eye, None, None], [D, None, None, small, -small]], format="csc")
    return dict(c=np.concatenate([np.zeros(n), np.ones(2 * n), np.full(2 * (n - 2), weight)]), A_eq=A,
                b_eq=np.concatenate([y, np.zeros(n - 2)]),
                bounds=[FREE] * n + [(0, None)] * (4 * n - 4))


def gini(n=200, p=50):
    """The mean difference of a portfolio's returns, as skfolio poses it: ordered weights."""
    rng = np.random.default_rng(0)
    R = rng.standard_normal((n, p)) * 0.01 + 0.0005
    w = (4 * np.arange(1, n + 1) - 2 * (n + 1)) / (n * (n - 1))  # owa weights of the mean difference
    # columns: weights p, x n, y n; rows x_i + y_j >= w_j * (R w)_i
    i, j = np.repeat(np.arange(n), n), np.tile(np.arange(n), n)
    k = np.arange(n * n)
    one = np.ones(n * n)
    left = sp.csc_array((one, (k, i)), shape=(n * n, n))
    right = sp.csc_array((one, (k, j)), shape=(n * n, n))
    u = sp.csc_array((w[j], (k, i)), shape=(n * n, n))
    A_ub = sp.hstack([sp.csc_array((n * n, p)), u, -left, -right], format="csc")
    A_eq = sp.vstack([sp.hstack([sp.csc_array(R), -sp.eye_array(n), sp.csc_array((n, 2 * n))]),
                      sp.csc_array(np.concatenate([np.ones(p), np.zeros(3 * n)])[None, :])], format="csc")
    return dict(c=np.concatenate([np.zeros(p + n), np.ones(2 * n)]), A_ub=A_ub, b_ub=np.zeros(n * n), A_eq=A_eq,
                b_eq=np.concatenate([np.zeros(n), [1.0]]), bounds=[(0, None)] * p + [FREE] * (3 * n))


def transport(n):
    rng = np.random.default_rng(0)
    a, b = rng.random(n), rng.random(n)
    A = sp.vstack([sp.kron(sp.eye_array(n), np.ones((1, n))), sp.kron(np.ones((1, n)), sp.eye_array(n))],
                  format="csc")
    return dict(c=rng.random(n * n), A_eq=A, b_eq=np.concatenate([a / a.sum(), b / b.sum()]))


def cvar(n=1000, p=50, beta=0.95):
    rng = np.random.default_rng(0)
    R = rng.standard_normal((n, p)) * 0.01 + rng.random(p) * 0.001
    A = np.hstack([-R, -np.ones((n, 1)), -np.eye(n)])
    c = np.concatenate([np.zeros(p), [1.0], np.full(n, 1 / ((1 - beta) * n))])
    return dict(c=c, A_ub=sp.csc_array(A), b_ub=np.zeros(n),
                A_eq=sp.csc_array(np.concatenate([np.ones(p), np.zeros(n + 1)])[None, :]), b_eq=[1.0],
                bounds=[(0, None)] * p + [FREE] + [(0, None)] * n)


def chebyshev(n=2000, p=50):
    X, y = data(n, p)
    t = np.ones((n, 1))
    return dict(c=np.append(np.zeros(p), 1.0), A_ub=np.block([[X, -t], [-X, -t]]),
                b_ub=np.concatenate([y, -y]), bounds=[FREE] * p + [(0, None)])


def game(n):
    A = np.random.default_rng(0).integers(-100, 101, (n, n)).astype(float)
    return dict(c=np.append(np.zeros(n), -1.0), A_ub=np.hstack([-A.T, np.ones((n, 1))]), b_ub=np.zeros(n),
                A_eq=np.append(np.ones(n), 0.0)[None, :], b_eq=[1.0], bounds=[(0, None)] * n + [FREE])


def dantzig(n=200, p=400):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p)) / np.sqrt(n)
    beta = np.zeros(p)
    beta[:10] = 3 * rng.standard_normal(10)
    y = X @ beta + 0.1 * rng.standard_normal(n)
    G, g, delta = X.T @ X, X.T @ y, 0.3
    return dict(c=np.ones(2 * p), A_ub=np.vstack([np.hstack([G, -G]), np.hstack([-G, G])]),
                b_ub=np.concatenate([g + delta, delta - g]))


FAMILIES = {
    "quantile regression as scikit-learn's, 2000 x 50": quantile_sklearn,
    "L1 regression, 2000 x 50": l1,
    "L1 regression by inequalities, 2000 x 50": l1_inequalities,
    "L1 trend filter, 2000 points": trend_filter,
    "Gini portfolio, 200 x 50": gini,
    "optimal transport, 100 x 100": lambda: transport(100),
    "optimal transport, 300 x 300": lambda: transport(300),
    "CVaR portfolio, 1000 x 50": cvar,
    "Chebyshev fit, 2000 x 50": chebyshev,
    "matrix game, 200 x 200": lambda: game(200),
    "matrix game, 500 x 500": lambda: game(500),
    "Dantzig selector, 200 x 400": dantzig,
}


def timed(solve, repeat):
    best, result = np.inf, None
    for _ in range(repeat):
        begin = time.process_time()
        result = solve()
        best = min(best, time.process_time() - begin)
        if best > 20:
            break
    return best, result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--mine-only", action="store_true")
    parser.add_argument("--csv")
    args = parser.parse_args()
    lines = []
    for name, make in FAMILIES.items():
        if args.only not in name:
            continue
        problem = make()
        options = {"time_limit": args.limit}
        seconds, mine = timed(lambda: osi_cuda.linprog(
            **problem, options={**options, "threads": 1, "engine": "host"}), args.repeat)
        line = {"problem": name, "osi_cuda": f"{seconds:.4f}", "status": mine.status}
        if not args.mine_only:
            for method in ("highs-ds", "highs-ipm"):
                theirs, peer = timed(lambda: highs(**problem, method=method, options=options), args.repeat)
                line[method] = f"{theirs:.4f}"
                if mine.status == 0 and peer.status == 0:
                    assert abs(mine.fun - peer.fun) <= 1e-6 * (1 + abs(mine.fun)), (name, mine.fun, peer.fun)
            line["ratio"] = f"{seconds / min(float(line['highs-ds']), float(line['highs-ipm'])):.3f}"
        lines.append(line)
        print(*line.values(), sep="  ", flush=True)
    if args.csv:
        with open(args.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, lines[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)


if __name__ == "__main__":
    sys.exit(main())
