# SPDX-License-Identifier: EPL-2.0
"""Solves the dense problems of bench_dense by other solvers, from NumPy arrays, one by one:

    python3 single.py --solver cuopt/barrier --family origin --size 2000x1000 --size 5000x2500

One line a problem with the seconds of loading and of the solve and the residuals, which are
computed alike for all. Each solver first solves a problem of 100 x 50 that is not counted; MPAX,
which compiles for each shape, makes one iteration on each. What doesn't look at the clock is ended
by `timeout`.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable

import answers
from answers import Answer
from dense_problems import FAMILIES, DenseProblem, dense_problem, size_of

Solve = Callable[[DenseProblem], Answer]
Arguments = argparse.Namespace  # with one tolerance; None: the solver's own


def prepared(solve: Solve) -> Solve:
    """The same after its first call, which opens libraries and the device."""
    solve(dense_problem("origin", 100, 50))
    return solve


def cuopt(arguments: Arguments, method: str, **options: object) -> tuple[str, Solve]:
    import cuopt_library

    settings = cuopt_library.Settings(
        method, arguments.tolerance, time_limit=arguments.limit, **options
    )
    return cuopt_library.version(), prepared(lambda p: cuopt_library.solve(p, settings))


@functools.cache
def mpax_made():  # one serves all tolerances
    import mpax_solver

    return mpax_solver.version(), mpax_solver.MpaxSolver(), set()


def mpax(arguments: Arguments) -> tuple[str, Solve]:
    version, solver, shapes = mpax_made()

    def solve(problem: DenseProblem) -> Answer:
        if problem.A.shape not in shapes:
            print(f"compiled in {solver.compile(problem):.1f} s", file=sys.stderr)
            shapes.add(problem.A.shape)
        return solver.solve(problem, arguments.tolerance or 1e-4, arguments.iteration_limit)

    return version, solve


def highs(arguments: Arguments, solver: str, crossover: bool) -> tuple[str, Solve]:
    import cpu_solvers

    return cpu_solvers.highs_version(), prepared(
        lambda p: cpu_solvers.highs_solve(p, arguments.limit, arguments.threads, solver, crossover)
    )


def clp(arguments: Arguments, crossover: bool) -> tuple[str, Solve]:
    import cpu_solvers

    return "Clp", prepared(lambda p: cpu_solvers.clp_barrier(p, arguments.limit, crossover))


def osi_cuda(arguments: Arguments, **options: object) -> tuple[str, Solve]:
    import cpu_solvers
    import osi_cuda as package

    return f"osi_cuda {package.__version__}", prepared(
        lambda p: cpu_solvers.osi_cuda_solve(p, time_limit=arguments.limit, **options)
    )


SOLVERS: dict[str, Callable[[Arguments], tuple[str, Solve]]] = {
    "cuopt/barrier": lambda a: cuopt(a, "barrier", crossover=False),
    "cuopt/barrier+crossover": lambda a: cuopt(a, "barrier", crossover=True),
    "cuopt/pdlp": lambda a: cuopt(a, "pdlp", crossover=False),
    "cuopt/dual": lambda a: cuopt(a, "dual"),
    "cuopt/concurrent": lambda a: cuopt(a, "concurrent"),
    "mpax/r2hpdhg": mpax,
    "highs/ipx": lambda a: highs(a, "ipx", crossover=False),
    "highs/ipx+crossover": lambda a: highs(a, "ipx", crossover=True),
    "highs/hipo": lambda a: highs(a, "hipo", crossover=False),
    "highs/hipo+crossover": lambda a: highs(a, "hipo", crossover=True),
    "clp/barrier": lambda a: clp(a, crossover=False),
    "clp/barrier+crossover": lambda a: clp(a, crossover=True),
    "osi_cuda/cuda/barrier": lambda a: osi_cuda(a, engine="cuda", algorithm="barrier"),
    "osi_cuda/cuda/auto": lambda a: osi_cuda(a, engine="cuda"),
    "osi_cuda/host/barrier": lambda a: osi_cuda(a, engine="host", algorithm="barrier"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Other solvers on dense problems of bench_dense.")
    parser.add_argument("--solver", choices=SOLVERS, required=True)
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--size", type=size_of, action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=1, help="solves that are printed [1]")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each solve [60]")
    parser.add_argument("--iteration-limit", type=int, default=200000, help="of MPAX [200000]")
    parser.add_argument(
        "--tolerance", type=float, action="append", help="relative and absolute [the solver's own]"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of HiGHS [all cores]")
    arguments = parser.parse_args()
    solvers: dict[str, Solve] = {}
    try:
        for tolerance in arguments.tolerance or [None]:
            name = arguments.solver + ("" if tolerance is None else f" {tolerance:.0e}")
            own = argparse.Namespace(**{**vars(arguments), "tolerance": tolerance})
            version, solvers[name] = SOLVERS[arguments.solver](own)
    except (ImportError, OSError, RuntimeError) as error:
        print(f"{arguments.solver} can't be had: {error}", file=sys.stderr)
        return 69
    print(f"{version}\n{answers.HEADER}", flush=True)
    for size in arguments.size or [(1000, 500)]:
        for family in arguments.family or ["origin"]:
            problem = dense_problem(family, *size, arguments.seed)
            for name, solve in solvers.items():
                for _ in range(arguments.repeats):
                    print(answers.row(problem, name, solve(problem)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
