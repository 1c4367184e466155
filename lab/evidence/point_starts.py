#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""A cold solve of `auto` on the host with one thread beside solves from points of HiGHS' PDLP: from both halves, x alone and y alone.

usage: point_starts.py PROGRAM OUT.csv FILE...          a row for each file and tolerance that PDLP reaches within --limit (2 s)
       point_starts.py --make FAMILY ROWSxCOLUMNS FILE   writes a dense problem of lab/suite as an MPS file

Seconds are those of the solve, the least of three runs where one takes less than half a second. Needs highspy and NumPy.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import highspy
import numpy as np

FIELDS = ("set", "problem", "tolerance", "method", "method seconds", "cold pivots", "cold seconds", "pivots", "seconds", "status",
          "x pivots", "x seconds", "y pivots", "y seconds")
PROVED = ("optimal", "infeasible", "unbounded")


def make(family, size, path):
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1])]
    from suite import families

    import sparse_runs
    lp = families.random_dense(family, *map(int, size.split("x")))
    sparse_runs.write_mps(pathlib.Path(path), lp.c, -np.asarray(lp.A), -lp.row_upper, np.full(len(lp.row_upper), np.inf), lp.lower, lp.upper)


def pdlp(path, tolerance, limit):
    """x, y and seconds; None where it does not reach the tolerance."""
    h = highspy.Highs()
    for name, value in (("output_flag", False), ("solver", "pdlp"), ("presolve", "off"), ("time_limit", limit), ("threads", 1),
                        ("solve_relaxation", True), ("kkt_tolerance", tolerance), ("pdlp_optimality_tolerance", tolerance)):
        h.setOptionValue(name, value)
    begin = time.monotonic()
    h.readModel(str(path))
    h.run()
    point = h.getSolution()
    if h.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.array(point.col_value), np.array(point.row_dual), time.monotonic() - begin


def solved(program, path, limit, *options):
    """Status, pivots and seconds, of which the least."""
    found = []
    while len(found) < 3 and (not found or found[0][2] < 0.5):
        told = subprocess.run([program, "solve", path, "--engine", "host", "--threads", "1", "--json", "--time-limit", str(limit), *options],
                              capture_output=True, text=True, check=False).stdout
        answer = json.loads(told)
        found.append((answer["status"], answer["iterations"], answer["seconds"]["solve"]))
    return min(found, key=lambda run: run[2])


def seconds(run, limit):
    return f"{run[2]:.4f}" if run[0] in PROVED else f"> {limit:g}"


def rows(program, path, limit, folder):
    cold = None
    for tolerance in ("1e-4", "1e-6", "1e-8"):
        point = pdlp(path, float(tolerance), limit)
        if not point:
            return
        x, y, took = point
        cold = cold or solved(program, path, 10 * limit)
        row = {"set": path.parent.name, "problem": path.name.partition(".mps")[0], "tolerance": tolerance, "method": "HiGHS",
               "method seconds": f"{took:.3f}", "cold pivots": cold[1], "cold seconds": seconds(cold, 10 * limit)}
        for name, halves in (("", {"x": x, "y": y}), ("x ", {"x": x}), ("y ", {"y": y})):
            np.savez(folder / "point.npz", **halves)
            run = solved(program, path, 10 * limit, "--start", str(folder / "point.npz"))
            row |= {f"{name}pivots": run[1], f"{name}seconds": seconds(run, 10 * limit)}
            row |= {"status": "used" if run[0] in PROVED else run[0]} if not name else {}
        yield row


def main():
    if sys.argv[1:2] == ["--make"]:
        return make(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=2.0)
    arguments = parser.parse_args()
    with arguments.out.open("w", newline="", encoding="utf-8") as file, tempfile.TemporaryDirectory() as folder:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        for path in arguments.files:
            for row in rows(arguments.program, path, arguments.limit, pathlib.Path(folder)):
                writer.writerow(row)
                file.flush()
    return None


if __name__ == "__main__":
    main()
