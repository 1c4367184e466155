#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Twenty-four models written by Pyomo as .nl files, solved by `osi-cuda STUB -AMPL` and by glpsol, which
gets the same models from Pyomo's own writer of LP files. Optima, statuses and what the .sol file says
of the basis have to agree.

usage: pyomo_models.py OSI_CUDA [--keep FOLDER]

Exit status 77, skipped, without Pyomo or glpsol. --keep leaves the files in a folder.
"""
import argparse
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import pyomo.environ as pyo
except ImportError:
    print("skipped: there is no Pyomo")
    sys.exit(77)
if not shutil.which("glpsol"):
    print("skipped: there is no glpsol")
    sys.exit(77)

MODELS = {}


def model(build):
    MODELS[build.__name__] = build
    return build


@model
def production():
    m = pyo.ConcreteModel()
    m.x = pyo.Var([1, 2], within=pyo.NonNegativeReals)
    m.gain = pyo.Objective(expr=20 * m.x[1] + 9 * m.x[2], sense=pyo.maximize)
    m.hours = pyo.Constraint(expr=4 * m.x[1] + 2 * m.x[2] <= 40)
    m.wood = pyo.Constraint(expr=15 * m.x[1] + 5 * m.x[2] <= 120)
    return m


@model
def transport():
    supply, demand = {"s": 350, "t": 600}, {"a": 325, "b": 300, "c": 275}
    distance = {("s", "a"): 2.5, ("s", "b"): 1.7, ("s", "c"): 1.8,
                ("t", "a"): 2.5, ("t", "b"): 1.8, ("t", "c"): 1.4}
    m = pyo.ConcreteModel()
    m.x = pyo.Var(supply, demand, within=pyo.NonNegativeReals)
    m.cost = pyo.Objective(expr=sum(0.09 * distance[k] * m.x[k] for k in distance))
    m.supply = pyo.Constraint(supply, rule=lambda m, i: sum(m.x[i, j] for j in demand) <= supply[i])
    m.demand = pyo.Constraint(demand, rule=lambda m, j: sum(m.x[i, j] for i in supply) >= demand[j])
    return m


@model
def diet():
    draw = random.Random(7)
    foods, needs = range(9), range(5)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(foods, bounds=(0.5, 10))
    m.cost = pyo.Objective(expr=sum(draw.randint(1, 9) * m.x[f] for f in foods))
    m.need = pyo.ConstraintList()
    for _ in needs:
        m.need.add(pyo.inequality(12, sum(draw.randint(0, 4) * m.x[f] for f in foods), 90))
    return m


@model
def ranges_and_free():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(bounds=(None, 5))
    m.y = pyo.Var()
    m.z = pyo.Var(bounds=(-3, None))
    m.cost = pyo.Objective(expr=m.x + 2 * m.y - m.z + 4)
    m.band = pyo.Constraint(expr=pyo.inequality(-2, m.x + m.y, 6))
    m.side = pyo.Constraint(expr=pyo.inequality(1, m.x - m.y, 9))
    m.cap = pyo.Constraint(expr=m.x + m.y + m.z == 3)
    return m


@model
def equations():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(4), within=pyo.NonNegativeReals)
    m.cost = pyo.Objective(expr=m.x[0] + 2 * m.x[1] + 3 * m.x[2] + m.x[3])
    m.a = pyo.Constraint(expr=m.x[0] + m.x[1] + m.x[2] == 10)
    m.b = pyo.Constraint(expr=m.x[1] - m.x[2] + 2 * m.x[3] == 4)
    return m


@model
def shortest_path():
    draw = random.Random(3)
    nodes = range(12)
    arcs = [(i, j) for i in nodes for j in nodes if i != j and draw.random() < 0.4] + [(0, 11)]
    arcs = sorted(set(arcs))
    m = pyo.ConcreteModel()
    m.f = pyo.Var(arcs, within=pyo.NonNegativeReals)
    m.cost = pyo.Objective(expr=sum((1 + (7 * i + 3 * j) % 11 + 20 * ((i, j) == (0, 11)))
                                    * m.f[i, j] for i, j in arcs))
    m.balance = pyo.Constraint(nodes, rule=lambda m, v: sum(
        m.f[a] for a in arcs if a[0] == v) - sum(m.f[a] for a in arcs if a[1] == v)
        == (1 if v == 0 else -1 if v == 11 else 0))
    return m


@model
def maximum_flow():
    capacity = {(0, 1): 7, (0, 2): 4, (1, 2): 3, (1, 3): 5, (2, 3): 3, (2, 4): 6, (3, 4): 8}
    m = pyo.ConcreteModel()
    m.f = pyo.Var(capacity, bounds=lambda m, i, j: (0, capacity[i, j]))
    m.value = pyo.Objective(expr=m.f[0, 1] + m.f[0, 2], sense=pyo.maximize)
    m.keep = pyo.Constraint([1, 2, 3], rule=lambda m, v: sum(
        m.f[a] for a in capacity if a[1] == v) == sum(m.f[a] for a in capacity if a[0] == v))
    return m


@model
def inventory():
    demand = [40, 60, 75, 25, 90, 30]
    m = pyo.ConcreteModel()
    t = range(len(demand))
    m.make, m.keep = pyo.Var(t, bounds=(0, 65)), pyo.Var(t, within=pyo.NonNegativeReals)
    m.cost = pyo.Objective(expr=sum((3 + k % 3) * m.make[k] + 0.5 * m.keep[k] for k in t))
    m.flow = pyo.Constraint(t, rule=lambda m, k: (
        (10 if k == 0 else m.keep[k - 1]) + m.make[k] - m.keep[k] == demand[k]))
    return m


@model
def matrix_game():
    pay = [[3, -1, 2], [-2, 4, 0], [1, 1, -3]]
    m = pyo.ConcreteModel()
    m.p, m.v = pyo.Var(range(3), within=pyo.NonNegativeReals), pyo.Var()
    m.value = pyo.Objective(expr=m.v, sense=pyo.maximize)
    m.best = pyo.Constraint(range(3), rule=lambda m, j: sum(
        pay[i][j] * m.p[i] for i in range(3)) >= m.v)
    m.sum = pyo.Constraint(expr=sum(m.p.values()) == 1)
    return m


@model
def absolute_fit():
    points = [(0, 1.1), (1, 2.9), (2, 5.2), (3, 6.8), (4, 9.4), (5, 10.7)]
    m = pyo.ConcreteModel()
    m.a, m.b, m.e = pyo.Var(), pyo.Var(), pyo.Var(range(6), within=pyo.NonNegativeReals)
    m.error = pyo.Objective(expr=sum(m.e.values()))
    m.up = pyo.Constraint(range(6), rule=lambda m, k: m.a * points[k][0] + m.b - points[k][1] <= m.e[k])
    m.down = pyo.Constraint(range(6), rule=lambda m, k: points[k][1] - m.a * points[k][0] - m.b <= m.e[k])
    return m


@model
def infeasible():
    m = pyo.ConcreteModel()
    m.x, m.y = pyo.Var(bounds=(0, None)), pyo.Var(bounds=(0, None))
    m.cost = pyo.Objective(expr=m.x + m.y)
    m.low = pyo.Constraint(expr=m.x + m.y >= 10)
    m.a = pyo.Constraint(expr=m.x + 2 * m.y <= 4)
    m.b = pyo.Constraint(expr=2 * m.x + m.y <= 4)
    return m


@model
def unbounded():
    m = pyo.ConcreteModel()
    m.x, m.y = pyo.Var(bounds=(0, None)), pyo.Var(bounds=(0, None))
    m.gain = pyo.Objective(expr=m.x + m.y, sense=pyo.maximize)
    m.a = pyo.Constraint(expr=m.x - m.y <= 4)
    m.b = pyo.Constraint(expr=m.y - m.x <= 7)
    return m


@model
def constants_in_expressions():
    m = pyo.ConcreteModel()
    m.x, m.y = pyo.Var(bounds=(0, 8)), pyo.Var(bounds=(1, 9))
    m.e = pyo.Expression(expr=3 * m.x - m.y + 2)
    m.cost = pyo.Objective(expr=-2 * m.e + (m.x + m.y) / 4 - 7)
    m.a = pyo.Constraint(expr=m.e + 5 <= 17 + m.y)
    m.b = pyo.Constraint(expr=2 * (m.x - 3) + m.y + 1 >= -4)
    return m


@model
def fixed_variables():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(4), bounds=(0, 6))
    m.x[2].fix(2.5)
    m.cost = pyo.Objective(expr=sum((k + 1) * m.x[k] for k in range(4)))
    m.a = pyo.Constraint(expr=sum(m.x.values()) >= 9)
    m.b = pyo.Constraint(expr=m.x[0] - m.x[3] <= 1)
    return m


@model
def no_objective_coefficients():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(3), bounds=(0, 4))
    m.cost = pyo.Objective(expr=0 * m.x[0] + 5)
    m.a = pyo.Constraint(expr=m.x[0] + m.x[1] + m.x[2] == 5)
    return m


@model
def large_and_small_numbers():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(3), bounds=(0, 1e6))
    m.cost = pyo.Objective(expr=1e-3 * m.x[0] + 25 * m.x[1] + 1.5e3 * m.x[2])
    m.a = pyo.Constraint(expr=0.001 * m.x[0] + 4 * m.x[1] + 125 * m.x[2] >= 1e3)
    m.b = pyo.Constraint(expr=m.x[0] <= 2.5e5)
    return m


@model
def blending():
    draw = random.Random(11)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(6), range(3), within=pyo.NonNegativeReals)
    quality = [draw.uniform(70, 100) for _ in range(6)]
    m.cost = pyo.Objective(expr=sum((quality[i] / 10 - 6) * m.x[i, j]
                                    for i in range(6) for j in range(3)))
    m.supply = pyo.Constraint(range(6), rule=lambda m, i: sum(m.x[i, j] for j in range(3)) <= 40)
    m.demand = pyo.Constraint(range(3), rule=lambda m, j: sum(m.x[i, j] for i in range(6)) >= 50 + 10 * j)
    m.grade = pyo.Constraint(range(3), rule=lambda m, j: sum(
        (quality[i] - 78 - 4 * j) * m.x[i, j] for i in range(6)) >= 0)
    return m


@model
def dense_random():
    draw = random.Random(2)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(30), within=pyo.NonNegativeReals)
    m.gain = pyo.Objective(expr=sum(draw.uniform(1, 2) * m.x[j] for j in range(30)), sense=pyo.maximize)
    m.row = pyo.ConstraintList()
    for _ in range(45):
        m.row.add(sum(draw.uniform(0.1, 1) * m.x[j] for j in range(30)) <= draw.uniform(5, 9))
    return m


@model
def degenerate_assignment():
    draw = random.Random(5)
    n = range(7)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(n, n, bounds=(0, 1))
    m.cost = pyo.Objective(expr=sum(draw.randint(1, 20) * m.x[i, j] for i in n for j in n))
    m.row = pyo.Constraint(n, rule=lambda m, i: sum(m.x[i, j] for j in n) == 1)
    m.column = pyo.Constraint(n, rule=lambda m, j: sum(m.x[i, j] for i in n) == 1)
    return m


@model
def portfolio():
    draw = random.Random(13)
    assets, scenes = range(8), range(20)
    m = pyo.ConcreteModel()
    m.w = pyo.Var(assets, bounds=(0, 0.4))
    m.loss, m.level = pyo.Var(scenes, within=pyo.NonNegativeReals), pyo.Var()
    gains = [[draw.gauss(0.02 * a / 8, 0.05 + 0.02 * a) for a in assets] for _ in scenes]
    m.risk = pyo.Objective(expr=m.level + sum(m.loss.values()) / (0.1 * 20))
    m.tail = pyo.Constraint(scenes, rule=lambda m, s: m.loss[s] + m.level + sum(
        gains[s][a] * m.w[a] for a in assets) >= 0)
    m.all = pyo.Constraint(expr=sum(m.w.values()) == 1)
    return m


@model
def integer_knapsack():
    draw = random.Random(17)
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(14), domain=pyo.Binary, initialize=0)
    m.gain = pyo.Objective(expr=sum(draw.randint(20, 90) * m.x[j] for j in range(14)), sense=pyo.maximize)
    m.row = pyo.ConstraintList()
    for _ in range(4):
        m.row.add(sum(draw.randint(5, 60) * m.x[j] for j in range(14)) <= 200)
    return m


@model
def integer_lots():
    m = pyo.ConcreteModel()
    m.make, m.open = pyo.Var(range(5), bounds=(0, None)), pyo.Var(range(5), domain=pyo.Binary)
    m.crates = pyo.Var(bounds=(0, 9), domain=pyo.Integers)
    m.cost = pyo.Objective(expr=sum((k + 2) * m.make[k] + (40 - 6 * k) * m.open[k] for k in range(5)) + 7 * m.crates)
    m.on = pyo.Constraint(range(5), rule=lambda m, k: m.make[k] <= 25 * m.open[k])
    m.all = pyo.Constraint(expr=sum(m.make.values()) >= 63.5)
    m.pack = pyo.Constraint(expr=12 * m.crates >= sum(m.make.values()))
    return m


@model
def integer_infeasible():
    m = pyo.ConcreteModel()
    m.x = pyo.Var(range(3), bounds=(0, 8), domain=pyo.Integers)
    m.cost = pyo.Objective(expr=sum(m.x.values()))
    m.even = pyo.Constraint(expr=2 * m.x[0] + 4 * m.x[1] + 6 * m.x[2] == 9)
    return m


@model
def integer_free_columns():
    m = pyo.ConcreteModel()
    m.x, m.y = pyo.Var(bounds=(-7, 7), domain=pyo.Integers), pyo.Var(bounds=(-20, 20))
    m.cost = pyo.Objective(expr=3 * m.x + m.y + 4)
    m.a = pyo.Constraint(expr=2 * m.x + 3 * m.y >= 1.5)
    m.b = pyo.Constraint(expr=pyo.inequality(-4.5, m.x - m.y, 30))
    return m


def solve_by_glpk(m, folder, name):
    """Status and objective: glpsol's words of Pyomo's LP file."""
    lp, out = folder / f"{name}.lp", folder / f"{name}.glp"
    m.write(str(lp), io_options={"symbolic_solver_labels": True})
    text = subprocess.run(["glpsol", "--lp", str(lp), "--nopresol", "-w", str(out)], text=True,
                          capture_output=True, check=True).stdout
    line = next(line for line in out.read_text().splitlines() if line.startswith("s "))
    if line.split()[1] == "mip":
        _, _, _, _, status, objective = line.split()
        return ("optimal", float(objective)) if status == "o" else ("infeasible", None)
    _, _, _, _, primal, dual, objective = line.split()
    if primal == "f" and dual == "f":
        return "optimal", float(objective)
    if "NO PRIMAL FEASIBLE" in text.upper() or primal == "n":
        return "infeasible", None
    return "unbounded", None


def read_answer(path):
    """Message, duals, values, result and suffixes of a .sol file."""
    lines = path.read_text().splitlines()
    at = lines.index("Options")
    message = "\n".join(lines[:at]).strip()
    count = int(lines[at + 1])
    numbers = lines[at + 2 + count:]
    rows, duals, columns, values = (int(word) for word in numbers[:4])
    body = [float(word) for word in numbers[4:4 + duals + values]]
    rest = numbers[4 + duals + values:]
    assert rest[0].startswith("objno 0 "), rest[0]
    suffixes, at = {}, 1
    while at < len(rest):
        word, kind, entries, _, _, table = rest[at].split()
        assert word == "suffix", rest[at]
        name = rest[at + 1]
        start = at + 2 + int(table)
        suffixes[name, int(kind) & 3] = dict(line.split() for line in rest[start:start + int(entries)])
        at = start + int(entries)
    return {"message": message, "rows": rows, "columns": columns, "duals": body[:duals],
            "values": body[duals:], "result": int(rest[0].split()[2]), "suffixes": suffixes}


RESULTS = {0: "optimal", 200: "infeasible", 300: "unbounded"}


def check(program, m, folder, name):
    m.write(str(folder / f"{name}.nl"))
    run = subprocess.run([program, str(folder / name), "-AMPL"], text=True, capture_output=True)
    assert run.returncode == 0 and not run.stdout and not run.stderr, run
    answer = read_answer(folder / f"{name}.sol")
    status, objective = solve_by_glpk(m, folder, name)
    found = RESULTS.get(answer["result"])
    assert found == status, f"{name}: {found} instead of {status}"
    ours = re.search(r"objective (\S+)", answer["message"])
    if status == "optimal":
        value = float(ours.group(1))
        assert math.isclose(value, objective, rel_tol=1e-7, abs_tol=1e-7), (name, value, objective)
        basic = sum(value == "1" for kind in (0, 1)
                    for value in answer["suffixes"].get(("sstatus", kind), {}).values())
        assert basic == answer["rows"], f"{name}: {basic} basic variables, {answer['rows']} rows"
        assert len(answer["values"]) == answer["columns"]
        if name.startswith("integer"):
            bound = float(re.search(r"bound (\S+), gap ", answer["message"])[1])  # the gap is 1e-6 at most
            assert math.isclose(bound, value, rel_tol=1e-9, abs_tol=1.1e-6), answer["message"]
            whole = [v for v in m.component_data_objects(pyo.Var) if v.is_integer()]
            assert sum(abs(x - round(x)) == 0 for x in answer["values"]) >= len(whole)
    elif status == "infeasible" and name.startswith("integer"):
        assert not answer["values"] and not answer["duals"]
    elif status == "infeasible":
        assert ("dunbdd", 1) in answer["suffixes"], f"{name}: no proof"
    else:
        assert ("unbdd", 0) in answer["suffixes"], f"{name}: no ray"
    print(f"{name:28} {status:11} {objective if objective is not None else '':>22}")


def through_pyomo(program):
    """Pyomo's own way: its solver `asl`, which reads the .sol file."""
    m = production()
    m.dual = pyo.Suffix(direction=pyo.Suffix.IMPORT)
    solver = pyo.SolverFactory("asl", executable=program)
    solver.options["solver"] = program
    solver.options["algorithm"] = "dual"
    assert solver.available(False)
    results = solver.solve(m)
    assert results.solver.termination_condition == pyo.TerminationCondition.optimal, results
    assert math.isclose(pyo.value(m.gain), 188), pyo.value(m.gain)
    assert math.isclose(m.dual[m.hours], 3.5) and math.isclose(m.dual[m.wood], 0.4)
    # Nothing of the answer was taken for something else.
    assert str(results.solver.message).endswith("tolerance"), results.solver.message
    m = integer_knapsack()
    solver = pyo.SolverFactory("asl", executable=program)
    solver.options["solver"] = program
    results = solver.solve(m)
    assert results.solver.termination_condition == pyo.TerminationCondition.optimal, results
    assert {v.value for v in m.x.values()} == {0.0, 1.0}
    first = pyo.value(m.gain)
    # The values of the first solve are the start of a search that may not branch.
    solver.options.update({"node_limit": 0, "cuts": "off", "relative_gap": 0.5})
    solver.solve(m)
    assert pyo.value(m.gain) == first
    solver.options["iteration_limit"] = 0
    results = solver.solve(m, load_solutions=False)
    assert results.solver.termination_condition == pyo.TerminationCondition.maxIterations, results
    print("Pyomo's solver asl: optimal, duals as they should be")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for name, build in MODELS.items():
            check(arguments.program, build(), folder, name)
    through_pyomo(arguments.program)
    print(f"{len(MODELS)} models agree")


if __name__ == "__main__":
    main()
