# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: answers to hard problems, and programs of the tests whose counts pages quote."""

from __future__ import annotations

import collections
import os
import re
from collections.abc import Iterator
from typing import Any

import data
from data import tables

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0))


def stress(machine: Any) -> Rows:
    """The set of hard problems by kind."""
    page = machine.out / "stress.md"
    page.write_text("<!-- stress set -->\n<!-- end of stress set -->\n", encoding="utf-8")
    more = ["--kind", "scale4", "--constructed", 1, "--seeds", "1-1", "--peers", "clp"] if machine.small else [
        "--set", "all", "--engine", "tableau,factors", "--max-cells", 60000, "--constructed", 20, "--solves", 20000, "--time-limit", 10]
    machine.ask("stress", *more, "--jobs", cores(), "--document", page)
    for row in tables(page.read_text(encoding="utf-8"))[0]:
        lacking = [title for title in data.rows_of("stress.csv")[0] if title.endswith((" false", " missing")) and not row.get(title)]
        if lacking and not machine.small:
            raise RuntimeError(f"nothing under {', '.join(lacking)}: is the solver there?")
        yield "stress.csv", row


WAYS = {"batch": "batches", "ranks": "lexicographic objectives", "iis": "infeasible subsystems"}


def extreme_claims(machine: Any, constructed: int, solves: int) -> dict[str, collections.Counter[str]]:
    """Way -> how many claims are right, false, unsettled, or no status. Extreme numbers in every way of solving."""
    more = ["--constructed", 1, "--seeds", "1-1"] if machine.small else ["--constructed", constructed, "--solves", solves]
    path = machine.out / "claims.csv"
    machine.ask("stress", "--kind", "magnitudes,cancelling,chains,hidden-costs,nearly-flat", *more, "--way", "all", "--peers", ",",
                "--algorithm", "primal,dual,barrier,interior", "--exact-time", 0, "--jobs", cores(), "--csv", path)
    by: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    for row in data.read(path):
        place = row["engine/algorithm/pricing"].partition("/")[0]
        way = "primal, dual, barrier, interior" if place in ("host", "cuda", "tableau", "factors") else WAYS.get(place, place)
        by[way]["numerical" if row["status"] == "numerical" else row["verdict"]] += 1
    return by


def stress_extreme(machine: Any, constructed: int = 100, solves: int = 30000) -> Rows:
    """By way."""
    counts = extreme_claims(machine, constructed, solves)
    for way, of in counts.items():
        yield "stress-extreme.csv", {"way": way, "solves": f"{sum(of.values()):,}", "false": of["false"], "no status": f"{of['numerical']:,}"}
    if solves > 30000:
        of = sum(counts.values(), collections.Counter())
        yield "stress-large.csv", {"way": "all ways", "solves": f"{sum(of.values()):,}", "false": of["false"], "no status": f"{of['numerical']:,}"}


def stress_large(machine: Any) -> Rows:
    """Four times as many, also in all."""
    yield from stress_extreme(machine, 400, 120000)


def stress_integers(machine: Any) -> Rows:
    """Small problems with integer columns through every interface."""
    told = machine.ask("stress", "--set", "integers", "--solves", 30 if machine.small else 20000, "--seed", 1, "--jobs", cores(),
                       "--interface", "library,c,osi,cbc")
    for row in tables(told)[-1]:
        yield "stress-integers.csv", {"interface": row["interface"], "problems": row["problems"], "solves": row["solves"], "false": row["false"], "crashes": row["crashes"]}


def sequences(machine: Any) -> Rows:
    """Random edits and solves, each answer verified; the seeds of the row say which."""
    for first, count, steps in ((1, 20, 20),) if machine.small else ((5000, 1500, 80), (20000, 6000, 60)):
        told = machine.ask("test_osi", "--color_output=no", "--log_level=message", "--run_test=resolves/every*",
                           environment=machine.python() | {"OSI_CUDA_SEQUENCES": f"{first} {count} {steps}"})
        solves = int(re.search(r"sequences, (\d+) solves", told).group(1))
        yield "sequences.csv", {"seeds": f"{first} to {first + count - 1}", "steps": steps, "solves": f"{solves:,}"}


def readers(machine: Any) -> Rows:
    """Other readers beside this one; a file that is read otherwise than the test expects fails it, and counts all the same."""
    told = machine.ask("test_readers", "--color_output=no", "--log_level=message", "--run_test=agreement_long", status=(0, 201))
    for reader in ("CoinMpsIO", "CoinLpIO", "GLPK", "lp_solve"):
        counts = {what: int(number) for what, number in re.findall(rf"^{reader}: (.*) (\d+)$", told, re.MULTILINE)}
        yield "readers.csv", {"reader": reader, "files": sum(counts.values()),
                              **{what: counts.get(what, 0) for what in ("agree", "differ", "they refuse", "we refuse", "both refuse")}}


def ranging_peers(machine: Any) -> Rows:
    """Intervals beside those of other solvers, from the same basis."""
    told = machine.script("ranging_peers.py", machine.program("osi-cuda"), folder=data.ROOT / "tests/analysis", status=(0, 1))
    for solver, problems, ends, differ in re.findall(r"^(.*): (\d+) problems, (\d+) ends, (\d+) differ$", told, re.MULTILINE):
        most = max(((int(n), name) for name, n in re.findall(rf"^(\S+) {solver.split()[0]}: \d+ ends, (\d+) differ$", told, re.MULTILINE)))
        yield "ranging-peers.csv", {"solver, from the same basis": solver, "problems": problems, "ends compared": f"{int(ends):,}",
                                    "differ": differ, "most of them in": f"{most[1]}: {most[0]}" if most[0] else ""}


def hostile(machine: Any) -> Rows:
    """Analyses beside rational arithmetic."""
    told = machine.ask("test_analysis", "--color_output=no", "--log_level=message", "--run_test=hostile_problems")
    checked, _, _, near = re.search(r"^(\d+) checked, (\d+) refused, (\d+) not exactly optimal, (\d+) ends too near", told, re.MULTILINE).groups()
    yield "hostile.csv", {"analysis": "ranging (bases)", "compared": checked, "differences": f"0 too long, {near} too short"}
    for title, what in (("lexicographic objectives", r"(\d+) objectives compared"), ("infeasible subsystems", r"(\d+) subsystems"),
                        ("relaxation, least totals", r"(\d+) least totals")):
        yield "hostile.csv", {"analysis": title, "compared": re.search(what, told).group(1), "differences": "0"}


PARTS = {
    "stress": (stress, ("kind",), "stress.csv"),
    "stress-extreme": (stress_extreme, ("way",), "stress-extreme.csv"),
    "stress-large": (stress_large, ("way",), "stress-large.csv"),
    "stress-integers": (stress_integers, ("interface",), "stress-integers.csv"),
    "sequences": (sequences, ("seeds",), "sequences.csv"),
    "readers": (readers, ("reader",), "readers.csv"),
    "ranging-peers": (ranging_peers, ("solver, from the same basis",), "ranging-peers.csv"),
    "hostile": (hostile, ("analysis",), "hostile.csv"),
}
