# SPDX-License-Identifier: EPL-2.0
"""What osi_cuda.linopy promises, beside HiGHS through linopy. linopy's own tests run in lab/evidence/doors.py."""

import doctest

import numpy as np
import pytest

linopy = pytest.importorskip("linopy")
pd = pytest.importorskip("pandas")

import osi_cuda  # noqa: E402
import osi_cuda.linopy  # noqa: E402
from linopy.solvers import Solver  # noqa: E402


def furniture(integer=False, wood=120, sense="max"):
    model = linopy.Model()
    x = model.add_variables(lower=0, coords=[pd.Index(["tables", "chairs"], name="thing")], name="x", integer=integer)
    hours = model.add_constraints(x.sel(thing="tables") * 4 + x.sel(thing="chairs") * 2 <= 40, name="hours")
    wood = model.add_constraints(x.sel(thing="tables") * 15 + x.sel(thing="chairs") * 5 <= wood, name="wood")
    model.add_objective((x * np.array([20, 9])).sum() * (1 if sense == "max" else -1), sense=sense)
    return model, x, hours, wood


@pytest.mark.parametrize("sense", ["max", "min"])
@pytest.mark.parametrize("io_api", ["direct", "lp", "mps"])
def test_values_and_duals_are_those_of_highs(io_api, sense, tmp_path):
    answers = []
    for solver in ("highs", "osi_cuda"):
        if solver not in linopy.available_solvers:
            pytest.skip(f"there is no {solver}")
        model, x, hours, wood = furniture(sense=sense)
        assert model.solve(solver, io_api=io_api, solution_fn=tmp_path / f"{solver}.sol", keep_files=True) == ("ok", "optimal")
        answers.append([model.objective.value, *x.solution.values, float(hours.dual), float(wood.dual)])
    assert answers[1] == pytest.approx(answers[0])
    assert (tmp_path / "osi_cuda.sol").exists()


def test_integers_and_ends():
    model, x, *_ = furniture(True, 123)
    assert model.solve("osi_cuda", io_api="direct") == ("ok", "optimal")
    assert model.objective.value == 188 and model.solver.report.mip_gap < 1e-6
    assert model.solver.report.dual_bound == pytest.approx(188)
    model, x, *_ = furniture(wood=-1)
    assert model.solve("osi_cuda", io_api="direct") == ("warning", "infeasible")
    assert model.solver_model.iis().irreducible
    for integer, word in ((False, "unbounded"), (True, "infeasible_or_unbounded")):
        model = linopy.Model()
        y = model.add_variables(lower=0, name="y", integer=integer)
        model.add_constraints(y >= 1)
        model.add_objective(1 * y, sense="max")
        assert model.solve("osi_cuda", io_api="direct") == ("warning", word)
    model, *_ = furniture()
    assert model.solve("osi_cuda", io_api="direct", iteration_limit=0, presolve="off")[1] == "iteration_limit"
    model = linopy.Model()
    model.add_objective(1 * model.add_variables(lower=1, upper=2, semi_continuous=True, name="s"))
    with pytest.raises(ValueError, match="semi-continuous"):
        model.solve("osi_cuda", io_api="direct")


def test_starts_the_log_and_options(tmp_path, capsys):
    model, *_ = furniture()
    basis, log, point = tmp_path / "a.bas", tmp_path / "log", tmp_path / "a.sol"
    model.solve("osi_cuda", io_api="direct", basis_fn=basis, presolve="off")
    assert model.solver.report.simplex_iterations > 0
    model, *_ = furniture()
    model.solve("osi_cuda", io_api="direct", warmstart_fn=basis, log_fn=log, presolve="off", disp=True)
    assert model.solver.report.simplex_iterations == 0
    assert "<Solution optimal, objective 188" in log.read_text() and "objective 188" in capsys.readouterr().out
    with pytest.raises(ValueError, match="no option 'algoritm'; did you mean 'algorithm'"):
        model.solve("osi_cuda", io_api="direct", algoritm="dual")
    random = np.random.default_rng(3)
    weights = random.integers(1, 1000, (12, 60))
    model = linopy.Model()
    x = model.add_variables(binary=True, coords=[range(60)], name="x")
    for row in weights:
        model.add_constraints((x * row).sum() <= int(row.sum()) // 2)
    model.add_objective((x * (weights.sum(axis=0) // 12 + 50)).sum(), sense="max")
    assert model.solve("osi_cuda", io_api="direct", time_limit=0.5, set_names=True,
                       solution_fn=point, keep_files=True) == ("ok", "time_limit")
    first = model.objective.value
    assert model.solver.report.dual_bound > first > 0
    model.solve("osi_cuda", io_api="direct", node_limit=0, cuts="off", set_names=True, warmstart_fn=point)
    assert model.objective.value >= first
    assert model.solve("osi_cuda", io_api="direct", time_limit=0)[1] == "time_limit"


def test_changes_of_the_model_go_into_the_same_problem():
    model, x, hours, wood = furniture()
    solver = Solver.from_name("osi_cuda", model, io_api="direct", track_updates=True)
    solver.solve(model, assign=True)
    problem = solver.solver_model
    x.upper = x.upper.copy(data=[3.5, np.inf])
    hours.rhs = 41
    model.add_objective((x * np.array([20, 10])).sum(), overwrite=True, sense="max")
    solver.solve(model, assign=True, disallow_rebuild=True)
    fresh = osi_cuda.linprog([-20, -10], [[4, 2], [15, 5]], [41, 120], bounds=[(0, 3.5), (0, None)])
    assert model.objective.value == pytest.approx(-fresh.fun)
    wood.sign = ">="
    model.objective.sense = "min"
    solver.solve(model, assign=True, disallow_rebuild=True)
    fresh = osi_cuda.linprog([20, 10], [[4, 2], [-15, -5]], [41, -120], bounds=[(0, 3.5), (0, None)])
    assert model.objective.value == pytest.approx(fresh.fun)
    assert solver.solver_model is problem and solver._rebuilds == 0


def test_it_is_the_last_and_its_docstring_runs():
    assert linopy.available_solvers[-1] == "osi_cuda" and "osi_cuda" not in linopy.available_solvers[:1]
    assert doctest.testmod(osi_cuda.linopy).failed == 0
