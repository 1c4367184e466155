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
import sys
import tempfile
import warnings

import numpy as np
import pytest

import osi_cuda

PAGE = pathlib.Path(__file__).parents[2] / "docs/guide/integrations.md"
BEGIN = "| layer | "
PROGRAM = pathlib.Path(os.environ["OSI_CUDA_LIBRARY"]).parent / "osi-cuda"

COSTS, ROWS = [20.0, 9.0], [[4.0, 2.0], [15.0, 5.0]]  # to be maximised; rows <= their sides; x >= 0
WEIGHTS = np.random.default_rng(3).integers(1, 1000, (12, 60))
PRICES = (WEIGHTS.sum(axis=0) // 12 + 50).tolist()


def knapsack():
    """Rows and sides of a search that takes longer than half a second."""
    return WEIGHTS.tolist(), (WEIGHTS.sum(axis=1) // 2).tolist()


class Layer:
    named: dict = {}  #: the answer by the names that the layer was given, where it takes any


def needs(*modules):
    for module in modules:
        importlib.import_module(module)


class Scipy(Layer):
    name, word = "SciPy `linprog`, `milp`", "scipy"

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        more = {"options": {"disp": log, **options}}
        if start is not None:  # a basis
            more["basis"] = osi_cuda.linprog(-np.array(costs), A, b).basis
        found = osi_cuda.linprog(-np.array(costs), A, b, integrality=[int(integers)] * len(costs), **more)
        status = ("optimal", "limit", "infeasible", "unbounded", "numerical")[found.status]
        duals = None if found.ineqlin.marginals is None else -found.ineqlin.marginals
        return status, None if found.fun is None else -found.fun, duals, found.nit


class Pulp(Layer):
    name, word = "PuLP 3.3, 4", "pulp"

    def __init__(self):
        needs("pulp", "osi_cuda.pulp")
        self.pulp = importlib.import_module("pulp")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        pulp = self.pulp
        if "time_limit" in options:
            options["timeLimit"] = options.pop("time_limit")
        solver = osi_cuda.pulp.OsiCuda(msg=log, warmStart=start is not None, **options)
        for _ in range(1 if start is None else 2):
            problem = pulp.LpProblem("p", pulp.LpMaximize)
            cat = "Integer" if integers else "Continuous"
            x = [problem.add_variable(f"x{j}", 0, cat=cat) for j in range(len(costs))]
            problem += pulp.lpSum(c * v for c, v in zip(costs, x))
            for row, side in zip(A, b):
                problem += pulp.lpSum(a * v for a, v in zip(row, x)) <= side
            problem.solve(solver)
        found, self.named = problem.osi_cuda_solution, {v.name: v.varValue for v in problem.variables()}
        rows = problem.constraints() if callable(problem.constraints) else problem._constraints.values()
        return word_of(found), pulp.value(problem.objective), [row.pi for row in rows], found.iterations


class Cvxpy(Layer):
    name, word = "CVXPY 1.9", "cvxpy"

    def __init__(self):
        needs("cvxpy", "osi_cuda.cvxpy")
        self.solver = osi_cuda.cvxpy.OsiCuda()

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        import cvxpy

        x = cvxpy.Variable(len(costs), integer=integers, name="x")
        row = np.array(A) @ x <= np.array(b)
        problem = cvxpy.Problem(cvxpy.Maximize(np.array(costs) @ x), [row, x >= 0])
        for _ in range(1 if start is None else 2):
            problem.solve(solver=self.solver, verbose=log, warm_start=start is not None, **options)
        found = problem.solver_stats.extra_stats
        if x.value is not None:
            self.named = {f"{v.name()}{j}": value for v in problem.variables() for j, value in enumerate(v.value)}
        return word_of(found), problem.value, row.dual_value, found.iterations


class Pyomo(Layer):
    name, word = "Pyomo 6.10", "pyomo"

    def __init__(self):
        needs("pyomo.environ", "osi_cuda.pyomo")

    def model(self, A, b, integers, costs):
        import pyomo.environ as pyo

        m = pyo.ConcreteModel()
        m.x = pyo.Var(range(len(costs)), domain=pyo.NonNegativeIntegers if integers else pyo.NonNegativeReals)
        m.gain = pyo.Objective(expr=sum(c * m.x[j] for j, c in enumerate(costs)), sense=pyo.maximize)
        m.row = pyo.Constraint(range(len(b)), rule=lambda m, i: sum(
            a * m.x[j] for j, a in enumerate(A[i])) <= b[i])
        m.dual = pyo.Suffix(direction=pyo.Suffix.IMPORT)
        return m

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        m, solver = self.model(A, b, integers, costs), osi_cuda.pyomo.OsiCuda()
        arguments = {"tee": log, "load_solutions": False, "raise_exception_on_nonoptimal_result": False}
        for _ in range(1 if start is None else 2):
            results = solver.solve(m, solver_options=options, **arguments)
        duals = None
        if results.solution_status.name == "optimal":
            duals = list(results.solution_loader.get_duals().values())
            values = results.solution_loader.get_vars().items()
            self.named = {v.name.replace("[", "").replace("]", ""): value for v, value in values}
        return word_of(solver.problem.solution), results.incumbent_objective, duals, solver.problem.solution.iterations


class Linopy(Layer):
    name, word = "linopy 0.10", "linopy"

    def __init__(self):
        needs("linopy", "osi_cuda.linopy")
        self.linopy = importlib.import_module("linopy")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        with tempfile.TemporaryDirectory() as folder:
            basis = pathlib.Path(folder, "basis.bas")
            for again in range(1 if start is None else 2):
                model = self.linopy.Model()
                x = model.add_variables(lower=0, coords=[range(len(costs))], integer=integers, name="x")
                for row, side in zip(A, b):
                    model.add_constraints((x * np.array(row)).sum() <= side)
                model.add_objective((x * np.array(costs)).sum(), sense="max")
                files = {"warmstart_fn" if again else "basis_fn": basis} if start else {}
                status, word = model.solve("osi_cuda", io_api="direct", disp=log, **files, **options)
        duals = [float(c.dual) for c in model.constraints.data.values()] if word == "optimal" else None
        if duals:
            self.named = {f"x{j}": float(v) for j, v in enumerate(model.solution["x"])}
        value = model.objective.value if status == "ok" else None
        return "limit" if word.endswith("limit") else word, value, duals, model.solver.report.simplex_iterations


class Optlang(Layer):
    name, word = "optlang 1.9, cobra", "optlang"

    def __init__(self):
        needs("optlang", "osi_cuda.optlang")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        from osi_cuda.optlang import Constraint, Model, Objective, Variable

        x = [Variable(f"x{j}", lb=0, type="integer" if integers else "continuous") for j in range(len(costs))]
        model = Model()
        model.add(x)
        rows = [Constraint(sum(a * v for a, v in zip(row, x)), ub=side) for row, side in zip(A, b)]
        model.add(rows)
        model.objective = Objective(sum(c * v for c, v in zip(costs, x)), direction="max")
        model.configuration.verbosity = 3 * log
        model.configuration.set_options(**options)
        for _ in range(1 if start is None else 2):
            status = model.optimize()
        duals = [row.dual for row in rows] if status == "optimal" and not integers else None
        self.named = dict(model.primal_values) if status == "optimal" else {}
        return "limit" if status.endswith("limit") else status, model.objective.value, duals, model.problem.found.iterations


class Nl(Pyomo):
    name, word = "`.nl` files (AMPL, Pyomo's `asl`, JuMP)", "asl"

    def __init__(self):
        needs("pyomo.environ")
        if not PROGRAM.exists():
            raise ImportError(f"there is no {PROGRAM}")

    def solve(self, A=ROWS, b=(40, 120), integers=False, log=False, start=None, costs=COSTS, **options):
        import pyomo.environ as pyo

        m = self.model(A, b, integers, costs)
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
    "iteration limit": lambda layer: layer.solve(iteration_limit=0, presolve="off")[0] == "limit",
    "time limit": lambda layer: layer.solve(*knapsack(), integers=True, costs=PRICES, time_limit=0.5)[0] == "limit",
    "duals": lambda layer: same(layer.solve()[2], [3.5, 0.4]),
    "names": lambda layer: layer.solve() and {name: round(value, 6) for name, value in layer.named.items()}
    == {"x0": 4, "x1": 12},
    "log": output_of,
    "misspelt option refused": refuses,
}
LAYERS = (Scipy, Pulp, Cvxpy, Pyomo, Linopy, Optlang, Nl)


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
        try:
            print(row_of(kind()))
        except ImportError as error:
            print(f"{kind.name}: {error}", file=sys.stderr)
