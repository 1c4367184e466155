# SPDX-License-Identifier: EPL-2.0
"""Many small problems, or many variants of one, in one call."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import operator
import weakref
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import LARGEST, Sparse, Vector, address, c_text, doubles, index_of, is_sparse, numbers_of, sparse_matrix, vector
from ._device import OnDevice, device_array, empty_like
from ._errors import exception_for
from ._interrupt import OneAtATime, calling_back
from ._library import library
from ._options import option_text
from ._solution import Basis, Proof, Status

if TYPE_CHECKING:
    from ._problem import Problem

# OSI_CUDA_CHANGE_COST ... _COEFFICIENT, OSI_CUDA_VARIANTS_POINTS ... _STARTS
_KINDS = ("costs", "lower", "upper", "row_lower", "row_upper")
_COEFFICIENT = 5
_POINTS, _ENCLOSURES, _NO_COSTS, ALONE, _STARTS = 1, 2, 4, 8, 16
Array = Any  # NumPy's, or another library's on a device


@dataclasses.dataclass(frozen=True, eq=False)
class BatchSolution:
    """Answers to K problems, in their order. What belongs to one problem is a method with its number,
    what all have is an array of length K. Arrays are NumPy's; of a call with arrays on a device,
    objectives, points and bases are of their library there.

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
    objective_lower, objective_upper : ndarray or None
        Rigorous bounds of each exact optimum, whatever was rounded on the way; only of variants, with
        ``what="bounds"``. Of an infeasible minimisation both are inf.
    start : ndarray of int64 or None
        Where other variants of the problem may begin, with ``what="start"``.
    again : int
        Problems that the ordinary solver took over.
    pooled : int
        Variants that a basis of the pool answered without a pivot.
    on_device : int
        Problems that a device solved.
    seconds, device_seconds : float
    device : str
    device_lost : bool
    notes : dict
        A message about each invalid or numerical problem.
    relaxed_integers, relaxed_semicontinuous, relaxed_sets : int
        What was relaxed of the variants' problem, as in `Solution`.
    """

    status: npt.NDArray[np.uint8]
    objective: Array
    proof: npt.NDArray[np.uint8]
    iterations: npt.NDArray[np.int32]
    residual: Vector
    xs: Array
    ys: Array
    objective_lower: Vector | None
    objective_upper: Vector | None
    start: npt.NDArray[np.int64] | None
    again: int
    pooled: int
    on_device: int
    seconds: float
    device_seconds: float
    device: str
    device_lost: bool
    notes: dict[int, str]
    relaxed_integers: int
    relaxed_semicontinuous: int
    relaxed_sets: int
    _columns: npt.NDArray[np.int64]  # where the columns of problem k begin, length K + 1
    _rows: npt.NDArray[np.int64]
    _basis: Basis
    #: problems, ascending; where the numbers of each begin; those
    _certificates: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Vector]

    def __len__(self) -> int:
        return self.status.size

    def x_of(self, k: int) -> Array:
        """The point of problem k; of an unbounded one a feasible one, else zeros without an optimum."""
        k = index_of(k, "k", len(self))
        return self.xs[self._columns[k] : self._columns[k + 1]]

    def y_of(self, k: int) -> Array:
        """Row duals of problem k; of a variant at the iteration limit or beyond a cutoff the multipliers
        of its basis; else zeros."""
        k = index_of(k, "k", len(self))
        return self.ys[self._rows[k] : self._rows[k + 1]]

    def basis_of(self, k: int) -> Basis:
        """Of problem `k`, counted from 0, where it is optimal or unbounded."""
        k = index_of(k, "k", len(self))
        return Basis(
            self._basis.columns[self._columns[k] : self._columns[k + 1]],
            self._basis.rows[self._rows[k] : self._rows[k + 1]],
        )

    def certificate_of(self, k: int) -> Vector | None:
        """Of problem `k`, counted from 0: Farkas multipliers of an infeasible one, the ray of an
        unbounded one; None of others, and where bounds cross."""
        k = index_of(k, "k", len(self))
        problems, starts, values = self._certificates
        c = int(np.searchsorted(problems, k))
        return values[starts[c] : starts[c + 1]] if c < problems.size and problems[c] == k else None

    @property
    def x(self) -> Array:
        """Points, shape (K, n). Raises ValueError where the problems differ in size."""
        return self._stacked(self.xs, self._columns, "columns")

    @property
    def y(self) -> Array:
        """Row duals, shape (K, m)."""
        return self._stacked(self.ys, self._rows, "rows")

    def _stacked(self, values: Array, starts: npt.NDArray[np.int64], what: str) -> Array:
        sizes = np.unique(np.diff(starts))
        if sizes.size > 1:
            raise ValueError(f"the problems have different numbers of {what}: x_of and y_of have each")
        return values.reshape(len(self), int(sizes[0]) if sizes.size else 0)

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
        problem_time_limit; devices ("one", "all", or those that share the problems, as [0, 2]).
    """

    def __init__(self, **options: object) -> None:
        handle = library().batch_create()
        if not handle:
            raise MemoryError("there is no memory for a batch")
        self._handle = handle
        self._options = dict(options)
        self._alone = OneAtATime("batch solver")
        self._finalizer = weakref.finalize(self, self._alone.end, library().batch_free, handle)
        for name, value in options.items():
            self._call("batch_set_option", c_text(name, "name").replace(b"_", b"-"), c_text(option_text(value), name))

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
        out: Any = None,
    ) -> BatchSolution:
        """Solves K problems of one size or of different ones.

        Parameters
        ----------
        A : array_like, shape (K, m, n), or a sequence of K arrays, shape (m_k, n_k) each
            A contiguous array of doubles is handed over as it lies there. On a CUDA device, that, and
            contiguous costs and bounds of shape (K, n) or (K, m) there, are used where they lie.
        c : array_like, shape (K, n) or (n,), or a sequence of K arrays
            Costs.
        row_lower, row_upper : array_like, shape (K, m) or (m,), or a sequence; or a number
            Bounds of the rows; absent ones are infinite.
        lower, upper : array_like, shape (K, n) or (n,), or a sequence; or a number
            Absent: from 0 on, without an upper bound.
        sense : {"min", "max"}, or a sequence of K
            Whether the least or the largest objective is looked for.
        offset : array_like, shape (K,), or a number, optional
            Added to the objective.
        progress : callable, optional
            Called with the number of problems that are finished, and of all.
        out : array or "host", optional
            Of whose library objectives, points and bases of the answer are, on its device: an array of
            PyTorch, CuPy or Numba. Absent: the first array on a device, if there is one.

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
        offsets = None if offset is None else vector(offset, "offset", count)
        senses = _senses(sense, count)
        with self._alone():
            answers, places = self._place([matrices, *arrays], out, count, columns[-1], rows[-1])
            self._run(
                progress, self._call, "batch_solve_at", places, count, address(m), address(n), _place_of(matrices),
                *map(_place_of, arrays), address(offsets), address(senses),
            )
            return self._collect(count, columns, rows, answers)

    def _place(
        self, arrays: Iterable[Any], out: Any, count: int, columns: int, rows: int
    ) -> tuple[list[Any], _library.BatchPlaces]:
        """Arrays for the answers, objectives but on the host; where these and the given ones are."""
        found = [array for array in arrays if isinstance(array, OnDevice)]
        if len({array.stream for array in found}) > 1:
            raise ValueError("arrays on a device have to be those of one stream")
        wanted = None if isinstance(out, str) and out == "host" else out
        if wanted is not None and not device_array(wanted):
            raise ValueError("out has to be 'host', or doubles on a CUDA device")
        if out is None and found and self._options.get("engine") != "host":
            wanted = found[0].source
        kinds = (np.float64, np.float64, np.float64, np.uint8, np.uint8)
        lengths = [int(length) for length in (count, columns, rows, columns, rows)]
        answers = [empty_like(*of, wanted) for of in zip(lengths, kinds)]
        if out is wanted is not None and answers[0] is None:
            raise ValueError(f"arrays like {type(out).__name__} are not made here")
        if answers[0] is None:
            answers[1:] = map(np.empty, lengths[1:], kinds[1:])
            addresses = [None, *map(address, answers[1:])]
        else:
            addresses = [a.__cuda_array_interface__["data"][0] or None for a in answers]
        stream = found[0].stream if found else None
        return answers, _library.BatchPlaces(len(found), stream, *addresses)

    def _variants(
        self, problem: Problem, changes: Changes, count: int | None, what: Collection[str],
        flags: int, progress: Callable[[int, int], object] | None = None, out: Any = None,
        start: Any = None, cutoff: float | None = None,
    ) -> BatchSolution:
        """See `Problem.variants`."""
        names = {what} if isinstance(what, str) else set(what)
        if names - {"x", "y", "basis", "bounds", "start"}:
            raise ValueError(
                f"what is {what!r}, but has to be of 'x', 'y', 'basis', 'bounds' and 'start'")
        m, n = problem.shape
        begin = None if start is None else np.ascontiguousarray(start, dtype=np.int64)
        count = changes.count(begin.size if begin is not None and count is None else count)
        if begin is not None and begin.shape != (count,):
            raise ValueError(f"start has shape {begin.shape}, but has to have shape ({count},)")
        starts, sparse = changes.packed(count)
        points = bool(names)  # bounds are made from them, too
        flags |= (_POINTS if names - {"bounds"} else 0) | (_ENCLOSURES if "bounds" in names else 0)
        flags |= _STARTS if "start" in names else 0
        columns, rows = (np.arange(count + 1, dtype=np.int64) * (k if points else 0) for k in (n, m))
        if names & {"bounds", "start"} and out is None:
            out = "host"  # where they are formed
        with self._alone(), problem._solved():
            limit = math.nan if cutoff is None else float(cutoff)
            self._call("batch_set_starts", count if begin is not None else 0, address(begin), limit)
            answers, places = self._place(changes.dense.values(), out, count, columns[-1], rows[-1])
            self._run(
                progress, problem._call, "solve_variants_at", self._handle, places, count, flags,
                *(_place_of(changes.dense.get(name)) for name in _KINDS), address(starts),
                *(address(array) for array in sparse),
            )
            return self._collect(count, columns, rows, answers, flags)

    def _run(
        self, progress: Callable[[int, int], object] | None, call: Callable[..., None], *arguments: Any
    ) -> None:
        def stop() -> None:
            library().batch_interrupt(self._handle)

        with calling_back(self._call, stop, "batch_", progress):
            call(*arguments)

    def _collect(
        self, count: int, columns: npt.NDArray[np.int64], rows: npt.NDArray[np.int64],
        answers: list[Any], flags: int = 0,
    ) -> BatchSolution:
        lib = library()
        objective: Array
        status, proof = np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
        iterations = np.zeros(count, dtype=np.int32)
        objective, residual = np.zeros(count), np.zeros(count)
        self._call(
            "batch_get_results", count, address(status), address(proof), address(iterations),
            address(objective), address(residual),
        )
        there, xs, ys, *statuses = answers
        objective = objective if there is None else there
        begin = np.empty(count, np.int64) if flags & _STARTS else None
        if begin is not None:
            self._call("batch_get_starts", count, address(begin))
        lower, upper = (np.empty(count) if flags & _ENCLOSURES else None for _ in range(2))
        if lower is not None:
            self._call("batch_get_enclosures", count, address(lower), address(upper))
        sizes = ctypes.c_int64(), ctypes.c_int64()
        self._call("batch_get_certificates", *sizes, None, None, None)
        certified = np.empty(sizes[0].value, np.int64)
        starts, proofs = np.empty(certified.size + 1, np.int64), np.empty(sizes[1].value)
        self._call("batch_get_certificates", None, None, *map(address, (certified, starts, proofs)))
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
            residual=residual, xs=xs, ys=ys, objective_lower=lower, objective_upper=upper,
            start=begin, again=int(number(0)),
            pooled=int(number(5)), on_device=int(number(1)),
            seconds=number(2), device_seconds=number(3),
            device=str(lib.batch_device(self._handle).decode()), device_lost=number(4) != 0.0,
            notes=notes, relaxed_integers=int(number(6)), relaxed_semicontinuous=int(number(7)),
            relaxed_sets=int(number(8)),
            _columns=columns, _rows=rows, _basis=Basis(*statuses),
            _certificates=(certified, starts, proofs),
        )


def _with_options(kind: type[BatchSolver], options: dict[str, object]) -> BatchSolver:
    return kind(**options)


def solve_batch(c: Any, A: Any, *bounds: Any, **arguments: Any) -> BatchSolution:
    """Costs `c`, matrices `A` and `bounds` as `BatchSolver.solve` takes them, its other arguments by
    name, and by name the options of `BatchSolver`: once, with a solver that lives no longer."""
    own = {"row_lower", "row_upper", "lower", "upper", "sense", "offset", "progress", "out"}
    options = {name: arguments.pop(name) for name in set(arguments) - own}
    return BatchSolver(**options).solve(c, A, *bounds, **arguments)


def solve_variants(problem: Problem, **arguments: Any) -> BatchSolution:
    """``problem.variants(**arguments)``"""
    return problem.variants(**arguments)


def device_memory(rows: int, columns: int, count: int = 1, changes: int = 0) -> dict[str, int]:
    """Bytes of a device's memory that dense problems of `rows` and `columns` take, beside 0.6 to 0.9 GB
    of CUDA's: the matrix ("array"); one solve; a "batch" of `count`; as many "variants" of one with
    points, `changes` changed numbers each. Raises ValueError for sizes that no problem has."""
    needs = np.zeros(6, dtype=np.uint64)
    sizes = list(map(operator.index, (rows, columns, count, changes)))
    beyond = max(sizes[:2]) > LARGEST or max(sizes) >= 2**63 or min(sizes) < 0
    if beyond or library().device_memory(*sizes, address(needs)):
        raise ValueError(f"{count} problems of {rows} x {columns} take no memory")
    names = "array", "barrier", "simplex", "simplex_host_array", "batch", "variants"
    return dict(zip(names, needs.tolist()))


def _largest(problem: Problem, changes: Changes, options: dict[str, object]) -> Vector:
    """Upper bounds of sup d'x, where the changes are the costs -d: the least of -d'x from below, with
    the sign changed."""
    answer = BatchSolver(**options)._variants(problem, changes, None, "bounds", _NO_COSTS)
    for k in np.flatnonzero(answer.status == Status.INVALID):
        raise ValueError(f"directions[{k}]: {answer.notes[int(k)]}")
    assert answer.objective_lower is not None
    return -answer.objective_lower


def support(problem: Problem, directions: Any, options: dict[str, object]) -> Vector:
    found: Any = sparse_matrix(directions, "directions") if is_sparse(directions) else None
    values = np.atleast_2d(doubles(directions, "directions")) if found is None else found.values
    if not np.isfinite(values).all():
        raise ValueError("directions has a number that is not finite")
    _check_shape("directions", (values if found is None else found).shape, problem.shape[1])
    costs = -values if found is None else found._replace(values=-values)
    return _largest(problem, Changes(problem, {"costs": costs}), options)


def bounds_of(
    problem: Problem, columns: npt.NDArray[np.int32], options: dict[str, object]
) -> tuple[Vector, Vector]:
    changes = Changes(problem, {})
    pairs, signs = 2 * columns.size, np.tile([1.0, -1.0], columns.size)  # the least, the largest
    changes.add("costs", pairs, np.arange(pairs), np.repeat(columns, 2), signs)
    largest = _largest(problem, changes, options)
    return -largest[0::2], largest[1::2]


class Changes:
    """What variants change: dense arrays, shape (K, n) or (K, m), NaN where nothing is changed; and
    single numbers, as arrays of variants, kinds, indices, rows and values."""

    def __init__(self, problem: Problem, arrays: dict[str, Any]) -> None:
        m, n = problem.shape
        arrays = {name: values for name, values in arrays.items() if values is not None}
        self.dense: dict[str, Vector | OnDevice] = {}
        self._counts: dict[str, int] = {}
        self._sparse: list[tuple[Any, ...]] = []
        if "rhs" in arrays:
            self._add_right_hand_sides(problem, arrays.pop("rhs"), arrays)
        for name, values in arrays.items():
            width = m if name.startswith("row") else n
            sparse = sparse_matrix(values, name) if is_sparse(values) else values
            array = sparse if isinstance(sparse, Sparse) else _there_or_here(values, name)
            _check_shape(name, array.shape, width)
            if isinstance(array, Sparse):
                self.add(name, array.shape[0], *array.triplets())
                continue
            self._counts[name] = array.shape[0]
            self.dense[name] = array

    def _add_right_hand_sides(self, problem: Problem, rhs: Any, arrays: dict[str, Any]) -> None:
        """As changes of the bounds that rows have, which have to be one, or two that are equal."""
        if "row_lower" in arrays or "row_upper" in arrays:
            raise ValueError("rhs stands for row_lower and row_upper: give one or the other")
        lower, upper = problem.row_bounds
        single = (np.isfinite(lower) != np.isfinite(upper)) | (lower == upper)
        uniform = [name for name, bound in (("row_lower", lower), ("row_upper", upper))
                   if np.isfinite(bound).all()]
        if single.all() and (len(uniform) == 2 or np.isinf([lower, upper]).all(axis=1).any()):
            rhs = device_array(rhs) or rhs  # which all rows have at the same bounds
            if isinstance(rhs, OnDevice):
                return arrays.update(dict.fromkeys(uniform, rhs))
        values: Any = sparse_matrix(rhs, "rhs") if is_sparse(rhs) else doubles(rhs, "rhs")
        _check_shape("rhs", values.shape, lower.size)
        sparse: Any = values.triplets() if isinstance(values, Sparse) else None  # variants, rows, numbers
        given = np.bincount(sparse[1], minlength=lower.size) > 0 if sparse else (~np.isnan(values)).any(axis=0)
        if (given & ~single).any():
            row = int(np.argmax(given & ~single))
            raise ValueError(
                f"row {row} has no single right-hand side: give row_lower and row_upper instead of rhs"
            )
        for name, bound in (("row_lower", lower), ("row_upper", upper)):
            held = np.isfinite(bound)
            if sparse:
                self.add(name, values.shape[0], *(part[held[sparse[1]]] for part in sparse))
            else:
                arrays[name] = np.where(held, values, np.nan)

    def add(self, name: str, count: int, variants: Any, indices: Any, values: Any) -> None:
        """Single numbers of `count` variants."""
        self._counts[name] = count
        kinds = np.full(values.size, _KINDS.index(name))
        self._sparse.append((variants, kinds, indices, np.zeros(values.size), values))

    def add_coefficients(self, coefficients: Any) -> None:
        if len(coefficients) != 4:
            raise ValueError("coefficients are four arrays of one length: variants, rows, columns, values")
        names = ("variants", "rows", "columns")
        variants, rows, columns = (
            numbers_of(part, f"{name} of coefficients") for part, name in zip(coefficients, names)
        )
        values = np.atleast_1d(doubles(coefficients[3], "values of coefficients"))
        if not variants.size == rows.size == columns.size == values.size:
            raise ValueError("coefficients are four arrays of one length: variants, rows, columns, values")
        kinds = np.full(values.size, _COEFFICIENT)
        self._sparse.append((variants, kinds, columns, rows, values))

    def count(self, given: int | None) -> int:
        """K, on which all arrays agree."""
        counts = {**self._counts, **({} if given is None else {"count": index_of(given, "count")})}
        if len(set(counts.values())) > 1:
            raise ValueError(f"the numbers of variants differ: {counts}")
        if counts:
            return next(iter(counts.values()))
        return 1 + max((int(part[0].max()) for part in self._sparse if part[0].size), default=-1)

    def packed(self, count: int) -> tuple[npt.NDArray[np.int64] | None, tuple[Any, ...]]:
        """Where each variant's single numbers begin, length K + 1; kinds, indices, rows, values."""
        if not self._sparse:
            return None, (None,) * 4
        variants, kinds, indices, rows, values = (
            np.concatenate(parts) for parts in zip(*self._sparse)
        )
        if variants.size and not 0 <= variants.min() <= variants.max() < count:
            raise ValueError(f"coefficients name variants that are not from 0 to {count - 1}")
        order = np.argsort(variants, kind="stable")
        starts = np.searchsorted(variants[order], np.arange(count + 1)).astype(np.int64)
        integers = (part[order].astype(np.int32) for part in (kinds, indices, rows))
        return starts, (*integers, values[order].astype(np.float64))


def _check_shape(name: str, shape: tuple[int, ...], width: int) -> None:
    if len(shape) != 2 or shape[1] != width:
        raise ValueError(f"{name} has shape {shape} instead of (K, {width})")


def _starts(sizes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    starts = np.zeros(sizes.size + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def _there_or_here(values: Any, name: str) -> Any:
    """Doubles by rows, on a device where they lie there."""
    found = values if isinstance(values, OnDevice) else device_array(values)
    return found or np.ascontiguousarray(doubles(values, name))


def _place_of(array: Any) -> int | None:
    return array.address if isinstance(array, OnDevice) else address(array)


def _is_ragged(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and len({np.shape(value) for value in values}) > 1


def _matrices(A: Any) -> tuple[Any, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """All matrices by rows one behind the other, numbers of rows, numbers of columns."""
    if _is_ragged(A):
        parts = [doubles(part, "A") for part in A]
        for k, part in enumerate(parts):
            if part.ndim != 2:
                raise ValueError(f"A[{k}] has {part.ndim} dimensions instead of two")
        shapes = np.array([part.shape for part in parts], dtype=np.int32)
        return (
            np.concatenate([part.ravel() for part in parts]),
            np.ascontiguousarray(shapes[:, 0]), np.ascontiguousarray(shapes[:, 1]),
        )
    array = _there_or_here(A, "A")
    if len(array.shape) != 3:
        raise ValueError(f"A has {len(array.shape)} dimensions instead of three: problem, row, column")
    count, rows, columns = array.shape
    return (
        array, np.full(count, rows, dtype=np.int32),
        np.full(count, columns, dtype=np.int32),
    )


def _without_none(values: Any, absent: float) -> Any:
    """`absent` for each None in lists: no bound."""
    if isinstance(values, (list, tuple)):
        return [_without_none(value, absent) for value in values]
    return absent if values is None else values


def _packed(
    values: Any, name: str, sizes: npt.NDArray[np.int32], starts: npt.NDArray[np.int64]
) -> Vector | OnDevice | None:
    """Numbers of all problems one behind the other; a number or one row stands for all."""
    if values is None:
        return None
    there = device_array(values)
    if there and sizes.size and (sizes == sizes[0]).all() and there.shape == (sizes.size, sizes[0]):
        return there
    if name != "c":
        values = _without_none(values, math.inf if name.endswith("upper") else -math.inf)
    count, total = sizes.size, int(starts[-1])
    if count == 0:
        return np.zeros(0)
    if isinstance(values, (list, tuple)) and len(values) == count and any(map(np.ndim, values)):
        parts = [doubles(part, name) for part in values]
        for k, part in enumerate(parts):
            if part.shape != (sizes[k],):
                raise ValueError(f"{name}[{k}] has shape {part.shape} instead of ({sizes[k]},)")
        return np.concatenate(parts) if parts else np.zeros(0)
    array = doubles(values, name)
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
    if isinstance(sense, str):  # looked at once, not a million times
        return np.repeat(_senses([sense], 1), count)
    words = list(sense)
    if len(words) != count:
        raise ValueError(f"sense has length {len(words)} instead of {count}")
    for word in words:
        if word not in ("min", "max"):
            raise ValueError(f"sense is {word!r}, but has to be 'min' or 'max'")
    return np.array([word == "max" for word in words], dtype=np.int32)
