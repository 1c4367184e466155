#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Multi-dimensional knapsacks through searches for integers: time to a proved optimum, or the gap.

usage: search_peers.py [--program osi-cuda] [--seconds 60] [--threads 16] [--engine host]
                       [--sizes 5x100,10x250] [--tightness 0.25,0.5,0.75] [--solvers own,cbc,...]
                       [--csv FILE] [--folder DIR]

The models are those of the generator of Chu and Beasley (1998), by which OR-Library's were made:
weights of 1 to 1000, sides a share (the tightness) of a row's sum, profits a column's mean weight
plus up to 500, minimised with the sign turned. The same models come in every run. Solvers: own (osi-cuda --search own), cbc
(osi-cuda --search cbc: Cbc on this simplex), clp (the program cbc: Cbc on Clp), highs (highspy),
scip (pyscipopt); what is missing is left out. All are asked for a gap of 0 with as many threads.
Seconds are those of the whole run, reading included. The objective is the solver's own; the point
is not checked here. Prints a line for each run, and a table of gaps and seconds at the end.
"""
import argparse
import csv
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
from search_nodes import write_binaries  # noqa: E402

SIZES = ",".join(f"{m}x{n}" for m in (5, 10, 30) for n in (100, 250, 500))
FIELDS = ["model", "solver", "status", "seconds", "objective", "bound", "nodes"]


def write(rows, columns, tightness, path):
    dice = random.Random(f"{rows} {columns} {tightness}")
    weights = [[dice.randint(1, 1000) for _ in range(columns)] for _ in range(rows)]
    profits = [round(sum(row[j] for row in weights) / rows + 500 * dice.random())
               for j in range(columns)]
    write_binaries(path, weights, [-profit for profit in profits], [int(tightness * sum(row)) for row in weights], "L")


def ours(search):
    def run(path, asked):
        words = [asked.program, "solve", str(path), "--integers", "--search", search, "--engine",
                 asked.engine if search == "own" else "host", "--threads", str(asked.threads),
                 "--relative-gap", "0", "--time-limit", str(asked.seconds), "--json", "--quiet"]
        result = json.loads(subprocess.run(words, capture_output=True, text=True).stdout)
        found = result["search"]
        return result["status"], result["objective"], found["bound"], found["nodes"]
    return run


def clp(path, asked):
    text = subprocess.run(["cbc", str(path), "-threads", str(asked.threads), "-ratio", "0", "-sec",
                           str(asked.seconds), "-timeMode", "elapsed", "-solve", "-quit"],
                          capture_output=True, text=True).stdout
    value, bound, nodes = (re.search(rf"^{name}:\s+(\S+)", text, re.M) for name in (
        "Objective value", "(?:Lower|Upper) bound", "Enumerated nodes"))
    status = "optimal" if "Result - Optimal solution found" in text else "time limit"
    best = float(value[1]) if value else None
    limit = float(bound[1]) if bound else best if status == "optimal" else None
    return status, best, limit, int(nodes[1]) if nodes else None


def highs(path, asked):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    for name, value in (("time_limit", float(asked.seconds)),
                        ("threads", asked.threads), ("parallel", "on"), ("mip_rel_gap", 0.0),
                        ("mip_abs_gap", 0.0)):
        solver.setOptionValue(name, value)
    solver.readModel(str(path))
    solver.run()
    info = solver.getInfo()
    status = "optimal" if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal else "time limit"
    return status, info.objective_function_value, info.mip_dual_bound, info.mip_node_count


def scip(path, asked):
    import pyscipopt
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    model.setParams({"limits/time": float(asked.seconds), "limits/gap": 0.0,
                     "parallel/maxnthreads": asked.threads})
    model.optimize()  # on one thread: wheels have no parallel SCIP
    status = "optimal" if model.getStatus() == "optimal" else "time limit"
    return status, model.getObjVal(), model.getDualbound(), model.getNNodes()


SOLVERS = {"own": ours("own"), "cbc": ours("cbc"), "clp": clp, "highs": highs, "scip": scip}


def gap(row):
    try:
        return abs(row["objective"] - row["bound"]) / abs(row["objective"])
    except (TypeError, ZeroDivisionError):
        return float("inf")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="osi-cuda")
    parser.add_argument("--engine", default="host")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--tightness", default="0.25,0.5,0.75")
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--csv")
    parser.add_argument("--folder")
    asked = parser.parse_args()
    folder = pathlib.Path(asked.folder or tempfile.mkdtemp(prefix="search-peers-"))
    folder.mkdir(parents=True, exist_ok=True)
    solvers = asked.solvers.split(",")
    if "clp" in solvers and not shutil.which("cbc"):
        solvers.remove("clp")
    rows = []
    for size in asked.sizes.split(","):
        m, n = map(int, size.split("x"))
        for tightness in asked.tightness.split(","):
            model = f"{size} {tightness}"
            path = folder / f"mkp-{size}-{tightness}.mps"
            write(m, n, float(tightness), path)
            for name in list(solvers):
                begin = time.monotonic()
                try:
                    status, best, bound, nodes = SOLVERS[name](path, asked)
                except ImportError as error:
                    print(f"{name} is left out: {error}", file=sys.stderr)
                    solvers.remove(name)
                    continue
                rows.append(dict(zip(FIELDS, (model, name, status, round(time.monotonic() - begin, 2),
                                              best, bound, nodes), strict=True)))
                print(*rows[-1].values(), f"gap {gap(rows[-1]):.2g}", flush=True)
    print("\n| model | " + " | ".join(solvers) + " |\n|---|" + "---:|" * len(solvers))
    for model in dict.fromkeys(row["model"] for row in rows):
        found = {row["solver"]: row for row in rows if row["model"] == model}
        cells = [f"{found[s]['seconds']:.1f} s" if found[s]["status"] == "optimal"
                 else f"{found[s]['objective']}, {gap(found[s]):.2%}" for s in solvers]
        print(f"| {model} | " + " | ".join(cells) + " |")
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
