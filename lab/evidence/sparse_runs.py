#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Makes the problems of sparse.md from seeds and solves them, one solver after the other on one core.

usage: sparse_runs.py [options] PROGRAM CLP FOLDER OUT.csv FILE...

PROGRAM and CLP are osi-cuda and clp; made problems go to FOLDER as .mps, FILE... are further MPS files,
of which integer columns are relaxed. Seconds are those of the processor in the child process, reading
included; waiting for other programs does not count. `solve` is what osi-cuda and HiGHS say a solve took. What OUT.csv has
is not run again. Needs numpy, scipy and highspy.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

RANDOM = [  # rows, columns, density, seed
    (500, 1000, 0.01, 1), (500, 1000, 0.05, 2), (1000, 2000, 0.005, 3), (1000, 2000, 0.05, 4),
    (1500, 3000, 0.005, 5), (1500, 3000, 0.005, 6), (2000, 4000, 0.002, 7), (3000, 2000, 0.005, 8),
    (4000, 8000, 0.002, 9), (4000, 2000, 0.002, 10), (8000, 12000, 0.0005, 11), (20000, 30000, 0.0001, 12)]


def random_lp(rows, columns, density, seed):
    """Boxed and nonnegative columns, equations and inequalities, with a known optimal point and prices."""
    rng = np.random.default_rng(seed)
    count = int(density * rows * columns)
    a = sp.csc_matrix((rng.normal(size=count), (rng.integers(0, rows, count), rng.integers(0, columns, count))),
                      shape=(rows, columns))
    x = np.where(rng.random(columns) < 0.5, rng.random(columns), 0.0)
    y = rng.normal(size=rows)
    equal = rng.random(rows) < 0.3
    tight = equal | (rng.random(rows) < 0.5)
    y[~equal] = np.where(tight[~equal], np.abs(y[~equal]), 0.0)
    z = np.where(x > 0.0, 0.0, rng.random(columns))
    upper = np.where(rng.random(columns) < 0.3, x + rng.random(columns), np.inf)
    low = a @ x - np.where(tight, 0.0, rng.random(rows))
    return a.T @ y + z, a, low, np.where(equal, low, np.inf), np.zeros(columns), upper


def trend_filter(points, weight, seed):
    """min sum |b - x| + weight sum |second differences of x|."""
    rng = np.random.default_rng(seed)
    b = np.cumsum(np.cumsum(rng.normal(size=points) * (rng.random(points) < 0.02))) + rng.normal(size=points)
    d = sp.diags([1.0, -2.0, 1.0], [0, 1, 2], shape=(points - 2, points))
    eye, small = sp.eye(points), sp.eye(points - 2)
    a = sp.bmat([[eye, eye, -eye, None, None], [d, None, None, small, -small]], format="csc")
    n = a.shape[1]
    right = np.concatenate([b, np.zeros(points - 2)])
    cost = np.concatenate([np.zeros(points), np.ones(2 * points), np.full(2 * (points - 2), weight)])
    low = np.concatenate([np.full(points, -np.inf), np.zeros(n - points)])
    return cost, a, right, right, low, np.full(n, np.inf)


def quantile_regression(samples, features, share, seed):
    """min share sum u + (1 - share) sum v,  X b + u - v = y."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, features))
    y = x @ rng.normal(size=features) + rng.standard_t(3, size=samples)
    eye = sp.eye(samples)
    a = sp.hstack([sp.csc_matrix(x), eye, -eye], format="csc")
    cost = np.concatenate([np.zeros(features), np.full(samples, share), np.full(samples, 1.0 - share)])
    low = np.concatenate([np.full(features, -np.inf), np.zeros(2 * samples)])
    return cost, a, y, y, low, np.full(a.shape[1], np.inf)


def gini_portfolio(days, assets, seed):
    """Least Gini mean difference of a portfolio's returns at a given mean: a pair of days a row."""
    rng = np.random.default_rng(seed)
    returns = rng.normal(0.001, 0.02, size=(days, assets)) + rng.normal(0, 0.01, size=(days, 1))
    first, second = np.triu_indices(days, 1)
    pairs = len(first)
    eye = sp.eye(pairs)
    a = sp.bmat([[sp.csc_matrix(returns[first] - returns[second]), eye, -eye],
                 [sp.csc_matrix(np.ones((1, assets))), None, None],
                 [sp.csc_matrix(returns.mean(axis=0)[None, :]), None, None]], format="csc")
    low = np.concatenate([np.zeros(pairs), [1.0, returns.mean()]])
    high = np.concatenate([np.zeros(pairs), [1.0, np.inf]])
    n = a.shape[1]
    cost = np.concatenate([np.zeros(assets), np.full(2 * pairs, 1.0 / pairs)])
    return cost, a, low, high, np.zeros(n), np.full(n, np.inf)


def cdar_portfolio(days, assets, seed):
    """Least conditional drawdown at risk, 95 % (Chekhlov, Uryasev and Zabarankin 2005), of uncompounded returns."""
    rng = np.random.default_rng(seed)
    returns = rng.normal(0.0005, 0.01, size=(days, assets)) + rng.normal(0, 0.005, size=(days, 1))
    total = sp.csc_matrix(np.cumsum(returns, axis=0))
    eye = sp.eye(days)
    step = sp.diags([1.0, -1.0], [0, -1], shape=(days, days))  # columns: weights, peaks, level, excesses
    a = sp.bmat([[-total, eye, None, None], [None, step, None, None],
                 [total, -eye, np.ones((days, 1)), eye],
                 [np.ones((1, assets)), None, None, None],
                 [returns.mean(axis=0)[None, :], None, None, None]], format="csc")
    low = np.concatenate([np.zeros(3 * days), [1.0, returns.mean()]])
    high = np.concatenate([np.full(3 * days, np.inf), [1.0, np.inf]])
    cost = np.concatenate([np.zeros(assets + days), [1.0], np.full(days, 1.0 / (0.05 * days))])
    lower = np.concatenate([np.zeros(assets), np.full(days + 1, -np.inf), np.zeros(days)])
    return cost, a, low, high, lower, np.full(a.shape[1], np.inf)


def transport(places, seed):
    """Optimal transport between two random measures."""
    rng = np.random.default_rng(seed)
    first, second = rng.random(places), rng.random(places)
    one, eye = np.ones((1, places)), sp.eye(places)
    a = sp.vstack([sp.kron(eye, one), sp.kron(one, eye)], format="csc")
    right = np.concatenate([first / first.sum(), second / second.sum()])
    n = places * places
    return rng.random(n), a, right, right, np.zeros(n), np.full(n, np.inf)


def multicommodity(nodes, arcs, commodities, seed):
    """Flows of several goods over arcs that share capacities; what is over goes a way of its own at a high cost."""
    rng = np.random.default_rng(seed)
    tail = rng.integers(0, nodes, arcs)
    head = (tail + rng.integers(1, nodes, arcs)) % nodes
    k = np.arange(arcs)
    flow = sp.csc_matrix((np.concatenate([np.ones(arcs), -np.ones(arcs)]),
                          (np.concatenate([tail, head]), np.concatenate([k, k]))), shape=(nodes, arcs))
    supply = np.zeros((commodities, nodes))
    extra = sp.lil_matrix((nodes * commodities, commodities))
    for c in range(commodities):
        source, sink = rng.choice(nodes, 2, replace=False)
        supply[c, source], supply[c, sink] = 10.0, -10.0
        extra[c * nodes + source, c], extra[c * nodes + sink, c] = 1.0, -1.0
    a = sp.bmat([[sp.block_diag([flow] * commodities), extra],
                 [-sp.hstack([sp.eye(arcs)] * commodities), None]], format="csc")
    low = np.concatenate([supply.ravel(), -rng.uniform(5.0, 15.0, arcs)])
    high = np.concatenate([supply.ravel(), np.full(arcs, np.inf)])
    cost = np.concatenate([rng.uniform(1.0, 10.0, arcs * commodities), np.full(commodities, 200.0)])
    return cost, a, low, high, np.zeros(a.shape[1]), np.full(a.shape[1], np.inf)


def problems():
    for rows, columns, density, seed in RANDOM:
        yield f"random-{rows}x{columns}-{100 * density:g}-{seed}", lambda p=(rows, columns, density, seed): random_lp(*p)
    for points in (1000, 2000, 5000):
        yield f"trend-{points}", lambda p=points: trend_filter(p, 50.0, 1)
    for samples, features in ((2000, 50), (5000, 20)):
        yield f"quantile-{samples}x{features}", lambda p=(samples, features): quantile_regression(*p, 0.3, 1)
    yield "gini-100x40", lambda: gini_portfolio(100, 40, 1)
    for days, assets in ((500, 20), (2000, 50)):
        yield f"cdar-{days}x{assets}", lambda p=(days, assets): cdar_portfolio(*p, 1)
    for places in (100, 300):
        yield f"transport-{places}", lambda p=places: transport(p, 1)
    for nodes, arcs, goods in ((50, 300, 20), (100, 600, 50)):
        yield f"flows-{nodes}x{arcs}x{goods}", lambda p=(nodes, arcs, goods): multicommodity(*p, 1)


def write_mps(path, cost, a, row_low, row_high, low, high):
    a = sp.csc_matrix(a)
    a.sum_duplicates()
    with open(path, "w", encoding="ascii") as out:
        print("NAME", path.stem, "\nROWS\n N obj", file=out)
        for i, (lo, hi) in enumerate(zip(row_low, row_high)):
            print(f" {'E' if lo == hi else 'G'} r{i}", file=out)
        print("COLUMNS", file=out)
        for j in range(a.shape[1]):
            if cost[j] or a.indptr[j] == a.indptr[j + 1]:
                print(f" x{j} obj {float(cost[j])!r}", file=out)
            for e in range(a.indptr[j], a.indptr[j + 1]):
                print(f" x{j} r{a.indices[e]} {float(a.data[e])!r}", file=out)
        print("RHS", file=out)
        for i, lo in enumerate(row_low):
            if lo:
                print(f" rhs r{i} {float(lo)!r}", file=out)
        print("BOUNDS", file=out)
        for j, (lo, hi) in enumerate(zip(low, high)):
            if np.isinf(lo):
                print(f" FR b         x{j}", file=out)
            elif np.isfinite(hi):
                print(f" UP b x{j} {float(hi)!r}", file=out)
        print("ENDATA", file=out)


HIGHS = """import highspy, sys
h = highspy.Highs()
for name, value in (("output_flag", False), ("threads", 1), ("solve_relaxation", True), ("solver", sys.argv[2])):
    h.setOptionValue(name, value)
h.readModel(sys.argv[1])
h.run()
print(h.modelStatusToString(h.getModelStatus()).lower(), repr(h.getInfo().objective_function_value), h.getRunTime())
"""


def commands(args, file):
    if args.device:
        yield "osi_cuda, device", [args.program, "solve", file, "--json", "--time-limit", str(args.limit)]
    ours = ["solve", file, "--engine", "host", "--threads", "1", "--json"]
    yield "osi_cuda, barrier", [args.program, *ours, "--algorithm", "barrier"]
    yield "osi_cuda, auto", [args.program, *ours]
    if args.before:
        yield "osi_cuda before, auto", [args.before, *ours]
    for solver, word in (("HiGHS, simplex", "simplex"), ("HiGHS, IPX", "ipx")):
        yield solver, [sys.executable, "-c", HIGHS, file, word]
    yield "Clp, dual", [args.clp, file, "-dualsimplex"]


def answer(solver, text):
    """Status and objective."""
    if solver.startswith("osi_cuda"):
        found = json.loads(text)
        return (found["status"], found["objective"], found["iterations"],
                (found.get("barrier") or {}).get("iterations"), found["seconds"]["solve"])
    if solver.startswith("HiGHS"):
        status, objective, solve = text.rsplit(None, 2)
        return status.split("\n")[-1], float(objective), None, None, float(solve)
    found = re.findall(r"Optimal.*?objective (?:value )?(\S+)", text)
    return ("optimal", float(found[-1]), None, None, None) if found else (text[-100:], None, None, None, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of the processor that a solver gets")
    parser.add_argument("--only", default="", help="part of a problem's name")
    parser.add_argument("--solver", default="", help="part of a solver's name")
    parser.add_argument("--given", action="store_true", help="no made problems")
    parser.add_argument("--part", default="0/1", help="K/N: every N-th problem from the K-th on")
    parser.add_argument("--device", action="store_true", help="osi-cuda as it comes, on a device where it chooses that")
    parser.add_argument("--before", help="an older osi-cuda")
    for name in ("program", "clp", "folder", "out"):
        parser.add_argument(name)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    folder = pathlib.Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, make in [] if args.given else problems():
        file = folder / f"{name}.mps"
        if not file.exists():
            write_mps(file, *make())
        files.append((name, str(file)))
    files += [(re.sub(r"\.mps(\.gz)?$", "", os.path.basename(f)), f) for f in args.files]
    first, step = map(int, args.part.split("/"))
    files = files[first::step]
    out = pathlib.Path(args.out)
    titles = ["problem", "solver", "status", "objective", "pivots", "iterations", "seconds", "elapsed", "solve"]
    if not out.exists():
        out.write_text(",".join(titles) + "\n", encoding="ascii")
    with open(out, encoding="ascii", newline="") as file:
        done = {(line["problem"], line["solver"]) for line in csv.DictReader(file)}

    def limit_processor():
        seconds = int(args.limit) * (os.cpu_count() if args.device else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    environment = dict(os.environ)
    if not args.device:
        environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for name, file in files:
        if args.only not in name:
            continue
        for solver, command in commands(args, file):
            if (name, solver) in done or args.solver not in solver:
                continue
            before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            try:
                text = subprocess.run(command, env=environment, capture_output=True, text=True, check=True,
                                      preexec_fn=limit_processor).stdout
                status, objective, pivots, iterations, solve = answer(solver, text)
            except subprocess.CalledProcessError:
                status, objective, pivots, iterations, solve = "time_limit", None, None, None, None
            elapsed, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            with open(out, "a", encoding="ascii", newline="") as file_out:
                csv.writer(file_out).writerow([name, solver, status, objective, pivots, iterations,
                                               f"{seconds:.3f}", f"{elapsed:.3f}", solve])
            print(name, solver, status, objective, f"{seconds:.3f} s", f"({elapsed:.3f})", flush=True)


if __name__ == "__main__":
    main()
