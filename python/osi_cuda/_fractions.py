# SPDX-License-Identifier: EPL-2.0
"""Numbers that are fractions: the doubles that stand for them in arrays."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

_EXACT = (Fraction, Decimal)


def is_fraction(numbers: Any) -> bool:
    """Whether there is a Fraction or a Decimal among numbers in lists or in an array of objects."""
    if isinstance(numbers, np.ndarray):
        return numbers.dtype == object and is_fraction(numbers.ravel().tolist())
    if isinstance(numbers, (list, tuple)):
        kinds = set(map(type, numbers))
        nested = any(issubclass(kind, (list, tuple, np.ndarray)) for kind in kinds)
        return any(issubclass(kind, _EXACT) for kind in kinds) or (nested and any(map(is_fraction, numbers)))
    return isinstance(numbers, _EXACT)


class Table:
    """Fractions > 0, and the doubles that stand for them: the nearest, or a neighbour where that one stands for another
    number."""

    def __init__(self) -> None:
        self.numbers: dict[Fraction, float] = {}
        self._taken: dict[float, Fraction] = {}

    @classmethod
    def of(cls, given: Iterable[Any]) -> Table:
        """For arguments whose doubles stand for themselves."""
        table = cls()
        for part in given:
            if part is not None and not is_fraction(part):
                values = getattr(part, "data", part) if hasattr(part, "tocsc") else getattr(part, "array", part)
                with contextlib.suppress(TypeError, ValueError):  # which the caller finds
                    table.claim(values)
        return table

    def keep(self, number: float, fraction: Fraction) -> float:
        self.numbers[fraction], self._taken[number] = number, fraction
        return number

    def claim(self, numbers: Any) -> None:
        """These doubles stand for themselves, as far as they do not stand for others yet."""
        values = np.unique(np.abs(np.asarray(numbers, dtype=np.float64)))
        for number in values[np.isfinite(values) & (values > 0)].tolist():
            if number not in self._taken:
                self.keep(number, Fraction(number))

    def number_for(self, given: Any) -> float:
        fraction = Fraction(int(given) if isinstance(given, np.integer) else given)
        size = abs(fraction)
        number = self.numbers.get(size, 0.0)
        if size and not number:
            number = float(size) or math.ulp(0.0)
            while number in self._taken:
                number = math.nextafter(number, math.inf)
            self.keep(number, size)
        return -number if fraction < 0 else number

    def doubles(self, array: Any) -> Any:
        """What stands for an array of objects; what is neither fraction nor integer stays."""
        exact = (*_EXACT, int, np.integer)
        items = array.ravel().tolist()
        self.claim([a for a in items if isinstance(a, (float, np.floating))])
        found = [self.number_for(a) if isinstance(a, exact) and not isinstance(a, bool) and _is_finite(a) else a for a in items]
        result = np.empty(array.shape, dtype=object)
        result.ravel()[:] = found
        return result

    def others(self) -> Iterable[tuple[float, str]]:
        """Doubles that stand for another number, and the texts of those."""
        return ((number, str(fraction)) for fraction, number in self.numbers.items() if Fraction(number) != fraction)


def _is_finite(number: Any) -> bool:
    return not isinstance(number, Decimal) or number.is_finite()


class _Using(threading.local):
    table: Table | None = None


_using = _Using()


@contextlib.contextmanager
def using(table: Table | None) -> Iterator[None]:
    """Within it, arrays that become doubles have those that stand for their fractions."""
    before, _using.table = _using.table, table or _using.table
    try:
        yield
    finally:
        _using.table = before


def in_use() -> bool:
    return _using.table is not None


def standing(array: Any) -> Any:
    """An array as it is, or with doubles that stand for its fractions."""
    if _using.table is None:
        return array
    large = array.dtype.kind in "iu" and array.size and int(np.abs(array).max()) > 2**53
    return _using.table.doubles(array.astype(object)) if large or array.dtype == object else array
