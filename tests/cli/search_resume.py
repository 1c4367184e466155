#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Searches for integers that are killed and go on: `osi-cuda solve --integers --checkpoint`.

A search is killed with SIGKILL at random moments, and resumed, until it ends: its optimum has to be
that of a search that nobody killed, no checkpoint may be torn, and none may be of fewer nodes than the
one before. Also what is refused: checkpoints of another problem, of other gaps, and damaged ones.

usage: search_resume.py PROGRAM
"""
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

failures = []


def expect(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def write_model(path, dice, rows, columns):
    weights = [[dice.randint(1, 1000) for _ in range(columns)] for _ in range(rows)]
    lines = ["NAME KNAPSACK", "ROWS", " N COST"] + [f" L R{i}" for i in range(rows)]
    lines += ["COLUMNS", " M 'MARKER' 'INTORG'"]
    for j in range(columns):
        profit = sum(row[j] for row in weights) // rows + dice.randrange(500)
        lines.append(f" X{j} COST {-profit}")
        lines += [f" X{j} R{i} {weights[i][j]}" for i in range(rows)]
    lines += [" N 'MARKER' 'INTEND'", "RHS"]
    lines += [f" B R{i} {sum(row) // 2}" for i, row in enumerate(weights)]
    lines += ["BOUNDS"] + [f" UP B X{j} 1" for j in range(columns)]
    path.write_text("\n".join([*lines, "ENDATA", ""]))


def words(program, model, *more):
    return [program, "solve", str(model), "--integers", "--engine", "host", "--threads", "1",
            "--quiet", "--json", *map(str, more)]


def solved(program, model, *more):
    return subprocess.run(words(program, model, *more), capture_output=True, text=True, check=False)


def kills(program, folder):
    model, saved = folder / "m.mps", folder / "m.checkpoint"
    dice = random.Random(3)
    write_model(model, dice, 6, 60)
    begin = time.monotonic()
    whole = json.loads(solved(program, model, "--search", "own").stdout)
    seconds = time.monotonic() - begin
    killed, nodes = 0, 0
    for _ in range(100):
        resume = ["--resume", saved] if saved.exists() else []
        run = subprocess.Popen(words(program, model, "--checkpoint", saved,
                                     "--checkpoint-interval", seconds / 30, *resume),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = run.communicate(timeout=dice.uniform(0.25, 0.5) * seconds)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.communicate()
            killed += run.returncode == -signal.SIGKILL
            if saved.exists():  # whole, and never further back than before
                text = saved.read_text()
                expect(text.startswith("osi-cuda search 1\n") and "\nchecksum " in text,
                       "a torn checkpoint")
                now = int(text.split("\nnodes ")[1].split()[0])
                expect(now >= nodes, f"a checkpoint of {now} nodes after one of {nodes}")
                nodes = now
            continue
        result = json.loads(out) if run.returncode == 0 else {"status": err}
        expect(result["status"] == "optimal" and result["objective"] == whole["objective"] and
               result["search"]["bound"] == whole["search"]["bound"],
               f"after {killed} kills: {result['status']}, {result.get('objective')} instead of "
               f"{whole['objective']}")
        break
    else:
        expect(False, f"killed {killed} times, and no end: {nodes} nodes")
    expect(killed >= 2 and nodes > 0, f"killed {killed} times, the last checkpoint of {nodes} nodes")
    # Of a search that has ended nothing is left to be done.
    again = json.loads(solved(program, model, "--resume", saved).stdout)
    expect(again["status"] == "optimal" and again["objective"] == whole["objective"],
           "the checkpoint at the end")
    print(f"killed {killed} times, {seconds:.1f} s alone")


def refused(program, folder):
    model, other, saved = folder / "m.mps", folder / "other.mps", folder / "m.checkpoint"
    write_model(other, random.Random(4), 6, 60)
    for name, reason, more in (
            ("of another problem", "another problem", [other]),
            ("of another gap", "gap", [model, "--absolute-gap", "7"]),
            ("by Cbc", "Cbc", [model, "--search", "cbc"]),
            ("with a proof", "--proof", [model, "--proof", folder / "m.tree"])):
        run = solved(program, more[0], "--resume", saved, *more[1:])
        expect(run.returncode in (64, 65) and reason in run.stderr,
               f"{name}: exit status {run.returncode}, {run.stderr}")
    text = saved.read_text()
    damaged = folder / "damaged"
    for what, changed in (("torn", text[: len(text) // 2]), ("empty", ""),
                          ("changed", text.replace("nodes 1", "nodes 2", 1) if "nodes 1" in text
                           else text.replace("nodes ", "nodes 1", 1)), ("a model", model.read_text())):
        damaged.write_text(changed)
        run = solved(program, model, "--resume", damaged)
        expect(run.returncode == 65 and "checkpoint" in run.stderr,
               f"{what}: exit status {run.returncode}, {run.stderr}")


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        kills(program, pathlib.Path(folder))
        refused(program, pathlib.Path(folder))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
