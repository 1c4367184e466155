# SPDX-License-Identifier: EPL-2.0
"""Ranging and infeasible subsystems."""

import numpy as np
import pytest

from osi_cuda import NoSolution, Objective, Problem, Status


def furniture():
    return Problem([20, 9], [[4, 2], [15, 5]], row_upper=[40, 120], sense="max")


def test_intervals_of_an_optimum():
    problem = furniture()
    with pytest.raises(NoSolution):
        problem.ranging()
    problem.solve()
    ranging = problem.ranging()
    np.testing.assert_allclose(ranging.costs.low, [18, 20 / 3])
    np.testing.assert_allclose(ranging.costs.high, [27, 10])
    np.testing.assert_allclose(ranging.costs.objective_low, [180, 160])
    np.testing.assert_allclose(ranging.row_upper.low, [32, 100])
    np.testing.assert_allclose(ranging.row_upper.high, [48, 150])
    np.testing.assert_array_equal(ranging.column_lower.low, [-np.inf, -np.inf])


def test_a_subsystem():
    problem = furniture()
    problem.solve()
    with pytest.raises(NoSolution, match="proves no infeasibility"):
        problem.iis()
    problem.set_bounds(lower=[11, 0])
    assert problem.solve().status is Status.INFEASIBLE
    iis = problem.iis()
    assert iis.irreducible
    np.testing.assert_array_equal(iis.column_lower, [True, True])
    assert not iis.column_upper.any() and not iis.row_lower.any()
    assert iis.row_upper.sum() == 1


def test_the_least_that_has_to_give_way():
    problem = furniture()
    problem.set_bounds(lower=[11, 0])  # 15 x <= 120 and 4 x <= 40
    before = problem.solve()
    relaxation = problem.relax()
    assert relaxation.status is Status.OPTIMAL and relaxation.least_total
    np.testing.assert_allclose(relaxation.row_upper, [4, 45])
    assert relaxation.total == pytest.approx(49)
    np.testing.assert_allclose(relaxation.x, [11, 0], atol=1e-9)
    few = problem.relax("count", "both")
    assert few.column_lower[0] > 0 and not few.row_upper.any()
    assert problem.solution is before
    assert problem.relax(what="bounds").column_lower[0] == pytest.approx(3)
    with pytest.raises(ValueError, match="goal is 'least'"):
        problem.relax("least")


def test_objectives_by_rank():
    problem = Problem([0, 0], [[1, 1]], row_upper=[4], upper=[3, 3])
    ranked = problem.solve_ranked([Objective([1, 1], "max", loss=1.0), Objective([1, 0]), [0, 1]])
    np.testing.assert_allclose(ranked.optima, [4, 0, 3])
    np.testing.assert_allclose(ranked.values, [3, 0, 3], atol=1e-9)
    np.testing.assert_allclose(ranked.solution.x, [0, 3], atol=1e-9)
    with pytest.raises(NoSolution, match="lexicographic objectives"):
        problem.ranging()
    with pytest.raises(ValueError, match=r"losses\[0\] is -1"):
        problem.solve_ranked([Objective([1, 1], loss=-1)])
    with pytest.raises(ValueError, match="costs of objective 1 has length 3 instead of 2"):
        problem.solve_ranked([[1, 1], [1, 1, 1]])
    assert problem.solve().objective == 0


def test_a_point_of_the_barrier_is_no_vertex():
    random = np.random.default_rng(5)
    problem = Problem(
        np.ones(20), random.uniform(0.1, 1, (30, 20)), row_upper=1.0, sense="max",
        algorithm="barrier", crossover=False,
    )
    assert problem.solve().status in (Status.INTERIOR, Status.OPTIMAL)
