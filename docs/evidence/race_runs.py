#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Runs `osi-cuda solve` on problem files by several algorithms and adds a line of CSV for each run, for
docs/evidence/race.md.

usage: race_runs.py random FOLDER            writes the random sparse problems of the page as MPS files
       race_runs.py run PROGRAM CSV ALGORITHM[,ALGORITHM...] FILE... [-- OPTION...]

Seconds are the solve's wall time as the program reports it; `cpu` is the time of all threads, the start of the
process taken off. What the CSV has already is not run again.
"""
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

COLUMNS = ["problem", "entries", "algorithm", "status", "objective", "iterations", "barrier", "seconds", "cpu",
           "residual", "phases"]
LIMIT = float(os.environ.get("RACE_LIMIT", 60.0))
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


def solve(program, path, algorithm, options):
    """One run: a line of the CSV."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([program, "solve", path, "--algorithm", algorithm, "--json", "--time-limit",
                                  str(LIMIT), *options], stdout=out, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(child.pid, 0)
        out.seek(0)
        result = json.load(out)
    seconds = result["seconds"]
    around = seconds["total"] - seconds["solve"]
    return {"problem": pathlib.Path(path).name.split(".")[0], "entries": result["rows"] * result["columns"],
            "algorithm": algorithm, "status": result["status"], "objective": result["objective"],
            "iterations": result["iterations"], "barrier": result.get("barrier", {}).get("iterations", 0),
            "seconds": f"{seconds['solve']:.4f}",
            "cpu": f"{max(0.0, usage.ru_utime + usage.ru_stime - around):.4f}",
            "residual": f"{max(result['residuals'].values()):.1e}" if all(
                value is not None for value in result["residuals"].values()) else "",
            "phases": " ".join(f"{p['algorithm']}{p['phase'] or ''}:{p['iterations']}"
                               for p in result.get("phases", []))}


def run(program, target, algorithms, rest):
    paths, options = rest, []
    if "--" in rest:
        paths, options = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    target = pathlib.Path(target)
    known = set()
    if target.exists():
        with open(target, encoding="utf-8", newline="") as file:
            known = {(line["problem"], line["algorithm"]) for line in csv.DictReader(file)}
    with open(target, "a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not known:
            writer.writeheader()
        for path in paths:
            for algorithm in algorithms.split(","):
                if (pathlib.Path(path).name.split(".")[0], algorithm) not in known:
                    writer.writerow(solve(program, path, algorithm, options))
                    file.flush()


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "random":
        for m, n, density, kind, seed in RANDOM:
            file = pathlib.Path(sys.argv[2]) / f"{kind}_{m}.mps"
            file.write_text("\n".join(random_problem(m, n, density, kind, seed)) + "\n", encoding="utf-8")
    elif len(sys.argv) > 5 and sys.argv[1] == "run":
        run(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    else:
        sys.exit(__doc__)
