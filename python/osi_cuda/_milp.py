# SPDX-License-Identifier: EPL-2.0
"""``milp`` with the arguments and the result of SciPy's function of that name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._arrays import Numbers, Vector, as_matrix, bounds as sides, is_sparse, naming, on_host
from ._linprog import _side, _size, _kinds, answer, settings_of, shown
from ._optimize import OptimizeResult, impossible, milp_result
from ._problem import Problem


def milp(
    c: Numbers,
    *,
    integrality: Any = None,
    bounds: Any = None,
    constraints: Any = None,
    options: Mapping[str, Any] | None = None,
) -> OptimizeResult:
    """Minimises ``c @ x`` where ``lb <= A @ x <= ub`` and ``lower <= x <= upper``, with whole numbers
    for some variables. Arguments and result are those of ``scipy.optimize.milp``.

    Parameters
    ----------
    c : array_like, shape (n,)
        Costs.
    integrality : array_like, optional
        1 for each integer variable, else 0; 2: semicontinuous, 0 or within the bounds; 3: that and
        integer. One number stands for all.
    bounds : SciPy's Bounds, or (lower, upper), optional
        Bounds of the variables; from 0 on, without an upper bound, unless given.
    constraints : SciPy's LinearConstraint, (A, lb, ub), or a sequence of them, optional
        Rows and their bounds.
    options : dict, optional
        SciPy's ``disp``, ``node_limit``, ``presolve``, ``time_limit`` and ``mip_rel_gap``, and all of
        `option_table` with ``_`` for ``-``.

    Returns
    -------
    OptimizeResult
        x, fun, status (0 optimal or within the gap, 1 stopped by a limit, 2 infeasible, 3 unbounded, 4
        another end), success, message, mip_gap, mip_dual_bound, mip_node_count; besides: proof,
        point_proof, margin, residuals, seconds, objective_lower and objective_upper as in
        `IntegerSolution`. Stopped by a limit, x is the best point so far, or None.

    Raises
    ------
    ValueError, TypeError
        What was wrong with which argument.
    EngineUnavailable
        There is no module with Cbc.
    """
    costs = _side(c, "c")
    n = costs.size
    whole, semicontinuous = _kinds(integrality, n)
    lower, upper = _box(bounds, n)
    settings = settings_of("osi-cuda", options)
    size = _size(settings)
    wrong = (lower >= size) | (upper <= -size)
    if wrong.any():
        return impossible(int(np.flatnonzero(wrong)[0]))
    problem = Problem(costs, None, None, None, lower, upper, **settings)
    if semicontinuous.any():
        problem.set_semicontinuous(semicontinuous)
    for A, low, high in _constraints(constraints, n):
        with naming(A=A):
            problem.add_rows(A, low, high)
    return shown(milp_result(problem, answer(problem, whole, None, options)), options)


def _box(bounds: Any, n: int) -> tuple[Vector, Vector]:
    if bounds is None:
        bounds = (0.0, None)
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    return _spread(low, "lower", n, -np.inf), _spread(high, "upper", n, np.inf)


def _spread(given: Any, name: str, count: int, absent: float) -> Vector:
    """Bounds; one number, also in a list, stands for all."""
    return sides(np.ravel(on_host(given))[0] if np.size(given) == 1 else given, name, count, absent)


def _constraints(given: Any, n: int) -> list[tuple[Any, Vector, Vector]]:
    if given is None:
        return []
    if hasattr(given, "A"):
        return [_rows(given, n)]
    try:
        return [_rows(given, n)]
    except (TypeError, ValueError):
        if any(is_sparse(part) or isinstance(part, np.ndarray) for part in given):
            raise  # what is wrong with the only one
        return [_rows(one, n) for one in given]


def _rows(given: Any, n: int) -> tuple[Any, Vector, Vector]:
    """A as two dimensions, and a bound for each row."""
    absent = (None, -np.inf, np.inf)
    A, low, high = (given.A, given.lb, given.ub) if hasattr(given, "A") else (*given, *absent[len(given):])
    A = as_matrix(A if is_sparse(A) else np.atleast_2d(on_host(A)), "A", n)
    return A, _spread(low, "lb", A.shape[0], -np.inf), _spread(high, "ub", A.shape[0], np.inf)
