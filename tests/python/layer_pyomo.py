# SPDX-License-Identifier: EPL-2.0
"""Pyomo's own tests of contrib.solver, with osi_cuda.pyomo in their lists of solvers; what else the
class promises."""

import doctest
import importlib.util
import pathlib
import re
import sys

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
        f"{name} = {lists[0] if name in ('all_solvers', 'dual_solvers') else lists[1]}"
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
    m.x[1].domain = pyo.NonNegativeIntegers
    with pytest.raises(osi_cuda.pyomo.IncompatibleModelError, match=r"x\[1\] is an integer one"):
        solver.solve(m)
    m, solver = furniture(), OsiCuda()
    solver.config.solver_options["algorithm"] = "simplex"
    with pytest.raises(ValueError, match="expected auto, primal, dual, barrier or race"):
        solver.solve(m)


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
