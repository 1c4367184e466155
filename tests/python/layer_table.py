# SPDX-License-Identifier: EPL-2.0
"""What each modelling layer passes on, found out by asking it: the table of docs/guide/integrations.md has
to be what these programs find, for the layers that are installed. As a program it prints the table.

    PYTHONPATH=python OSI_CUDA_LIBRARY=build/bin/libosi_cuda.so python3 tests/python/layer_table.py
"""

import contextlib
import importlib
import io
import os
import pathlib
import re
import warnings

import numpy as np
import pytest

import osi_cuda

PAGE = pathlib.Path(__file__).parents[2] / "docs/guide/integrations.md"
BEGIN = "| layer | "
PROGRAM = pathlib.Path(os.environ["OSI_CUDA_LIBRARY"]).parent / "osi-cuda"

COSTS, ROWS = [20.0, 9.0], [[4.0, 2.0], [15.0, 5.0]]  # to be maximised; rows <= their sides; x >= 0


def needs(*modules):
    for module in modules:
        importlib.import_module(module)


class Scipy:
    name, word = "SciPy `linprog`, `milp`", "scipy"
    names = "no"

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, **options):
        more = {"options": {"disp": log, **options}}
        if start is not None:  # a basis
            more["basis"] = osi_cuda.linprog(-np.array(COSTS), A, b).basis
        found = osi_cuda.linprog(-np.array(COSTS), A, b, integrality=[int(integers)] * 2, **more)
        status = ("optimal", "limit", "infeasible", "unbounded", "numerical")[found.status]
        duals = None if found.ineqlin.marginals is None else -found.ineqlin.marginals
        return status, None if found.fun is None else -found.fun, duals, found.nit


class Pulp:
    name, word = "PuLP 3.3, 4", "pulp"
    names = "yes"

    def __init__(self):
        needs("pulp", "osi_cuda.pulp")
        self.pulp = importlib.import_module("pulp")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, **options):
        pulp = self.pulp
        if "time_limit" in options:
            options["timeLimit"] = options.pop("time_limit")
        solver = osi_cuda.pulp.OsiCuda(msg=log, warmStart=start is not None, **options)
        for _ in range(1 if start is None else 2):
            problem = pulp.LpProblem("p", pulp.LpMaximize)
            cat = "Integer" if integers else "Continuous"
            x = [problem.add_variable(f"x{j}", 0, cat=cat) for j in range(2)]
            problem += pulp.lpSum(c * v for c, v in zip(COSTS, x))
            for row, side in zip(A, b):
                problem += pulp.lpSum(a * v for a, v in zip(row, x)) <= side
            problem.solve(solver)
        found = problem.osi_cuda_solution
        rows = problem.constraints() if callable(problem.constraints) else problem._constraints.values()
        return word_of(found), pulp.value(problem.objective), [row.pi for row in rows], found.iterations


class Cvxpy:
    name, word = "CVXPY 1.9", "cvxpy"
    names = "yes"

    def __init__(self):
        needs("cvxpy", "osi_cuda.cvxpy")
        self.solver = osi_cuda.cvxpy.OsiCuda()

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, **options):
        import cvxpy

        x = cvxpy.Variable(2, integer=integers)
        row = np.array(A) @ x <= np.array(b)
        problem = cvxpy.Problem(cvxpy.Maximize(np.array(COSTS) @ x), [row, x >= 0])
        for _ in range(1 if start is None else 2):
            problem.solve(solver=self.solver, verbose=log, warm_start=start is not None, **options)
        found = problem.solver_stats.extra_stats
        return word_of(found), problem.value, row.dual_value, found.iterations


class Pyomo:
    name, word = "Pyomo 6.10", "pyomo"
    names = "yes"

    def __init__(self):
        needs("pyomo.environ", "osi_cuda.pyomo")

    def model(self, A, b, integers):
        import pyomo.environ as pyo

        m = pyo.ConcreteModel()
        m.x = pyo.Var([0, 1], domain=pyo.NonNegativeIntegers if integers else pyo.NonNegativeReals)
        m.gain = pyo.Objective(expr=sum(c * m.x[j] for j, c in enumerate(COSTS)), sense=pyo.maximize)
        m.row = pyo.Constraint(range(len(b)), rule=lambda m, i: sum(
            a * m.x[j] for j, a in enumerate(A[i])) <= b[i])
        m.dual = pyo.Suffix(direction=pyo.Suffix.IMPORT)
        return m

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, **options):
        m, solver = self.model(A, b, integers), osi_cuda.pyomo.OsiCuda()
        arguments = {"tee": log, "load_solutions": False, "raise_exception_on_nonoptimal_result": False}
        for _ in range(1 if start is None else 2):
            results = solver.solve(m, solver_options=options, **arguments)
        duals = None
        if results.solution_status.name == "optimal":
            duals = list(results.solution_loader.get_duals().values())
        return word_of(solver.problem.solution), results.incumbent_objective, duals, solver.problem.solution.iterations


class Nl(Pyomo):
    name, word = "`.nl` files (AMPL, Pyomo's `asl`, JuMP)", "asl"
    names = "no"

    def __init__(self):
        needs("pyomo.environ")
        if not PROGRAM.exists():
            raise ImportError(f"there is no {PROGRAM}")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, **options):
        import pyomo.environ as pyo

        m = self.model(A, b, integers)
        solver = pyo.SolverFactory("asl", executable=str(PROGRAM))
        solver.options.update({"solver": str(PROGRAM), **({"outlev": 1} if log else {}), **options})
        if start is not None:  # the basis of a first solve
            m.sstatus = pyo.Suffix(direction=pyo.Suffix.IMPORT_EXPORT)
        for _ in range(1 if start is None else 2):
            results = solver.solve(m, load_solutions=False, tee=log)
            status = str(results.solver.termination_condition)
            if status == "optimal":
                m.solutions.load_from(results)
        message = str(results.solver.message)
        value = pyo.value(m.gain) if status == "optimal" else None
        iterations = int(re.search(r"(\d+) iterations", message)[1])
        return "limit" if status.startswith("max") else status, value, list(m.dual.values()), iterations


def word_of(solution):
    return "limit" if str(solution.status).endswith("limit") else str(solution.status)


def same(numbers, expected):
    return numbers is not None and np.allclose(np.array(numbers, dtype=float), expected, atol=1e-6)


def output_of(layer):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        layer.solve(integers=True, log=True)
    return "objective" in said.getvalue()


def refuses(layer):
    try:
        layer.solve(algoritm="dual")
    except Exception as error:  # of each layer its own
        return "did you mean" in str(error) or isinstance(layer, Nl)
    return False


CHECKS = {
    "continuous": lambda layer: same(layer.solve()[:1] == ("optimal",) and layer.solve()[1], 188),
    "integers": lambda layer: same(layer.solve(b=(40, 123), integers=True)[1], 188)
    and same(layer.solve(b=(40, 123))[1], 189.2),
    "infeasible": lambda layer: layer.solve(A=[[1, 1], [-1, -1]], b=(1, -2))[0] == "infeasible",
    "unbounded": lambda layer: layer.solve(A=[[-1, -1]], b=(0,))[0] == "unbounded",
    "start": lambda layer: layer.solve(start=True)[3] == 0 < layer.solve()[3],
    "limits": lambda layer: layer.solve(iteration_limit=0, presolve="off")[0] == "limit",
    "duals": lambda layer: same(layer.solve()[2], [3.5, 0.4]),
    "names": lambda layer: layer.names == "yes",
    "log": output_of,
    "misspelt option refused": refuses,
}
LAYERS = (Scipy, Pulp, Cvxpy, Pyomo, Nl)


def row_of(layer):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return f"| {layer.name} | " + " | ".join("yes" if check(layer) else "no" for check in CHECKS.values()) + " |"


@pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.word)
def test_the_pages_table_says_what_the_layer_does(kind):
    try:
        layer = kind()
    except ImportError as error:
        pytest.skip(str(error))
    page = PAGE.read_text(encoding="utf-8").splitlines()
    assert BEGIN + " | ".join(CHECKS) + " |" in page
    assert row_of(layer) in page


if __name__ == "__main__":
    print(BEGIN + " | ".join(CHECKS) + " |")
    print("|---" * (len(CHECKS) + 1) + "|")
    for kind in LAYERS:
        print(row_of(kind()))
