# SPDX-License-Identifier: EPL-2.0
"""NVIDIA cuOpt through its C interface (cuopt_c.h of libcuopt-mathopt-cu13 26.10), by ctypes.

The variable CUOPT_LIBRARY names libcuopt_mathopt.so; without it the loader looks for it, and then
the folder of an installed package libcuopt_mathopt. Wheels that are enough: libcuopt-mathopt-cu13,
libcuopt-client, librmm-cu13, rapids-logger, nvidia-cudss-cu13 below 0.8, and NVIDIA's cuBLAS,
cuSPARSE, nvJitLink and NCCL.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import pathlib
import time
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_void_p

import numpy as np

from answers import Answer
from dense_problems import Array, DenseProblem

METHODS = {"concurrent": 0, "pdlp": 1, "dual": 2, "barrier": 3}
_STATUSES = {
    1: "optimal", 2: "infeasible", 3: "unbounded", 4: "iteration_limit", 5: "time_limit",
    6: "numerical", 7: "feasible", 9: "stopped", 11: "infeasible_or_unbounded",
}
_MINIMIZE, _ITERATIONS = 1, 303  # CUOPT_MINIMIZE, CUOPT_SOLUTION_ATTR_LP_NUM_ITERATIONS


def _path() -> str:
    named = os.environ.get("CUOPT_LIBRARY")
    if named:
        return named
    package = importlib.util.find_spec("libcuopt_mathopt")
    if package is not None and package.origin is not None:
        return str(pathlib.Path(package.origin).parent / "lib64" / "libcuopt_mathopt.so")
    return "libcuopt_mathopt.so"


@functools.cache
def _library() -> ctypes.CDLL:
    """Raises OSError if it can't be loaded."""
    dll = ctypes.CDLL(_path())
    handle, array = POINTER(c_void_p), c_void_p
    dll.cuOptCreateRangedProblem.argtypes = [
        c_int32, c_int32, c_int32, c_double, *[array] * 9, handle,
    ]
    dll.cuOptCreateSolverSettings.argtypes = [handle]
    dll.cuOptSetParameter.argtypes = [c_void_p, c_char_p, c_char_p]
    dll.cuOptSetInitialPrimalSolution.argtypes = [c_void_p, array, c_int32]
    dll.cuOptSetInitialDualSolution.argtypes = [c_void_p, array, c_int32]
    dll.cuOptSolve.argtypes = [c_void_p, c_void_p, handle]
    dll.cuOptGetTerminationStatus.argtypes = [c_void_p, POINTER(c_int32)]
    dll.cuOptGetSolutionIntAttribute.argtypes = [c_void_p, c_int32, POINTER(c_int32)]
    dll.cuOptGetErrorString.argtypes = [c_void_p, POINTER(c_char), c_int32]
    dll.cuOptGetPrimalSolution.argtypes = [c_void_p, array]
    dll.cuOptGetDualSolution.argtypes = [c_void_p, array]
    for name in ("DestroyProblem", "DestroySolverSettings", "DestroySolution"):
        function = getattr(dll, "cuOpt" + name)
        function.argtypes, function.restype = [handle], None
    return dll


def version() -> str:
    numbers = [c_int32() for _ in range(3)]
    _check(_library().cuOptGetVersion(*map(byref, numbers)), "cuOptGetVersion")
    return "cuOpt " + ".".join(str(n.value) for n in numbers)


def _check(code: int, what: str) -> None:
    if code != 0:
        raise RuntimeError(f"{what} ended with {code}")


def _message(solution: c_void_p) -> str:
    text = ctypes.create_string_buffer(300)
    if not solution or _library().cuOptGetErrorString(solution, text, len(text)) != 0:
        return ""
    return text.value.decode(errors="replace").replace("\n", " ")


class Pattern:
    """The rows and columns of a full matrix as cuOpt wants them, for all problems of a size."""

    def __init__(self, rows: int, columns: int) -> None:
        self.offsets = np.arange(0, rows * columns + 1, columns, dtype=np.int32)
        self.indices = np.tile(np.arange(columns, dtype=np.int32), rows)
        self.no_row_bound = np.full(rows, -np.inf)
        self.zeros, self.no_bound = np.zeros(columns), np.full(columns, np.inf)
        self.types = np.full(columns, ord("C"), np.uint8)


class Settings:
    """Parameters. ``options`` have cuOpt's own names: crossover=True, time_limit=10.0, ..."""

    def __init__(self, method: str, tolerance: float | None = None, **options: object) -> None:
        self.handle = c_void_p()
        _check(_library().cuOptCreateSolverSettings(byref(self.handle)), "settings")
        words: dict[str, object] = {"method": METHODS[method], "log_to_console": False}
        words.update(options)
        if tolerance is not None:
            for kind in ("absolute", "relative"):
                for part in ("primal", "dual", "gap"):
                    words[f"{kind}_{part}_tolerance"] = tolerance
        for name, value in words.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            _check(_library().cuOptSetParameter(self.handle, name.encode(), text.encode()), name)

    def start_from(self, x: Array, y: Array) -> None:
        library = _library()
        _check(library.cuOptSetInitialPrimalSolution(self.handle, x.ctypes.data, x.size), "start")
        _check(library.cuOptSetInitialDualSolution(self.handle, y.ctypes.data, y.size), "start")

    def __del__(self) -> None:
        if self.handle:
            _library().cuOptDestroySolverSettings(byref(self.handle))


def solve(
    problem: DenseProblem,
    settings: Settings,
    pattern: Pattern | None = None,
    upper: Array | None = None,
) -> Answer:
    """min -c'x, A x <= b, 0 <= x <= upper. The making of the pattern counts as loading. Other
    threads may call it at the same time with settings of their own."""
    library, (rows, columns) = _library(), problem.A.shape
    begin = time.perf_counter()
    pattern = pattern or Pattern(rows, columns)
    costs, values = -problem.c, np.ascontiguousarray(problem.A)
    made, solution = c_void_p(), c_void_p()
    arrays = [
        costs, pattern.offsets, pattern.indices, values, pattern.no_row_bound, problem.b,
        pattern.zeros, pattern.no_bound if upper is None else upper, pattern.types,
    ]
    code = library.cuOptCreateRangedProblem(
        rows, columns, _MINIMIZE, 0.0, *[a.ctypes.data for a in arrays], byref(made)
    )
    _check(code, "cuOptCreateRangedProblem")
    loaded = time.perf_counter()
    try:
        code = library.cuOptSolve(made, settings.handle, byref(solution))
        answer = Answer("", loaded - begin, time.perf_counter() - loaded)
        if code != 0:
            answer.status = f"error {code} {_message(solution)}".strip()
            return answer
        status, iterations = c_int32(), c_int32()
        _check(library.cuOptGetTerminationStatus(solution, byref(status)), "status")
        answer.status = _STATUSES.get(status.value, str(status.value))
        if library.cuOptGetSolutionIntAttribute(solution, _ITERATIONS, byref(iterations)) == 0:
            answer.iterations = iterations.value
        x, y = np.empty(columns), np.empty(rows)
        if library.cuOptGetPrimalSolution(solution, x.ctypes.data) == 0:
            answer.x = x
            if library.cuOptGetDualSolution(solution, y.ctypes.data) == 0:
                answer.y = y
        answer.solve = time.perf_counter() - loaded
        return answer
    finally:
        if solution:
            library.cuOptDestroySolution(byref(solution))
        library.cuOptDestroyProblem(byref(made))
