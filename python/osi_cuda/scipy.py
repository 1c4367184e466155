# SPDX-License-Identifier: EPL-2.0
"""Code that calls ``scipy.optimize.linprog`` or ``milp``, unchanged, on this solver.

>>> import scipy.optimize, osi_cuda.scipy
>>> with osi_cuda.scipy.installed():
...     scipy.optimize.linprog([-20, -9], A_ub=[[4, 2], [15, 5]], b_ub=[40, 120]).x
array([ 4., 12.])

Only this module imports SciPy's optimize.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import optimize

from . import _linprog, _milp
from ._optimize import OptimizeResult
from ._options import option_names


@contextlib.contextmanager
def installed(**options: object) -> Iterator[None]:
    """Within it, SciPy's linprog and milp are this package's, for the whole process, with `options`
    (those of `osi_cuda.option_table`, with ``_`` for ``-``) in every call.

    Every name of a loaded module that stands for a function is exchanged, and back at the end, also
    of ``from scipy.optimize import linprog``. Out of reach are other references (default arguments,
    closures, attributes of objects, ``functools.partial``) and other processes. SciPy's functions still
    answer semi-continuous variables, callbacks and the older methods.
    """
    theirs, theirs_milp, defaults = optimize.linprog, optimize.milp, dict(options)

    def settings_of(wanted: dict[str, Any], others: set[str]) -> dict[str, Any]:
        known = {*_linprog._OPTIONS, *others, "disp", "presolve", *option_names()}
        if without := sorted(wanted.keys() - known):
            message = f"without effect: {', '.join(without)}"
            warnings.warn(message, optimize.OptimizeWarning, stacklevel=3)
        return {**defaults, **{name: value for name, value in wanted.items() if name in known - {"x0"}}}

    @functools.wraps(theirs)
    def linprog(
        c: Any, A_ub: Any = None, b_ub: Any = None, A_eq: Any = None, b_eq: Any = None,  # noqa: N803
        bounds: Any = (0, None), method: Any = "highs", callback: Any = None, options: Any = None,
        x0: Any = None, integrality: Any = None,
    ) -> Any:
        arguments, wanted = (c, A_ub, b_ub, A_eq, b_eq, bounds, method), dict(options or {})
        older = str(method).lower() not in ("highs", "highs-ds", "highs-ipm")
        if older or callback is not None or np.any(np.greater(_kinds(integrality), 1)):
            return theirs(*arguments, callback, options, x0, integrality)
        settings = settings_of(wanted if x0 is None else {**wanted, "x0": x0}, _linprog._WITHOUT_MEANING)
        found = _linprog.linprog(*arguments, options=settings, integrality=integrality)
        return _as_theirs({"mip_node_count": 0, "mip_dual_bound": 0.0, "mip_gap": 0.0, **found})

    @functools.wraps(theirs_milp)
    def milp(
        c: Any, *, integrality: Any = None, bounds: Any = None, constraints: Any = None, options: Any = None
    ) -> Any:
        arguments = {"integrality": integrality, "bounds": bounds, "constraints": constraints}
        if np.any(np.greater(_kinds(integrality), 1)):
            return theirs_milp(c, **arguments, options=options)
        return _as_theirs(_milp.milp(c, **arguments, options=settings_of(dict(options or {}), set())))

    pairs: list[tuple[Any, Any]] = [(theirs, linprog), (theirs_milp, milp)]
    for old, new in pairs:
        _exchange(old, new)
    try:
        yield
    finally:
        for old, new in pairs:
            _exchange(new, old)


def _kinds(integrality: Any) -> Any:
    return 0 if integrality is None else integrality


def _exchange(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            # Past a lazy module's own look-up, which would load it.
            names = object.__getattribute__(module, "__dict__")
            for name in [name for name, value in list(names.items()) if value is old]:
                names[name] = new


def _as_theirs(found: dict[str, Any]) -> optimize.OptimizeResult:
    return optimize.OptimizeResult({
        name: _as_theirs(value) if isinstance(value, OptimizeResult) else value
        for name, value in found.items()
    })
