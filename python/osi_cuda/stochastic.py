# SPDX-License-Identifier: EPL-2.0
"""Stochastic linear programs from SMPS files (Birge, Dempster, Gassmann and others 1987).

    model = osi_cuda.stochastic.read("farm.cor")          # farm.tim and farm.sto lie beside it
    model.equivalent().solve()                            # all scenarios in one problem
    model.core.variants(**model.changes())                # each scenario alone: wait and see

The core file is an MPS file whose rows and columns are in the order of the periods. Of the stoch file the sections INDEP,
BLOCKS and SCENARIOS are read, DISCRETE, also with ADD and MULTIPLY. As a program:

    python -m osi_cuda.stochastic CORE [TIME STOCH] -o FILE       the same as osi-cuda convert CORE FILE --from smps
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ._arrays import c_text
from ._errors import Error, FileFormatError, NoSolution
from ._problem import Problem

_KINDS = {0: "cost", 1: "lower", 2: "upper", 5: "coefficient", 6: "rhs"}  # OSI_CUDA_CHANGE_...


class Entry(NamedTuple):
    """A number of the core that a scenario changes."""

    kind: str  #: "coefficient", "cost", "rhs", "lower" or "upper"
    row: int  #: -1 for costs and bounds
    column: int  #: -1 for right-hand sides


class Stochastic:
    """A core with scenarios. Counts: m rows, n columns, S scenarios, T periods.

    Attributes
    ----------
    core : Problem
    periods : list of str, length T
    row_periods, column_periods : ndarray of int, shapes (m,) and (n,)
        The period of each row and column, counted from 0.
    probabilities : ndarray, shape (S,)
    scenarios : list of dict
        New numbers of each scenario by `Entry`.
    paths : ndarray of int, shape (S, T)
        The node of the scenario tree in which a scenario is in each period. Scenarios that share a node are not told apart
        until then.
    """

    def __init__(self, core: Problem) -> None:
        self.core = core
        found = core._scenarios()
        if found is None:
            raise NoSolution("the problem has no scenarios")
        self.periods, sizes, self.row_periods, self.column_periods, self.probabilities, paths, starts, *lines = found
        kinds, rows, columns, values = lines
        self.paths = paths.reshape(sizes[1], sizes[0])
        lists = [array.tolist() for array in (kinds, rows, columns, values)]
        changes = [(Entry(_KINDS[kind], row, column), value) for kind, row, column, value in zip(*lists, strict=True)]
        self.scenarios = [dict(changes[a:b]) for a, b in itertools.pairwise(starts.tolist())]

    def __repr__(self) -> str:
        counts = f"{len(self.scenarios)} scenarios, {len(self.periods)} periods"
        return f"<{type(self).__name__} {counts}, {self.paths.max() + 1} nodes, core {self.core!r}>"

    def changes(self) -> dict[str, Any]:
        """What `Problem.variants` of the core takes: each scenario as a variant, all of it known from the beginning. The
        mean of their optima with `probabilities` is the wait-and-see bound."""
        S, (m, n) = len(self.scenarios), self.core.shape
        names = {"cost": ("costs", n), "lower": ("lower", n), "upper": ("upper", n), "rhs": ("rhs", m)}
        arrays: dict[str, Any] = {}
        coefficients = []
        for s, values in enumerate(self.scenarios):
            for entry, value in values.items():
                if entry.kind == "coefficient":
                    coefficients.append((s, entry.row, entry.column, value))
                    continue
                name, length = names[entry.kind]
                array = arrays.get(name)
                if array is None:
                    array = arrays[name] = np.full((S, length), np.nan)
                array[s, max(entry.row, entry.column)] = value
        if coefficients:
            arrays["coefficients"] = tuple(map(np.array, zip(*coefficients, strict=True)))
        return arrays or {"count": S}

    def equivalent(self) -> Problem:
        """The deterministic equivalent of the core as it is now: rows and columns of each period once for each node, costs
        times the node's probability. Those of the first period come first and keep their names; the k-th node of a later
        period gives its own a ".k"."""
        return self.core._made("equivalent")


def read(
    core: str | os.PathLike[str], time: str | os.PathLike[str] | None = None, stoch: str | os.PathLike[str] | None = None,
    **options: object,
) -> Stochastic:
    """The stochastic program of three files; `time` and `stoch` lie beside `core` unless given: the same name with .tim or
    .time, and .sto or .stoch. `options` are the core's.

    Raises
    ------
    FileNotFoundError, FileFormatError
        With FILE:LINE:COLUMN, what was expected and what was found; also for sections that are not read, probabilities that do
        not sum to 1, and more than 1,000,000 scenarios.
    """
    problem = Problem()
    problem.set_options(**options)
    problem._read("read_stochastic", *(None if file is None else c_text(file, "path") for file in (core, time, stoch)))
    return Stochastic(problem)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m osi_cuda.stochastic", description=(
        "Writes the deterministic equivalent of a stochastic linear program in SMPS files."))
    parser.add_argument("core")
    parser.add_argument("time", nargs="?")
    parser.add_argument("stoch", nargs="?")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="by its ending .mps, .lp or .lps")
    given = parser.parse_args(arguments)
    try:
        model = read(given.core, given.time, given.stoch)
        problem = model.equivalent()
        problem.write(given.output)
    except (Error, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 66 if isinstance(error, FileNotFoundError) else 65 if isinstance(error, FileFormatError) else 73
    print(f"{model!r}: {problem!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
