# SPDX-License-Identifier: EPL-2.0
"""What the modelling layers' solvers share."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ._solution import Basis, IntegerSolution, Solution, Status, VariableStatus


@contextlib.contextmanager
def teller(screen: object, path: str | os.PathLike[str] | None = None) -> Iterator[Callable[[str], object] | bool]:
    """What takes lines for standard output, where `screen` is true, and a new file; False without either."""
    with open(path, "w", encoding="utf-8") if path else contextlib.nullcontext() as file:
        streams = [stream for stream in (sys.stdout if screen else None, file) if stream]
        yield bool(streams) and (lambda line: [print(line, file=stream, flush=True) for stream in streams])


def basis_by_name(
    columns: Mapping[str, int], rows: Mapping[str, int], new_columns: Iterable[str], new_rows: Iterable[str]
) -> Basis:
    """Statuses as far as they are known by name; other columns rest, other rows are basic."""

    def statuses(known: Mapping[str, int], names: Iterable[str], other: VariableStatus) -> Any:
        return np.array([known.get(name, int(other)) for name in names], dtype=np.uint8)

    return Basis(
        statuses(columns, new_columns, VariableStatus.AT_LOWER), statuses(rows, new_rows, VariableStatus.BASIC)
    )


def by_name(names: Iterable[str], numbers: Any) -> dict[str, Any]:
    return dict(zip(names, numbers.tolist(), strict=True))


def is_undecided(found: Solution) -> bool:
    """A search's unbounded relaxation: the problem is unbounded or infeasible."""
    return isinstance(found, IntegerSolution) and found.status is Status.UNBOUNDED
