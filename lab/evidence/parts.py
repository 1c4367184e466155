# SPDX-License-Identifier: EPL-2.0
"""The parts of run.py. A part takes a Machine (run.py), has programs and peers solve, and yields rows for the files of lab/data,
each as (file, row). With `small` it does the same with problems that take a moment, which tests run."""

from __future__ import annotations

import collections
import csv
import json
import pathlib
import re
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any

import data
import makers
import parts_cbc
import parts_python
from data import each, rows_of_file, tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
LAB = data.ROOT / "lab"


# ---- dense problems -------------------------------------------------------------------------------------------------

def dense(machine: Any) -> Rows:
    """bench_dense: auto and primal, both families."""
    groups = [(["40x20"], 1)] if machine.small else [(["1000x500", "2000x1000", "5000x2500", "10000x5000"], 5), (["20000x10000", "40000x20000"], 1)]
    for family in ("origin", "signed"):
        for solver, options in (("osi_cuda, auto", []), ("osi_cuda, primal", ["--algorithm", "primal"])):
            for sizes, repeats in groups:
                told = machine.ask("bench_dense", "--engine", machine.engine, "--family", family, "--repeats", repeats, *options,
                                   *each("--size", sizes))
                for row in (row for table in tables(told) for row in table if row["status"] == "optimal"):
                    rows, columns = row["rows x columns"].split(" x ")
                    yield "dense.csv", {"family": family, "rows": rows, "columns": columns, "solver": solver, "seconds": row["seconds"],
                                        "limit": "", "iterations": "", "pivots": row["pivots"]}


PEERS = {"HiGHS simplex": "HiGHS, simplex", "HiGHS IPX": "HiGHS, interior point", "Clp dual": "Clp", "cuOpt barrier": "cuOpt, barrier",
         "cuOpt PDLP": "cuOpt, PDLP 1e-4", "MPAX": "MPAX, 1e-4"}


def dense_peers(machine: Any) -> Rows:
    """The same problems through the solvers of lab/suite that are installed, each in a process of its own."""
    sys.path.insert(0, str(LAB))
    from suite import families, peers, runs

    sizes = [(40, 20)] if machine.small else [(1000, 500), (2000, 1000), (5000, 2500)]
    limit = 5.0 if machine.small else 60.0
    machine.note("lab/evidence/run.py dense-peers")
    for name, title in PEERS.items():
        if machine.small and name not in ("HiGHS simplex", "Clp dual"):
            continue
        try:
            process = runs.Process(name, 1)
        except (ImportError, OSError, RuntimeError) as missing:
            print(f"not run: {name}: {missing}", file=sys.stderr)
            continue
        machine.about(f"{name.split()[0]} {process.version}")
        for family in ("origin", "signed"):
            for rows, columns in sizes:
                settings = peers.Settings(limit, 1, 1e-4 if "1e-4" in title else None)
                seconds, _, _, answers = process.ask("single", (families.random_dense(family, rows, columns), []), settings, limit, False)
                stopped = answers[0].status == "limit" or seconds >= limit
                yield "dense.csv", {"family": family, "rows": rows, "columns": columns, "solver": title, "seconds": f"{seconds:.4g}",
                                    "limit": "60" if stopped else "", "iterations": "", "pivots": ""}
                if stopped:
                    break
        process.stop()


def small(machine: Any) -> Rows:
    machine.script("small_runs.py", "--rounds", 1 if machine.small else 4, machine.program("osi_small_report"), machine.out / "s.csv")
    yield from rows_of_file(machine.out / "s.csv", "small.csv")


def batches(machine: Any) -> Rows:
    """bench_batch; the peers of these rows are the suite's batches."""
    for family in ("uniform", "signed"):
        more = ["--size", "5x5", "--count", 40] if machine.small else []
        for table in tables(machine.ask("bench_batch", "--engine", machine.engine, "--family", family, *more)):
            for row in table:
                yield "batch-rates.csv", {"problems": row["problems"], "count": f"{int(row['count']):,}", "pivots": row["pivots each"],
                                          "kernels": f"{int(row['device, a second']):,}", "arrays to arrays": f"{int(row['a second']):,}",
                                          "HiGHS": "", "Clp, dual": "", "times HiGHS": ""}


def gpus(machine: Any) -> Rows:
    """several_devices.py: seconds of a solve, problems and variants a second on one, two and four devices."""
    if machine.small:
        told = machine.script("several_devices.py", "batches", "barrier", "--bin", machine.bin, "--counts", "1,2", "--dry-run")
    else:
        told = machine.script("several_devices.py", "batches", "variants", "barrier", "--bin", machine.bin, "--counts", "1,2,4",
                              "--sizes", "20000x10000,40000x20000,100000x50000")
    for table in tables(told):
        by: dict[str, Row] = collections.defaultdict(dict)
        for row in table:
            problem = re.sub(r"(\d)x(\d)", r"\1 x \2", row.get("rows x columns") or next(iter(row.values())))
            problem = re.sub(r"(\d+) problems of (.*)", lambda found: f"{found.group(2)}, {int(found.group(1)):,} problems", problem)
            problem = re.sub(r"variants of (.*)", r"\1, variants", problem)
            by[f"{problem} `origin`, s" if "rows x columns" in row else f"{problem}, a second"][row["devices"]] = row.get("seconds") or row["a second"]
        for problem, found in by.items():
            one, two = data.number(found.get("1", "")), data.number(found.get("2", ""))
            times = "" if not one or not two else f"{one / two if problem.endswith(', s') else two / one:.2f}"
            yield "gpus.csv", {"problem": problem, "one": found.get("1", ""), "two": found.get("2", ""), "four": found.get("4", ""),
                               "times": times, "target": ""}


def cards(machine: Any) -> Rows:
    """bench_cards: a solve on this device, and what its counters would take on other cards."""
    size = "40x20" if machine.small else "5000x2500"
    told = machine.ask("bench_dense", "--engine", machine.engine, "--algorithm", "barrier", "--size", size, "--repeats", 9)
    counts = {stage: count for stage, count in re.findall(r"^\|  (.+?): (\d+) pivots", told, re.M)}
    iterations = counts.pop("barrier", 1)
    predicted = machine.ask("bench_cards", "--size", size, "--iterations", iterations, "--pivots", sum(map(int, counts.values())))
    for row in csv.DictReader(predicted.splitlines()):
        mine = f"(NVIDIA {row['card']})" in told
        yield "cards.csv", {**row, "measured, s": tables(told)[0][0]["seconds"] if mine else ""}


def farm(machine: Any) -> Rows:
    """Each kind of work beside the same with a worker killed."""
    titles = {"tasks": "tasks", "answers lost": "answers lost", "other bits": "other bits", "begun twice": "begun twice",
              "ended twice": "ended twice", "begun after the answer had come": "repeated after their answer had arrived"}
    for what, count in (("variants", 1_000_000), ("files", 10000), ("batch", 10000), ("regress", 10000)):
        told = machine.script("farm_runs.py", what, "--count", 40 if machine.small else count, "--program", machine.program("osi-cuda"))
        calm, killed = tables(told)[0]
        yield "farm.csv", {"work": what, **{title: killed[name] for name, title in titles.items()},
                           "seconds, undisturbed": calm["seconds"], "with the kill": killed["seconds"]}


# ---- collections of files -------------------------------------------------------------------------------------------

def netlib(machine: Any) -> Rows:
    """`regress` of Netlib, its infeasible problems and Kennington's, with and without presolve and by Clp and HiGHS."""
    found: dict[str, Row] = {}
    groups = ("netlib",) if machine.small else ("netlib", "netlib-infeasible", "kennington")
    most = ["--max-cells", "3000"] if machine.small else ["--max-cells", "1e8"]
    runs = {"off": ["--with", "osi_cuda/dual", "--engine", machine.engine, "--presolve", "off", *most, "--time-limit", "20"],
            "on": ["--with", "osi_cuda/dual", "--engine", machine.engine, "--presolve", "on", *most, "--time-limit", "20"],
            "peers": ["--with", "clp" if machine.small else "clp,highs", "--peer-presolve", *most, "--time-limit", "20"]}
    for name, options in runs.items():
        base = machine.out / f"{name}.sqlite"
        for group in groups:
            machine.ask("osi-cuda", "regress", machine.data / group / "reference.csv", "--database", base, *options, status=(0, 1))
        with sqlite3.connect(base) as database:
            for problem, rows, columns, solver, right, pivots, seconds in database.execute(
                    "select instance, rows, columns, solver, verdict = 'agrees', iterations, seconds from runs order by id"):
                title = {"clp": "Clp", "highs": "HiGHS"}.get(solver, name)
                row = found.setdefault(problem, {"problem": problem, "rows": rows, "columns": columns})
                row |= {f"{title} pivots": pivots, f"{title} seconds": f"{seconds:.4f}" if right else "limit"}
    for row in found.values():
        yield "netlib-h200-presolve.csv", {title: row.get(title, "") for title in data.rows_of("netlib-h200-presolve.csv")[0] if title != "run"}


def barrier(machine: Any) -> Rows:
    """`regress` of Netlib by each method, limit 10 s: means as makers.py has them of other files."""
    base, most = machine.out / "barrier.sqlite", ["--max-cells", "3000"] if machine.small else []
    machine.ask("osi-cuda", "regress", machine.data / "netlib/reference.csv", "--database", base, "--with", "osi_cuda/all", "--engine",
                machine.engine, "--presolve", "off", *most, "--time-limit", 10, status=(0, 1))
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


def models(machine: Any, *folders: str) -> list[pathlib.Path]:
    """Files of the test data; the smallest of each folder in small."""
    found = []
    for folder in folders:
        files = sorted((machine.data / folder).glob("*.mps.gz"), key=lambda path: path.stat().st_size)
        found += files[:2] if machine.small else files
    return found


def sparse(machine: Any) -> Rows:
    """One core, whole processes."""
    only = ["--given", "--solver", "osi_cuda"] if machine.small else []
    machine.script("sparse_runs.py", "--limit", 15, *only, machine.program("osi-cuda"), "clp", machine.folder("made"), machine.out / "sp.csv",
                   *models(machine, "kennington"), *models(machine, "netlib"))
    yield from rows_of_file(machine.out / "sp.csv", "sparse.csv")


def auto(machine: Any) -> Rows:
    files = models(machine, "netlib", "kennington", "real")
    machine.script("auto_ways.py", machine.program("osi-cuda"), machine.out / "au.csv", *files, "--limit", 8, "--ways", "auto")
    yield from rows_of_file(machine.out / "au.csv", "auto-before-after.csv")


def doctor(machine: Any) -> Rows:
    for path in models(machine, "netlib")[:60]:
        told = json.loads(machine.ask("osi-cuda", "doctor", path, "--engine", "host", "--threads", 1, "--json", status=(0, 1)))
        yield "doctor-netlib.csv", {"problem": path.name.partition(".")[0], "status": told["status"], "condition": f"{told.get('condition') or 0:.1e}",
                                    "unique point": told.get("unique_point"), "unique duals": told.get("unique_duals"),
                                    "findings": "; ".join(f"{one['kind']}: {one['text']}" for one in told["findings"])}


def exact(machine: Any) -> Rows:
    """Bases of Clp, checked and where needed mended in rational arithmetic."""
    for path in models(machine, "netlib"):
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


# ---- analyses and Python --------------------------------------------------------------------------------------------

def subsystems(machine: Any) -> Rows:
    """Infeasible subsystems beside HiGHS."""
    told = machine.script("iis_peers.py", machine.program("osi-cuda"), folder=data.ROOT / "tests/analysis", status=(0, 77))
    for version in set(re.findall(r"^HiGHS [\d.]+$", told, re.MULTILINE)):
        machine.about(version)
    for row in (row for table in tables(told) for row in table):
        problem, size, members, solves, seconds, *peers = row.values()
        peers += ["not run"] * (4 - len(peers))
        yield "subsystems.csv", dict(zip(data.rows_of("subsystems.csv")[0], (problem, size, members, solves, seconds, *peers)))


def tall(machine: Any) -> Rows:
    more = ["--only", "matrix game, 200", "--repeat", 1] if machine.small else []
    machine.script("tall_problems.py", *more, "--csv", machine.out / "ta.csv")
    yield from rows_of_file(machine.out / "ta.csv", "tall.csv")


def estimators(machine: Any) -> Rows:
    device = machine.engine == "cuda"
    machine.script("estimators.py", machine.out / "es.csv", *(["--device"] if device else []))
    yield from rows_of_file(machine.out / "es.csv", "estimators-h200.csv" if device else "estimators.csv")


def suite(machine: Any, *families: str) -> Rows:
    """lab/suite: its families through every solver that is installed."""
    path = machine.out / "suite.csv"
    solvers = ["osi_cuda", "osi_cuda.estimators", "HiGHS simplex", "HiGHS IPX", "HiGHS IPX, crossover", "Clp dual", "Clp primal"]
    if machine.engine == "cuda":
        solvers = ["osi_cuda, GPU", "osi_cuda.estimators, GPU", *solvers[2:], "cuOpt barrier", "cuOpt PDLP", "cuOpt dual", "MPAX"]
    limit, clock, problems = (10, "wall", []) if machine.engine == "cuda" else (20, "processor", [])  # as the older rows
    if machine.small:
        solvers, limit, problems = ["osi_cuda", "HiGHS simplex"], 2, ["--problem", "origin 500", "--table", "single"]
    machine.ask(sys.executable, "-m", "suite", "run", "--csv", path, "--limit", limit, "--clock", clock, "--machine", machine.name, "--commit", machine.commit,
                *problems, *each("--family", list(families)), *each("--solver", solvers), folder=LAB, environment=machine.python())
    yield from rows_of_file(path, "suite.csv")


# Name -> part, the columns by which a row replaces an older one, and the file of lab/data (estimators have one more for a device).
PARTS = {
    "dense": (dense, ("family", "rows", "solver"), "dense.csv"),
    "dense-peers": (dense_peers, ("family", "rows", "solver"), "dense.csv"),
    "small": (small, ("density", "way"), "small.csv"),
    "batches": (batches, ("problems",), "batch-rates.csv"),
    "gpus": (gpus, ("problem",), "gpus.csv"),
    "cards": (cards, ("card",), "cards.csv"),
    "farm": (farm, ("work",), "farm.csv"),
    "netlib": (netlib, ("problem",), "netlib-h200-presolve.csv"),
    "barrier": (barrier, ("entries",), "barrier-h200.csv"),
    "presolve": (presolve, ("problem",), "presolve-h200.csv"),
    "sparse": (sparse, ("problem", "solver"), "sparse.csv"),
    "auto": (auto, ("problem", "way"), "auto-before-after.csv"),
    "doctor": (doctor, ("problem",), "doctor-netlib.csv"),
    "exact": (exact, ("problem",), "exact-netlib.csv"),
    "resolves": (parts_cbc.resolves, ("log", "side", "threads", "problem"), "resolves.csv"),
    "searches": (parts_cbc.searches, ("log", "side", "threads", "problem"), "resolves.csv"),
    "resolves-host": (parts_cbc.resolves_host, ("problem",), "resolves-host.csv"),
    "integers": (parts_cbc.integers, ("problem",), "integers.csv"),
    "cuts": (parts_cbc.cuts, ("problem", "seed", "mix"), "cut-generators.csv"),
    "stress": (parts_cbc.stress, ("kind",), "stress.csv"),
    "stress-extreme": (parts_cbc.stress_extreme, ("way",), "stress-extreme.csv"),
    "stress-large": (parts_cbc.stress_large, ("way",), "stress-large.csv"),
    "stress-integers": (parts_cbc.stress_integers, ("commit, interfaces",), "stress-integers.csv"),
    "subsystems": (subsystems, ("problem",), "subsystems.csv"),
    "tall": (tall, ("problem",), "tall.csv"),
    "estimators": (estimators, ("fit",), "estimators.csv"),
    **parts_python.PARTS,
    **{f"suite-{name}": (lambda machine, families=families: suite(machine, *families),
                         ("table", "family", "problem", "machine", "solver", "asked"), "suite.csv")
       for name, families in (("fits", ("quantile", "deviations", "chebyshev")), ("signals", ("filters", "sparse-recovery", "machines", "trends")),
                              ("finance", ("portfolios", "games", "efficiency")), ("networks", ("metabolism", "networks", "field", "traffic")),
                              ("dense", ("transport", "random")))},
}
