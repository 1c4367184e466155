# SPDX-License-Identifier: EPL-2.0
"""bench/python_peers: its problems are those of bench_dense, its judge sees what is wrong, and its
programs run with this project in a peer's place."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

PEERS = pathlib.Path(__file__).parents[2] / "bench" / "python_peers"
sys.path.insert(0, str(PEERS))

from answers import residuals  # noqa: E402
from dense_problems import check_sums, dense_batch, dense_problem  # noqa: E402

import osi_cuda  # noqa: E402


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PEERS / program), *words], capture_output=True, text=True
    )


def cells(output: str) -> list[list[str]]:
    """The cells of the lines that are neither a heading nor the rule under it."""
    lines = [line for line in output.splitlines() if line.startswith("| ")]
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in table if not row[0].startswith("problem")]


@pytest.mark.parametrize(
    ("family", "sums"),
    [
        ("origin", (0xffffff7aa9f0624e, 0x00000068c9afbdea, 0x00000001571710e6)),
        ("signed", (0xffffff7aa9f0624e, 0x000000671b363af5, 0xfffffff55575fc0b)),
        ("uniform", (0x00007b832c853228, 0x0000080ddf4772e2, 0x0000000703011461)),
    ],
)
def test_problems_are_those_of_bench_dense(family: str, sums: tuple[int, int, int]) -> None:
    assert check_sums(dense_problem(family, 303, 77)) == sums  # bench_dense --check


def test_judge() -> None:
    problem = dense_problem("signed", 60, 30)
    result = osi_cuda.linprog(-problem.c, problem.A, problem.b)
    for sign in (1, -1):
        right = residuals(problem, result.x, sign * result.ineqlin.marginals)
        assert max(right.primal, right.dual, right.gap) < 1e-9
    assert residuals(problem, 1.1 * result.x, None).primal > 1e-3
    assert residuals(problem, result.x, np.zeros(60)).dual > 1e-3
    assert residuals(problem, result.x, 1.1 * result.ineqlin.marginals).gap > 1e-3


def test_single() -> None:
    done = run("single.py", "--solver", "osi_cuda/host/barrier", "--size", "60x30", "--repeats", "2")
    assert done.returncode == 0, done.stderr
    rows = cells(done.stdout)
    assert [row[:3] for row in rows] == [["origin 60 x 30", "osi_cuda/host/barrier", "optimal"]] * 2
    assert all(float(value) < 1e-9 for row in rows for value in row[7:])


def test_batches() -> None:
    done = run("batches.py", "--solver", "osi_cuda", "--engine", "host", "--size", "9x8",
               "--count", "5")
    assert done.returncode == 0, done.stderr
    [row] = cells(done.stdout)
    assert row[0] == "5 uniform 9 x 8" and row[2] == "optimal 5"
    assert all(float(value) < 1e-9 for value in row[5:])
    batch = dense_batch("uniform", 9, 8, 5)
    assert batch.A.shape == (5, 9, 8) and not np.array_equal(batch.A[0], batch.A[1])


def test_resolves() -> None:
    done = run("resolves.py", "--solver", "osi_cuda", "--size", "30x20", "--count", "7")
    assert done.returncode == 0, done.stderr
    [row] = cells(done.stdout)
    random, problem = np.random.default_rng(3), np.random.default_rng(2)
    A, c = problem.uniform(0, 1, (30, 20)), problem.uniform(0.5, 1, 20)
    columns, bounds = random.integers(0, 20, 7), random.uniform(0.0, 2.0, 7)
    upper, total = np.full(20, np.inf), 0.0
    for column, bound in zip(columns, bounds):
        upper[column] = bound
        total -= osi_cuda.linprog(-c, A, np.full(30, 5.0), bounds=[(0, u) for u in upper]).fun
    assert row[2] == "7" and float(row[5]) == pytest.approx(total, rel=1e-8)


@pytest.mark.parametrize("program", ["single.py", "batches.py", "resolves.py"])
def test_a_peer_that_is_not_there(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUOPT_LIBRARY", "/nowhere/libcuopt_mathopt.so")
    solver = "cuopt/pdlp" if program == "single.py" else "cuopt"
    done = run(program, "--solver", solver, "--size", "9x8")
    assert done.returncode == 69 and "cuopt" in done.stderr and "can't be had" in done.stderr
