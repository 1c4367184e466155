# SPDX-License-Identifier: EPL-2.0
"""Parts of run.py: exact statuses, enclosures of optima, and starts from the points of a first-order method."""

from __future__ import annotations

import collections
import re
import statistics
from collections.abc import Iterator
from typing import Any

import data
from data import rows_of_file
from parts_files import models

Row = dict[str, Any]
Rows = Iterator[tuple[str, Row]]
MOST = 120_000  # bytes of a file of which an exact status is asked for
SMALL = 40_000  # bytes of a packed file, up to which the rational solves take a moment


def exact_statuses(machine: Any) -> Rows:
    """Beside QSopt_ex: the sets of exact-statuses.csv of which the test data have a folder."""
    sets = list(dict.fromkeys(row["set"] for row in data.rows_of("exact-statuses.csv")))
    there = [machine.data / name for name in sets if (machine.data / name).is_dir()]
    if lacking := [name for name in sets if machine.data / name not in there]:
        machine.about(f"without the sets {', '.join(lacking)}")
    for folder in [machine.data / "claims"] if machine.small else there:  # those of a set that ended count, whatever comes later
        machine.script("exact_statuses.py", "--seconds", 1 if machine.small else 10, "--most", MOST, machine.program("osi-cuda"), machine.out / "es.csv",
                       folder)
        yield from rows_of_file(machine.out / "es.csv", "exact-statuses.csv")


WAYS = {"auto": "`--enclose auto` with `--json` and `--exact off`", "on": "`--enclose on`"}


def enclosures(machine: Any) -> Rows:
    """Of files beside their exact optima, and of random problems by the test."""
    for name, title in (("netlib", "Netlib"), ("real", "real"), ("hard", "hard")):
        files = sorted(path for path in (machine.data / name).glob("*.mps*") if path.stat().st_size < SMALL)
        machine.script("error_bars.py", machine.program("osi-cuda"), machine.out / "eb.csv", *(files[:2] if machine.small else files), "--ways", *WAYS,
                       "--exact", "--limit", 3)
        rows = data.read(machine.out / "eb.csv")
        for way, words in WAYS.items():
            mine = [row for row in rows if row["enclose"] == way]
            widths = [float(row["width"]) for row in mine if row["width"] != "inf"]
            exact = collections.Counter(row["exact optimum inside"] for row in mine if row["exact optimum inside"])
            yield "enclosures.csv", {
                "problems": f"{title}, {len(files)} files of up to {SMALL // 1000} kB", "way": words, "optima": len(mine), "both ends finite": len(widths),
                "median width": f"{statistics.median(widths):.1e}" if widths else "-",
                "seconds of all searches and solves": " and ".join(f"{sum(float(row[of]) for row in mine):.3g}" for of in ("search seconds", "seconds")),
                "outside the enclosure": f"{exact['False']} of {exact.total()} exact optima"}
    if not machine.small:
        yield from random_enclosures(machine)


def random_enclosures(machine: Any) -> Rows:
    """An optimum outside fails the test."""
    told = machine.ask("test_proof", "--color_output=no", "--log_level=message",
                       "--run_test=enclosures/pointsThatExistEncloseDegenerateOptima,containTheExactOptimumOfHardProblems")
    optima, points, multipliers, both, quickly = re.search(r"(\d+) optima, (\d+) by points, (\d+) by multipliers, (\d+) of both ends, (\d+) beside",
                                                           told).groups()
    proved, lower, upper = re.search(r"(\d+) proved, (\d+) lower, (\d+) upper ends finite", told).groups()
    for problems, way, count, ends in (
            ("4000 degenerate random problems", "by located points alone", optima, f"{points} and {multipliers}"),
            ("4000 degenerate random problems", "`--enclose auto`", optima, quickly), ("4000 degenerate random problems", "`--enclose on`", optima, both),
            ("1500 hard random problems", "`--enclose auto`", proved, f"{lower} and {upper}")):
        yield "enclosures.csv", {"problems": problems, "way": way, "optima": count, "both ends finite": ends, "median width": "-",
                                 "seconds of all searches and solves": "-", "outside the enclosure": f"0 of {count}"}


TITLES = {"netlib": "Netlib", "kennington": "Kennington", "made": "dense"}
DENSE = ["signed-250x125", *(f"{family}-{size}" for size in ("500x250", "1000x500") for family in ("uniform", "origin", "planted", "signed"))]


def starts(machine: Any) -> Rows:
    """Cold solves beside those from points of PDLP, where it reaches one."""
    files, made = models(machine, "netlib", "kennington"), machine.folder("made")
    for name in DENSE[:1] if machine.small else DENSE:
        family, _, size = name.partition("-")
        machine.script("point_starts.py", "--make", family, size, made / f"{name}.mps")
        files.append(made / f"{name}.mps")
    machine.commands.clear()  # they measure nothing
    machine.script("point_starts.py", machine.program("osi-cuda"), machine.out / "st.csv", *files)
    for row in data.read(machine.out / "st.csv"):
        yield "starts.csv", {**row, "set": TITLES[row["set"]]}


PARTS = {
    "exact-statuses": (exact_statuses, ("set", "file"), "exact-statuses.csv"),
    "enclosures": (enclosures, ("problems", "way"), "enclosures.csv"),
    "starts": (starts, ("set", "problem", "tolerance"), "starts.csv"),
}
