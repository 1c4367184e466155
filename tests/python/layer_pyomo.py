# SPDX-License-Identifier: EPL-2.0
"""Pyomo's own tests of contrib.solver, with osi_cuda.pyomo in their lists of solvers; what else the
class promises."""

import doctest
import importlib.util
import pathlib
import re
import sys

import numpy as np
import pytest

pyo = pytest.importorskip("pyomo.environ")
pytest.importorskip("pyomo.contrib.solver")
pytest.importorskip("parameterized")

import osi_cuda  # noqa: E402
import osi_cuda.pyomo  # noqa: E402
from osi_cuda.pyomo import OsiCuda  # noqa: E402

def _with_our_solver():
    """Pyomo's module of tests; its lists of solvers, made at its top, hold only ours where it can do
    what they are about, and nothing that is there otherwise."""
    spec = importlib.util.find_spec("pyomo.contrib.solver.tests.solvers.test_solvers")
    path = pathlib.Path(spec.origin)
    source = path.read_text(encoding="utf-8")
    lists = ("[('osi_cuda', OsiCuda)]", "[('osi_cuda_absent', Absent)]")
    mine = "\n".join(
        f"{name} = {lists[0] if name in ('all_solvers', 'mip_solvers', 'dual_solvers') else lists[1]}"
        for name in re.findall(r"^(\w+_solvers) = ", source, re.M)
    )
    place = source.index("def _load_tests")
    source = f"{source[:place]}{mine}\nnl_solvers_set = set()\n\n\n{source[place:]}"

    class Absent(OsiCuda):
        name = "osi_cuda_absent"

        def available(self):
            return osi_cuda.pyomo.Availability.NotFound

    module = type(sys)("osi_cuda_pyomo_tests")
    module.__file__ = str(path)
    module.__dict__.update(OsiCuda=OsiCuda, Absent=Absent)
    sys.modules[module.__name__] = module
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module


peers = _with_our_solver()
for _name, _value in vars(peers).items():
    if isinstance(_value, type) and _name.startswith("Test"):
        globals()[_name] = _value


def furniture():
    m = pyo.ConcreteModel()
    m.p = pyo.Param(initialize=20, mutable=True)
    m.wood_there = pyo.Param(initialize=120, mutable=True)
    m.x = pyo.Var([1, 2], bounds=(0, None))
    m.gain = pyo.Objective(expr=m.p * m.x[1] + 9 * m.x[2], sense=pyo.maximize)
    m.hours = pyo.Constraint(expr=4 * m.x[1] + 2 * m.x[2] <= 40)
    m.wood = pyo.Constraint(expr=15 * m.x[1] + 5 * m.x[2] <= m.wood_there)
    return m


def test_changes_are_solved_from_the_last_basis():
    m, solver = furniture(), OsiCuda()
    assert solver.solve(m).incumbent_objective == pytest.approx(188)
    m.p.set_value(21)
    results = solver.solve(m)
    assert results.incumbent_objective == pytest.approx(192)
    assert results.extra_info.iteration_count == 0
    m.wood_there.set_value(130)
    results = solver.solve(m)
    assert results.solution_loader.get_duals()[m.wood] == pytest.approx(0.6)
    m.more = pyo.Constraint(expr=m.x[2] <= 3)
    assert solver.solve(m).incumbent_objective == pytest.approx(21 * 115 / 15 + 27)
    del m.more
    m.x[1].fix(2)
    assert solver.solve(m).incumbent_objective == pytest.approx(42 + 9 * 16)
    m.x[1].unfix()
    m.x[2].setub(0)
    assert solver.solve(m).incumbent_objective == pytest.approx(21 * 130 / 15)
    assert solver.problem.ranging().costs.low.size == 2


def test_what_is_refused():
    m, solver = furniture(), OsiCuda()
    m.square = pyo.Constraint(expr=m.x[1] * m.x[2] <= 3)
    with pytest.raises(osi_cuda.pyomo.IncompatibleModelError, match=r"but x\[1\]\*x\[2\] is none"):
        solver.solve(m)
    m, solver = furniture(), OsiCuda()
    m.x[1].domain = pyo.RangeSet(0, 10, 2)
    with pytest.raises(osi_cuda.pyomo.IncompatibleModelError, match=r"x\[1\] has a domain of steps of 2"):
        solver.solve(m)
    m, solver = furniture(), OsiCuda()
    with pytest.raises(ValueError, match="algoritm.*did you mean 'algorithm'"):
        solver.solve(m, solver_options={"algoritm": "dual"})
    m, solver = furniture(), OsiCuda()
    solver.config.solver_options["algorithm"] = "simplex"
    with pytest.raises(ValueError, match="expected auto, primal, dual, barrier or race"):
        solver.solve(m)


def knapsack(n=60, rows=12):
    random = np.random.default_rng(3)
    weights = random.integers(1, 1000, (rows, n)).tolist()
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(n), domain=pyo.Binary)
    m.gain = pyo.Objective(expr=sum((sum(w) // rows + 50) * m.x[j] for j, w in enumerate(zip(*weights))),
                           sense=pyo.maximize)
    m.row = pyo.Constraint(range(rows), rule=lambda m, i: sum(
        w * m.x[j] for j, w in enumerate(weights[i])) <= sum(weights[i]) // 2)
    return m


def test_integers_come_and_go():
    m, solver = furniture(), OsiCuda()
    m.wood_there.set_value(123)
    m.x.domain = pyo.NonNegativeIntegers
    best = max(20 * t + 9 * c for t in range(9) for c in range(21)
               if 4 * t + 2 * c <= 40 and 15 * t + 5 * c <= 123)
    results = solver.solve(m)
    assert results.incumbent_objective == pytest.approx(best) == results.objective_bound
    assert results.solution_status.name == "optimal" and results.extra_info.mip_gap <= 1e-6
    m.x[1].domain = pyo.NonNegativeReals
    assert solver.solve(m).incumbent_objective >= best
    m.x[2].domain = pyo.NonNegativeReals
    assert solver.solve(m).incumbent_objective == pytest.approx(20 * 4.6 + 9 * 10.8)
    assert solver.problem.solution.relaxed_integers == 0
    m.x.domain = pyo.NonNegativeIntegers
    m.odd = pyo.Constraint(expr=2 * m.x[1] + 2 * m.x[2] == 7)
    results = solver.solve(m, load_solutions=False, raise_exception_on_nonoptimal_result=False)
    assert results.termination_condition.name == "provenInfeasible"
    m = pyo.ConcreteModel()
    m.y = pyo.Var(domain=pyo.NonNegativeIntegers)
    m.gain = pyo.Objective(expr=m.y, sense=pyo.maximize)
    results = solver.solve(m, load_solutions=False, raise_exception_on_nonoptimal_result=False)
    assert results.termination_condition.name == "infeasibleOrUnbounded"


@pytest.mark.parametrize("legacy", [False, True])
def test_limits_gaps_and_starts_of_a_search(legacy, capsys):
    m = knapsack()
    if legacy:
        solver = pyo.SolverFactory("osi_cuda")
        solver.config.rel_gap = 0.05
        results = solver.solve(m, tee=True)
        assert results.solver.termination_condition == pyo.TerminationCondition.optimal
        problem = results.problem
        assert problem.lower_bound == pytest.approx(pyo.value(m.gain))
        assert problem.lower_bound < problem.upper_bound <= 1.06 * problem.lower_bound
        assert "nodes  objective" in capsys.readouterr().out
        return
    solver = OsiCuda()
    results = solver.solve(m, time_limit=0.5, raise_exception_on_nonoptimal_result=False)
    assert results.termination_condition.name == "maxTimeLimit" and results.solution_status.name == "feasible"
    assert results.incumbent_objective < results.objective_bound and "bound" in results.solver_log
    assert {v.value for v in m.x.values()} <= {0.0, 1.0}
    results = solver.solve(m, rel_gap=0.05)
    first = results.incumbent_objective
    assert results.solution_status.name == "optimal" and 0 < results.extra_info.mip_gap <= 0.05
    options = {"node_limit": 0, "cuts": "off"}
    results = OsiCuda().solve(m, rel_gap=0.05, warmstart_discrete_vars=True, solver_options=options)
    assert results.incumbent_objective >= first
    results = solver.solve(m, time_limit=0, load_solutions=False, raise_exception_on_nonoptimal_result=False)
    assert results.solution_status.name == "noSolution" and results.incumbent_objective is None


@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("least", [None, 1.0])
def test_a_model_without_an_optimum_and_with_suffixes(legacy, least):
    m = pyo.ConcreteModel()
    m.x = pyo.Var([1, 2], bounds=(0, None))
    m.gain = pyo.Objective(expr=m.x[1], sense=pyo.maximize)
    m.row = pyo.Constraint(expr=m.x[1] - m.x[2] <= 1)
    if least is not None:  # infeasible
        m.contradiction = pyo.Constraint(expr=m.x[1] + m.x[2] <= -least)
    m.dual = pyo.Suffix(direction=pyo.Suffix.IMPORT)
    m.rc = pyo.Suffix(direction=pyo.Suffix.IMPORT)
    m.dual[m.row] = 7.0  # of a solve before
    expected = "unbounded" if least is None else "infeasible"
    if legacy:
        found = pyo.SolverFactory("osi_cuda").solve(m, load_solutions=least is None)
        assert str(found.solver.termination_condition) == expected
    else:
        found = OsiCuda().solve(
            m, load_solutions=least is None, raise_exception_on_nonoptimal_result=False
        )
        assert expected in found.termination_condition.name.lower()
    if least is None:
        assert len(m.dual) == len(m.rc) == 0


def test_it_has_its_name_in_pyomos_factories():
    from pyomo.contrib.solver.common.factory import SolverFactory

    assert isinstance(SolverFactory("osi_cuda"), OsiCuda)
    m = furniture()
    results = pyo.SolverFactory("osi_cuda").solve(m)  # the interface of old
    assert results.solver.termination_condition == pyo.TerminationCondition.optimal
    assert pyo.value(m.gain) == pytest.approx(188)


def test_the_docstrings_program():
    assert doctest.testmod(osi_cuda.pyomo).failed == 0
