# SPDX-License-Identifier: EPL-2.0
"""A linear program in arrays, its checksum and its file."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any, TextIO

import numpy as np
import scipy.sparse as sp

INF = np.inf


@dataclasses.dataclass
class LP:
    """min c'x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.

    ``A`` is an array by rows or SciPy's csc_array, as the family has it. ``native`` is what makers of
    special functions take in place of the LP: ("quantile", {"X": ..., "y": ..., "quantile": ...});
    ``lifted`` makes the LP's columns of their answer."""

    c: Any
    A: Any
    row_lower: Any
    row_upper: Any
    lower: Any
    upper: Any
    native: tuple[str, dict[str, Any]] | None = None

    def __post_init__(self) -> None:
        rows, columns = self.A.shape
        for name, size in (("c", columns), ("lower", columns), ("upper", columns), ("row_lower", rows),
                           ("row_upper", rows)):
            value = np.broadcast_to(np.asarray(getattr(self, name), float), size)
            setattr(self, name, np.ascontiguousarray(value))
        self.A = np.ascontiguousarray(self.A, float) if isinstance(self.A, np.ndarray) else sp.csc_array(self.A)
        if not isinstance(self.A, np.ndarray):
            self.A.sum_duplicates()
            self.A.eliminate_zeros()

    @property
    def sparse(self) -> Any:
        """A as csc_array without explicit zeros."""
        return sp.csc_array(self.A)

    @property
    def nonzeros(self) -> int:
        return int(np.count_nonzero(self.A)) if isinstance(self.A, np.ndarray) else int(self.A.nnz)

    def with_(self, change: dict[str, Any]) -> LP:
        """With other costs or bounds: whole arrays by name."""
        return dataclasses.replace(self, **change, native=None)

    def checksum(self) -> str:
        """Of all numbers: the first 16 digits of a SHA-256."""
        A, digest = self.sparse, hashlib.sha256()
        A.sort_indices()
        for array in (A.indptr.astype("<i8"), A.indices.astype("<i8"), A.data, self.c, self.row_lower,
                      self.row_upper, self.lower, self.upper):
            digest.update((np.ascontiguousarray(array) + 0).tobytes())  # no negative zeros
        return digest.hexdigest()[:16]

    def write(self, file: TextIO, name: str) -> None:
        """Free MPS, each number with all its digits. Rows with two finite sides have a RANGES entry."""
        def number(value: float) -> str:
            return repr(float(value))

        A, low, high = self.sparse, self.row_lower, self.row_upper
        kinds = ["E" if a == b else "L" if b < INF else "G" if a > -INF else "N" for a, b in zip(low, high)]
        file.write(f"NAME {name}\nROWS\n N cost\n" + "".join(f" {k} r{i}\n" for i, k in enumerate(kinds)) + "COLUMNS\n")
        for j in range(self.c.size):
            if self.c[j] or A.indptr[j] == A.indptr[j + 1]:
                file.write(f" x{j} cost {number(self.c[j])}\n")
            for k in range(A.indptr[j], A.indptr[j + 1]):
                file.write(f" x{j} r{A.indices[k]} {number(A.data[k])}\n")
        sides = [a if kind == "G" else b for kind, a, b in zip(kinds, low, high)]
        file.write("RHS\n" + "".join(f" b r{i} {number(s)}\n" for i, s in enumerate(sides) if s and abs(s) < INF))
        file.write("RANGES\n" + "".join(f" g r{i} {number(high[i] - low[i])}\n" for i, kind in enumerate(kinds)
                                       if kind == "L" and low[i] > -INF))
        file.write("BOUNDS\n")
        for j, (a, b) in enumerate(zip(self.lower, self.upper)):
            if a == b:
                file.write(f" FX v x{j} {number(a)}\n")
                continue
            if a != 0:
                file.write(f" LO v x{j} {number(a)}\n" if a > -INF else f" {'MI' if b < INF else 'FR'} v x{j}\n")
            if b < INF:
                file.write(f" UP v x{j} {number(b)}\n")
        file.write("ENDATA\n")
