# SPDX-License-Identifier: EPL-2.0
"""optlang's own tests of an interface on its matrices, those of its hybrid interface, with osi_cuda.optlang in the place of
that; what else the interface promises; cobra on it."""

import copy
import doctest
import json
import pathlib
import pickle
import sys
import tempfile
import unittest

import numpy as np
import pytest

optlang = pytest.importorskip("optlang")
cobra = pytest.importorskip("cobra")
pytest.importorskip("highspy"), pytest.importorskip("osqp")  # the file of the tests asks for them

import osi_cuda  # noqa: E402
import osi_cuda.optlang as ours  # noqa: E402
from osi_cuda.optlang import Constraint, Model, Objective, Variable  # noqa: E402

theirs = optlang.hybrid_interface
sys.modules["optlang.hybrid_interface"] = optlang.hybrid_interface = ours
try:
    from optlang.tests import abstract_test_cases as cases
    from optlang.tests import test_hybrid_interface as peers
finally:
    sys.modules["optlang.hybrid_interface"] = optlang.hybrid_interface = theirs

TEXTBOOK = pathlib.Path(cobra.__file__).parent / "data/textbook.xml.gz"
MILP = """Maximize
 obj: x1 + 2 x2 + 3 x3 + x4
Subject To
 c1: - x1 + x2 + x3 + 10 x4 <= 20
 c2: x1 - 3 x2 + x3 <= 30
 c3: x2 - 3.5 x4 = 0
Bounds
 x1 <= 40
 2 <= x4 <= 3
General
 x4
End
"""
QUADRATIC = {  # what the interface refuses
    "test_convex_obj", "test_non_convex_obj", "test_qp_convex", "test_qp_non_convex", "test_quadratic_objective_expression",
    "test_hybrid_change_objective_can_handle_removed_vars",
}


def core_model():
    """The model that optlang's tests read, which its wheel lacks: that of cobra, as a program in the fluxes."""
    model = cobra.io.read_sbml_model(str(TEXTBOOK))
    first = [model.reactions.get_by_id(name) for name in ("Biomass_Ecoli_core", "PGK", "GAPD")]
    names = {r.id: "R_Biomass_Ecoli_core_w_GAM" if r is first[0] else f"R_{r.id}".replace("__", "_") for r in model.reactions}
    flux = {r.id: Variable(names[r.id], lb=r.lower_bound, ub=r.upper_bound)
            for r in first + [r for r in model.reactions if r not in first]}
    program = Model()
    program.add(list(flux.values()))
    program.add([
        Constraint(sum(r.metabolites[m] * flux[r.id] for r in m.reactions), lb=0, ub=0, name=f"M_{m.id}".replace("__", "_"))
        for m in model.metabolites
    ])
    program.objective = Objective(flux[first[0].id], direction="max")
    return program


def give_models(folder):
    program = core_model()
    (folder / "model.lp").write_text(program.to_lp())
    (folder / "model.json").write_text(json.dumps(program.to_json()))
    (folder / "milp.lp").write_text(MILP)
    (folder / "milp.json").write_text(json.dumps(Model.from_lp(MILP).to_json()))
    peers.TESTMODELPATH, peers.TESTMILPMODELPATH = str(folder / "model.lp"), str(folder / "milp.lp")
    cases.TESTMODELPATH, cases.TESTMILPMODELPATH = str(folder / "model.json"), str(folder / "milp.json")


@pytest.fixture(scope="module", autouse=True)
def _models():
    with tempfile.TemporaryDirectory() as folder:
        give_models(pathlib.Path(folder))
        yield


for name, case in list(vars(peers).items()):
    if isinstance(case, type) and issubclass(case, unittest.TestCase):
        left_out = {test: unittest.skip("not linear")(getattr(case, test)) for test in QUADRATIC if hasattr(case, test)}
        globals()[f"Test{name}"] = type(f"Test{name}", (case,), {"__test__": True, **left_out})


def furniture(kind="continuous", wood=120):
    tables, chairs = (Variable(name, lb=0, type=kind) for name in ("tables", "chairs"))
    model = Model()
    model.add([tables, chairs])
    model.add([Constraint(4 * tables + 2 * chairs, ub=40, name="hours"),
               Constraint(15 * tables + 5 * chairs, ub=wood, name="wood")])
    model.objective = Objective(20 * tables + 9 * chairs + 3, direction="max")
    return model


def test_values_duals_and_the_whole_solution():
    model = furniture()
    model.configuration.lp_method = "dual"
    assert model.optimize() == "optimal"
    assert (model.objective.value, model.primal_values) == (191, {"tables": 4, "chairs": 12})
    assert list(model.shadow_prices.values()) == pytest.approx([3.5, 0.4])
    assert list(model.reduced_costs.values()) == pytest.approx([0, 0])
    assert model.constraint_values["wood"] == pytest.approx(120)
    assert model.problem.found.algorithm == "dual" and model.problem.found.proof


def test_changes_go_into_the_same_problem_and_the_basis_stays():
    model = furniture()
    model.optimize()
    first, (tables, chairs) = model.problem._linear, model.variables
    tables.ub = 3.5
    model.constraints["hours"].ub = 41
    model.constraints["wood"].set_linear_coefficients({chairs: 6})
    model.objective.set_linear_coefficients({chairs: 10})
    assert model.optimize() == "optimal"
    assert model.problem._linear is first
    model.constraints["hours"].set_linear_coefficients({tables: 0})
    assert model.constraints["hours"].expression == 2.0 * chairs
    model.constraints["hours"].set_linear_coefficients({tables: 4})
    assert model.optimize() == "optimal"
    fresh = osi_cuda.linprog([-20, -10], [[4, 2], [15, 6]], [41, 120], bounds=[(0, 3.5), (0, None)])
    assert model.objective.value == pytest.approx(3 - fresh.fun)
    model.add(Constraint(tables + chairs, ub=1000, name="room"))
    model.add(Variable("lamps", lb=0, ub=1))
    assert model.optimize() == "optimal"
    assert model.problem._linear is not first and model.problem.found.iterations == 0
    model.remove("hours")
    assert model.optimize() == "optimal"
    assert model.objective.value == pytest.approx(3 + 200)
    model.objective.direction = "min"
    assert model.optimize() == "optimal" and model.objective.value == 3


def test_integers_and_ends():
    model = furniture("integer", 123)
    assert model.optimize() == "optimal" and model.objective.value == 191
    assert isinstance(model.problem.found, osi_cuda.IntegerSolution)
    for part in (model, pickle.loads(pickle.dumps(model)), copy.copy(model), Model.from_lp(model.to_lp())):
        assert [v.type for v in part.variables][:2] == ["integer"] * 2
        assert part.optimize() == "optimal" and part.objective.value == 191
    for v in model.variables:
        v.type = "continuous"
    assert model.optimize() == "optimal" and model.objective.value == pytest.approx(192.2)
    model.constraints["wood"].ub = None
    model.constraints["hours"].ub = None
    assert model.optimize() == "unbounded"
    model.variables["tables"].type = "integer"
    assert model.optimize() == "infeasible_or_unbounded"
    model = furniture()
    model.constraints["wood"].ub = -1
    assert model.optimize() == "infeasible" and model.problem.found.farkas is not None
    model = furniture()
    model.configuration.set_options(iteration_limit=0, presolve="off")
    assert model.optimize() == "iteration_limit"


def test_what_a_new_model_says():
    model = Model()
    assert model.optimize() == "optimal" and model.objective.value == 0
    assert Model.from_lp(model.to_lp()).optimize() == "optimal"
    v = Variable("v", ub=2)
    model.objective = Objective(v, direction="max")
    assert model.optimize() == "optimal" and v.primal == 2
    model.add(Constraint(v, name="free"))
    assert model.optimize() == "optimal" and model.constraints["free"].primal == 2
    model.configuration.timeout = -1
    with pytest.raises(ValueError, match="time-limit|time_limit"):
        model.optimize()


def test_limits_the_log_and_options(capsys):
    random = np.random.default_rng(3)
    x = [Variable(f"x{j}", lb=0, ub=1, type="integer") for j in range(60)]
    weights = random.integers(1, 1000, (12, 60))
    model = Model()
    model.add([Constraint(sum(int(w) * v for w, v in zip(row, x)), ub=int(row.sum()) // 2) for row in weights])
    model.objective = Objective(sum(int(c) * v for c, v in zip(weights.sum(axis=0) // 12 + 50, x)), direction="max")
    model.configuration.timeout = 0.5
    model.configuration.verbosity = 3
    assert model.optimize() == "time_limit"
    assert set(model.primal_values.values()) <= {0.0, 1.0} and model.problem.found.bound > model.objective.value
    assert "bound" in capsys.readouterr().out
    model.configuration.verbosity = 0
    model.configuration.timeout = None
    model.configuration.set_options(relative_gap=0.5)
    assert model.optimize() == "optimal" and model.problem.found.gap <= 0.5 and not capsys.readouterr().out
    with pytest.raises(ValueError, match="no option 'algoritm'; did you mean 'algorithm'"):
        model.configuration.set_options(algoritm="dual")


def test_cobra_takes_it_by_name():
    from cobra.flux_analysis import flux_variability_analysis, pfba, single_gene_deletion

    answers = []
    for solver in ("glpk", "osi_cuda"):
        model = cobra.io.read_sbml_model(str(TEXTBOOK))
        model.solver = solver
        processes = 1 + (solver == "osi_cuda")  # after a solve, forked where that is the system's way
        answers.append((
            model.slim_optimize(), flux_variability_analysis(model, processes=processes).to_numpy(),
            pfba(model).objective_value, single_gene_deletion(model, processes=1)["growth"].to_numpy(),
        ))
    assert model.problem is ours
    for theirs, own in zip(*answers):
        np.testing.assert_allclose(np.nan_to_num(own), np.nan_to_num(theirs), atol=1e-5)
    model.solver = ours
    with model:
        model.reactions.PFK.knock_out()
        changed = model.slim_optimize()
    assert changed < model.slim_optimize() - 0.1
    assert model.copy().optimize().objective_value == pytest.approx(answers[0][0])


def test_the_docstrings_program():
    assert doctest.testmod(ours).failed == 0
