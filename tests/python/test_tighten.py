# SPDX-License-Identifier: EPL-2.0
"""Optimality-based bound tightening, beside all points of small grids."""

import itertools

import numpy as np
import pytest

from osi_cuda import Problem, tighten


def test_bounds_of_the_points_that_are_left(furniture):
    lower, upper = tighten(furniture, engine="host")
    np.testing.assert_allclose([lower, upper], [[0, 0], [8, 20]], atol=1e-12)
    lower, upper = tighten(furniture, cutoff=180, engine="host")
    for j in range(2):  # beside the same by itself
        costs = np.eye(2)[j]
        matrix, sides = [[4, 2], [15, 5], [-20, -9]], [40, 120, -180]
        for bound, sense in ((lower[j], "min"), (upper[j], "max")):
            assert bound == pytest.approx(
                Problem(costs, matrix, row_upper=sides, sense=sense).solve().objective
            )
    # The problem is as it was, and takes them.
    assert furniture.shape == (2, 2) and furniture.column_bounds[1].tolist() == [np.inf, np.inf]
    furniture.set_bounds(lower, upper)
    assert furniture.solve().objective == pytest.approx(188)


def test_only_some_columns_and_none_at_all(furniture):
    lower, upper = tighten(furniture, [1], cutoff=180)
    assert lower[0] == 0 and upper[0] == np.inf and upper[1] == pytest.approx(20)
    lower, upper = tighten(furniture, cutoff=200)
    assert (lower > upper).all()
    assert tighten(furniture, [])[1].tolist() == [np.inf, np.inf]


def test_an_offset_is_part_of_the_objective():
    problem = Problem([1.0], [[1.0]], row_lower=[0.25], upper=[9.0], offset=0.1)
    lower, upper = tighten(problem, cutoff=0.1 + 0.75)
    assert lower[0] <= 0.25 and upper[0] >= 0.75 and upper[0] == pytest.approx(0.75, abs=1e-15)


@pytest.mark.parametrize("seed", range(8))
def test_no_integer_point_is_lost(seed, tmp_path):
    random = np.random.default_rng(seed)
    matrix, sides = random.integers(-3, 5, (4, 3)).astype(float), random.uniform(2, 9, 4)
    costs = random.integers(-4, 5, 3).astype(float)
    rows = "\n".join(
        f" r{i}: " + " ".join(f"{value:+g} x{j}" for j, value in enumerate(row)) + f" <= {side:.17g}"
        for i, (row, side) in enumerate(zip(matrix, sides))
    )
    goal = " ".join(f"{value:+g} x{j}" for j, value in enumerate(costs))
    names = [f"x{j}" for j in range(3)]
    (tmp_path / "grid.lp").write_text(
        f"Minimize\n goal: {goal}\nSubject To\n{rows}\nBounds\n"
        + "\n".join(f" -5 <= {name} <= 5" for name in names)
        + "\nGeneral\n " + " ".join(names) + "\nEnd\n"
    )
    problem = Problem.read(tmp_path / "grid.lp")
    points = np.array(list(itertools.product(range(-5, 6), repeat=3)))
    points = points[(points @ matrix.T <= sides).all(axis=1)]
    cutoff = float(np.median(points @ costs))
    points = points[points @ costs <= cutoff]
    last = None
    for _ in range(3):
        lower, upper = tighten(problem, cutoff=cutoff, engine="host")
        assert (lower <= points.min(axis=0)).all() and (upper >= points.max(axis=0)).all()
        assert (lower == np.round(lower)).all() and (upper == np.round(upper)).all()
        if last is not None:
            assert (lower >= last[0]).all() and (upper <= last[1]).all()
        last = lower, upper
        problem.set_bounds(lower, upper)
