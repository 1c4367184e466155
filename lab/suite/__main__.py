# SPDX-License-Identifier: EPL-2.0
"""The command line: runs, references, files."""

from __future__ import annotations

import argparse
import csv
import datetime
import pathlib
import platform
import subprocess
import sys

from . import runs
from .families import FAMILIES
from .peers import SOLVERS, Settings

TABLES = ("single", "resolve", "variants", "batch")


def commit() -> str:
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=pathlib.Path(__file__).parent,
                           capture_output=True, text=True)
    return found.stdout.strip() or "not recorded"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python3 -m suite", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    list_ = commands.add_parser("list", help="families, problems and solvers")
    run = commands.add_parser("run", help="solve; lines are appended to a CSV file, what is there is not run again")
    run.add_argument("--csv", default="results.csv")
    run.add_argument("--solver", action="append", choices=SOLVERS, help="any number of times [all that are no GPU's]")
    run.add_argument("--limit", type=float, default=20.0, help="seconds of a solve, or of a series [20]")
    run.add_argument("--threads", type=int, default=1, help="of each solver [1]")
    run.add_argument("--clock", choices=("wall", "processor"), default="wall", help="what counts [wall]")
    run.add_argument("--machine", default=platform.node(), help="its name in the results")
    run.add_argument("--problems", help="a file of `save` in place of the packages with the data")
    run.add_argument("--commit", default=commit(), help="of this project")
    reference = commands.add_parser("reference", help="write reference.csv: checksums and optimal values")
    save = commands.add_parser("save", help="keep the problems in a file, for machines without the packages")
    save.add_argument("file")
    write = commands.add_parser("write", help="write the single problems as MPS files, by osi_cuda")
    write.add_argument("folder", type=pathlib.Path)
    for command in (run, reference, save, write, list_):
        command.add_argument("--family", action="append", choices=FAMILIES, help="any number of times [all]")
        command.add_argument("--problem", action="append", help="only those with this in their names; any number of times")
    for command in (run, reference, save, list_):
        command.add_argument("--table", action="append", choices=TABLES, help="any number of times [all]")
    chosen = parser.parse_args()
    chosen.problem = chosen.problem or [""]
    families, tables = chosen.family or list(FAMILIES), getattr(chosen, "table", None) or list(TABLES)
    if chosen.command == "list":
        for table, family, name, work in runs.works(tables, families, chosen.problem):
            problems = runs.lps(table, work)
            print(table, family, name, *problems[0].A.shape, problems[0].nonzeros, len(problems), sep="  ")
        print("solvers:", *SOLVERS, sep="\n    ")
    elif chosen.command == "reference":
        runs.write_references(tables, families, chosen.problem)
    elif chosen.command == "save":
        runs.save(chosen.file, tables, families, chosen.problem)
    elif chosen.command == "write":
        import osi_cuda

        chosen.folder.mkdir(parents=True, exist_ok=True)
        with open(chosen.folder / "checksums.csv", "w", newline="", encoding="utf-8") as sums:
            table = csv.writer(sums, lineterminator="\n")
            for _, family, name, (lp, _) in runs.works(["single"], families, chosen.problem):
                path = chosen.folder / ("".join(c if c.isalnum() else "_" for c in f"{family} {name}") + ".mps")
                osi_cuda.Problem(lp.c, lp.A, lp.row_lower, lp.row_upper, lp.lower, lp.upper).write(path)
                table.writerow([path.name, lp.checksum()])
    else:
        about = {"machine": chosen.machine, "date": f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
                 "commit": chosen.commit, "clock": chosen.clock}
        names = chosen.solver or [name for name, solver in SOLVERS.items() if not solver.device]
        runs.run(chosen.csv, tables, families, names, Settings(chosen.limit, chosen.threads), about, chosen.problem,
                 chosen.problems)
    return 0


if __name__ == "__main__":
    sys.exit(main())
