#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Infeasible subsystems beside HiGHS': sizes and seconds.

usage: iis_peers.py OSI-CUDA [FILE.mps...]

Prints a line of a Markdown table for each problem: the sides of rows and bounds of columns in the
subsystem, and the seconds for it on one core, without reading and without the solve that finds the
problem infeasible. HiGHS (the Python package highspy) by the rows' elasticity from the LP
(iis_strategy 2) and made irreducible (6). Exit status 1 where a subsystem of osi-cuda is not proved
and irreducible, 77 where there is no problem. Without files: the infeasible problems of Netlib in OSI_CUDA_DATA.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

try:
    import highspy
except ImportError:
    highspy = None

SECONDS = 120


def own(program, file, folder):
    command = [program, "solve", file, "--engine", "host", "--threads", "1", "--json", "--quiet",
               "--time-limit", str(SECONDS), "--iis", os.path.join(folder, "iis.lp")]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def sides(statuses):
    """How many sides HiGHS' bound statuses are."""
    lower, upper, boxed = (int(getattr(highspy.IisBoundStatus, name)) for name in
                           ("kIisBoundStatusLower", "kIisBoundStatusUpper",
                            "kIisBoundStatusBoxed"))
    return sum({lower: 1, upper: 1, boxed: 2}.get(int(status), 0) for status in statuses)


def highs(program, file, folder, strategy):
    """rows + bounds and seconds, as cells of the table."""
    if highspy is None:
        return "- | -"
    model = os.path.join(folder, "model.mps")
    subprocess.run([program, "convert", file, model, "--quiet"], check=True)
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("threads", 1), ("time_limit", float(SECONDS)),
                          ("iis_strategy", strategy)):
        solver.setOptionValue(option, value)
    solver.readModel(model)
    solver.run()
    start = time.monotonic()
    status, found = solver.getIis()
    seconds = time.monotonic() - start
    if status == highspy.HighsStatus.kError:
        return f"error | {seconds:.3f}"
    mark = "" if status == highspy.HighsStatus.kOk else " (warning)"
    return f"{sides(found.row_bound_)} + {sides(found.col_bound_)}{mark} | {seconds:.3f}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    files = sys.argv[2:] or sorted(glob.glob(os.path.join(
        os.environ.get("OSI_CUDA_DATA", "/none"), "netlib-infeasible", "*.mps*")))
    if not files:
        print("skipped: OSI_CUDA_DATA names no folder with infeasible problems")
        return 77
    faults = 0
    print("| problem | rows x columns | rows + bounds | solves | seconds | HiGHS, 2 | seconds | "
          "HiGHS, 6 | seconds |\n|---|---|---|---|---|---|---|---|---|")
    for file in files:
        name = os.path.basename(file).split(".mps")[0]
        with tempfile.TemporaryDirectory() as folder:
            result = own(sys.argv[1], file, folder)
            iis = result.get("iis")
            if iis is None:
                cells = f"{result['status']} | - | -"
                faults += result["status"] in ("infeasible", "numerical")
            else:
                rows = sum("row" in member for member in iis["members"])
                mark = "" if iis["irreducible"] and iis["proved"] else " (not irreducible)"
                faults += bool(mark)
                cells = (f"{rows} + {len(iis['members']) - rows}{mark} | {iis['solves']} | "
                         f"{iis['seconds']:.3f}")
            peers = " | ".join(highs(sys.argv[1], file, folder, strategy) for strategy in (2, 6))
        print(f"| {name} | {result['rows']} x {result['columns']} | {cells} | {peers} |", flush=True)
    print(f"HiGHS {highspy.Highs().version()}" if highspy else "skipped: no highspy")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
