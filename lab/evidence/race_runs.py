#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Runs `osi-cuda solve` on problem files by several algorithms and adds a line of CSV for each run, for
docs/evidence/sparse.md.

usage: race_runs.py random FOLDER    writes the random sparse problems of the page as MPS files
       race_runs.py run PROGRAM CSV GROUP REFERENCE FILE...

REFERENCE: a CSV with the columns name and objective (or lp_optimum), or "-": then the algorithms have to agree.
Seconds are the solve's wall time as the program reports it. `cpu` is the processor time of all threads, the start of
the process and the reading taken off. What the CSV has already is not run again. Primal, dual, barrier and "auto, race
off" run with one thread.
"""
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

COLUMNS = ["group", "problem", "entries", "algorithm", "status", "right", "objective", "iterations", "barrier",
           "seconds", "cpu", "residual", "phases"]
ALGORITHMS = {"primal": ["--algorithm", "primal", "--threads", "1"],
              "dual": ["--algorithm", "dual", "--threads", "1"],
              "barrier": ["--algorithm", "barrier", "--threads", "1"],
              "auto, race off": ["--race", "off", "--threads", "1"],
              "auto": [], "race": ["--algorithm", "race"]}
LIMIT = 60.0
LEFT_OUT = {"e226": 7.113}  # constants of objectives that the references of Netlib leave out
# rows, columns, share of nonzeros, kind, seed
RANDOM = [(m, n, density, kind, seed)
          for m, n, density in ((300, 600, 0.02), (500, 1000, 0.01), (800, 1600, 0.005), (1000, 2000, 0.003),
                                (1500, 3000, 0.002))
          for kind, seed in (("packing", 1), ("covering", 2), ("equations", 3), ("mixed", 4))]


def random_problem(rows, columns, density, kind, seed):
    """The lines of an MPS file: a problem with a feasible point and bounded objective."""
    draw = random.Random(f"{rows} {columns} {density} {kind} {seed}")
    columns_of = []
    for _ in range(columns):
        chosen = sorted(draw.sample(range(rows), max(1, sum(draw.random() < density for _ in range(rows)))))
        positive = kind in ("packing", "covering")
        columns_of.append([(i, draw.uniform(0.1, 1.0) if positive else draw.gauss(0.0, 1.0)) for i in chosen])
    point = [draw.uniform(0.0, 2.0) if draw.random() < 0.5 else 0.0 for _ in range(columns)]
    activity = [0.0] * rows
    multiplier = [draw.gauss(0.0, 1.0) for _ in range(rows)]
    senses = ["L" if kind == "packing" else "G" if kind == "covering" else "E" if kind == "equations"
              else draw.choice("LGE") for _ in range(rows)]
    multiplier = [-abs(y) if s == "L" else abs(y) if s == "G" else y for s, y in zip(senses, multiplier)]
    for column, x in zip(columns_of, point):
        for i, a in column:
            activity[i] += a * x
    lines = [f"NAME {kind}_{rows}_{seed}", "ROWS", " N cost"]
    lines += [f" {s} r{i}" for i, s in enumerate(senses)]
    lines.append("COLUMNS")
    for j, column in enumerate(columns_of):
        cost = sum(multiplier[i] * a for i, a in column) + (draw.uniform(0.0, 1.0) if point[j] == 0.0 else 0.0)
        lines.append(f" x{j} cost {cost!r}")
        lines += [f" x{j} r{i} {a!r}" for i, a in column]
    lines.append("RHS")
    for i, s in enumerate(senses):
        slack = draw.choice((0.0, draw.uniform(0.0, 1.0)))
        right = activity[i] + (slack if s == "L" else -slack if s == "G" else 0.0)
        if right:
            lines.append(f" RHS r{i} {right!r}")
    return lines + ["ENDATA"]


def solve(program, path, algorithm):
    """One run: a line of the CSV."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([program, "solve", path, "--json", "--engine", "host", "--time-limit", str(LIMIT),
                                  *ALGORITHMS[algorithm]], stdout=out, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        out.seek(0)
        result = json.load(out)
    residuals = [value for value in result["residuals"].values() if value is not None]
    return {"problem": pathlib.Path(path).name.split(".")[0], "entries": result["rows"] * result["columns"],
            "algorithm": algorithm, "status": result["status"], "objective": result.get("objective"),
            "iterations": result["iterations"], "barrier": result.get("barrier", {}).get("iterations", 0),
            "seconds": f"{result['seconds']['solve']:.4f}", "cpu": usage.ru_utime + usage.ru_stime,
            "residual": f"{max(residuals):.1e}" if residuals else "",
            "phases": " ".join(f"{p['algorithm']}{p['phase'] or ''}:{p['iterations']}"
                               for p in result["phases"] if p["iterations"] > 0)}


def start_of(program, path):
    """Processor seconds of a run that makes no pivot."""
    child = subprocess.Popen([program, "solve", path, "--engine", "host", "--iteration-limit", "0"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    return usage.ru_utime + usage.ru_stime


def agrees(runs, expected):
    """Whether each run has the status and the objective that it should have."""
    statuses = {run["status"] for run in runs}
    if expected is not None:
        expected += LEFT_OUT.get(runs[0]["problem"], 0.0)
    for run in runs:
        value = run["objective"]
        wanted = expected if expected is not None else runs[0]["objective"]
        close = run["status"] != "optimal" or abs(value - wanted) <= 1e-8 * (1 + abs(wanted))
        run["right"] = "yes" if len(statuses) == 1 and run["status"] in ("optimal", "infeasible") and close else "no"


def run(program, target, group, reference, paths):
    known, expected = set(), {}
    if reference != "-":
        with open(reference, encoding="utf-8", newline="") as file:
            for line in csv.DictReader(row for row in file if not row.startswith("#")):
                expected[line["name"]] = float(line.get("objective") or line["lp_optimum"])
    target = pathlib.Path(target)
    if target.exists():
        with open(target, encoding="utf-8", newline="") as file:
            known = {line["problem"] for line in csv.DictReader(file)}
    with open(target, "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if not known:
            writer.writeheader()
        for path in paths:
            name = pathlib.Path(path).name.split(".")[0]
            if name in known:
                continue
            start = min(start_of(program, path) for _ in range(3))
            runs = [solve(program, path, algorithm) for algorithm in ALGORITHMS]
            agrees(runs, expected.get(name))
            for one in runs:
                one["cpu"] = f"{max(0.0, one['cpu'] - start):.4f}"
                writer.writerow({"group": group, **one})
            file.flush()


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "random":
        for m, n, density, kind, seed in RANDOM:
            file = pathlib.Path(sys.argv[2]) / f"{kind}_{m}.mps"
            file.write_text("\n".join(random_problem(m, n, density, kind, seed)) + "\n", encoding="utf-8")
    elif len(sys.argv) > 6 and sys.argv[1] == "run":
        run(*sys.argv[2:6], sys.argv[6:])
    else:
        sys.exit(__doc__)
