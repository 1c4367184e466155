# SPDX-License-Identifier: EPL-2.0
"""The data of a linear program in the library: what `Problem` solves."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import functools
import itertools
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
import numpy.typing as npt

from . import _library
from ._arrays import (
    Dense, Matrix, Numbers, Sparse, Vector, address, as_matrix, as_matrix_there, bounds, c_text, doubles, index_of, naming,
    number, numbers_of, other_way, vector, whole,
)
from ._device import OnDevice
from ._errors import EngineUnavailable, exception_for
from ._fractions import Table, in_use, is_fraction, using
from ._interrupt import OneAtATime, calling_back
from ._library import library
from ._options import option_table, option_text
from ._solution import Basis, Solution, VariableStatus

if TYPE_CHECKING:
    from typing_extensions import Self

logger = logging.getLogger("osi_cuda")
_Method = TypeVar("_Method", bound=Callable[..., Any])

_SENSES = ("min", "max")


def _keeps_fractions(method: _Method) -> _Method:
    """A method whose arguments may have fractions."""

    @functools.wraps(method)
    def keeping(self: Model, *arguments: Any, **named: Any) -> Any:
        exact = not in_use() and any(map(is_fraction, (*arguments, *named.values())))
        with self._keeping(self._table() if exact else None):
            return method(self, *arguments, **named)

    return cast(_Method, keeping)


class _Owner:
    """Keeps what the library has of a problem, for the problem and for the exact answers of its solutions."""

    handle: int | None = None
    solves = 0  #: the last solution's number
    borrowed: Any = None


class SpecialOrderedSet(NamedTuple):
    """At most `type` (1 or 2) of the columns are nonzero, two only as neighbours in the order of their
    weights."""

    type: int
    columns: Sequence[int]
    weights: Numbers | None = None  #: None: the order of `columns`
    priority: int = 0  #: sets of lower numbers are branched on first
    name: str = ""


class Model:
    """A linear program that is made, read, changed, copied and pickled, with its options and the basis
    that a solve begins with. `Problem` says what the arguments are."""

    _borrowed: Any  # keeps what the library uses where it lies

    def __init__(
        self,
        c: Numbers = (),
        A: Matrix | None = None,
        row_lower: Numbers | None = None,
        row_upper: Numbers | None = None,
        lower: Numbers | None = 0.0,
        upper: Numbers | None = np.inf,
        *,
        sense: str = "min",
        offset: float = 0.0,
        copy: bool = True,
        names: Sequence[str] | None = None,
        row_names: Sequence[str] | None = None,
        sos: Sequence[Any] = (),
        semicontinuous: Any = None,
        **options: object,
    ) -> None:
        self._own(library().create())
        given = c, A, row_lower, row_upper, lower, upper, offset
        table = options.pop("_table", None) or (Table.of(given) if any(map(is_fraction, given)) else None)
        self.set_options(**options)
        with self._keeping(table):
            costs = vector(c, "c")
            n = costs.size
            there = not copy and options.get("engine") != "host"
            convert = as_matrix_there if there else as_matrix
            matrix = convert(np.zeros((0, n)) if A is None else A, "A", n)
            m = matrix.shape[0]
            arrays = _vectors(n, lower=-np.inf if lower is None else lower, upper=np.inf if upper is None else upper)
            arrays |= {**_vectors(m, row_lower=row_lower, row_upper=row_upper), "c": costs}
            addresses = list(map(address, arrays.values()))
            with self._logging(), naming(**arrays, A=matrix):
                if not isinstance(matrix, OnDevice):
                    self._load(matrix, copy, addresses)
                elif not self._borrow_there(matrix, addresses):
                    self._load(as_matrix(matrix, "A"), copy, addresses)
                elif matrix.device is not None and "device" not in options:
                    self.set_options(device=matrix.device)
            self.set_sense(sense)
            if type(offset) is not float or offset != 0.0:
                self.set_offset(offset)
            if names is not None or row_names is not None:
                self.set_names(row_names, names)
            if semicontinuous is not None:
                self.set_semicontinuous(semicontinuous)
            if len(sos):
                self.set_sos(sos)

    @contextlib.contextmanager
    def _keeping(self, table: Table | None) -> Iterator[None]:
        """Within it, fractions among the numbers get doubles of the table, and the library is told of them."""
        with using(table):
            yield
        for number, text in table.others() if table else ():
            self._call("set_fraction", number, text.encode())

    def _table(self) -> Table:
        """The fractions of the problem as it is, and its doubles."""
        table = Table()
        for number, text in self._fractions():
            table.keep(number, Fraction(text))
        for numbers in (self.matrix[0], self.costs, *self.column_bounds, *self.row_bounds, [self.offset]):
            table.claim(numbers)
        return table

    def _fractions(self) -> list[tuple[float, str]]:
        number, text, found = ctypes.c_double(), ctypes.c_char_p(), []
        while library().get_fraction(self._handle, len(found), ctypes.byref(number), ctypes.byref(text)) == 0:
            found.append((number.value, (text.value or b"").decode()))
        return found

    def _load(self, matrix: Dense | Sparse, copy: bool, addresses: Sequence[int | None]) -> None:
        if isinstance(matrix, Sparse):
            function = "load_columns" if matrix.by_columns else "load_rows"
        else:
            function = "load_dense" if copy and not matrix.fresh else "borrow_dense"
        self._call(function, *matrix.shape, *_parts(matrix), *addresses)
        if isinstance(matrix, Dense) and library().borrows(self._handle) == 1:
            self._borrowed = matrix.array

    def _borrow_there(self, matrix: OnDevice, addresses: Sequence[int | None]) -> bool:
        """Whether there is an engine for the matrix's device, which then uses it."""
        steps = matrix.address, *matrix.steps, matrix.stream
        try:
            self._call("borrow_device_dense", *matrix.shape, *steps, *addresses)
        except EngineUnavailable:
            return False
        if library().borrows(self._handle) == 1:
            self._borrowed = matrix.keep
        return True

    def _own(self, handle: int | None) -> None:
        if not handle:
            raise MemoryError("there is no memory for a problem")
        self._handle: int | None = handle
        self._solution: Solution | None = None
        self._borrowed = None
        self._places: dict[str, dict[str, int]] = {}  # rows and columns by name
        self._named = False  # by a file or by set_names
        self._labels: tuple[list[str], list[str]] | None = None  # of rows and columns, since they changed
        self._alone = OneAtATime("problem")
        self._handle_lock = threading.RLock()  # signal handlers call `interrupt`, too
        self._owner = _Owner()
        self._owner.handle = handle
        self._finalizer = weakref.finalize(self._owner, self._alone.end, library().free, handle)

    def _call(self, function: str, *arguments: Any) -> None:
        code = getattr(library(), function)(self._handle, *arguments)
        if code != 0:
            raise self._error(code)

    def close(self) -> None:
        """Gives the memory back at once; the problem can't be used any more. Raises RuntimeError
        while it is in use."""
        with self._alone(), self._handle_lock:
            handle, self._handle = self._handle, None
            self._owner.handle = None
            self._finalizer.detach()
            library().free(handle)
            self._solution = self._borrowed = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _error(self, code: int) -> Exception:
        if self._handle is None:
            return ValueError("the problem is closed")
        if code == _library.BUSY:
            return exception_for(code, library().code_text(code).decode())
        return exception_for(code, library().message(self._handle).decode())

    def _change(self, function: str, *arguments: Any) -> None:
        with self._logging():
            self._call(function, *arguments)
        self._solution = None
        self._owner.solves += 1
        if function.startswith(("add_", "delete_", "set_names")):
            self._places.clear()
            self._labels = None

    @classmethod
    def read(cls, path: str | os.PathLike[str], **options: object) -> Self:
        """A problem from the file `path`: MPS, CPLEX LP or lp_solve LP, told apart by content, plain
        or compressed, with `options` as `set_options` takes them. Ctrl-C ends the reading.

        Raises
        ------
        FileNotFoundError, FileFormatError, MemoryError
        """
        problem = cls()
        problem.set_options(**options)

        problem._read("read", c_text(path, "path"))
        return problem

    def _read(self, function: str, *files: bytes | None) -> None:
        with self._alone(), self._logging(), calling_back(self._call, self.interrupt):
            self._call(function, *files)
        self._named = True

    def copy(self) -> Self:
        """Problem, options, basis and a subclass' attributes; the solution stays behind."""
        other = self._made("copy")
        other._borrowed, other._labels = self._borrowed, self._labels
        return other

    def _made(self, function: str) -> Self:
        """The problem that a function of the library makes of this one."""
        handle = ctypes.c_void_p()
        self._call(function, ctypes.byref(handle))
        other = type(self).__new__(type(self))
        other.__dict__.update(self._attributes())
        other._own(handle.value)
        other._named = self._named
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = memo[id(self)] = self.copy()
        other.__dict__.update(copy.deepcopy(self._attributes(), memo))
        return other

    def _attributes(self) -> dict[str, Any]:
        """Those of a subclass or a caller."""
        own = ("_handle", "_handle_lock", "_solution", "_borrowed", "_places", "_alone", "_finalizer", "_named", "_labels", "_owner")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __getstate__(self) -> dict[str, Any]:
        """All that makes the problem, in arrays and words."""
        basis = self.basis
        return {
            "shape": self.shape, "matrix": self.matrix, "costs": self.costs,
            "column_bounds": self.column_bounds, "row_bounds": self.row_bounds,
            "sense": self.sense, "offset": self.offset, "names": self._names(),
            "integers": self._integers(),
            "semicontinuous": self.semicontinuous, "sos": self.sos,
            "decimals": self._told("get_decimals", ctypes.c_int)[0], "fractions": self._fractions(),
            "scenarios": self._scenarios(),
            "options": {
                option.name: text for option in option_table()
                if (text := self.get_option(option.name)) != option.default
            },
            "basis": None if _is_slacks(basis, *self.column_bounds) else basis,
            "attributes": self._attributes(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        values, rows, starts = state["matrix"]
        m, n = state["shape"]
        matrix: Dense | Sparse = Sparse((m, n), True, starts, rows, values)
        if m * n > 0 and 3 * values.size >= 2 * m * n:  # kept with its zeros, as it was loaded
            array = np.zeros((m, n), order="F")
            array[rows, np.repeat(np.arange(n), np.diff(starts))] = values
            matrix = Dense(array, 1, m, True)
        vars(self).update(state["attributes"])
        # A subclass may make its problems from other arguments.
        Model.__init__(
            self, state["costs"], matrix, *state["row_bounds"], *state["column_bounds"],
            sense=state["sense"], offset=state["offset"], infinity=None,  # bounds are as they are
        )
        self.reset_options()
        self.set_options(**state["options"])
        name, objective_name, of_rows, of_columns = state["names"]
        if any((name, objective_name, of_rows, of_columns)):
            self.set_names(of_rows, of_columns, name=name, objective=objective_name)
        if state["integers"] is not None:
            self._call("set_integers", address(state["integers"]))
        if state["semicontinuous"][0].size:
            self.set_semicontinuous(*state["semicontinuous"])
        if state["sos"]:
            self.set_sos(state["sos"])
        self._call("set_decimals", state["decimals"])
        for number, text in state["fractions"]:
            self._call("set_fraction", number, text.encode())
        if state["scenarios"] is not None:
            periods, *arrays = state["scenarios"]
            self._call("set_stochastic", address(arrays[0]), _text_array(periods, "periods"), *map(address, arrays[1:]))
        if state["basis"] is not None:
            self.basis = state["basis"]

    def _activity(self, x: Sequence[Fraction]) -> list[Fraction]:
        """A @ x of the numbers that exact proofs take."""
        values, rows, starts = self.matrix
        numbers = dict(self._fractions())
        plain = (lambda a: Fraction(repr(a))) if self.get_option("exact-numbers") == "decimals" else Fraction
        sums = [Fraction(0)] * self.shape[0]
        for j, (begin, end) in enumerate(itertools.pairwise(starts.tolist())):
            for i, a in zip(rows[begin:end].tolist(), values[begin:end].tolist(), strict=True):
                size = Fraction(numbers[abs(a)]) if abs(a) in numbers else plain(abs(a))
                sums[i] += (size if a > 0 else -size) * x[j]
        return sums

    def _scenarios(self) -> tuple[Any, ...] | None:
        """Of a stochastic program: names of the periods, and the arrays of osi_cuda_get_stochastic."""
        sizes = np.zeros(3, dtype=np.int64)
        if library().get_stochastic(self._handle, address(sizes), *[None] * 9) != 0:
            return None
        (T, S, C), (m, n) = sizes.tolist(), self.shape
        periods = [library().name(self._handle, 4, t).decode() for t in range(T)]
        kinds = [(m, "i4"), (n, "i4"), (S, "f8"), (S * T, "i4"), (S + 1, "i8"), (C, "i4"), (C, "i4"), (C, "i4"), (C, "f8")]
        arrays = [np.zeros(length, dtype=kind) for length, kind in kinds]
        self._call("get_stochastic", None, *map(address, arrays))
        return periods, sizes, *arrays

    def _names(self) -> tuple[str, str, list[str], list[str]]:
        """Of the problem, of the objective, of rows and of columns; empty where they have none."""
        lib, parts = library(), []
        for which, count in enumerate((1, 1, *self.shape)):
            names = [
                lib.name(self._handle, which, k).decode(errors="surrogateescape")
                for k in range(count)
            ]
            parts.append(names if any(names) else [])
        return "".join(parts[0]), "".join(parts[1]), parts[2], parts[3]

    def _integers(self) -> npt.NDArray[np.uint8] | None:
        """1 for each integer column; None where there is none."""
        marks = np.zeros(self.shape[1], dtype=np.uint8)
        self._call("get_integers", address(marks))
        return marks if marks.any() else None

    # ---- what a search keeps besides integers ------------------------------------------------

    @property
    def semicontinuous(self) -> tuple[npt.NDArray[np.int32], Vector]:
        """Semicontinuous columns, and the threshold of each: x <= 0 or x >= threshold > 0, or x >= 0 or
        x <= threshold < 0."""
        count = self._told("get_semicontinuous", ctypes.c_int32)[0]
        columns, on = np.empty(count, dtype=np.int32), np.empty(count)
        self._call("get_semicontinuous_columns", address(columns), address(on))
        return columns, on

    def set_semicontinuous(self, columns: Any, on: Numbers | None = None) -> None:
        """These columns alone, numbers or a bool for each column, are 0 or within their bounds, or
        beyond the thresholds `on`. 0 joins their bounds. The basis stays. `solve_integers` keeps them.

        Raises
        ------
        ValueError, TypeError, IndexError
        """
        given = np.asarray(columns)
        if given.dtype == bool:
            given = np.flatnonzero(whole(given, "semicontinuous", self.shape[1], 1))
        numbers = _columns_of(given, "semicontinuous", self.shape[1])
        thresholds = None if on is None else vector(on, "on", numbers.size)
        self._change("set_semicontinuous_columns", numbers.size, address(numbers), address(thresholds))

    @property
    def sos(self) -> list[SpecialOrderedSet]:
        """Special ordered sets, in their order."""
        count, members = ctypes.c_int32(), ctypes.c_int64()
        self._call("get_ordered_sets", ctypes.byref(count), ctypes.byref(members), *[None] * 5)
        types, priorities, columns = (np.empty(k, dtype=np.int32) for k in (count.value, count.value, members.value))
        starts, weights = np.empty(count.value + 1, dtype=np.int64), np.empty(members.value)
        self._call("get_ordered_sets", None, None, *map(address, (types, priorities, starts, columns, weights)))
        named, split = 5, starts[1:-1]
        names = (library().name(self._handle, named, s).decode(errors="surrogateescape") for s in range(count.value))
        parts = (types, np.split(columns, split), np.split(weights, split), priorities)
        lists = ([part.tolist() for part in all_of][:count.value] for all_of in parts)
        return list(map(SpecialOrderedSet, *lists, names))

    def set_sos(self, sets: Sequence[Any]) -> None:
        """Special ordered sets in place of those before: each a `SpecialOrderedSet`, or a tuple of
        its first parts. The basis stays. `solve_integers` keeps them.

        Raises
        ------
        ValueError, TypeError, IndexError
        """
        given = [SpecialOrderedSet(*one) for one in sets]
        columns = [_columns_of(np.asarray(one.columns), "columns", self.shape[1]) for one in given]
        weights = [
            np.arange(1.0, part.size + 1.0) if one.weights is None else vector(one.weights, "weights", part.size)
            for one, part in zip(given, columns, strict=True)
        ]
        starts = np.cumsum([0, *(part.size for part in columns)], dtype=np.int64)
        types, priorities = (
            np.array([index_of(one[k], name, 2**31) for one in given], dtype=np.int32)
            for k, name in ((0, "type"), (3, "priority"))
        )
        self._change(
            "set_ordered_sets", len(given), address(types), address(priorities), address(starts),
            address(np.concatenate([np.empty(0, dtype=np.int32), *columns])),
            address(np.concatenate([np.empty(0), *weights])), _text_array([one.name for one in given], "sos"),
        )

    # ---- what the problem is -----------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, int]:
        """Rows m and columns n."""
        return self._count("rows"), self._count("columns")

    @property
    def nonzeros(self) -> int:
        return self._count("nonzeros")

    def _count(self, function: str) -> int:
        count = int(getattr(library(), function)(self._handle))
        if count < 0:
            raise self._error(_library.BUSY)
        return count

    @property
    def sense(self) -> str:
        return _SENSES[self._told("get_objective", ctypes.c_int, ctypes.c_double)[0]]

    @property
    def offset(self) -> float:
        return float(self._told("get_objective", ctypes.c_int, ctypes.c_double)[1])

    def _filled(self, function: str, *lengths: int, of: tuple[int, ...] = ()) -> tuple[Vector, ...]:
        """Vectors of doubles that the library fills in."""
        arrays = tuple(map(np.empty, lengths))
        self._call(function, *of, *map(address, arrays))
        return arrays

    @property
    def costs(self) -> Vector:
        """A copy of c, shape (n,)."""
        return self._filled("get_costs", self.shape[1])[0]

    @property
    def column_bounds(self) -> tuple[Vector, Vector]:
        """Copies of lower and upper, shape (n,) each."""
        lower, upper = self._filled("get_column_bounds", *[self.shape[1]] * 2)
        return lower, upper

    @property
    def row_bounds(self) -> tuple[Vector, Vector]:
        """Copies of row_lower and row_upper, shape (m,) each."""
        lower, upper = self._filled("get_row_bounds", *[self.shape[0]] * 2)
        return lower, upper

    @property
    def matrix(self) -> tuple[Vector, npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """A copy of A by columns, as ``scipy.sparse.csc_array(problem.matrix, problem.shape)`` takes
        it: values, row numbers, starts."""
        starts = np.empty(self.shape[1] + 1, dtype=np.int64)
        rows = np.empty(self.nonzeros, dtype=np.int32)
        values = np.empty(self.nonzeros)
        self._call("get_matrix", address(starts), address(rows), address(values))
        return values, rows, starts

    def _sparse(self) -> Sparse:
        values, rows, starts = self.matrix
        return Sparse(self.shape, True, starts, rows, values)

    def row(self, row: int) -> Vector:
        """A copy of a row of A with its zeros, shape (n,)."""
        return self._filled("get_row", self.shape[1], of=(index_of(row, "row"),))[0]

    def column(self, column: int) -> Vector:
        """A copy of a column of A with its zeros, shape (m,)."""
        return self._filled("get_column", self.shape[0], of=(index_of(column, "column"),))[0]

    def set_names(
        self,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        name: str | None = None,
        objective: str | None = None,
    ) -> None:
        """Names for files and look-up, of all `rows`, all `columns`, the problem (`name`) and its
        `objective`; None leaves them as they are, an empty sequence takes them away. The basis
        stays."""
        present = self._names()
        m, n = self.shape
        for given, count, what in ((rows, m, "rows"), (columns, n, "columns")):
            if isinstance(given, (str, bytes)):
                raise TypeError(f"{what} has to be a list of names, not {given!r}")
            if given is not None and len(given) not in (0, count):
                raise ValueError(f"{what} has length {len(given)} instead of {count}")
        new = [
            old if given is None else given
            for old, given in zip(present, (name, objective, rows, columns), strict=True)
        ]
        self._change(
            "set_names", c_text(new[0], "name"), c_text(new[1], "objective"), _text_array(new[2], "rows"),
            _text_array(new[3], "columns"),
        )
        self._named = bool(new[2] or new[3])

    def _names_of_all(self) -> tuple[list[str], list[str]] | None:
        """Names of rows and columns as `row_name` and `column_name` say; None where nobody gave any."""
        if self._named and self._labels is None:
            m, n = self.shape
            self._labels = list(map(self.row_name, range(m))), list(map(self.column_name, range(n)))
        return self._labels if self._named else None

    def row_index(self, name: str) -> int:
        """The number of the row of this name. Raises KeyError."""
        return self._index("row", name, self.shape[0])

    def column_index(self, name: str) -> int:
        """The number of the column of this name. Raises KeyError."""
        return self._index("column", name, self.shape[1])

    def _index(self, kind: str, name: str, count: int) -> int:
        places = self._places.get(kind)
        if places is None:
            named = getattr(self, f"{kind}_name")
            places = self._places[kind] = {named(k): k for k in reversed(range(count))}
        if name not in places:
            raise KeyError(f"there is no {kind} {name!r}")
        return places[name]

    def row_name(self, row: int) -> str:
        """The name of `row`, counted from 0: that of a file, or R1, R2, ..."""
        return self._name("row_name", row)

    def column_name(self, column: int) -> str:
        """The name of `column`, counted from 0: that of a file, or C1, C2, ..."""
        return self._name("column_name", column)

    def _name(self, function: str, number: int) -> str:
        name = getattr(library(), function)(self._handle, index_of(number, function[:-5]))
        if name is None:
            raise IndexError(library().message(self._handle).decode())
        return str(name.decode(errors="surrogateescape"))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Into the file `path`, by its ending: .mps, .lp (CPLEX), .lps (lp_solve). Raises OSError,
        ValueError."""
        with self._alone(), self._logging():
            self._call("write", c_text(path, "path"))

    # ---- options -----------------------------------------------------------------------------

    def set_options(self, **options: object) -> None:
        """Sets options by name, with ``_`` for ``-``: ``set_options(time_limit=60, exact=True)``.
        None stands for "none". `option_table` has them all. Raises ValueError."""
        for name, value in options.items():
            self._call("set_option", c_text(name, "name").replace(b"_", b"-"), c_text(option_text(value), name))

    def reset_options(self) -> None:
        """All options as they are by default."""
        for option in option_table():
            self._call("set_option", option.name.encode(), option.default.encode())

    def get_option(self, name: str) -> str:
        """The option `name`, with ``_`` or ``-``, as text. Raises ValueError."""
        value = library().get_option(self._handle, c_text(name, "name").replace(b"_", b"-"))
        if value is None:
            raise ValueError(library().message(self._handle).decode())
        return str(value.decode())

    # ---- changes -----------------------------------------------------------------------------

    def _set(self, function: str, of: str, numbers: Any, **given: Any) -> None:
        """New values of all "rows" or "columns", or of those with `numbers`."""
        which = None if numbers is None else numbers_of(numbers, of)
        count = self._count(of) if which is None else which.size
        arrays = _vectors(count, **given)
        with naming(**arrays):
            self._change(function, count, address(which), *map(address, arrays.values()))

    @_keeps_fractions
    def set_bounds(self, lower: Any = None, upper: Any = None, columns: Any = None) -> None:
        """New bounds `lower` and `upper` of the columns, or of those in `columns`; None leaves a side
        as it is, and in a list stands for no bound."""
        self._set("set_column_bounds", "columns", columns, lower=lower, upper=upper)

    @_keeps_fractions
    def set_row_bounds(self, lower: Any = None, upper: Any = None, rows: Any = None) -> None:
        """New bounds `lower` and `upper` of the rows, or of those in `rows`, as `set_bounds`."""
        self._set("set_row_bounds", "rows", rows, lower=lower, upper=upper)

    @_keeps_fractions
    def set_right_hand_sides(self, values: Any, rows: Any = None) -> None:
        """Makes `values` the right-hand sides of all rows, or of those in `rows`: of equations both
        bounds, of rows with one finite bound that one. Raises ValueError for a row of another kind."""
        self._set("set_right_hand_sides", "rows", rows, values=values)

    @_keeps_fractions
    def set_costs(self, costs: Any, columns: Any = None) -> None:
        """New costs of the columns, or of those in `columns`."""
        self._set("set_costs", "columns", columns, costs=costs)

    def set_sense(self, sense: str) -> None:
        """`sense` is "min" or "max"."""
        if sense not in _SENSES:
            raise ValueError(f"sense is {sense!r}, but has to be 'min' or 'max'")
        self._change("set_sense", _SENSES.index(sense))

    @_keeps_fractions
    def set_offset(self, offset: float) -> None:
        """`offset` is added to the objective."""
        self._change("set_offset", number(offset, "offset"))

    @_keeps_fractions
    def set_coefficients(self, rows: Any, columns: Any, values: Any) -> None:
        """Makes ``A[rows[k], columns[k]]`` ``values[k]``; 0 takes a coefficient out. Many at once are
        cheaper than many calls: the next solve forms its tableau anew."""
        i, j = numbers_of(rows, "rows"), numbers_of(columns, "columns")
        new = vector(np.atleast_1d(values), "values", i.size)
        if j.size != i.size:
            raise ValueError(f"columns has length {j.size} instead of {i.size}")
        with naming(values=new):
            self._change("set_coefficients", i.size, address(i), address(j), address(new))

    def _add(self, what: str, matrix: Dense | Sparse, **given: Any) -> None:
        by_columns = what == "columns"
        arrays = _vectors(matrix.shape[by_columns], **given)
        if isinstance(matrix, Sparse) and matrix.by_columns != by_columns:
            matrix = other_way(matrix)
        function = f"add_{what}_dense" if isinstance(matrix, Dense) else f"add_{what}"
        with naming(A=matrix, **arrays):
            self._change(
                function, matrix.shape[by_columns], *_parts(matrix), *map(address, arrays.values())
            )

    @_keeps_fractions
    def add_rows(self, A: Any, lower: Any = None, upper: Any = None) -> None:
        """New rows behind the present ones: A of shape (count, n), bounds `lower` and `upper`."""
        self._add("rows", as_matrix(A, "A", self.shape[1]), lower=lower, upper=upper)

    @_keeps_fractions
    def add_columns(
        self, A: Any, lower: Any = 0.0, upper: Any = np.inf, costs: Any = 0.0
    ) -> None:
        """New columns behind the present ones: A of shape (m, count), bounds `lower` and `upper`,
        `costs`; None stands for no bound."""
        matrix = as_matrix(A, "A")
        m = self.shape[0]
        if matrix.shape[0] != m:
            raise ValueError(f"A has {matrix.shape[0]} rows instead of {m}")
        self._add(
            "columns", matrix, lower=-np.inf if lower is None else lower,
            upper=np.inf if upper is None else upper, costs=costs,
        )

    def _delete(self, what: str, numbers: Any) -> None:
        array = numbers_of(numbers, what)
        self._change(f"delete_{what}", array.size, address(array))

    def delete_rows(self, rows: Any) -> None:
        """`rows`, counted from 0, in any order, none twice; the rest moves up."""
        self._delete("rows", rows)

    def delete_columns(self, columns: Any) -> None:
        """`columns`, as `delete_rows` takes rows."""
        self._delete("columns", columns)

    # ---- the basis ---------------------------------------------------------------------------

    @property
    def basis(self) -> Basis:
        """The basis that the next solve starts from; a copy. Setting it takes one of the right
        lengths, which need not be regular: a solve repairs it. None goes back to slacks."""
        return self._present_basis(*self.shape)

    @basis.setter
    def basis(self, basis: tuple[Any, Any] | None) -> None:
        if basis is None:
            self._call("forget_basis")
            return
        if len(basis) != 2:
            raise ValueError("the basis has to be a pair: statuses of columns, of rows")
        columns, rows = (part if type(part) is np.ndarray else np.atleast_1d(doubles(part, "the basis")) for part in basis)
        if (rows.size, columns.size) != self.shape:
            raise ValueError(
                f"the basis has {columns.size} columns and {rows.size} rows instead of "
                f"{self.shape[1]} and {self.shape[0]}"
            )
        parts = [
            whole(part, f"a status is from 0 to 3: {name}", part.size, 3)
            for name, part in (("columns", columns), ("rows", rows))
        ]
        self._call("set_basis", *map(address, parts))

    def _present_basis(self, m: int, n: int) -> Basis:
        basis = Basis(np.empty(n, dtype=np.uint8), np.empty(m, dtype=np.uint8))
        self._call("get_basis", address(basis.columns), address(basis.rows))
        return basis

    def basic_variables(self) -> npt.NDArray[np.int32]:
        """The basic variables, shape (m,): j for column j, n + i for the slack of row i, where
        ``A @ x + slack`` is constant. Position k belongs to row k of the basis inverse. Forms the
        tableau of `basis` where it is not there. Raises InterruptedError where a limit came first."""
        variables = np.empty(self.shape[0], dtype=np.int32)
        self._watched("get_basic_variables", address(variables))
        return variables

    def inverse_row(self, position: int) -> tuple[Vector, Vector]:
        """Row `position` of the basis inverse B^-1, shape (m,), and of B^-1 A, shape (n,); see
        `basic_variables`."""
        m, n = self.shape
        inverse, entries = np.empty(m), np.empty(n)
        self._watched("get_inverse_row", index_of(position, "position"), address(inverse), address(entries))
        return inverse, entries

    def read_basis(self, path: str | os.PathLike[str]) -> None:
        """From `path`, an MPS basis file, also of another solver."""
        self._call("read_basis", c_text(path, "path"))

    def write_basis(self, path: str | os.PathLike[str]) -> None:
        """Into `path`, as an MPS basis file."""
        self._call("write_basis", c_text(path, "path"))

    # ---- calls of the library ----------------------------------------------------------------

    @contextlib.contextmanager
    def _logging(self) -> Iterator[None]:
        """Within it, what the library says goes to the logger ``osi_cuda``, level INFO."""
        if not logger.isEnabledFor(logging.INFO):
            yield
            return
        log = _library.LogFunction(lambda _, text: logger.info("%s", text.decode(errors="replace")))
        self._call("set_log", log, None)
        try:
            yield
        finally:
            self._call("set_log", _library.LogFunction(0), None)

    def interrupt(self) -> None:
        """Ends the solve, analysis or reading that another thread runs on this problem, within some
        hundredths of a second: a solve with status INTERRUPTED and the best point so far. Does
        nothing where none runs."""
        with self._handle_lock:  # `close` waits
            library().interrupt(self._handle)

    def _watched(self, function: str, *arguments: Any) -> None:
        """A call that Ctrl-C ends."""
        with self._alone(), calling_back(self._call, self.interrupt):
            self._call(function, *arguments)

    def _told(self, function: str, *types: Any, of: int | None = None) -> list[Any]:
        """Values of those types that the library fills in."""
        parts = [kind() for kind in types]
        self._call(function, *([] if of is None else [of]), *map(ctypes.byref, parts))
        return [part.value for part in parts]

    def __repr__(self) -> str:
        m, n = self.shape
        return f"<{type(self).__name__} {self.sense}, {m} rows, {n} columns, {self.nonzeros} nonzeros>"


def _columns_of(numbers: Any, name: str, count: int) -> npt.NDArray[np.int32]:
    """Numbers of columns, for C."""
    if numbers.size and numbers.dtype.kind not in "iu":
        raise TypeError(f"{name} has to have numbers of columns, not {numbers.dtype}")
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < count):
        raise IndexError(f"{name} has to have numbers from 0 to {count - 1}")
    return np.ascontiguousarray(numbers.ravel(), dtype=np.int32)


def _vectors(count: int, **given: Any) -> dict[str, Vector | None]:
    """Vectors of that length; bounds that are None as a whole stay None."""
    absent = {"lower": -np.inf, "upper": np.inf}

    def converted(name: str, values: Any) -> Vector | None:
        side = name.removeprefix("row_")
        if side not in absent:
            return vector(values, name, count)
        return None if values is None else bounds(values, name, count, absent[side])

    return {name: converted(name, values) for name, values in given.items()}


def _parts(matrix: Dense | Sparse) -> tuple[Any, ...]:
    """As C has it."""
    if isinstance(matrix, Dense):
        return address(matrix.array), matrix.row_step, matrix.column_step
    return address(matrix.starts), address(matrix.indices), address(matrix.values)


def _is_slacks(basis: Basis, lower: Vector, upper: Vector) -> bool:
    """Whether it is the basis of a problem that has none yet."""
    resting = np.where(
        lower != -np.inf, VariableStatus.AT_LOWER,
        np.where(upper != np.inf, VariableStatus.AT_UPPER, VariableStatus.FREE),
    )
    return bool((basis.rows == VariableStatus.BASIC).all() and (basis.columns == resting).all())


def _text_array(texts: Sequence[str], name: str) -> Any:
    """As C has it; NULL for none."""
    encoded = [c_text(text, f"{name}[{k}]") for k, text in enumerate(texts)]
    return (ctypes.c_char_p * len(encoded))(*encoded) if encoded else None
