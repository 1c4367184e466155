# SPDX-License-Identifier: EPL-2.0
"""Random variants of random problems beside single solves of each.

    python lab/evidence/random_variants.py --count 200000 --engine cuda --processes 16
"""

import argparse
import multiprocessing

import numpy as np

import osi_cuda

PER_PROBLEM = 500


def draw(seed):
    """A problem, and costs, column bounds and right-hand sides of its variants."""
    random = np.random.default_rng(seed)
    m, n = random.integers(3, 25, 2)
    A = random.normal(size=(m, n)) * (random.uniform(size=(m, n)) < random.uniform(0.2, 1.0))
    point = random.uniform(0, 1, n)
    c, rhs = random.normal(size=n), A @ point + random.uniform(0, 1, m)
    upper = np.where(random.uniform(size=n) < 0.7, random.uniform(1, 3, n), np.inf)
    shape = PER_PROBLEM, n
    costs = np.where(random.uniform(size=shape) < 0.3, random.normal(size=shape), np.nan)
    lower = np.where(random.uniform(size=shape) < 0.1, random.uniform(-1, 1.2, shape), np.nan)
    sides = rhs + random.normal(size=(PER_PROBLEM, m)) * random.choice([0.1, 1.0])
    return (c, A, rhs, upper), {"costs": costs, "lower": lower, "rhs": sides}


def problem_of(seed):
    (c, A, rhs, upper), changes = draw(seed)
    return osi_cuda.Problem(c, A, row_upper=rhs, upper=upper), changes


def single(seed):
    problem, changes = problem_of(seed)
    problem.set_options(engine="host", threads=1)
    costs, (lower, upper) = problem.costs.copy(), problem.column_bounds
    answers = []
    for k in range(PER_PROBLEM):
        own = changes["costs"][k], changes["lower"][k]
        problem.set_costs(np.where(np.isnan(own[0]), costs, own[0]))
        problem.set_bounds(np.where(np.isnan(own[1]), lower, own[1]), upper)
        problem.set_right_hand_sides(changes["rhs"][k])
        problem.basis = None
        found = problem.solve()
        answers.append((int(found.status), found.objective if found.optimal else 0.0))
    return np.array(answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200000)
    parser.add_argument("--engine", default="cuda")
    parser.add_argument("--processes", type=int, default=16)
    chosen = parser.parse_args()
    seeds = range(chosen.count // PER_PROBLEM)
    with multiprocessing.get_context("spawn").Pool(chosen.processes) as pool:
        expected = pool.map(single, seeds, chunksize=1)
    other, worst, again, kinds = 0, 0.0, 0, {}
    for seed, theirs in zip(seeds, expected):
        problem, changes = problem_of(seed)
        answer = problem.variants(what=(), engine=chosen.engine, **changes)
        again += answer.again
        other += (answer.status != theirs[:, 0]).sum()
        apart = np.abs(answer.objective - theirs[:, 1]) / (1 + np.abs(theirs[:, 1]))
        worst = max(worst, apart[answer.status == theirs[:, 0]].max())
        for status, number in zip(*np.unique(answer.status, return_counts=True)):
            name = osi_cuda.Status(status).name.lower()
            kinds[name] = kinds.get(name, 0) + int(number)
    print(f"{chosen.count} variants of {len(seeds)} problems: {kinds}")
    print(f"another status than alone: {other}; objectives at most {worst:.1e} apart; {again} by the ordinary solver")


if __name__ == "__main__":
    main()
