# SPDX-License-Identifier: EPL-2.0
"""Numbers that are fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np


def is_fraction(numbers: Any) -> bool:
    """Whether there is a Fraction among numbers in lists or in an array of objects."""
    if isinstance(numbers, np.ndarray):
        return numbers.dtype == object and any(isinstance(a, Fraction) for a in numbers.ravel())
    if isinstance(numbers, (list, tuple)):
        return any(isinstance(a, Fraction) or is_fraction(a) for a in numbers)
    return isinstance(numbers, Fraction)
