# SPDX-License-Identifier: EPL-2.0
"""CVXPY's own standard problems, linear ones, through osi_cuda.cvxpy; what else the class promises."""

import dataclasses
import doctest

import numpy as np
import pytest

cvxpy = pytest.importorskip("cvxpy")
helpers = pytest.importorskip("cvxpy.tests.solver_test_helpers")

import osi_cuda.cvxpy  # noqa: E402

STANDARD = sorted(name for name in dir(helpers.StandardTestLPs) if name.startswith("test_lp_"))
MIXED_INTEGER = sorted(
    name for name in dir(helpers.StandardTestLPs) if name.startswith("test_mi_")
)


@pytest.mark.parametrize("name", STANDARD)
def test_standard(name):
    try:
        getattr(helpers.StandardTestLPs, name)(solver=osi_cuda.cvxpy.OsiCuda())
    except ModuleNotFoundError as error:
        pytest.skip(f"the problem needs {error.name}")


@pytest.mark.parametrize("name", MIXED_INTEGER)
def test_integers_are_refused(name):
    with pytest.raises(cvxpy.SolverError, match="not MIP-capable"):
        getattr(helpers.StandardTestLPs, name)(solver=osi_cuda.cvxpy.OsiCuda())


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
    solve = osi_cuda.Problem.solve

    def without_a_point(problem):
        found = solve(problem)
        nothing = np.full(found.x.shape, np.nan)
        return dataclasses.replace(found, status=osi_cuda.Status.TIME_LIMIT, x=nothing)

    monkeypatch.setattr(osi_cuda.Problem, "solve", without_a_point)
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
