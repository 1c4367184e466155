# SPDX-License-Identifier: EPL-2.0
"""lab/suite: its dense problems are those of bench_dense, its check sees what is wrong, its tables run."""

import csv
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("scipy")
LAB = pathlib.Path(__file__).parents[2] / "lab"
sys.path.insert(0, str(LAB))

from suite import families, runs  # noqa: E402
from suite.check import quality  # noqa: E402
from suite.problem import LP  # noqa: E402

import osi_cuda  # noqa: E402


def solved(lp: LP):
    problem = osi_cuda.Problem(lp.c, lp.A, lp.row_lower, lp.row_upper, lp.lower, lp.upper, engine="host")
    found = problem.solve()
    assert found.optimal
    return found


def weighed(values: np.ndarray, unit: float) -> int:
    k = np.arange(values.size, dtype=np.uint64) % np.uint64(1000003) + np.uint64(1)
    return int((k * np.rint(values * unit).astype(np.int64).astype(np.uint64)).sum())


@pytest.mark.parametrize(
    ("family", "sums"),
    [
        ("origin", (0xffffff7aa9f0624e, 0x00000068c9afbdea, 0x00000001571710e6)),
        ("signed", (0xffffff7aa9f0624e, 0x000000671b363af5, 0xfffffff55575fc0b)),
        ("uniform", (0x00007b832c853228, 0x0000080ddf4772e2, 0x0000000703011461)),
    ],
)
def test_dense_problems_are_those_of_bench_dense(family: str, sums: tuple[int, int, int]) -> None:
    c, A, b = families.dense(family, 303, 77)
    assert (weighed(A.T.ravel(), 1e6), weighed(b, 1e7), weighed(c, 1e7)) == sums  # bench_dense --check


def least_deviations_of_one() -> LP:
    """min |x - 1| + |x - 2| + |x - 4| over x: the vertex is x = 2."""
    return families.quantile(np.zeros((3, 0)), np.array([1.0, 2.0, 4.0]), 0.5)


def test_check_of_residuals() -> None:
    lp = families.random_dense("signed", 60, 30)
    found = solved(lp)
    right = quality(lp, found.x, found.duals)
    assert max(right.primal, right.dual, right.gap) < 1e-12 and right.vertex
    assert right.objective == pytest.approx(found.objective, rel=1e-14)
    assert quality(lp, 1.1 * found.x, found.duals).primal > 1e-3
    assert quality(lp, found.x, -found.duals).dual > 1e-3
    assert quality(lp, found.x, 1.1 * found.duals).gap > 1e-3
    without = quality(lp, found.x, None)
    assert np.isnan([without.gap, without.dual]).all() and without.vertex
    assert np.isnan(quality(lp, None, None).primal)


def test_check_of_vertices() -> None:
    lp = least_deviations_of_one()
    vertex = np.array([2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0])
    assert quality(lp, vertex, None).vertex
    inside = np.array([2.5, 0.0, 0.0, 1.5, 1.5, 0.5, 0.0])  # feasible, between two kinks
    assert quality(lp, inside, None).primal == 0 and not quality(lp, inside, None).vertex
    # Two equal columns share what one of them could carry alone.
    twins = LP([1.0, 1.0, 0.0], np.array([[1.0, 1.0, 2.0], [2.0, 2.0, 1.0]]), [4.0, 5.0], [4.0, 5.0], 0.0, np.inf)
    assert quality(twins, np.array([2.0, 0.0, 1.0]), None).vertex
    assert not quality(twins, np.array([1.0, 1.0, 1.0]), None).vertex


def test_a_column_without_bounds_rests_at_zero() -> None:
    lp = LP([0.0, 0.0], np.array([[1.0, -1.0]]), [1.0], [1.0], -np.inf, np.inf)
    assert quality(lp, np.array([1.0, 0.0]), None).vertex
    assert not quality(lp, np.array([2.0, 1.0]), None).vertex


def test_relaxation_of_a_network_is_sound() -> None:
    pytest.importorskip("sklearn")
    images, labels = families.digits()
    lp = families.verification(1600, 1 / 64)
    *layers, (last, _) = families.network()
    rng, least = np.random.default_rng(0), solved(lp).objective
    for _ in range(20):
        value = np.clip(images[1600] / 16 + rng.uniform(-1, 1, 64) / 64, 0, 1)
        x = [value]
        for W, b in layers:
            value = np.maximum(W @ value + b, 0)
            x.append(value)
        point = np.concatenate(x)
        assert quality(lp, point, None, False).primal < 1e-12  # a true run of the network is feasible
        assert lp.c @ point >= least


def rows(path: pathlib.Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def suite(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CUOPT_LIBRARY": "/nowhere/libcuopt_mathopt.so"}
    return subprocess.run([sys.executable, "-m", "suite", *words], cwd=LAB, capture_output=True, text=True, env=environment)


def test_all_tables_run(tmp_path: pathlib.Path) -> None:
    results = tmp_path / "results.csv"
    words = ["run", "--csv", str(results), "--family", "random", "--problem", "500 x 250", "--problem", "100 bounds",
             "--problem", "50 x 50", "--solver", "osi_cuda", "--solver", "cuOpt dual", "--machine", "here"]
    done = suite(*words)
    assert done.returncode == 0, done.stderr
    assert "not run: cuOpt dual" in done.stderr
    lines = rows(results)
    assert [(line["table"], line["count"]) for line in lines] == [
        ("single", "1"), ("single", "1"), ("resolve", "100"), ("batch", "1000")]
    for line in lines:
        assert line["status"] == "optimal"
        assert max(float(line[what]) for what in ("primal", "dual", "gap", "error")) < 1e-9
        assert float(line["seconds"]) > 0
    assert [line["vertex"] for line in lines[:2]] == ["yes", "yes"]
    assert suite(*words).returncode == 0
    assert rows(results) == lines  # nothing is run again


def test_a_solver_that_does_not_mind_the_limit_is_ended() -> None:
    process = runs.Process("osi_cuda")
    lp = families.random_dense("origin", 2000, 1000)
    runs.GRACE, grace = -20.4, runs.GRACE  # a tenth of a second
    try:
        found = process.ask("single", (lp, []), runs.Settings(threads=1), 20.0, False)
        assert found[3][0].status == "limit"
        runs.GRACE = grace
        small = families.random_dense("origin", 20, 10)
        assert process.ask("single", (small, []), runs.Settings(threads=1), 20.0, False)[3][0].status == "optimal"
    finally:
        runs.GRACE = grace
        process.stop()


def test_checksums() -> None:
    known = runs.references()
    assert {key[0] for key in known} == {"single", "resolve", "variants", "batch"}
    for name in ("origin 500 x 250", "signed 500 x 250"):
        assert known["single", "random", name]["checksum"] == families.FAMILIES["random"][name]().checksum()
