# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: searches by Cbc."""

from __future__ import annotations

import collections
import concurrent.futures
import csv
import json
import pathlib
import re
import resource
import statistics
import sys
from collections.abc import Iterator
from typing import Any

import data
import resolve_tables
from data import tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]

# ---- Cbc ------------------------------------------------------------------------------------------------------------

DENSE_MIPS = ["knapsack:100x2000:1", "knapsack:500x2000:1", "cover:500x5000:10:1", "cover:200x20000:5:1", "assign:100x50:100:1", "lots:60x24:1"]
# The first problem, which opens the device and does not count.
OPENS = {"cuda": ["knapsack:500x500:1"], "auto": ["knapsack:500x500:1"], "host": [], "clp": []}
SPARSE_MIPS = ["gesa2", "p2756", "fixnet6", "harp2", "arki001", "mod011"]


def resolves(machine: Any) -> Rows:
    """Re-solves of each side, of OsiClp beside the others on a core of its own; the first problem opens the device and does not count."""
    files = [machine.data / "miplib3" / f"{name}.mps.gz" for name in SPARSE_MIPS]
    problems, seconds = ([machine.data / "miplib3/rgn.mps.gz"], 1) if machine.small else ([*files, *DENSE_MIPS], 3)

    def run(side: str) -> pathlib.Path:
        options = ["--only", "clp"] if side == "clp" else ["--only", "cuda", "--option", "engine", machine.engine if side == "cuda" else side]
        path: pathlib.Path = machine.out / f"{'rate' if side in ('cuda', 'clp') else 'sides'}-{side}.txt"
        path.write_text(machine.ask("osi_resolve_report", "--calls", "--seconds", seconds, *options, *OPENS[side], *problems), encoding="utf-8")
        return path

    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        machine.about("OsiClp at the same time on a core of its own")
        clp = beside.submit(run, "clp")
        for side in ("cuda", "auto", "host", "clp"):
            for row in resolve_tables.searches(clp.result() if side == "clp" else run(side)):
                yield "resolves.csv", row
                if side == "cuda":  # it is one of the three engines that are compared, too
                    yield "resolves.csv", {**row, "log": "sides"}


def searches(machine: Any) -> Rows:
    """Nodes a second by threads, and wall seconds to a gap, on each side."""
    runs = [("threads-{}".format(n), ["--cuts", "few", "--gap", "0", "--seconds", 2, "--threads", n], ["p2756", "cover:500x5000:10:1"])
            for n in (1, 4, 16)]
    runs += [("gap", ["--cuts", "few", "--seconds", 5, "--gap", float(gap.split()[0]) / 100], [name]) for name, gap in resolve_tables.GAPS.items()]
    runs += [("gap", ["--seconds", 5, "--gap", 0], ["gesa2", "p2756", "fixnet6"])]
    if machine.small:
        runs = [("threads-1", ["--gap", 0, "--seconds", 1], ["rgn"])]
    for kind, options, problems in runs:
        for side in resolve_tables.SIDES:
            where = ["--only", "clp"] if side == "clp" else ["--only", "cuda", "--option", "engine", machine.engine if side == "cuda" else side]
            files = [name if ":" in name else machine.data / "miplib3" / f"{name}.mps.gz" for name in problems]
            path = machine.out / f"{kind}-{side}.txt"
            path.write_text(machine.ask("osi_resolve_report", *options, *where, *OPENS[side], *files), encoding="utf-8")
            for row in resolve_tables.searches(path):
                yield "resolves.csv", row


def resolves_host(machine: Any) -> Rows:
    """The median of three seeds for each problem, by processor seconds."""
    names = ["rgn"] if machine.small else ["rgn", "bell5", "stein45", "misc03", "misc07", "p0282", "vpm2", "khb05250", "dcmulti", "l152lav",
                                           "harp2", *SPARSE_MIPS[:3], "arki001", "mod011"]
    for name in dict.fromkeys(names):
        found = collections.defaultdict(list)
        for seed in range(1, 2 if machine.small else 4):
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
        best = re.search(r"^Objective value: +(\S+)", told, re.MULTILINE)  # where this search did not end
        optimum = found["objective"] if found["status"] == "optimal" or not best else float(best.group(1))
        search = found["search"]
        gap = search.get("gap")
        yield "integers.csv", {
            "problem": name, "optimum": f"{optimum:.10g}", "cbc seconds": f"{cbc:.2f}", "cbc nodes": nodes.group(1) if nodes else "0",
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


PARTS = {
    "resolves": (resolves, ("log", "side", "threads", "problem"), "resolves.csv"),
    "searches": (searches, ("log", "side", "threads", "problem"), "resolves.csv"),
    "resolves-host": (resolves_host, ("problem",), "resolves-host.csv"),
    "integers": (integers, ("problem",), "integers.csv"),
    "cuts": (cuts, ("problem", "seed", "mix"), "cut-generators.csv"),
}
