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

import integer_models

MODELS = "knap:10x250,knap:30x500,knap:100x2000,cover:100x1000:0.2"


def write(model, path):
    kind, size, *share = model.split(":")
    m, n = map(int, size.split("x"))
    dice = random.Random(7)
    if kind == "knap":
        rows = [[dice.randrange(1, 1000) for _ in range(n)] for _ in range(m)]
        costs = [-round(sum(row[j] for row in rows) / m + dice.uniform(0, 500)) for j in range(n)]
        made = integer_models.Model(rows, costs, [sum(row) // 2 for row in rows], "L" * m)
    else:
        made = integer_models.cover(m, n, dice, float(share[0]))
    integer_models.write(path, made)


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
