#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Dense families through the interior point method of `osi-cuda solve --engine host`: its iterations, the pivots after
it and the seconds of the solve, the least of several, by one or more programs in turns. Their objectives have to agree.

usage: dense_families.py [--size ROWSxCOLUMNS]... [--family NAME]... [--repeat N] [--csv FILE] PROGRAM...
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

FREE = -np.inf


def family(name, m, n, r):
    """The problem as the arrays of an .npz file; A is m x n, x >= 0 where nothing else is said."""
    A, c, b = r.random((m, n)), r.random(n) + 0.5, (r.random(m) + 0.5) * n
    signed = r.uniform(-1, 1, (m, n))
    if name == "equal":  # entries uniform in [0, 1), all else equal
        return dict(A=A, c=np.ones(n), row_upper=np.full(m, float(n)), sense="max")
    if name == "equal, covering":
        return dict(A=A, c=np.ones(n), row_lower=np.full(m, float(n)), sense="min")
    if name == "equal, integers":
        return dict(A=r.integers(0, 10, (m, n)) * 1.0, c=np.ones(n), row_upper=np.full(m, float(n)), sense="max")
    if name == "packing":
        return dict(A=A, c=c, row_upper=b, sense="max")
    if name == "covering":
        return dict(A=A, c=c, row_lower=b, sense="min")
    if name == "integers":
        return dict(A=r.integers(0, 5, (m, n)) * 1.0, c=r.integers(1, 6, n) * 1.0,
                    row_upper=r.integers(1, 6, m) * float(n), sense="max")
    if name == "knapsacks":
        return dict(A=A, c=c, row_upper=A.sum(1) / 2, upper=np.ones(n), sense="max")
    if name == "near-parallel rows":
        return dict(A=np.vstack([A[:m // 4]] * 4) + 1e-3 * r.random((m // 4 * 4, n)), c=c, row_upper=b[:m // 4 * 4],
                    sense="max")
    if name == "rows twice":
        return dict(A=np.vstack([A[:m // 2]] * 2), c=c, row_upper=np.tile(b[:m // 2], 2), sense="max")
    if name == "sides of 0":  # half of the rows: the origin is degenerate
        return dict(A=signed, c=signed.T @ r.random(m) - r.random(n),
                    row_upper=np.where(r.random(m) < 0.5, 0.0, r.random(m) * np.sqrt(n) / 4), sense="max")
    if name == "origin":
        return dict(A=signed, c=signed.T @ r.random(m) - r.random(n), row_upper=r.random(m) * np.sqrt(n) / 4,
                    sense="max")
    if name == "signed":
        return dict(A=signed, c=signed.T @ r.random(m) - r.random(n) * np.sqrt(m) / 4,
                    row_upper=signed @ r.random(n) + r.random(m) * np.sqrt(n) / 4, sense="max")
    if name == "matrix game":  # max v, A'x >= v, sum x = 1
        return dict(A=np.vstack([np.hstack([signed, np.ones((m, 1))]), np.append(np.ones(n), 0.0)]),
                    c=np.append(np.zeros(n), 1.0), row_lower=np.append(np.full(m, FREE), 1.0),
                    row_upper=np.append(np.zeros(m), 1.0), lower=np.append(np.zeros(n), FREE), sense="max")
    if name == "Chebyshev fit":  # min t, |B x - y| <= t
        B, y, ones = r.normal(size=(m // 2, n - 1)), r.normal(size=m // 2), np.ones((m // 2, 1))
        return dict(A=np.vstack([np.hstack([B, -ones]), np.hstack([-B, -ones])]), c=np.append(np.zeros(n - 1), 1.0),
                    row_upper=np.append(y, -y), lower=np.append(np.full(n - 1, FREE), 0.0), sense="min")
    raise SystemExit(f"no family {name!r}")


FAMILIES = ["equal", "equal, covering", "equal, integers", "packing", "covering", "integers", "knapsacks",
            "near-parallel rows", "rows twice", "sides of 0", "origin", "signed", "matrix game", "Chebyshev fit"]


def solve(program, path):
    out = subprocess.run([program, "solve", path, "--engine", "host", "--algorithm", "barrier", "--presolve", "off",
                          "--json", "--quiet"], stdout=subprocess.PIPE, check=True).stdout
    result = json.loads(out)
    return (result["objective"], result.get("barrier", {}).get("iterations", 0), result["iterations"],
            result["seconds"]["solve"])


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("--size", action="append")
    parser.add_argument("--family", action="append", choices=FAMILIES)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--csv")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    table = csv.writer(open(options.csv, "a", newline="") if options.csv else sys.stdout)
    for size in options.size or ["600x300"]:
        m, n = map(int, size.split("x"))
        for name in options.family or FAMILIES:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "problem.npz")
                np.savez(path, **family(name, m, n, np.random.default_rng(3)))
                found = [[solve(p, path) for p in options.programs] for _ in range(options.repeat)]
            best = [min(runs, key=lambda run: run[3]) for runs in zip(*found)]
            if any(abs(run[0] - best[0][0]) > 1e-7 * (1 + abs(best[0][0])) for run in best):
                raise SystemExit(f"{name}, {size}: objectives differ: {best}")
            table.writerow([size, name] + [x for run in best for x in (run[1], run[2], round(run[3], 3))])


if __name__ == "__main__":
    main()
