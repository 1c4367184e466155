# SPDX-License-Identifier: EPL-2.0
"""The parts of run.py. A part takes a Machine (run.py), has programs and peers solve, and yields rows for the files of lab/data,
each as (file, row). With `small` it does the same with problems that take a moment, which tests run."""

from __future__ import annotations

import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import Any

import data
import parts_cbc
import parts_checks
import parts_device
import parts_exact
import parts_files
import parts_layers
import parts_python
from data import each, rows_of_file, tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
LAB = data.ROOT / "lab"


# ---- dense problems -------------------------------------------------------------------------------------------------

SMALLER = ["1000x500", "2000x1000", "5000x2500", "10000x5000"]


def dense_rows(machine: Any, solver: str, groups: list[tuple[list[str], int]], *options: str, families: tuple[str, ...] = ("origin", "signed")) -> Rows:
    """bench_dense. A group has sizes and the number of repeats."""
    for sizes, repeats in [(["40x20"], 1)] if machine.small else groups:
        for family in families:
            told = machine.ask("bench_dense", "--engine", machine.engine, "--family", family, "--repeats", repeats, *options, *each("--size", sizes))
            for row in (row for table in tables(told) for row in table if row["status"] == "optimal"):
                rows, columns = row["rows x columns"].split(" x ")
                yield "dense.csv", {"family": family, "rows": rows, "columns": columns, "solver": solver, "seconds": row["seconds"],
                                    "limit": "", "iterations": "", "pivots": row["pivots"]}


def dense(machine: Any) -> Rows:
    yield from dense_rows(machine, "osi_cuda, auto", [(SMALLER, 5), (["20000x10000", "40000x20000"], 1)])
    yield from dense_rows(machine, "osi_cuda, barrier", [(SMALLER[:1], 5)], "--algorithm", "barrier")


PEERS = {"HiGHS simplex": "HiGHS, simplex", "HiGHS IPX": "HiGHS, interior point", "Clp dual": "Clp", "cuOpt barrier": "cuOpt, barrier",
         "cuOpt PDLP": "cuOpt, PDLP 1e-4", "MPAX": "MPAX, 1e-4"}


def dense_peer(machine: Any, name: str, title: str, family: str) -> list[tuple[str, Row]]:
    """A solver of lab/suite on problems of rising size, up to the first that it does not end."""
    sizes, limit = ([(40, 20)], 5.0) if machine.small else ([(1000, 500), (2000, 1000), (5000, 2500)], 60.0)
    found: list[tuple[str, Row]] = []
    try:
        from suite import families, peers, runs  # they need NumPy
        process = runs.Process(name, 1)
    except (ImportError, OSError, RuntimeError) as missing:
        print(f"not run: {name}: {missing}", file=sys.stderr)
        return found
    machine.about(f"{name.split()[0]} {process.version}")
    for rows, columns in sizes:
        settings = peers.Settings(limit, 1, 1e-4 if "1e-4" in title else None)
        seconds, _, _, answers = process.ask("single", (families.random_dense(family, rows, columns), []), settings, limit, False)
        stopped = answers[0].status == "limit" or seconds >= limit
        found.append(("dense.csv", {"family": family, "rows": rows, "columns": columns, "solver": title, "iterations": "", "pivots": "",
                                    "seconds": f"{limit:g}" if stopped else f"{seconds:.4g}", "limit": ">" if stopped else ""}))
        if stopped:
            break
    process.stop()
    return found


def dense_others(machine: Any) -> Rows:
    """The primal and the dual simplex method, and at the same time, on a core each, other solvers that are installed."""
    sys.path.insert(0, str(LAB))
    with concurrent.futures.ThreadPoolExecutor(2 * len(PEERS)) as pool:
        jobs = [pool.submit(dense_peer, machine, name, title, family) for name, title in PEERS.items() for family in ("origin", "signed")
                if not machine.small or name in ("HiGHS simplex", "Clp dual")]
        yield from dense_rows(machine, "osi_cuda, primal", [(SMALLER, 3), (["20000x10000", "40000x20000"], 1)], "--algorithm", "primal")
        yield from dense_rows(machine, "osi_cuda, dual", [(SMALLER, 3)], "--algorithm", "dual", families=("signed",))
        machine.note("run.py dense-others")
        for job in jobs:
            yield from job.result()


def small(machine: Any) -> Rows:
    machine.script("small_runs.py", "--rounds", 1 if machine.small else 4, machine.program("osi_small_report"), machine.out / "s.csv")
    yield from rows_of_file(machine.out / "s.csv", "small.csv")


def rounded(rate: str) -> str:
    """To four digits."""
    return f"{float(f'{float(rate):.4g}'):,.0f}"


def batches(machine: Any) -> Rows:
    """bench_batch; the peers of these rows stay those of the older ones, also among the suite's batches."""
    older = {row["problems"]: row for row in data.rows_of("batch-rates.csv")}
    for run in {row["run"]: data.run_of(row) for row in older.values()}.values():
        machine.about(run["about"] if run["about"].startswith("other solvers: ") else f"other solvers: {run['date']}, {run['about']}")
    for family in ("uniform", "signed"):
        more = ["--size", "5x5", "--count", 40] if machine.small else []
        for table in tables(machine.ask("bench_batch", "--engine", machine.engine, "--family", family, *more)):
            for row in table:
                peers = {title: older.get(row["problems"], {}).get(title, "") for title in ("HiGHS", "Clp, dual")}
                yield "batch-rates.csv", {"problems": row["problems"], "count": f"{int(row['count']):,}", "pivots": f"{float(row['pivots each']):.3g}",
                                          "kernels": rounded(row["device, a second"]), "arrays to arrays": rounded(row["a second"]), **peers,
                                          "times HiGHS": f"{int(row['a second']) / data.number(peers['HiGHS']):.0f}" if peers["HiGHS"] else ""}


def several(machine: Any, *words: Any) -> str:
    """several_devices.py."""
    dry = ["--dry-run"] if machine.small else []
    return machine.script("several_devices.py", *words, "--bin", machine.bin, *dry)


def gpus(machine: Any, *runs: tuple[str, ...]) -> Rows:
    """Seconds of a solve, problems and variants a second on one, two and four devices. Each run adds to the rows of those before it."""
    by: dict[str, Row] = collections.defaultdict(dict)
    for words in runs:
        for row in (row for table in tables(several(machine, *words)) for row in table):
            problem = re.sub(r"(\d)x(\d)", r"\1 x \2", row.get("rows x columns") or next(iter(row.values())))
            problem = re.sub(r"(\d+) problems of (.*)", lambda found: f"{found.group(2)}, {int(found.group(1)):,} problems", problem)
            problem = re.sub(r"variants of (.*)", r"\1, variants", problem)
            told = row.get("seconds") or f"{float(row['a second']):,.0f}"
            if data.number(told):
                by[f"{problem} `origin`, s" if "rows x columns" in row else f"{problem}, a second"][row["devices"]] = told
        for problem, found in by.items():
            first = data.number(found.get("1", ""))
            times = {count: "" if not first or count not in found else
                     f"{first / data.number(found[count]) if problem.endswith(', s') else data.number(found[count]) / first:.2f}" for count in ("2", "4")}
            yield "gpus.csv", {"problem": problem, "one": found.get("1", ""), "two": found.get("2", ""), "times": times["2"],
                               "four": found.get("4", ""), "times ": times["4"]}


def recovery(machine: Any) -> Rows:
    """A device that fails in the middle of a solve, and of a batch."""
    shares = iter(("20 %", "50 %", "80 %"))
    for row in (row for table in tables(several(machine, "recovery", "--counts", "4")) for row in table):
        work = (f"a program's barrier of 20000 x 10000, after {next(shares)}" if row["work"] == "barrier" else
                "a batch of 400,000 problems of 50 x 50 in one process, after 30 %")
        yield "recovery.csv", {"work": work, "devices": row["devices"], "fails after, s": row["the last one fails after, s"],
                               "answer": row["what the solver says"], "difference of objectives": row["difference of objectives"],
                               "seconds": row["seconds"], "undisturbed": row["of them undisturbed"]}


def memory(machine: Any, *large: str) -> Rows:
    """Seconds and memory of a solve beside what `osi-cuda info` predicts."""
    for size in ["60x30"] if machine.small else large or ("5000x2500", "10000x5000", "20000x10000", "40000x20000"):
        for row in (row for table in tables(several(machine, "barrier", "--counts", "1", "--sizes", size)) for row in table):
            if data.number(row["seconds"]):
                rows, columns = map(int, size.split("x"))
                yield "dense-memory.csv", {"rows x columns": f"{rows} x {columns}", "array, GB": f"{8e-9 * rows * columns:.3g}",
                                           "predicted, GB": row["first device predicted, GB"], "used, GB": row["used, GB"], "seconds": row["seconds"]}


def search_nodes(machine: Any) -> Rows:
    """Nodes a second of the own search for integers on one and on two devices."""
    models = {"knap:5x10": "knap 5 x 10"} if machine.small else {
        "knap:10x250": "knap 10 x 250", "knap:30x500": "knap 30 x 500", "knap:100x2000": "knap 100 x 2000",
        "cover:100x1000:0.2": "cover 100 x 1000, 20 %", "cover:300x8000:0.15": "cover 300 x 8000, 15 %"}
    runs = {devices: {row["model"]: row for row in tables(machine.script(
        "search_nodes.py", "--program", machine.program("osi-cuda"), "--engine", machine.engine, "--seconds", 1 if machine.small else 6, "--folder",
        machine.folder("models"), "--models", ",".join(models), *words, folder=LAB / "bench"))[0]}
            for devices, words in (("one", []), ("two", ["--devices", "0,0" if machine.small else "0,1"]))
            if machine.engine == "cuda" or devices == "one"}
    for model, title in models.items():
        one, two = runs["one"][model], runs.get("two", {}).get(model, {})
        rates = {what: data.number(one[what]) for what in ("LPs/s", "pivots/s")}
        yield "search-nodes.csv", {
            "model": title, "one GPU": f"{data.number(one['nodes/s']):,.0f}", "two GPUs": f"{data.number(two['nodes/s']):,.0f}" if two else "",
            "linear programs a second": f"{rates['LPs/s']:,.0f}", "pivots each": f"{rates['pivots/s'] / max(rates['LPs/s'], 1):.1f}"}


def random_variants(machine: Any) -> Rows:
    """Random variants beside single solves of each."""
    count = 500 if machine.small else 100000
    told = machine.script("random_variants.py", "--count", count, "--engine", machine.engine, "--processes", len(os.sched_getaffinity(0)))
    other, apart = re.search(r"than alone: (\d+); objectives at most (\S+) apart", told).groups()
    yield "small-batches.csv", {"what": "random variants of 400 problems", "number": f"{count:,}",
                                "result": f"{other} with another status than a single solve; objectives within {apart}"}


def farm(machine: Any) -> Rows:
    """Each kind of work beside the same with a worker killed."""
    titles = {"tasks": "tasks", "answers lost": "answers lost", "other bits": "other bits", "begun twice": "begun twice",
              "ended twice": "ended twice", "begun after the answer had come": "repeated after their answer had arrived"}
    for what, count in (("variants", 1_000_000), ("files", 10000), ("batch", 10000), ("regress", 10000)):
        told = machine.script("farm_runs.py", what, "--count", 40 if machine.small else count, "--program", machine.program("osi-cuda"))
        calm, killed = tables(told)[0]
        yield "farm.csv", {"work": what, **{title: killed[name] for name, title in titles.items()},
                           "seconds, undisturbed": calm["seconds"], "with the kill": killed["seconds"]}


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


def suite(machine: Any, *families: str, own: bool = False) -> Rows:
    """lab/suite: its families through every solver that is installed, or this one alone."""
    path = machine.out / "suite.csv"
    solvers = ["osi_cuda", "osi_cuda.estimators", "HiGHS simplex", "HiGHS IPX", "HiGHS IPX, crossover", "Clp dual", "Clp primal"]
    if machine.engine == "cuda":
        solvers = ["osi_cuda, GPU", "osi_cuda.estimators, GPU", *solvers[2:], "cuOpt barrier", "cuOpt PDLP", "cuOpt dual", "MPAX"]
    solvers = [name for name in solvers if name.startswith("osi_cuda")] if own else solvers
    limit, clock, problems = (10, "wall", []) if machine.engine == "cuda" else (20, "processor", [])  # as the older rows
    if machine.small:
        solvers, limit, problems = ["osi_cuda", "HiGHS simplex"], 2, ["--problem", "origin 500", "--table", "single"]
    machine.ask(sys.executable, "-m", "suite", "run", "--csv", path, "--limit", limit, "--clock", clock, "--machine", machine.name, "--commit", machine.commit,
                *problems, *each("--family", list(families)), *each("--solver", solvers), folder=LAB, environment=machine.python())
    yield from rows_of_file(path, "suite.csv")


FAMILIES = {"fits": ("quantile", "deviations", "chebyshev"), "signals": ("filters", "sparse-recovery", "machines", "trends"),
            "finance": ("portfolios", "games", "efficiency"), "networks": ("metabolism", "networks", "field", "traffic"),
            "dense": ("transport", "random")}
SUITE_KEY = ("table", "family", "problem", "machine", "solver", "asked")

# Name -> part, the columns by which a row replaces an older one, and the file of lab/data.
PARTS = {
    "dense": (dense, ("family", "rows", "solver"), "dense.csv"),
    "dense-others": (dense_others, ("family", "rows", "solver"), "dense.csv"),
    "memory": (memory, ("rows x columns",), "dense-memory.csv"),
    "memory-large": (lambda machine: memory(machine, "80000x40000"), ("rows x columns",), "dense-memory.csv"),
    "small": (small, ("density", "way"), "small.csv"),
    "batches": (batches, ("problems",), "batch-rates.csv"),
    "gpus": (lambda machine: gpus(machine, ("barrier", "--counts", "1,2,4", "--sizes", "60x30" if machine.small else "20000x10000,40000x20000")),
             ("problem",), "gpus.csv"),
    "gpus-rates": (lambda machine: gpus(machine, ("batches", "--counts", "1,2,4"), ("variants", "--counts", "1,2,4")), ("problem",), "gpus.csv"),
    "gpus-large": (lambda machine: gpus(machine, *(("barrier", "--counts", count, "--sizes", "60x30" if machine.small else "100000x50000")
                                                   for count in ("4", "2", "1"))), ("problem",), "gpus.csv"),
    "recovery": (recovery, ("work",), "recovery.csv"),
    "farm": (farm, ("work",), "farm.csv"),
    "search-nodes": (search_nodes, ("model",), "search-nodes.csv"),
    "random-variants": (random_variants, ("what",), "small-batches.csv"),
    "subsystems": (subsystems, ("problem",), "subsystems.csv"),
    "tall": (tall, ("problem",), "tall.csv"),
    "estimators": (estimators, ("fit",), "estimators.csv"),
    "estimators-device": (estimators, ("fit",), "estimators-h200.csv"),
    **parts_device.PARTS,
    **parts_files.PARTS,
    **parts_exact.PARTS,
    **parts_layers.PARTS,
    **parts_cbc.PARTS,
    **parts_checks.PARTS,
    **parts_python.PARTS,
    **{f"suite-{name}": (lambda machine, families=families: suite(machine, *families), SUITE_KEY, "suite.csv") for name, families in FAMILIES.items()},
    "suite-own": (lambda machine: suite(machine, *(name for families in FAMILIES.values() for name in families), own=True), SUITE_KEY, "suite.csv"),
}

# File -> the columns of its rows' keys; some parts write a second file.
KEYS = {file: key for _, key, file in PARTS.values()} | {"doors.csv": ("layer", "check")}

# Files of which a part that ended makes all rows: older ones go, whatever their keys.
WHOLE = ("enclosures.csv", "layer-times.csv", "neurons.csv", "pool.csv", "small.csv", "sparse.csv", "starts.csv",
         "stress-integers.csv", "tall.csv")

# Place -> its parts in the order in which they run, and the seconds of each. In no place, as they need hours, packages that are no peers
# (cobra, PyEPO, manylp, Dask), what a person prepares, or much memory: `flux`, `media`, `pyepo`, `farm`, `install`, `first-tasks`,
# `memory-large`, `stress-extreme` (of which `stress-large` has more), and the parts of the suite.
PLACES = {
    "host": {"stress": 570, "one-thread": 420, "exact": 330, "integers": 330, "sparse": 260, "resolves-host": 230, "doors-suites": 250,
             "exact-statuses": 150, "starts": 240, "stress-large": 200, "stress-integers": 150, "applications": 150, "hostile": 120,
             "sequences": 120, "cuts": 120, "estimators": 120, "subsystems": 110, "tall": 100, "ranging-peers": 90, "enclosures": 80, "readers": 60,
             "small": 60, "pool": 60, "neurons": 60, "layer-times": 50, "clients": 40, "doctor": 15},
    "device": {"dense": 75, "cards": 5, "batches": 50, "presolve": 25, "reading": 40, "device-arrays": 30, "barrier": 70, "resolves": 130,
               "searches": 120, "netlib": 120, "auto": 300, "auto-large": 480, "memory": 60, "random-variants": 25, "dense-others": 120,
               "device-code": 60, "estimators-device": 40, "hard-batch": 90},
    "devices": {"gpus-rates": 45, "gpus": 40, "search-nodes": 75, "gpus-large": 190, "recovery": 40},  # the last has a device fail
}
