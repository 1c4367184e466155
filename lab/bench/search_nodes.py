#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Nodes a second of the own search for integers on dense models.

usage: search_nodes.py [--program osi-cuda] [--engine cuda] [--seconds 15] [--search own,cbc]
                       [--folder DIR] [--models knap:10x250,cover:100x1000:0.2] [solve's options ...]

Makes multi-dimensional knapsacks (knap:ROWSxCOLUMNS) and covers (cover:ROWSxCOLUMNS:DENSITY), always
the same ones, solves each with `osi-cuda solve FILE --integers --json`, and prints a table: nodes a
second of the whole run, linear programs and pivots a second, the best point, the bound. `--folder`
keeps the models; `--only-models` makes them and no more.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

MODELS = "knap:10x250,knap:30x500,knap:100x2000,cover:100x1000:0.2"


def write_binaries(path, rows, costs, sides, sense):
    """The MPS file of  min costs'x,  rows x <= or >= sides  (sense L or G), x binary."""
    with open(path, "w") as out:
        out.write("NAME          X         FREE\nROWS\n N OBJ\n")
        out.writelines(f" {sense} R{i}\n" for i in range(len(rows)))
        out.write("COLUMNS\n M1 'MARKER' 'INTORG'\n")
        for j, cost in enumerate(costs):
            out.write(f" C{j} OBJ {cost}\n")
            out.writelines(f" C{j} R{i} {row[j]}\n" for i, row in enumerate(rows) if row[j])
        out.write(" M2 'MARKER' 'INTEND'\nRHS\n")
        out.writelines(f" RHS R{i} {side}\n" for i, side in enumerate(sides))
        out.write("BOUNDS\n")
        out.writelines(f" UP BND C{j} 1\n" for j in range(len(costs)))
        out.write("ENDATA\n")


def write(model, path):
    kind, size, *density = model.split(":")
    m, n = map(int, size.split("x"))
    dice = random.Random(7)
    if kind == "knap":
        rows = [[dice.randrange(1, 1000) for _ in range(n)] for _ in range(m)]
        costs = [-round(sum(row[j] for row in rows) / m + dice.uniform(0, 500)) for j in range(n)]
        sides, sense = [sum(row) // 2 for row in rows], "L"
    else:
        share = float(density[0])
        rows = [[int(dice.random() < share) for _ in range(n)] for _ in range(m)]
        for row in rows:
            row[dice.randrange(n)] = 1
        costs, sides, sense = [dice.randrange(50, 150) for _ in range(n)], [1] * m, "G"
    write_binaries(path, rows, costs, sides, sense)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="osi-cuda")
    parser.add_argument("--engine", default="cuda")
    parser.add_argument("--seconds", default="15")
    parser.add_argument("--search", default="own")
    parser.add_argument("--models", default=MODELS)
    parser.add_argument("--folder")
    parser.add_argument("--only-models", action="store_true")
    arguments, more = parser.parse_known_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="search-nodes-"))
    folder.mkdir(parents=True, exist_ok=True)
    print("| model | search | status | seconds | nodes/s | LPs/s | pivots/s | best | bound | gap |")
    print("|---|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for model in arguments.models.split(","):
        path = folder / (model.replace(":", "-") + ".mps")
        if not path.exists():
            write(model, path)
        for search in () if arguments.only_models else arguments.search.split(","):
            run = subprocess.run(
                [arguments.program, "solve", str(path), "--integers", "--search", search, "--engine",
                 arguments.engine, "--time-limit", arguments.seconds, "--json", "--quiet", *more],
                capture_output=True, text=True)
            try:
                result = json.loads(run.stdout)
                found, seconds = result["search"], max(result["seconds"]["solve"], 1e-9)
            except (ValueError, KeyError):
                print(f"| {model} | {search} | exit status {run.returncode}: {run.stderr.strip()} |")
                continue
            print(f"| {model} | {search} | {result['status']} | {seconds:.1f} "
                  f"| {found['nodes'] / seconds:.0f} | {found['linear_programs'] / seconds:.0f} "
                  f"| {result['iterations'] / seconds:.0f} | {result['objective']} "
                  f"| {found['bound']} | {found['gap']} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
