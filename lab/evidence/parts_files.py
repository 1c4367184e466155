# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: collections of files through programs."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import re
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any

import auto_ways
import data
import makers
from data import rows_of_file

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]

# Exit statuses of `regress`: 4 as well, for the list leaves out the constant of e226's objective.
LISTED = (0, 1, 4)


def listed(machine: Any, group: str) -> pathlib.Path:
    """The reference list of a folder, of the files that are there: a bundle leaves out the largest."""
    with open(machine.data / group / "reference.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    paths = {row["name"]: machine.data / group / f"{row['name']}.mps.gz" for row in rows}
    for name in (name for name, path in paths.items() if not path.exists()):
        machine.about(f"without {name}")
    made = machine.out / f"{group}.csv"
    with open(made, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("file", "objective"), *((paths[row["name"]], row["objective"]) for row in rows if paths[row["name"]].exists())])
    return made


PEERS = {"clp": "Clp", "highs": "HiGHS"}
LIMITS = {"osi_cuda": 60, "peers": 20}  # seconds; what was not solved counts with its limit


def netlib(machine: Any) -> Rows:
    """`regress` of Netlib, its infeasible problems and Kennington's by the dual simplex method with presolve where `auto` chooses it, and
    by Clp and HiGHS with presolve."""
    few = ["--max-cells", "3000"] if machine.small else []
    older, kept, peers = {row["problem"]: row for row in data.rows_of("netlib-h200-presolve.csv")}, [], dict(PEERS)
    bridges = machine.ask("osi-cuda", "info")
    machine.commands.clear()  # it measures nothing
    for name in [name for name in peers if re.search(rf"^bridge +{name}: not usable", bridges, re.MULTILINE)]:
        machine.about(f"{peers[name]} is that of the older rows")
        kept.append(peers.pop(name))
    runs = {"osi_cuda": ["--with", "osi_cuda/dual", "--engine", machine.engine, *few]}
    if peers:
        machine.about(f"Clp and HiGHS are ended at {LIMITS['peers']} s, and count with that")
        own = "osi_cuda@host/dual"  # `regress` runs its primal and dual where no way of its own is named
        runs["peers"] = ["--with", ",".join([own, *peers]), "--peer-presolve", *few, "--jobs", max(1, len(os.sched_getaffinity(0)) // 2)]
    titles = [title for title in older[next(iter(older))] if title != "run"]
    for group in ("netlib",) if machine.small else ("netlib-infeasible", "netlib", "kennington"):
        found: dict[str, Row] = {}
        for name, options in runs.items():
            base = machine.out / f"{group}-{name}.sqlite"
            machine.ask("osi-cuda", "regress", listed(machine, group), "--database", base, *options, "--time-limit", LIMITS[name], status=LISTED)
            with sqlite3.connect(base) as database:
                for path, rows, columns, solver, right, pivots, seconds in database.execute(
                        "select instance, rows, columns, solver, verdict = 'agrees', iterations, seconds from runs order by id"):
                    title = peers.get(solver, name)
                    problem = pathlib.Path(path).name.partition(".")[0]
                    row = found.setdefault(problem, {"problem": problem, "rows": rows, "columns": columns})
                    row |= {f"{title} pivots": pivots, f"{title} seconds": f"{seconds:.4f}" if right else f"limit {LIMITS[name]}"}
        for problem, row in found.items():
            row |= {title: older.get(problem, {}).get(title, "") for title in titles if title.partition(" ")[0] in kept}
            yield "netlib-h200-presolve.csv", {title: row.get(title, "") for title in titles}


def barrier(machine: Any) -> Rows:
    """`regress` of Netlib by each method, limit 10 s: means as makers.py has them of other files."""
    base, most = machine.out / "barrier.sqlite", ["--max-cells", "3000"] if machine.small else []
    machine.ask("osi-cuda", "regress", listed(machine, "netlib"), "--database", base, "--with", "osi_cuda/all", "--engine",
                machine.engine, "--presolve", "off", *most, "--time-limit", 10, status=LISTED)
    with sqlite3.connect(base) as database:
        runs = database.execute("select algorithm, rows * columns, verdict = 'agrees' and proved, seconds from runs").fetchall()
    for title, least, most in makers.SIZES:
        mine = [run for run in runs if least <= run[1] < most]
        if not mine:
            continue
        seconds = {name: [took if right else 10.0 for way, _, right, took in mine if way == name] for name in ("barrier", "primal", "dual")}
        yield "barrier-h200.csv", {
            "entries": title, "problems": len(seconds["barrier"]), "right": sum(bool(right) for way, _, right, _ in mine if way == "barrier"),
            **{name: f"{makers.shifted_mean(took):.4f}" for name, took in seconds.items() if took}}


def presolve(machine: Any) -> Rows:
    """Whole solves with and without presolve."""
    for name in ["afiro"] if machine.small else [row["problem"] for row in data.rows_of("presolve-h200.csv")]:
        path, row = machine.data / "netlib" / f"{name}.mps.gz", {"problem": name}
        for choice, seconds, pivots in (("off", "seconds, off", "pivots, off"), ("on", "on", "on ")):
            told = json.loads(machine.ask("osi-cuda", "solve", path, "--engine", machine.engine, "--presolve", choice, "--json"))
            row |= {seconds: f"{told['seconds']['solve']:.3f}", pivots: told["iterations"]}
        yield "presolve-h200.csv", row


SETS = {"netlib": "Netlib", "kennington": "Kennington", "sparse": "sparse made"}  # folder -> its name on the pages


def models(machine: Any, *folders: str) -> list[pathlib.Path]:
    """Files of the test data; the smallest of each folder in small."""
    found = []
    for folder in folders:
        files = sorted((machine.data / folder).glob("*.mps.*z"), key=lambda path: path.stat().st_size)
        found += files[:2] if machine.small else files
    return found


def sparse(machine: Any) -> Rows:
    """One core, whole processes: made problems, and those of sparse.csv that are files."""
    only = ["--given", "--solver", "osi_cuda"] if machine.small else []
    wanted = {row["problem"] for row in data.rows_of("sparse.csv")}
    files = [path for path in models(machine, "kennington", "netlib") if machine.small or path.name.partition(".mps")[0] in wanted]
    machine.script("sparse_runs.py", "--limit", 15, *only, machine.program("osi-cuda"), "clp", machine.folder("made"), machine.out / "sp.csv", *files)
    yield from rows_of_file(machine.out / "sp.csv", "sparse.csv")


LARGE = 230_000  # bytes of a packed file, from which on it belongs to `auto-large`


def beside_auto(machine: Any, files: list[pathlib.Path], limit: int) -> Rows:
    """`auto` beside each single method and the peers, in the order of sizes. What the time did not suffice for is named."""
    machine.script("auto_ways.py", machine.program("osi-cuda"), machine.out / "au.csv", *files, "--limit", 1 if machine.small else limit, "--peers",
                   "--lanes", min(4, len(os.sched_getaffinity(0))), "--within", max(1, round(machine.left() - 110)))
    machine.about("other solvers side by side")
    rows = [row for row in auto_ways.medians(data.read(machine.out / "au.csv")) if row["status"] != "no answer"]  # a HiGHS without HiPO
    done = {row["problem"] for row in rows}
    if lacking := [name for name in (path.name.partition(".mps")[0] for path in files) if name not in done]:
        machine.about(f"without {', '.join(lacking)}")
    for row in rows:
        yield "auto-ways.csv", {**row, "set": SETS.get(row["set"], row["set"])}


def auto(machine: Any) -> Rows:
    yield from beside_auto(machine, [path for path in models(machine, "netlib", "kennington", "real") if path.stat().st_size < LARGE], 6)


def auto_large(machine: Any) -> Rows:
    """The larger files, and the problems that `sparse` makes."""
    import sparse_runs  # it needs NumPy and SciPy

    made = machine.folder("sparse")
    for name, make in list(sparse_runs.problems())[:1 if machine.small else None]:
        sparse_runs.write_mps(made / f"{name}.mps", *make())
    large = [] if machine.small else [path for path in models(machine, "netlib", "kennington", "real") if path.stat().st_size >= LARGE]
    yield from beside_auto(machine, [*sorted(made.iterdir()), *large], 10)


def doctor(machine: Any) -> Rows:
    for path in models(machine, "netlib")[:60]:
        told = json.loads(machine.ask("osi-cuda", "doctor", path, "--engine", "host", "--threads", 1, "--json", status=(0, 1)))
        yield "doctor-netlib.csv", {"problem": path.name.partition(".")[0], "status": told["status"], "condition": f"{told.get('condition') or 0:.1e}",
                                    "unique point": told.get("unique_point"), "unique duals": told.get("unique_duals"),
                                    "findings": "; ".join(f"{one['kind']}: {one['text']}" for one in told["findings"])}


def one_thread(machine: Any) -> Rows:
    """User seconds on one thread beside HiGHS and Clp."""
    files = [path for folder in ("netlib", "kennington", "real") for path in sorted((machine.data / folder).glob("*.mps*"))]
    machine.script("one_thread.py", machine.program("osi-cuda"), machine.out / "ot.csv", *(files[:2] if machine.small else files), "--jobs",
                   max(1, len(os.sched_getaffinity(0)) - 3), "--limit", 20, "--run", "one-thread", "--within", round(machine.left() - 30))
    for row in data.read(machine.out / "ot.csv"):
        yield "one-thread.csv", {**row, "set": SETS.get(row["set"], row["set"])}


def exact(machine: Any) -> Rows:
    """Bases of Clp, checked and where needed mended in rational arithmetic; Clp takes too long for the QAPs."""
    for path in (path for path in models(machine, "netlib") if not path.name.startswith("qap")):
        basis = machine.out / "clp.bas"
        machine.ask("cbc", path, "-presolve", "off", "-dualsimplex", "-basisO", basis, "-quit")
        told = json.loads(machine.ask("osi-cuda", "solve", path, "--basis-in", basis, "--presolve", "off", "--exact", "on", "--time-limit", 60,
                                      "--json", status=(0, 1, 2, 3, 4)))
        proof = told["exact"]
        yield "exact-netlib.csv", {"problem": path.name.partition(".")[0], "rows x columns": f"{told['rows']} x {told['columns']}",
                                   "solve, s": f"{told['seconds']['total'] - proof['seconds']:.2f}", "check, s": f"{proof['seconds']:.3f}",
                                   "digits of the denominator": len((proof.get("objective") or "").partition("/")[2]),
                                   "objective": proof.get("digits", ""),
                                   "verdict": "proved" if told["iterations"] == 0 and proof["proved"] else f"{told['iterations']} pivots"}


PARTS = {
    "netlib": (netlib, ("problem",), "netlib-h200-presolve.csv"),
    "barrier": (barrier, ("entries",), "barrier-h200.csv"),
    "presolve": (presolve, ("problem",), "presolve-h200.csv"),
    "sparse": (sparse, ("problem", "solver"), "sparse.csv"),
    "one-thread": (one_thread, ("set", "problem", "way"), "one-thread.csv"),
    "auto": (auto, ("set", "problem", "way"), "auto-ways.csv"),
    "auto-large": (auto_large, ("set", "problem", "way"), "auto-ways.csv"),
    "doctor": (doctor, ("problem",), "doctor-netlib.csv"),
    "exact": (exact, ("problem",), "exact-netlib.csv"),
}
