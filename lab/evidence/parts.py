# SPDX-License-Identifier: EPL-2.0
"""The parts of run.py. A part takes a Machine (run.py), has programs and peers solve, and yields rows for the files of lab/data,
each as (file, row). With `small` it does the same with problems that take a moment, which tests run."""

from __future__ import annotations

import collections
import csv
import json
import os
import pathlib
import re
import resource
import sqlite3
import statistics
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import data
import resolve_tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
LAB = data.ROOT / "lab"


def tables(text: str) -> list[list[Row]]:
    """The Markdown tables of a text, a dictionary for each row; a title that comes again gets a blank behind it."""
    found: list[list[Row]] = []
    titles: list[str] | None = None
    for line in text.splitlines():
        if not line.startswith("|"):
            titles = None
            continue
        cells = [cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|")]
        if titles is None:
            titles = []
            for cell in cells:
                titles.append(cell + " " * titles.count(cell))
            found.append([])
        elif not re.fullmatch(r":?-+:?", cells[0]) and len(cells) == len(titles):
            found[-1].append(dict(zip(titles, cells)))
    return found


def each(option: str, values: list[str]) -> list[str]:
    return [word for value in values for word in (option, value)]


def rows_of_file(path: pathlib.Path, name: str) -> Rows:
    for row in data.read(path):
        yield name, row


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
            problem = row.get("rows x columns") or next(iter(row.values()))
            by[f"{problem} `origin`, s" if "rows x columns" in row else f"{problem}, a second"][row["devices"]] = row.get("seconds") or row["a second"]
        for problem, found in by.items():
            one, two = data.number(found.get("1", "")), data.number(found.get("2", ""))
            times = "" if not one or not two else f"{one / two if problem.endswith(', s') else two / one:.2f}"
            yield "gpus.csv", {"problem": problem, "one": found.get("1", ""), "two": found.get("2", ""), "four": found.get("4", ""),
                               "times": times, "target": ""}


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
                                    "findings": "; ".join(f"{one.get('kind', '')}: {one.get('message', '')}" for one in told["findings"])}


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


# ---- Cbc ------------------------------------------------------------------------------------------------------------

DENSE_MIPS = ["knapsack:100x2000:1", "knapsack:500x2000:1", "cover:500x5000:10:1", "cover:200x20000:5:1", "assign:100x50:100:1", "lots:60x24:1"]
SPARSE_MIPS = ["gesa2", "p2756", "fixnet6", "harp2", "arki001", "mod011"]


def resolves(machine: Any) -> Rows:
    """Re-solves of each side, searches to a gap on each engine; the first problem opens the device and does not count."""
    files = [machine.data / "miplib3" / f"{name}.mps.gz" for name in SPARSE_MIPS]
    problems, seconds = ([machine.data / "miplib3/rgn.mps.gz"], 1) if machine.small else ([*files, *DENSE_MIPS], 8)
    for side in ("cuda", "auto", "host", "clp"):
        options = ["--only", "clp"] if side == "clp" else ["--only", "cuda", "--option", "engine", machine.engine if side == "cuda" else side]
        told = machine.ask("osi_resolve_report", "--calls", "--seconds", seconds, *options, "knapsack:500x500:1", *problems)
        path = machine.out / f"{'rate' if side in ('cuda', 'clp') else 'sides'}-{side}.txt"
        path.write_text(told, encoding="utf-8")
        for row in resolve_tables.searches(path):
            yield "resolves.csv", row
            if side == "cuda":  # it is one of the three engines that are compared, too
                yield "resolves.csv", {**row, "log": "sides"}


def resolves_host(machine: Any) -> Rows:
    """The median of five seeds for each problem, by processor seconds."""
    names = ["rgn"] if machine.small else ["rgn", "bell5", "stein45", "misc03", "misc07", "p0282", "vpm2", "khb05250", "dcmulti", "l152lav",
                                           "harp2", *SPARSE_MIPS[:3], "arki001", "mod011"]
    for name in dict.fromkeys(names):
        found = collections.defaultdict(list)
        for seed in range(1, 2 if machine.small else 6):
            told = machine.ask("osi_resolve_report", "--processor", "--seconds", 1 if machine.small else 2, "--option", "engine", "host",
                               "--option", "threads", 1, "--option", "seed", seed, machine.data / "miplib3" / f"{name}.mps.gz")
            for line in told.splitlines():
                if match := resolve_tables.ROW.match(line):
                    side = line[match.end(3):].split()[0]
                    size = f"{match.group(2)} x {match.group(3)}"
                    found[f"{side} whole"].append(float(match.group(4)))
                    found[f"{side} inside"].append(float(match.group(5)))
                    found[f"{side} pivots"].append(float(match.group(8)))
        mid = {key: statistics.median(values) for key, values in found.items()}
        yield "resolves-host.csv", {
            "problem": name, "size": size, "OsiCuda, a second": f"{mid['cuda whole']:.0f}", "pivots a solve": f"{mid['cuda pivots']:.1f}",
            "OsiClp, a second": f"{mid['clp whole']:.0f}", "pivots a solve ": f"{mid['clp pivots']:.1f}",
            "ratio": f"{mid['cuda whole'] / mid['clp whole']:.2f}", "in solves alone": f"{mid['cuda inside'] / mid['clp inside']:.2f}"}


def timed(machine: Any, *words: Any, status: tuple[int, ...] = (0, 1, 2, 3, 4)) -> tuple[float, str]:
    """Processor seconds of a program, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = machine.ask(*words, status=status)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, told


SAMPLES = (pathlib.Path("/usr/share/coin/Data/miplib3"), pathlib.Path("/usr/share/coin/Data/Sample"))  # of Debian


def integers(machine: Any) -> Rows:
    """cbc and `--integers` on the problems of integers.csv, one after the other."""
    names = [row["problem"] for row in data.rows_of("integers.csv")]
    for name in names[:2] if machine.small else names:
        path = next(filter(pathlib.Path.exists, (place / f"{name}{end}" for place in (machine.data / "miplib3", *SAMPLES) for end in (".mps.gz", ".mps"))), None)
        if path is None:
            print(f"not run: {name}: no such file", file=sys.stderr)
            continue
        cbc, told = timed(machine, "cbc", path, "-seconds", 60, "-solve")
        own, answer = timed(machine, "osi-cuda", "solve", path, "--integers", "--engine", "host", "--threads", 1, "--time-limit", 60, "--json")
        found, nodes = json.loads(answer), re.search(r"Enumerated nodes: +(\d+)", told)
        search = found["search"]
        gap = search.get("gap")
        yield "integers.csv", {
            "problem": name, "optimum": f"{found['objective']:.10g}", "cbc seconds": f"{cbc:.2f}", "cbc nodes": nodes.group(1) if nodes else "0",
            "osi-cuda seconds": f"{own:.2f}", "osi-cuda nodes": search.get("nodes", 0),
            "proof of the bound": "tolerance" if search.get("bound_proved") else "none", "proof of the point": search.get("point_proof", ""),
            "gap at the limit": f"{100 * gap:.2g} %" if gap and found["status"] != "optimal" else ""}


def cuts(machine: Any) -> Rows:
    """Mixes of cut generators on dense rows."""
    problems = ["knapsack:5x10:1"] if machine.small else [
        f"{name}:{seed}" for name in ("knapsack:5x60", "knapsack:10x40", "knapsack:20x40", "cover:100x1000:10", "cover:150x1500:10") for seed in (1, 2)]
    wanted = {row["mix"] for row in data.rows_of("cut-generators.csv")}
    told = machine.ask("osi_cuts_report", "--seconds", 1 if machine.small else 10, *problems)
    for row in csv.DictReader(line for line in told.splitlines() if "," in line):
        if not row["generator"] and row["mix"] in wanted:
            problem, _, seed = row["problem"].rpartition(":")
            yield "cut-generators.csv", {"problem": problem, "seed": seed, "mix": row["mix"], "seconds": row["seconds"],
                                         "lp seconds": row["lp_seconds"], "linear programs": row["lps"], "nodes": row["nodes"],
                                         "proved": row["proved"], "best": row["best"]}


# ---- reliability ----------------------------------------------------------------------------------------------------

def stress(machine: Any) -> Rows:
    """The set of hard problems by kind."""
    page = machine.out / "stress.md"
    page.write_text("<!-- stress set -->\n<!-- end of stress set -->\n", encoding="utf-8")
    more = ["--kind", "scale4", "--constructed", 1, "--seeds", "1-1", "--peers", "clp"] if machine.small else [
        "--set", "all", "--engine", "tableau,factors", "--max-cells", 60000, "--constructed", 20, "--solves", 20000, "--time-limit", 10]
    machine.ask("stress", *more, "--jobs", os.cpu_count(), "--document", page)
    for row in tables(page.read_text(encoding="utf-8"))[0]:
        yield "stress.csv", row


def stress_extreme(machine: Any) -> Rows:
    """Extreme numbers in every way of solving."""
    more = ["--constructed", 1, "--seeds", "1-1"] if machine.small else ["--constructed", 100, "--solves", 30000]
    path = machine.out / "claims.csv"
    machine.ask("stress", "--kind", "magnitudes,cancelling,chains,hidden-costs,nearly-flat", *more, "--way", "all", "--peers", ",",
                "--jobs", os.cpu_count(), "--csv", path)
    by: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for row in data.read(path):
        place, algorithm, _ = row["engine/algorithm/pricing"].split("/")
        by[algorithm if place in ("host", "cuda", "tableau", "factors") else place][row["verdict"] if row["status"] != "numerical" else "numerical"] += 1
    for way, counts in by.items():
        yield "stress-extreme.csv", {"way": way, "solves": sum(counts.values()), "false": counts["false"], "no status": counts["numerical"]}


def stress_integers(machine: Any) -> Rows:
    """Small problems with integer columns through every interface."""
    told = machine.ask("stress", "--set", "integers", "--solves", 30 if machine.small else 20000, "--seed", 1, "--jobs", os.cpu_count(),
                       "--interface", "library,c,osi,cbc")
    for row in tables(told)[-1]:
        yield "stress-integers.csv", {"commit, interfaces": f"{machine.commit}, {row['interface']}", "problems": row["problems"],
                                      "solves": row["solves"], "false": row["false"], "crashes": row["crashes"]}


# ---- analyses and Python --------------------------------------------------------------------------------------------

def subsystems(machine: Any) -> Rows:
    """Infeasible subsystems beside HiGHS."""
    told = machine.script("iis_peers.py", machine.program("osi-cuda"), folder=data.ROOT / "tests/analysis", status=(0, 77))
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
    limit, problems = 10, []
    if machine.small:
        solvers, limit, problems = ["osi_cuda", "HiGHS simplex"], 2, ["--problem", "origin 500", "--table", "single"]
    machine.ask(sys.executable, "-m", "suite", "run", "--csv", path, "--limit", limit, "--machine", machine.name, "--commit", machine.commit,
                *problems, *each("--family", list(families)), *each("--solver", solvers), folder=LAB, environment=machine.python())
    yield from rows_of_file(path, "suite.csv")


# Name -> part, and the columns by which a row replaces an older one.
PARTS = {
    "dense": (dense, ("family", "rows", "solver")),
    "dense-peers": (dense_peers, ("family", "rows", "solver")),
    "small": (small, ("density", "way")),
    "batches": (batches, ("problems",)),
    "gpus": (gpus, ("problem",)),
    "farm": (farm, ("work",)),
    "netlib": (netlib, ("problem",)),
    "sparse": (sparse, ("problem", "solver")),
    "auto": (auto, ("problem", "way")),
    "doctor": (doctor, ("problem",)),
    "exact": (exact, ("problem",)),
    "resolves": (resolves, ("log", "side", "threads", "problem")),
    "resolves-host": (resolves_host, ("problem",)),
    "integers": (integers, ("problem",)),
    "cuts": (cuts, ("problem", "seed", "mix")),
    "stress": (stress, ("kind",)),
    "stress-extreme": (stress_extreme, ("way",)),
    "stress-integers": (stress_integers, ("commit, interfaces",)),
    "subsystems": (subsystems, ("problem",)),
    "tall": (tall, ("problem",)),
    "estimators": (estimators, ("fit",)),
    **{f"suite-{name}": (lambda machine, families=families: suite(machine, *families), ("table", "family", "problem", "machine", "solver", "asked"))
       for name, families in (("fits", ("quantile", "deviations", "chebyshev")), ("signals", ("filters", "sparse-recovery", "machines", "trends")),
                              ("finance", ("portfolios", "games", "efficiency")), ("networks", ("metabolism", "networks", "field", "traffic")),
                              ("dense", ("transport", "random")))},
}
