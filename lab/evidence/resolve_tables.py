#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Turns logs of lab/osi/resolve_report.cpp into lab/data/resolves.csv, of which pages.py makes the tables of re-solves on a
device.

usage: resolve_tables.py FOLDER RUN    RUN: what runs.csv calls the run; FOLDER with rate-SIDE.txt (cuda and clp), sides-SIDE.txt (of auto beside host and
                                   cuda), threads-N-SIDE.txt and gap-SIDE.txt; SIDE is cuda, auto, host or clp. Kinds of log that FOLDER lacks stay as they are.
"""
import csv
import pathlib
import re
import sys

from data import DATA, filled, markdown, read

FILE = DATA / "resolves.csv"
FIELDS = ["log", "side", "threads", "problem", "rows", "columns", "whole", "inside", "resolve", "hot", "pivots",
          "re-solves", "device", "cold", "nodes a second", "objective", "gap", "ended", "seconds", "nodes", "run"]
ROW = re.compile(r"(\S+) +(\d+) x (\d+) +(?:cuda|clp) +" + r" +".join([r"(\S+)"] * 9) + "$")
END = re.compile(r"  (?:cuda|clp): objective (\S+), gap (\S+) %, (ended|out of time), (\S+) s of wall time, (\d+) nodes")
SIDES = ("cuda", "auto", "host", "clp")
NAMES = dict(zip(SIDES, ("cuda", "auto", "host", "OsiClp")))
# Where each search to a gap ends; 0 stands for a proof.
GAPS = {"knapsack:500x2000:1": "1.8 %", "cover:500x5000:10:1": "25 %", "knapsack:100x2000:1": "0.3 %"}


def searches(path):
    """A dictionary of FIELDS for each search of a log; the first of a device opens it and is left out."""
    kind, *threads, side = path.stem.split("-")
    found = None
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := ROW.match(line):
            found = [kind, side, *(threads or ["1"]), *match.groups()]
        elif (match := END.match(line)) and found:
            if found[3] != "knapsack:500x500:1":
                yield dict(zip(FIELDS, found + list(match.groups())))
            found = None


def rate(value):
    value = float(value)
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def best(text, is_best):
    return f"**{text}**" if is_best else text


def times(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def by_side(lines):
    """Problem -> side -> line, in the order of the log."""
    found = {}
    for line in lines:
        found.setdefault(line["problem"], {})[line["side"]] = line
    return found


def rates_table(lines):
    """A row for each problem, sorted by the ratio of re-solves a second to OsiClp's."""
    body = []
    for name, sides in by_side(lines).items():
        if not {"cuda", "clp"} <= sides.keys():
            continue
        cuda, clp = sides["cuda"], sides["clp"]
        order = float(cuda["inside"]) / float(clp["inside"])
        body.append((-order, [
            name, f"{cuda['rows']} x {cuda['columns']}", best(rate(cuda["inside"]), order > 1), best(rate(clp["inside"]), order < 1),
            times(order), times(float(cuda["whole"]) / float(clp["whole"]))]))
    return markdown(["problem", "size", "cuda, a second", "OsiClp, a second", "ratio", "ratio, whole search"],
                    [row for _, row in sorted(body)])


def auto_table(lines):
    """A row for each problem, and a sentence of how often and by how much `auto` misses the better side."""
    body, right, worst = [], 0, {"inside": (0.0, ""), "whole": (0.0, "")}
    for name, sides in by_side(lines).items():
        if not {"cuda", "auto", "host"} <= sides.keys():
            continue
        cells = [name]
        for what in ("inside", "whole"):
            host, cuda, auto = (float(sides[side][what]) for side in ("host", "cuda", "auto"))
            times = max(host, cuda) / auto
            worst[what] = max(worst[what], (times, name))
            cells += [best(rate(host), host > cuda), best(rate(cuda), cuda > host), rate(auto)] if what == "inside" else []
            cells.append(f"{times:.2f}")
            if what == "inside":
                right += (cuda > host) == (float(sides["auto"]["device"]) > 50)
        body.append(cells)
    table = markdown(["problem", "host, a second", "cuda", "auto", "times", "times, whole search"], body)
    return f"{table}\n\n" + filled(
        f"Times: the better side over auto. auto makes most re-solves on the side with the higher rate in {right} of "
        f"{len(body)} problems. At worst that side has {worst['inside'][0]:.2f} times its rate ({worst['inside'][1]}), over "
        f"the whole search {worst['whole'][0]:.2f} times ({worst['whole'][1]}).")


def threads_table(lines):
    """Nodes a second by threads, a row for each problem and side."""
    mine, counts = lines, sorted({int(line["threads"]) for line in lines})
    body = []
    for name in dict.fromkeys(line["problem"] for line in mine):
        by = {(line["side"], int(line["threads"])): line for line in mine if line["problem"] == name}
        most = {n: max((float(line["nodes a second"]) for (_, k), line in by.items() if k == n), default=0.0) for n in counts}
        for side in dict.fromkeys(side for side, _ in by):
            cells = []
            for n in counts:
                line = by.get((side, n))
                cells.append(best(rate(line["nodes a second"]), float(line["nodes a second"]) == most[n]) if line else "")
            body.append([f"{name}, {NAMES[side]}"] + cells)
    return markdown(["nodes a second, by threads"] + [str(n) for n in counts], body)


def gaps_table(lines):
    """A row for each problem, wall seconds of each side to the gap, the least bold."""
    body = []
    for name, sides in by_side(lines).items():
        ended = {side: float(line["seconds"]) for side, line in sides.items() if line["ended"] == "ended"}
        cells = []
        for side in SIDES:
            line = sides.get(side)
            cells.append("" if not line else best(f"{ended[side]:.2f}", ended[side] == min(ended.values())) if side in ended
                         else f"> {float(line['seconds']):.0f}")
        reached = dict.fromkeys(f"{float(line['objective']):.10g}" for line in sides.values() if line["ended"] == "ended")
        body.append([name, GAPS.get(name, "0")] + cells + [", ".join(reached)])
    return markdown(["problem", "gap", "cuda, s", "auto, s", "host, s", "OsiClp, s", "objectives"], body)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    new = [line for path in sorted(pathlib.Path(sys.argv[1]).glob("*.txt"))
           if re.fullmatch(r"(rate|sides|threads-\d+|gap)-(cuda|auto|host|clp)", path.stem) for line in searches(path)]
    for line in new:
        line["run"] = sys.argv[2]
    kinds = {line["log"] for line in new}
    old = [line for line in read(FILE) if line["log"] not in kinds] if FILE.exists() else []
    with open(FILE, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(old + new)


if __name__ == "__main__":
    main()
