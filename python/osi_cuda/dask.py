# SPDX-License-Identifier: EPL-2.0
"""Problems and variants on the workers of a Dask cluster.

Answers arrive in the order in which workers finish them, and are fetched at once: what a worker has
answered is not lost with it, and only what it was busy with is done again. Two tasks a thread of the
cluster are under way at a time, so that problems may come from a generator and need not fit in memory.
Unless options say otherwise, a problem is solved in one thread, and variants in all threads of a worker,
and one whose device fails ends where a nanny starts it again: CUDA is over for its process only."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ._batch import BatchSolution
from ._errors import DeviceLost
from ._problem import Problem
from ._solution import Solution

__all__ = ["solve", "variants"]

_Task = tuple[int, Callable[..., Any], tuple[Any, ...]]


def solve(
    client: Any, problems: Iterable[Problem], *, retries: int = 2
) -> Iterator[tuple[int, Solution | Exception]]:
    """Solves problems, each with its own options and from its last basis.

    Parameters
    ----------
    client : distributed.Client
    problems : iterable of Problem
    retries : int
        How often a problem is tried again on which a worker raised an exception. What happens to one
        whose worker died is Dask's: its setting ``distributed.scheduler.allowed-failures``.

    Yields
    ------
    k, answer
        The number of a problem, from 0, and its `Solution`, or the exception that is left of it. A
        loop that is left early cancels what is under way.
    """
    tasks = ((k, _solve, (problem,)) for k, problem in enumerate(problems))
    return _answers(client, tasks, retries)


def variants(
    client: Any, problem: Problem, *, chunk: int = 1024, retries: int = 2, **arguments: Any
) -> Iterator[tuple[int, BatchSolution | Exception]]:
    """Solves variants of one problem, `chunk` of them in a task, from the basis at which the problem
    is. Every worker gets the problem once and keeps its pool of bases.

    Parameters
    ----------
    client, retries
        As of `solve`.
    chunk : int
        Variants of a task.
    **arguments
        Those of `Problem.variants`, but for `progress`, `start`, `coefficients` and sparse matrices: arrays have
        shape (K, n) or (K, m), memory-mapped ones too.

    Yields
    ------
    first, answer
        The number of the first variant of a chunk, and the chunk's `BatchSolution`, or the exception
        that is left of it.
    """
    from dask import config
    from distributed.protocol import pickle

    names = ("costs", "lower", "upper", "row_lower", "row_upper", "rhs")
    arrays = {name: arguments.pop(name) for name in names if arguments.get(name) is not None}
    counts = {name: np.shape(values)[0] for name, values in arrays.items()}
    if not arrays or len(set(counts.values())) > 1:
        raise ValueError(f"the numbers of variants differ: {counts}" if arrays else "no array of variants")
    if chunk < 1:
        raise ValueError(f"chunk is {chunk}, but has to be at least 1")
    count = next(iter(counts.values()))
    data = pickle.dumps(problem)  # type: ignore[no-untyped-call]
    with config.set({"distributed.admin.large-graph-warning-threshold": 2 * len(data) + 10**7}):
        shared = client.submit(_Shared, data, pure=False)  # made again where all that have it die
    tasks: Iterator[_Task] = (
        (first, _variants, (
            shared, {name: values[first : first + chunk] for name, values in arrays.items()}, arguments
        ))
        for first in range(0, count, chunk)
    )
    return _answers(client, tasks, retries)


def _solve(problem: Problem) -> Solution:
    if problem.get_option("threads") == "0":
        problem.set_options(threads=1)
    if problem.get_option("device_loss") == "auto":
        problem.set_options(device_loss=_device_loss())
    return _on_device(problem.solve)


def _device_loss() -> str:
    """Whether another process takes this worker's place where it ends."""
    from distributed import get_worker

    return "stop" if get_worker().nanny else "host"


def _on_device(work: Callable[..., Any], **options: Any) -> Any:
    try:
        return work(**options)
    except DeviceLost:
        if _device_loss() == "stop":
            os._exit(1)  # Dask gives the task to a process that has CUDA
        raise


_one = threading.Lock()  # the problem belongs to one call at a time, which has all of the worker's threads


class _Shared:
    """A worker's problem, and its bytes: they can be sent on while a call has the problem, to a worker
    that takes the place of one that died."""

    def __init__(self, data: bytes):
        self._data = data

    def __reduce__(self) -> tuple[Any, ...]:
        return _Shared, (self._data,)

    @functools.cached_property
    def problem(self) -> Any:
        from distributed.protocol import pickle

        return pickle.loads(self._data)  # type: ignore[no-untyped-call]


def _variants(shared: _Shared, arrays: dict[str, Any], arguments: dict[str, Any]) -> Any:
    from distributed import get_worker

    standard = {"threads": get_worker().state.nthreads, "device_loss": _device_loss()}
    with _one:
        return _on_device(shared.problem.variants, **{**standard, **arrays, **arguments})


def _answers(client: Any, tasks: Iterator[_Task], retries: int) -> Iterator[tuple[int, Any]]:
    from distributed import as_completed

    ahead = 2 * max(1, sum(client.nthreads().values()))
    completed: Any = as_completed()  # type: ignore[no-untyped-call]
    keys: dict[Any, int] = {}

    def fill() -> None:
        while len(keys) < ahead and (task := next(tasks, None)) is not None:
            key, function, parts = task
            # Not pure: equal problems are different questions, and no answer is kept by the cluster.
            future = client.submit(function, *parts, retries=retries, pure=False)
            keys[future] = key
            completed.add(future)

    try:
        fill()
        for future in completed:
            key = keys.pop(future)
            try:
                answer = future.result()
            except Exception as error:  # of the solver, or of Dask about workers that died
                answer = error
            future.release()  # or it would be computed again if its worker died while the caller has the answer
            fill()
            yield key, answer
    finally:
        client.cancel(list(keys))
