# SPDX-License-Identifier: EPL-2.0
"""Solvers behind one small interface. A maker of a solver takes (lp, settings) and returns an object with
`solve()`; where it has `change(**arrays)` re-solves start from what it kept, where it has `many(changes)` or
`batch(lps)` it takes a table's series in one call. ImportError, OSError and RuntimeError while a solver is
opened mean that it is not there.

To add one: a class here, an entry in SOLVERS.
"""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import importlib.metadata
import importlib.util
import os
import pathlib
from collections.abc import Callable
from ctypes import byref, c_double, c_int, c_int32, c_void_p
from typing import Any

import numpy as np
import scipy.sparse as sp

from .families import with_ones
from .problem import LP

Array = Any


@dataclasses.dataclass
class Answer:
    """``y``: multipliers of the rows of the minimisation; None where the solver has none."""

    status: str
    x: Array | None = None
    y: Array | None = None


@dataclasses.dataclass
class Settings:
    limit: float = 20.0  # wall seconds that the solver is told
    threads: int = 1
    tolerance: float | None = None  # asked of methods that take one
    options: dict[str, Any] = dataclasses.field(default_factory=dict)  # of the solver's entry


# ---- this project -----------------------------------------------------------------------------------------------

class OsiCuda:
    def __init__(self, lp: LP, settings: Settings) -> None:
        import osi_cuda

        self.options = {"threads": settings.threads, **settings.options}
        self.problem = osi_cuda.Problem(
            lp.c, lp.A, lp.row_lower, lp.row_upper, lp.lower, lp.upper, copy=False, time_limit=settings.limit,
            **self.options)

    def solve(self) -> Answer:
        found = self.problem.solve()
        return Answer(found.status.name.lower(), found.x, found.duals)

    def change(self, c: Array = None, lower: Array = None, upper: Array = None, row_lower: Array = None,
               row_upper: Array = None) -> None:
        if c is not None:
            self.problem.set_costs(c)
        if lower is not None or upper is not None:
            self.problem.set_bounds(lower, upper)
        if row_lower is not None or row_upper is not None:
            self.problem.set_row_bounds(row_lower, row_upper)

    def many(self, changes: list[dict[str, Array]]) -> list[Answer]:
        names = {"c": "costs"}
        arrays = {names.get(k, k): np.array([change[k] for change in changes]) for k in changes[0]}
        return _unpacked(self.problem.variants(**arrays, what=("x", "y"), **self.options))

    @staticmethod
    def batch(lps: list[LP], settings: Settings) -> list[Answer]:
        import osi_cuda

        stacked = [np.array([getattr(lp, name) for lp in lps])
                   for name in ("c", "A", "row_lower", "row_upper", "lower", "upper")]
        return _unpacked(osi_cuda.solve_batch(*stacked, threads=settings.threads, **settings.options))


def _unpacked(found: Any) -> list[Answer]:
    return [Answer("optimal" if status == 0 else "failed", x, y) for status, x, y in zip(found.status, found.x, found.y)]


class Estimator:
    """This project's functions for the task itself; None for a task that they have not."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        self.lp, self.options = lp, {"threads": settings.threads, "time_limit": settings.limit, **settings.options}

    def solve(self) -> Answer:
        from osi_cuda import estimators, games

        kind, data = self.lp.native or ("", {})
        options = {"solver_options": self.options}
        if kind in ("quantile", "deviations"):
            tau = data.get("quantile", 0.5)
            model = estimators.QuantileRegressor(quantile=tau, alpha=0.0, **options).fit(data["X"], data["y"])
            b, v = model.solution_.coef, model.solution_.duals
            r = data["y"] - with_ones(data["X"]) @ b
            if kind == "quantile":
                return Answer("optimal", np.concatenate([b, np.maximum(r, 0), np.maximum(-r, 0)]), v)
            return Answer("optimal", np.append(b, np.abs(r)), np.concatenate([v - 0.5, -v - 0.5]))
        if kind in ("chebyshev", "filter"):
            intercept = kind == "chebyshev"
            model = estimators.ChebyshevRegressor(fit_intercept=intercept, **options).fit(data["X"], data["y"])
            b = np.append(model.coef_, model.intercept_)[: self.lp.c.size - 1]
            return Answer("optimal", np.append(b, model.deviation_),
                          np.concatenate([np.minimum(model.duals_, 0), -np.maximum(model.duals_, 0)]))
        if kind == "machine":
            found = estimators.L1SVC(C=data["C"], **options).fit(data["X"], data["y"]).solution_
            b = found.coef
            slack = np.maximum(0, 1 - np.where(data["y"], 1, -1) * (with_ones(data["X"]) @ b))
            return Answer("optimal", np.concatenate([np.maximum(b[:-1], 0), np.maximum(-b[:-1], 0), b[-1:], slack]),
                          found.duals)
        if kind == "game":
            found = games.solve(data["payoffs"], exact=False, **self.options)
            y = found.solution.duals
            return Answer("optimal", found.solution.x, np.append(y[:-1], -y[-1]))
        raise NotImplementedError


def _filter(lp: LP, taps: Array) -> Array:
    half = taps[len(taps) // 2:] * 2
    half[0] /= 2
    A, m = lp.A[: lp.A.shape[0] // 2, :-1], lp.A.shape[0] // 2
    return np.append(half, np.abs(A @ half - lp.row_upper[:m]).max())


# ---- HiGHS ------------------------------------------------------------------------------------------------------

class Highs:
    """Options: HiGHS's own names."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        import highspy

        A, self.highs, model = lp.sparse, highspy.Highs(), highspy.HighsLp()
        words = {"output_flag": False, "time_limit": settings.limit, "threads": settings.threads, **settings.options}
        if settings.tolerance is not None:
            words["ipm_optimality_tolerance"] = settings.tolerance
        for name, value in words.items():
            if self.highs.setOptionValue(name, value) != highspy.HighsStatus.kOk:
                raise RuntimeError(f"this HiGHS has no {name} {value}")
        self.rows, self.columns = A.shape
        model.num_row_, model.num_col_ = A.shape
        model.col_cost_, model.col_lower_, model.col_upper_ = lp.c, lp.lower, lp.upper
        model.row_lower_, model.row_upper_ = lp.row_lower, lp.row_upper
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_, model.a_matrix_.index_, model.a_matrix_.value_ = A.indptr, A.indices, A.data
        self.highs.passModel(model)
        self.held = {name: getattr(lp, name) for name in ("lower", "upper", "row_lower", "row_upper")}

    def solve(self) -> Answer:
        self.highs.run()
        solution = self.highs.getSolution()
        status = str(self.highs.getModelStatus()).rpartition(".k")[2].lower()
        if not solution.value_valid:
            return Answer(status)
        y = np.array(solution.row_dual) if solution.dual_valid else None
        return Answer(status, np.array(solution.col_value), y)

    def change(self, c: Array = None, **sides: Array) -> None:
        columns, rows = (np.arange(count, dtype=np.int32) for count in (self.columns, self.rows))
        self.held.update(sides)
        if c is not None:
            self.highs.changeColsCost(self.columns, columns, c)
        if "lower" in sides or "upper" in sides:
            self.highs.changeColsBounds(self.columns, columns, self.held["lower"], self.held["upper"])
        if "row_lower" in sides or "row_upper" in sides:
            self.highs.changeRowsBounds(self.rows, rows, self.held["row_lower"], self.held["row_upper"])


# ---- Clp --------------------------------------------------------------------------------------------------------

class Clp:
    """The C interface of libClp.so.1. Option "method": DualSolve, PrimalSolve, BarrierSolve, with presolve."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        self.clp, A = ctypes.CDLL("libClp.so.1"), lp.sparse
        for name in ("newModel", "primalColumnSolution", "dualRowSolution"):
            getattr(self.clp, "Clp_" + name).restype = c_void_p
        self.method, (self.rows, self.columns) = settings.options["method"], A.shape
        self.model = c_void_p(self.clp.Clp_newModel())
        self.clp.Clp_setLogLevel(self.model, 0)
        self.clp.Clp_setMaximumSeconds(self.model, c_double(settings.limit))
        arrays = [A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data, lp.lower, lp.upper, lp.c,
                  lp.row_lower, lp.row_upper]
        self.clp.Clp_loadProblem(self.model, c_int(self.columns), c_int(self.rows),
                                 *[c_void_p(a.ctypes.data) for a in arrays])
        self.first = True

    def solve(self) -> Answer:
        if self.first:
            getattr(self.clp, "Clp_initial" + self.method)(self.model)
        else:
            self.clp.Clp_dual(self.model, c_int(0))
        self.first = False
        status = self.clp.Clp_status(self.model)
        values = [np.ctypeslib.as_array((c_double * count).from_address(getattr(self.clp, f"Clp_{name}")(self.model))).copy()
                  for name, count in (("primalColumnSolution", self.columns), ("dualRowSolution", self.rows))]
        return Answer({0: "optimal", 3: "limit"}.get(status, f"status {status}"), *values)

    def change(self, **parts: Array) -> None:
        calls = {"c": "ObjCoefficients", "lower": "ColumnLower", "upper": "ColumnUpper", "row_lower": "RowLower",
                 "row_upper": "RowUpper"}
        for name, values in parts.items():
            values = np.ascontiguousarray(values)
            getattr(self.clp, "Clp_chg" + calls[name])(self.model, c_void_p(values.ctypes.data))

    def __del__(self) -> None:
        if hasattr(self, "model"):
            self.clp.Clp_deleteModel(self.model)


# ---- cuOpt ------------------------------------------------------------------------------------------------------

@functools.cache
def _cuopt() -> ctypes.CDLL:
    """cuopt_c.h of libcuopt-mathopt-cu13 26.10: CUOPT_LIBRARY, an installed package, or what the loader finds."""
    path = os.environ.get("CUOPT_LIBRARY", "libcuopt_mathopt.so")
    package = importlib.util.find_spec("libcuopt_mathopt")
    if "CUOPT_LIBRARY" not in os.environ and package is not None and package.origin:
        path = str(pathlib.Path(package.origin).parent / "lib64" / path)
    return ctypes.CDLL(path)


class CuOpt:
    """Options: cuOpt's own names; method 1 PDLP, 2 dual simplex, 3 barrier. Each solve takes the problem anew."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        self.library, self.settings, A = _cuopt(), c_void_p(), lp.sparse.tocsr()
        self.call("CreateSolverSettings", byref(self.settings))
        words = {"log_to_console": False, "time_limit": settings.limit, "num_cpu_threads": settings.threads,
                 **settings.options}
        for kind in ("absolute", "relative") if settings.tolerance is not None else ():
            words |= {f"{kind}_{part}_tolerance": settings.tolerance for part in ("primal", "dual", "gap")}
        for name, value in words.items():
            self.call("SetParameter", self.settings, name.encode(), str(value).lower().encode())
        self.shape, self.problem = A.shape, c_void_p()
        types = np.full(A.shape[1], ord("C"), np.uint8)
        arrays = [lp.c, A.indptr.astype(np.int32), A.indices.astype(np.int32), A.data, lp.row_lower, lp.row_upper,
                  lp.lower, lp.upper, types]
        self.call("CreateRangedProblem", *map(c_int32, A.shape), c_int32(1), c_double(0.0),
                  *[c_void_p(a.ctypes.data) for a in arrays], byref(self.problem))

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self.library, "cuOpt" + name)(*arguments)
        if code != 0:
            raise RuntimeError(f"cuOpt{name} ended with {code}")

    def solve(self) -> Answer:
        solution, status = c_void_p(), c_int32()
        x, y = np.empty(self.shape[1]), np.empty(self.shape[0])
        self.call("Solve", self.problem, self.settings, byref(solution))
        self.call("GetTerminationStatus", solution, byref(status))
        self.call("GetPrimalSolution", solution, c_void_p(x.ctypes.data))
        dual = self.library.cuOptGetDualSolution(solution, c_void_p(y.ctypes.data)) == 0
        self.library.cuOptDestroySolution(byref(solution))
        return Answer({1: "optimal", 5: "limit"}.get(status.value, f"status {status.value}"), x, y if dual else None)

    def __del__(self) -> None:
        for name in ("problem", "settings"):
            if getattr(self, name, None):
                getattr(self.library, "cuOptDestroy" + {"problem": "Problem", "settings": "SolverSettings"}[name])(
                    byref(getattr(self, name)))


# ---- MPAX -------------------------------------------------------------------------------------------------------

@functools.cache
def _mpax(dense: bool) -> Any:
    """A compiled solve for each shape; tolerance and limit are arguments."""
    os.environ.setdefault("JAX_ENABLE_X64", "1")
    import jax
    from mpax import create_lp, r2HPDHG

    def solve(*arrays: Array) -> tuple[Array, Array, Array]:
        *parts, tolerance, limit = arrays
        solver = r2HPDHG(eps_abs=tolerance, eps_rel=tolerance, iteration_limit=limit, verbose=False)
        found = solver.optimize(create_lp(*parts, use_sparse_matrix=not dense))
        return found.primal_solution, found.dual_solution, found.termination_status

    return jax.jit(solve)


class Mpax:
    """r2HPDHG (first-order, JAX) in double precision. Rows with two sides become two."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        dense = isinstance(lp.A, np.ndarray)
        self.solver, self.size = _mpax(dense), lp.A.shape[0]
        self.limits = settings.tolerance or 1e-4, int(settings.options.get("iteration_limit", 200000))
        low, high = lp.row_lower, lp.row_upper
        self.equal = np.flatnonzero(low == high)
        self.above, self.below = (np.flatnonzero(np.isfinite(side) & (low != high)) for side in (low, high))
        A = lp.A if dense else lp.sparse.tocsr()
        stack = np.vstack if dense else functools.partial(sp.vstack, format="csr")
        matrices = A[self.equal], stack([A[self.above], -A[self.below]])
        if not dense:
            from jax.experimental.sparse import BCSR

            matrices = tuple(BCSR.from_scipy_sparse(sp.csr_matrix(M)) for M in matrices)
        sides = low[self.equal], np.concatenate([low[self.above], -high[self.below]])
        self.arrays = lp.c, matrices[0], sides[0], matrices[1], sides[1], lp.lower, lp.upper

    def solve(self) -> Answer:
        x, z, status = (np.asarray(a, float) for a in self.solver(*self.arrays, *self.limits))
        e, a, y = self.equal.size, self.above.size, np.zeros(self.size)
        y[self.equal] = z[:e]
        y[self.above] += z[e:e + a]
        y[self.below] -= z[e + a:]
        from mpax.utils import TerminationStatus

        return Answer(TerminationStatus(int(status)).name.lower(), x, y)


# ---- functions for the task ---------------------------------------------------------------------------------------

@functools.cache
def _r(package: str) -> Any:
    """A package of R, by rpy2 (3.5 for R 4.2)."""
    from rpy2.robjects.packages import importr

    return importr(package)


def _fitted(by: str, X: Array, y: Array, tau: float) -> tuple[Array, Array | None]:
    """Coefficients, the intercept last, and the multipliers of the observations where they are known."""
    if by == "scikit-learn":
        from sklearn.linear_model import QuantileRegressor

        model = QuantileRegressor(quantile=tau, alpha=0.0).fit(X, y)
        return np.append(model.coef_, model.intercept_), None
    if by == "statsmodels":
        from statsmodels.regression.quantile_regression import QuantReg

        return np.asarray(QuantReg(y, with_ones(X)).fit(q=tau, max_iter=5000).params), None
    if by == "pyfixest":
        import pandas
        import pyfixest

        data = pandas.DataFrame(np.column_stack([y, X])).add_prefix("v")
        return np.roll(pyfixest.quantreg("v0 ~ " + " + ".join(data.columns[1:]), data, quantile=tau).coef(), -1), None
    fitted = _r("conquer" if by == "conquer" else "quantreg")
    from rpy2.robjects import FloatVector, r

    Z = X if by == "conquer" else with_ones(X)
    matrix, target = r.matrix(FloatVector(Z.ravel(order="F")), nrow=y.size), FloatVector(y)
    if by == "conquer":
        return np.roll(fitted.conquer(matrix, target, tau=tau).rx2("coeff"), -1), None
    found = fitted.rq_fit(matrix, target, tau=tau, method=by)
    return np.array(found.rx2("coefficients")), np.array(found.rx2("dual")) - (1 - tau) if by == "br" else None


class Task:
    """Other packages' functions for the task. Option "by" names one."""

    def __init__(self, lp: LP, settings: Settings) -> None:
        self.lp, self.by = lp, settings.options["by"]

    def solve(self) -> Answer:
        kind, data = self.lp.native or ("", {})
        if self.by == "remez" and kind == "filter":
            from scipy.signal import remez

            taps = remez(data["taps"], data["bands"], data["desired"], fs=1.0, maxiter=100)
            return Answer("optimal", _filter(self.lp, taps))
        if kind != "quantile" or self.by == "remez":
            raise NotImplementedError
        b, duals = _fitted(self.by, data["X"], data["y"], data["quantile"])
        r = data["y"] - with_ones(data["X"]) @ b
        return Answer("optimal", np.concatenate([b, np.maximum(r, 0), np.maximum(-r, 0)]), duals)


# ---- all ----------------------------------------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Solver:
    """``package``: whose version is recorded; ``tolerances``: it is run to each of these; ``native``: only where the
    family has a function for the task; ``device``: it runs on a GPU."""

    make: Callable[[LP, Settings], Any]
    package: str
    options: dict[str, Any] = dataclasses.field(default_factory=dict)
    tolerances: tuple[float | None, ...] = (None,)
    native: bool = False
    device: bool = False


TO = (1e-4, 1e-6, 1e-8)
SOLVERS: dict[str, Solver] = {
    "osi_cuda": Solver(OsiCuda, "osi-cuda", {"engine": "host"}),
    "osi_cuda, GPU": Solver(OsiCuda, "osi-cuda", {"engine": "auto"}, device=True),
    "osi_cuda.estimators": Solver(Estimator, "osi-cuda", {"engine": "host"}, native=True),
    "osi_cuda.estimators, GPU": Solver(Estimator, "osi-cuda", {"engine": "auto"}, native=True, device=True),
    "HiGHS simplex": Solver(Highs, "highspy", {"solver": "simplex"}),
    "HiGHS IPX": Solver(Highs, "highspy", {"solver": "ipx", "run_crossover": "off"}, TO),
    "HiGHS IPX, crossover": Solver(Highs, "highspy", {"solver": "ipx", "run_crossover": "on"}),
    "HiGHS HiPO": Solver(Highs, "highspy", {"solver": "hipo", "run_crossover": "off"}, TO),
    "HiGHS HiPO, crossover": Solver(Highs, "highspy", {"solver": "hipo", "run_crossover": "on"}),
    "Clp dual": Solver(Clp, "Clp", {"method": "DualSolve"}),
    "Clp primal": Solver(Clp, "Clp", {"method": "PrimalSolve"}),
    "Clp barrier, crossover": Solver(Clp, "Clp", {"method": "BarrierSolve"}),
    "cuOpt barrier": Solver(CuOpt, "libcuopt-mathopt-cu13", {"method": 3, "crossover": False}, TO, device=True),
    "cuOpt barrier, crossover": Solver(CuOpt, "libcuopt-mathopt-cu13", {"method": 3, "crossover": True}, device=True),
    "cuOpt PDLP": Solver(CuOpt, "libcuopt-mathopt-cu13", {"method": 1}, TO, device=True),
    "cuOpt dual": Solver(CuOpt, "libcuopt-mathopt-cu13", {"method": 2}),
    "MPAX": Solver(Mpax, "mpax", {}, TO, device=True),
    **{by: Solver(Task, by, {"by": by}, native=True) for by in ("scikit-learn", "statsmodels", "pyfixest")},
    **{f"quantreg {by}": Solver(Task, "R: quantreg", {"by": by}, native=True) for by in ("br", "fn", "pfn")},
    "conquer": Solver(Task, "R: conquer", {"by": "conquer"}, native=True),
    "scipy.signal.remez": Solver(Task, "scipy", {"by": "remez"}, native=True),
}


def version(solver: Solver) -> str:
    if solver.package == "Clp":
        clp = ctypes.CDLL("libClp.so.1")
        clp.Clp_Version.restype = ctypes.c_char_p
        return clp.Clp_Version().decode()
    if solver.package == "osi-cuda":
        import osi_cuda

        return osi_cuda.__version__
    if solver.package.startswith("R: "):
        return str(_r(solver.package[3:]).__version__)
    return importlib.metadata.version(solver.package)
