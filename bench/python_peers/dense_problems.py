# SPDX-License-Identifier: EPL-2.0
"""The dense problems of bench_dense as NumPy arrays: max c'x, A x <= b, x >= 0.

Entry k of a stream is a function of seed, stream and k alone (SplitMix64), so that the numbers are
those of bench/dense_model.cpp, bit by bit. Compare with ``bench_dense --check``:

    python3 dense_problems.py --family signed --size 2000x1000
"""

from __future__ import annotations

import argparse
import dataclasses
import math

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FAMILIES = ("origin", "signed", "uniform")
MILLION = 10**6
_GAMMA, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_PIECE = 1 << 22  # elements at a time: temporary arrays of 32 MB


@dataclasses.dataclass(frozen=True)
class DenseProblem:
    """c of length n, A of m x n by rows, b of length m."""

    name: str
    c: Array
    A: Array
    b: Array


def _mixed(z: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    z ^= z >> np.uint64(30)
    z *= np.uint64(_FIRST)
    z ^= z >> np.uint64(27)
    z *= np.uint64(_SECOND)
    z ^= z >> np.uint64(31)
    return z


def _key(seed: int, stream: int) -> int:
    first = int(_mixed(np.array([seed & _MASK], np.uint64))[0])
    return int(_mixed(np.array([(first + stream) & _MASK], np.uint64))[0])


def below(key: int, count: int, limit: int) -> npt.NDArray[np.int64]:
    """Elements 0..count-1 of a stream, integers in 0..limit-1: the upper half of a product of 64
    bits with ``limit``, which has to be below 2^31."""
    out = np.empty(count, np.int64)
    low_half, shift, factor = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(limit)
    for begin in range(0, count, _PIECE):
        end = min(count, begin + _PIECE)
        z = np.arange(begin + 1, end + 1, dtype=np.uint64)
        z *= np.uint64(_GAMMA)
        z += np.uint64(key)
        z = _mixed(z)
        carried = ((z & low_half) * factor) >> shift
        out[begin:end] = (((z >> shift) * factor + carried) >> shift).astype(np.int64)
    return out


def dense_problem(family: str, rows: int, columns: int, seed: int = 1) -> DenseProblem:
    """The problem that bench_dense makes of these words. Sums of integers below 2^53, so exact."""
    if family not in FAMILIES:
        raise ValueError(f"there is no family {family}: {', '.join(FAMILIES)}")
    m, n = rows, columns
    key = [_key(seed, stream) for stream in range(8)]
    uniform, signed = family == "uniform", family == "signed"
    entries = below(key[1], m * n, MILLION if uniform else 2 * MILLION)
    if not uniform:
        entries -= MILLION
    A = entries.astype(np.float64).reshape(n, m)  # columns behind one another, in units of 1e-6
    if uniform:
        c = (9500000 + below(key[7], n, MILLION)).astype(np.float64)
        b = ((9500000 + below(key[6], m, MILLION)) * n // 4).astype(np.float64)
    else:
        top = 10000000 if family == "origin" else 2500000 * math.isqrt(m)
        y = (1 + below(key[5], m, 10)).astype(np.float64)
        c = A @ y - (1 + below(key[7], n, top))
        b = (1 + below(key[6], m, 2500000 * math.isqrt(n))).astype(np.float64)
        if signed:
            b += (1 + below(key[4], n, 10)).astype(np.float64) @ A
    by_rows = np.ascontiguousarray(A.T)
    by_rows /= 1e6
    return DenseProblem(f"{family} {m} x {n}", c / 1e7, by_rows, b / 1e7)


def dense_batch(family: str, rows: int, columns: int, count: int, seed: int = 1) -> DenseProblem:
    """Problems of the seeds ``seed``, ``seed`` + 1, ... as arrays with a leading dimension."""
    each = [dense_problem(family, rows, columns, seed + k) for k in range(count)]
    return DenseProblem(
        f"{count} x {family} {rows} x {columns}",
        np.stack([p.c for p in each]),
        np.stack([p.A for p in each]),
        np.stack([p.b for p in each]),
    )


def check_sums(problem: DenseProblem) -> tuple[int, int, int]:
    """Those of bench_dense --check: of A, b and c."""

    def weighed(values: Array, unit: float) -> int:
        k = np.arange(values.size, dtype=np.uint64) % np.uint64(1000003) + np.uint64(1)
        return int((k * np.rint(values * unit).astype(np.int64).astype(np.uint64)).sum())

    return (
        weighed(problem.A.T.ravel(), 1e6),
        weighed(problem.b, 1e7),
        weighed(problem.c, 1e7),
    )


def size_of(text: str) -> tuple[int, int]:
    """(rows, columns) of "5000x2500"."""
    rows, _, columns = text.partition("x")
    if not (rows.isdigit() and columns.isdigit() and int(rows) > 0 and int(columns) > 0):
        raise argparse.ArgumentTypeError(f"a size is ROWSxCOLUMNS, not {text}")
    return int(rows), int(columns)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check sums of the dense problems.")
    parser.add_argument("--family", choices=FAMILIES, default="origin")
    parser.add_argument("--size", type=size_of, default=(1000, 500))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sums = check_sums(dense_problem(arguments.family, *arguments.size, arguments.seed))
    print("{} x {} A {:016x} b {:016x} c {:016x}".format(*arguments.size, *sums))
