# SPDX-License-Identifier: EPL-2.0
"""Solves one dense problem again and again, each time with one more upper bound set, by this
project, HiGHS, cuOpt and MPAX:

    python3 resolves.py --solver cuopt --method dual --size 200x100 --count 100

Each starts from what it can start from: a basis (this project, HiGHS), the last point (MPAX, and
cuOpt's PDLP), nothing (cuOpt's other methods, whose C interface takes each problem anew). The sums
of the objectives agree as far as the tolerances go.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from cuopt_library import METHODS
from dense_problems import DenseProblem, size_of

Resolve = Callable[[int, float], float]


def problem_of(rows: int, columns: int) -> DenseProblem:
    random = np.random.default_rng(2)
    A, c = random.uniform(0, 1, (rows, columns)), random.uniform(0.5, 1, columns)
    return DenseProblem(f"{rows} x {columns}", c, A, np.full(rows, columns / 4.0))


def osi_cuda(problem: DenseProblem, arguments: argparse.Namespace) -> tuple[str, Resolve]:
    from osi_cuda import Problem, __version__

    options = {} if arguments.engine == "cuda" else {"threads": 1}
    held = Problem(
        problem.c, problem.A, row_upper=problem.b, sense="max", engine=arguments.engine, **options
    )
    held.solve()

    def resolve(column: int, bound: float) -> float:
        held.set_bounds(upper=[bound], columns=[column])
        return held.solve().objective

    return f"osi_cuda {__version__} {arguments.engine}", resolve


def highs(problem: DenseProblem, _: argparse.Namespace) -> tuple[str, Resolve]:
    import cpu_solvers

    held = cpu_solvers.highs_problem(problem, threads=1)
    held.run()

    def resolve(column: int, bound: float) -> float:
        held.changeColBounds(column, 0.0, bound)
        held.run()
        return held.getInfo().objective_function_value

    return cpu_solvers.highs_version(), resolve


def cuopt(problem: DenseProblem, arguments: argparse.Namespace) -> tuple[str, Resolve]:
    import cuopt_library

    method, tolerance = arguments.method, arguments.tolerance
    settings = cuopt_library.Settings(method, tolerance if method == "pdlp" else None)
    pattern, upper = cuopt_library.Pattern(*problem.A.shape), np.full(problem.c.size, np.inf)

    def solve() -> float:
        answer = cuopt_library.solve(problem, settings, pattern, upper)
        if answer.x is None or answer.y is None:
            raise RuntimeError(f"cuOpt: {answer.status}")
        if method == "pdlp":
            settings.start_from(answer.x, answer.y)
        return float(problem.c @ answer.x)

    def resolve(column: int, bound: float) -> float:
        upper[column] = bound
        return solve()

    solve()
    name = f"{cuopt_library.version()} {method}"
    return name + (f" {tolerance:.0e}" if method == "pdlp" else ""), resolve


def mpax(problem: DenseProblem, arguments: argparse.Namespace) -> tuple[str, Resolve]:
    import mpax_solver  # before JAX, whose precision it chooses
    import jax.numpy as jnp

    solver = mpax_solver.MpaxSolver()
    arrays = tuple(jnp.asarray(a) for a in (problem.c, problem.A, problem.b))
    upper = np.full(problem.c.size, np.inf)
    point = (jnp.zeros(problem.c.size), jnp.zeros(problem.b.size))

    def solve() -> float:
        nonlocal point
        point = solver.resolve(
            arrays, upper, *point, arguments.tolerance, arguments.iteration_limit
        )
        return float(problem.c @ np.asarray(point[0]))

    def resolve(column: int, bound: float) -> float:
        upper[column] = bound
        return solve()

    solve()
    return f"{mpax_solver.version()} {arguments.tolerance:.0e}", resolve


SOLVERS = {"osi_cuda": osi_cuda, "highs": highs, "cuopt": cuopt, "mpax": mpax}


def main() -> int:
    parser = argparse.ArgumentParser(description="Re-solves of a dense problem by several solvers.")
    parser.add_argument("--solver", choices=SOLVERS, required=True)
    parser.add_argument("--size", type=size_of, default=(200, 100))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--limit", type=float, default=6.0, help="seconds; then it stops [6]")
    parser.add_argument("--engine", default="host", help="of this project: cuda or host")
    parser.add_argument("--method", default="dual", choices=METHODS, help="of cuOpt")
    parser.add_argument("--tolerance", type=float, default=1e-4, help="of these methods [1e-4]")
    parser.add_argument("--iteration-limit", type=int, default=100000, help="of MPAX [100000]")
    arguments = parser.parse_args()
    problem = problem_of(*arguments.size)
    random = np.random.default_rng(3)
    columns = random.integers(0, problem.c.size, arguments.count)
    bounds = random.uniform(0.0, 2.0, arguments.count)
    try:
        name, resolve = SOLVERS[arguments.solver](problem, arguments)
    except (ImportError, OSError) as error:
        print(f"{arguments.solver} can't be had: {error}", file=sys.stderr)
        return 69
    begin, total, done = time.perf_counter(), 0.0, 0
    for column, bound in zip(columns, bounds):
        total += resolve(int(column), float(bound))
        done += 1
        if time.perf_counter() - begin > arguments.limit:
            break
    seconds = time.perf_counter() - begin
    rate = done / seconds
    print(f"| {problem.name} | {name} | {done} | {seconds:.3f} | {rate:,.1f} | {total:.9g} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
