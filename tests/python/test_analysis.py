# SPDX-License-Identifier: EPL-2.0
"""Ranging and infeasible subsystems."""

import numpy as np
import pytest

from osi_cuda import NoSolution, Problem, Status


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
