# SPDX-License-Identifier: EPL-2.0
"""What the pool of bases answers, and what it costs where it answers nothing. Needs cobra for --model.

    python lab/evidence/pool_costs.py [--threads 16] [--repeats 5] [--model iJO1366.json]
"""

import argparse
import time

import numpy as np

import osi_cuda


def dense(m, n):
    """min c'x, A x >= b, 0 <= x <= 10, all entries of A from 0.1 to 1."""
    random = np.random.default_rng(3)
    A, c = random.uniform(0.1, 1, (m, n)), random.uniform(0.5, 1.5, n)
    return osi_cuda.Problem(c, A, row_lower=random.uniform(0.5, 1, m) * 0.05 * n, upper=10.0)


def questions(problem, count, kind):
    """Changes of `count` variants; every one is new, or one of eight scenarios to 0.1 %."""
    random = np.random.default_rng(7)
    (m, n), (below, _) = problem.shape, problem.row_bounds
    if kind == "new costs":
        return {"costs": random.uniform(0.5, 1.5, (count, n))}
    if kind == "new sides":
        return {"rhs": below * random.uniform(0.3, 1.7, (count, m))}
    if kind == "new upper bounds":
        return {"upper": random.uniform(0.02, 0.4, (count, n))}
    wide, near = random.uniform(0.5, 1.5, (8, n)), random.uniform(0.999, 1.001, (count, n))
    return {"costs": wide[np.arange(count) % 8] * near}


def of_model(path):
    """Questions about iJO1366: least and largest fluxes, deletions of genes, amounts of five media."""
    import osi_cuda.cobra
    from flux_variability import network_of_media, read
    from random_media import media
    from scipy import sparse

    model = read(path)
    network = osi_cuda.cobra._Network(model)
    problem, n = network.problem(), network.costs.size
    limit = 0.9 * problem.solve().objective
    problem.add_rows(network.costs[np.newaxis], limit)
    problem.set_costs(np.zeros(n))
    problem.set_sense("min")
    yield "iJO1366", "least, largest flux", problem, {
        "costs": sparse.kron(sparse.eye_array(n).tocsr(), [[1.0], [-1.0]])}
    one = sparse.eye_array(n).tocsr()
    one.data[:] = 0.0
    yield "iJO1366", "one flux is 0", network.problem(), {"lower": one, "upper": one}
    lower = media(model, 4000, "amounts", np.random.default_rng(5))
    problem, place, factor = network_of_media(model, lower.min(axis=0))
    lows = np.full((4000, problem.shape[1]), np.nan)
    for j in np.flatnonzero((lower != lower[0]).any(axis=0) & (place >= 0) & (factor > 0)):
        lows[:, place[j]] = lower[:, j] / factor[j]
    yield "iJO1366", "five amounts", problem, {"lower": lows}


def cases(path):
    for m, n, count in ((12, 20, 20_000), (40, 60, 4_000), (100, 150, 1_500), (300, 200, 600)):
        for kind in ("new costs", "new sides", "new upper bounds", "eight scenarios"):
            yield f"{m} x {n}", kind, dense(m, n), questions(dense(m, n), count, kind)
    if path:
        yield from of_model(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="part of a problem's name")
    parser.add_argument("--model", help="JSON of iJO1366")
    chosen = parser.parse_args()
    clock = time.process_time if chosen.threads == 1 else time.perf_counter
    print(f"{'problem':10} {'variants':8} {'changes':20} {'without, s':>10} {'with, s':>8} {'times':>6} "
          f"{'hits':>6} {'pivots without':>14} {'with':>6} {'apart':>8}")
    for name, kind, problem, changes in cases(chosen.model):
        if chosen.only not in name:
            continue
        problem.solve()
        options = {"what": (), "engine": "host", "threads": chosen.threads}
        seconds, answers = {False: [], True: []}, {}
        for _ in range(chosen.repeats):
            for pool in (False, True):
                fresh = problem.copy()  # with no pool of a call before
                fresh.solve()
                fresh.variants(count=0, **options)
                start = clock()
                answers[pool] = fresh.variants(pool=pool, **changes, **options)
                seconds[pool].append(clock() - start)
        without, own = answers[False], answers[True]
        assert (without.status == own.status).all()
        apart = np.abs(own.objective - without.objective) / (1 + np.abs(without.objective))
        best = {pool: min(each) for pool, each in seconds.items()}
        print(f"{name:10} {len(own):8} {kind:20} {best[False]:10.4f} {best[True]:8.4f} "
              f"{best[True] / best[False]:6.3f} {own.pooled / len(own):6.1%} {without.iterations.mean():14.1f} "
              f"{own.iterations.mean():6.1f} {apart.max():8.1e}", flush=True)


if __name__ == "__main__":
    main()
