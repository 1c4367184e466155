#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Seconds of the process's processor and memory of osi_cuda.estimators.QuantileRegressor on normal data with
Student errors, one thread; scikit-learn's class beside it where it ends within minutes.

usage: estimators.py CSV [--device]    --device: wall seconds with all cores and a GPU, without scikit-learn; X also
                                       in arrays of PyTorch and CuPy on the device
"""
import csv
import importlib
import resource
import sys
import time

import numpy as np
from osi_cuda.estimators import QuantileRegressor

DEVICE = "--device" in sys.argv
OPTIONS = {} if DEVICE else {"engine": "host", "threads": 1}
CLOCK = time.perf_counter if DEVICE else time.process_time


def data(n, p):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, p))
    return X, X @ rng.standard_normal(p) + rng.standard_t(3, n)


def seconds(work, repeat=3):
    best = np.inf
    for _ in range(repeat):
        begin = CLOCK()
        work()
        best = min(best, CLOCK() - begin)
    return best


def mine(quantile=0.5):
    return QuantileRegressor(quantile=quantile, alpha=0.0, solver_options=OPTIONS)


def torch_free():
    """Bytes of the device that no library holds."""
    import torch

    return torch.cuda.mem_get_info()[0]


def main():
    lines = []

    def line(what, time_taken, theirs=None, note=""):
        lines.append({"fit": what, "osi_cuda": f"{time_taken:.3g}",
                      "scikit-learn": "" if theirs is None else f"{theirs:.3g}", "note": note})
        print(*lines[-1].values(), sep="  ", flush=True)

    for n, p in ((2000, 50), (10000, 50)):
        X, y = data(n, p)
        one = seconds(lambda: mine().fit(X, y))
        theirs = None
        if not DEVICE:
            from sklearn.linear_model import QuantileRegressor as Theirs

            theirs = seconds(lambda: Theirs(quantile=0.5, alpha=0.0).fit(X, y), 1)
        line(f"one quantile, {n} x {p}", one, theirs)
    several = seconds(lambda: mine(np.arange(1, 20) / 20).fit(X, y), 1)
    line("19 quantiles, 10000 x 50", several, note=f"{several / one:.1f} times one")
    draws = seconds(lambda: mine().bootstrap(X, y, 1000), 1)
    line("1000 bootstrap draws, 10000 x 50", draws, note=f"{draws / one:.0f} times one")
    for n in (100_000, 2_900_000):
        X, y = data(n, 30)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        model = mine()
        taken = seconds(lambda: model.fit(X, y), 1)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        fit = model.solution_
        whole = model.coef_
        line(f"one quantile, {n} x 30", taken,
             note=f"{fit.rounds} blocks, error {fit.objective_error:.0e} of {fit.objective:.3g}, peak {peak:.0f} MiB "
                  f"({before:.0f} before the fit, the data {X.nbytes / 2**20:.0f})")
    for library in ("torch", "cupy") if DEVICE else ():
        try:
            module = importlib.import_module(library)
        except ImportError as missing:
            print(f"not run: {missing}", file=sys.stderr)
            continue
        there = module.asarray(X, device="cuda") if library == "torch" else module.asarray(X)
        model.fit(there[:5000], y[:5000])  # opens the library's own libraries
        free = torch_free()
        taken = seconds(lambda: model.fit(there, y), 2)
        line(f"one quantile, {n} x 30, X of {library} on the device", taken,
             note=f"{model.solution_.rounds} blocks, coefficients differ by {abs(model.coef_ - whole).max():.0e}, "
                  f"{(free - torch_free()) / 2**20:.0f} MiB more held there")
        del there
    with open(sys.argv[1], "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, lines[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


if __name__ == "__main__":
    main()
