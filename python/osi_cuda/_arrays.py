# SPDX-License-Identifier: EPL-2.0
"""Matrices and vectors of all kinds, as the C library takes them."""

from __future__ import annotations

import contextlib
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Union

import numpy as np
import numpy.typing as npt

from ._device import OnDevice, as_like, device_matrix
from ._fractions import standing

Vector = npt.NDArray[np.float64]


class _HasArray(Protocol):
    def __array__(self) -> npt.NDArray[Any]: ...


class _OnDevice(Protocol):
    def __dlpack__(self) -> Any: ...


class _SparseLike(Protocol):
    def tocsc(self) -> Any: ...


# What functions take: no text, which NumPy's ArrayLike lets pass. None is a bound that is absent.
Numbers = Union[float, Sequence[Union[float, None]], npt.NDArray[Any], _HasArray, _OnDevice]
Matrix = Union[
    Sequence[Sequence[float]], Sequence[npt.NDArray[Any]], npt.NDArray[Any], _HasArray, _OnDevice,
    _SparseLike, "Dense", "Sparse", OnDevice,
]

LARGEST = 2**31 - 1  # rows and columns are counted by 32-bit numbers
_DOUBLE = 8  # bytes


class Dense(NamedTuple):
    """Entry (i, j) lies `i * row_step + j * column_step` numbers behind the address."""

    array: Vector  # keeps the memory
    row_step: int
    column_step: int
    fresh: bool = False  #: nobody else has the array: it was made here

    @property
    def shape(self) -> tuple[int, int]:
        rows, columns = self.array.shape
        return rows, columns


class Sparse(NamedTuple):
    """By columns (CSC), or by rows (CSR)."""

    shape: tuple[int, int]
    by_columns: bool
    starts: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    values: Vector

    def triplets(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Vector]:
        """Rows, columns and values of the entries."""
        lines = np.repeat(np.arange(self.starts.size - 1, dtype=np.int32), np.diff(self.starts))
        rows, columns = (self.indices, lines) if self.by_columns else (lines, self.indices)
        return rows, columns, self.values


def address(array: npt.NDArray[Any] | None) -> int | None:
    return None if array is None else array.ctypes.data


def _from_device(array: Any) -> Any:
    """An array in a device's memory, copied to the host by its own library."""
    for method in ("get", "copy_to_host"):  # CuPy; Numba
        if callable(getattr(array, method, None)):
            return getattr(array, method)()
    if callable(getattr(array, "cpu", None)):  # PyTorch
        moved = array.detach() if callable(getattr(array, "detach", None)) else array
        return moved.cpu().numpy()
    if callable(getattr(array, "__array__", None)):  # JAX
        return array.__array__()
    raise TypeError(
        f"{type(array).__name__} lies in a device's memory and has no method get, copy_to_host, "
        "cpu or __array__ by which it could be copied to the host"
    )


def _on_device(array: Any) -> bool:
    if isinstance(array, np.ndarray):
        return False
    device = getattr(array, "__dlpack_device__", None)
    # 1: the processor (kDLCPU of DLPack); all others are copied by their own library.
    if callable(device) and device()[0] != 1:
        return True
    # PyTorch raises AttributeError on the host.
    return hasattr(array, "__cuda_array_interface__")


def on_host(array: Any) -> Any:
    """What NumPy can read without another library: arrays on a device are copied to the host."""
    if isinstance(array, np.ndarray):
        return array
    if _on_device(array):
        return _from_device(array)
    if callable(getattr(array, "detach", None)):  # PyTorch refuses arrays with gradients
        array = array.detach()
    if callable(getattr(array, "__dlpack_device__", None)) and callable(
        getattr(array, "__dlpack__", None)
    ):
        return np.from_dlpack(array)
    return array


class DeviceRows:
    """A matrix that stays on its device: rows of it, and products by its own library, which come to the host."""

    __array_ufunc__ = None  # NumPy leaves v @ rows to the rows

    def __init__(self, array: Any) -> None:
        self.array, self.shape = array, (int(array.shape[0]), int(array.shape[1]))

    def __getitem__(self, which: npt.NDArray[np.intp]) -> DeviceRows:
        return DeviceRows(self.array[as_like(which, self.array)])

    def squares(self) -> DeviceRows:
        return DeviceRows(self.array * self.array)

    def __matmul__(self, other: Vector) -> Any:
        return on_host(self.array @ as_like(other, self.array))

    def __rmatmul__(self, other: Vector) -> Any:
        return on_host(as_like(other, self.array) @ self.array)

    def widened(self, columns: int, factors: Vector) -> Any:
        """On the device, with so many columns, those beyond its own of ones, each row times its factor."""
        one, own = self.array, self.shape[1]
        wide = one @ as_like(np.eye(own, columns), one) + as_like(np.arange(columns) // own * 1.0, one)
        return wide * as_like(factors[:, None], one)


def device_rows(matrix: Any) -> DeviceRows | None:
    """Doubles on a CUDA device, of a library that multiplies them (no Numba's); None for other matrices."""
    return DeviceRows(matrix) if hasattr(type(matrix), "__matmul__") and device_matrix(matrix) else None


# What has a conversion to float all the same.
_NO_NUMBERS = str, bytes, complex, np.character, np.complexfloating, np.datetime64, np.timedelta64, np.void


def _masked(given: Any) -> bool:
    if isinstance(given, (list, tuple)):
        nested = any(issubclass(kind, (np.ma.MaskedArray, list, tuple)) for kind in set(map(type, given)))
        return nested and any(map(_masked, given))
    return bool(np.ma.is_masked(given))


def doubles(numbers: Any, name: str, what: str = "an array of numbers") -> Vector:
    """Numbers of any kind and shape, rounded to doubles; None is NaN. Raises TypeError for what NumPy would
    misread (text, dates, complex numbers, masked elements), ValueError beyond the range of doubles."""
    if type(numbers) is float or type(numbers) is np.ndarray and numbers.dtype == np.float64:
        return np.asarray(numbers)
    try:
        given = on_host(numbers)
        array = standing(np.asarray(given))
        misread = array.dtype.kind not in "biufO" or array.dtype == object and any(
            issubclass(kind, _NO_NUMBERS) for kind in set(map(type, array.flat)))
        if misread or _masked(given):
            raise TypeError(f"elements are {array.dtype if misread else 'masked'}")
        if array.dtype != object and array.dtype.itemsize <= _DOUBLE:
            return np.asarray(array, dtype=np.float64)
        with np.errstate(over="ignore"):
            rounded = np.asarray(array, dtype=np.float64)
        if any(abs(number) != np.inf for number in array[np.isinf(rounded)]):
            raise OverflowError
    except OverflowError:
        raise ValueError(f"{name} has a number beyond the range of doubles") from None
    except (TypeError, ValueError, BufferError) as error:
        raise TypeError(f"{name} has to be {what}: {error}") from None
    return rounded


def sound(array: Any, name: str, labels: bool = False) -> Any:
    """As it is, where other packages don't misread it. They refuse arrays of complex numbers in words of their own."""
    if is_sparse(array):
        sparse_matrix(array, name)
    elif labels and _masked(array):
        raise TypeError(f"{name} has masked elements")
    elif not labels and not _on_device(array) and getattr(getattr(array, "dtype", None), "kind", "") != "c":
        doubles(array, name)
    return array


def number(value: Any, name: str) -> float:
    array = doubles(value, name, "a number")
    if array.ndim:
        raise TypeError(f"{name} has to be a number, not an array")
    return float(array)


def index_of(value: Any, name: str, count: int = LARGEST) -> int:
    """A single number of `count` things, counted from 0."""
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} has to be a whole number, not {value!r}") from None
    if not 0 <= index < count:
        raise IndexError(f"{name} is {index}, but has to be from 0 to {count - 1}")
    return index


def whole(values: Any, name: str, length: int, largest: int) -> npt.NDArray[np.uint8]:
    if type(values) is np.ndarray and values.dtype == np.uint8 and values.shape == (length,) and values.max(initial=0) <= largest:
        return np.ascontiguousarray(values)
    array = vector(values, name, length)
    wrong = np.flatnonzero(~((array >= 0) & (array <= largest) & (array == np.rint(array))))
    if wrong.size:
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]:g}, but has to be a whole number from 0 to {largest}")
    return array.astype(np.uint8)


def integer_marks(marks: Any, length: int) -> npt.NDArray[np.uint8]:
    """1 for each integer column. Whole numbers that may as well be a list of columns are refused."""
    given = np.asarray(on_host(marks))
    if length and given.dtype.kind in "iu" and given.shape == (length,) and np.array_equal(np.sort(given), np.arange(length)):
        raise ValueError(
            f"integers is {given.tolist()}, marks of columns or numbers of columns: say "
            f"{given.astype(bool).tolist()}, or of columns {(np.bincount(given, minlength=length) > 0).tolist()}"
        )
    return whole(marks, "integers", length, 1)


def c_text(text: Any, name: str) -> bytes:
    """For C, where NUL ends a text; names of files are bytes of any encoding."""
    if name != "path" and not isinstance(text, str):
        raise TypeError(f"{name} has to be text, not {text!r}")
    encoded = os.fsencode(text) if name == "path" else text.encode(errors="surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"{name} has a NUL: {text!r}")
    return encoded


def vector(numbers: Any, name: str, length: int | None = None) -> Vector:
    """A contiguous vector of doubles; a number stands for `length` times itself."""
    array = doubles(numbers, name)
    if array.ndim == 0 and length is not None:
        return np.full(length, float(array))
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions instead of one")
    if length is not None and array.size != length:
        raise ValueError(f"{name} has length {array.size} instead of {length}")
    return np.ascontiguousarray(array)


def bounds(numbers: Any, name: str, length: int, absent: float) -> Vector:
    """The same of bounds: None, for all of them or for one, stands for `absent`."""
    if numbers is None:
        return np.full(length, absent)
    is_list = isinstance(numbers, (list, tuple)) or getattr(numbers, "dtype", None) == object
    if is_list and np.ndim(numbers) == 1:
        numbers = [absent if number is None else number for number in numbers]
    return vector(numbers, name, length)


def _wrong_place(name: str, array: Any) -> str:
    """What no problem can have in an array, with its place counted from 0; empty: nothing."""
    numbers = array.values if isinstance(array, Sparse) else getattr(array, "array", array)
    if not isinstance(numbers, np.ndarray):
        return ""
    wrong = np.isnan(numbers)
    if name == "lower" or name == "row_lower":
        wrong |= numbers == np.inf
    elif name == "upper" or name == "row_upper":
        wrong |= numbers == -np.inf
    else:
        wrong |= np.isinf(numbers)
    places: Any = np.argwhere(wrong)
    if places.size == 0:
        return ""
    value = numbers[tuple(places[0])]
    if isinstance(array, Sparse):
        line = int(np.searchsorted(array.starts, places[0][0], side="right")) - 1
        other = int(array.indices[places[0][0]])
        places = [(other, line) if array.by_columns else (line, other)]
    place = ", ".join(str(int(number)) for number in places[0])
    expected = "is not a number" if np.isnan(value) else "is not finite"
    return f"{name}[{place}] is {value}, which {expected}"


@contextlib.contextmanager
def naming(**arrays: Any) -> Iterator[None]:
    """Within it, a ValueError for a number that no problem can have names the argument and the place,
    counted from 0. Nothing is looked at before there is one."""
    try:
        yield
    except ValueError as error:
        if not any(words in str(error) for words in ("not a number", "not finite", "infinity")):
            raise
        for name, array in arrays.items():
            sentence = _wrong_place(name, array)
            if sentence:
                raise ValueError(sentence) from error
        raise


def numbers_of(indices: Any, name: str, size: int | None = None) -> npt.NDArray[np.int32]:
    """Numbers of rows or columns, counted from 0; the library looks whether there are such, unless `size` says."""
    array = np.atleast_1d(np.asarray(given := on_host(indices)))
    if array.size == 0 and array.ndim == 1:
        return np.zeros(0, dtype=np.int32)
    if array.ndim != 1 or array.dtype.kind not in "iu" or _masked(given):
        raise TypeError(f"{name} has to be a number or a list of numbers, counted from 0")
    if array.min() < -LARGEST or array.max() > LARGEST:
        raise ValueError(f"{name} has a number beyond {LARGEST}")
    wrong = np.flatnonzero((array < 0) | (array >= (array.max() + 1 if size is None else size)))
    if wrong.size and size is not None:
        raise ValueError(f"{name}[{wrong[0]}] is {array[wrong[0]]}, but there are {size}, counted from 0")
    return np.ascontiguousarray(array, dtype=np.int32)


def by_rows(rows: Sequence[Mapping[int, float]], columns: int) -> Sparse:
    """Of rows as coefficients by the number of the column."""
    return Sparse(
        (len(rows), columns), False, np.cumsum([0, *map(len, rows)], dtype=np.int64),
        np.array([j for row in rows for j in row], dtype=np.int32),
        np.array([value for row in rows for value in row.values()], dtype=np.float64),
    )


def is_sparse(matrix: Any) -> bool:
    """Whether it is one of SciPy's, found out without SciPy."""
    kinds = type(matrix).__mro__ if hasattr(matrix, "tocsc") else ()
    return any(kind.__module__.startswith("scipy.sparse") for kind in kinds)


def sparse_matrix(matrix: Any, name: str) -> Sparse:
    """One of SciPy's, whose code trusts its arrays: they are looked at before."""
    if len(matrix.shape) != 2:
        raise ValueError(f"{name} has {len(matrix.shape)} dimensions instead of two")
    if matrix.format not in ("csc", "csr"):
        matrix = matrix.tocoo()
        values = vector(matrix.data, f"{name}.data")
        for part, size in ((matrix.row, matrix.shape[0]), (matrix.col, matrix.shape[1])):
            if numbers_of(part, f"the indices of {name}", size).size != values.size:
                raise ValueError(f"{name}.data has length {values.size}, but there are {len(part)} indices")
        matrix = matrix.astype(np.float64).tocsc()
    by_columns = matrix.format == "csc"
    lines, others = matrix.shape[::-1] if by_columns else matrix.shape
    starts, values = np.asarray(matrix.indptr), vector(matrix.data, f"{name}.data")
    if starts.dtype.kind not in "iu" or starts.shape != (lines + 1,):
        raise ValueError(f"{name}.indptr has to be of integers and of length {lines + 1}, not {starts.size}")
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    if starts[0] != 0 or (np.diff(starts) < 0).any():
        raise ValueError(f"{name}.indptr has to ascend from 0")
    count, there = int(starts[-1]), min(values.size, np.size(matrix.indices))
    if count > there:
        raise ValueError(f"{name}.indptr ends at {count}, but {name}.indices or {name}.data has length {there}")
    indices = numbers_of(matrix.indices[:count], f"{name}.indices", others)
    if not matrix.has_canonical_format:  # duplicates are summed, in a copy
        matrix = matrix.astype(np.float64, copy=True)
        matrix.sum_duplicates()
        starts, values = matrix.indptr.astype(np.int64), matrix.data
        indices = matrix.indices.astype(np.int32)
    return Sparse((int(matrix.shape[0]), int(matrix.shape[1])), by_columns, starts, indices, values)


# Of DLPack's devices those whose memory the processor reads, too: pinned (CUDA, ROCm) and managed.
_READ_BY_HOST = (3, 11, 13)


def _is_fresh(matrix: Any, given: Any, array: Vector) -> bool:
    """Whether `array`, made of `matrix` by way of `given`, shares no memory with what the caller
    has; False where that is not known."""
    if _on_device(matrix):
        device = getattr(matrix, "__dlpack_device__", None)
        return not (callable(device) and device()[0] in _READ_BY_HOST)
    if isinstance(given, np.ndarray):
        return not np.may_share_memory(given, array)
    return isinstance(given, (list, tuple))


def dense(matrix: Any) -> Any:
    """On the host, of a `DeviceRows` too."""
    return matrix.toarray() if is_sparse(matrix) else on_host(getattr(matrix, "array", matrix))


def stacked(upper: Dense, lower: Dense) -> Dense:
    """Rows of both, one below the other, in a new array."""
    array = np.concatenate([upper.array, lower.array])
    return Dense(array, array.strides[0] // _DOUBLE, array.strides[1] // _DOUBLE, True)


def as_matrix(matrix: Any, name: str, columns: int | None = None) -> Dense | Sparse:
    """A matrix as it is, where that can be: doubles in any order of rows and columns, SciPy's CSC and
    CSR. What has other numbers is converted, what lies on a device copied."""
    if isinstance(matrix, OnDevice):
        matrix = matrix.source
    if isinstance(matrix, (Dense, Sparse)):
        found: Dense | Sparse = matrix
    elif is_sparse(matrix):
        found = sparse_matrix(matrix, name)
    else:
        given = on_host(matrix)
        array = doubles(given, name, "a matrix of numbers")
        if array.ndim != 2:
            raise ValueError(f"{name} has {array.ndim} dimensions instead of two")
        if not array.flags.aligned or any(stride % _DOUBLE for stride in array.strides):
            array = array.copy()
        fresh = _is_fresh(matrix, given, array)
        found = Dense(array, array.strides[0] // _DOUBLE, array.strides[1] // _DOUBLE, fresh)
    if max(found.shape) > LARGEST:
        raise ValueError(f"{name} has more than {LARGEST} rows or columns")
    if columns is not None and found.shape[1] != columns:
        raise ValueError(f"{name} has {found.shape[1]} columns instead of {columns}")
    return found


def as_matrix_there(matrix: Any, name: str, columns: int | None = None) -> Dense | Sparse | OnDevice:
    """The same, but for doubles without gaps on a CUDA device, which stay there."""
    found = matrix if isinstance(matrix, OnDevice) else device_matrix(matrix)
    if found is None or max(found.shape) > LARGEST:
        return as_matrix(matrix, name, columns)
    if columns is not None and found.shape[1] != columns:
        raise ValueError(f"{name} has {found.shape[1]} columns instead of {columns}")
    return found


def other_way(matrix: Sparse) -> Sparse:
    """By rows what was by columns, and by columns what was by rows."""
    rows, columns, _ = matrix.triplets()
    lines = columns if matrix.by_columns else rows
    order = np.argsort(matrix.indices, kind="stable")
    length = matrix.shape[0] if matrix.by_columns else matrix.shape[1]
    starts = np.zeros(length + 1, dtype=np.int64)
    np.cumsum(np.bincount(matrix.indices, minlength=length), out=starts[1:])
    return Sparse(
        matrix.shape, not matrix.by_columns, starts, lines[order], matrix.values[order]
    )
