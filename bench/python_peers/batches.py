# SPDX-License-Identifier: EPL-2.0
"""Batches of small dense problems (those of bench_batch) by MPAX under jax.vmap, by cuOpt and by
this project, from NumPy arrays to NumPy arrays:

    python3 batches.py --solver mpax --count 1000 --count 10000 --size 50x50 --tolerance 1e-4

All problems of a batch are different, of seeds 1, 2, ... Residuals are relative, as in single.py,
and the error of an objective is relative to what this project's batch says: the largest of all.
cuOpt's C interface takes one problem a call (its packages for Python do the same on threads), so
--threads solve side by side, as many problems as they come to in --limit seconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from answers import Answer
from cuopt_library import METHODS
from dense_problems import FAMILIES, Array, DenseProblem, dense_batch, size_of

HEADER = (
    "| problems | solver | ended | seconds | a second | primal | dual | gap | objective |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def own_objectives(problem: DenseProblem) -> Array:
    """Proved optima, by this project's batch."""
    import osi_cuda

    answer = osi_cuda.solve_batch(problem.c, problem.A, None, problem.b, sense="max")
    if not (answer.status == osi_cuda.Status.OPTIMAL).all():
        raise RuntimeError("not all problems have an optimum")
    return answer.objective


def worst(problem: DenseProblem, x: Array, y: Array, objectives: Array) -> list[float]:
    """The largest primal and dual residual, gap and error of the objective of all problems."""
    c, A, b = problem.c, problem.A, problem.b
    y = np.where(y.sum(axis=1, keepdims=True) < 0, -y, y)
    scale_b, scale_c = 1 + np.abs(b).max(axis=1), 1 + np.abs(c).max(axis=1)
    over = np.maximum((np.einsum("kij,kj->ki", A, x) - b).max(axis=1), (-x).max(axis=1))
    under = np.maximum((c - np.einsum("kij,ki->kj", A, y)).max(axis=1), (-y).max(axis=1))
    value, bound = (c * x).sum(axis=1), (b * y).sum(axis=1)
    gap = np.abs(value - bound) / (1 + np.abs(value) + np.abs(bound))
    error = np.abs(value - objectives) / (1 + np.abs(objectives))
    parts = (np.maximum(over, 0) / scale_b, np.maximum(under, 0) / scale_c, gap, error)
    return [float(part.max()) for part in parts]


def report(
    problem: DenseProblem, solver: str, ended: str, seconds: float, x: Array, y: Array,
    objectives: Array,
) -> None:
    cells = [problem.name, solver, ended, f"{seconds:.4f}", f"{len(x) / seconds:,.0f}"]
    cells += [f"{value:.0e}" for value in worst(problem, x, y, objectives)]
    print(f"| {' | '.join(cells)} |", flush=True)


def first_of(problem: DenseProblem, count: int) -> DenseProblem:
    name = f"{count} {problem.name.partition(' x ')[2]}"
    return DenseProblem(name, problem.c[:count], problem.A[:count], problem.b[:count])


def by_mpax(all_problems: DenseProblem, objectives: Array, arguments: argparse.Namespace) -> None:
    import mpax_solver

    print(mpax_solver.version())
    print(HEADER)
    solver = mpax_solver.MpaxSolver(batch=True)
    for count in arguments.count:
        problem = first_of(all_problems, count)
        print(f"compiled in {solver.compile(problem):.1f} s", file=sys.stderr)
        for tolerance in arguments.tolerance:
            answer = solver.solve(problem, tolerance, arguments.iteration_limit)
            ended = f"{answer.status}, {answer.iterations} iterations"
            seconds = answer.load + answer.solve
            report(
                problem, f"MPAX {tolerance:.0e}", ended, seconds, answer.x, answer.y,
                objectives[:count],
            )


def by_cuopt(all_problems: DenseProblem, objectives: Array, arguments: argparse.Namespace) -> None:
    import cuopt_library

    print(cuopt_library.version())
    print(HEADER)
    for tolerance in arguments.tolerance:
        cuopt_to(tolerance, all_problems, objectives, arguments)


def cuopt_to(
    tolerance: float, all_problems: DenseProblem, objectives: Array, arguments: argparse.Namespace
) -> None:
    """Problem t, t + threads, ... on thread t, until time is up."""
    import cuopt_library

    count, rows, columns = all_problems.A.shape
    threads, pattern = arguments.threads, cuopt_library.Pattern(rows, columns)
    settings = [
        cuopt_library.Settings(arguments.method, tolerance, num_cpu_threads=1, time_limit=10.0)
        for _ in range(threads)
    ]

    def one(k: int, t: int) -> Answer:
        problem = DenseProblem("", all_problems.c[k], all_problems.A[k], all_problems.b[k])
        return cuopt_library.solve(problem, settings[t], pattern)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(threads), range(threads)))
        begin = time.perf_counter()

        def share(t: int) -> list[tuple[int, Answer]]:
            done = []
            for k in range(t, count, threads):
                if time.perf_counter() - begin > arguments.limit:
                    break
                done.append((k, one(k, t)))
            return done

        parts = [part for own in pool.map(share, range(threads)) for part in own]
    seconds = time.perf_counter() - begin
    right = [(k, a) for k, a in parts if a.status == "optimal" and a.y is not None]
    if not right:
        print(f"none of {len(parts)} optimal: {parts[0][1].status}", flush=True)
        return
    chosen = [k for k, _ in right]
    solved = DenseProblem(
        f"{len(parts)} {all_problems.name.partition(' x ')[2]}",
        all_problems.c[chosen], all_problems.A[chosen], all_problems.b[chosen],
    )
    report(
        solved, f"cuOpt {arguments.method} {tolerance:.0e}, {threads} threads",
        f"optimal {len(right)} of {len(parts)}", seconds,
        np.stack([a.x for _, a in right]), np.stack([a.y for _, a in right]), objectives[chosen],
    )


def by_osi_cuda(
    all_problems: DenseProblem, objectives: Array, arguments: argparse.Namespace
) -> None:
    import osi_cuda

    print(f"osi_cuda {osi_cuda.__version__}")
    print(HEADER)
    solver = osi_cuda.BatchSolver(engine=arguments.engine)
    for count in arguments.count:
        problem = first_of(all_problems, count)
        seconds = float("inf")
        for _ in range(4):  # buffers are made by the first
            begin = time.perf_counter()
            answer = solver.solve(problem.c, problem.A, None, problem.b, sense="max")
            seconds = min(seconds, time.perf_counter() - begin)
        optimal = int((answer.status == osi_cuda.Status.OPTIMAL).sum())
        report(
            problem, f"osi_cuda {arguments.engine}", f"optimal {optimal}", seconds, answer.x,
            answer.y, objectives[:count],
        )


SOLVERS: dict[str, Callable[[DenseProblem, Array, argparse.Namespace], None]] = {
    "mpax": by_mpax, "cuopt": by_cuopt, "osi_cuda": by_osi_cuda,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Batches of small dense problems.")
    parser.add_argument("--solver", choices=SOLVERS, required=True)
    parser.add_argument("--family", choices=FAMILIES, default="uniform")
    parser.add_argument("--size", type=size_of, default=(50, 50))
    parser.add_argument("--count", type=int, action="append", help="problems, any number of times")
    parser.add_argument(
        "--tolerance", type=float, action="append", help="of first-order methods [1e-4]"
    )
    parser.add_argument("--iteration-limit", type=int, default=100000, help="of MPAX [100000]")
    parser.add_argument("--method", default="pdlp", choices=METHODS, help="of cuOpt")
    parser.add_argument("--threads", type=int, default=1, help="of cuOpt's problems [1]")
    parser.add_argument("--limit", type=float, default=2.0, help="seconds, of cuOpt [2]")
    parser.add_argument("--engine", default="auto", help="of this project: auto, cuda, host")
    arguments = parser.parse_args()
    arguments.count = arguments.count or [1000]
    arguments.tolerance = arguments.tolerance or [1e-4]
    try:
        problem = dense_batch(arguments.family, *arguments.size, max(arguments.count))
        SOLVERS[arguments.solver](problem, own_objectives(problem), arguments)
    except (ImportError, OSError) as error:
        print(f"{arguments.solver} can't be had: {error}", file=sys.stderr)
        return 69
    return 0


if __name__ == "__main__":
    sys.exit(main())
