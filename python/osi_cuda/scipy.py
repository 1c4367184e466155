# SPDX-License-Identifier: EPL-2.0
"""Code that calls ``scipy.optimize.linprog``, unchanged, on this solver.

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

from . import _linprog
from ._options import option_table


@contextlib.contextmanager
def installed(**options: object) -> Iterator[None]:
    """Within it, SciPy's linprog is this package's, for the whole process, with `options` (those of
    `osi_cuda.option_table`, with ``_`` for ``-``) in every call.

    Every name of a loaded module that stands for the function is exchanged, and back at the end, also
    of ``from scipy.optimize import linprog``. Out of reach are other references (default arguments,
    closures, attributes of objects, ``functools.partial``) and other processes. SciPy's function still
    answers integer variables, callbacks and its older methods.
    """
    theirs, defaults = optimize.linprog, dict(options)
    ours = {option.name.replace("-", "_") for option in option_table()}

    @functools.wraps(theirs)
    def linprog(
        c: Any, A_ub: Any = None, b_ub: Any = None, A_eq: Any = None, b_eq: Any = None,  # noqa: N803
        bounds: Any = (0, None), method: Any = "highs", callback: Any = None, options: Any = None,
        x0: Any = None, integrality: Any = None,
    ) -> Any:
        arguments, wanted = (c, A_ub, b_ub, A_eq, b_eq, bounds, method), dict(options or {})
        older = str(method).lower() not in ("highs", "highs-ds", "highs-ipm")
        if older or callback is not None or np.any(integrality):
            return theirs(*arguments, callback, options, x0, integrality)
        known = {*_linprog._OPTIONS, *_linprog._WITHOUT_MEANING, "disp", "presolve", *ours}
        if without := sorted(wanted.keys() - known) + ["x0"] * (x0 is not None):
            message = f"without effect: {', '.join(without)}"
            warnings.warn(message, optimize.OptimizeWarning, stacklevel=2)
        settings = {name: value for name, value in wanted.items() if name in known}
        found = _linprog.linprog(*arguments, options={**defaults, **settings})
        return _as_theirs({**found, "mip_node_count": 0, "mip_dual_bound": 0.0, "mip_gap": 0.0})

    _exchange(theirs, linprog)
    try:
        yield
    finally:
        _exchange(linprog, theirs)


def _exchange(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            # Past a lazy module's own look-up, which would load it.
            names = object.__getattribute__(module, "__dict__")
            for name in [name for name, value in list(names.items()) if value is old]:
                names[name] = new


def _as_theirs(found: dict[str, Any]) -> optimize.OptimizeResult:
    return optimize.OptimizeResult({
        name: _as_theirs(value) if isinstance(value, _linprog.OptimizeResult) else value
        for name, value in found.items()
    })
