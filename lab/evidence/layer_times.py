# SPDX-License-Identifier: EPL-2.0
"""What a solve through a modelling layer costs in user CPU seconds, with this solver and with HiGHS, in turns in one process.

    PYTHONPATH=python OSI_CUDA_LIBRARY=build/bin/libosi_cuda.so python3 lab/evidence/layer_times.py [NAME...]

Needs CVXPY, Pyomo, PuLP, SciPy, highspy. Prints a table; the least of some repetitions, with everything that the layer does.
"""

import contextlib
import io
import sys
import time
import warnings

import numpy as np


def cvxpy_runs():
    """Packing: 1000 rows, 2000 variables, 1 % of the coefficients."""
    import cvxpy
    import scipy.sparse

    import osi_cuda.cvxpy

    random = np.random.default_rng(1)
    A = scipy.sparse.random(1000, 2000, 0.01, random_state=random, format="csr")
    b, c = A @ random.random(2000) + random.random(1000), random.random(2000)

    def run(**options):
        x = cvxpy.Variable(2000)
        problem = cvxpy.Problem(cvxpy.Maximize(c @ x), [A @ x <= b, x >= 0])
        return problem.solve(**options)

    return lambda: run(solver=osi_cuda.cvxpy.OsiCuda()), lambda: run(solver="HIGHS"), 5


def pyomo_runs():
    """A transport problem of 5,000 variables and 150 rows."""
    import pyomo.environ as pyo
    from pyomo.contrib.solver.common.factory import SolverFactory

    import osi_cuda.pyomo

    random = np.random.default_rng(2)
    cost, demand = random.integers(1, 100, (50, 100)), random.integers(1, 20, 100)

    def model():
        m = pyo.ConcreteModel()
        m.I, m.J = pyo.RangeSet(0, 49), pyo.RangeSet(0, 99)
        m.x = pyo.Var(m.I, m.J, domain=pyo.NonNegativeReals)
        m.cost = pyo.Objective(expr=sum(int(cost[i, j]) * m.x[i, j] for i in m.I for j in m.J))
        m.supply = pyo.Constraint(m.I, rule=lambda m, i: sum(m.x[i, j] for j in m.J) <= 30)
        m.demand = pyo.Constraint(m.J, rule=lambda m, j: sum(m.x[i, j] for i in m.I) >= int(demand[j]))
        return m

    def run(solver):
        m = model()
        begin = time.process_time()
        solver().solve(m)
        return pyo.value(m.cost), time.process_time() - begin

    def highs():
        return SolverFactory("highs")

    return lambda: run(osi_cuda.pyomo.OsiCuda), lambda: run(highs), 5


def pulp_runs():
    """2,000 variables, 1,000 rows of 10 coefficients."""
    import pulp

    import osi_cuda.pulp

    random = np.random.default_rng(3)
    places, weights = random.integers(0, 2000, (1000, 10)), random.integers(1, 9, (1000, 10))
    costs = random.integers(1, 9, 2000)

    def run(solver):
        problem = pulp.LpProblem("p", pulp.LpMaximize)
        x = [problem.add_variable(f"x{j}", 0, 10) for j in range(2000)]
        problem += pulp.lpSum(int(c) * v for c, v in zip(costs, x))
        for row, values in zip(places, weights):
            problem += pulp.lpSum(int(w) * x[j] for j, w in zip(row, values)) <= 100
        begin = time.process_time()
        problem.solve(solver)
        return pulp.value(problem.objective), time.process_time() - begin

    return lambda: run(osi_cuda.pulp.OsiCuda(msg=False)), lambda: run(pulp.HiGHS(msg=False)), 5


def linprog_runs():
    """1,000 calls of linprog, dense 10 x 10; beside them SciPy's, which is HiGHS in SciPy's own build."""
    import scipy.optimize

    import osi_cuda

    random = np.random.default_rng(4)
    problems = [(-random.random(10), random.random((10, 10)), random.random(10) + 1) for _ in range(1000)]

    def run(linprog):
        return sum(linprog(c, A, b).fun for c, A, b in problems)

    return lambda: run(osi_cuda.linprog), lambda: run(scipy.optimize.linprog), 3


def highspy_runs():
    """The same 1,000 problems, handed to highspy as arrays by 10 lines of Python."""
    import highspy

    import osi_cuda

    random = np.random.default_rng(4)
    problems = [(-random.random(10), random.random((10, 10)), random.random(10) + 1) for _ in range(1000)]
    starts, places, none = np.arange(0, 101, 10), np.tile(np.arange(10), 10), np.full(10, -highspy.kHighsInf)

    def solve(c, A, b):
        h = highspy.Highs()
        h.setOptionValue("output_flag", False)
        h.addVars(10, np.zeros(10), np.full(10, highspy.kHighsInf))
        h.changeColsCost(10, np.arange(10), c)
        h.addRows(10, none, b, 100, starts, places, A.ravel())
        h.run()
        return h.getObjectiveValue()

    return (
        lambda: sum(osi_cuda.linprog(*p).fun for p in problems), lambda: sum(solve(*p) for p in problems), 3,
    )


RUNS = {
    "CVXPY, sparse 1000 x 2000": cvxpy_runs, "Pyomo, 5,000 variables": pyomo_runs, "PuLP, 2,000 variables": pulp_runs,
    "1,000 linprog 10 x 10, SciPy's": linprog_runs, "1,000 linprog 10 x 10, highspy": highspy_runs,
}


def seconds(run):
    begin = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        value = run()
    spent = time.process_time() - begin
    return value if isinstance(value, tuple) else (value, spent)


def main(wanted):
    print("| what | osi_cuda, s | HiGHS, s | ratio |\n|---|---|---|---|")
    for name, make in RUNS.items():
        if wanted and not any(word in name for word in wanted):
            continue
        ours, theirs, repetitions = make()
        taken = [(seconds(ours), seconds(theirs)) for _ in range(repetitions)]
        (value, own), (other, their) = (min(part) for part in zip(*taken))
        assert abs(value - other) <= 1e-6 * (1 + abs(other)), (name, value, other)
        print(f"| {name} | {own:.3f} | {their:.3f} | {own / their:.2f} |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
