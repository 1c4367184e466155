#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Microseconds of a cold small linear program: the table of dense.md, as CSV.

usage: small_runs.py [--rounds R] REPORT OUT.csv

REPORT is osi_small_report, which makes the problems, writes them as MPS files and times C++, C and OSI beside Clp.
Python follows here on the same problems: osi_cuda.Problem, osi_cuda.linprog, highspy and SciPy's linprog. A run makes
the object from arrays, solves, and reads objective and x: processor time, the least of R rounds for each problem,
the mean over 200 problems. Objectives have to agree to 1e-7.
"""
import argparse
import csv
import re
import subprocess
import tempfile
import time

import highspy
import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

import osi_cuda

SIZE, PROBLEMS = 30, 200
DENSITIES = (1.0, 0.3, 0.05)


def arrays(path):
    """Costs, matrix by columns, and bounds of an MPS file."""
    reader = highspy.Highs()
    reader.setOptionValue("output_flag", False)
    reader.readModel(str(path))
    lp = reader.getLp()
    a = lp.a_matrix_
    matrix = sp.csc_matrix((np.array(a.value_), np.array(a.index_), np.array(a.start_)),
                           shape=(lp.num_row_, lp.num_col_))
    return [np.array(x) for x in (lp.col_cost_, lp.col_lower_, lp.col_upper_, lp.row_lower_, lp.row_upper_)] + [matrix]


def by_problem(c, low, high, row_low, row_high, a):
    solution = osi_cuda.Problem(c, a, row_lower=row_low, row_upper=row_high, lower=low, upper=high).solve()
    return solution.objective, solution.x


def parted(row_low, row_high, a):
    """Rows as linprog wants them; not timed."""
    equal = row_low == row_high
    rows = a.tocsr()
    return dict(A_ub=-rows[~equal], b_ub=-row_low[~equal], A_eq=rows[equal], b_eq=row_low[equal])


def by_highspy(c, low, high, row_low, row_high, a):
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(c), len(row_low)
    lp.col_cost_, lp.col_lower_, lp.col_upper_, lp.row_lower_, lp.row_upper_ = c, low, high, row_low, row_high
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = a.indptr, a.indices, a.data
    h.passModel(lp)
    h.run()
    return h.getInfo().objective_function_value, np.array(h.getSolution().col_value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("report")
    parser.add_argument("out")
    args = parser.parse_args()
    with open(args.out, "w", encoding="ascii", newline="") as file:
        out = csv.writer(file)
        out.writerow(["density", "way", "microseconds"])
        for density in DENSITIES:
            with tempfile.TemporaryDirectory() as folder:
                text = subprocess.run([args.report, "--size", str(SIZE), "--density", str(density), "--problems",
                                       str(PROBLEMS), "--rounds", str(args.rounds), "--files", folder],
                                      check=True, capture_output=True, text=True).stdout
                problems = [arrays(f"{folder}/small-{k}.mps") for k in range(PROBLEMS)]
            for way, mean in re.findall(r"^(\S.*?) {2,}[\d.]+ +([\d.]+) +[\d.]+ +[\d.]+$", text, re.M):
                out.writerow([density, way, mean])
            ready = [(p, parted(*p[3:]), np.column_stack(p[1:3])) for p in problems]
            ways = {"osi_cuda.Problem": lambda p, rows, box: by_problem(*p),
                    "osi_cuda.linprog": lambda p, rows, box: (lambda r: (r.fun, r.x))(
                        osi_cuda.linprog(p[0], **rows, bounds=box)),
                    "highspy": lambda p, rows, box: by_highspy(*p),
                    "SciPy, linprog": lambda p, rows, box: (lambda r: (r.fun, r.x))(linprog(p[0], **rows, bounds=box))}
            least = {way: np.full(PROBLEMS, np.inf) for way in ways}
            found = {way: np.empty(PROBLEMS) for way in ways}
            for _ in range(args.rounds):
                for way, run in ways.items():
                    for k, one in enumerate(ready):
                        begin = time.process_time()
                        found[way][k] = run(*one)[0]
                        least[way][k] = min(least[way][k], 1e6 * (time.process_time() - begin))
            for way, objectives in found.items():
                np.testing.assert_allclose(objectives, found["highspy"], rtol=1e-7, atol=1e-7, err_msg=way)
            for way, each in least.items():
                out.writerow([density, way, f"{each.mean():.1f}"])
            file.flush()


if __name__ == "__main__":
    main()
