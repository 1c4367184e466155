# SPDX-License-Identifier: EPL-2.0
"""How often both ends of the enclosure of the optimum are finite, how far apart they are, what the search for them
costs, and why an end is missing; a row for each file and way. With --exact the exact optimum has to lie between them.

    python lab/evidence/error_bars.py osi-cuda rows.csv FILE.mps ... [--ways auto on] [--limit SECONDS] [--exact]
"""

import argparse
import bz2
import csv
import gzip
import json
import lzma
import math
import pathlib
import statistics
import subprocess
import time
from fractions import Fraction


def solve(program, path, limit, *options):
    begin = time.perf_counter()
    run = subprocess.run([program, "solve", path, "--engine", "host", "--time-limit", str(limit), "--json", *options],
                         capture_output=True, text=True, timeout=20 * limit + 60)
    return json.loads(run.stdout or "{}"), time.perf_counter() - begin


def number(value, infinite):
    return infinite if value is None else value


def maximizes(path):
    """Whether an MPS file has a section OBJSENSE that says so."""
    openers = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}
    with openers.get(pathlib.Path(path).suffix, open)(path, "rt", errors="replace") as file:
        words = []
        for line in file:
            words += line.upper().split()
            if "ROWS" in words:
                break
    return "OBJSENSE" in words and any(word.startswith("MAX") for word in words[words.index("OBJSENSE"):])


def reason(found, maximize):
    """Which ends are missing: the one that multipliers prove, or the one that a point proves."""
    ends = {"lower": found["objective_lower"] is None, "upper": found["objective_upper"] is None}
    names = {"upper": "multipliers", "lower": "point"} if maximize else {"lower": "multipliers", "upper": "point"}
    return " and ".join(names[end] for end, missing in ends.items() if missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("rows", type=pathlib.Path)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--ways", nargs="+", default=["off", "auto", "on"], help="values of --enclose")
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--exact", action="store_true")
    arguments = parser.parse_args()
    table = []
    for path in arguments.files:
        exact = None
        if arguments.exact:
            found, _ = solve(arguments.program, path, arguments.limit, "--exact", "on", "--exact-numbers", "doubles")
            proof = found.get("exact") or {}
            if found.get("status") == "optimal" and proof.get("proved"):
                exact = Fraction(proof["objective"])
        for way in arguments.ways:
            found, seconds = solve(arguments.program, path, arguments.limit, "--enclose", way, "--exact", "off")
            if found.get("status") != "optimal":
                continue
            low, high = number(found["objective_lower"], -math.inf), number(found["objective_upper"], math.inf)
            inside = "" if exact is None else all((low == -math.inf or Fraction(low) <= exact,
                                                  high == math.inf or exact <= Fraction(high)))
            table.append({"problem": pathlib.Path(path).name.split(".")[0], "enclose": way, "missing": reason(found, maximizes(path)),
                          "width": (high - low) / (1 + abs(found["objective"])), "seconds": round(seconds, 4),
                          "search seconds": found.get("stages", {}).get("enclosure", 0.0),
                          "exact optimum inside": inside})
            print(table[-1], flush=True)
    with arguments.rows.open("w", newline="") as file:
        writer = csv.DictWriter(file, table[0].keys())
        writer.writeheader()
        writer.writerows(table)
    for way in arguments.ways:
        rows = [row for row in table if row["enclose"] == way]
        widths = [row["width"] for row in rows if row["width"] < math.inf]
        print(way, len(rows), "optima,", len(widths), "with both ends, median width",
              statistics.median(widths) if widths else None, "seconds", round(sum(row["seconds"] for row in rows), 2),
              "outside", sum(row["exact optimum inside"] is False for row in rows))


if __name__ == "__main__":
    main()
