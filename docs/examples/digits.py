# SPDX-License-Identifier: EPL-2.0
"""Bounds of all neurons of a network around images of digits, sound in exact arithmetic.

    python docs/examples/digits.py [--images 10] [--radius 0.03] [--width 50] [--highs [NEURONS]]

Needs scikit-learn; --highs compares with highspy, of all neurons of a layer or the first so many.
"""

import argparse
import fractions
import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

from osi_cuda import Problem


def intervals(W, b, lower, upper):
    """W h + b for all h in the box, rounded outward."""
    low = b + np.minimum(W * lower, W * upper).sum(axis=1)
    high = b + np.maximum(W * lower, W * upper).sum(axis=1)
    size = np.abs(b) + np.abs(W) @ np.maximum(np.abs(lower), np.abs(upper))
    pad = 2 * (len(lower) + 2) * np.finfo(float).eps * size
    return low - pad, high + pad


def bounds_of_network(layers, lower, upper, bounds_of):
    """Bounds of the values of all neurons before their ReLU, layer by layer. The layers are rows of one
    problem; where the sign of a neuron is open, its ReLU lies between 0, its value and a chord."""
    problem = Problem(np.zeros(len(lower)), lower=lower, upper=upper)
    columns = order = np.arange(len(lower))  # that go into the next layer, and what they are there
    found = []
    for W, b in layers:
        W, m = W[:, order], len(b)
        low, high = intervals(W, b, lower, upper)
        rows, first = problem.shape
        problem.add_columns(np.zeros((rows, m)), low, high)
        z = first + np.arange(m)
        A = np.zeros((m, first + m))
        A[:, columns], A[:, z] = -W, np.eye(m)
        problem.add_rows(A, b, b)
        below, above = bounds_of(problem, z)
        low, high = np.maximum(low, below), np.minimum(high, above)
        problem.set_bounds(low, high, z)
        found.append((low, high))

        unsure, positive = np.flatnonzero((low < 0) & (high > 0)), np.flatnonzero(low >= 0)
        l, u, k = low[unsure], high[unsure], unsure.size
        rows, first = problem.shape
        problem.add_columns(np.zeros((rows, k)), 0.0, u)
        h = first + np.arange(k)
        # Not less than the slope and the side of the chord from (l, 0) to (u, u).
        slope = np.nextafter(u / np.nextafter(u - l, 0), np.inf)
        side = np.nextafter(-slope * l, np.inf)
        A = np.zeros((2, k, first + k))
        A[0, range(k), z[unsure]], A[0, range(k), h] = 1, -1
        A[1, range(k), z[unsure]], A[1, range(k), h] = -slope, 1
        problem.add_rows(A.reshape(2 * k, first + k), None, np.concatenate([np.zeros(k), side]))
        columns, order = np.concatenate([z[positive], h]), np.concatenate([positive, unsure])
        lower, upper = np.maximum(low, 0)[order], high[order]
    return found


def with_highs(problem, columns, tolerance=1e-7):
    """The same bounds by highspy, one after the other from the last basis; NaN where it has none."""
    import highspy

    solver, lp = highspy.Highs(), highspy.HighsLp()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    for name in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
        solver.setOptionValue(name, tolerance)
    values, rows, starts = problem.matrix
    lp.num_row_, lp.num_col_ = problem.shape
    lp.col_cost_ = np.zeros(lp.num_col_)
    lp.col_lower_, lp.col_upper_ = problem.column_bounds
    lp.row_lower_, lp.row_upper_ = problem.row_bounds
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = starts, rows, values
    solver.passModel(lp)
    ends = np.full((2, len(columns)), np.nan)
    for j, column in enumerate(columns):
        for k, cost in enumerate((1.0, -1.0)):
            solver.changeColCost(int(column), cost)
            solver.run()
            if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
                ends[k, j] = cost * solver.getInfo().objective_function_value
        solver.changeColCost(int(column), 0.0)
    return ends


def holds_exactly(layers, point, found):
    """Whether the network's values at a point, in fractions, lie within all bounds."""
    h = [fractions.Fraction(value) for value in point]
    inside = True
    for (W, b), (low, high) in zip(layers, found):
        z = [sum((fractions.Fraction(w) * v for w, v in zip(row, h)), fractions.Fraction(bias))
             for row, bias in zip(W.tolist(), b.tolist())]
        inside &= all(l <= value <= u for l, value, u in zip(low.tolist(), z, high.tolist()))
        h = [max(value, fractions.Fraction(0)) for value in z]
    return inside


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=10)
    parser.add_argument("--width", type=int, default=50, help="neurons of each of three layers")
    parser.add_argument("--radius", type=float, default=0.03, help="of pixels from 0 to 1")
    parser.add_argument("--seconds", type=float, default=np.inf, help="after which no image is begun")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--exact", type=int, help="images whose points are evaluated in fractions; all")
    parser.add_argument("--highs", nargs="?", type=int, const=10**9, help="neurons of a layer")
    chosen = parser.parse_args()
    X, digits = load_digits(return_X_y=True)
    X = X / 16
    network = MLPClassifier((chosen.width,) * 3, random_state=1, max_iter=400).fit(X[300:], digits[300:])
    print(f"accuracy {network.score(X[:300], digits[:300]):.3f}")
    layers = [(np.ascontiguousarray(W.T), b) for W, b in zip(network.coefs_, network.intercepts_)]
    random = np.random.default_rng(1)
    seconds, counts = {"osi_cuda": 0.0, "HiGHS": 0.0}, {"osi_cuda": 0, "HiGHS": 0}
    exact, farthest, widened = 0, 0.0, 0.0

    def bounds_of(problem, columns):
        nonlocal farthest, widened
        start = time.perf_counter()
        found = np.array(problem.bounds_of(columns, engine=chosen.engine))
        seconds["osi_cuda"] += time.perf_counter() - start
        counts["osi_cuda"] += found.size
        if chosen.highs:
            start = time.perf_counter()
            theirs = with_highs(problem, columns[: chosen.highs])
            seconds["HiGHS"] += time.perf_counter() - start
            counts["HiGHS"] += theirs.size
            outward = (theirs - found[:, : chosen.highs]) * [[1], [-1]] / (1 + np.abs(theirs))
            farthest, widened = max(farthest, -outward.min()), max(widened, outward.max())
        return found

    images, points, begin = 0, 0, time.perf_counter()
    for image in X[: chosen.images]:
        if time.perf_counter() - begin > chosen.seconds:
            break
        images += 1
        lower, upper = np.clip(image - chosen.radius, 0, 1), np.clip(image + chosen.radius, 0, 1)
        found = bounds_of_network(layers, lower, upper, bounds_of)
        for point in (lower, upper, random.uniform(lower, upper)):
            if chosen.exact is not None and images > chosen.exact:
                break
            points += 1
            exact += holds_exactly(layers, point, found)
    print(f"{images} images, {counts['osi_cuda']} bounds; {exact} of {points} points lie within all of them exactly")
    for name, time_ in seconds.items():
        if time_ > 0:
            print(f"{name}: {time_:.2f} s, {counts[name] / time_:.0f} a second")
    if chosen.highs:
        print(f"relative to HiGHS: at most {farthest:.1e} inside, {widened:.1e} outside")


if __name__ == "__main__":
    main()
