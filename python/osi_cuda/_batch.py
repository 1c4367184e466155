# SPDX-License-Identifier: EPL-2.0
"""Many small problems in one call."""

from __future__ import annotations

import ctypes
import dataclasses
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import Vector, address, on_host
from ._errors import exception_for
from ._interrupt import Interruptible, OneAtATime
from ._library import library
from ._problem import _option_text
from ._solution import Basis, Proof, Status

_FARKAS, _RAY = 4, 5  # OSI_CUDA_FARKAS, OSI_CUDA_RAY


@dataclasses.dataclass(frozen=True, eq=False)
class BatchSolution:
    """Answers to K problems, in their order. What belongs to one problem is a method with its number,
    what all have is an array of length K.

    Attributes
    ----------
    status : ndarray of uint8
        `Status` of each.
    objective : ndarray
        With OPTIMAL, else 0.
    proof : ndarray of uint8
        `Proof` of each.
    iterations : ndarray of int32
    residual : ndarray
        The largest residual of an optimum, else 0.
    xs, ys : ndarray
        Points and row duals, one problem behind the other. Where all problems have one size, `x` of
        shape (K, n) and `y` of shape (K, m) show the same numbers.
    again : int
        Problems that the ordinary solver took over.
    on_device : int
        Problems that a device solved.
    seconds, device_seconds : float
    device : str
    device_lost : bool
    notes : dict
        A message about each invalid or numerical problem.
    """

    status: npt.NDArray[np.uint8]
    objective: Vector
    proof: npt.NDArray[np.uint8]
    iterations: npt.NDArray[np.int32]
    residual: Vector
    xs: Vector
    ys: Vector
    again: int
    on_device: int
    seconds: float
    device_seconds: float
    device: str
    device_lost: bool
    notes: dict[int, str]
    _columns: npt.NDArray[np.int64]  # where the columns of problem k begin, length K + 1
    _rows: npt.NDArray[np.int64]
    _basis: Basis
    _certificates: dict[int, Vector]

    def __len__(self) -> int:
        return self.status.size

    def x_of(self, k: int) -> Vector:
        """The point of problem k; of an unbounded one a feasible one, else zeros without an optimum."""
        return self.xs[self._columns[k] : self._columns[k + 1]]

    def y_of(self, k: int) -> Vector:
        """Row duals of problem k; zeros without an optimum."""
        return self.ys[self._rows[k] : self._rows[k + 1]]

    def basis_of(self, k: int) -> Basis:
        """Of an optimal or unbounded problem."""
        return Basis(
            self._basis.columns[self._columns[k] : self._columns[k + 1]],
            self._basis.rows[self._rows[k] : self._rows[k + 1]],
        )

    def certificate_of(self, k: int) -> Vector | None:
        """Farkas multipliers of an infeasible problem, the ray of an unbounded one; None of others,
        and where bounds cross."""
        return self._certificates.get(k)

    @property
    def x(self) -> Vector:
        """Points, shape (K, n). Raises ValueError where the problems differ in size."""
        return self._stacked(self.xs, self._columns, "columns")

    @property
    def y(self) -> Vector:
        """Row duals, shape (K, m)."""
        return self._stacked(self.ys, self._rows, "rows")

    def _stacked(self, values: Vector, starts: npt.NDArray[np.int64], what: str) -> Vector:
        sizes = np.unique(np.diff(starts))
        if sizes.size > 1:
            raise ValueError(f"the problems have different numbers of {what}: x_of and y_of have each")
        return values.reshape(len(self), -1)

    def __repr__(self) -> str:
        optimal = int((self.status == Status.OPTIMAL).sum())
        return f"<BatchSolution of {len(self)}, {optimal} optimal, {self.seconds:.3g} s>"


class BatchSolver:
    """Solves batches; keeps threads' memory and a device's buffers from call to call.

    Parameters
    ----------
    **options
        engine, device, threads, time_limit (of the whole call), iteration_limit (of each problem),
        primal_tolerance, dual_tolerance, seed; pricing ("auto", "steepest", "devex" or "dantzig");
        problem_time_limit.
    """

    def __init__(self, **options: object) -> None:
        handle = library().batch_create()
        if not handle:
            raise MemoryError("there is no memory for a batch")
        self._handle = handle
        self._options = dict(options)
        self._alone = OneAtATime("batch solver")
        self._finalizer = weakref.finalize(self, library().batch_free, handle)
        for name, value in options.items():
            self._call(
                "batch_set_option", name.replace("_", "-").encode(), _option_text(value).encode()
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, or a pickle, has the options and makes its own memory and buffers."""
        return _with_options, (type(self), self._options)

    def _call(self, function: str, *arguments: Any) -> None:
        lib = library()
        code = getattr(lib, function)(self._handle, *arguments)
        if code == _library.BUSY:
            raise exception_for(code, lib.code_text(code).decode())
        if code != 0:
            raise exception_for(code, lib.batch_message(self._handle).decode())

    def solve(
        self,
        c: Any,
        A: Any,
        row_lower: Any = None,
        row_upper: Any = None,
        lower: Any = None,
        upper: Any = None,
        *,
        sense: str | Sequence[str] = "min",
        offset: Any = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> BatchSolution:
        """Solves K problems of one size or of different ones.

        Parameters
        ----------
        A : array_like, shape (K, m, n), or a sequence of K arrays, shape (m_k, n_k) each
            A contiguous array of doubles is handed over as it lies there.
        c : array_like, shape (K, n) or (n,), or a sequence of K arrays
        row_lower, row_upper : array_like, shape (K, m) or (m,), or a sequence; or a number
        lower, upper : array_like, shape (K, n) or (n,), or a sequence; or a number
            Absent: from 0 on, without an upper bound.
        sense : {"min", "max"}, or a sequence of K
        offset : array_like, shape (K,), or a number, optional
        progress : callable, optional
            Called with the number of problems that are finished, and of all.

        Returns
        -------
        BatchSolution
        """
        matrices, m, n = _matrices(A)
        count = m.size
        columns, rows = _starts(n), _starts(m)
        arrays = [
            _packed(values, name, sizes, starts)
            for values, name, sizes, starts in (
                (lower, "lower", n, columns), (upper, "upper", n, columns),
                (row_lower, "row_lower", m, rows), (row_upper, "row_upper", m, rows),
                (c, "c", n, columns),
            )
        ]
        offsets = None if offset is None else np.ascontiguousarray(
            np.broadcast_to(np.asarray(offset, dtype=np.float64), (count,))
        )
        senses = _senses(sense, count)
        with self._alone():
            self._run(
                progress, count, address(m), address(n), address(matrices),
                *(address(array) for array in arrays), address(offsets), address(senses),
            )
            return self._collect(count, columns, rows)

    def _run(self, progress: Callable[[int, int], object] | None, *arguments: Any) -> None:
        lib = library()
        raised: list[BaseException] = []

        def stop() -> None:
            lib.batch_interrupt(self._handle)

        def tell(_: object, done: int, count: int) -> None:
            if raised or progress is None:
                return
            try:
                progress(done, count)
            except BaseException as error:  # it can't cross C
                raised.append(error)
                stop()

        on_progress = _library.BatchProgressFunction(tell if progress else 0)
        with Interruptible(stop) as interruptible:
            # Asked now and then, so that Python gets the time to see a signal.
            on_ask = _library.InterruptFunction((lambda _: 0) if interruptible.active else 0)
            self._call("batch_set_progress", on_progress, None)
            self._call("batch_set_interrupt", on_ask, None)
            try:
                self._call("batch_solve", *arguments)
            finally:
                self._call("batch_set_progress", _library.BatchProgressFunction(0), None)
                self._call("batch_set_interrupt", _library.InterruptFunction(0), None)
        interruptible.reraise()
        if raised:
            raise raised[0]

    def _collect(
        self, count: int, columns: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
    ) -> BatchSolution:
        lib = library()
        status, proof = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
        iterations = np.zeros(count, dtype=np.int32)
        objective, residual = np.zeros(count), np.zeros(count)
        self._call(
            "batch_get_results", count, address(status), address(proof), address(iterations),
            address(objective), address(residual),
        )
        xs, ys = np.empty(columns[-1]), np.empty(rows[-1])
        self._call("batch_get_values", 0, xs.size, address(xs))
        self._call("batch_get_values", 2, ys.size, address(ys))
        basis = Basis(np.empty(xs.size, dtype=np.uint8), np.empty(ys.size, dtype=np.uint8))
        self._call("batch_get_basis", address(basis.columns), address(basis.rows))
        certificates = {}
        for wanted, which, starts in ((Status.INFEASIBLE, _FARKAS, rows),
                                      (Status.UNBOUNDED, _RAY, columns)):
            for k in np.flatnonzero(status == wanted):
                found = np.empty(starts[k + 1] - starts[k])
                code = lib.batch_get_certificate(
                    self._handle, int(k), which, found.size, address(found), None
                )
                if code == 0:
                    certificates[int(k)] = found
        notes = {
            int(k): str(lib.batch_note(self._handle, int(k)).decode())
            for k in np.flatnonzero((status == Status.INVALID) | (status == Status.NUMERICAL))
        }
        value = ctypes.c_double()

        def number(which: int) -> float:
            self._call("batch_get_number", which, ctypes.byref(value))
            return value.value

        return BatchSolution(
            status=status, objective=objective, proof=proof, iterations=iterations,
            residual=residual, xs=xs, ys=ys, again=int(number(0)), on_device=int(number(1)),
            seconds=number(2), device_seconds=number(3),
            device=str(lib.batch_device(self._handle).decode()), device_lost=number(4) != 0.0,
            notes=notes, _columns=columns, _rows=rows, _basis=basis, _certificates=certificates,
        )


def _with_options(kind: type[BatchSolver], options: dict[str, object]) -> BatchSolver:
    return kind(**options)


def solve_batch(c: Any, A: Any, *bounds: Any, **arguments: Any) -> BatchSolution:
    """The arguments of `BatchSolver.solve`, and by name the options of `BatchSolver`: once, with a
    solver that lives no longer."""
    own = {"row_lower", "row_upper", "lower", "upper", "sense", "offset", "progress"}
    options = {name: arguments.pop(name) for name in set(arguments) - own}
    return BatchSolver(**options).solve(c, A, *bounds, **arguments)


def _starts(sizes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    starts = np.zeros(sizes.size + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _double(values: Any, name: str) -> Vector:
    try:
        return np.asarray(on_host(values), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} has to be numbers: {error}") from None


def _is_ragged(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and len({np.shape(value) for value in values}) > 1


def _matrices(A: Any) -> tuple[Vector, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """All matrices by rows one behind the other, numbers of rows, numbers of columns."""
    if _is_ragged(A):
        parts = [_double(part, "A") for part in A]
        for k, part in enumerate(parts):
            if part.ndim != 2:
                raise ValueError(f"A[{k}] has {part.ndim} dimensions instead of two")
        shapes = np.array([part.shape for part in parts], dtype=np.int32)
        return (
            np.concatenate([part.ravel() for part in parts]),
            np.ascontiguousarray(shapes[:, 0]), np.ascontiguousarray(shapes[:, 1]),
        )
    array = _double(A, "A")
    if array.ndim != 3:
        raise ValueError(f"A has {array.ndim} dimensions instead of three: problem, row, column")
    count, rows, columns = array.shape
    return (
        np.ascontiguousarray(array), np.full(count, rows, dtype=np.int32),
        np.full(count, columns, dtype=np.int32),
    )


def _packed(
    values: Any, name: str, sizes: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]
) -> Vector | None:
    """Numbers of all problems one behind the other; a number or one row stands for all."""
    if values is None:
        return None
    count, total = sizes.size, int(starts[-1])
    if count == 0:
        return np.zeros(0)
    if isinstance(values, (list, tuple)) and len(values) == count and any(map(np.ndim, values)):
        parts = [_double(part, name) for part in values]
        for k, part in enumerate(parts):
            if part.shape != (sizes[k],):
                raise ValueError(f"{name}[{k}] has shape {part.shape} instead of ({sizes[k]},)")
        return np.concatenate(parts) if parts else np.zeros(0)
    array = _double(values, name)
    if array.ndim == 0:
        return np.full(total, float(array))
    uniform = np.unique(sizes).size <= 1
    if not uniform:
        raise ValueError(f"{name} has to be a list of an array for each problem: they differ in size")
    size = int(sizes[0])
    if array.shape not in ((size,), (count, size)):
        raise ValueError(f"{name} has shape {array.shape} instead of ({count}, {size}) or ({size},)")
    return np.ascontiguousarray(np.broadcast_to(array, (count, size)))


def _senses(sense: str | Sequence[str], count: int) -> npt.NDArray[np.int32]:
    words = [sense] * count if isinstance(sense, str) else list(sense)
    if len(words) != count:
        raise ValueError(f"sense has length {len(words)} instead of {count}")
    for word in words:
        if word not in ("min", "max"):
            raise ValueError(f"sense is {word!r}, but has to be 'min' or 'max'")
    return np.array([word == "max" for word in words], dtype=np.int32)
