# SPDX-License-Identifier: EPL-2.0
"""A linear program in arrays, and its checksum."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import Any

import numpy as np
import scipy.sparse as sp

INF = np.inf


@dataclasses.dataclass
class LP:
    """min c'x  subject to  row_lower <= A x <= row_upper,  lower <= x <= upper.

    ``A`` is an array by rows or SciPy's csc_array, as the family has it. ``native`` is what functions
    for the task take in place of the LP: ("quantile", {"X": ..., "y": ..., "quantile": ...})."""

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
