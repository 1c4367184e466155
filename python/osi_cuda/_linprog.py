# SPDX-License-Identifier: EPL-2.0
"""``linprog`` with the arguments and the result of SciPy's function of that name."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any, Union

import numpy as np

from ._arrays import (
    Dense, Matrix, Numbers, Sparse, Vector, as_matrix, as_matrix_there, doubles, naming, stacked, vector,
)
from ._device import OnDevice
from ._fractions import Table, is_fraction, using
from ._optimize import OptimizeResult, OptimizeWarning, impossible, linprog_result, scipys
from ._options import option_names, option_text, suggestion
from ._problem import Problem, Progress
from ._solution import Incumbent, Solution

_NOT_NEGATIVE = (0, None)
_Block = tuple[Union[Dense, Sparse, OnDevice], Vector]  # rows and their right-hand sides

# SciPy's methods and what they mean here; those that SciPy deprecates come with its warning.
_DEPRECATED = {"simplex": "primal", "revised simplex": "primal", "interior-point": "barrier"}
_ALGORITHMS = {
    "osi-cuda": "auto", "highs": "auto", "highs-ipm": "barrier", "highs-ds": "dual",
    "primal": "primal", "dual": "dual", "barrier": "barrier", "auto": "auto", **_DEPRECATED,
}
# SciPy's options and ours.
_OPTIONS = {
    "maxiter": "iteration_limit", "time_limit": "time_limit",
    "primal_feasibility_tolerance": "primal_tolerance",
    "dual_feasibility_tolerance": "dual_tolerance",
    "mip_rel_gap": "relative_gap",
}
_WITHOUT_MEANING = {  # options of SciPy that ask for what there is not, or what is always done
    "ipm_optimality_tolerance", "simplex_dual_edge_weight_strategy",
}
_OF_DEPRECATED = {  # those of SciPy's deprecated methods, which ask for details of its own code
    "autoscale", "rr", "rr_method", "bland", "maxupdate", "mast", "pivot", "alpha0", "beta", "sparse",
    "lstsq", "sym_pos", "cholesky", "pc", "ip", "permc_spec", "_sparse_presolve",
}
def linprog(
    c: Numbers,
    A_ub: Matrix | None = None,
    b_ub: Numbers | None = None,
    A_eq: Matrix | None = None,
    b_eq: Numbers | None = None,
    bounds: Any = _NOT_NEGATIVE,
    method: str = "osi-cuda",
    callback: Callable[[Progress], object] | None = None,
    options: Mapping[str, Any] | None = None,
    x0: Any = None,
    integrality: Any = None,
    *,
    basis: tuple[Any, Any] | None = None,
) -> OptimizeResult:
    """Minimises ``c @ x`` where ``A_ub @ x <= b_ub``, ``A_eq @ x == b_eq`` and
    ``lower <= x <= upper``.

    Arguments and result are those of ``scipy.optimize.linprog``, so that one takes the place of the
    other; statuses are proved. Arrays are handed over as `Problem` says.

    Parameters
    ----------
    c : array_like, shape (n,)
        Costs.
    A_ub, A_eq : array_like or SciPy's sparse matrices, shape (., n), optional
        Rows of inequalities and of equations, dense or sparse.
    b_ub, b_eq : array_like, optional
        Their right-hand sides.
    bounds : sequence of (lower, upper), or one such pair, optional
        None for a bound stands for none. As in SciPy, variables are not negative unless this says
        otherwise.
    method : str
        "osi-cuda", "primal", "dual" or "barrier". SciPy's "highs" is taken for "osi-cuda",
        "highs-ds" for "dual", "highs-ipm" for "barrier"; its deprecated "simplex" and
        "revised simplex" for "primal", "interior-point" for "barrier", with a DeprecationWarning.
    callback : callable, optional
        Called with a `Progress` every few dozen pivots, with integers with each `Incumbent`. StopIteration ends the solve with status 1,
        other exceptions are passed on.
    options : dict, optional
        SciPy's ``maxiter``, ``time_limit``, ``disp``, ``mip_rel_gap``, ``primal_feasibility_tolerance``
        and ``dual_feasibility_tolerance``, and all of `option_table` with ``_`` for ``-``. With ``disp``
        a line is printed twice a second, and one at the end.
    x0 : array_like, optional
        Has no effect, as with SciPy's methods; `basis` has.
    integrality : array_like, optional
        1 for each integer variable, else 0: a search by Cbc in linear programs of this solver, as
        `Problem.solve_integers`. Other methods than "highs" and "osi-cuda" ignore it with a warning,
        as SciPy's do. 2: semicontinuous, 0 or within the bounds; 3: semicontinuous and integer.
    basis : Basis, optional
        To start from: that of an earlier result of a problem of the same shape. Its rows are those
        of A_ub, then those of A_eq.

    Returns
    -------
    OptimizeResult
        SciPy's class as well, where ``scipy.optimize`` is imported; so is OptimizeWarning.
        x, fun, slack, con, status (0 optimal, 1 stopped by a limit, 2 infeasible, 3 unbounded, 4 no
        status could be proved), success, message, nit, ineqlin, eqlin, lower and upper (residual and
        marginals each); besides: basis, ray (status 3), farkas (status 2), proof, margin, residuals,
        seconds; objective_lower, objective_upper, objective_error, x_low and y_low as in `Solution`,
        y_low with the rows of A_ub before those of A_eq. A bound that is infinite was not found
        quickly: the options ``{"enclose": "on"}`` and ``{"exact": "on"}`` find more. With ``exact`` on
        and a ``fractions.Fraction`` among the numbers, all are taken for the rationals that they are, and
        exact_x, exact_fun and exact_y are the proved answer in fractions. With integers also mip_gap, mip_dual_bound,
        mip_node_count and point_proof; multipliers are those with the integers fixed. Without an optimum x, fun, slack and con are None or, stopped by a limit, those of
        the last point.

    Raises
    ------
    ValueError, TypeError
        What was wrong with which argument.
    """
    fractions = option_text((options or {}).get("exact", "auto")) == "on" and any(map(is_fraction, (c, A_ub, b_ub, A_eq, b_eq, bounds)))
    table = Table.of((c, A_ub, b_ub, A_eq, b_eq, bounds)) if fractions else None
    with using(table):
        costs = _side(c, "c")
        n = costs.size
        inequalities, equations = _block(A_ub, b_ub, "ub", n), _block(A_eq, b_eq, "eq", n)
        lower, upper = _bounds(bounds, n)
    method = method.lower()
    if method in _DEPRECATED:
        warnings.warn(
            f"`method='{method}'` is deprecated, as in SciPy; it stands for "
            f"'{_DEPRECATED[method]}'", DeprecationWarning, stacklevel=2,
        )
    if x0 is not None:
        warnings.warn("x0 has no effect; basis has", scipys(OptimizeWarning), stacklevel=2)
    whole, semicontinuous = _kinds(integrality, n)
    if (whole | semicontinuous).any() and method not in ("highs", "osi-cuda"):
        warnings.warn(
            f"method {method!r} takes integer variables for continuous ones, as SciPy's do",
            scipys(OptimizeWarning), stacklevel=2,
        )
        whole[:] = semicontinuous[:] = False
    settings = settings_of(method, options)

    size = _size(settings)
    wrong = (lower >= size) | (upper <= -size)
    if wrong.any():
        return impossible(int(np.flatnonzero(wrong)[0]))

    if table:
        settings["_table"] = table
    with naming(A_ub=inequalities[0], A_eq=equations[0]):
        problem = _problem(costs, inequalities, equations, (lower, upper), settings)
    if basis is not None:
        problem.basis = basis
    if semicontinuous.any():
        problem.set_semicontinuous(semicontinuous)
    solution = answer(problem, whole, callback, options)
    lower[lower <= -size], upper[upper >= size] = -np.inf, np.inf
    result = linprog_result(problem, solution, inequalities[1], equations[1], lower, upper)
    if fractions and not (whole | semicontinuous).any():
        from . import exact

        found = exact.answer(problem, solution)
        result.update(exact_x=found.x, exact_fun=found.objective, exact_y=found.y)
    return shown(result, options)


def answer(
    problem: Problem, whole: Any, callback: Callable[[Any], object] | None, options: Mapping[str, Any] | None
) -> Solution:
    """Solves, with whole numbers where they are asked for; StopIteration of the callback stops it."""
    stopped = False

    def tell(at: Progress | Incumbent) -> None:
        nonlocal stopped
        try:
            assert callback is not None
            callback(at)
        except StopIteration:
            stopped = True

    more: dict[str, Any] = {"disp": bool(options and options.get("disp"))}
    if callback is not None:
        searches = whole.any() or problem.semicontinuous[0].size
        more |= {"incumbent" if searches else "progress": tell, "interrupt": lambda: stopped}
    return problem._answer(whole, **more)


def shown(result: OptimizeResult, options: Mapping[str, Any] | None) -> OptimizeResult:
    """The same, with a last line where it is to be displayed."""
    if options and options.get("disp"):
        value = "none" if result.fun is None else f"{result.fun:.10g}"
        print(f"{result.message} {result.get('nit', 0)} iterations, objective {value}")
    return result


def _kinds(integrality: Any, n: int) -> tuple[Any, Any]:
    """Which variables are integers, and which are semicontinuous, of SciPy's numbers."""
    kinds = np.zeros(n) if integrality is None else vector(integrality, "integrality", n)
    wrong = np.flatnonzero(~np.isin(kinds, (0, 1, 2, 3)))
    if wrong.size:
        raise ValueError(f"integrality[{wrong[0]}] is {kinds[wrong[0]]:g}, but has to be 0, 1, 2 or 3")
    return kinds % 2 == 1, kinds >= 2


def _size(settings: Mapping[str, Any]) -> float:
    """What counts as infinite: no number is as large as such a bound wants it, and the library takes none."""
    limit = option_text(settings.get("infinity", 1e20))
    return np.inf if limit == "none" else float(limit)


def _problem(
    costs: Vector, inequalities: _Block, equations: _Block, box: tuple[Vector, Vector],
    settings: dict[str, Any],
) -> Problem:
    """Rows of A_ub, then those of A_eq. Dense matrices are not copied: they live longer than the
    problem. Two of them become one, on the host, in a copy of both."""
    (upper_part, upper_side), (equal_part, equal_side) = inequalities, equations
    if equal_side.size and upper_side.size:
        upper_part, equal_part = as_matrix(upper_part, "A_ub"), as_matrix(equal_part, "A_eq")
    elif equal_side.size and isinstance(equal_part, OnDevice):
        return Problem(costs, equal_part, equal_side, equal_side, *box, copy=False, **settings)
    if isinstance(upper_part, Dense) and isinstance(equal_part, Dense) and equal_side.size:
        whole = stacked(upper_part, equal_part) if upper_side.size else equal_part
        row_lower = np.concatenate([np.full(upper_side.size, -np.inf), equal_side])
        row_upper = np.concatenate([upper_side, equal_side])
        return Problem(costs, whole, row_lower, row_upper, *box, copy=False, **settings)
    problem = Problem(costs, upper_part, None, upper_side, *box, copy=False, **settings)
    if equal_side.size:
        problem.add_rows(equal_part, equal_side, equal_side)
    return problem


def _side(numbers: Any, name: str) -> Vector:
    """A vector, also from a number, a single row or a single column; finite."""
    if numbers is None:
        raise ValueError(f"{name} is missing")
    array = doubles(numbers, name)
    if array.ndim > 1:
        array = array.squeeze()
    array = vector(np.atleast_1d(array), name)
    wrong = np.flatnonzero(~np.isfinite(array))
    if wrong.size:
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]}, which is not finite")
    return array


def _block(A: Any, b: Any, kind: str, n: int) -> _Block:
    """The matrix and the right-hand side of A_ub or A_eq; neither stands for no rows."""
    matrix: Dense | Sparse | OnDevice
    if A is None:
        matrix = as_matrix(np.zeros((0, n)), f"A_{kind}")
    else:
        matrix = as_matrix_there(A, f"A_{kind}", n)
    rows = matrix.shape[0]
    if b is None and rows:
        raise ValueError(f"A_{kind} has {rows} rows, but b_{kind} is missing")
    side = np.zeros(0) if b is None or np.size(b) == 0 else _side(b, f"b_{kind}")
    if side.size != rows:
        raise ValueError(f"b_{kind} has length {side.size}, but A_{kind} has {rows} rows")
    return matrix, side


def _bounds(bounds: Any, n: int) -> tuple[Vector, Vector]:
    """Lower and upper bounds, shape (n,) each; None and NaN stand for none."""
    if bounds is _NOT_NEGATIVE or bounds is None or np.size(np.asarray(bounds, dtype=object)) == 0:
        return np.zeros(n), np.full(n, np.inf)
    try:
        array = doubles(bounds, "bounds")  # None becomes NaN
    except TypeError as error:
        raise ValueError(f"bounds has to be a pair (lower, upper), or one for each of the {n} "
                         f"variables: {error}") from None
    if array.size == 2 and array.ndim <= 2:
        array = np.broadcast_to(array.reshape(1, 2), (n, 2))
    if array.shape != (n, 2):
        raise ValueError(
            f"bounds has shape {array.shape} instead of (2,) or ({n}, 2)"
        )
    lower, upper = array[:, 0].copy(), array[:, 1].copy()
    lower[np.isnan(lower)] = -np.inf
    upper[np.isnan(upper)] = np.inf
    return lower, upper


def settings_of(method: str, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Our options for SciPy's method and options."""
    algorithm = _ALGORITHMS.get(method)
    if algorithm is None:
        raise ValueError(f"there is no method {method!r}; there are {', '.join(_ALGORITHMS)}")
    ours = option_names()
    settings: dict[str, Any] = {"algorithm": algorithm}
    for name, value in (options or {}).items():
        if name in _OPTIONS:
            if value is not None:
                settings[_OPTIONS[name]] = value
        elif name == "presolve" and isinstance(value, bool):  # SciPy's True leaves it to the solver
            settings[name] = "auto" if value else "off"
        elif name in ours:
            settings[name] = value
        elif name == "tol" and method in _DEPRECATED:
            settings.update(primal_tolerance=value, dual_tolerance=value)
        elif name in _OF_DEPRECATED and method in _DEPRECATED:
            continue
        elif name != "disp" and name not in _WITHOUT_MEANING:
            known = [*_OPTIONS, *ours, "disp", *_WITHOUT_MEANING]
            raise ValueError(f"options: there is no option {name!r}{suggestion(name, known)}")
    return settings


