#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Searches for integers side by side: time to a proved optimum, or the gap.

usage: search_peers.py [--program osi-cuda] [--seconds 60] [--threads 4] [--engine host] [--lanes 1]
                       [--models knapsacks,families,cover:100x1000:0.2] [--solvers own,cbc,...]
                       [--csv FILE] [--folder DIR]

`knapsacks` are 27 multi-dimensional ones by the generator of OR-Library's; `families` are 20 covers, lot
sizings, assignments and portfolios. The same models come in every run. Solvers: own (osi-cuda
--search own), cbc (osi-cuda --search cbc: Cbc on this simplex), clp (the program cbc: Cbc on Clp), highs
(highspy), scip (pyscipopt); what is missing is left out. All are asked for a gap of 0, with as many threads, and
solve a model at the same time, each on its own threads. `--lanes N` takes N models at a time, lane i with GPU i.
Seconds are those of the whole run, reading included. The objective is the solver's own; the point is not
checked here. Prints a line for each run, and a table of gaps and seconds at the end.
"""
import argparse
import concurrent.futures
import copy
import csv
import importlib.util
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import integer_models  # noqa: E402

SETS = {
    "knapsacks": [f"knapsack:{m}x{n}:{tightness}" for m in (5, 10, 30) for n in (100, 250, 500)
                  for tightness in ("0.25", "0.5", "0.75")],
    "families": ["cover:50x300", "cover:100x500", "cover:100x1000", "cover:200x1000:0.1", "cover:200x2000:0.1",
                 "lots:4x8", "lots:5x10", "lots:6x12", "lots:8x12", "lots:10x15",
                 "assignment:5x25", "assignment:5x40", "assignment:10x40", "assignment:10x60", "assignment:20x60",
                 "portfolio:30x50", "portfolio:50x100", "portfolio:60x200", "portfolio:100x100", "portfolio:200x100"],
}
FIELDS = ["model", "solver", "status", "seconds", "objective", "bound", "nodes"]


def seen(asked):
    return dict(os.environ, CUDA_VISIBLE_DEVICES=str(asked.lane)) if asked.lanes > 1 else None


def ours(search):
    def run(path, asked):
        words = [asked.program, "solve", str(path), "--integers", "--search", search, "--engine",
                 asked.engine if search == "own" else "host", "--threads", str(asked.threads),
                 "--relative-gap", "0", "--time-limit", str(asked.seconds), "--json", "--quiet"]
        result = json.loads(subprocess.run(words, capture_output=True, text=True, env=seen(asked)).stdout)
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


def one(name, path, asked, answer):
    begin = time.monotonic()
    try:
        found = SOLVERS[name](path, asked)
    except Exception as error:
        found = (f"{type(error).__name__}: {error}"[:60], None, None, None)
    answer.put((name, found[0], round(time.monotonic() - begin, 2), *found[1:]))


def lane(models, asked):
    """The models of a list while it has any: every solver a process, all at once."""
    rows = []
    while models:
        try:
            model = models.pop(0)
        except IndexError:
            break
        path = asked.folder / (re.sub("[:.]", "-", model) + ".mps")
        integer_models.write(path, integer_models.make(model, random.Random(model)))
        answers = multiprocessing.Queue()
        running = [multiprocessing.Process(target=one, args=(name, path, asked, answers)) for name in asked.solvers]
        for process in running:
            process.start()
        for found in sorted((answers.get() for _ in running), key=lambda found: asked.solvers.index(found[0])):
            rows.append(dict(zip(FIELDS, (model, *found), strict=True)))
            print(*rows[-1].values(), f"gap {gap(rows[-1]):.2g}", flush=True)
        for process in running:
            process.join()
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="osi-cuda")
    parser.add_argument("--engine", default="host")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--lanes", type=int, default=1)
    parser.add_argument("--models", default="knapsacks,families")
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    parser.add_argument("--csv")
    parser.add_argument("--folder")
    asked = parser.parse_args()
    asked.folder = pathlib.Path(asked.folder or tempfile.mkdtemp(prefix="search-peers-"))
    asked.folder.mkdir(parents=True, exist_ok=True)
    needs = {"clp": shutil.which("cbc"), "highs": importlib.util.find_spec("highspy"),
             "scip": importlib.util.find_spec("pyscipopt")}
    missing = [name for name in asked.solvers.split(",") if not needs.get(name, True)]
    asked.solvers = [name for name in asked.solvers.split(",") if name not in missing]
    if missing:
        print("left out, as not installed:", *missing, file=sys.stderr)
    models = [model for name in asked.models.split(",") for model in SETS.get(name, [name])]
    order, lanes = list(models), [copy.copy(asked) for _ in range(asked.lanes)]
    for number, of in enumerate(lanes):
        of.lane = number
    with concurrent.futures.ThreadPoolExecutor(asked.lanes) as pool:
        rows = [row for rows in pool.map(lane, [models] * asked.lanes, lanes) for row in rows]
    rows.sort(key=lambda row: order.index(row["model"]))
    print("\n| model | " + " | ".join(asked.solvers) + " |\n|---|" + "---:|" * len(asked.solvers))
    for model in order:
        found = {row["solver"]: row for row in rows if row["model"] == model}
        cells = [f"{found[s]['seconds']:.1f} s" if found[s]["status"] == "optimal"
                 else f"{found[s]['objective']}, {gap(found[s]):.2%}" for s in asked.solvers]
        print(f"| {model} | " + " | ".join(cells) + " |")
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
