# SPDX-License-Identifier: EPL-2.0
"""PuLP's own tests of a solver, of PuLP 3.3 or 4, through osi_cuda.pulp; what else the class promises."""

import doctest

import numpy as np
import pytest

pulp = pytest.importorskip("pulp")
IS_4 = hasattr(pulp.constants, "LpSolveStatus")
peers = pytest.importorskip("pulp.tests.solver_common" if IS_4 else "pulp.tests.test_pulp")

import osi_cuda  # noqa: E402
import osi_cuda.pulp  # noqa: E402


class TestPulp(peers.BaseSolverTest.PuLPTest):
    solveInst = osi_cuda.pulp.OsiCuda
    if IS_4:  # as for PuLP's interface to HiGHS in the same process
        pulp_test_overrides = {
            "test_repeated_name": peers.ALLOW_REPEATED_VAR_NAMES,
            "test_initial_value": peers.PulpTestConfig(warm_start=True),
            "test_logPath": peers.PulpTestConfig(skip=False, check_log_path=True),
            "test_dual_variables_reduced_costs": peers.PulpTestConfig(skip=False),
            "test_sequential_solve": peers.PulpTestConfig(skip=False),
        }


def furniture(cat="Continuous", wood=120):
    problem = pulp.LpProblem("furniture", pulp.LpMaximize)
    tables, chairs = (problem.add_variable(name, 0, cat=cat) for name in ("tables", "chairs"))
    problem += 20 * tables + 9 * chairs + 3
    problem += 4 * tables + 2 * chairs <= 40, "hours"
    problem += 15 * tables + 5 * chairs <= wood, "wood"
    return problem, tables, chairs


def knapsack(n=60, rows=12):
    random = np.random.default_rng(3)
    problem = pulp.LpProblem("knapsack", pulp.LpMaximize)
    x = [problem.add_variable(f"x{j}", 0, 1, cat="Integer") for j in range(n)]
    weights = random.integers(1, 1000, (rows, n))
    problem += pulp.lpSum(int(v) * xj for v, xj in zip(weights.sum(axis=0) // rows + 50, x, strict=True))
    for row in weights:
        problem += pulp.lpSum(int(w) * xj for w, xj in zip(row, x, strict=True)) <= int(row.sum()) // 2
    return problem, x


def solved(problem, **options):
    """The name of the status, and whether there is a solution."""
    answer = problem.solve(osi_cuda.pulp.OsiCuda(**{"msg": False, **options}))
    if IS_4:
        return answer.status.name, answer.has_solution
    return pulp.LpStatus[answer], problem.sol_status in (pulp.LpSolutionOptimal, pulp.LpSolutionIntegerFeasible)


def test_values_duals_and_the_whole_solution():
    problem, tables, chairs = furniture()
    assert solved(problem, algorithm="dual") == ("Optimal", True)
    assert (tables.varValue, chairs.varValue) == pytest.approx((4, 12))
    hours, wood = problem.constraints() if IS_4 else problem._constraints.values()
    assert (hours.pi, wood.pi, hours.slack) == pytest.approx((3.5, 0.4, 0))
    assert pulp.value(problem.objective) == pytest.approx(191)
    assert problem.osi_cuda_solution.objective == pytest.approx(191)
    assert problem.osi_cuda_solution.algorithm == "dual"


def test_integers():
    problem, tables, chairs = furniture("Integer", 123)
    assert solved(problem, mip=False) == ("Optimal", True)
    assert problem.osi_cuda_solution.relaxed_integers == 2
    assert tables.varValue == pytest.approx(4.6)
    assert solved(problem) == ("Optimal", True)
    assert (tables.varValue, chairs.varValue) in ((4, 12), (5, 9))
    found = problem.osi_cuda_solution
    assert isinstance(found, osi_cuda.IntegerSolution) and found.gap < 1e-6
    assert found.objective == max(20 * t + 9 * c + 3 for t in range(9) for c in range(21)
                                  if 4 * t + 2 * c <= 40 and 15 * t + 5 * c <= 123)


def test_ends_of_a_search(tmp_path, capsys):
    problem, x = knapsack()
    limit = "TimeLimit" if IS_4 else "Not Solved"
    assert solved(problem, timeLimit=0.5) == (limit, True)
    assert {value.varValue for value in x} <= {0.0, 1.0}
    bound = problem.osi_cuda_solution.bound
    assert bound > pulp.value(problem.objective)
    assert solved(problem, gapRel=0.5) == ("Optimal", True)
    assert 0 < problem.osi_cuda_solution.gap <= 0.5
    assert solved(problem, timeLimit=0) == (limit, False)
    assert solved(problem, options=["node-limit=0", "--cuts", "off"], gapRel=0)[0] != "Optimal"
    problem, tables, chairs = furniture("Integer")
    problem += 2 * tables + 2 * chairs == 7
    assert solved(problem) == ("Infeasible", False)
    problem = pulp.LpProblem("open", pulp.LpMaximize)
    y = problem.add_variable("y", 0, cat="Integer")
    problem += y
    assert solved(problem) == ("Undefined", False)
    assert solved(problem, mip=False) == ("Unbounded", False)
    assert capsys.readouterr().out == ""


def test_a_search_begins_with_the_values():
    problem, x = knapsack()
    solved(problem, gapRel=0.02)
    first = pulp.value(problem.objective)
    assert solved(problem, gapRel=0.02, maxNodes=0, cuts="off", warmStart=True) == ("Optimal", True)
    assert pulp.value(problem.objective) >= first


def test_the_log(tmp_path, capsys):
    problem, _ = knapsack()
    path = tmp_path / "log"
    solved(problem, timeLimit=0.5, logPath=str(path))
    text = path.read_text()
    assert "bound" in text and "OSI_CUDA: <IntegerSolution" in text and capsys.readouterr().out == ""
    solved(problem, timeLimit=0.5, msg=True)
    assert "nodes  objective" in capsys.readouterr().out


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
    problem, *_ = furniture()
    for options, message in (
        ({"engine": "gpu"}, "expected auto, cuda or host, found 'gpu'"),
        ({"gaprel": 0.1}, "no option 'gaprel'; did you mean 'gapRel'"),
        ({"options": ["algoritm=dual"]}, "no option 'algoritm'; did you mean 'algorithm'"),
        ({"path": "/usr/bin/cbc"}, "there is no program"),
    ):
        with pytest.raises(pulp.PulpSolverError, match=message):
            solved(problem, **options)
    if IS_4:
        tables, chairs = problem.variables()
        problem.add_sos_group(pulp._rustcore.SosKind.Sos1, "a", {tables: 1.0, chairs: 2.0})
    else:
        problem.sos1 = {0: {}, 1: {}}
    with pytest.raises(pulp.PulpSolverError, match="special ordered sets"):
        solved(problem)


def test_limits_are_no_optimum():
    problem, *_ = furniture()
    status, _ = solved(problem, iteration_limit=0)
    assert status == ("IterationLimit" if IS_4 else "Not Solved")


def test_the_docstrings_program():
    assert doctest.testmod(osi_cuda.pulp).failed == 0


def test_it_is_listed_and_known_by_its_name(tmp_path):
    assert pulp.listSolvers(onlyAvailable=True).count("OSI_CUDA") == 1
    solver = pulp.getSolver("OSI_CUDA", msg=False, algorithm="dual", options=["presolve=off"])
    solver.toJson(tmp_path / "solver.json")
    again = pulp.getSolverFromJson(tmp_path / "solver.json")
    problem, *_ = furniture()
    problem.solve(again)
    assert problem.osi_cuda_solution.algorithm == "dual" and again.options == ["presolve=off"]
