# SPDX-License-Identifier: EPL-2.0
"""Seconds and bytes of pivots of variants on large shared tableaus: random networks of the size of genome-scale
models, and what their pivots read of the shared tableau D and of their own factors.

    python lab/evidence/large_tableaus.py
"""

import numpy as np
from scipy import sparse

import osi_cuda


def network(m, n):
    """max c'v, S v = 0, l <= v <= u: each reaction turns one or two metabolites into one or two others;
    exchange reactions bring and take every tenth."""
    random = np.random.default_rng(4)
    kinds = [(i, 1.0) for i in range(0, m, 10)]
    rows, columns, values = [], [], []
    for j in range(n):
        if j < len(kinds):
            rows, columns, values = rows + [kinds[j][0]], columns + [j], values + [1.0]
            continue
        count = random.integers(2, 5)
        near = (random.integers(m) + random.integers(1, 60, count)) % m
        signs = np.where(np.arange(count) % 2, 1.0, -1.0) * random.integers(1, 3, count)
        rows, columns, values = [*rows, *near], [*columns, *[j] * count], [*values, *signs]
    lower = np.where(random.uniform(size=n) < 0.4, -1000.0, 0.0)
    lower[: len(kinds)] = np.where(random.uniform(size=len(kinds)) < 0.5, -10.0, 0.0)
    costs = np.where(random.uniform(size=n) < 0.01, 1.0, 0.0)
    return osi_cuda.Problem(costs, sparse.csr_array((values, (rows, columns)), (m, n)), 0.0, 0.0, lower, 1000.0,
                            sense="max")


def main():
    print("    size            cells  pivots each  device, s  us a pivot  of D, MB a pivot  U and V, MB  share of D  GB/s")
    for m, n in ((2000, 2600), (4000, 6000), (7000, 10000)):
        problem, count = network(m, n), 528
        found = problem.solve()
        used = np.flatnonzero(np.abs(found.x) > 1e-6)[:count]
        zero = sparse.csr_array((np.zeros(used.size), (np.arange(used.size), used)), (used.size, n))
        for _ in range(2):
            answer = problem.variants(lower=zero, upper=zero, what=(), engine="cuda")
        pivots = answer.iterations.astype(float)
        lines = np.minimum(pivots, 512) / 2  # of U and V, on average
        of_d = 8 * n + 32 * m  # a row, and a column of which every entry costs a sector
        own = (pivots * 8 * lines).sum() / pivots.sum() * (m + n)
        seconds = answer.device_seconds / pivots.sum()
        print(f"{m:6} x {n:6} {m * n:12} {pivots.mean():12.1f} {answer.device_seconds:10.4f} {1e6 * seconds:11.2f} "
              f"{of_d / 1e6:17.3f} {own / 1e6:12.3f} {of_d / (of_d + own):11.1%} {(of_d + own) / seconds / 1e9:5.0f}  "
              f"{used.size} variants, again {answer.again}, first {found.seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main()
