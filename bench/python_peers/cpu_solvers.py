# SPDX-License-Identifier: EPL-2.0
"""HiGHS (highspy; HiPO needs highspy-extras), the barrier method of Clp through the C interface of
libClp.so.1, and this project on either engine."""

from __future__ import annotations

import ctypes
import time
from ctypes import c_double, c_int, c_void_p

import numpy as np

from answers import Answer
from dense_problems import DenseProblem


def highs_version() -> str:
    import highspy

    return f"HiGHS {highspy.Highs().version()}"


def highs_problem(problem: DenseProblem, **options: object):
    """A Highs object that holds the problem, silent."""
    import highspy

    rows, columns = problem.A.shape
    highs, lp, infinity = highspy.Highs(), highspy.HighsLp(), highspy.kHighsInf
    highs.setOptionValue("output_flag", False)
    for name, value in options.items():
        if highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
            raise RuntimeError(f"this HiGHS has no {name} {value}")
    lp.num_col_, lp.num_row_ = columns, rows
    lp.col_cost_, lp.sense_ = problem.c, highspy.ObjSense.kMaximize
    lp.col_lower_, lp.col_upper_ = np.zeros(columns), np.full(columns, infinity)
    lp.row_lower_, lp.row_upper_ = np.full(rows, -infinity), problem.b
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.arange(0, rows * columns + 1, rows)
    lp.a_matrix_.index_ = np.tile(np.arange(rows), columns)
    lp.a_matrix_.value_ = problem.A.T.ravel()
    highs.passModel(lp)
    return highs


def highs_solve(
    problem: DenseProblem, limit: float, threads: int, solver: str, crossover: bool
) -> Answer:
    """By its solver "ipx", "hipo", ..."""
    begin = time.perf_counter()
    highs = highs_problem(
        problem, solver=solver, threads=threads, time_limit=limit,
        run_crossover="on" if crossover else "off",
    )
    loaded = time.perf_counter()
    highs.run()
    solution, info = highs.getSolution(), highs.getInfo()
    end = time.perf_counter()
    status = str(highs.getModelStatus()).rpartition(".k")[2].lower()
    answer = Answer(status, loaded - begin, end - loaded, info.ipm_iteration_count)
    if solution.value_valid:
        answer.x = np.array(solution.col_value)
        answer.y = np.array(solution.row_dual) if solution.dual_valid else None
    return answer


def clp_barrier(problem: DenseProblem, limit: float, crossover: bool) -> Answer:
    """Clp takes no notice of the limit within an iteration: end the process if it has to."""
    clp = ctypes.CDLL("libClp.so.1")
    pointers = ("newModel", "primalColumnSolution", "dualRowSolution")
    for name in pointers:
        getattr(clp, "Clp_" + name).restype = c_void_p
    rows, columns = problem.A.shape
    begin = time.perf_counter()
    model = c_void_p(clp.Clp_newModel())
    clp.Clp_setLogLevel(model, 0)
    clp.Clp_setMaximumSeconds.argtypes = [c_void_p, c_double]
    clp.Clp_setMaximumSeconds(model, limit)
    starts = np.arange(0, rows * columns + 1, rows, dtype=np.int32)
    indices = np.tile(np.arange(rows, dtype=np.int32), columns)
    arrays = [
        starts, indices, problem.A.T.ravel(), np.zeros(columns), np.full(columns, np.inf),
        -problem.c, np.full(rows, -np.inf), problem.b,
    ]
    clp.Clp_loadProblem.argtypes = [c_void_p, c_int, c_int, *[c_void_p] * 8]
    clp.Clp_loadProblem(model, columns, rows, *[a.ctypes.data for a in arrays])
    loaded = time.perf_counter()
    solve = clp.Clp_initialBarrierSolve if crossover else clp.Clp_initialBarrierNoCrossSolve
    solve.argtypes = [c_void_p]
    solve(model)
    end = time.perf_counter()
    code = clp.Clp_status(model)
    status = {0: "optimal", 1: "infeasible", 2: "unbounded", 3: "limit"}.get(code, str(code))

    def values(name: str, count: int):
        address = getattr(clp, "Clp_" + name)(model)
        return np.ctypeslib.as_array((c_double * count).from_address(address)).copy()

    return Answer(
        status, loaded - begin, end - loaded, clp.Clp_numberIterations(model),
        values("primalColumnSolution", columns), values("dualRowSolution", rows),
    )


def osi_cuda_solve(problem: DenseProblem, **options: object) -> Answer:
    """By linprog on the array as it lies. What is not its ``seconds`` counts as loading."""
    import osi_cuda

    begin = time.perf_counter()
    result = osi_cuda.linprog(-problem.c, problem.A, problem.b, options=options)
    whole = time.perf_counter() - begin
    status = "optimal" if result.success else f"status {result.status}"
    y = None if result.x is None else result.ineqlin.marginals
    return Answer(status, whole - result.seconds, result.seconds, result.nit, result.x, y)
