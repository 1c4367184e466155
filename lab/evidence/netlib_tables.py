#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes tables as those of docs/evidence/netlib.md from databases of `osi-cuda regress`: means of the
seconds by size over the problems that every solver ran, and for each solver that is not ours how many
problems each of ours won and lost. Ours are told apart by the name of the database, too, as options
are. An answer of ours is right if it is proved and nobody has a better one, another's if it agrees.

usage: netlib_tables.py DATABASE.sqlite...    a later run counts in place of an earlier one
"""
import contextlib
import math
import pathlib
import sqlite3
import sys

SHIFT = 0.01  # seconds
UNSOLVED = 60.0  # seconds that a problem counts with at least that was not solved
SIZES = [("all", 0, math.inf), ("up to 1e5", 0, 1e5), ("1e5 to 1.5e6", 1e5, 1.5e6),
         ("1.5e6 to 1e8", 1.5e6, 1e8), ("from 1e8", 1e8, math.inf)]


def mean(runs):
    """Shifted geometric mean of the seconds."""
    seconds = [run["seconds"] if run["right"] else max(run["seconds"], UNSOLVED) for run in runs]
    return math.exp(sum(math.log(s + SHIFT) for s in seconds) / len(seconds)) - SHIFT


def winner(ours, other):
    """1: ours, -1: the other, 0: neither; who solved the problem, or solved it sooner."""
    if ours["right"] != other["right"]:
        return 1 if ours["right"] else -1
    if not ours["right"] or ours["seconds"] == other["seconds"]:
        return 0
    return 1 if ours["seconds"] < other["seconds"] else -1


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def main():
    problems, solvers = {}, []
    for name in sys.argv[1:] or sys.exit(__doc__):
        with contextlib.closing(sqlite3.connect(f"file:{name}?mode=ro", uri=True)) as database:
            stored = database.execute("select instance, checksum, rows * columns, solver, algorithm, "
                                      "verdict = 'agrees', proved, seconds from runs order by id").fetchall()
        for instance, checksum, cells, solver, algorithm, agrees, proved, seconds in stored:
            own = solver.startswith("osi_cuda")
            label = f"{pathlib.Path(name).stem}: {solver}/{algorithm}" if own else f"{solver}/{algorithm}"
            _, runs = problems.setdefault((instance, checksum), (cells, {}))
            runs[label] = {"right": bool(agrees and (proved or not own)), "seconds": seconds}
            if label not in solvers:
                solvers.append(label)
    ours = [solver for solver in solvers if ": osi_cuda" in solver]
    columns = [*solvers, *(f"{mine} : {other}" for mine in ours for other in solvers
                           if other not in ours)]
    row("entries", "problems", *columns)
    row(*["---"] * (2 + len(columns)))
    for name, least, most in SIZES:
        common = [runs for cells, runs in problems.values()
                  if least <= cells < most and len(runs) == len(solvers)]
        if not common:
            continue
        pairs = [column.split(" : ") for column in columns[len(solvers):]]
        ends = [[winner(runs[mine], runs[other]) for runs in common] for mine, other in pairs]
        row(name, len(common), *(f"{mean([runs[solver] for runs in common]):.4f}" for solver in solvers),
            *(f"{one.count(1)} : {one.count(-1)}" for one in ends))


if __name__ == "__main__":
    main()
