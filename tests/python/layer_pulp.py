# SPDX-License-Identifier: EPL-2.0
"""PuLP's own tests of a solver, through osi_cuda.pulp; what else the class promises."""

import doctest

import pytest

pulp = pytest.importorskip("pulp")
peers = pytest.importorskip("pulp.tests.test_pulp")

import osi_cuda  # noqa: E402
import osi_cuda.pulp  # noqa: E402

# Tests that ask for something else, each with the reason.
INTEGERS = "has integer variables, which are refused with a sentence"
EXPECTED = dict.fromkeys(
    ("test_export_dict_MIP", "test_feasibility_only", "test_fixed_value", "test_initial_value",
     "test_integer_infeasible", "test_integer_infeasible_2", "test_mip", "test_mip_floats_objective"),
    INTEGERS,
)


class TestPulp(peers.BaseSolverTest.PuLPTest):
    solveInst = osi_cuda.pulp.OsiCuda


@pytest.fixture(autouse=True)
def _explained(request):
    """A test that fails for a reason in EXPECTED fails as expected; one that passes all the same is an
    entry too many."""
    reason = EXPECTED.get(request.node.name)
    if reason:
        request.applymarker(pytest.mark.xfail(reason=reason, strict=True))


def furniture(**variables):
    problem = pulp.LpProblem("furniture", pulp.LpMaximize)
    tables = pulp.LpVariable("tables", 0, **variables)
    chairs = pulp.LpVariable("chairs", 0)
    problem += 20 * tables + 9 * chairs + 3
    problem += 4 * tables + 2 * chairs <= 40, "hours"
    problem += 15 * tables + 5 * chairs <= 120, "wood"
    return problem, tables, chairs


def test_values_duals_and_the_whole_solution():
    problem, tables, chairs = furniture()
    assert problem.solve(osi_cuda.pulp.OsiCuda(msg=False, algorithm="dual")) == pulp.LpStatusOptimal
    assert (tables.varValue, chairs.varValue) == pytest.approx((4, 12))
    hours, wood = problem._constraints.values()
    assert (hours.pi, wood.pi, hours.slack) == pytest.approx((3.5, 0.4, 0))
    assert pulp.value(problem.objective) == pytest.approx(191)
    assert problem.osi_cuda_solution.objective == pytest.approx(191)
    assert problem.osi_cuda_solution.algorithm == "dual"


def test_a_warm_start_needs_no_pivots(capsys):
    solver = osi_cuda.pulp.OsiCuda(warmStart=True)
    problem, tables, chairs = furniture()
    problem.solve(solver)
    assert "optimal, objective 191" in capsys.readouterr().out
    problem, tables, chairs = furniture()
    problem.setObjective(21 * tables + 9 * chairs)
    problem.solve(solver)
    assert problem.osi_cuda_solution.iterations == 0
    assert solver.copy().warmStart and pulp.getSolver("OSI_CUDA", warmStart=True).warmStart


def test_what_is_refused():
    problem, *_ = furniture(cat="Integer")
    with pytest.raises(pulp.PulpSolverError, match="continuous variables only"):
        problem.solve(osi_cuda.pulp.OsiCuda(msg=False))
    assert problem.solve(osi_cuda.pulp.OsiCuda(mip=False, msg=False)) == pulp.LpStatusOptimal
    assert problem.osi_cuda_solution.relaxed_integers == 1
    problem, *_ = furniture()
    with pytest.raises(pulp.PulpSolverError, match="expected auto, cuda or host, found 'gpu'"):
        problem.solve(osi_cuda.pulp.OsiCuda(msg=False, engine="gpu"))
    problem.sos1 = {0: {}, 1: {}}
    with pytest.raises(pulp.PulpSolverError, match="special ordered sets"):
        problem.solve(osi_cuda.pulp.OsiCuda(msg=False))


def test_limits_are_no_optimum():
    problem, *_ = furniture()
    assert problem.solve(
        osi_cuda.pulp.OsiCuda(msg=False, iteration_limit=0)
    ) == pulp.LpStatusNotSolved


def test_the_docstrings_program():
    assert doctest.testmod(osi_cuda.pulp).failed == 0


def test_it_is_listed_and_known_by_its_name(tmp_path):
    assert pulp.listSolvers(onlyAvailable=True).count("OSI_CUDA") == 1
    solver = pulp.getSolver("OSI_CUDA", msg=False, algorithm="dual")
    solver.toJson(tmp_path / "solver.json")
    again = pulp.getSolverFromJson(tmp_path / "solver.json")
    problem, *_ = furniture()
    assert problem.solve(again) == pulp.LpStatusOptimal
    assert problem.osi_cuda_solution.algorithm == "dual"
