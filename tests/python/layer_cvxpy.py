# SPDX-License-Identifier: EPL-2.0
"""CVXPY's own standard problems, linear ones, through osi_cuda.cvxpy; what else the class promises."""

import dataclasses
import doctest

import numpy as np
import pytest

cvxpy = pytest.importorskip("cvxpy")
helpers = pytest.importorskip("cvxpy.tests.solver_test_helpers")

import osi_cuda.cvxpy  # noqa: E402

STANDARD = sorted(name for name in dir(helpers.StandardTestLPs) if name.startswith(("test_lp_", "test_mi_lp_")))


@pytest.mark.parametrize("name", STANDARD)
def test_standard(name):
    try:
        getattr(helpers.StandardTestLPs, name)(solver=osi_cuda.cvxpy.OsiCuda())
    except ModuleNotFoundError as error:
        pytest.skip(f"the problem needs {error.name}")


def furniture():
    x = cvxpy.Variable(2, nonneg=True)
    rows = [4 * x[0] + 2 * x[1] <= 40, 15 * x[0] + 5 * x[1] <= 120]
    return x, rows, cvxpy.Problem(cvxpy.Maximize(20 * x[0] + 9 * x[1]), rows)


def test_duals_and_the_whole_solution():
    x, rows, problem = furniture()
    problem.solve(solver=osi_cuda.cvxpy.OsiCuda(), algorithm="dual")
    np.testing.assert_allclose(x.value, [4, 12])
    np.testing.assert_allclose([row.dual_value for row in rows], [3.5, 0.4])
    solution = problem.solver_stats.extra_stats
    assert isinstance(solution, osi_cuda.Solution) and solution.algorithm == "dual"


def knapsack():
    random = np.random.default_rng(3)
    weights = random.integers(1, 1000, (12, 60))
    x = cvxpy.Variable(60, boolean=True)
    rows = [weights @ x <= weights.sum(axis=1) // 2]
    return x, cvxpy.Problem(cvxpy.Maximize((weights.mean(axis=0) + 50) @ x), rows)


def test_integers_have_bound_gap_limits_and_a_start(capsys):
    y = cvxpy.Variable(2, integer=True)
    solver = osi_cuda.cvxpy.OsiCuda()
    problem = cvxpy.Problem(cvxpy.Maximize(20 * y[0] + 9 * y[1]), [
        y >= 0, 4 * y[0] + 2 * y[1] <= 40, 15 * y[0] + 5 * y[1] <= 123])
    best = max(20 * t + 9 * c for t in range(9) for c in range(21)
               if 4 * t + 2 * c <= 40 and 15 * t + 5 * c <= 123)
    assert problem.solve(solver=solver) == pytest.approx(best) and set(y.value % 1) == {0.0}
    assert problem.constraints[1].dual_value is None
    x, problem = knapsack()
    problem.solve(solver=solver, time_limit=0.5, verbose=True)
    assert "nodes  objective" in capsys.readouterr().out
    found = problem.solver_stats.extra_stats
    assert problem.status == cvxpy.USER_LIMIT and set(x.value) <= {0.0, 1.0}
    assert abs(found.bound) > problem.value and found.gap > 0
    problem.solve(solver=solver, relative_gap=0.05)
    assert problem.status == cvxpy.OPTIMAL and problem.solver_stats.extra_stats.gap <= 0.05
    value = problem.value
    problem.solve(solver=solver, relative_gap=0.05, node_limit=0, cuts="off", warm_start=True)
    assert problem.status == cvxpy.OPTIMAL and problem.value >= value  # the start was taken
    problem.solve(solver=solver, time_limit=0)
    assert problem.status == cvxpy.USER_LIMIT and np.isnan(x.value).all()
    for rows, status in (([2 * cvxpy.sum(y) == 7, y >= 0], "infeasible"), ([y >= 0], "infeasible_or_unbounded")):
        problem = cvxpy.Problem(cvxpy.Maximize(y[0]), rows)
        problem.solve(solver=solver)
        assert problem.status == status


def test_a_warm_start_needs_no_pivots():
    c = cvxpy.Parameter(2, value=[20, 9])
    x = cvxpy.Variable(2, nonneg=True)
    problem = cvxpy.Problem(
        cvxpy.Maximize(c @ x), [4 * x[0] + 2 * x[1] <= 40, 15 * x[0] + 5 * x[1] <= 120]
    )
    solver = osi_cuda.cvxpy.OsiCuda()
    problem.solve(solver=solver, warm_start=True)
    c.value = [21, 9]
    problem.solve(solver=solver, warm_start=True)
    assert problem.solver_stats.num_iters == 0
    assert problem.value == pytest.approx(192)


def test_what_has_no_optimum():
    x = cvxpy.Variable(2)
    solver = osi_cuda.cvxpy.OsiCuda()
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), [x >= 3, x <= 2])
    problem.solve(solver=solver)
    assert problem.status == cvxpy.INFEASIBLE
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(x)), [x <= 2])
    problem.solve(solver=solver)
    assert problem.status == cvxpy.UNBOUNDED
    x, rows, problem = furniture()
    problem.solve(solver=solver, iteration_limit=0)
    assert problem.status == cvxpy.USER_LIMIT
    with pytest.raises(cvxpy.SolverError, match="expected auto, primal, dual, barrier or race"):
        problem.solve(solver=solver, algorithm="simplex")
    with pytest.raises(cvxpy.SolverError, match="cannot solve"):
        cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(x)), rows).solve(solver=solver)


def test_the_docstrings_program():
    assert doctest.testmod(osi_cuda.cvxpy).failed == 0


@pytest.mark.parametrize("limit", [{"time_limit": 0}, {"iteration_limit": 0}])
def test_a_limit_is_the_status(limit):
    x, rows, problem = furniture()
    problem.solve(solver=osi_cuda.cvxpy.OsiCuda(), presolve="off", **limit)
    assert problem.status == cvxpy.USER_LIMIT
    assert np.isnan(x.value).all() or (x.value >= 0).all()
    assert problem.solver_stats.extra_stats.status.name in ("TIME_LIMIT", "ITERATION_LIMIT")


def test_a_limit_before_there_is_a_point(monkeypatch):
    solve = osi_cuda.Problem._solve

    def without_a_point(problem, **options):
        found = solve(problem, **options)
        nothing = np.full(found.x.shape, np.nan)
        return dataclasses.replace(found, status=osi_cuda.Status.TIME_LIMIT, x=nothing)

    monkeypatch.setattr(osi_cuda.Problem, "_solve", without_a_point)
    x, rows, problem = furniture()
    problem.solve(solver=osi_cuda.cvxpy.OsiCuda())
    assert problem.status == cvxpy.USER_LIMIT and np.isnan(x.value).all()


def test_it_is_known_by_its_name():
    for _ in range(2):
        osi_cuda.cvxpy.register()
    assert cvxpy.installed_solvers().count("OSI_CUDA") == 1
    x, rows, problem = furniture()
    assert problem.solve(solver="OSI_CUDA") == pytest.approx(188)
    assert problem.solver_stats.solver_name == "OSI_CUDA"
    assert problem.solve(solver="osi_cuda", algorithm="dual") == pytest.approx(188)
    assert problem.solve(solver=osi_cuda.cvxpy.OsiCuda()) == pytest.approx(188)
    problem.solve()
    assert problem.solver_stats.solver_name != "OSI_CUDA"  # the default is what it was


def test_skfolio_takes_the_name():
    osi_cuda.cvxpy.register()
    optimization = pytest.importorskip("skfolio.optimization")
    measures = pytest.importorskip("skfolio.measures")
    returns = np.random.default_rng(3).normal(5e-4, 0.01, (200, 8))
    weights = [
        optimization.MeanRisk(risk_measure=measures.RiskMeasure.CVAR, solver=solver)
        .fit(returns).weights_ for solver in ("OSI_CUDA", "HIGHS")
    ]
    np.testing.assert_allclose(weights[0], weights[1], atol=1e-8)


def test_an_infeasible_point_of_a_limit_is_no_answer():
    x = cvxpy.Variable(2, nonneg=True)
    problem = cvxpy.Problem(cvxpy.Minimize(x[0] + x[1]), [x[0] + x[1] == 1, x[0] - x[1] >= 0.5])
    problem.solve(solver=osi_cuda.cvxpy.OsiCuda(), presolve="off", algorithm="primal", iteration_limit=0)
    assert problem.status == cvxpy.USER_LIMIT and np.isnan(x.value).all() and np.isnan(problem.value)
