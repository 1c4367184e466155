# SPDX-License-Identifier: EPL-2.0
"""Linear programs by a proving simplex solver, on the processor or a CUDA device.

>>> from osi_cuda import linprog
>>> linprog([-20, -9], A_ub=[[4, 2], [15, 5]], b_ub=[40, 120]).x
array([ 4., 12.])

`linprog` and `milp` take what SciPy's functions of these names take. `Problem` is a problem that is changed in
place and solved again from its last basis. Logging goes to the logger ``osi_cuda``.

Nothing is loaded before it is used: NumPy and the library come with the first name that needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._analysis import (
        InfeasibleSubsystem,
        Intervals,
        Objective,
        RankedSolution,
        Ranging,
        Relaxation,
        tighten,
    )
    from ._batch import BatchSolution, BatchSolver, device_memory, solve_batch, solve_variants
    from ._errors import DeviceLost, EngineUnavailable, Error, FileFormatError, NoSolution
    from ._errors import RelaxationWarning
    from ._library import version
    from ._linprog import linprog
    from ._milp import milp
    from ._model import SpecialOrderedSet
    from ._optimize import OptimizeResult, OptimizeWarning
    from ._options import Option, option_table
    from ._problem import Problem, Progress
    from ._solution import Basis, ExactProof, Incumbent, IntegerSolution, Phase, Proof
    from ._solution import Residuals, Solution, Status, VariableStatus

_HOMES = {
    "_analysis": (
        "InfeasibleSubsystem", "Intervals", "Objective", "RankedSolution", "Ranging", "Relaxation",
        "tighten",
    ),
    "_batch": ("BatchSolution", "BatchSolver", "device_memory", "solve_batch", "solve_variants"),
    "_errors": (
        "DeviceLost", "EngineUnavailable", "Error", "FileFormatError", "NoSolution", "RelaxationWarning",
    ),
    "_library": ("version",),
    "_linprog": ("linprog",),
    "_milp": ("milp",),
    "_model": ("SpecialOrderedSet",),
    "_optimize": ("OptimizeResult", "OptimizeWarning"),
    "_options": ("Option", "option_table"),
    "_problem": ("Problem", "Progress"),
    "_solution": (
        "Basis", "ExactProof", "Incumbent", "IntegerSolution", "Phase", "Proof", "Residuals", "Solution",
        "Status", "VariableStatus",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Basis", "BatchSolution", "BatchSolver", "DeviceLost", "EngineUnavailable", "Error",
    "ExactProof", "FileFormatError", "Incumbent", "InfeasibleSubsystem", "IntegerSolution", "Intervals",
    "NoSolution", "Objective",
    "OptimizeResult", "OptimizeWarning", "Option", "Phase", "Problem", "Progress", "Proof",
    "RankedSolution", "Ranging", "Relaxation", "RelaxationWarning", "Residuals", "Solution",
    "SpecialOrderedSet", "Status",
    "VariableStatus",
    "device_memory", "linprog", "milp", "option_table", "solve_batch", "solve_variants", "tighten", "version",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        return importlib.import_module("._library", __name__).version()
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'osi_cuda' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
